"""What varies: a place of the scenario and, for every variant, what stands there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tco.scenario.leaf import Leaf, Unfit
from tco.scenario.paths import Path
from tco.scenario.story import read_figure

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
NOTHING = -1
"""The code of a variant that leaves the place as the scenario has it."""


@dataclass(frozen=True)
class Column:
    """A place that varies, as people write it, with the leaf that reads a figure there."""

    text: str
    path: Path
    leaf: Leaf | None
    unit: str = ""


@dataclass(frozen=True)
class Values:
    """What stands in a column for each variant.

    `words` are distinct values as written and `codes` say which; where there are no words, the numbers themselves
    are what is written, in one unit. `numbers` are NaN where no single quantity is read, `units` as `unit_codes` say.
    """

    words: Sequence[Any]
    codes: Ints
    numbers: Floats
    units: Sequence[str]
    unit_codes: Ints

    def raw(self, at: int) -> Any:
        """The value of one variant, as a scenario would state it; None where it leaves the place alone."""
        code = int(self.codes[at])
        if code == NOTHING:
            return None
        return self.words[code] if self.words else f"{float(self.numbers[at])!r} {self.units[0]}".strip()

    def is_set(self, rows: Ints) -> NDArray[np.bool_]:
        """For which variants something stands here."""
        return self.codes[rows] != NOTHING

    def quantities(self) -> bool:
        """Whether each value is one quantity, so that it could be an axis of the engine."""
        return bool(np.all(np.isfinite(self.numbers) | (self.codes == NOTHING)))

    def kind(self, rows: Ints) -> Ints:
        """Variants that a number of the same sign and unit sets, as one code; those that set nothing have another."""
        signs = np.sign(self.numbers[rows]).astype(np.float64)
        code = self.unit_codes[rows] * 3 + np.nan_to_num(signs, nan=0.0).astype(np.int64) + 1
        return np.where(self.codes[rows] == NOTHING, NOTHING, code)

    def identity(self, rows: Ints) -> Ints:
        """Variants with the same value, as one code."""
        if self.words:
            return self.codes[rows]
        _, code = np.unique(self.numbers[rows], return_inverse=True)
        return np.where(self.codes[rows] == NOTHING, NOTHING, code.reshape(-1))

    def take(self, rows: Ints) -> Values:
        """The same for some variants."""
        return Values(self.words, self.codes[rows], self.numbers[rows], self.units, self.unit_codes[rows])


def listed(column: Column, words: Sequence[Any], codes: Ints) -> Values:
    """Values that are written out, each distinct one once."""
    read = [_quantity(column.leaf, word) for word in words]
    units = list(dict.fromkeys(unit for _, unit in read))
    numbers = np.array([number for number, _ in read] + [np.nan])
    places = np.array([units.index(unit) for _, unit in read] + [0], dtype=np.int64)
    return Values(list(words), codes, numbers[codes], units, places[codes])


def measured(numbers: Floats, unit: str) -> Values:
    """Numbers in one unit; NaN where nothing stands."""
    codes = np.where(np.isnan(numbers), NOTHING, 0).astype(np.int64)
    return Values((), codes, numbers, (unit,), np.zeros(len(numbers), dtype=np.int64))


def _quantity(leaf: Leaf | None, word: Any) -> tuple[float, str]:
    """The one quantity that is written, else no number."""
    if leaf is None or isinstance(word, dict | list):
        return np.nan, ""
    try:
        figure = read_figure(leaf, word)
    except Unfit:
        return np.nan, ""
    return (figure.number, figure.unit) if figure.is_one else (np.nan, "")
