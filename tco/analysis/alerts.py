"""What a reader must know beside the numbers: doubtful prices, expired quotes, unlike quality, conventions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tco.analysis.offers import of_offers, quoted_inputs
from tco.analysis.periods import rounded_terms, split_tax_years
from tco.analysis.sources import doubtful_prices
from tco.catalogue.dates import first_day
from tco.result import NULLING, Alert, FleetResult, Result
from tco.scenario.paths import path_text
from tco.scenario.plan import Plan
from tco.scenario.schedules import quarter_flags
from tco.scenario.schema import Scenario
from tco.scenario.walk import leaves
from tco.wording import money, percent

LONG_BUBBLE = 0.1
"""Share of a token's time from which a pipeline's bubble is told."""

MOST_IN_LAST_QUARTER = 0.4
"""Above this share of a tax year's capital in its last quarter, the law asks for the mid-quarter convention."""


def alerts(result: Result, plans: list[Plan], scenario: Scenario, days: float) -> list[Alert]:
    """Every alert, those of the scenario after those of its plans."""
    found = list(dict.fromkeys(alert for plan in plans for alert in plan.alerts))
    if scenario.finance.basis == "pre_tax" and (scenario.finance.tax_rate or scenario.finance.depreciation):
        found.append(Alert("tax-not-counted", "", "tax is stated, and not counted on the basis `pre_tax`"))
    found += list(_ranges(scenario))
    found += [*_quality(result, scenario), *_within_bands(result), *split_tax_years(result, scenario)]
    for fleet in result.fleets:
        found += _of_fleet(result, fleet, scenario, days)
    return found


def _ranges(scenario: Scenario) -> Iterator[Alert]:
    """Values that are stated as ranges: the run knows their median only."""
    data = {"fleets": [{"id": fleet.id} for fleet in scenario.fleets]}
    told = [
        f"`{path_text(path, data)}`" for path, _, figure in leaves(scenario) if figure.spread and path[0] != "analysis"
    ]
    if told:
        text = f"stated as ranges, computed with their median: {', '.join(told)}; `tco simulate` draws them"
        yield Alert("ranges-at-median", "", text)


def _of_fleet(result: Result, fleet: FleetResult, scenario: Scenario, days: float) -> Iterator[Alert]:
    yield from _quotes(result, fleet, scenario)
    yield from of_offers(result, fleet, scenario)
    yield from _divided(fleet)
    yield from _piped(fleet)
    yield from _against_the_estimate(fleet)
    if fleet.verdict not in NULLING:
        yield from rounded_terms(result, fleet)
        yield from _replaced(result, fleet)
        yield from _settlement(result, fleet)
        yield from _losses(result, fleet)
        yield from _part_load(fleet)
        if scenario.finance.depreciation and scenario.finance.depreciation.convention == "half_year":
            yield from _mid_quarter(result, fleet)
    if fleet.payment == "api" and scenario.workload.target:
        known = "large_enough" in fleet.model.lines
        what = "the latency of the API is" if known else "latency and rate limits of the API are"
        yield Alert("not-checked", fleet.id, f"{what} not known: the targets are not checked")
    shaky = {} if fleet.verdict in NULLING else doubtful_prices(fleet, scenario.as_of, days)
    if shaky:
        told = (
            f"{fleet.model.inputs[name].label} ({word}, {fleet.inputs[name].as_of})" for name, word in shaky.items()
        )
        share = percent(fleet.recalled_or_stale_share, 0)
        yield Alert("recalled-or-stale", fleet.id, f"{share} of the present cost rests on: {', '.join(told)}")


def _divided(fleet: FleetResult) -> Iterator[Alert]:
    """Layers are divided by choice only where nothing else fits; what is sent within a layer no line knows."""
    values = fleet.choices.get("values", {})
    tensor, deep = (values.get(name, 1.0) for name in ("tensor_parallel", "pipeline_parallel"))
    if tensor * deep > 1 and fleet.verdict not in NULLING:
        told = f"{tensor:g} GPUs share a layer and {deep:g} stages the layers, since no run fits otherwise"
        sent = "; what those of a layer send each other is not in its speed" if tensor > 1 else ""
        yield Alert("layers-divided", fleet.id, f"{told}{sent}")


def _piped(fleet: FleetResult) -> Iterator[Alert]:
    """A pipeline that stands still for long is probably interleaved in truth."""
    bubble, whole = (fleet.raw(name) for name in ("bubble_time", "training_token_time"))
    if bubble is None or whole is None or fleet.verdict in NULLING or "measured_token_rate" in fleet.inputs:
        return
    share = float(np.max(np.asarray(bubble) / np.asarray(whole)))
    if share > LONG_BUBBLE:
        told = f"the bubble of its pipeline takes {percent(share, 0)} of the time"
        yield Alert("pipeline-bubble", fleet.id, f"{told}; large runs interleave: `deployment: {{interleave: 4}}`")


def _against_the_estimate(fleet: FleetResult) -> Iterator[Alert]:
    """A measurement shows that the work runs; where the estimate says otherwise a reader is told."""
    if not {"measured_output", "measured_token_rate"} & set(fleet.inputs):
        return
    margin, runs = fleet.raw("memory_margin"), fleet.inputs.get("software_supported")
    if margin is not None and float(np.min(margin)) < 0:
        told = f"by the estimate {-float(np.min(margin)):,.1f} GiB of memory are missing on each GPU"
        yield Alert("measured-against-estimate", fleet.id, f"{told}; the measurement counts: check what was measured")
    if runs and runs.number == 0:
        told = f"{fleet.precision} is not known to run there ({runs.source})"
        yield Alert("measured-against-estimate", fleet.id, f"{told}; the measurement counts: check what was measured")


def _part_load(fleet: FleetResult) -> Iterator[Alert]:
    """The PUE that results where a part of cooling and losses never falls."""
    found = fleet.raw("resulting_pue")
    if found is not None and "pue" in fleet.inputs:
        low, high = float(np.min(found)), float(np.max(found))
        shown = f"{low:.3f}" if high - low < 5e-4 else f"{low:.3f} to {high:.3f}"
        told = f"at its load the PUE is {shown}; the PUE at full load is {fleet.inputs['pue'].number:.3g}"
        yield Alert("pue-at-part-load", fleet.id, told)


TARGETS = {
    "first_token_time_high": ("first_token_target", "first token", "s"),
    "per_token_time_high": ("per_token_target", "token", "ms"),
}


def _within_bands(result: Result) -> Iterator[Alert]:
    """A target that an estimate meets, and the high end of its error band does not."""
    told = list[str]()
    for name, (target, what, unit) in TARGETS.items():
        unsure = [fleet for fleet in result.fleets if fleet.verdict == "ok" and _beyond(fleet, name, target)]
        if unsure:
            wanted = f"{unsure[0].inputs[target].number:g} {unit} for the {what}".replace("the token", "each token")
            told.append(f"{wanted} ({', '.join(fleet.id for fleet in unsure)})")
    if told:
        text = f"targets lie inside the error band of the estimated speed: {'; '.join(told)}; measure to be sure"
        yield Alert("target-within-band", "", text)


def _beyond(fleet: FleetResult, name: str, target: str) -> bool:
    end, share = fleet.raw(name), fleet.inputs.get("target_share")
    limit = fleet.inputs[target].number * (share.number if share else 1.0) if target in fleet.inputs else np.inf
    return end is not None and float(np.max(end)) > limit


def _quotes(result: Result, fleet: FleetResult, scenario: Scenario) -> Iterator[Alert]:
    """A quote must hold on the scenario's day, and when the first purchase is made."""
    told = quoted_inputs(result.quotes, fleet.id)
    for name, figure in fleet.inputs.items():
        if name in told:
            continue
        last = first_day(figure.valid_until) if figure.valid_until else None
        today, start = first_day(scenario.as_of), first_day(scenario.timeline.start)
        label = fleet.model.inputs[name].label
        if last and today and last < today:
            yield Alert("quote-expired", fleet.id, f"{label}: valid until {figure.valid_until}")
        elif last and start and last < start:
            yield Alert(
                "quote-ends-early",
                fleet.id,
                f"{label}: valid until {figure.valid_until}, the first purchase is in {scenario.timeline.start}",
            )


def _replaced(result: Result, fleet: FleetResult) -> Iterator[Alert]:
    """Systems that wear out within the horizon are bought again: the total holds more than one generation."""
    bought, new = fleet.raw("purchases"), fleet.raw("new_systems")
    if fleet.payment != "buy" or not isinstance(bought, np.ndarray) or not isinstance(new, np.ndarray):
        return
    again = np.maximum(bought - new, 0)
    if np.any(again > 0):
        number, first = float(np.sum(again)), result.timeline.labels[int(np.argmax(again > 0))]
        whose = "system reaches the end of its life" if number == 1 else "systems reach the end of their life"
        are = "is" if number == 1 else "are"
        told = (
            f"{number:,.0f} {whose} within the horizon and {are} bought again, from {first}, at the price of that time"
        )
        yield Alert("replaced", fleet.id, told)


def _settlement(result: Result, fleet: FleetResult) -> Iterator[Alert]:
    settled = fleet.raw("settlement_cost")
    amount = float(np.sum(settled)) if settled is not None else 0.0
    if amount > 0:
        told = f"{money(amount)} {result.scenario['currency']}"
        yield Alert(
            "settlement", fleet.id, f"contracts that outlast the horizon are paid to their end: {told} are in the total"
        )

    debt = fleet.raw("loan_settlement")
    owed = float(np.sum(debt)) if debt is not None else 0.0
    if owed > 0:
        told = f"{money(owed)} {result.scenario['currency']}"
        yield Alert("loan-settled", fleet.id, f"the loan outlasts the horizon: {told} are paid back when it ends")


def _losses(result: Result, fleet: FleetResult) -> Iterator[Alert]:
    """Losses that no profit within the horizon has met."""
    pool = fleet.raw("loss_pool")
    left = float(pool[-1]) if isinstance(pool, np.ndarray) else 0.0
    if left > 0:
        told = f"losses of {money(left)} {result.scenario['currency']} are carried beyond the horizon"
        yield Alert("losses-carried", fleet.id, f"{told}; the tax that they may save later is not counted")


def _mid_quarter(result: Result, fleet: FleetResult) -> Iterator[Alert]:
    """The convention that is stated against the one that the law asks for."""
    basis = fleet.raw("basis_after_expensing")
    if not isinstance(basis, np.ndarray):
        return
    years, last = result.timeline.frame()["fiscal_year"], np.array(quarter_flags(result.timeline)["last"].series)
    for year in np.unique(years):
        bought = basis[years == year]
        late = float(np.sum(bought * last[years == year]))
        if late > MOST_IN_LAST_QUARTER * float(np.sum(bought)) > 0:
            share = percent(late / float(np.sum(bought)), 0)
            yield Alert(
                "mid-quarter",
                fleet.id,
                f"{share} of a tax year's capital falls in its last quarter; the law asks for `mid_quarter` there",
            )
            return


def _quality(result: Result, scenario: Scenario) -> Iterator[Alert]:
    """Fleets that differ in model or precision do not deliver the same."""
    asked = scenario.workload.model
    for fleet in result.fleets:
        if asked and fleet.model_id != asked:
            yield Alert(
                "not-the-same-quality",
                fleet.id,
                f"runs {fleet.model_id or 'an unnamed model'}, the work asks for {asked}",
            )
    precisions = sorted({fleet.precision for fleet in result.fleets if fleet.precision})
    if len(precisions) > 1:
        users = {word: ", ".join(f.id for f in result.fleets if f.precision == word) for word in precisions}
        told = "; ".join(f"{word}: {names}" for word, names in users.items())
        yield Alert(
            "not-the-same-quality",
            "",
            f"fleets run different precisions ({told}); their answers are not the same quality",
        )
    hosted = [fleet.id for fleet in result.fleets if fleet.payment == "api"]
    if hosted and precisions:
        yield Alert(
            "not-the-same-quality", "", f"the precision behind {', '.join(hosted)} is the provider's and not known"
        )
