"""The files of one scenario: made in memory, written whole, and not over a workbook that somebody edited."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tco.errors import OutputError
from tco.files import write_atomically

if TYPE_CHECKING:
    from tco.result import Result


def contents(result: Result, name: str, formats: Sequence[str]) -> dict[str, bytes]:
    """The asked outputs by suffix."""
    made: dict[str, bytes] = {}
    if "xlsx" in formats:
        from tco.workbook import build

        made["xlsx"] = build(result)
    if "html" in formats:
        from tco.report import render

        made["html"] = render(result).encode()
    if "json" in formats or "csv" in formats:
        from tco.export import to_csv, to_json

        if "json" in formats:
            made["json"] = to_json(result).encode()
        if "csv" in formats:
            made["csv"] = to_csv([(name, result)]).encode()
    return made | _of_others(result, name, formats)


def _of_others(result: Result, name: str, formats: Sequence[str]) -> dict[str, bytes]:
    """The plan in the form of other tools."""
    made: dict[str, bytes] = {}
    if "focus.csv" in formats or "opencost.csv" in formats:
        from tco.focus import to_focus, to_opencost

        if "focus.csv" in formats:
            made["focus.csv"] = to_focus(result, name).encode()
        if "opencost.csv" in formats:
            made["opencost.csv"] = to_opencost(result).encode()
    return made


def write_contents(made: Mapping[str, bytes], out: Path, name: str, *, force: bool = False) -> None:
    """Write NAME.*, each whole or not at all. Raises OutputError."""
    books = {_book(name, suffix): content for suffix, content in made.items() if suffix.endswith("xlsx")}
    for book in books if not force else ():
        refuse_edited(path_of(out, book, "xlsx"), known_digests(_mark(out, book)))
    for book, content in books.items():
        # Before the workbook itself, and beside the last one: a run that is stopped in between leaves one of the two.
        mark = _mark(out, book)
        digests = list(dict.fromkeys([hashlib.sha256(content).hexdigest(), *known_digests(mark)[:1]]))
        write_atomically(mark, ("\n".join(digests) + "\n").encode())
    for suffix, content in made.items():
        write_atomically(path_of(out, name, suffix), content)


def write_outputs(result: Result, out: Path, name: str, formats: Sequence[str], *, force: bool = False) -> None:
    """Make and write the asked outputs as NAME.*. Raises OutputError."""
    refuse_changed(out, name, formats, force=force)
    write_contents(contents(result, name, formats), out, name, force=force)


def refuse_changed(out: Path, name: str, formats: Sequence[str], *, force: bool = False) -> None:
    """Before anything is computed: the workbook that is there must be one that tco wrote. Raises OutputError."""
    if "xlsx" in formats and not force:
        refuse_edited(path_of(out, name, "xlsx"), known_digests(_mark(out, name)))


def path_of(out: Path, name: str, suffix: str) -> Path:
    """Where an output stands; a name may have folders before it."""
    return out / f"{name}.{suffix}"


def _book(name: str, suffix: str) -> str:
    """A workbook without its ending: that of the scenario, or of one workload of a portfolio."""
    return f"{name}.{suffix}".removesuffix(".xlsx")


def _mark(out: Path, name: str) -> Path:
    whole = out / name
    return whole.parent / f".{whole.name}.tco"


def known_digests(path: Path) -> list[str]:
    """Digests of the last workbooks of this name that tco wrote into the folder, the newest first."""
    try:
        return path.read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return []


def refuse_edited(path: Path, known: list[str]) -> None:
    """A file that is there must be one that tco wrote. Raises OutputError."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return
    except OSError as error:
        raise OutputError(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}") from error
    if hashlib.sha256(content).hexdigest() not in known:
        told = "was changed since tco wrote it, or not written by it"
        raise OutputError(f"{path}: {told}; choose another --out, or overwrite it with --force")
