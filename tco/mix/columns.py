"""Columns and rows of an integer program, by name; rows of a limit can be moved by so many of its units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tco.mix.highs import sparse
from tco.mix.moments import Array

Key = tuple[Any, ...]


@dataclass
class Columns:
    """Unknowns with their cost, bounds, and whether they are whole."""

    places: dict[Key, int] = field(default_factory=dict[Key, int])
    cost: list[float] = field(default_factory=list[float])
    low: list[float] = field(default_factory=list[float])
    high: list[float] = field(default_factory=list[float])
    whole: list[bool] = field(default_factory=list[bool])

    def add(self, key: Key, *, cost: float = 0.0, high: float = np.inf, whole: bool = False) -> int:
        """One more unknown, from 0 on."""
        self.places[key] = len(self.cost)
        self.cost.append(cost)
        self.low.append(0.0)
        self.high.append(high)
        self.whole.append(whole)
        return self.places[key]

    def __len__(self) -> int:
        return len(self.cost)


@dataclass(frozen=True)
class Row:
    """A row of the program: its terms lie between two ends. `limit` names what may be moved, `size` is a unit of it."""

    terms: dict[int, float]
    low: float
    high: float
    limit: str = ""
    size: float = 1.0
    where: str = ""


@dataclass
class Rows:
    """Rows, each once."""

    held: list[Row] = field(default_factory=list[Row])
    seen: set[Key] = field(default_factory=set[Key])

    def add(
        self, terms: Mapping[int, float], low: float, high: float, limit: str = "", scale: float = 1.0, where: str = ""
    ) -> None:
        """One more row, its numbers over the scale; of rows that say the same, the first stays."""
        kept = {place: term / scale for place, term in sorted(terms.items()) if term}
        key = (tuple(kept.items()), low / scale, high / scale, limit)
        if (kept or low > 0 or high < 0) and key not in self.seen:
            self.seen.add(key)
            self.held.append(Row(kept, low / scale, high / scale, limit, 1 / scale, where))

    def limits(self) -> list[str]:
        """Names of the limits, in order."""
        return list(dict.fromkeys(row.limit for row in self.held if row.limit))

    def moved(self, limit: str, by: float) -> Rows:
        """The same rows with one limit moved by so many of its units."""
        rows = [
            Row(row.terms, row.low, row.high + by * row.size, row.limit, row.size, row.where)
            if row.limit == limit
            else row
            for row in self.held
        ]
        return Rows(rows, self.seen)

    def matrix(self, columns: int) -> tuple[Any, Array, Array]:
        """As scipy takes it: a sparse matrix and both ends."""
        places = np.array([place for row in self.held for place in row.terms], dtype=np.int64)
        values = np.array([term for row in self.held for term in row.terms.values()], dtype=float)
        ends = np.cumsum([0, *(len(row.terms) for row in self.held)])
        low, high = (np.array([getattr(row, name) for row in self.held], dtype=float) for name in ("low", "high"))
        return sparse().csr_array((values, places, ends), shape=(len(self.held), columns)), low, high
