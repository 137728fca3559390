"""A workbook that comes back: what was typed, what was altered, what it does, and the scenario that says so."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from tco.errors import OutputError, Problem, ScenarioError
from tco.files import write_atomically
from tco.readback.align import Alignment, align
from tco.readback.altered import Finding, alterations
from tco.readback.carry import Carried, Story, carry
from tco.readback.drift import drifted, moved_by_catalogue
from tco.readback.edited import Edited, read_edited
from tco.readback.effect import Effect, effect
from tco.readback.issued import Issued, reissue
from tco.readback.provenance import Provenance, provenance
from tco.readback.typed import Change, changes, typed_cells
from tco.scenario.writing import text_of
from tco.session import loads

__all__ = ["Change", "Finding", "Readback", "readback", "write_scenario"]


@dataclass
class Readback:
    """Everything that was found; `good` when every input can be used and nothing was altered."""

    edited: Edited
    said: Provenance
    issued: Issued
    alignment: Alignment
    changes: list[Change]
    findings: list[Finding]
    effect: Effect
    compared: bool = True
    notes: list[str] = field(default_factory=list[str])

    @property
    def refused(self) -> list[Change]:
        """Inputs that cannot be used."""
        return [change for change in self.changes if change.refused]

    @property
    def taken(self) -> list[Change]:
        """Inputs that go into the scenario."""
        return [change for change in self.changes if not change.refused]

    @property
    def writable(self) -> bool:
        """Whether there is a scenario to write, once the source is known."""
        return not _unwritable(self, "known")

    @property
    def good(self) -> bool:
        """Whether there is nothing odd."""
        return not self.refused and not self.effect.problems and not any(one.serious for one in self.findings)


def readback(path: Path, scenario: Path | None = None) -> Readback:
    """Read an edited workbook and run what it changes. Raises ScenarioError for what is no workbook of tco."""
    edited = read_edited(path)
    said = provenance(edited, scenario)
    issued = reissue(said, edited)
    alignment = align(edited, issued.cells)
    found = changes(edited, issued, alignment)
    notes, compared = drifted(said, issued, edited, alignment)
    found, more = moved_by_catalogue(found, said, issued, edited, alignment)
    findings = alterations(edited, issued, alignment, typed_cells(issued)) if compared else []
    carried = carry(issued, found)
    done = effect(issued, edited, alignment, found, carried)
    return Readback(edited, said, issued, alignment, found, findings, done, compared, [*said.notes, *notes, *more])


def write_scenario(found: Readback, target: Path, source: str, status: str, *, force: bool) -> Carried:
    """Write the scenario with the changes, whole or not at all. Raises ScenarioError and OutputError."""
    if told := _unwritable(found, source):
        raise ScenarioError([Problem(f"not written: {told}", file=str(target))])
    if not force and target.exists() and target.read_bytes() != found.said.text.encode("utf-8"):
        told = "holds another text than the scenario that the workbook was issued from"
        raise OutputError(f"{target}: {told}; choose another name, or overwrite it with --force")
    carried = carry(found.issued, found.taken, Story(source, status, found.edited.path.name))
    lost = [Problem(f"not written: {one.cell} {one.name}: {one.refused}", file=str(target)) for one in found.refused]
    if lost or carried.problems:
        raise ScenarioError([*lost, *carried.problems])
    text = text_of(carried.scenario.document)
    loads(text.removeprefix("\ufeff"), str(target)).check()
    write_atomically(target, text.encode("utf-8"))
    return carried


def _unwritable(found: Readback, source: str) -> str:
    """Why nothing can be written; empty when it can."""
    if count := len(found.refused):
        return f"{count} input{'s' if count > 1 else ''} cannot be used; correct the workbook first"
    if found.effect.problems:
        return "the changed scenario cannot be run; correct the workbook first"
    if not found.taken:
        return "no input was changed"
    if not source and any(not change.source for change in found.taken):
        return "every number has a source; say where these come from with --source"
    return ""
