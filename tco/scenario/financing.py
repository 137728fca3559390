"""Loans and leases: which way they count, and what follows from their terms."""

from __future__ import annotations

from dataclasses import replace

from tco.scenario.gather import derived
from tco.scenario.plan import Context, Plan
from tco.scenario.schedules import resale_by_period
from tco.scenario.schema import Buy, Fleet, Lease

COMPOUNDINGS = {"yearly": 1.0, "quarterly": 4.0, "monthly": 12.0}
REPAYMENTS = {"level": "level_repayment", "equal_repayment": "equal_repayment", "interest_only": "repayment_at_term"}

BOOKED = {"finance": "rent_deducted_as_financed", "purchase": "rent_deducted_as_interest"}
"""How the rents of a lease that is booked are deducted."""


def borrowed(context: Context, buy: Buy, plan: Plan) -> None:
    """How a loan's rate compounds and how it is paid back."""
    loan = buy.loan
    plan.ways |= {
        "loan_period_rate": "effective_period_rate", "loan_repayment": "level_repayment",
        "loan_balance": "balance_of_term",
    }  # fmt: skip
    if loan is None:
        return
    plan.ways["loan_repayment"] = REPAYMENTS[loan.payments]
    if loan.payment:
        plan.ways |= {"loan_repayment": "agreed_repayment", "loan_balance": "balance_of_payment"}
        if loan.payments != "level":
            told = "an agreed `payment` is the same each period; leave one out, or state `payments: level`"
            context.problems.add((*plan.path, "buy", "loan", "payments"), told)
    if loan.compounding in COMPOUNDINGS:
        plan.ways["loan_period_rate"] = "nominal_period_rate"
        times = derived(COMPOUNDINGS[loan.compounding], "1/yr", f"nominal rate, compounding {loan.compounding}")
        plan.found.put("compoundings", times, (*plan.path, "buy", "loan", "compounding"))


def leased(context: Context, fleet: Fleet, lease: Lease, plan: Plan) -> None:
    """When rents are paid, what a buy-out brings, and how the lease is booked."""
    if lease.payments:
        advance = derived(float(lease.payments == "advance"), "", f"payments: {lease.payments}")
        plan.found.put("lease_in_advance", advance)
    if lease.accounting == "purchase":
        plan.found.put(
            "bought_on_credit", derived(1.0, "", "accounting: purchase"), (*plan.path, "lease", "accounting")
        )
    _bought_out(context, fleet, lease, plan)
    where = (*plan.path, "lease")
    if way := BOOKED.get(lease.accounting):
        plan.ways["deducted_rent"] = way
        if lease.rate is None:
            told = "a lease that is booked needs the `rate` at which its rents are discounted, such as `6 %`"
            context.problems.add(where, told)
    elif lease.rate:
        told = "`rate` counts only with `accounting: finance` or `purchase`; state it, or leave this out"
        context.problems.add((*where, "rate"), told, key=True)


def _bought_out(context: Context, fleet: Fleet, lease: Lease, plan: Plan) -> None:
    """A system that is bought out stays when its lease ends, as long as it lives."""
    where = (*plan.path, "lease")
    if lease.buyout is None:
        if lease.life:
            told = "a leased system leaves with its lease; `life` counts only with a `buyout`"
            context.problems.add((*where, "life"), told, key=True)
        return
    if lease.return_cost:
        told = "a system that is bought out does not go back; leave out `return_cost` or `buyout`"
        context.problems.add((*where, "return_cost"), told, key=True)
    if lease.life and lease.life.to("yr").number < lease.term.to("yr").number:
        context.problems.add((*where, "life"), "is shorter than the lease; state at least its `term`")
    plan.ways["contract_periods"] = "contract_for_term"
    plan.found.put("contract_term", lease.term, (*where, "term"))
    plan.found.drop("service_life")
    if lease.life:
        plan.found.put("service_life", lease.life, (*where, "life"))
    _resale_after(context, fleet, lease, plan)


def _resale_after(context: Context, fleet: Fleet, lease: Lease, plan: Plan) -> None:
    own = fleet.pricing if fleet.pricing and fleet.pricing.residual else None
    pricing = own or context.scenario.pricing
    if not (pricing and pricing.residual):
        return
    if "system_price" not in plan.found.figures:
        plan.tell("no-resale", "its price is not known, so nothing is counted for selling it after the buy-out")
        return
    dated = replace(pricing.residual, as_of=pricing.residual.as_of or context.scenario.as_of)
    shares = resale_by_period(dated, context.timeline, lease.life)
    step, term = context.timeline.months_per_period / 12, lease.term.to("yr").number
    rows = tuple((age, share if (age + 1) * step >= term - 1e-9 else 0.0) for age, share in shares.rows)
    told = f"nothing before the buy-out; {shares.note}"
    where = (*plan.path, "pricing", "residual") if own else ("pricing", "residual")
    plan.found.put("bought_out_share", replace(shares, value=rows, note=told), where)
