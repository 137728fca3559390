"""Assembly: every fleet of a scenario as a plan that can be computed, or every problem at once."""

from __future__ import annotations

from dataclasses import replace

from tco.catalogue import Catalogue, catalogue
from tco.errors import UnitError, did_you_mean
from tco.figures import Figure
from tco.lines.library import ALL, all_names, chapters, load
from tco.scenario.derive import derive
from tco.scenario.gather import check_names, dated, fit, of_defaults, of_fleet, of_scenario
from tco.scenario.modelling import model_of, name_missing, name_unused
from tco.scenario.plan import Context, Parts, Plan, find_parts, payment_of
from tco.scenario.problems import Problems
from tco.scenario.reading import Document
from tco.scenario.schema import Fleet, Scenario
from tco.timeline import MONTHS, Timeline
from tco.units import CURRENCIES, in_money

OWNERS_ONLY = (
    "staff_price", "systems_per_person", "maintenance_share", "support_price", "repair_price", "insurance_share",
    "property_tax_share", "network_price", "storage_price", "rack_price", "management_price",
)  # fmt: skip
"""What the scenario states for owners; a rental or an API bears it only when its own fleet says so."""


def assemble(document: Document, scenario: Scenario, data: Catalogue | None = None) -> tuple[list[Plan], Timeline]:
    """Plans of all fleets, and the timeline. Raises ScenarioError with every problem."""
    problems = Problems(document)
    timeline = _timeline(scenario, problems)
    _check_whole(scenario, problems)
    problems.stop()
    context = Context(scenario, data or catalogue(), timeline, problems)
    plans = [_plan(context, fleet, index) for index, fleet in enumerate(scenario.fleets)]
    problems.stop()
    return plans, timeline


def _timeline(scenario: Scenario, problems: Problems) -> Timeline:
    stated = scenario.timeline
    months = stated.horizon.to("month").number
    length = MONTHS[stated.step]
    if abs(months / length - round(months / length)) > 1e-9 or round(months / length) < 1:
        problems.add(
            ("timeline", "horizon"),
            f"{months:g} months are not a whole number of {stated.step}s; choose a horizon or step that fits",
        )
    if not 1 <= stated.fiscal_year_start <= 12:
        problems.add(("timeline", "fiscal_year_start"), f"{stated.fiscal_year_start} is not a month; wanted 1 to 12")
    year, month = map(int, stated.start.split("-"))
    return Timeline((year, month), max(round(months / length), 1), stated.step, stated.fiscal_year_start)


def _check_whole(scenario: Scenario, problems: Problems) -> None:
    """What no single leaf can know."""
    if scenario.currency not in CURRENCIES:
        known = ", ".join(CURRENCIES)
        problems.add(("currency",), f"`{scenario.currency}` is not a currency known here; wanted one of {known}")
    _check_fleets(scenario, problems)
    _check_finance(scenario, problems)
    work = scenario.workload
    if work.lost and sum(share.to("").number for share in (work.lost.failed, work.lost.aborted) if share) > 1:
        problems.add(("workload", "lost"), "failed and aborted requests are more than 100 % of the requests")
    if work.kind != "inference" and work.runs and work.jobs:
        problems.add(("workload", "jobs"), "`runs` and `jobs` say the same; keep one")


def _check_fleets(scenario: Scenario, problems: Problems) -> None:
    seen: dict[str, str] = {}
    for index, fleet in enumerate(scenario.fleets):
        key = fleet.id.replace("-", "_")
        if key in seen:
            told = f"`{fleet.id}` is taken by `{seen[key]}` (ids are compared with `-` as `_`); choose another"
            problems.add(("fleets", index, "id"), told)
        seen[key] = fleet.id
    if not scenario.fleets:
        problems.add(("fleets",), "no fleet to compare; state at least one")
    ids = [fleet.id for fleet in scenario.fleets]
    for place in (("finance", "reference"), *(("pin", name) for name in scenario.pin)):
        name = scenario.finance.reference if place[0] == "finance" else place[1]
        if name and name not in ids:
            told = f"`{name}` is not a fleet; wanted one of {', '.join(ids)}"
            problems.add(place, told, key=place[0] == "pin")


def _check_finance(scenario: Scenario, problems: Problems) -> None:
    finance = scenario.finance
    if finance.basis == "pre_tax":
        return
    if finance.tax_rate is None:
        problems.add(("finance",), "`basis: after_tax` needs `tax_rate`, such as `25 %`")
    if finance.depreciation is None and any(fleet.buy or fleet.lease for fleet in scenario.fleets):
        example = "`{method: straight_line, life: 5 yr}`"
        problems.add(("finance",), f"`basis: after_tax` needs `depreciation`, such as {example}")


def _plan(context: Context, fleet: Fleet, index: int) -> Plan:
    scenario = context.scenario
    path = ("fleets", index)
    payment, _ = payment_of(fleet)
    plan = Plan(fleet.id, scenario.workload.kind, payment, path, found=of_scenario(scenario))
    plan.chapters = chapters(plan.kind, payment, taxed=scenario.finance.basis == "after_tax")
    parts = find_parts(context, fleet, path)
    if payment in ("rent", "api"):
        plan.found.drop(*OWNERS_ONLY)
    _from_catalogue(plan, parts, fleet)
    of_fleet(plan.found, scenario, fleet, path)
    derive(context, fleet, parts, plan)
    of_defaults(plan.found, plan.chapters, scenario.as_of)
    _choose_ways(fleet, plan)
    _texts(context, fleet, parts, plan)
    known = {name for part in ALL for name in load(part).givens}
    check_names(plan.found, {name for part in plan.chapters for name in part.givens}, known, context.problems)
    fitted = fit(plan.found, plan.chapters, scenario, context.problems, path)
    plan.figures, plan.extra, plan.extra_givens = fitted.figures, fitted.extra, fitted.extra_givens
    _pins(context, fleet, plan)
    if not context.problems.below(path):
        plan.model = model_of(plan, context.timeline)
        name_missing(context, plan, parts, plan.model)
        name_unused(context, plan, plan.model)
    return plan


def _from_catalogue(plan: Plan, parts: Parts, fleet: Fleet) -> None:
    """Catalogue figures, the more particular entry winning; what the scenario states already stays."""
    stated = dict(plan.found.figures)
    for entry in parts.entries():
        for name, figure in entry.figures.items():
            if name not in stated:
                plan.found.put(name, figure)
    if fleet.rent and fleet.rent.gpus:
        plan.found.put("gpus_per_system", replace(fleet.rent.gpus, unit="gpu/system"), (*plan.path, "rent", "gpus"))
    if plan.payment == "api":
        return
    plan.found.drop("context") if parts.model is None else None


def _choose_ways(fleet: Fleet, plan: Plan) -> None:
    """Pick among lines that are ways to compute the same."""
    figures, ways = plan.found.figures, plan.ways
    if plan.payment == "api":
        ways.update(served_load="served_by_api", input_share="input_bill_share")
        return
    upfront = fleet.purchase == "upfront" and plan.kind == "inference"
    needed = "systems_upfront" if upfront else "systems_as_needed"
    ways["systems_needed"] = "systems_fixed" if "count" in figures else needed
    ways["surviving_systems"] = "systems_after_retirement" if "service_life" in figures else "systems_kept"
    ways["gpu_hours"] = "owned_gpu_hours" if plan.payment == "buy" else "rented_gpu_hours"
    ways["system_rent"] = "system_rent_by_lease" if fleet.lease else "system_rent_by_hour"
    ways["settlement_cost"] = "lease_settlement" if fleet.lease else "rental_settlement"
    ways.setdefault("billed_share", "billed_always")
    ways["depreciation"] = "macrs_depreciation" if "macrs_share" in figures else "straight_line_depreciation"
    if plan.kind == "inference":
        given = "utilization_target" in figures
        ways["system_output_rate"] = "system_output_measured" if plan.measured else "system_output_estimated"
        ways["per_token_time"] = "per_token_time_measured" if plan.measured else "per_token_time_estimated"
        ways["served_load"] = "served_at_utilization" if given else "served_from_demand"
        ways["peak_utilization"] = "peak_utilization_given" if given else "peak_utilization_from_demand"
        ways["input_share"] = "input_time_share"
        plan.unit_cost_only = given
        return
    from_failures = {"failure_rate", "restart_time", "checkpoint_time"} <= set(figures) and plan.found.figures[
        "goodput_share"
    ].origin == "default"
    ways["goodput"] = "goodput_from_failures" if from_failures else "goodput_given"
    ways["run_tokens"] = "run_tokens_of_data" if "dataset_tokens" in figures else "run_tokens_given"
    ways["state_memory"] = "adapter_states" if "adapter_parameters" in figures else "full_states"
    ways["gpu_token_rate"] = "gpu_token_rate_measured" if plan.measured else "gpu_token_rate_estimated"
    ways["ideal_gpus"] = "ideal_gpus_by_deadline" if "deadline" in figures else "ideal_gpus_by_year"
    ways["run_gpus"] = "run_gpus_by_deadline" if "deadline" in figures else "run_gpus_by_states"


def _texts(context: Context, fleet: Fleet, parts: Parts, plan: Plan) -> None:
    """What a reader is shown of the fleet."""
    machine = parts.system or parts.gpu
    tier = {"rent": "cloud", "api": "api"}.get(plan.payment) or (machine.texts.get("tier", "") if machine else "")
    if fleet.tier and tier and fleet.tier != tier:
        plan.tell("tier", f"stated as {fleet.tier}; the catalogue counts it as {tier}")
    name = fleet.name or ""
    if not name and fleet.rent and parts.offer:
        count = plan.found.figures.get("gpus_per_system")
        size = f", {count.number:g} GPUs an instance" if count and count.is_one else ""
        name = f"{parts.offer.texts.get('provider', '')} {parts.gpu.texts.get('name', '') if parts.gpu else ''}{size}"
    elif not name and fleet.api and parts.offer:
        name = f"{parts.offer.texts.get('provider', '')} {parts.offer.texts.get('model_name', '').rsplit('/', 1)[-1]}"
    elif not name:
        name = machine.texts.get("name", fleet.id) if machine else fleet.id
    if (
        parts.gpu
        and "efficiency_group" in parts.gpu.texts
        and parts.gpu.texts["efficiency_group"] == "other"
        and not plan.measured
    ):
        plan.tell("uncalibrated", "speed is estimated without measurements of related parts: a wide band")
    asked = context.scenario.workload.model or ""
    plan.texts = {
        "name": name.strip(), "tier": tier or fleet.tier or "", "precision": fleet.precision or "",
        "model": parts.model.id if parts.model else (parts.offer.texts.get("model_name", "") if parts.offer else asked),
    }  # fmt: skip


def _pins(context: Context, fleet: Fleet, plan: Plan) -> None:
    """Pinned lines, in the unit of the line they replace."""
    lines = {name: item for part in plan.chapters for name, item in part.lines.items()}
    for name, figure in context.scenario.pin.get(fleet.id, {}).items():
        place = ("pin", fleet.id, name)
        if name not in lines:
            where = "is a line of other fleets only" if name in all_names() else "is not a line"
            context.problems.add(place, f"`{name}` {where}{did_you_mean(name, lines)}", key=True)
            continue
        _pin(context, plan, name, lines[name].unit, figure, place)


def _pin(context: Context, plan: Plan, name: str, wanted: str, figure: Figure, place: tuple[str | int, ...]) -> None:
    if isinstance(figure.value, tuple) and len(figure.value) != context.timeline.periods:
        context.problems.add(
            place, f"{len(figure.value)} values for {context.timeline.periods} periods; state one for each"
        )
        return
    try:
        plan.pins[name] = dated(replace(figure, unit=in_money(figure.unit)).to(wanted), context.scenario)
    except UnitError as error:
        context.problems.add(place, str(error))
