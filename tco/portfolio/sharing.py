"""Shared fleets: sized for all their workloads, then run once with the use that all of them make of the systems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tco.analysis.run import Frozen
from tco.errors import ScenarioError
from tco.portfolio.needs import allocated, need_of, packed, row
from tco.portfolio.parts import Pins, does, part
from tco.portfolio.state import NOT_COSTED, Array, Need, Shared
from tco.result import VERDICTS, FleetResult, Result, Verdict
from tco.scenario.reading import Document
from tco.scenario.schema import Scenario as Schema

SOURCE = "portfolio: each workload's own run on this fleet"
ORDER = [verdict for _, verdict in VERDICTS]


@dataclass(frozen=True)
class Work:
    """A portfolio in the hand: what is shared with whom is asked for by sets of workloads."""

    document: Document
    content: Schema
    single: Mapping[str, Result]

    def sharing(self, works: tuple[str, ...]) -> list[str]:
        """Fleets that do all of these workloads; an API shares nothing, it bills each token."""
        return [
            fleet.id
            for fleet in self.content.fleets
            if not fleet.api and set(works) <= set(does(fleet, self.content.workloads))
        ]

    def upfront(self, fleet: str) -> bool:
        """Whether all systems come at the start."""
        return any(one.id == fleet and one.purchase == "upfront" for one in self.content.fleets)

    def counted(self, fleet: str) -> bool:
        """Whether the number of systems is stated."""
        return any(one.id == fleet and one.count is not None for one in self.content.fleets)


def host_of(work: Work, works: Iterable[str]) -> str:
    """The workload in whose model the shared fleet is computed: the first that serves, for its peaks by month."""
    named = list(works)
    serving = [name for name in named if work.content.workloads[name].kind == "inference"]
    return (serving or named)[0]


Alone = Mapping[str, Mapping[str, FleetResult]]
"""By fleet and workload: the workload's run on the fleet, in the deployment that it has when it shares."""


def share(work: Work, works: tuple[str, ...], smaller: Alone) -> tuple[dict[str, Shared], Result | None]:
    """Every fleet that does all of these workloads, in the cheaper of two deployments: as alone, or the smallest."""
    names = work.sharing(works)
    if not names:
        return {}, None
    usual = {fleet: {name: work.single[name].by_id[fleet] for name in works} for fleet in names}
    small = {fleet: {name: smaller[fleet][name] for name in works} for fleet in names}
    found, result = _computed(work, works, usual)
    if small == usual:
        return found, result
    other, _ = _computed(work, works, small)
    better = {fleet: small[fleet] if _dearness(other[fleet]) < _dearness(found[fleet]) else usual[fleet] for fleet in names}
    return (found, result) if better == usual else _computed(work, works, better)


def _dearness(held: Shared) -> tuple[int, float]:
    able = 0 if held.verdict == "ok" else 1 + len(ORDER) - ORDER.index(held.verdict)
    value = held.fleet.raw("present_cost")
    return able, value if isinstance(value, float) else np.inf


def _computed(work: Work, works: tuple[str, ...], alone: Alone) -> tuple[dict[str, Shared], Result]:
    """Two runs: the first says how many systems stand, the second how full they are."""
    host, periods = host_of(work, works), next(iter(work.single.values())).timeline.periods
    needs = {fleet: {name: need_of(name, one, periods) for name, one in held.items()} for fleet, held in alone.items()}
    sized = {fleet: _size(work, fleet, needs[fleet], alone[fleet][host]) for fleet in alone}
    pins: dict[str, dict[str, Any]] = {
        fleet: {} if work.counted(fleet) else {"systems_needed": _pin(systems, "system", _words(needs[fleet]))}
        for fleet, systems in sized.items()
    }
    frozen = {fleet: _frozen(alone[fleet][host]) for fleet in alone}
    standing = _run(work, host, pins, alone, frozen).by_id
    for fleet, one in needs.items():
        pins[fleet] |= _busy(list(one.values()), row(standing[fleet], "gpus", periods))
    result = _run(work, host, pins, alone, frozen)
    told = {fleet: _told(needs[fleet], alone[fleet], result.by_id[fleet], sized[fleet], result) for fleet in alone}
    return told, result


def _run(work: Work, host: str, pins: Pins, alone: Alone, frozen: Frozen) -> Result:
    deployed = {fleet: _stated(held[host], work.single[host].by_id[fleet]) for fleet, held in alone.items()}
    return part(work.document, work.content, host, pins, deployed).run(frozen)


def _stated(one: FleetResult, usual: FleetResult) -> dict[str, Any]:
    """What a smaller deployment states beside the scenario."""
    return {} if one is usual else {SIZE_KEY[one.model.inputs.keys() >= {"shard_gpus"}]: _ways(one)}


SIZE_KEY = {True: "shard_gpus", False: "gpus_per_replica"}


def _ways(one: FleetResult) -> int:
    return int(one.inputs["shard_gpus" if "shard_gpus" in one.inputs else "gpus_per_replica"].number)


def _frozen(one: FleetResult) -> dict[str, Any]:
    return {**one.choices.get("values", {}), "precision": one.precision}


def _size(work: Work, fleet: str, needs: Mapping[str, Need], host: FleetResult) -> Array:
    """Whole systems that hold all needs, with the fleet's spares once."""
    periods = len(next(iter(needs.values())).items)
    spares = host.inputs["spare_systems"].number if "spare_systems" in host.inputs else 0.0
    systems = packed(list(needs.values()), int(host.inputs["gpus_per_system"].number), periods) + spares
    return np.full(periods, systems.max()) if work.upfront(fleet) else systems


def _busy(needs: list[Need], gpus: Array) -> dict[str, Any]:
    """How full the systems are on average, and at most: peaks are added as if they came together."""
    standing = np.where(gpus > 0, gpus, 1.0)
    lines = {"utilization": "busy", "peak_utilization": "peak", "month_peak_utilization": "month_peak"}
    found = {line: sum((getattr(need, name) for need in needs), np.zeros(len(gpus))) for line, name in lines.items()}
    told = "busy GPUs of " + " and ".join(need.work for need in needs) + " over the GPUs there"
    return {line: _pin(np.minimum(value / standing, 1.0), "", told) for line, value in found.items()}


def _pin(values: Array, unit: str, note: str) -> dict[str, Any]:
    texts = [f"{float(value)!r} {unit}".strip() for value in values]
    return {"value": texts, "source": SOURCE, "status": "derived", "note": note}


def _words(needs: Mapping[str, Need]) -> str:
    parts = [f"{name} {need.items.max():g} x {need.size} GPUs" for name, need in needs.items()]
    return f"whole systems that hold, at most, {' and '.join(parts)}"[:1500]


def _told(
    needs: Mapping[str, Need], alone: Mapping[str, FleetResult], fleet: FleetResult, sized: Array, result: Result
) -> Shared:
    """The verdict is that of the workload that fits least, else that of the fleet itself."""
    verdicts: list[tuple[Verdict, tuple[str, ...]]] = [
        (one.verdict, tuple(f"{name}: {why}" for why in one.reasons) or (f"{name}: {one.verdict}",))
        for name, one in alone.items()
        if one.verdict != "ok"
    ]
    if fleet.verdict != "ok":
        verdicts.append((fleet.verdict, tuple(fleet.reasons)))
    short = float(np.max(sized - row(fleet, "systems", result.timeline.periods)))
    if short > 0:
        verdicts.append(("too small", (f"together they need {sized.max():g} systems, {short:g} more than there are",)))
    verdict, reasons = min(verdicts, key=lambda one: ORDER.index(one[0]), default=("ok", ()))
    able = verdict not in NOT_COSTED
    allocation = allocated(needs, fleet, result.timeline) if able else None
    return Shared(fleet, alone, needs, verdict, reasons, allocation)


def smallest(work: Work) -> dict[str, dict[str, FleetResult]]:
    """By fleet and workload, the run in the deployment of fewest GPUs that still does the work.

    Alone, a workload takes a whole system where it fits on a part of one; beside others the rest is worth something.
    """
    found = dict[str, dict[str, FleetResult]]()
    for fleet in work.content.fleets:
        done = does(fleet, work.content.workloads)
        if not fleet.api and len(done) > 1:
            found[fleet.id] = {name: _smallest(work, name, fleet.id) for name in done}
    return found


def _smallest(work: Work, name: str, fleet: str) -> FleetResult:
    usual = work.single[name].by_id[fleet]
    periods = work.single[name].timeline.periods
    if usual.verdict != "ok" or not usual.choices.get("values", {}).get(_key(usual)):
        return usual
    least = need_of(name, usual, periods)
    size = 1
    while size < _ways(usual) and size < usual.inputs["gpus_per_system"].number:
        one = _tried(work, name, fleet, size)
        if one is not None and one.verdict == "ok" and need_of(name, one, periods).gpus.max() < least.gpus.max():
            return one
        size *= 2
    return usual


def _key(one: FleetResult) -> str:
    return SIZE_KEY["shard_gpus" in one.inputs]


def _tried(work: Work, name: str, fleet: str, size: int) -> FleetResult | None:
    """None where such a deployment cannot be."""
    key = SIZE_KEY[work.content.workloads[name].kind != "inference"]
    try:
        return part(work.document, work.content, name, {fleet: {}}, {fleet: {key: size}}).run().by_id[fleet]
    except ScenarioError:
        return None
