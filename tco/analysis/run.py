"""The run: every fleet computed, ranked, compared with the reference, with what the reader must know."""

from __future__ import annotations

import math
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from tco.analysis.alerts import alerts
from tco.analysis.compare import against_reference
from tco.analysis.fleet import compute
from tco.analysis.loans import check_loans
from tco.analysis.scaling import scale
from tco.analysis.search import unbeaten
from tco.analysis.serving import rate_classes
from tco.catalogue import Catalogue, catalogue
from tco.result import VERDICTS, FleetResult, Result
from tco.scenario.assembly import assemble
from tco.scenario.plan import Plan
from tco.scenario.problems import Problems
from tco.scenario.quoted import procurement
from tco.scenario.reading import Document
from tco.scenario.schema import Scenario
from tco.timeline import Timeline

Frozen = dict[str, dict[str, Any]]
"""By fleet: the inputs that an earlier run chose, and its `precision`."""

STALE_DAYS = 180.0
HEADLINE = {
    "inference": "cost_per_million_useful_tokens",
    "training": "cost_per_useful_training_step",
    "finetune": "cost_per_useful_training_step",
}


def run(
    document: Document,
    scenario: Scenario,
    *,
    frozen: Frozen | None = None,
    data: Catalogue | None = None,
) -> Result:
    """Compute a scenario. Raises ScenarioError with every problem. `frozen` holds choices by fleet."""
    held = data or catalogue()
    plans, timeline = assemble(document, scenario, held)
    headline, days = HEADLINE[scenario.workload.kind], _stale_days(scenario)
    plans, fleets = computed(plans, timeline, scenario, document, frozen)
    result = Result(
        _asked(document, scenario, days),
        {"version": engine_version(), "catalogue": held.version},
        timeline, fleets, headline, scenario.finance.basis, scenario.finance.discounting, scenario.finance.reference,
    )  # fmt: skip
    result.quotes, result.request = procurement(scenario), scenario.request
    _check_useful(result, plans, document)
    check_loans(result, plans, document)
    result.ranking = _ranking(fleets, headline)
    result.recommended = _recommended(result)
    result.left_out = _left_out(fleets)
    reinvested = scenario.finance.reinvestment_rate
    result.reinvestment_rate = reinvested.to("1/yr").number if reinvested else None
    result.day_count = scenario.finance.day_count
    result.comparison = against_reference(result)
    result.warnings = alerts(result, plans, scenario, days)
    return result


def computed(
    plans: list[Plan], timeline: Timeline, scenario: Scenario, document: Document, frozen: Frozen | None
) -> tuple[list[Plan], list[FleetResult]]:
    """Every fleet with the plan of its precision. Raises ScenarioError."""
    settle(plans, timeline, document, frozen)
    days = _stale_days(scenario)
    headline = HEADLINE[scenario.workload.kind]
    found = [_fleet(plan, timeline, headline, scenario.as_of, days, frozen) for plan in plans]
    return [plan for plan, _ in found], [fleet for _, fleet in found]


def settle(plans: list[Plan], timeline: Timeline, document: Document, frozen: Frozen | None = None) -> None:
    """What plans need of the engine before they run: measurements scaled to the work, classes. Raises ScenarioError."""
    problems = Problems(document)
    for plan in plans:
        scale(plan, timeline, problems, None if frozen is None else frozen.get(plan.id, {}))
        for one in (plan, *plan.others):
            rate_classes(one, timeline, problems)
    problems.stop()


def _stale_days(scenario: Scenario) -> float:
    stale = scenario.finance.stale_after
    return stale.to("day").number if stale else STALE_DAYS


def _asked(document: Document, scenario: Scenario, days: float) -> dict[str, str]:
    return {
        "title": scenario.title,
        "file": Path(document.file).name,
        "sha256": document.sha256,
        "as_of": scenario.as_of,
        "currency": scenario.currency,
        "kind": scenario.workload.kind,
        "stale_days": f"{days:g}",
        "text": document.text,
    }


def engine_version() -> str:
    """The version of the installed package."""
    try:
        return version("tco-engine")
    except PackageNotFoundError:
        return "source"


def _fleet(
    plan: Plan, timeline: Timeline, headline: str, as_of: str, days: float, frozen: Frozen | None
) -> tuple[Plan, FleetResult]:
    """The fleet, in the cheapest of the precisions that are allowed."""
    kept = None if frozen is None else frozen.get(plan.id, {})
    allowed = [plan, *plan.others]
    if kept is not None:
        allowed = [one for one in allowed if one.texts["precision"] == kept.get("precision")] or allowed
    computed = [(one, _computed(one, timeline, headline, as_of, days, kept)) for one in allowed]
    best = min(computed, key=lambda pair: _order(pair[1], headline))
    if len(computed) > 1:
        told = {fleet.precision: {"verdict": fleet.verdict, "cost": _shown(fleet, headline)} for _, fleet in computed}
        best[1].choices |= {"precisions": told, **_one_front([fleet for _, fleet in computed])}
        best[1].others = [fleet for _, fleet in computed if fleet is not best[1]]
    return best


def _one_front(fleets: list[FleetResult]) -> dict[str, Any]:
    """The deployments of all precisions that none of them beats."""
    points = [{**point, "precision": one.precision} for one in fleets for point in one.choices.get("front", [])]
    cost, pace = (np.array([point[name] for point in points]) for name in ("cost", "per_token_time"))
    return {"front": [points[at] for at in unbeaten(cost, pace)]} if points else {}


def _computed(
    plan: Plan, timeline: Timeline, headline: str, as_of: str, days: float, kept: dict[str, Any] | None
) -> FleetResult:
    assert plan.model is not None
    return compute(plan, plan.model, timeline, headline, as_of, days, kept)


def _shown(fleet: FleetResult, headline: str) -> float | None:
    cost = fleet.shown(headline)
    return cost if isinstance(cost, float) else None


def _order(fleet: FleetResult, headline: str) -> tuple[int, float]:
    """Those that can do the work first, then those that come nearest; the cheapest of them."""
    verdicts = [verdict for _, verdict in VERDICTS]
    cost = _shown(fleet, headline)
    place = len(verdicts) - verdicts.index(fleet.verdict) if fleet.verdict in verdicts else 0
    return place, math.inf if cost is None else cost


def _check_useful(result: Result, plans: list[Plan], document: Document) -> None:
    """A fleet that can do the work has a headline; without one the scenario asks for no work. Raises ScenarioError."""
    problems = Problems(document)
    for fleet, plan in zip(result.fleets, plans, strict=True):
        why = fleet.reason(result.headline or "")
        if fleet.verdict == "ok" and why:
            told = "the work never gets done, so that no output is left to divide the cost by"
            advice = "check workload, reliability, and what stands under `inputs` and `pin`"
            problems.add(plan.path, f"{told if 'divides' in why else why}; {advice}")
    problems.stop()


def _ranking(fleets: list[FleetResult], headline: str) -> list[str]:
    """Fleets with verdict ok, cheapest first."""
    costs = {fleet.id: fleet.shown(headline) for fleet in fleets if fleet.verdict == "ok"}
    return sorted((name for name, cost in costs.items() if cost is not None), key=lambda name: (costs[name], name))


def _recommended(result: Result) -> str | None:
    """The cheapest that does the work as asked; one whose use is given, not its work, only where no other is ranked."""
    whole = [name for name in result.ranking if not result.by_id[name].unit_cost_only]
    return next(iter(whole or result.ranking), None)


def _left_out(fleets: list[FleetResult]) -> list[str]:
    """Costs that nobody stated and no fleet bears; what one fleet lacks and another bears is the fleet's own matter."""
    borne = {item.label for fleet in fleets for item in fleet.model.lines.values()}
    return sorted({label for fleet in fleets for label in fleet.left_out} - borne)
