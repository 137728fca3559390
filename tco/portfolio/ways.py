"""Ways to do all workloads: one fleet for all, or sets of workloads, each on the cheapest fleet that does it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from tco.portfolio.sharing import ORDER, Work
from tco.portfolio.state import Array, Option, Shared, Way
from tco.result import FleetResult, Verdict
from tco.wording import fixed

Sets = Mapping[tuple[str, ...], Mapping[str, Shared]]
TRIED = 4
"""Fleets for each set of workloads that are tried together, where a limit of the site stops the cheapest."""


def ranked(work: Work, shared: Sets) -> list[Way]:
    """All ways, those that do the work first, by present cost."""
    names = tuple(work.single)
    found = [_way((one,), {}) for one in _options(work, shared, names)]
    apart = (groups for groups in _groupings(names) if len(groups) > 1)
    found += [way for groups in apart for way in _best(work, shared, groups)]
    return sorted(found, key=_order)


def _order(way: Way) -> tuple[int, float, str]:
    able = 0 if way.verdict == "ok" else 1 + len(ORDER) - ORDER.index(way.verdict)
    cost = way.present_cost
    return able, float("inf") if cost is None else cost, way.id


def _options(work: Work, shared: Sets, works: tuple[str, ...]) -> list[Option]:
    """Fleets that do these workloads, the cheapest first."""
    if len(works) > 1:
        found = [
            Option(name, works, held.verdict, held.reasons, held.fleet, held)
            for name, held in shared.get(works, {}).items()
        ]
    else:
        fleets = [one for one in work.single["".join(works)].fleets if not one.unit_cost_only]
        found = [Option(one.id, works, one.verdict, tuple(one.reasons), one) for one in fleets]
    return sorted(found, key=lambda one: _order(_way((one,), {})))


def _groupings(names: Sequence[str]) -> Iterator[tuple[tuple[str, ...], ...]]:
    """Every division of the workloads into sets, the sets and their members in the order of the file."""
    if not names:
        yield ()
    for first, rest in ((names[0], names[1:]),) if names else ():
        for count in range(len(rest) + 1):
            for beside in itertools.combinations(rest, count):
                left = tuple(name for name in rest if name not in beside)
                yield from (((first, *beside), *others) for others in _groupings(left))


def _best(work: Work, shared: Sets, groups: tuple[tuple[str, ...], ...]) -> list[Way]:
    """The cheapest fleets for these sets that the site carries together, and the next ones; else what comes nearest."""
    options = [_options(work, shared, group)[:TRIED] for group in groups]
    if not all(options):
        return []
    found = sorted((_way(chosen, _limits(chosen)) for chosen in itertools.product(*options)), key=_order)
    return [way for way in found if way.verdict == "ok"][:TOLD] or found[:1]


def _way(options: tuple[Option, ...], beyond: Mapping[str, str]) -> Way:
    verdicts: list[Verdict] = [one.verdict for one in options if one.verdict != "ok"]
    worst: Verdict = min(verdicts, key=ORDER.index) if verdicts else "ok"
    reasons = tuple(
        f"{one.fleet}: {why}" for one in options if one.verdict != "ok" for why in one.reasons or (one.verdict,)
    )
    if worst == "ok" and beyond:
        worst, reasons = "limit exceeded", tuple(beyond.values())
    parts = (one.fleet if len(options) == 1 else f"{'+'.join(one.works)}@{one.fleet}" for one in options)
    return Way("/".join(parts), options, worst, reasons)


TOLD = 3
"""Ways told of each division into sets."""

LIMITS = {
    "power_limit": ("highest_nameplate_power", "power at nameplate", "kW"),
    "rack_limit": ("most_racks", "racks", ""),
    "budget": ("capital_cost", "capital", ""),
}


def _limits(options: tuple[Option, ...]) -> dict[str, str]:
    """Limits of the one site that fleets keep each for itself and exceed together."""
    found = dict[str, str]()
    for name, (line, words, unit) in LIMITS.items():
        bound = [one.result for one in options if name in one.result.inputs]
        together = sum(_amount(one, line) for one in bound)
        if bound and together > min(one.inputs[name].number for one in bound):
            limit = min(one.inputs[name].number for one in bound)
            told = f"together they take {fixed(together, 0)} {unit} of {words}".replace("  ", " ")
            found[name] = f"{told}, {fixed(limit, 0)} {unit} are there".replace("  ", " ").strip()
    for fleet in {one.fleet for one in options}:
        same = [one.result for one in options if one.fleet == fleet and "gpu_supply" in one.result.inputs]
        taken = sum(float(_series(one, "gpus").max()) for one in same)
        if same and taken > same[0].inputs["gpu_supply"].number:
            found["gpu_supply"] = f"{fleet}: together they take {taken:g} GPUs, more than can be had"
    return found


def _series(one: FleetResult, line: str) -> Array:
    return np.atleast_1d(np.asarray(one.raw(line), float))


def _amount(one: FleetResult, line: str) -> float:
    return float(_series(one, line).sum()) if line in one.model.lines else 0.0
