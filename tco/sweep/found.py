"""Answers of many variants as arrays: verdict, choice, lines and the recommended fleet of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tco.result import CATEGORIES, HEADLINES, NULLING, VERDICTS, FleetResult, Result
from tco.sweep.columns import Floats, Ints

WORDS = ("ok", *(verdict for _, verdict in VERDICTS))
LEAST_BLOCK, MOST_BLOCK, IN_CACHE = 1024, 4096, 20_480
NONE, SEARCHED, KEPT = 0, 1, 2
CHOICES = ("", "searched", "kept")
"""Nothing was left open, chosen for this variant, or as it was chosen before some value changed."""


@dataclass
class Found:
    """By variant (and fleet, and line): numbers are NaN where none may be shown; `refused` says why by variant."""

    fleets: Sequence[str]
    lines: Sequence[str]
    verdicts: NDArray[np.int8]
    choices: NDArray[np.int8]
    tiers: NDArray[np.int16]
    tier_names: list[str]
    values: NDArray[np.float64]
    best: NDArray[np.int16]
    refused: dict[int, str] = field(default_factory=dict[int, str])

    @classmethod
    def empty(cls, count: int, fleets: Sequence[str], lines: Sequence[str]) -> Found:
        """Room for so many variants."""
        shape = (count, len(fleets))
        return cls(
            fleets, lines, np.zeros(shape, np.int8), np.zeros(shape, np.int8), np.zeros(shape, np.int16), [],
            np.full((*shape, len(lines)), np.nan), np.full(count, -1, np.int16),
        )  # fmt: skip

    def refuse(self, rows: Ints, reason: str) -> None:
        """These variants cannot be computed."""
        self.refused.update(dict.fromkeys(rows.tolist(), reason))

    def put(
        self, rows: Ints, result: Result, columns: Mapping[str, Mapping[str, Floats]], kept: Mapping[str, Floats]
    ) -> None:
        """A run for these variants; `columns` hold lines that differ between them, by fleet."""
        every: Any = slice(None) if len(rows) == len(self.best) else rows
        order = {name: place for place, name in enumerate(self.fleets)}
        costs = np.full((len(rows), len(self.fleets)), np.inf)
        second = np.zeros(len(self.fleets), bool)
        for fleet in result.fleets:
            if fleet.id in order:
                place = order[fleet.id]
                second[place] = fleet.unit_cost_only
                lines = columns.get(fleet.id, {})
                self._put(every, len(rows), place, fleet, lines, kept.get(fleet.id), result.timeline.periods)
                cost = self.values[every, place, 0]
                able = (self.verdicts[every, place] == 0) & ~np.isnan(cost)
                costs[:, place] = np.where(able, cost, np.inf)
        self.best[every] = self._cheapest(costs, second)

    def _put(
        self, rows: Any, count: int, place: int, fleet: FleetResult, columns: Mapping[str, Floats],
        kept: Floats | None, periods: int,
    ) -> None:  # fmt: skip
        verdict = _verdicts(fleet, columns, count)
        self.verdicts[rows, place] = verdict
        if fleet.tier not in self.tier_names:
            self.tier_names.append(fleet.tier)
        self.tiers[rows, place] = self.tier_names.index(fleet.tier)
        chosen = SEARCHED if fleet.choices else NONE
        self.choices[rows, place] = chosen if kept is None or not chosen else np.where(kept, KEPT, SEARCHED)
        nulled = np.isin(verdict, _NULLED)
        some = bool(nulled.any())
        for at, name in enumerate(self.lines):
            number = columns[name] if name in columns else _number(fleet, name, periods)
            shown = np.where(np.isfinite(number), number, np.nan)
            self.values[rows, place, at] = np.where(nulled, np.nan, shown) if some and name in _COSTS else shown

    def _cheapest(self, costs: Floats, second: NDArray[np.bool_]) -> NDArray[np.int16]:
        """The first of equals by name; one whose use is given only where no other does the work."""
        order = np.array(sorted(range(len(self.fleets)), key=lambda place: self.fleets[place]))
        asked = costs
        if second.any():
            whole = np.where(second, np.inf, costs)
            asked = np.where(~np.isfinite(whole).any(axis=1, keepdims=True), costs, whole)
        asked = asked[:, order]
        place = np.argmin(asked, axis=1)
        least = asked[np.arange(len(asked)), place]
        return np.where(np.isfinite(least), order[place], -1).astype(np.int16)

    def undefined(self, rows: Ints) -> Ints:
        """Variants in which a fleet does the work and yet has no headline: those are refused when run alone."""
        odd = (self.verdicts[rows] == 0) & np.isnan(self.values[rows, :, 0])
        return rows[odd.any(axis=1)]


_COSTS = frozenset((*CATEGORIES, *HEADLINES))
_NULLED = np.array([WORDS.index(word) for word in NULLING])


def _verdicts(fleet: FleetResult, columns: Mapping[str, Floats], count: int) -> NDArray[np.int8]:
    """The first flag that is 0, as in a run."""
    verdict = np.zeros(count, np.int8)
    for place, (flag, _) in reversed([*enumerate(VERDICTS, 1)]):
        value = columns[flag] if flag in columns else fleet.raw(flag)
        if value is not None:
            failed = np.logical_not(np.broadcast_to(np.asarray(value, dtype=np.float64), (count,)))
            verdict[np.flatnonzero(failed)] = place
    return verdict


def block_of(periods: int) -> int:
    """Variants that the engine takes at once: few enough for the cache, many enough for short timelines."""
    return max(LEAST_BLOCK, min(MOST_BLOCK, IN_CACHE // periods))


def single(value: Any, series: bool, periods: int) -> Floats:
    """One number a variant: the line itself, or the sum of its periods."""
    if not series:
        return np.asarray(value, dtype=np.float64)[..., 0]
    wide = np.broadcast_to(value, (*np.shape(value)[:-1], periods))
    return np.sum(np.ascontiguousarray(wide), -1)


def _number(fleet: FleetResult, name: str, periods: int) -> Any:
    if name not in fleet.model.lines:
        return np.nan
    return single(np.atleast_1d(fleet.values[name]), fleet.model.lines[name].series, periods)
