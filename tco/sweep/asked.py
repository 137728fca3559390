"""What is asked: places that vary, and the variants, block by block; every combination of axes and overrides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

import numpy as np

from tco.errors import Problem, ScenarioError
from tco.session import Scenario
from tco.sweep.axes import distinct, values_of
from tco.sweep.columns import NOTHING, Column, Ints, Values, listed
from tco.sweep.places import Refused, clash, column_of, misfit

MOST = 20_000_000
"""Variants of one sweep."""

Blame = Callable[[str, int | None], Problem]
"""A problem of an axis, or of its value of this number."""


class Asked(Protocol):
    """Variants of a scenario; `whole` holds every value that stands in each column, for its ends."""

    @property
    def columns(self) -> Sequence[Column]:
        """The places that vary."""
        ...

    @property
    def count(self) -> int:
        """How many variants."""
        ...

    @property
    def whole(self) -> Sequence[Values]:
        """Every value of each column."""
        ...

    def block(self, start: int, stop: int) -> list[Values]:
        """What stands in each column for these variants."""
        ...

    def names(self, start: int, stop: int) -> Sequence[str] | None:
        """Names of these variants, where they have some."""
        ...


@dataclass(frozen=True)
class Stated:
    """An axis as it is stated: a place, and values as a list or as text."""

    place: str
    values: Sequence[Any] | str
    blame: Blame


@dataclass(frozen=True)
class Axis:
    """Options of one decision, with the columns that each sets; `labels` name them."""

    name: str
    labels: Sequence[str]
    columns: Sequence[int]


@dataclass(frozen=True)
class Grid:
    """Every combination of the axes, the first the slowest; overrides with names are an axis before them."""

    columns: list[Column]
    axes: list[Axis]
    whole: list[Values]
    named: bool = False
    sizes: tuple[int, ...] = field(default=())

    @property
    def count(self) -> int:
        """How many combinations."""
        return int(np.prod(self.sizes, dtype=np.int64))

    def codes(self, start: int, stop: int) -> list[Ints]:
        """Options of each axis, by variant."""
        return [code.astype(np.int64) for code in np.unravel_index(np.arange(start, stop), self.sizes)]

    def block(self, start: int, stop: int) -> list[Values]:
        """What stands in each column for these variants."""
        codes = self.codes(start, stop)
        by_column = {column: code for axis, code in zip(self.axes, codes, strict=True) for column in axis.columns}
        return [one.take(by_column[at]) for at, one in enumerate(self.whole)]

    def names(self, start: int, stop: int) -> Sequence[str] | None:
        """Names of the overrides."""
        if not self.named:
            return None
        labels = self.axes[0].labels
        return [labels[int(code)] for code in self.codes(start, stop)[0]]


def grid(base: Scenario, stated: Sequence[Stated], overrides: Mapping[str, Mapping[str, tuple[Any, Blame]]]) -> Grid:
    """Axes and named overrides as variants. Raises ScenarioError with every problem."""
    asking = _Asking(base)
    asking.override(overrides)
    for one in stated:
        asking.axis(one)
    if asking.problems:
        raise ScenarioError(list(dict.fromkeys(asking.problems)))
    sizes = tuple(len(axis.labels) for axis in asking.axes)
    found = Grid(asking.columns, asking.axes, asking.values, bool(overrides), sizes)
    if not sizes or found.count > MOST:
        told = f"{found.count:,} variants; at most {MOST:,} are computed at once" if sizes else "no axis is stated"
        raise ScenarioError([Problem(told, file=base.document.file)])
    return found


class _Asking:
    def __init__(self, base: Scenario) -> None:
        self.base = base
        self.columns = list[Column]()
        self.values = list[Values]()
        self.axes = list[Axis]()
        self.problems = list[Problem]()

    def axis(self, one: Stated) -> None:
        """One place with values."""
        try:
            column = self._column(one.place)
            words = values_of(one.values, column.leaf) if isinstance(one.values, str) else distinct(one.values)
        except Refused as refused:
            self.problems.append(one.blame(str(refused), None))
            return
        wrong = [one.blame(told, at) for at, word in enumerate(words) if (told := misfit(self.base, column, word))]
        self.problems += wrong
        self._add(column, [] if wrong else words, np.arange(0 if wrong else len(words), dtype=np.int64))
        self.axes.append(Axis(column.text, [shown(word) for word in words], [len(self.columns) - 1]))

    def override(self, overrides: Mapping[str, Mapping[str, tuple[Any, Blame]]]) -> None:
        """Named sets of places with a value each."""
        held: dict[str, dict[str, Any]] = {}
        for name, each in overrides.items():
            for place, (word, blame) in each.items():
                try:
                    column = column_of(self.base, place)
                    if told := misfit(self.base, column, word):
                        raise Refused(told)
                except Refused as refused:
                    self.problems.append(blame(str(refused), None))
                    continue
                held.setdefault(column.text, {})[name] = word
        first = len(self.columns)
        for place, by_name in held.items():
            words = list({repr(word): word for word in by_name.values()}.values())
            texts = [repr(word) for word in words]
            codes = [texts.index(repr(by_name[name])) if name in by_name else NOTHING for name in overrides]
            self._add(column_of(self.base, place), words, np.array(codes, dtype=np.int64))
        if overrides:
            self.axes.append(Axis("name", list(overrides), range(first, len(self.columns))))

    def _column(self, place: str) -> Column:
        column = column_of(self.base, place)
        if told := clash(self.columns, column):
            raise Refused(told)
        return column

    def _add(self, column: Column, words: Sequence[Any], codes: Ints) -> None:
        self.columns.append(column)
        self.values.append(listed(column, words, codes))


def shown(word: Any) -> str:
    """A value as a reader sees it."""
    if isinstance(word, bool):
        return "true" if word else "false"
    if isinstance(word, dict) and "value" in word:
        return str(cast("dict[str, Any]", word)["value"])
    return str(cast("object", word))
