"""Ranges that move together: rank correlations as a Gaussian copula, refused where no three can agree."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Pair = tuple[int, int, float]
"""Two dimensions, and the rank correlation between them."""

NARROW = 1e-9


class Impossible(Exception):
    """The number of a correlation that cannot be beside the others, and the ends between which it could."""

    def __init__(self, at: int, low: float, high: float) -> None:
        super().__init__(at, low, high)
        self.at, self.low, self.high = at, low, high


def pearson(rank: float) -> float:
    """The correlation of normal scores that gives a rank correlation: 2 sin(pi/6 r) (Pearson 1907)."""
    return 2 * math.sin(math.pi * rank / 6)


def rank(correlation: float) -> float:
    """The rank correlation that a correlation of normal scores gives."""
    return 6 / math.pi * math.asin(max(-1.0, min(1.0, correlation / 2)))


def root(dimensions: int, pairs: Sequence[Pair]) -> Array:
    """The Cholesky factor of all correlations; a pair that is not named has none. Raises Impossible."""
    matrix = np.eye(dimensions)
    for one, other, wanted in pairs:
        matrix[one, other] = matrix[other, one] = pearson(wanted)
    if _least(matrix) < NARROW:
        _blame(dimensions, pairs, matrix)
    return np.asarray(np.linalg.cholesky(matrix), dtype=np.float64)


def _least(matrix: Array) -> float:
    return float(np.linalg.eigvalsh(matrix)[0])


def _blame(dimensions: int, pairs: Sequence[Pair], matrix: Array) -> None:
    """The last pair that alone can be changed so that all agree; else the first that contradicts those before it."""
    for at in reversed(range(len(pairs))):
        if ends := _between(matrix, *pairs[at][:2]):
            raise Impossible(at, rank(ends[0]), rank(ends[1]))
    grown = np.eye(dimensions)
    for at, (one, other, wanted) in enumerate(pairs):
        ends = _between(grown, one, other) or (0.0, 0.0)
        grown[one, other] = grown[other, one] = pearson(wanted)
        if _least(grown) < NARROW:
            raise Impossible(at, rank(ends[0]), rank(ends[1]))


def _between(matrix: Array, one: int, other: int) -> tuple[float, float] | None:
    """The ends between which the entry of a pair leaves the matrix positive definite; None where none does."""
    rest = [at for at in range(len(matrix)) if at not in (one, other)]
    inner, left, right = matrix[np.ix_(rest, rest)], matrix[one, rest], matrix[other, rest]
    if rest and _least(inner) < NARROW:
        return None
    solved_left, solved_right = np.linalg.solve(inner, left), np.linalg.solve(inner, right)
    parts = 1 - float(left @ solved_left), 1 - float(right @ solved_right)
    if min(parts) < NARROW:
        return None
    middle, reach = float(left @ solved_right), math.sqrt(parts[0] * parts[1])
    return max(middle - reach, -1.0), min(middle + reach, 1.0)


def groups(dimensions: int, pairs: Sequence[Pair]) -> list[list[int]]:
    """Dimensions that move together, each alone where nothing is said of it; in order."""
    owner = list(range(dimensions))
    for one, other, value in pairs:
        if value:
            old, new = owner[other], owner[one]
            owner = [new if held == old else held for held in owner]
    found = dict[int, list[int]]()
    for at, held in enumerate(owner):
        found.setdefault(held, []).append(at)
    return list(found.values())
