"""Assembly: every fleet of a scenario as a plan that can be computed, or every problem at once."""

from __future__ import annotations

from dataclasses import replace

from tco.catalogue import Catalogue, catalogue
from tco.declare import Line
from tco.errors import UnitError, did_you_mean
from tco.figures import Figure
from tco.lines.library import ALL, all_names, chapters, load
from tco.result import HEADLINES, VERDICTS
from tco.scenario.consistency import check_whole
from tco.scenario.derive import derive
from tco.scenario.gather import check_names, dated, fit, of_defaults, of_fleet
from tco.scenario.ignored import name_ignored, name_replaced, name_twice
from tco.scenario.modelling import model_of, name_missing, name_unused, name_varying
from tco.scenario.own_costs import own_costs
from tco.scenario.phases import tell_kept_rates, with_rate_paths
from tco.scenario.plan import Context, Parts, Plan, find_parts, payment_of
from tco.scenario.problems import Problems
from tco.scenario.quoted import quoted
from tco.scenario.reading import Document
from tco.scenario.region import of_region
from tco.scenario.schema import Fleet, Scenario
from tco.scenario.serves import alone, serves
from tco.timeline import MONTHS, Timeline
from tco.units import currencies_in, in_money

SHARES = ("utilization", "peak_utilization", "availability", "downtime", "goodput", "input_share", "billed_share",
          "done_share", "compute_part", "memory_part")  # fmt: skip
FLAGS = tuple(name for name, _ in VERDICTS)
"""Lines that a pin may not take beyond what they can be."""

OWNERS_ONLY = (
    "staff_price", "systems_per_person", "maintenance_share", "support_price", "repair_price", "insurance_share",
    "property_tax_share", "network_price", "storage_price", "rack_price", "management_price", "porting_price",
    "porting_upkeep",
)  # fmt: skip
"""What the scenario states for owners; a rental or an API bears it only when its own fleet says so."""


def assemble(document: Document, scenario: Scenario, data: Catalogue | None = None) -> tuple[list[Plan], Timeline]:
    """Plans of all fleets, and the timeline. Raises ScenarioError with every problem."""
    problems = Problems(document)
    timeline = _timeline(scenario, problems)
    check_whole(scenario, problems)
    problems.stop()
    scenario = with_rate_paths(scenario, timeline)
    context = Context(scenario, data or catalogue(), timeline, problems)
    plans = [_in_precisions(context, fleet, index) for index, fleet in enumerate(scenario.fleets)]
    problems.stop()
    return plans, timeline


def _in_precisions(context: Context, fleet: Fleet, index: int) -> Plan:
    """The plan; where several precisions are allowed, that of the first with those of the others."""
    if not isinstance(fleet.precision, tuple):
        return _plan(context, fleet, index)
    words = fleet.precision
    if not words or len(set(words)) < len(words):
        told = "wanted the precisions that are allowed, each once, such as `[fp8, bf16]`"
        context.problems.add(("fleets", index, "precision"), f"{'names one twice' if words else 'is empty'}; {told}")
    first, *others = (
        _plan(context, fleet.model_copy(update={"precision": word}), index) for word in words or ("bf16",)
    )
    first.others = others
    return first


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


def _plan(context: Context, fleet: Fleet, index: int) -> Plan:
    scenario = context.scenario
    path = ("fleets", index)
    payment, section = payment_of(fleet)
    plan = Plan(fleet.id, scenario.workload.kind, payment, path, found=context.stated.copy())
    plan.chapters = chapters(plan.kind, payment, taxed=scenario.finance.basis == "after_tax")
    parts = find_parts(context, fleet, path)
    if payment == "api" and plan.kind != "inference":
        told = f"an API answers requests, it does no {plan.kind}; leave this fleet out"
        context.problems.add((*path, "api"), told, key=True)
        return plan
    if section and not (fleet.inputs or parts.system or parts.gpu or parts.offer or context.problems.below(path)):
        what = "offer" if fleet.rent else "system"
        told = f"no hardware is named; state `{what}` (`tco catalogue list` shows them), or its figures under `inputs`"
        context.problems.add((*path, payment), told, key=True)
        return plan
    name_ignored(context, fleet, plan)
    name_twice(context, fleet, plan)
    if payment in ("rent", "api"):
        plan.found.drop(*OWNERS_ONLY)
    _from_catalogue(plan, parts, fleet)
    of_region(context.catalogue, fleet.electricity, plan.found, context.problems, (*path, "electricity"))
    of_fleet(plan.found, scenario, fleet, path)
    quoted(context, fleet, plan)
    derive(context, fleet, parts, plan)
    serves(context, fleet, plan)
    own_costs(context, fleet, plan)
    tell_kept_rates(scenario, plan, context.timeline)
    name_replaced(context, fleet, plan)
    of_defaults(plan.found, plan.chapters, scenario.as_of)
    _choose_ways(fleet, plan)
    _texts(context, fleet, parts, plan)
    known = {name for part in ALL for name, item in load(part).givens.items() if not item.frame}
    check_names(plan.found, {name for part in plan.chapters for name in part.givens}, known, context.problems)
    fitted = fit(plan.found, plan.chapters, scenario, context.problems, path)
    plan.figures, plan.extra, plan.extra_givens = fitted.figures, fitted.extra, fitted.extra_givens
    plan.found.shared |= {name for name in fitted.extra_givens if name.endswith("_rate")}
    _pins(context, fleet, plan)
    unread = any(
        context.problems.below(place)
        for place in (path, ("workload", "model"), ("electricity", "tariff"), ("electricity", "rate"))
    )
    if not unread:
        plan.model = model_of(plan, context.timeline)
        name_missing(context, plan, parts, plan.model)
        name_unused(context, plan, plan.model)
        name_varying(context, plan, plan.model)
    plan.by_class = {name: _plan(one, bare, index) for name, one, bare in alone(context, fleet, plan)}
    return plan


def _from_catalogue(plan: Plan, parts: Parts, fleet: Fleet) -> None:
    """Catalogue figures, the more particular entry winning; what the scenario states already stays."""
    stated = dict(plan.found.figures)
    for name, figure in parts.speed.items():
        plan.found.put_new(name, figure)
    for entry in parts.entries():
        common = entry is parts.model and fleet.model is None and plan.payment != "api"
        for name, figure in entry.figures.items():
            if name not in stated:
                plan.found.put(name, figure, shared=common)
    if fleet.rent and fleet.rent.gpus:
        plan.found.put("gpus_per_system", replace(fleet.rent.gpus, unit="gpu/system"), (*plan.path, "rent", "gpus"))
    if plan.payment == "api":
        return
    if parts.model is None and "context" not in stated:
        plan.found.drop("context")


def _choose_ways(fleet: Fleet, plan: Plan) -> None:
    """Pick among lines that are ways to compute the same."""
    figures, ways = plan.found.figures, plan.ways
    if plan.payment == "api":
        ways.update(served_load="served_by_api", input_share="input_bill_share")
        return
    upfront = fleet.purchase == "upfront" and plan.kind == "inference"
    if fleet.purchase == "upfront" and not upfront:
        plan.tell("purchase", "training work does not grow: all systems come at the start anyway")
    needed = "systems_upfront" if upfront else "systems_as_needed"
    ways["systems_needed"] = "systems_fixed" if "count" in figures else needed
    leaves = "service_life" in figures
    ways["surviving_systems"] = "systems_after_retirement" if leaves else "systems_kept"
    ways["departing_systems"] = "departing_after_life" if leaves else "departing_with_horizon"
    ways["purchases"] = "purchases_after_lead" if "lead_time" in figures else "purchases_at_once"
    ways["gpu_hours"] = "owned_gpu_hours" if plan.payment == "buy" else "rented_gpu_hours"
    ways["system_rent"] = "system_rent_by_lease" if fleet.lease else "system_rent_by_hour"
    ways["settlement_cost"] = "lease_settlement" if fleet.lease else "rental_settlement"
    ways.setdefault("billed_share", "billed_always")
    ways.setdefault("contract_periods", "contract_for_life")
    ways["load_pue"] = "pue_beside_fixed" if "fixed_overhead_share" in figures else "pue_at_every_load"
    ways["design_pue"] = "design_pue_of_worst_hour" if "worst_pue" in figures else "design_pue_as_stated"
    powered = "rack_power_limit" in figures and plan.payment != "rent"
    ways["systems_per_rack"] = f"systems_per_rack_by_{'both' if powered else 'height'}"
    floor = {"ratchet_share", "minimum_demand"} & set(figures)
    ways["billed_demand"] = "billed_demand_with_floor" if floor else "billed_demand_of_month"
    if plan.kind == "inference":
        given = "utilization_target" in figures
        ways["system_output_rate"] = "system_output_measured" if plan.measured else "system_output_estimated"
        ways["per_token_time"] = "per_token_time_measured" if plan.measured else "per_token_time_estimated"
        ways["served_load"] = "served_at_utilization" if given else "served_from_demand"
        for peak in ("peak_utilization", "month_peak_utilization"):
            ways[peak] = f"{peak}_given" if given else f"{peak}_from_demand"
        ways["working_systems"] = "ramped_systems_working" if "ramp_share" in figures else "all_systems_working"
        ways["input_share"] = "input_time_share"
        drafts = "drafted_tokens" in figures
        ways["step_output"] = "step_output_by_share" if "accepted_share" in figures else "step_output_by_chance"
        ways["step_tokens"] = "verified_tokens" if drafts else "single_tokens"
        ways["decoding_time"] = "decoding_time_of_drafts" if drafts else "decoding_time_of_steps"
        plan.unit_cost_only = given
        return
    tensor = figures.get("tensor_parallel")
    stated = tensor is not None and tensor.origin != "default"
    ways["layer_ways"] = "layer_ways_stated" if stated else "layer_ways_within_system"
    ways["run_tokens"] = "run_tokens_of_data" if "dataset_tokens" in figures else "run_tokens_given"
    ways["state_memory"] = "adapter_states" if "adapter_parameters" in figures else "full_states"
    share = "stated" if "training_efficiency" in figures else "estimated"
    ways["gpu_token_rate"] = f"gpu_token_rate_{'measured' if plan.measured else share}"
    sized = share == "estimated" and not plan.measured and "count" not in figures
    ways["ideal_gpus"] = "ideal_gpus_estimated" if sized else "ideal_gpus_at_rate"
    needed = "asked_size_estimated" if sized else "asked_size_at_rate"
    ways["asked_size"] = "asked_size_fixed" if "count" in figures else needed
    ways["run_size"] = "run_size_of_batch" if ways["gpu_token_rate"].endswith("estimated") else "run_size_as_asked"
    ways["work_rate"] = "work_rate_by_deadline" if "deadline" in figures else "work_rate_by_year"
    ways["job_gpus"] = "job_gpus_fixed" if "count" in figures else "job_gpus_needed"
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
        plural = "s" if count and count.is_one and count.number > 1 else ""
        size = f", {count.number:g} GPU{plural} an instance" if count and count.is_one else ""
        name = f"{parts.offer.texts.get('provider', '')} {parts.gpu.texts.get('name', '') if parts.gpu else ''}{size}"
    elif not name and fleet.api and parts.offer:
        name = f"{parts.offer.texts.get('provider', '')} {parts.offer.texts.get('model_name', '').rsplit('/', 1)[-1]}"
    elif not name:
        name = machine.texts.get("name", fleet.id) if machine else fleet.id
    known = parts.gpu.texts.get("hardware_class", "other") if parts.gpu else "other"
    if plan.payment != "api" and known == "other" and not plan.measured:
        plan.tell("uncalibrated", "speed is estimated, uncalibrated: no related part was measured, its band is wide")
    asked = context.scenario.workload.model or ""
    if plan.unit_cost_only:
        plan.tell("unit-cost-only", "its utilization is given, not its work: compare its unit cost only, not its total")
    plan.texts = {
        "name": name.strip(), "tier": tier or fleet.tier or "", "precision": fleet.one_precision or "",
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
        if name in NOT_PINNED:
            context.problems.add(place, f"`{name}` cannot be pinned: {NOT_PINNED[name]}", key=True)
            continue
        if parts := _paid_at_moments(name, lines):
            told = f"`{name}` is paid at the moments of its parts; pin those instead: {', '.join(parts)}"
            context.problems.add(place, told, key=True)
            continue
        _pin(context, plan, name, lines[name].unit, figure, place)


_RESULT = "it is a result; pin what it is made of"
NOT_PINNED = {
    "systems": "purchases would not follow; state `count` of the fleet, or pin `systems_needed`",
    "purchases": "systems would not follow; state `count` of the fleet, or pin `systems_needed`",
    **dict.fromkeys((*HEADLINES, "cash_cost", "paid_at_start", "paid_through", "paid_at_end"), _RESULT),
}

MOMENTS = ("paid_at_start", "paid_through", "paid_at_end")


def _paid_at_moments(name: str, lines: dict[str, Line]) -> list[str]:
    """Parts of a subtotal that are paid at a moment of which the subtotal itself knows nothing."""
    if set(lines[name].part_of) & set(MOMENTS):
        return []
    parts = [item for item in lines.values() if name in item.part_of]
    below = [one for part in parts for one in _paid_at_moments(part.name, lines)]
    return [part.name for part in parts if set(part.part_of) & set(MOMENTS)] + below


def _pin(context: Context, plan: Plan, name: str, wanted: str, figure: Figure, place: tuple[str | int, ...]) -> None:
    if isinstance(figure.value, tuple) and len(figure.value) != context.timeline.periods:
        context.problems.add(
            place, f"{len(figure.value)} values for {context.timeline.periods} periods; state one for each"
        )
        return
    shown = wanted.replace("money", context.scenario.currency)
    foreign = currencies_in(figure.unit) - {context.scenario.currency}
    if foreign:
        context.problems.add(place, f"is in {min(foreign)}; a pinned line is in {context.scenario.currency}")
        return
    try:
        pinned = dated(replace(figure, unit=in_money(figure.unit)).to(wanted), context.scenario)
    except UnitError as error:
        context.problems.add(place, f"{error}; wanted {shown or 'a plain number'}, such as `{f'1 {shown}'.strip()}`")
        return
    numbers = pinned.value if isinstance(pinned.value, tuple) else (pinned.value,)
    if name in SHARES and any(not 0 <= float(number) <= 1 for number in numbers if not isinstance(number, tuple)):
        context.problems.add(place, "is beyond 0 to 100 %")
    elif name in FLAGS and any(number not in (0, 1) for number in numbers):
        context.problems.add(place, "is a flag; wanted 0 or 1")
    plan.pins[name] = pinned
