"""What the amount is and how it ties to the report's total cost, in words that all files of the pack share."""

from __future__ import annotations

from tco.report.facts import duration, lowered
from tco.request.asked import Asked
from tco.wording import MINUS, listed, money


def kind_words(asked: Asked) -> str:
    """What the amount is made of, and what it leaves out."""
    return " ".join((_what(asked), *_not_asked(asked)))


def _what(asked: Asked) -> str:
    amount, lines = asked.amount, asked.fleet.model.lines
    if not amount.bound:
        return "Nothing is committed: by use it may stop at any time. Payments to the provider, as planned."
    if not amount.parts:
        return "Nothing is to be paid with the first order."
    if asked.fleet.payment == "rent":
        return "Committed fees of the reservation, for its term."
    if asked.fleet.payment == "lease":
        return "Rents of the lease for its term, with its fees and what is bought with it."
    taxed = "with sales tax" if "sales_tax_cost" in lines else "no sales tax is stated"
    quoted = any(part.when.startswith("quote ") for part in amount.parts)
    bound = ", and what its quotes bind for their term" if quoted else ""
    return f"Capital of the order in {amount.period} ({taxed}){bound}."


def _not_asked(asked: Asked) -> list[str]:
    amount, fleet = asked.amount, asked.fleet
    told: list[str] = []
    if amount.later:
        told.append(f"Orders after it, {asked.shown(amount.later)} of capital, are not asked for here.")
    bare = [name for name, line in (("support", "support_cost"), ("licences", "licence_cost"))
            if line in fleet.model.lines and line not in {part.line for part in amount.parts}]  # fmt: skip
    if amount.bound and bare:
        told.append(f"No term is stated for {' and '.join(bare)}, so that nothing of it is in the amount.")
    return told


def tie_words(asked: Asked) -> str:
    """The report's total cost as the amount and what stands beside it, in whole units."""
    amount, over = asked.amount, duration(asked.facts.years)
    if amount.total is None:
        why = asked.fleet.reason("total_cost") or "its work is not that of the scenario"
        return f"The report shows no total cost of this fleet: {why}."
    name = "amount" if amount.bound else "expected spend"
    beside = [_signed(asked, category, value) for category, value in amount.beside.items()]
    below = [lowered(one) for one, value in amount.beside.items() if value < 0 and one != "residual_cost"]
    why = f" Committed beyond what the report counts: {listed(below)}." if below else ""
    made = " ".join((name, money(amount.value), *beside))
    return f"{money(amount.total)} {asked.currency} over {over} = {made} (rounded).{why}"


def _signed(asked: Asked, category: str, value: float) -> str:
    """One category beside the amount; `other` where a part of it is inside."""
    inside = category in {part.category for part in asked.amount.parts}
    name = f"other {lowered(category)}" if inside and value > 0 else lowered(category)
    return f"{MINUS if value < 0 else '+'} {name} {money(abs(value))}"
