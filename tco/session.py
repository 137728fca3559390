"""A scenario in the hand: read, checked, ready to run."""

from __future__ import annotations

import os
from dataclasses import dataclass

from tco.analysis.run import run
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
        assemble(self.document, self.content)

    def run(self, frozen: dict[str, dict[str, float]] | None = None) -> Result:
        """Compute all fleets. Raises ScenarioError with every problem."""
        return run(self.document, self.content, frozen=frozen)


def load(path: str | os.PathLike[str]) -> Scenario:
    """Read and validate a scenario file. Raises ScenarioError with every problem and its place."""
    return _scenario(read(path))


def loads(text: str, name: str = "scenario.yaml") -> Scenario:
    """The same for text in memory."""
    return _scenario(read_text(text, name))


def _scenario(document: Document) -> Scenario:
    return Scenario(document, validate(document, Schema))
