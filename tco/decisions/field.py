"""All fleets of a result where inputs move by factors: what each costs, and who is recommended."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tco.analysis.breakeven import OUTPUTS
from tco.analysis.fleet import engine_inputs
from tco.decisions.probe import reached
from tco.evaluate import Value, in_blocks, program
from tco.result import VERDICTS, FleetResult, Result

Array = NDArray[np.float64]
AMOUNT, OUTPUT, GOOD, UNITS = range(4)
"""Rows of a table: what is divided, by what, whether the fleet is ranked, and its whole units."""


Moves = Mapping[str, tuple[str, ...]]
"""By fleet: inputs that move."""


@dataclass(frozen=True)
class Asked:
    """Inputs that move together, by fleet, by the same factors."""

    moves: Moves
    factors: Array


@dataclass(frozen=True)
class Table:
    """Fleets in order, the rows of each, places: (fleets, 4, places)."""

    order: tuple[str, ...]
    whole: NDArray[np.bool_]
    rows: Array

    @functools.cached_property
    def costs(self) -> Array:
        """(fleets, places), infinite where one is not ranked."""
        with np.errstate(all="ignore"):
            cost = self.rows[:, AMOUNT] / self.rows[:, OUTPUT]
        return np.where((self.rows[:, GOOD] > 0) & np.isfinite(cost), cost, np.inf)

    @functools.cached_property
    def leaders(self) -> list[str]:
        """The cheapest of those that do the whole work, else of all; empty where nobody can."""
        some = np.isfinite(self.costs[self.whole]).any(0) if self.whole.any() else np.zeros(self.costs.shape[1], bool)
        ranked = np.where(some & ~self.whole[:, None], np.inf, self.costs)
        best = np.argmin(ranked, axis=0)
        return [self.order[at] if np.isfinite(ranked[at, place]) else "" for place, at in enumerate(best)]

    def may_hide(self, today: str) -> NDArray[np.bool_]:
        """Between which neighbours another could lead though none does at either: by a unit more, or one less."""
        left, right = self.rows[..., :-1], self.rows[..., 1:]
        low, high = np.minimum(left, right), np.maximum(left, right)
        with np.errstate(all="ignore"):
            least, most = low[:, AMOUNT] / high[:, OUTPUT], high[:, AMOUNT] / low[:, OUTPUT]
        one = self.order.index(today)
        stepped = left[:, UNITS] != right[:, UNITS]
        able = (high[:, GOOD] > 0) & (np.arange(len(self.order)) != one)[:, None]
        return np.any(able & (least <= most[one]) & (stepped | stepped[one]), axis=0)

    def joined(self, other: Table, order: NDArray[np.int64]) -> Table:
        """Both, their places in another order."""
        return Table(self.order, self.whole, np.concatenate([self.rows, other.rows], axis=-1)[..., order])


class Field:
    """All fleets as they are, ready to be moved."""

    def __init__(self, result: Result) -> None:
        self.result, self.headline = result, result.headline or ""
        self.inputs = {fleet.id: engine_inputs(fleet.inputs, result.timeline) for fleet in result.fleets}
        self.order = tuple(sorted(self.inputs))
        self.whole = np.array([not result.by_id[name].unit_cost_only for name in self.order])
        self.base = np.array([self._rows(result.by_id[name], {}, 1) for name in self.order])

    def tables(self, asked: Sequence[Asked]) -> list[Table]:
        """A table a question, each fleet computed once for all of them."""
        made = [np.tile(self.base, (1, 1, len(one.factors))) for one in asked]
        for row, name in enumerate(self.order):
            places = [at for at, one in enumerate(asked) if name in one.moves]
            if places:
                rows = self._moved(self.result.by_id[name], [asked[at] for at in places])
                ends = np.cumsum([len(asked[at].factors) for at in places])[:-1]
                for at, part in zip(places, np.split(rows, ends, axis=1), strict=True):
                    made[at][row] = part
        return [Table(self.order, self.whole, rows) for rows in made]

    def _moved(self, fleet: FleetResult, asked: Sequence[Asked]) -> Array:
        held, moved, start = self.inputs[fleet.id], dict[str, Array](), 0
        count = sum(len(one.factors) for one in asked)
        for one in asked:
            for name in (given for given in one.moves[fleet.id] if given in held):
                by = moved.setdefault(name, np.ones((count, 1)))
                by[start : start + len(one.factors), 0] = one.factors
            start += len(one.factors)
        inputs = {name: by * np.asarray(held[name], float).reshape(1, -1) for name, by in moved.items()}
        return self._rows(fleet, inputs, count)

    def _rows(self, fleet: FleetResult, moved: dict[str, Array], count: int) -> Array:
        model = fleet.model
        if self.headline not in model.lines:
            return np.zeros((4, count))
        output = OUTPUTS.get(self.headline, "")
        flags = [flag for flag, _ in VERDICTS if flag in model.lines]
        divided = output in model.lines and not model.lines[self.headline].pinned
        whole = reached(model, [self.headline])
        more = [output] if divided else list[str]()
        wanted = list(dict.fromkeys([self.headline, *flags, *whole, *more]))
        inputs: dict[str, Value] = {**self.inputs[fleet.id], **moved}
        lines = in_blocks(program(model, wanted), inputs, self.result.timeline.periods)
        by = lines[output][:, 0] if divided else np.ones(1)
        good = np.all([lines[flag].min(-1) > 0 for flag in flags] or [np.ones(1, bool)], axis=0)
        units = sum((lines[name].sum(-1) * (1 + place) for place, name in enumerate(whole)), np.zeros(1))
        rows = (lines[self.headline][:, 0] * by, by, good.astype(np.float64), units)
        return np.array([np.broadcast_to(row, (count,)) for row in rows])
