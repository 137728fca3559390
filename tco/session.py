"""A scenario in the hand: read, checked, ready to run."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from tco.analysis.run import Frozen, run, settle
from tco.catalogue import Catalogue, catalogue
from tco.errors import CatalogueError, ScenarioError
from tco.result import Result
from tco.scenario.assembly import assemble
from tco.scenario.problems import validate
from tco.scenario.reading import Document, read, read_text
from tco.scenario.schema import Scenario as Schema


@dataclass(frozen=True)
class Scenario:
    """A validated scenario file; `content` holds its sections, `document` its text and places."""

    document: Document
    content: Schema

    def check(self) -> None:
        """Find every problem without computing. Raises ScenarioError."""
        plans, timeline = assemble(self.document, self.content, self.catalogue)
        settle(plans, timeline, self.document)
        if self.content.analysis and self.content.analysis.sweeps:
            from tco.sweep.stated import of_scenario

            of_scenario(self)
        if self.content.analysis and self.content.analysis.uncertainty:
            from tco.uncertainty.drivers import check_ranges

            check_ranges(self)

    def run(self, frozen: Frozen | None = None) -> Result:
        """Compute all fleets. Raises ScenarioError with every problem."""
        result = run(self.document, self.content, frozen=frozen, data=self.catalogue)
        result.session = self if self.content.analysis else None
        return result

    @property
    def catalogue(self) -> Catalogue:
        """What ships with tco, with the scenario's own folder over it. Raises ScenarioError when that is no folder."""
        own = self.content.catalogue
        if own is None:
            return catalogue()
        try:
            return catalogue().with_own(Path(self.document.file).parent / own)
        except CatalogueError as error:
            raise ScenarioError([self.document.problem(("catalogue",), str(error))]) from error


def load(path: str | os.PathLike[str]) -> Scenario:
    """Read and validate a scenario file. Raises ScenarioError with every problem and its place."""
    return opened(read(path))


def loads(text: str, name: str = "scenario.yaml") -> Scenario:
    """The same for text in memory."""
    return opened(read_text(text, name))


def check_file(path: str | os.PathLike[str]) -> None:
    """Find every problem of a scenario file, of one workload or several. Raises ScenarioError."""
    document = read(path)
    if "workloads" in document.data:
        from tco.portfolio import opened as opened_portfolio

        opened_portfolio(document).check()
    else:
        opened(document).check()


def opened(document: Document) -> Scenario:
    """A document that was read already. Raises ScenarioError with every problem and its place."""
    if "workloads" in document.data:
        told = "holds several workloads; `tco run` and `tco check` take such a file, all else takes one `workload`"
        raise ScenarioError([document.problem(("workloads",), told, key=True)])
    return Scenario(document, validate(document, Schema))
