"""What was done to the workbook beside typing inputs: formulas, fixed numbers, names, rows, sheets."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from tco.readback.align import Alignment, Sheets, columns_text, rows_text
from tco.readback.edited import EPOCH, Cells, Day, Edited, Held, Place, Wrong, cell_text
from tco.readback.formulas import cells_of, meaning, spelled_alike
from tco.readback.issued import Issued
from tco.wording import shortened
from tco.workbook.book import Formula, letters
from tco.workbook.places import CHECKS, COMPARE, DATA, INPUTS, LABEL, QUOTES, TIME, UNITS

EQUAL = 1e-14
"""Relative: what a program that keeps fifteen digits leaves of a number."""

CALCULATES = (INPUTS, QUOTES, TIME, UNITS, COMPARE, CHECKS)
SERIOUS = ("formula", "number", "name", "added", "link", "gone")


@dataclass(frozen=True)
class Finding:
    """One thing that was altered; a serious one means that the workbook no longer computes what was issued."""

    kind: str
    cells: str
    label: str
    old: str
    new: str
    serious: bool = True

    def __str__(self) -> str:
        where = f"{self.cells}{f' ({self.label})' if self.label else ''}"
        return f"{where}: {self.old} -> {self.new}" if self.old else f"{where}: {self.new}"


def alterations(edited: Edited, issued: Issued, alignment: Alignment, typed: set[Place]) -> list[Finding]:
    """Everything but what stands in `typed`, the cells of inputs."""
    return [
        *_structure(edited, issued, alignment),
        *_links(edited),
        *_names(edited, issued, alignment),
        *_cells(edited, issued, alignment, typed),
    ]


# --- sheets, rows, columns ---


def _structure(edited: Edited, issued: Issued, alignment: Alignment) -> Iterator[Finding]:
    for new, old in alignment.renamed.items():
        yield Finding("renamed", new, "", "", f"the sheet was called {old}", serious=False)
    for name in alignment.gone:
        yield Finding("gone", name, "", "", "the sheet is gone, with every formula on it")
    for name in alignment.added:
        yield Finding("added sheet", name, "", "", "a sheet that tco did not write", serious=False)
    for name, sheet in alignment.sheets.items():
        yield from _moved(name, sheet, edited, issued)


def _moved(name: str, sheet: Sheets, edited: Edited, issued: Issued) -> Iterator[Finding]:
    if sheet.inserted_rows:
        yield Finding("inserted", name, "", "", f"{rows_text(sheet.inserted_rows)} inserted", serious=False)
    if sheet.inserted_columns:
        yield Finding("inserted", name, "", "", f"{columns_text(sheet.inserted_columns)} inserted", serious=False)
    rows = [row for row in sheet.deleted_rows if any(place[0] == row for place in issued.cells[sheet.name])]
    for row in rows:
        label = label_of(issued, (sheet.name, row, 0))
        told = f"row {row} of the issued workbook was deleted or overwritten"
        yield Finding("gone", name, label, "", told, serious=_calculates(sheet.name))
    if sheet.deleted_columns:
        yield Finding("gone", name, "", "", f"{columns_text(sheet.deleted_columns)} of the issued workbook deleted")


def _links(edited: Edited) -> Iterator[Finding]:
    for told in edited.links:
        yield Finding("link", told, "", "", "reads another workbook, which is not here")


# --- names ---


def _names(edited: Edited, issued: Issued, alignment: Alignment) -> Iterator[Finding]:
    """A name that leads elsewhere changes every formula that uses it."""
    sheets = {new.lower(): old.lower() for new, old in alignment.renamed.items()}
    found: dict[str, str] = {}
    for name, refers in edited.names.items():
        owner, mark, rest = name.rpartition("!")
        found[f"{sheets.get(owner, owner)}{mark}{rest}"] = refers
    for name, refers in issued.names.items():
        stable = name.startswith(("in_", "out_"))
        if name not in found:
            told = "the name is gone" + ("" if stable else ", and formulas read it")
            yield Finding("name", name, "", "", told, serious=not stable)
        elif meaning(refers, "") != meaning(found[name], "", alignment.issued):
            place = cells_of(refers)
            label = label_of(issued, place) if place else ""
            here = alignment.edited(place) if place else None
            belongs = f"belongs to {cell_text(here)}, " if here else ""
            told = f"{belongs}leads to {shortened(found[name].replace('$', ''), 90) or 'nothing'}"
            yield Finding("name", name, label, "", told)


# --- cells ---


def _cells(edited: Edited, issued: Issued, alignment: Alignment, typed: set[Place]) -> Iterator[Finding]:
    for name, cells in issued.cells.items():
        now = alignment.back.get(name)
        if now is None:
            continue
        rows: dict[tuple[int, str], list[tuple[Place, Held, Held | None]]] = defaultdict(list)
        for (row, column), old in cells.items():
            place = (name, row, column)
            if place in typed:
                continue
            here = alignment.edited(place)
            new = edited.value(here)
            kind = _altered(old, new, now, place, alignment) if here else ""
            if kind and here:
                rows[row, kind].append((here, old, new))
        for (row, kind), found in rows.items():
            yield _finding(kind, found, issued, (name, row, found[0][0][2]))
        yield from _added(name, edited.sheets[now], cells, issued, alignment)


def _altered(old: Held, new: Held | None, now: str, place: Place, alignment: Alignment) -> str:
    """What kind of change it is; empty for none."""
    if isinstance(old, Formula):
        return "" if isinstance(new, Formula) and _same(old, new, now, place, alignment) else "formula"
    if isinstance(old, str):
        if isinstance(new, Formula):
            return "formula"
        same = _spelled(new) == _spelled(old)
        return "" if same else "number" if place[0] in (UNITS, TIME) else "text"
    return "" if isinstance(new, float) and abs(new - old) <= EQUAL * max(abs(new), abs(old)) else "number"


def _spelled(held: Held | None) -> str:
    """A text as any program keeps it: some make numbers and dates of texts that look like them, or drop line ends."""
    if isinstance(held, Day):
        return (EPOCH + datetime.timedelta(days=held)).date().isoformat()
    return f"{held:.15g}" if isinstance(held, float) else " ".join(str(held or "").split())


def _same(old: Formula, new: Formula, now: str, place: Place, alignment: Alignment) -> bool:
    if alignment.same and spelled_alike(old, new):
        return True
    try:
        return meaning(old, place[0]) == meaning(new, now, alignment.issued)
    except (ValueError, IndexError):
        return False


def _finding(kind: str, found: list[tuple[Place, Held, Held | None]], issued: Issued, place: Place) -> Finding:
    (first, old, new), (last, _, _) = found[0], found[-1]
    cells = cell_text(first)
    if len(found) > 1:
        cells = f"{cells}:{letters(last[2])}{last[1]}, {len(found)} cells"
    now = (
        f"{_words(new)} (value pasted over)"
        if kind == "formula" and not isinstance(new, Formula | None)
        else _words(new)
    )
    now += _instead(kind, place, new)
    return Finding(kind, cells, label_of(issued, place), _words(old), now, serious=kind in SERIOUS)


def _instead(kind: str, place: Place, new: Held | None) -> str:
    """What to do in place of typing over what offers make, or over an award."""
    if kind == "formula" and place[0] == INPUTS and not isinstance(new, Formula):
        return "; the price follows the offers: type the unit price on Quotes"
    if kind == "number" and place[0] == QUOTES:
        return "; quantities, dates and awards are those of the scenario: change them there"
    return ""


def _words(held: Held | None) -> str:
    if held is None:
        return "nothing"
    if isinstance(held, Formula):
        return f"`={shortened(held, 90)}`"
    return f"{held:.12g}" if isinstance(held, float) else f"`{shortened(str(held), 60)}`"


def _added(name: str, now: Cells, cells: Cells, issued: Issued, alignment: Alignment) -> Iterator[Finding]:
    """What stands where nothing stood: on a calculating sheet it may lie inside a sum."""
    sheet = alignment.back[name]
    counts = _calculates(name)
    rows: dict[int, list[tuple[int, Held]]] = defaultdict(list)
    for (row, column), value in now.items():
        was = alignment.issued(sheet, row, column)
        if (was is None or was[1:] not in cells) and (not isinstance(value, str) or isinstance(value, Formula | Wrong)):
            rows[row].append((column, value))
    for row, found in rows.items():
        (column, value), more = found[0], f", {len(found)} cells" if len(found) > 1 else ""
        place = (sheet, row, column)
        was = alignment.issued(*place)
        label = label_of(issued, was) if was else ""
        told = f"{_words(value)} stands where nothing stood" + (", and may be added up" if counts else "")
        yield Finding("added", f"{cell_text(place)}{more}", label, "", told, serious=counts)


def _calculates(sheet: str) -> bool:
    """Whether numbers on a sheet are read by others."""
    return sheet in CALCULATES or sheet.startswith("Calc_")


def label_of(issued: Issued, place: Place) -> str:
    """The line or input that a row holds."""
    sheet, row, _ = place
    cells = issued.cells.get(sheet, {})
    if sheet == DATA:
        return " ".join(str(cells.get((row, column), "")) for column in (0, 3, 4)).strip()
    own = cells.get((row, LABEL)) if sheet.startswith("Calc_") or sheet in (INPUTS, TIME) else cells.get((row, 0))
    return str(own) if isinstance(own, str) and not isinstance(own, Formula) else ""
