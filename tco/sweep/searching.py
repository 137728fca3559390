"""The search of a run for many variants at once: candidates that run stay the same, only what they cost differs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tco.analysis.fleet import engine_inputs
from tco.analysis.search import candidates
from tco.analysis.trials import NEAR, Trials
from tco.evaluate import Value, in_blocks, program
from tco.result import NULLING, VERDICTS
from tco.scenario.plan import Plan
from tco.sweep.columns import Floats, Ints
from tco.sweep.found import block_of, single
from tco.timeline import Timeline

TOGETHER = 131_072
"""Costs of candidates that are held at once."""


@dataclass(frozen=True)
class Searching:
    """One fleet in each precision that it is allowed; `lines` are wanted of the one that a run would choose."""

    plans: Sequence[Plan]
    timeline: Timeline
    lines: Sequence[str]

    def columns(self, arrays: Sequence[Mapping[str, Floats]], count: int) -> dict[str, Floats]:
        """Lines and flags of so many variants, which differ in the arrays, one mapping a plan."""
        every = [self._lines(plan, each, count) for plan, each in zip(self.plans, arrays, strict=True)]
        if len(every) == 1:
            return every[0]
        keys = [_order(each, self.lines[0], count) for each in every]
        place, cost = (np.stack([key[at] for key in keys]) for at in (0, 1))
        best = np.lexsort((cost, place), axis=0)[0]
        names = dict.fromkeys(name for each in every for name in each)
        return {
            name: np.stack([each.get(name, np.full(count, np.nan)) for each in every])[best, np.arange(count)]
            for name in names
        }

    def _lines(self, plan: Plan, arrays: Mapping[str, Floats], count: int) -> dict[str, Floats]:
        model, periods = plan.model, self.timeline.periods
        assert model is not None
        wanted = [name for name in dict.fromkeys([*self.lines, *(flag for flag, _ in VERDICTS)]) if name in model.lines]
        inputs = engine_inputs(plan.given, self.timeline)
        varied = {name: array for name, array in arrays.items() if name in model.inputs}
        chosen = self._chosen(plan, inputs, varied, count)
        found = in_blocks(
            program(model, wanted, apart=True), {**inputs, **varied, **chosen}, periods, block_of(periods)
        )
        return {
            name: np.broadcast_to(single(value, model.lines[name].series, periods), (count,))
            for name, value in found.items()
        }

    def _chosen(
        self, plan: Plan, inputs: Mapping[str, Value], arrays: Mapping[str, Floats], count: int
    ) -> dict[str, Floats]:
        """By variant: what the search sets."""
        assert plan.model is not None
        trials = Trials(plan.model, inputs, self.timeline.periods, self.lines[0])
        grid, found, tried = candidates(trials, plan.given, plan.words)
        if not tried:
            return {}
        order = found.preferred()
        if not order.size or not arrays:
            picked = np.full(count, found.best())
        else:
            options = {name: column[order] for name, column in grid.columns.items()}
            picked = np.concatenate([*self._cheapest(plan, inputs, arrays, options, count)])
            picked = np.where(picked < 0, found.nearest(), order[picked])
        return {name: column[picked] for name, column in grid.columns.items()}

    def _cheapest(
        self,
        plan: Plan,
        inputs: Mapping[str, Value],
        arrays: Mapping[str, Floats],
        options: Mapping[str, Floats],
        count: int,
    ) -> Iterator[Ints]:
        """By variant: the first of the cheapest options, -1 where none has a cost."""
        assert plan.model is not None
        periods = self.timeline.periods
        compiled, many = program(plan.model, self.lines[:1]), len(next(iter(options.values())))
        step = max(TOGETHER // many, 1)
        for start in range(0, count, step):
            rows = min(step, count - start)
            each = {name: np.repeat(array[start : start + rows], many, axis=0) for name, array in arrays.items()}
            tiled = {name: np.tile(column, (rows, 1)) for name, column in options.items()}
            found = in_blocks(compiled, {**inputs, **each, **tiled}, periods, block_of(periods))[self.lines[0]]
            cost = np.nan_to_num(
                np.broadcast_to(found, (rows * many, 1)).reshape(rows, many), nan=np.inf, posinf=np.inf
            )
            least = cost.min(axis=1, keepdims=True)
            near = cost <= least + np.abs(least) * NEAR
            yield np.where(np.isfinite(least[:, 0]), np.argmax(near, axis=1), -1)


def _order(lines: Mapping[str, Floats], headline: str, count: int) -> tuple[Ints, Floats]:
    """As a run compares precisions: those that do the work first, then those that come nearest; then the cheapest."""
    place, cost = np.zeros(count, np.int64), lines.get(headline, np.full(count, np.inf))
    for at, (flag, verdict) in reversed([*enumerate(VERDICTS)]):
        if flag in lines:
            failed = lines[flag] == 0
            place = np.where(failed, len(VERDICTS) - at, place)
            cost = np.where(failed, np.inf if verdict in NULLING else lines[headline], cost)
    return place, np.where(np.isfinite(cost), cost, np.inf)
