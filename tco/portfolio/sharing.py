"""Shared fleets: sized for all their workloads, then run once with the use that all of them make of the systems."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tco.analysis.run import Frozen
from tco.errors import ScenarioError
from tco.model import Model
from tco.portfolio.needs import allocated, need_of, packed, row
from tco.portfolio.parts import Pins, does, part
from tco.portfolio.state import NOT_COSTED, Array, Need, Shared
from tco.result import HEADLINES, VERDICTS, FleetResult, Result, Verdict
from tco.scenario.reading import Document
from tco.scenario.schema import Scenario as Schema

SOURCE = "portfolio: each workload's own run on this fleet"
ORDER: list[Verdict] = [verdict for _, verdict in VERDICTS]


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

Tried = Mapping[str, Mapping[str, list[FleetResult]]]
"""The same in all deployments that are tried, that of the workload's own run first."""


def share(work: Work, works: tuple[str, ...], tried: Tried) -> tuple[dict[str, Shared], Result | None]:
    """Every fleet that does all of these workloads, in the deployments that take fewest systems together, or as alone.

    The cheaper of both: where hours are paid only while they work, fewest systems are not cheapest.
    """
    names = work.sharing(works)
    if not names:
        return {}, None
    fewest = {fleet: _fewest(work, works, tried[fleet]) for fleet in names}
    usual = {fleet: {name: work.single[name].by_id[fleet] for name in works} for fleet in names}
    found = _computed(work, works, fewest)
    differing = {fleet: usual[fleet] for fleet in names if not _same(fewest[fleet], usual[fleet])}
    if not differing:
        return found
    other, _ = _computed(work, works, differing)
    better = {fleet: usual[fleet] for fleet in differing if _dearness(other[fleet]) < _dearness(found[0][fleet])}
    return _computed(work, works, {**fewest, **better}) if better else found


def _same(one: Mapping[str, FleetResult], other: Mapping[str, FleetResult]) -> bool:
    return all(one[name] is other[name] for name in one)


def _dearness(held: Shared) -> tuple[int, float]:
    able = 0 if held.verdict == "ok" else 1 + len(ORDER) - ORDER.index(held.verdict)
    value = held.fleet.raw("present_cost")
    return able, value if isinstance(value, float) else np.inf


def _fewest(work: Work, works: tuple[str, ...], tried: Mapping[str, list[FleetResult]]) -> dict[str, FleetResult]:
    """Fewest systems over all periods, then fewest GPUs, then the deployments that are cheapest by themselves."""
    periods = next(iter(work.single.values())).timeline.periods
    pairs = [[(need_of(name, one, periods), one) for one in tried[name]] for name in works]

    def order(chosen: Sequence[tuple[Need, FleetResult]]) -> tuple[float, float, float]:
        width = int(chosen[0][1].inputs["gpus_per_system"].number)
        costs = sum(float(one.values["present_cost"].sum()) for _, one in chosen)
        needs = [need for need, _ in chosen]
        return float(packed(needs, width, periods).sum()), sum(float(need.gpus.sum()) for need in needs), costs

    return dict(zip(works, (one for _, one in min(itertools.product(*pairs), key=order)), strict=True))


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
    result = bare(_run(work, host, pins, alone, frozen))
    told = {fleet: _told(needs[fleet], alone[fleet], result.by_id[fleet], sized[fleet], result) for fleet in alone}
    return told, result


HOSTS = tuple(name for name in HEADLINES if name not in ("total_cost", "present_cost", "cost_per_gpu_hour"))
SEVERAL = "several workloads share this fleet: see what each bears of its cost"


def bare(result: Result) -> Result:
    """The run without what would put the whole bill on the output of the one workload in whose model it stands."""
    for fleet in result.fleets:
        gone = {name for name in HOSTS if name in fleet.model.lines}
        gone |= {name for name, item in fleet.model.lines.items() if gone & set(item.parents)}
        lines = {name: item for name, item in fleet.model.lines.items() if name not in gone}
        read = {parent for item in lines.values() for parent in item.parents}
        fleet.model = Model(
            lines, {name: item for name, item in fleet.model.inputs.items() if name in read},
            [group for group in fleet.model.groups if not gone & set(group)],
            {**fleet.model.absent, **dict.fromkeys((*HOSTS, *gone), SEVERAL)}, fleet.model.missing,
            fleet.model.chapters, fleet.model.greyed,
        )  # fmt: skip
        fleet.values = {name: value for name, value in fleet.values.items() if name in lines}
    result.headline, result.ranking, result.recommended, result.comparison = None, [], None, {}
    return result


def _run(work: Work, host: str, pins: Pins, alone: Alone, frozen: Frozen) -> Result:
    deployed = {fleet: _stated(held[host], work.single[host].by_id[fleet]) for fleet, held in alone.items()}
    return part(work.document, work.content, host, pins, deployed).run(frozen)


def _stated(one: FleetResult, usual: FleetResult) -> dict[str, Any]:
    """What a smaller deployment states beside the scenario."""
    return {} if one is usual else {_key(one): _ways(one)}


SIZE_KEY = {True: "shard_gpus", False: "gpus_per_replica"}


def _ways(one: FleetResult) -> int:
    return int(one.inputs[_key(one)].number)


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
    if fleet.verdict != "ok" and fleet.verdict not in [one for one, _ in verdicts]:
        verdicts.append((fleet.verdict, tuple(fleet.reasons)))
    short = float(np.max(sized - row(fleet, "systems", result.timeline.periods)))
    if short > 0:
        verdicts.append(("too small", (f"together they need {sized.max():g} systems, {short:g} more than there are",)))
    verdict: Verdict = min((one for one, _ in verdicts), key=ORDER.index) if verdicts else "ok"
    reasons = tuple(why for one, told in verdicts if one == verdict for why in told)
    able = verdict not in NOT_COSTED
    allocation = allocated(needs, fleet, result.timeline) if able else None
    return Shared(fleet, alone, needs, verdict, reasons, allocation)


def deployments(work: Work) -> dict[str, dict[str, list[FleetResult]]]:
    """By fleet and workload, its run as alone, and in deployments of fewer GPUs that still do the work.

    Alone, a workload takes a whole system where it fits on a part of one; beside others the rest is worth something.
    """
    found = dict[str, dict[str, list[FleetResult]]]()
    for fleet in work.content.fleets:
        done = does(fleet, work.content.workloads)
        if not fleet.api and len(done) > 1:
            found[fleet.id] = {name: _deployments(work, name, fleet.id) for name in done}
    return found


def _deployments(work: Work, name: str, fleet: str) -> list[FleetResult]:
    usual = work.single[name].by_id[fleet]
    if usual.verdict != "ok" or _key(usual) not in usual.choices.get("values", {}):
        return [usual]
    sizes = [size for size in POWERS if size < min(_ways(usual), usual.inputs["gpus_per_system"].number)]
    tried = (_tried(work, name, fleet, size) for size in sizes)
    return [usual, *(one for one in tried if one is not None and one.verdict == "ok")]


POWERS = (1, 2, 4, 8)
"""GPUs of a replica or a run that are tried."""


def _key(one: FleetResult) -> str:
    return SIZE_KEY["shard_gpus" in one.inputs]


def _tried(work: Work, name: str, fleet: str, size: int) -> FleetResult | None:
    """None where such a deployment cannot be."""
    key = SIZE_KEY[work.content.workloads[name].kind != "inference"]
    try:
        return part(work.document, work.content, name, {fleet: {}}, {fleet: {key: size}}).run().by_id[fleet]
    except ScenarioError:
        return None
