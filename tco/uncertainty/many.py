"""Every draw through the lines that it reaches, block by block, fleets side by side on the same draws."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tco.analysis.fleet import engine_inputs
from tco.parallel import in_order, workers_of
from tco.result import FleetResult
from tco.uncertainty.chunks import FLAGS, TOTALS, Chunk, Work, compute, numbers_of
from tco.uncertainty.common import Fleets
from tco.uncertainty.draws import CHUNK
from tco.uncertainty.engine import Reached
from tco.uncertainty.found import FleetSpread, Index
from tco.uncertainty.indices import sobol
from tco.uncertainty.tally import able_share, histogram, quantiles
from tco.uncertainty.together import groups

if TYPE_CHECKING:
    from tco.uncertainty.simulate import Setup, Tell

Array = NDArray[np.float64]

HELD = 67_108_864
"""Bytes of totals that are held at once beside the headlines."""

INDEX_SAMPLES = 4096

UNABLE = "it cannot do the work in some of the draws, so that its cost has no variance over all of them"
UNMOVED = "nothing that is drawn moves its unit cost"


@dataclass
class Outcome:
    """What the draws gave: headlines by fleet with nan where it cannot do the work, quantiles, indices, notes."""

    costs: dict[str, Array]
    fleets: list[FleetSpread]
    indices: dict[str, tuple[Index, ...]] = field(default_factory=dict[str, tuple[Index, ...]])
    index_samples: int = 0
    without_indices: dict[str, str] = field(default_factory=dict[str, str])
    idle: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])


def by_lines(setup: Setup, samples: int, jobs: int, tell: Tell) -> Outcome:
    """All draws of all fleets."""
    reached = {fleet.id: reached_of(setup, fleet) for fleet in setup.result.fleets}
    fleets = Fleets.of(reached, setup.result.timeline.periods)
    costs, spreads = dict[str, Array](), dict[str, FleetSpread]()
    parts = list(_parts(setup.result.fleets, samples))
    base = {fleet.id: fleet for fleet in setup.result.fleets}
    with workers_of(Work(setup.draws, fleets, _head(setup)), jobs) as pool:
        for number, part in enumerate(parts):
            held = {fleet.id: np.full((1 + len(TOTALS), samples), np.nan) for fleet in part}
            for done in _filled(setup, held, samples, pool, jobs):
                tell(number * samples + done, len(parts) * samples)
            for name, lines in held.items():
                spreads[name] = spread_of(base[name], _head(setup), lines)
                costs[name] = lines[0].copy()
    outcome = Outcome(costs, [spreads[fleet.id] for fleet in setup.result.fleets])
    _indices(setup, fleets, outcome, min(samples, INDEX_SAMPLES))
    drivers = {setup.draws.columns[column].dimension for column in fleets.columns(list(base))}
    outcome.idle = [driver.name for at, driver in enumerate(setup.drivers) if at not in drivers]
    return outcome


def _parts(fleets: Sequence[FleetResult], samples: int) -> Iterator[list[FleetResult]]:
    size = max(HELD // (8 * 3 * samples), 1)
    for start in range(0, len(fleets), size):
        yield list(fleets[start : start + size])


def reached_of(setup: Setup, fleet: FleetResult) -> Reached:
    """What the draws reach of a fleet."""
    key = fleet.id, fleet.precision
    inputs = engine_inputs(fleet.inputs, setup.result.timeline)
    factors = {**setup.response.factors.get(key, {}), **setup.response.errors.get(fleet.id, {})}
    wanted = (_head(setup), *TOTALS, *FLAGS)
    moved = setup.response.inputs.get(key, {})
    return Reached.of(fleet.model, inputs, setup.result.timeline.periods, wanted, moved, factors)


def _filled(setup: Setup, held: Mapping[str, Array], samples: int, pool: Executor | None, jobs: int) -> Iterator[int]:
    """Write headline and totals of every fleet into `held`; how many draws are done."""
    names = list(held)
    starts = range(0, samples, CHUNK)
    chunks = (Chunk(names, start, shares) for start, shares in zip(starts, setup.draws.points(samples), strict=True))
    for start, found in in_order(compute, chunks, pool, jobs):
        stop = start + found.shape[-1]
        for name, lines in zip(names, found, strict=True):
            held[name][:, start:stop] = lines
        yield stop


def spread_of(fleet: FleetResult, headline: str, lines: Array) -> FleetSpread:
    found = {name: quantiles(row) for name, row in zip((headline, *TOTALS), lines, strict=True)}
    base = fleet.shown(headline)
    return FleetSpread(
        fleet.id, base if isinstance(base, float) and fleet.verdict == "ok" else None, able_share(lines[0]), 0.0,
        {name: one for name, one in found.items() if one is not None}, *histogram(lines[0]),
    )  # fmt: skip


def _indices(setup: Setup, fleets: Fleets, outcome: Outcome, samples: int) -> None:
    """Of the fleets that lead: by the run, and by the draws."""
    outcome.index_samples = samples
    leading = sorted(outcome.fleets, key=lambda one: one.lines[_head(setup)].p50 if one.lines else np.inf)[:2]
    for name in dict.fromkeys([*setup.result.ranking[:2], *(one.id for one in leading if one.lines)]):
        if outcome_of(outcome, name).able < 1:
            outcome.without_indices[name] = UNABLE
            continue
        found = _of_fleet(setup, fleets, name, samples)
        if isinstance(found, str):
            outcome.without_indices[name] = found
        elif not found:
            outcome.without_indices[name] = UNMOVED
        else:
            outcome.indices[name] = found


def outcome_of(outcome: Outcome, name: str) -> FleetSpread:
    """One fleet of it."""
    return next(one for one in outcome.fleets if one.id == name)


def _head(setup: Setup) -> str:
    return setup.result.headline or ""


def _of_fleet(setup: Setup, fleets: Fleets, name: str, samples: int) -> tuple[Index, ...] | str:
    columns = fleets.columns([name])
    drivers = {setup.draws.columns[column].dimension for column in columns}
    asked = [group for group in groups(len(setup.drivers), setup.pairs) if drivers & set(group)]

    def cost(shares: Array) -> Array:
        drawn, found = setup.draws.values(shares, columns), np.empty(len(shares))
        for low, lines in fleets.blocks([name], drawn, len(shares)):
            found[low : low + fleets.block] = numbers_of(lines[name], _head(setup))[0]
        return found

    try:
        found = sobol(cost, setup.draws, asked, samples)
    except ValueError:
        return UNABLE
    told = [tuple(setup.drivers[at].name for at in group) for group in asked]
    indices = [Index(names, first, total) for names, (first, total) in zip(told, found, strict=True)]
    return tuple(sorted(indices, key=lambda one: -one.total))
