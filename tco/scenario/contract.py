"""Figures that follow from how a fleet is paid: terms, billing, residual, cached input."""

from __future__ import annotations

from dataclasses import replace

from tco.scenario.gather import derived
from tco.scenario.plan import Context, Parts, Plan
from tco.scenario.schedules import resale_by_period
from tco.scenario.schema import Buy, Fleet, Lease, Rent

HOURS_A_WEEK = 168
COMMITTED = ("reserved", "capacity_block", "index")
"""Pricings of the catalogue whose term binds."""


def contract(context: Context, fleet: Fleet, parts: Parts, plan: Plan) -> None:
    """Add what buying, leasing, renting or calling an API brings."""
    if fleet.buy:
        _owned(context, fleet, fleet.buy, plan)
    elif fleet.lease:
        _leased(context, fleet.lease, plan)
    elif fleet.rent:
        _rented(context, fleet.rent, parts, plan)
        _billed(context, fleet.rent, plan)
    else:
        _called(plan)


def _owned(context: Context, fleet: Fleet, buy: Buy, plan: Plan) -> None:
    if buy.sunk:
        if fleet.count is None:
            told = "a machine that is there already comes in a number; state `count` of the fleet, such as `1`"
            context.problems.add((*plan.path, "buy", "sunk"), told)
        paid = derived(0.0, "money/system", f"already paid: {buy.sunk}", as_of=context.scenario.as_of)
        plan.found.put("system_price", replace(paid, note="sunk"), (*plan.path, "buy", "sunk"))
    own = fleet.pricing if fleet.pricing and fleet.pricing.residual else None
    pricing = own or context.scenario.pricing
    if pricing and pricing.residual:
        life = plan.found.figures.get("service_life")
        dated = replace(pricing.residual, as_of=pricing.residual.as_of or context.scenario.as_of)
        shares = resale_by_period(dated, context.timeline, life)
        where = (*plan.path, "pricing", "residual") if own else ("pricing", "residual")
        plan.found.put("resale_share", shares, where, shared=life is None and own is None)


def _leased(context: Context, lease: Lease, plan: Plan) -> None:
    if lease.payments:
        advance = derived(float(lease.payments == "advance"), "", f"payments: {lease.payments}")
        plan.found.put("lease_in_advance", advance)


def _rented(context: Context, rent: Rent, parts: Parts, plan: Plan) -> None:
    """A reservation lasts its term; on demand, as many instances are there as each period needs."""
    where = (*plan.path, "rent")
    pricing = parts.offer.texts.get("pricing", "") if parts.offer else ("reserved" if rent.term else "on_demand")
    term = rent.term or plan.found.figures.get("rent_term")
    if pricing == "spot" and "interruption_loss" not in plan.found.figures:
        told = "a spot offer loses work when it is interrupted; state `interruption_loss`, such as `5 %`"
        context.problems.add(where, told)
    if pricing == "reserved" and term is None:
        context.problems.add(where, "a reservation needs its `term`, such as `1 yr`")
    if term is not None and pricing in COMMITTED:
        plan.found.put("service_life", term)
    else:
        length = context.timeline.months_per_period / 12
        plan.found.put("service_life", derived(length, "yr", "on demand: as many instances as each period needs"))


def _billed(context: Context, rent: Rent, plan: Plan) -> None:
    """Around the clock, in an active window, or only while busy."""
    plan.ways["billed_share"] = "billed_always"
    if rent.billing is None:
        return
    upfront = plan.found.figures.get("upfront_share")
    if upfront and upfront.number > 0:
        told = "what is paid upfront is paid for the whole term; leave out `billing`, or choose an offer without"
        context.problems.add((*plan.path, "rent", "billing"), told)
    if rent.billing.scale_to_zero:
        plan.ways["billed_share"] = "billed_busy"
    elif rent.billing.active_window:
        hours = rent.billing.active_window.to("h/day").number
        days = rent.billing.days.to("day/week").number if rent.billing.days else 7.0
        share = hours * days / HOURS_A_WEEK
        plan.ways["billed_share"] = "billed_window"
        window = derived(share, "", f"{hours:g} h a day on {days:g} days a week", as_of=context.scenario.as_of)
        plan.found.put("window_share", window, (*plan.path, "rent", "billing"))
        _peak_of_window(context, share, plan)


def _peak_of_window(context: Context, share: float, plan: Plan) -> None:
    """All demand falls inside the window, so its mean there may not be above the peak."""
    peak = plan.found.figures.get("peak_to_mean")
    if peak and peak.is_one and peak.number * share < 1 - 1e-9:
        told = (
            f"all demand falls inside {share:.0%} of the time: its mean there is {1 / share:.2f} times the overall "
            f"mean, above the peak of {peak.number:g}; state a peak_to_mean of at least {1 / share:.2f}"
        )
        context.problems.add((*plan.path, "rent", "billing"), told)


def _called(plan: Plan) -> None:
    """Without a price for cached input, it is billed as input, and said so."""
    figures = plan.found.figures
    if "cached_input_price" in figures or "input_price" not in figures:
        return
    note = "no price for cached input: billed at the input price"
    plan.found.put("cached_input_price", replace(figures["input_price"], note=note))
    if "prefix_cache_hit" in figures:
        plan.tell("cached-input", "the offer has no price for cached input; it is billed at the input price")
