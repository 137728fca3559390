"""A part of a sweep as columns of a tidy table: a row a variant and fleet, one for a variant that is refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tco.sweep.asked import shown
from tco.sweep.columns import NOTHING, Column, Floats, Ints, Values
from tco.sweep.found import CHOICES, WORDS

if TYPE_CHECKING:
    from tco.sweep.run import Part, Sweep

REFUSED = "refused"


@dataclass(frozen=True)
class Cells:
    """One column: numbers (NaN for none), or words by code (-1 for none); of each variant where `row` repeats those."""

    head: str
    numbers: Floats | Ints | None = None
    words: Sequence[str] = ()
    codes: Ints | None = None
    row: Ints | None = None

    def spread(self) -> Cells:
        """The same, a number or code for each row."""
        if self.row is None:
            return self
        if self.codes is not None:
            return Cells(self.head, words=self.words, codes=self.codes[self.row])
        assert self.numbers is not None
        return Cells(self.head, self.numbers[self.row])

    def cells(self) -> Any:
        """For a data frame: numbers, or text with None for none."""
        whole = self.spread()
        if whole.codes is None:
            return whole.numbers
        return np.array([*whole.words, None], dtype=object)[whole.codes]


def heads(sweep: Sweep) -> list[str]:
    """Heads of the table, units in brackets."""
    named = sweep.asked.names(0, 1) is not None
    varied = [_head(column, unit) for column, unit in zip(sweep.asked.columns, sweep.units, strict=True)]
    told = ["variant", *(["name"] if named else []), *varied, "fleet", "tier", "verdict", "choice"]
    return [*told, *(line.head for line in sweep.lines), "recommended", "reason"]


def columns_of(sweep: Sweep, part: Part) -> list[Cells]:
    """The columns of a part, in the order of the heads."""
    return list(_columns(sweep, part))


def _columns(sweep: Sweep, part: Part) -> Iterator[Cells]:
    found = part.found
    count, fleets = len(found.best), len(found.fleets)
    refused = np.zeros(count, bool)
    refused[list(found.refused)] = True
    row = np.repeat(np.arange(count), np.where(refused, 1, fleets))
    fleet = np.arange(len(row)) - np.searchsorted(row, np.arange(count))[row]
    gone = refused[row]
    yield Cells("variant", np.arange(count) + part.start + 1, row=row)
    if part.names is not None:
        yield Cells("name", words=part.names, codes=np.arange(count), row=row)
    for column, unit, values in zip(sweep.asked.columns, sweep.units, part.values, strict=True):
        yield _varied(column, unit, values, row)
    yield Cells("fleet", words=found.fleets, codes=np.where(gone, NOTHING, fleet))
    yield Cells("tier", words=found.tier_names, codes=np.where(gone, NOTHING, found.tiers[row, fleet]))
    yield Cells("verdict", words=[*WORDS, REFUSED], codes=np.where(gone, len(WORDS), found.verdicts[row, fleet]))
    yield Cells("choice", words=CHOICES, codes=np.where(gone, 0, found.choices[row, fleet]))
    for at, line in enumerate(sweep.lines):
        yield Cells(line.head, np.where(gone, np.nan, found.values[row, fleet, at]))
    yield Cells("recommended", words=found.fleets, codes=np.where(refused, NOTHING, found.best), row=row)
    reasons = list(dict.fromkeys(found.refused.values()))
    places = {reason: at for at, reason in enumerate(reasons)}
    codes = np.full(count, NOTHING, np.int64)
    for at, reason in found.refused.items():
        codes[at] = places[reason]
    yield Cells("reason", words=reasons, codes=codes, row=row)


def unit_of(whole: Values) -> str | None:
    """The unit in which all values of a column are numbers; None where they are not."""
    numbers = len(whole.units) == 1 and whole.quantities() and bool(np.isfinite(whole.numbers).any())
    return whole.units[0] if numbers else None


def _head(column: Column, unit: str | None) -> str:
    return f"{column.text} [{unit}]" if unit else column.text


def _varied(column: Column, unit: str | None, values: Values, row: Ints) -> Cells:
    if unit is not None:
        return Cells(_head(column, unit), values.numbers, row=row)
    return Cells(column.text, words=[shown(word) for word in values.words], codes=values.codes, row=row)
