"""What can go wrong, as a tree.

TcoError
├── UnitError        a quantity or a unit that cannot be read or does not fit
├── ModelError       mistakes in the lines of a model, all of them at once
├── ScenarioError    problems in a scenario file, each with its place
├── ImportRefused    a file of somebody else's form that cannot be taken over (tco.importing)
├── CatalogueError   an id that the catalogue does not hold, or a row that cannot be read
└── OutputError      a file or folder that cannot be written
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


class TcoError(Exception):
    """Base of every error a user may see; its text is complete sentences, one a line."""


class UnitError(TcoError):
    """A quantity or a unit that cannot be read or does not fit."""


class CatalogueError(TcoError):
    """An id that the catalogue does not hold, or a row that cannot be read."""


class OutputError(TcoError):
    """A file or folder that cannot be written."""


class ModelError(TcoError):
    """Every mistake found in a model; `mistakes` holds one sentence each."""

    def __init__(self, mistakes: Sequence[str]) -> None:
        self.mistakes = list(mistakes)
        count = f"{len(self.mistakes)} mistake{'s' if len(self.mistakes) > 1 else ''} in the model"
        super().__init__("\n  ".join([count, *self.mistakes]))


@dataclass(frozen=True)
class Problem:
    """One thing wrong in a scenario file: its place, its path inside the file, and a sentence."""

    text: str
    path: str = ""
    file: str = ""
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.line else (f"{self.file}: " if self.file else "")
        return f"{place}{self.path + ': ' if self.path else ''}{self.text}"


class ScenarioError(TcoError):
    """Every problem found in one scenario file."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint with the nearest known word, or nothing: `; did you mean \\`x\\`?`."""
    words = list(known)
    longer = sorted((one for one in words if len(word) > 3 and one.startswith(word)), key=len)
    near = longer or difflib.get_close_matches(word, words, n=1, cutoff=0.6)
    return f"; did you mean `{near[0]}`?" if near else ""
