"""The run: every fleet computed, ranked, compared with the reference, with what the reader must know."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from tco.analysis.alerts import alerts
from tco.analysis.compare import against_reference
from tco.analysis.fleet import compute
from tco.catalogue import Catalogue, catalogue
from tco.result import FleetResult, Result
from tco.scenario.assembly import assemble
from tco.scenario.plan import Plan
from tco.scenario.problems import Problems
from tco.scenario.reading import Document
from tco.scenario.schema import Scenario
from tco.timeline import Timeline

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
    frozen: dict[str, dict[str, float]] | None = None,
    data: Catalogue | None = None,
) -> Result:
    """Compute a scenario. Raises ScenarioError with every problem. `frozen` holds choices by fleet."""
    held = data or catalogue()
    plans, timeline = assemble(document, scenario, held)
    headline = HEADLINE[scenario.workload.kind]
    stale = scenario.finance.stale_after
    days = stale.to("day").number if stale else STALE_DAYS
    fleets = [_fleet(plan, timeline, headline, scenario.as_of, days, frozen) for plan in plans]
    result = Result(
        _asked(document, scenario, days),
        {"version": engine_version(), "catalogue": held.version},
        timeline, fleets, headline, scenario.finance.basis, scenario.finance.discounting, scenario.finance.reference,
    )  # fmt: skip
    _check_useful(result, plans, document)
    result.ranking = _ranking(fleets, headline)
    result.recommended = next(iter(result.ranking), None)
    result.left_out = _left_out(fleets)
    result.comparison = against_reference(result)
    result.warnings = alerts(result, plans, scenario, days)
    return result


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
    plan: Plan, timeline: Timeline, headline: str, as_of: str, days: float, frozen: dict[str, dict[str, float]] | None
) -> FleetResult:
    assert plan.model is not None
    return compute(
        plan, plan.model, timeline, headline, as_of, days, None if frozen is None else frozen.get(plan.id, {})
    )


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


def _left_out(fleets: list[FleetResult]) -> list[str]:
    """Costs that nobody stated and no fleet bears; what one fleet lacks and another bears is the fleet's own matter."""
    borne = {item.label for fleet in fleets for item in fleet.model.lines.values()}
    return sorted({label for fleet in fleets for label in fleet.left_out} - borne)
