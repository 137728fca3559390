"""The answer in sentences built from numbers: what is recommended, why others lost, what would flip it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tco.report.facts import LABELS, PAYMENTS, Facts, duration, lowered, one
from tco.report.tables import Cell, Table, head, number, table
from tco.result import FleetResult
from tco.wording import counted, listed, money, percent, shortened, significant

CLOSE = 0.1
"""A lead below which two fleets are called equal: estimates of speed and price are not better than that."""


def decision(facts: Facts) -> list[str]:
    """The recommendation in two sentences, or why there is none."""
    best = facts.best
    cost = facts.cost(best) if best else None
    if best is None or cost is None:
        return _nothing(facts)
    amounts = [
        f"{money(value)} {facts.currency} {words}"
        for name, words in (("present_cost", "of present cost"), ("total_cost", "in cash"))
        if (value := one(best, name)) is not None and name != facts.measure
    ]
    whole = amounts and not best.unit_cost_only
    told = f", which is {' or '.join(amounts)} over {duration(facts.years)}" if whole else ""
    what = f"{best.id} ({shortened(best.name, 120)}, {PAYMENTS[best.payment]})"
    first = f"The cheapest fleet that can do the work is {what}: {facts.per(cost)}{told}."
    return [first, _beside(facts, best, cost)]


def _beside(facts: Facts, best: FleetResult, cost: float) -> str:
    """The next best and the saving against the reference, in one sentence."""
    second = facts.second
    other = facts.cost(second) if second else None
    if second and other is not None:
        told = f"The next best, {second.id}, costs {significant(other)} {facts.currency}, {_dearer(other, cost)}"
    else:
        told = "No other fleet of this scenario can do the work"
    return f"{told}; {_saving(facts, best)}."


def _dearer(other: float, cost: float) -> str:
    return f"{percent(other / cost - 1)} more" if cost > 0 else f"{significant(other - cost)} more"


def _saving(facts: Facts, best: FleetResult) -> str:
    reference = facts.reference
    if reference is None:
        return "no reference fleet is named, so no saving is stated"
    if reference is best:
        return "the recommended fleet is itself the reference"
    found = facts.result.comparison.get(best.id, {}).get("npv", {})
    value, base = found.get("value"), one(reference, "present_cost")
    if value is None:
        return f"the saving against the reference {reference.id} is not stated ({found.get('reason', 'not computed')})"
    share = f" ({percent(abs(value) / base)})" if base else ""
    verb = "saves" if value >= 0 else "costs"
    amount = f"{money(abs(value))} {facts.currency}{'' if value >= 0 else ' more'}"
    return f"against the reference {reference.id} it {verb} {amount} in present value{share}"


def _nothing(facts: Facts) -> list[str]:
    """What to say when no fleet can do the work."""
    counts = Counter(fleet.verdict for fleet in facts.result.fleets)
    told = listed([f"{count} × {verdict}" for verdict, count in counts.items()])
    return [
        "No fleet of this scenario can do the work that is asked, so nothing is recommended.",
        f"Verdicts of {counted(len(facts.result.fleets), 'fleet')}: {told}; the reasons stand under Options compared.",
    ]


def cautions(facts: Facts) -> list[str]:
    """What a reader must hold against the recommendation."""
    return list(_cautions(facts))


def _cautions(facts: Facts) -> Iterator[str]:
    best, second = facts.best, facts.second
    for fleet in (best, second):
        if fleet and fleet.recalled_or_stale_share > 0:
            share = percent(fleet.recalled_or_stale_share)
            yield f"{share} of the present cost of {fleet.id} rests on recalled or stale prices."
    cost, other = (facts.cost(fleet) if fleet else None for fleet in (best, second))
    if best and second and cost and other is not None and 0 <= other / cost - 1 < CLOSE:
        lead = f"{best.id} leads {second.id} by {percent(other / cost - 1)} only"
        yield f"{lead}, less than the inputs are known: treat the two as equal in cost."
    if best and best.unit_cost_only:
        yield f"{best.id} states its utilization and is compared on unit cost only, not on total cost."
    for alert in facts.result.warnings:
        if _concerns(facts, alert.code, alert.fleet):
            told = f"{alert.fleet}: {alert.text}" if alert.fleet else alert.text
            yield f"{told[:1].upper()}{told[1:]}."


def _concerns(facts: Facts, code: str, fleet: str) -> bool:
    shown = {"", *(one.id for one in (facts.best, facts.second) if one)}
    return code in ("not-the-same-quality", "quote-expired") and fleet in shown


def lost(facts: Facts) -> Table:
    """Every fleet that is not recommended, and why."""
    others = [fleet for fleet in facts.ordered if fleet is not facts.best]
    names = [head(fleet.id, shortened(fleet.name, 160)) for fleet in others]
    told = [Cell(why_lost(facts, fleet)) for fleet in others]
    rows = [[name, Cell(fleet.verdict), why] for name, fleet, why in zip(names, others, told, strict=True)]
    return table("Why each other fleet lost", ("Fleet", "Verdict", "Why"), rows, style="prose")


def why_lost(facts: Facts, fleet: FleetResult) -> str:
    """The price difference with the category behind it, or the reasons of the verdict."""
    if fleet.verdict != "ok":
        return "; ".join(fleet.reasons) or fleet.verdict
    best = facts.best
    cost, least = facts.cost(fleet), facts.cost(best) if best else None
    if best is None or cost is None or least is None:
        return fleet.reason(facts.measure)
    return f"{_dearer(cost, least).replace(' more', ' dearer')} than {best.id}{_because(facts, fleet, best)}"


def _because(facts: Facts, fleet: FleetResult, best: FleetResult) -> str:
    mine, theirs = facts.parts.get(fleet.id, {}), facts.parts.get(best.id, {})
    differences = {name: mine.get(name, 0.0) - theirs.get(name, 0.0) for name in {**mine, **theirs}}
    if not differences:
        return ""
    most = max(differences, key=lambda name: differences[name])
    least = min(differences, key=lambda name: differences[name])
    if differences[most] <= 0:
        return ""
    more, saved = differences[most], -differences[least]
    told = f", because {_words(most)} {significant(more)} {facts.unit} {'less' if most == 'residual_cost' else 'more'}"
    offset = f" ({_words(least)} {significant(saved)} {'more' if least == 'residual_cost' else 'less'})"
    return told + (offset if saved > more / 10 else "")


def _words(category: str) -> str:
    return "resale brings" if category == "residual_cost" else f"{lowered(category)} costs"


def flips(facts: Facts) -> Table | None:
    """By how much a category of the two leaders must move, all else equal, until they change places."""
    best, second = facts.best, facts.second
    cost, other = (facts.cost(fleet) if fleet else None for fleet in (best, second))
    if best is None or second is None or cost is None or other is None:
        return None
    gap = other - cost
    rows = [
        [
            head(f"{LABELS[name]} of {fleet.id}"),
            number(value, significant, facts.unit),
            number(sign * gap / value, _signed),
        ]
        for fleet, sign in ((best, 1), (second, -1))
        for name, value in facts.parts.get(fleet.id, {}).items()
        if value > 0 and gap / value <= 1
    ]
    if not rows:
        return None
    note = "One category at a time, all else equal; categories that would have to move by more than 100 % are left out."
    caption = f"What would flip the answer to {second.id}"
    return table(caption, ("Category", f"Now, {facts.unit}", "Change that flips"), rows, note=note)


def _signed(share: float) -> str:
    return f"+{percent(share)}" if share > 0 else percent(share)
