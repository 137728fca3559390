"""Which variants go together, and the ends between which they lie."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tco.sweep.columns import Ints, Values

ALL_CORNERS = 3
"""Axes of which every corner is assembled; of more, both far corners and each axis alone."""


class Extents:
    """Over all variants: the values at the two ends of a column, among those of one sign and unit."""

    def __init__(self, values: Sequence[Values]) -> None:
        self._values = values
        self._ends: dict[tuple[int, int], tuple[Any, ...]] = {}

    def of(self, column: int, kind: int) -> tuple[tuple[float, str, Any], ...]:
        """Number, unit and text of the least and the greatest."""
        if (column, kind) not in self._ends:
            one = self._values[column]
            rows = np.flatnonzero(one.kind(np.arange(len(one.codes))) == kind)
            self._ends[column, kind] = ends(one, rows)
        return self._ends[column, kind]


def ends(one: Values, rows: Ints) -> tuple[tuple[float, str, Any], ...]:
    """Number, unit and text of the least and the greatest of some variants; one where they are equal."""
    numbers = one.numbers[rows]
    places = dict.fromkeys((int(rows[np.argmin(numbers)]), int(rows[np.argmax(numbers)])))
    told = [(float(one.numbers[at]), one.units[int(one.unit_codes[at])], one.raw(at)) for at in places]
    return tuple({number: end for number, *_ in told for end in told if end[0] == number}.values())


def groups_of(codes: Sequence[Ints], rows: Ints) -> Iterator[Ints]:
    """Variants with equal codes."""
    key = np.zeros(len(rows), np.int64)
    for code in codes:
        if code.size and code.min() != code.max():
            _, key = np.unique(key * (int(code.max()) + 2) + code + 1, return_inverse=True)
    if not key.any():
        yield rows
        return
    order = np.argsort(key, kind="stable")
    for part in np.split(order, np.flatnonzero(np.diff(key[order])) + 1):
        yield rows[part]


def corners_of(spans: Sequence[Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
    """Ends of all axes at once."""
    if len(spans) <= ALL_CORNERS:
        yield from itertools.product(*spans)
        return
    least, most = tuple(span[0] for span in spans), tuple(span[-1] for span in spans)
    yield least
    yield most
    for at in range(len(spans)):
        yield (*least[:at], most[at], *least[at + 1 :])
        yield (*most[:at], least[at], *most[at + 1 :])
