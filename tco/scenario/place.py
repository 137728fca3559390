"""Figures that follow from where systems stand: cooling, electricity, and what their price holds already."""

from __future__ import annotations

from dataclasses import replace

from tco.scenario.electricity import FED, electricity
from tco.scenario.gather import derived, flag
from tco.scenario.plan import Context, Parts, Plan
from tco.scenario.schema import Fleet
from tco.scenario.weather import weather

LIQUID = ("liquid", "immersion")
INCLUDED = {
    "network_price": "scale_out_network",
    "rack_price": "rack",
    "storage_price": "storage",
    "support_price": "support",
    "fit_out_price": "facility",
}
"""Prices that a system's own price may hold already, by the catalogue's word for it."""


def place(context: Context, fleet: Fleet, parts: Parts, plan: Plan) -> None:
    """Add cooling and electricity; drop what is not charged there."""
    desk_side = bool(parts.system and parts.system.texts.get("desk_side") == "yes")
    _cooling(context, fleet, plan, desk_side)
    if not desk_side:
        _suits(context, fleet, parts, plan)
        _unchecked(plan)
    _electricity(context, fleet, plan, desk_side)
    _already_included(context, parts, plan)


def _cooling(context: Context, fleet: Fleet, plan: Plan, desk_side: bool) -> None:
    cooling = fleet.cooling or context.scenario.cooling
    if desk_side and not fleet.cooling:
        _no_plant(context, plan, "a machine beside a desk has no cooling plant")
        plan.found.drop("retrofit_price", "water_use", "colocation_price")
    elif cooling and cooling.kind == "none" and cooling.pue is None and not cooling.weather:
        _no_plant(context, plan, "cooling: none")
    else:
        weather(context, fleet, plan)


def _no_plant(context: Context, plan: Plan, source: str) -> None:
    one = derived(1.0, "", source, as_of=context.scenario.as_of)
    plan.found.put("pue", replace(one, status="default", origin="default"))
    plan.found.drop("fixed_overhead_share", "worst_pue")


def _suits(context: Context, fleet: Fleet, parts: Parts, plan: Plan) -> None:
    """A liquid-only system on another kind of site needs a retrofit or its own cooling."""
    if parts.system is None or parts.system.texts.get("cooling") != "liquid":
        return
    kind = next((one.kind for one in (fleet.cooling, context.scenario.cooling) if one and one.kind), None)
    unsuited = kind not in LIQUID and "retrofit_price" not in plan.found.figures
    told = f"{parts.system.id} needs liquid cooling, the site has {(kind or 'no kind stated').replace('_', ' ')}"
    plan.found.put("cooling_mismatch", flag(unsuited, told))


def _unchecked(plan: Plan) -> None:
    """A limit of a rack needs what the system weighs, and how tall it is."""
    figures = plan.found.figures
    for limit, words, needed in (
        ("floor_limit", "the load of the floor", ("system_weight", "rack_units")),
        ("rack_power_limit", "the power of a rack", ("rack_units",)),
    ):
        missing = [name for name in needed if name not in figures]
        if limit in figures and missing:
            plan.tell("not-checked", f"{words} is not checked: {' and '.join(missing)} not known; state under `inputs`")


ELECTRICITY = (
    "electricity_cost", "demand_cost", "fixed_electricity_cost", "electricity_charges", "minimum_bill_cost",
)  # fmt: skip


def _electricity(context: Context, fleet: Fleet, plan: Plan, desk_side: bool) -> None:
    """What the colocation rent holds is not charged again."""
    pricing = fleet.pricing if fleet.pricing and fleet.pricing.colocation else context.scenario.pricing
    colocation = pricing.colocation if pricing else None
    if colocation and colocation.includes_electricity and not desk_side:
        plan.found.drop(*FED)
        plan.without.update(ELECTRICITY)
        plan.tell("electricity-in-rent", "electricity is in the colocation rent and not charged again")
        return
    electricity(context, fleet, plan)


def _already_included(context: Context, parts: Parts, plan: Plan) -> None:
    """What a system's price contains is not charged again."""
    held = parts.system.texts.get("includes", "").split() if parts.system else []
    for name, word in INCLUDED.items():
        if word not in held or name not in plan.found.figures or parts.system is None:
            continue
        where, words = plan.found.paths.get(name, ()), word.replace("_", " ")
        own = where[:1] == ("quotes",) and plan.found.paths.get("system_price", ())[:1] != ("quotes",)
        if where[:1] == ("fleets",) or own:
            context.problems.add(where, f"the price of {parts.system.id} holds its {words} already; leave this out")
        elif not plan.found.paths.get("system_price"):
            plan.found.drop(name)
            plan.tell("already-included", f"{words} is in the system's price and not charged again")
