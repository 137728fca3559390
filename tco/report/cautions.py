"""What a reader must hold against the recommendation, before signing and not at the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tco.report.facts import Facts, settlement
from tco.result import Alert, FleetResult
from tco.wording import money, percent

CLOSE = 0.1
"""A lead below which two fleets are called equal: estimates of speed and price are not better than that."""

BOOKKEEPING = ("already-included", "electricity-in-rent", "purchase", "tier")
"""Of a reference these say how a price was read, and change no comparison."""

ASSUMPTIONS = (
    "active-window", "scale-to-zero", "sunk", "not-checked", "unit-cost-only", "uncalibrated", "partitioned", "ported",
    "scaled",
)  # fmt: skip
"""What one fleet is granted and another is not: a fleet that comes first so is told together with its assumption."""


@dataclass(frozen=True)
class Caution:
    """Whom it concerns, and what it is."""

    who: str
    text: str


def cautions(facts: Facts) -> list[Caution]:
    """The lead, then every warning of the recommended fleet, the next best, the reference, and of all fleets."""
    return list(dict.fromkeys(_cautions(facts)))


def _cautions(facts: Facts) -> Iterator[Caution]:
    yield from _lead(facts)
    told = set[str]()
    for fleet in (facts.best, facts.second, facts.reference):
        if fleet and fleet.id not in told:
            told.add(fleet.id)
            who = f"{fleet.id} ({facts.role(fleet)})"
            yield from (Caution(who, text) for text in _of_fleet(facts, fleet))
    yield from (Caution("All fleets", sentence(alert.text)) for alert in facts.warnings if not alert.fleet)


def _lead(facts: Facts) -> Iterator[Caution]:
    best, second = facts.best, facts.second
    cost, other = (facts.cost(fleet) if fleet else None for fleet in (best, second))
    if best and second and cost and other is not None and 0 <= other / cost - 1 < CLOSE:
        lead = f"{best.id} leads {second.id} by {percent(other / cost - 1)} only"
        yield Caution("", f"{lead}, less than the inputs are known: treat the two as equal in cost.")


def _of_fleet(facts: Facts, fleet: FleetResult) -> Iterator[str]:
    found = [alert for alert in alerts(facts, fleet) if _matters(facts, fleet, alert)]
    yield from (sentence(alert.text) for alert in found)
    codes = {alert.code for alert in found}
    if settlement(fleet) > 0 and "settlement" not in codes:
        amount = f"{money(settlement(fleet))} {facts.currency}"
        yield f"Contracts that outlast the horizon are paid to their end: {amount} of its total are for time after it."
    if fleet.recalled_or_stale_share > 0 and "recalled-or-stale" not in codes:
        yield f"{percent(fleet.recalled_or_stale_share)} of its present cost rests on recalled or stale prices."
    if fleet.unit_cost_only and not codes & {"unit-cost-only", "serves-share"}:
        yield "It states its utilization: compare its unit cost only, not its total."


def _matters(facts: Facts, fleet: FleetResult, alert: Alert) -> bool:
    return fleet in (facts.best, facts.second) or alert.code not in BOOKKEEPING


def alerts(facts: Facts, fleet: FleetResult) -> list[Alert]:
    """The warnings of a fleet."""
    return [alert for alert in facts.warnings if alert.fleet == fleet.id]


def sentence(text: str) -> str:
    """A warning as a sentence: capital first, one full stop."""
    return f"{text[:1].upper()}{text[1:].rstrip('. ')}."


def assumption(facts: Facts) -> str:
    """Under which assumptions the recommended fleet comes first, and who comes first without; empty if none."""
    best = facts.best
    held = _held(facts, best) if best else []
    if best is None or not held:
        return ""
    told = "; ".join(dict.fromkeys(held)).rstrip(". ")
    free = next((fleet for fleet in facts.ranked if not _held(facts, fleet)), None)
    cost = facts.cost(free) if free else None
    if free is None or cost is None:
        without = "No fleet that can do the work is free of such an assumption"
    else:
        without = f"The cheapest fleet without an assumption of this kind is {free.id}, at {facts.per(cost)}"
    return f"{best.id} comes first on an assumption: {told}. {without}."


def _held(facts: Facts, fleet: FleetResult) -> list[str]:
    return [alert.text for alert in alerts(facts, fleet) if alert.code in ASSUMPTIONS]
