"""What no single leaf of a scenario can know: things that contradict each other, repeat each other or cannot count."""

from __future__ import annotations

from dataclasses import replace

from tco.figures import Figure
from tco.lines.library import ALL, Payment, chapters, load
from tco.scenario.analysis_checks import check_analysis
from tco.scenario.cross_rates import direct_rates, priced_in
from tco.scenario.gather import periods_of
from tco.scenario.mix_checks import check_mix
from tco.scenario.paths import Path
from tco.scenario.problems import Problems
from tco.scenario.quote_checks import check_quotes
from tco.scenario.request_checks import check_request
from tco.scenario.schema import Scenario
from tco.scenario.taxation import check_tax
from tco.scenario.walk import leaves
from tco.units import CURRENCIES


def check_whole(scenario: Scenario, problems: Problems) -> None:
    """Note every contradiction."""
    _check_currencies(scenario, problems)
    _check_fleets(scenario, problems)
    check_tax(scenario, problems)
    _check_real(scenario, problems)
    check_quotes(scenario, problems)
    check_request(scenario, problems)
    check_analysis(scenario, problems)
    check_mix(scenario, problems)
    _check_kind(scenario, problems)
    if scenario.workload.kind == "inference":
        _check_serving(scenario, problems)
    else:
        _check_training(scenario, problems)


def _check_real(scenario: Scenario, problems: Problems) -> None:
    """A real rate needs the one inflation that all fleets share."""
    if scenario.finance.discount_rate_is == "nominal":
        return
    place = ("finance", "discount_rate_is")
    inflation = (scenario.pricing.inflation if scenario.pricing else None) or scenario.inputs.get("inflation")
    if inflation is None:
        problems.add(place, "a real rate needs `pricing.inflation`, such as `2.5 %`; state it, or a nominal rate")
    elif not inflation.is_one:
        problems.add(place, "a real rate needs one inflation, not a list; state a nominal rate")
    for fleet in scenario.fleets:
        if (fleet.pricing and fleet.pricing.inflation) or "inflation" in fleet.inputs:
            told = (
                f"with an inflation of its own, {fleet.id} would have another rate than the rest; state a nominal rate"
            )
            problems.add(place, told)


def _check_currencies(scenario: Scenario, problems: Problems) -> None:
    known = ", ".join(CURRENCIES)
    if scenario.currency not in CURRENCIES:
        problems.add(("currency",), f"`{scenario.currency}` is not a currency known here; wanted one of {known}")
        return
    reached = direct_rates({code: replace(rate, value=1.0) for code, rate in scenario.fx.items()}, scenario.currency)
    for code, rate in scenario.fx.items():
        place, wanted = ("fx", code), f"{scenario.currency}/{code}"
        if code not in CURRENCIES or code == scenario.currency:
            why = "is the currency of the scenario" if code == scenario.currency else "is not a currency known here"
            problems.add(place, f"`{code}` {why}; wanted another of {known}", key=True)
        elif not (through := priced_in(code, rate)) or through not in {scenario.currency, *scenario.fx}:
            third = f", or {through} under `fx` too" if through else ""
            problems.add(place, f"the rate is in {rate.unit or 'a plain number'}; wanted {wanted}{third}")
        elif code not in reached:
            told = f"the rate is in {rate.unit}, and those lead round in a circle"
            problems.add(place, f"{told}, never to {scenario.currency}; state {wanted}")
        elif min(_numbers(rate)) <= 0:
            problems.add(place, f"a rate is above 0; wanted the price of one {code} in {scenario.currency}")
        elif rate.series and len(rate.series) != periods_of(scenario):
            told = f"{len(rate.series)} values for {periods_of(scenario)} periods; state one for each"
            problems.add(place, f"{told}, or `{{after: [0 yr, 1 yr], rate: [… {wanted}, … {wanted}]}}`")
        elif rate.is_table and rate.rows[0][0] > 0:
            problems.add(place, f"begins after {rate.rows[0][0]:g} {rate.from_unit}; the first rate holds after 0")


def _numbers(figure: Figure) -> tuple[float, ...]:
    """All numbers of one, of a series or of a table."""
    return (figure.number,) if figure.is_one else figure.series or tuple(number for _, number in figure.rows)


def _check_fleets(scenario: Scenario, problems: Problems) -> None:
    seen: dict[str, str] = {}
    for index, fleet in enumerate(scenario.fleets):
        key = fleet.id.replace("-", "_")
        if key in seen:
            told = f"`{fleet.id}` is taken by `{seen[key]}` (ids are compared with `-` as `_`); choose another"
            problems.add(("fleets", index, "id"), told)
        seen[key] = fleet.id
    if scenario.pricing and scenario.pricing.porting and scenario.pricing.porting.framework:
        told = "an engine is ported to one fleet's parts; state `pricing: {porting: …}` at that fleet"
        problems.add(("pricing", "porting", "framework"), told, key=True)
    if not scenario.fleets:
        problems.add(("fleets",), "no fleet to compare; state at least one")
    ids = [fleet.id for fleet in scenario.fleets]
    for place in (("finance", "reference"), *(("pin", name) for name in scenario.pin)):
        name = scenario.finance.reference if place[0] == "finance" else place[1]
        if name and name not in ids:
            told = f"`{name}` is not a fleet; wanted one of {', '.join(ids)}"
            problems.add(place, told, key=place[0] == "pin")
    if scenario.finance.reinvestment_rate and not scenario.finance.reference:
        told = f"what is saved, against which fleet? state `reference`, one of {', '.join(ids)}"
        problems.add(("finance", "reinvestment_rate"), told, key=True)


def _check_kind(scenario: Scenario, problems: Problems) -> None:
    """What the workload states must belong to its kind."""
    kind = scenario.workload.kind
    payments: tuple[Payment, ...] = ("buy", "lease", "rent", *(("api",) if kind == "inference" else ()))
    taken = {name for paid in payments for part in chapters(kind, paid, taxed=True) for name in part.givens}
    known = {name for part in ALL for name in load(part).givens}
    for section in ("workload", "reliability"):
        for inside, leaf, _ in leaves(getattr(scenario, section)) if getattr(scenario, section) else ():
            if leaf.feeds and leaf.feeds not in taken:
                place: Path = (section, *inside)
                problems.add(place, f"`{inside[-1]}` has no meaning for {kind}; leave it out", key=True)
    for name in scenario.inputs:
        if name in known - taken:
            problems.add(("inputs", name), f"`{name}` has no meaning for {kind}; leave it out", key=True)


def _check_serving(scenario: Scenario, problems: Problems) -> None:
    work = scenario.workload
    if work.method or work.rank:
        problems.add(("workload",), "`method` and `rank` belong to fine-tuning; leave them out")
    for name in ("optimizer", "adapters"):
        if getattr(work, name):
            problems.add(("workload", name), f"`{name}` belongs to training; leave it out", key=True)
    drafting = any(fleet.deployment and fleet.deployment.speculation for fleet in scenario.fleets)
    if work.accepted_drafts and not drafting and not any("drafted_tokens" in fleet.inputs for fleet in scenario.fleets):
        told = "cannot count: no fleet drafts; state `deployment: {speculation: …}` in one, or leave it out"
        problems.add(("workload", "accepted_drafts"), told)
    lost = work.lost
    if lost and sum(share.to("").number for share in (lost.failed, lost.aborted) if share) >= 1:
        told = "failed and aborted requests are all of the requests or more: no useful token is left to pay for"
        problems.add(("workload", "lost"), told)


def _check_training(scenario: Scenario, problems: Problems) -> None:
    work = scenario.workload
    elsewhere = {name for holder in (scenario, *scenario.fleets) for name in holder.inputs}
    if work.target and work.target.percentile:
        problems.add(("workload", "target"), "a target belongs to inference; leave it out", key=True)
    if work.batch and work.sequence and work.batch.to("token/step").number < work.sequence.to("token").number:
        told = f"a step of {work.batch.number:g} {work.batch.unit} holds no sequence of {work.sequence.number:g}"
        problems.add(("workload", "batch"), f"{told} {work.sequence.unit}; state a batch of one sequence or more")
    if work.batch and work.tokens and work.tokens.to("token").number < work.batch.to("token/step").number:
        problems.add(
            ("workload", "tokens"), "a run is shorter than one of its steps; state more tokens, or a smaller batch"
        )
    if work.runs and work.jobs:
        problems.add(("workload", "jobs"), "`runs` and `jobs` say the same; keep one")
    if work.tokens and (work.dataset or work.epochs):
        problems.add(("workload", "tokens"), "`tokens`, and `dataset` with `epochs`, say the same; keep one")
    elif not work.tokens and not (work.dataset and work.epochs) and not elsewhere & {"training_tokens", "epochs"}:
        problems.add(("workload",), "how long a run is, is not known; state `tokens`, or `dataset` and `epochs`")
    adapts = work.kind == "finetune" and work.method in ("lora", "qlora")
    if work.kind == "training" and work.method:
        problems.add(("workload", "method"), "a method belongs to fine-tuning; leave it out, or state `kind: finetune`")
    elif work.rank and not adapts:
        problems.add(("workload", "rank"), "only adapters have a rank; state `method: lora` or `qlora`")
    if work.adapters and not adapts:
        problems.add(("workload", "adapters"), "only a method with adapters has them; state `method: lora` or `qlora`")
