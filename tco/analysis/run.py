"""The run: every fleet computed, ranked, compared with the reference, with what the reader must know."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from tco.analysis.compare import against_reference
from tco.analysis.fleet import compute
from tco.analysis.sources import doubtful_prices
from tco.catalogue import Catalogue, catalogue
from tco.catalogue.dates import first_day
from tco.result import Alert, FleetResult, Result
from tco.scenario.assembly import assemble
from tco.scenario.plan import Plan
from tco.scenario.problems import Problems
from tco.scenario.reading import Document
from tco.scenario.schema import Scenario
from tco.timeline import Timeline
from tco.wording import percent

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
    result.warnings = _warnings(result, plans, scenario, days)
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


def _warnings(result: Result, plans: list[Plan], scenario: Scenario, days: float) -> list[Alert]:
    alerts = [alert for plan in plans for alert in plan.alerts]
    if scenario.finance.basis == "pre_tax" and (scenario.finance.tax_rate or scenario.finance.depreciation):
        alerts.append(Alert("tax-not-counted", "", "tax is stated, and not counted on the basis `pre_tax`"))
    alerts += _quality(result, scenario)
    for fleet in result.fleets:
        expired = [name for name, figure in fleet.inputs.items() if _expired(figure.valid_until, scenario.as_of)]
        alerts += [
            Alert(
                "quote-expired",
                fleet.id,
                f"{fleet.model.inputs[name].label}: valid until {fleet.inputs[name].valid_until}",
            )
            for name in expired
        ]
        shaky = doubtful_prices(fleet, scenario.as_of, days)
        if shaky:
            told = ", ".join(
                f"{fleet.model.inputs[name].label} ({word}, {fleet.inputs[name].as_of})" for name, word in shaky.items()
            )
            alerts.append(
                Alert(
                    "recalled-or-stale",
                    fleet.id,
                    f"{percent(fleet.recalled_or_stale_share, 0)} of the present cost rests on: {told}",
                )
            )
    return alerts


def _expired(valid_until: str, as_of: str) -> bool:
    last, today = first_day(valid_until) if valid_until else None, first_day(as_of)
    return bool(last and today and last < today)


def _quality(result: Result, scenario: Scenario) -> list[Alert]:
    """Fleets that differ in model or precision do not deliver the same."""
    asked = scenario.workload.model
    alerts = [
        Alert(
            "not-the-same-quality", fleet.id, f"runs {fleet.model_id or 'an unnamed model'}, the work asks for {asked}"
        )
        for fleet in result.fleets
        if asked and fleet.model_id != asked
    ]
    precisions = sorted({fleet.precision for fleet in result.fleets if fleet.precision})
    if len(precisions) > 1:
        told = "; ".join(
            f"{word}: {', '.join(f.id for f in result.fleets if f.precision == word)}" for word in precisions
        )
        alerts.append(
            Alert(
                "not-the-same-quality",
                "",
                f"fleets run different precisions ({told}); their answers are not the same quality",
            )
        )
    hosted = [fleet.id for fleet in result.fleets if fleet.payment == "api"]
    if hosted and precisions:
        alerts.append(
            Alert(
                "not-the-same-quality", "", f"the precision behind {', '.join(hosted)} is the provider's and not known"
            )
        )
    return alerts
