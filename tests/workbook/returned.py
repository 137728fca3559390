"""Workbooks as they come back: cells typed into the file itself, so that everything else stays as it was written."""

# pyright: basic
from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from xml.sax.saxutils import escape

Value = float | str | None


def parts_of(path: Path) -> dict[str, str]:
    """The file of each sheet by its name."""
    with zipfile.ZipFile(path) as book:
        sheets = re.findall(
            r'<sheet name="([^"]+)" sheetId="\d+"[^>]* r:id="([^"]+)"', book.read("xl/workbook.xml").decode()
        )
        links = dict(
            re.findall(r'Id="([^"]+)"[^>]*Target="([^"]+)"', _turned(book.read("xl/_rels/workbook.xml.rels").decode()))
        )
    return {name: f"xl/{links[key]}" for name, key in sheets}


def _turned(text: str) -> str:
    """Relations with their id first."""
    return re.sub(r'<Relationship (.*?)(Id="[^"]+")(.*?)/>', r"<Relationship \2 \1\3/>", text)


def rewritten(path: Path, target: Path, changed: Callable[[str, str], str]) -> Path:
    """A copy of a workbook in which `changed(part, text)` stands for the text of each XML part."""
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as copy:
        for item in source.infolist():
            content = source.read(item)
            if item.filename.endswith((".xml", ".rels")):
                content = changed(item.filename, content.decode()).encode()
            copy.writestr(item.filename, content)
    return target


def typed(
    path: Path,
    target: Path,
    cells: Mapping[tuple[str, str], Value],
    stored: Mapping[tuple[str, str], Value] | None = None,
) -> Path:
    """A copy with values typed into cells, and the values that formulas show (None: nothing)."""
    parts = {part: sheet for sheet, part in parts_of(path).items()}

    def changed(part: str, text: str) -> str:
        for (sheet, cell), value in cells.items():
            if sheet == parts.get(part):
                text = _with(text, cell, value)
        for (sheet, cell), value in (stored or {}).items():
            if sheet == parts.get(part):
                text = _shows(text, cell, value)
        return text

    return rewritten(path, target, changed)


def _with(text: str, cell: str, value: Value) -> str:
    def put(match: re.Match[str]) -> str:
        look = re.search(r' s="\d+"', match[0])
        head = f'<c r="{cell}"{look[0] if look else ""}'
        if value is None:
            return f"{head}/>"
        if isinstance(value, str):
            return f'{head} t="inlineStr"><is><t xml:space="preserve">{escape(value)}</t></is></c>'
        return f"{head}><v>{value!r}</v></c>"

    made, count = re.subn(rf'<c r="{cell}"[^>]*?(?:/>|>.*?</c>)', put, text, count=1, flags=re.DOTALL)
    assert count == 1, f"{cell} holds nothing"
    return made


def _shows(text: str, cell: str, value: Value) -> str:
    shown = "" if value is None else f"<v>{escape(str(value))}</v>"
    kind = ' t="str"' if isinstance(value, str) else ""

    def put(match: re.Match[str]) -> str:
        look = re.search(r' s="\d+"', match[1])
        return f'<c r="{cell}"{look[0] if look else ""}{kind}>{match[2]}{shown}</c>'

    made, count = re.subn(rf'<c r="{cell}"([^>]*)>(<f>.*?</f>)(?:<v>.*?</v>)?</c>', put, text, count=1, flags=re.DOTALL)
    assert count == 1, f"{cell} holds no formula"
    return made


def renamed(path: Path, target: Path, old: str, new: str) -> Path:
    """A copy in which a sheet has another name, as a spreadsheet renames it: formulas and names follow."""
    quoted = f"'{new}'"

    def changed(part: str, text: str) -> str:
        if part == "xl/workbook.xml":
            text = text.replace(f'<sheet name="{old}"', f'<sheet name="{new}"')
        return re.sub(rf"(?<![\w'])'?{old}'?!", f"{quoted}!", text)

    return rewritten(path, target, changed)


def inserted(path: Path, target: Path, sheet: str, row: int, count: int = 1) -> Path:
    """A copy with empty rows above a row, as a spreadsheet inserts them: cells move, formulas and names follow."""
    own = parts_of(path)[sheet]
    moved = re.compile(r"(\$?[A-Z]{1,3}\$?)([0-9]+)")

    def down(match: re.Match[str]) -> str:
        return f"{match[1]}{int(match[2]) + (count if int(match[2]) >= row else 0)}"

    def elsewhere(text: str) -> str:
        place = rf"((?<![\w'])'?{sheet}'?!)(\$?[A-Z]+\$?[0-9]+(?::\$?[A-Z]+\$?[0-9]+)?)"
        return re.sub(place, lambda found: found[1] + moved.sub(down, found[2]), text)

    def here(formula: str) -> str:
        parts = re.split(r"((?:'[^']+'|[A-Za-z_]\w*)![$A-Z0-9:]+|\"[^\"]*\"|&quot;.*?&quot;|[a-z_][a-z0-9_]*)", formula)
        return "".join(elsewhere(part) if odd % 2 else moved.sub(down, part) for odd, part in enumerate(parts))

    def changed(part: str, text: str) -> str:
        if part != own:
            return elsewhere(text) if part.startswith(("xl/worksheets/sheet", "xl/workbook")) else text
        text = re.sub(r"<f>(.*?)</f>", lambda found: f"<f>{here(found[1])}</f>", text)
        text = re.sub(r'<row r="([0-9]+)"', lambda found: f'<row r="{_lower(found[1], row, count)}"', text)
        return re.sub(
            r'<c r="([A-Z]+)([0-9]+)"', lambda found: f'<c r="{found[1]}{_lower(found[2], row, count)}"', text
        )

    return rewritten(path, target, changed)


def _lower(text: str, row: int, count: int) -> int:
    return int(text) + (count if int(text) >= row else 0)
