"""The answer in sentences built from numbers: what is recommended, why others lost, what would flip it."""

from __future__ import annotations

from collections import Counter

from tco.report.cautions import assumption
from tco.report.facts import JOBS, LABELS, PAYMENTS, Facts, duration, lowered, one, run_cost
from tco.report.tables import Cell, Table, head, number, table
from tco.result import FleetResult
from tco.wording import counted, listed, money, percent, plain, shortened


def decision(facts: Facts) -> list[str]:
    """The recommendation in two or three paragraphs, or why there is none."""
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
    told = f"; in all {' or '.join(amounts)} over {duration(facts.years)}" if whole else ""
    what = f"{best.id} ({shortened(best.name, 120)}, {PAYMENTS[best.payment]})"
    run = run_cost(best)
    each = f", {plain(run)} {facts.currency} a {JOBS[facts.kind]}" if run is not None and facts.kind in JOBS else ""
    first = f"The cheapest fleet that can do the work is {what}: {facts.per(cost)}{each}{told}."
    return list(filter(None, (first, f"{_beside(facts, best, cost)} {_saving(facts, best)}.", assumption(facts))))


def _beside(facts: Facts, best: FleetResult, cost: float) -> str:
    """The next best against the recommended, in one sentence."""
    second = facts.second
    other = facts.cost(second) if second else None
    if second is None or other is None:
        return "No other fleet of this scenario can do the work."
    return f"The next best, {second.id}, costs {facts.per(other)}, {_dearer(facts, other, cost)} than {best.id}."


def _dearer(facts: Facts, other: float, cost: float) -> str:
    return f"{percent(other / cost - 1)} more" if cost > 0 else f"{facts.form(other - cost)} more"


def _saving(facts: Facts, best: FleetResult) -> str:
    reference = facts.reference
    if reference is None:
        return "The scenario names no reference fleet, so no saving is stated"
    if reference is best:
        return f"{best.id} is itself the reference, so it saves nothing against it"
    found = facts.result.comparison.get(best.id, {}).get("npv", {})
    value, base = found.get("value"), one(reference, "present_cost")
    if value is None:
        reason = found.get("reason", "not computed")
        return f"The saving of {best.id} against the reference {reference.id} is not stated ({reason})"
    share = f" ({percent(abs(value) / base)})" if base else ""
    verb = "saves" if value >= 0 else "costs"
    amount = f"{money(abs(value))} {facts.currency}{'' if value >= 0 else ' more'}"
    return f"Against the reference {reference.id}, {best.id} {verb} {amount} in present value{share}"


def _nothing(facts: Facts) -> list[str]:
    """What to say when no fleet can do the work."""
    counts = Counter(fleet.verdict for fleet in facts.result.fleets)
    told = listed([f"{count} × {verdict}" for verdict, count in counts.items()])
    return [
        "No fleet of this scenario can do the work that is asked, so nothing is recommended.",
        f"Verdicts of {counted(len(facts.result.fleets), 'fleet')}: {told}; the reasons stand under Options compared.",
    ]


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
    return f"{_dearer(facts, cost, least).replace(' more', ' dearer')} than {best.id}{_because(facts, fleet, best)}"


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
    told = f", because {_words(most)} {facts.form(more)} {facts.unit} {'less' if most == 'residual_cost' else 'more'}"
    offset = f" ({_words(least)} {facts.form(saved)} {'more' if least == 'residual_cost' else 'less'})"
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
            number(value, facts.form, facts.unit),
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
