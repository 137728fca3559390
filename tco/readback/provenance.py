"""What the workbook says of itself on Log: the scenario it was made from, to the letter, and the engine."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from tco.errors import Problem, ScenarioError
from tco.readback.edited import Cells, Edited
from tco.scenario.reading import MAXIMUM_BYTES
from tco.workbook.places import LOG


@dataclass(frozen=True)
class Provenance:
    """`text` is the scenario with its own line ends; `given` the file it was found in, if any."""

    file: str
    sha256: str
    engine: str
    catalogue: str
    text: str
    given: Path | None
    notes: list[str]
    changes: list[tuple[str, ...]]

    @property
    def source(self) -> str:
        """The file that stands for the text in messages; files that the scenario names are looked for beside it."""
        return str(self.given) if self.given else self.file


def provenance(edited: Edited, scenario: Path | None) -> Provenance:
    """Read Log, and the scenario's file where it is given or lies beside. Raises ScenarioError."""
    log = edited.sheets.get(LOG) or _log_by_content(edited)
    if log is None:
        _refuse(edited.path, "has no sheet Log with the scenario; it is no workbook of `tco run`, or Log was removed")
    told = {str(log[row, 0]): str(log.get((row, 1), "")) for row, column in log if column == 0}
    file, digest = told.get("Scenario: file", ""), told.get("Scenario: sha256", "")
    text = _verbatim(log, digest)
    given, notes = _given(edited.path, scenario, file, digest)
    if text is None and given is not None and _digest(given) == digest:
        text = given.read_bytes().decode("utf-8")
        notes.append(
            f"the scenario on {LOG} was altered; it is taken from {given}, which is the one it was issued from"
        )
    if text is None:
        told_to = f"is not the one it was issued from (sha256 {digest[:12]}…); give that one with --scenario"
        _refuse(edited.path, f"the scenario on {LOG} {told_to}")
    return Provenance(
        Path(file or "scenario.yaml").name, digest, told.get("Engine: version", ""), told.get("Engine: catalogue", ""),
        text, given, notes, _changes(log),
    )  # fmt: skip


def _log_by_content(edited: Edited) -> Cells | None:
    return next((cells for cells in edited.sheets.values() if "Scenario: sha256" in cells.values()), None)


def _verbatim(log: Cells, digest: str) -> str | None:
    """The text whose digest stands beside it: lines by their number, with the line ends that it had."""
    start = next((row for (row, column), value in sorted(log.items()) if column == 0 and value == "Scenario"), 0)
    numbered = {row: value for (row, column), value in log.items() if column == 0 and row > start > 0}
    lines = {int(value): log.get((row, 1), "") for row, value in numbered.items() if isinstance(value, float)}
    if not lines or max(lines) > MAXIMUM_BYTES:
        return None
    ordered = [_as_text(lines.get(number, "")) for number in range(1, max(lines) + 1)]
    for end in ("\n", "\r\n"):
        for mark in ("", "\ufeff"):
            text = mark + end.join(ordered)
            if hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest() == digest:
                return text
    return None


def _as_text(value: float | str) -> str:
    """A line that holds a number only is a number to some programs."""
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def _given(book: Path, scenario: Path | None, file: str, digest: str) -> tuple[Path | None, list[str]]:
    """The scenario's file, and what is to be said of it."""
    beside = book.parent / Path(file).name if file else None
    found = scenario or (beside if beside and beside.is_file() else None)
    if found is None:
        return None, []
    if not found.is_file():
        _refuse(found, "there is no such file")
    if _digest(found) == digest:
        return found, []
    told = (
        f"{found} was changed since the workbook was issued; old values and places are those of the scenario on {LOG}"
    )
    return found, [told]


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            return hashlib.sha256(stream.read(MAXIMUM_BYTES + 1)).hexdigest()
    except OSError as error:
        raise ScenarioError([Problem(f"cannot be read: {error.strerror or error}", file=str(path))]) from error


def _changes(log: Cells) -> list[tuple[str, ...]]:
    """What the reviewer wrote into the list of changes."""
    start = next((row for (row, column), value in sorted(log.items()) if column == 0 and value == "Changes"), 0)
    stop = next((row for (row, column), value in sorted(log.items()) if column == 0 and value == "Scenario"), start)
    rows = range(start + 2, stop if start else 0)
    texts = [tuple(str(log.get((row, column), "")) for column in range(3)) for row in rows]
    return [row for row in texts if any(row)]


def _refuse(path: Path, text: str) -> NoReturn:
    raise ScenarioError([Problem(text, file=str(path))])
