"""A table of cases as variants: a row each, columns are places, with units in the heads or in the cells."""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import numpy as np

from tco.session import Scenario
from tco.sweep.case_files import Complaints, Part, Row, Shown, parts
from tco.sweep.columns import NOTHING, Column, Values, listed, measured
from tco.sweep.places import Refused, clash, column_of, misfit, number_misfit, outside, unit_misfit

MOST_CELLS = 60_000_000
NAME = "name"
_HEAD = re.compile(r"(.*?)\s*(?:\[(.*)\])?\s*")
_PLAIN = re.compile(r"[-+]?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]{1,2})?|[-+]?\.[0-9]+([eE][-+]?[0-9]{1,2})?")


@dataclass
class Numbers:
    """A column whose head states the unit: numbers, NaN for blank cells."""

    column: Column
    place: int
    held: array[float] = field(default_factory=lambda: array("d"))

    def take(self, cells: Sequence[Any], first: int, wrong: Complaints) -> None:
        """Read cells; what is no plain number is told."""
        if isinstance(cells, np.ndarray):
            self.held.frombytes(np.ascontiguousarray(cells, dtype=np.float64).tobytes())
            return
        self.held.extend(self._number(cell, first + at, wrong) for at, cell in enumerate(cells))

    def _number(self, cell: Any, row: int, wrong: Complaints) -> float:
        if cell is None or (isinstance(cell, str) and not cell.strip()):
            return np.nan
        unit = self.column.unit
        number = isinstance(cell, int | float) and not isinstance(cell, bool)
        if isinstance(cell, Shown):
            told = f"shows {100 * cell:g} % and holds {float(cell):g}, while the head says {unit}"
            wrong.add(self.place, row, f"{self.column.text}: {told}; format it as a plain number")
        elif number or (isinstance(cell, str) and _PLAIN.fullmatch(cell.strip())):
            return float(cell)
        else:
            told = f"`{_short(cell)}` is no plain number; the head states the unit, {unit}, so that the cell must not"
            wrong.add(self.place, row, f"{self.column.text}: {told}")
        return np.nan

    def check(self, base: Scenario, first: int, wrong: Complaints) -> None:
        """Tell every number that may not stand there."""
        leaf, unit = self.column.leaf, self.column.unit
        assert leaf is not None
        numbers = np.array(self.held)
        if leaf.is_rate and unit == "%":
            unit = "%/yr"
        for at in outside(leaf, numbers, unit):
            text = f"{float(numbers[at])!r} {self.column.unit}"
            told = number_misfit(leaf, text) or misfit(base, self.column, text)
            if told:
                wrong.add(self.place, first + at, f"{self.column.text}: {told}")

    def values(self, start: int, stop: int) -> Values:
        """What stands there for some rows."""
        return measured(np.array(self.held[start:stop]), self.column.unit)

    @property
    def count(self) -> int:
        """Cells read."""
        return len(self.held)


@dataclass
class Words:
    """A column of values as a scenario would state them, each distinct one held once."""

    column: Column
    place: int
    codes: array[int] = field(default_factory=lambda: array("i"))
    words: dict[Any, int] = field(default_factory=dict[Any, int])
    first: dict[Any, int] = field(default_factory=dict[Any, int])
    read: Values | None = None

    def take(self, cells: Sequence[Any], first: int, wrong: Complaints) -> None:
        """Read cells."""
        del wrong
        known = self.words
        for at, cell in enumerate(cells):
            word = cell.strip() if isinstance(cell, str) else _stated(cell)
            if word is None or word == "":
                self.codes.append(NOTHING)
                continue
            code = known.get((type(word), word))
            if code is None:
                code = known[(type(word), word)] = len(known)
                self.first[word] = first + at
            self.codes.append(code)

    def check(self, base: Scenario, first: int, wrong: Complaints) -> None:
        """Tell every value that may not stand there, at the first cell that holds it."""
        del first
        for _, word in self.words:
            if told := misfit(base, self.column, word):
                wrong.add(self.place, self.first[word], f"{self.column.text}: {told}")

    def values(self, start: int, stop: int) -> Values:
        """What stands there for some rows."""
        if self.read is None:
            self.read = listed(self.column, [word for _, word in self.words], np.arange(len(self.words)))
        codes = np.array(self.codes[start:stop], dtype=np.int64)
        return Values(
            self.read.words, codes, np.append(self.read.numbers, np.nan)[codes],
            self.read.units, np.append(self.read.unit_codes, 0)[codes],
        )  # fmt: skip

    @property
    def count(self) -> int:
        """Cells read."""
        return len(self.codes)


@dataclass(frozen=True)
class Cases:
    """The rows of a table; the columns are held as numbers or codes, 4 or 8 bytes a cell."""

    columns: list[Column]
    held: list[Numbers | Words]
    called: list[str] | None
    called_at: int = -1
    """The column that holds the names."""

    @property
    def count(self) -> int:
        """How many rows."""
        return self.held[0].count

    @property
    def whole(self) -> list[Values]:
        """Every value of each column."""
        return [one.values(0, self.count) for one in self.held]

    def block(self, start: int, stop: int) -> list[Values]:
        """What stands in each column for these rows."""
        return [one.values(start, stop) for one in self.held]

    def names(self, start: int, stop: int) -> Sequence[str] | None:
        """Names of these rows."""
        return None if self.called is None else self.called[start:stop]


def cases(base: Scenario, path: Path) -> Cases:
    """The cases of a table, every cell checked. Raises ScenarioError with the addresses of all that are wrong."""
    wrong, heads = Complaints(path.name), Complaints(path.name)
    held, name, called = list[Numbers | Words](), -1, list[str]()
    number, width = 1, 0
    with parts(path, wrong) as found:
        for part in found:
            if number == 1:
                held, name = _heads(base, part[0], heads)
                heads.stop()
                number, width = 2, max((*(one.place for one in held), name), default=0) + 1
                part = part[1:]
            columns = _turned(part, width, number, wrong)
            for one in held:
                one.take(columns[one.place], number, wrong)
            called += [_name(cell) for cell in columns[name]] if name >= 0 else []
            number += len(part)
            if number * width > MOST_CELLS:
                wrong.refuse(f"holds more than {MOST_CELLS:,} cells; cut it into several tables")
    if number <= 2:
        wrong.refuse("holds no case; wanted heads in the first row, such as `electricity.price [USD/kWh]`, and rows")
    for one in held:
        one.check(base, 2, wrong)
    wrong.stop()
    return Cases([one.column for one in held], held, called if name >= 0 else None, name)


def _heads(base: Scenario, row: Row, wrong: Complaints) -> tuple[list[Numbers | Words], int]:
    held, name = list[Numbers | Words](), -1
    for place, cell in enumerate(row):
        text = str(cell if cell is not None else "").strip()
        if text.lower() == NAME:
            if name >= 0:
                wrong.add(place, 1, "`name` stands twice; keep one")
            name = place
            continue
        try:
            held.append(_head(base, place, text, [one.column for one in held]))
        except Refused as refused:
            wrong.add(place, 1, str(refused))
    if not held and not wrong.problems:
        wrong.add(0, 1, "no column names a place; wanted one such as `electricity.price [USD/kWh]`")
    return held, name


def _head(base: Scenario, place: int, text: str, before: Sequence[Column]) -> Numbers | Words:
    found = _HEAD.fullmatch(text)
    if not text or found is None:
        raise Refused("a column without a head; wanted a place such as `electricity.price [USD/kWh]`, or `name`")
    column = column_of(base, found[1], (found[2] or "").strip())
    if told := clash(before, column):
        raise Refused(told)
    if not column.unit:
        return Words(column, place)
    assert column.leaf is not None
    if told := unit_misfit(column.leaf, column.unit):
        raise Refused(f"{column.text}: {told}")
    return Numbers(column, place)


def _turned(part: Part, width: int, first: int, wrong: Complaints) -> Sequence[Any]:
    """Rows as columns; short rows end in blanks, and nothing may stand beyond the heads."""
    if isinstance(part, np.ndarray):
        if part.shape[1] == width:
            return cast("Sequence[Any]", part.T)
        part = [list(map(repr, row)) for row in part.tolist()]
    for at, row in enumerate(part):
        if len(row) > width:
            for place in range(width, len(row)):
                if row[place] not in (None, ""):
                    wrong.add(place, first + at, f"`{_short(row[place])}` stands in a column without a head")
    even = all(len(row) == width for row in part)
    rows = part if even else [[*row[:width], *[None] * (width - len(row))] for row in part]
    return [*zip(*rows, strict=True)] if rows else [()] * width


def _stated(cell: Any) -> Any:
    """A cell of a workbook as a scenario states it; whole numbers without a point."""
    if isinstance(cell, float):
        return int(cell) if cell.is_integer() else float(cell)
    return cell


def _name(cell: Any) -> str:
    return "" if cell is None else str(cell)[:200]


def _short(cell: Any) -> str:
    text = str(cell)
    return text if len(text) <= 40 else f"{text[:39]}…"
