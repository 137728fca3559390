"""Figures that follow from how a fleet is paid: terms, billing, residual, cached input."""

from __future__ import annotations

from dataclasses import replace

from tco.scenario.called import called
from tco.scenario.financing import borrowed, leased
from tco.scenario.gather import derived
from tco.scenario.plan import Context, Parts, Plan
from tco.scenario.schedules import at_retirement, resale_by_period
from tco.scenario.schema import Billing, Buy, Fleet, Rent
from tco.wording import percent

HOURS_A_WEEK = 168
COMMITTED = ("reserved", "capacity_block", "index")
"""Pricings of the catalogue whose term binds."""


def contract(context: Context, fleet: Fleet, parts: Parts, plan: Plan) -> None:
    """Add what buying, leasing, renting or calling an API brings."""
    if fleet.buy:
        _owned(context, fleet, fleet.buy, plan)
    elif fleet.lease:
        leased(context, fleet, fleet.lease, plan)
    elif fleet.rent:
        reserved = _rented(context, fleet.rent, parts, plan)
        _billed(context, fleet.rent, plan, reserved)
        if "gpu_hour_price" not in plan.found.figures and plan.id not in context.scenario.pin:
            price = f"`price: … {context.scenario.currency}/gpu/h`"
            told = f"no price of a GPU-hour is known; name an `offer`, or state {price}"
            context.problems.add((*plan.path, "rent"), told, key=True)
    elif fleet.api:
        called(context, fleet.api, parts, plan)


def _owned(context: Context, fleet: Fleet, buy: Buy, plan: Plan) -> None:
    if buy.sunk:
        _sunk(context, fleet, buy, plan)
    borrowed(context, buy, plan)
    own = fleet.pricing if fleet.pricing and fleet.pricing.residual else None
    pricing = own or context.scenario.pricing
    if own and buy.resale:
        told = "`resale` and `pricing.residual` say the same; keep one"
        context.problems.add((*plan.path, "buy", "resale"), told, key=True)
    if pricing and pricing.residual and not buy.resale:
        life = plan.found.figures.get("service_life")
        dated = replace(pricing.residual, as_of=pricing.residual.as_of or context.scenario.as_of)
        shares = resale_by_period(dated, context.timeline, life)
        where = (*plan.path, "pricing", "residual") if own else ("pricing", "residual")
        plan.found.put("resale_share", shares, where, shared=life is None and own is None)
        if retired := at_retirement(shares, context.timeline, life):
            plan.found.put("retired_share", retired, where)


OF_THE_PRICE = ("maintenance_share", "insurance_share", "property_tax_share")
"""Shares of a price that a machine which is already paid does not have."""


def _sunk(context: Context, fleet: Fleet, buy: Buy, plan: Plan) -> None:
    """Already paid: no price, no replacement, and nothing that is a share of the price."""
    where = (*plan.path, "buy", "sunk")
    if fleet.count is None:
        told = "a machine that is there already comes in a number; state `count` of the fleet, such as `1`"
        context.problems.add(where, told)
    for name in ("price", "life", "loan"):
        if getattr(buy, name) is not None:
            told = f"a machine that is already paid has no `{name}` to be bought again; leave out `{name}` or `sunk`"
            context.problems.add((*plan.path, "buy", name), told)
    paid = derived(0.0, "money/system", f"already paid: {buy.sunk}", as_of=context.scenario.as_of)
    plan.found.put("system_price", replace(paid, note="sunk"), where)
    for name in OF_THE_PRICE:
        place = plan.found.paths.get(name, ())
        if name in plan.found.figures and place[:1] == ("fleets",):
            told = "is a share of the price, and a machine that is already paid has none; leave it out"
            context.problems.add(place, told)
        elif name in plan.found.figures:
            plan.found.drop(name)
            plan.tell("sunk", f"already paid, so {name.replace('_', ' ')} of its price is not counted")


def _rented(context: Context, rent: Rent, parts: Parts, plan: Plan) -> bool:
    """A reservation (True) lasts its term; on demand, as many instances are there as each period needs."""
    where = (*plan.path, "rent")
    pricing = parts.offer.texts.get("pricing", "") if parts.offer else ("reserved" if rent.term else "on_demand")
    term = rent.term or plan.found.figures.get("rent_term")
    if pricing == "spot" and "interruption_loss" not in plan.found.figures:
        told = "a spot offer loses work when it is interrupted; state `interruption_loss`, such as `5 %`"
        context.problems.add(where, told)
    if pricing == "reserved" and term is None:
        context.problems.add(where, "a reservation needs its `term`, such as `1 yr`")
    if pricing not in COMMITTED:
        for name in ("term", "upfront", "exit"):
            if getattr(rent, name) is not None:
                told = f"{parts.offer.id if parts.offer else 'this rent'} is paid by use and has no `{name}`"
                context.problems.add((*where, name), f"{told}; leave it out, or choose a reserved offer")
    offered = parts.offer.figures.get("rent_term") if parts.offer else None
    if rent.term and offered and rent.price is None and abs(rent.term.to("yr").number / offered.number - 1) > 1e-9:
        told = f"the price of the offer holds for {offered.number:g} yr; state the `price` for this term too"
        context.problems.add((*where, "term"), told)
    if term is not None and pricing in COMMITTED:
        plan.found.put("service_life", term)
        return True
    length = context.timeline.months_per_period / 12
    plan.found.put("service_life", derived(length, "yr", "on demand: as many instances as each period needs"))
    return False


def _billed(context: Context, rent: Rent, plan: Plan, reserved: bool) -> None:
    """Around the clock, in an active window, or only while busy."""
    plan.ways["billed_share"] = "billed_always"
    if rent.billing is None:
        return
    if reserved:
        told = "a reservation is paid around the clock; leave out `billing`, or choose an offer on demand"
        context.problems.add((*plan.path, "rent", "billing"), told)
    _one_way_to_bill(context, rent.billing, plan)
    if rent.billing.scale_to_zero:
        plan.ways["billed_share"] = "billed_busy"
    elif rent.billing.active_window:
        hours = rent.billing.active_window.to("h/day").number
        days = rent.billing.days.to("day/week").number if rent.billing.days else 7.0
        share = hours * days / HOURS_A_WEEK
        plan.ways["billed_share"] = "billed_window"
        window = derived(share, "", f"{hours:g} h a day on {days:g} days a week", as_of=context.scenario.as_of)
        told = f"all demand is taken to fall inside its active window ({percent(share)} of the time)"
        plan.tell("active-window", f"{told}; the other fleets serve at any hour")
        plan.found.put("window_share", window, (*plan.path, "rent", "billing"))
        _peak_of_window(context, share, plan)


def _one_way_to_bill(context: Context, billing: Billing, plan: Plan) -> None:
    where = (*plan.path, "rent", "billing")
    if billing.scale_to_zero:
        plan.tell("scale-to-zero", "paid only while busy; start-up, minimum billing and kept storage are not counted")
    if billing.scale_to_zero and billing.active_window:
        context.problems.add(
            where, "read `scale_to_zero` and `active_window`; an instance is billed in one way, keep one"
        )
    if billing.days and not billing.active_window:
        context.problems.add((*where, "days"), "days need an `active_window`, such as `10 h/day`")
    if billing.scale_to_zero is None and not billing.active_window and not billing.days:
        context.problems.add(where, "is empty; state `active_window` or `scale_to_zero`, or leave it out")


def _peak_of_window(context: Context, share: float, plan: Plan) -> None:
    """All demand falls inside the window, so its mean there may not be above the peak."""
    peak = plan.found.figures.get("peak_to_mean")
    if peak and peak.is_one and peak.number * share < 1 - 1e-9:
        told = (
            f"all demand falls inside {share:.0%} of the time: its mean there is {1 / share:.2f} times the overall "
            f"mean, above the peak of {peak.number:g}; state a peak_to_mean of at least {1 / share:.2f}"
        )
        context.problems.add((*plan.path, "rent", "billing"), told)
