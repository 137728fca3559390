"""Draws: scrambled Sobol points, the same for any number of workers, turned into values that may move together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tco.uncertainty.special import functions, statistics
from tco.uncertainty.spread import Spread

Array = NDArray[np.float64]

CHUNK = 8192
"""Draws that one task computes."""

BITS = 53
"""Of a point: as many as a number holds."""

LEAST = 2.0**-54
"""A share is never 0."""


@dataclass(frozen=True)
class Column:
    """What a draw becomes: the quantile of a spread at its share, or at the share from above where it runs against."""

    dimension: int
    spread: Spread
    against: bool = False


@dataclass(frozen=True)
class Draws:
    """Columns over dimensions; `root` is the Cholesky factor of their normal scores where some move together."""

    columns: Sequence[Column]
    dimensions: int
    seed: int
    root: Array | None = None

    def points(self, samples: int, times: int = 1) -> Iterator[Array]:
        """Shares of `times` independent sets of dimensions, in chunks."""
        wide = max(self.dimensions * times, 1)
        sobol: Any = statistics().qmc.Sobol(wide, scramble=True, bits=BITS, rng=np.random.default_rng(self.seed))
        for start in range(0, samples, CHUNK):
            yield np.maximum(sobol.random(min(CHUNK, samples - start)), LEAST)

    def values(self, shares: Array, wanted: frozenset[int] | None = None) -> list[Array | None]:
        """The wanted columns, all by default, at points of shape (draws, dimensions)."""
        moved = shares if self.root is None else self._together(shares)
        return [
            None if wanted is not None and at not in wanted else column.spread.at(self._share(moved, column))
            for at, column in enumerate(self.columns)
        ]

    def _share(self, shares: Array, column: Column) -> Array:
        share = np.ascontiguousarray(shares[:, column.dimension])
        return 1 - share if column.against else share

    def _together(self, shares: Array) -> Array:
        assert self.root is not None
        found: Any = functions().ndtr(functions().ndtri(shares) @ self.root.T)
        return np.clip(found, LEAST, 1 - 2 * LEAST)


def rounded(samples: int) -> int:
    """The next power of two: only such numbers of Sobol points are balanced."""
    return 1 << max(samples - 1, 1).bit_length()
