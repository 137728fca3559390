"""A mix in words and tables for the terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from tco.console import money, table
from tco.mix.found import Alternative, Mixed
from tco.mix.plan import Part
from tco.mix.worth import Worth
from tco.wording import listed, percent, plain

SAME = 1e-6
WHAT = {
    "power": "of power", "racks": "of space", "budget": "of budget", "yearly budget": "of budget in each year",
    "carbon": "of carbon", "largest share": "for the largest share",
}  # fmt: skip


def text_of(found: Mixed) -> str:
    """Headline, systems and shares by moment, each fleet alone, and what the limits cost."""
    plan = found.plan
    scenario = plan.asked.scenario
    parts = [
        scenario.title,
        headline(found),
        "",
        table(list(_systems(found))),
        "",
        table(list(_shares(found))),
        "",
        table(list(_alone(found))),
    ]
    limits = limits_told(found)
    notes = [*limits, *(f"warning: {one}" for one in cautions(found))]
    return "\n".join([*parts, *(["", *notes] if notes else [])])


def headline(found: Mixed) -> str:
    """What the plan costs, how sure that is, and what it saves."""
    plan = found.plan
    currency = plan.asked.scenario.currency
    best = cheapest_alone(found)
    beside = "no fleet alone does it"
    if best and len(plan.parts) == 1:
        beside = f"{best[0]} alone, no mix is cheaper"
    elif best:
        beside = f"{best[0]} alone, the cheapest of the fleets, costs {money(best[1])}"
    return f"present cost {money(plan.engine_cost)} {currency}, {proof(found)}; {beside}"


def cheapest_alone(found: Mixed) -> tuple[str, float] | None:
    """The cheapest fleet that does everything alone."""
    able = [(one.cost, one.fleet) for one in found.alone if one.cost is not None]
    return (min(able)[1], min(able)[0]) if able else None


def proof(found: Mixed) -> str:
    """Whether there can be a cheaper plan."""
    solution = found.plan.solution
    if solution.proven:
        return "proven the cheapest"
    return f"not proven the cheapest: another may cost up to {percent(solution.gap, 2)} less"


def _systems(found: Mixed) -> Iterator[dict[str, str]]:
    asked = found.plan.asked
    currency = asked.scenario.currency
    for part in found.plan.parts:
        row = {"fleet": part.id, "what": textwrap.shorten(part.name, 40, placeholder="…")}
        for moment in asked.moments:
            row[f"systems {moment.label}"] = standing_told(part, moment.first, moment.end)
        yield {**row, f"present cost {currency}": money(part.cost)}


def standing_told(part: Part, first: int, end: int) -> str:
    """Systems that stand in a moment, with both ends where they change; a dash where there are none to count."""
    if part.payment == "api":
        return "-"
    here = part.standing[first:end]
    low, high = float(here[0]), float(here[-1])
    return f"{low:,.0f}" if low == high else f"{low:,.0f} to {high:,.0f}"


def _shares(found: Mixed) -> Iterator[dict[str, str]]:
    asked = found.plan.asked
    for name in asked.classes:
        for part in found.plan.parts:
            if any(part.shares[name]):
                row = {"class": name, "served by": part.id}
                pairs = zip(asked.moments, part.shares[name], strict=True)
                yield row | {moment.label: percent(share) if share else "-" for moment, share in pairs}


def _alone(found: Mixed) -> Iterator[dict[str, str]]:
    currency = found.plan.asked.scenario.currency
    whole = found.plan.cost
    for one in found.alone:
        yield {"alone": one.fleet, f"present cost {currency}": money(one.cost), "than the mix": than_told(one, whole)}


def than_told(one: Alternative, whole: float) -> str:
    """How much more a fleet alone costs, or why it cannot."""
    if one.cost is None or whole <= 0:
        return one.reason
    more = one.cost / whole - 1
    return f"{percent(more)} more" if more > SAME else "the same"


def limits_told(found: Mixed) -> list[str]:
    """A sentence for each limit."""
    return [limit_told(one, found.plan.asked.scenario.currency) for one in found.worths]


def limit_told(one: Worth, currency: str) -> str:
    """What one more unit of a limit is worth, by solving again."""
    more = f"one more {one.unit}" if one.step == 1 else f"{money(one.step)} {one.unit} more"
    name = f"{more} {WHAT.get(one.limit, '')}".strip()
    head = f"{one.limit} ({used_told(one)}):"
    sure = "" if one.exact else " (not proven)"
    if not one.without:
        return f"{head} not in the way{sure}; without it the plan is the same"
    if one.unit_saving:
        return (
            f"{head} {name} is worth {money(one.unit_saving)} {currency}{sure}; without the limit {money(one.without)}"
        )
    step = f"{plain(one.from_here)} {one.unit} more are worth {money(one.saving)} {currency}{sure}"
    return f"{head} {name} is worth nothing; {step}; without the limit {money(one.without)}"


def used_told(one: Worth) -> str:
    """What the plan takes of what it may take."""
    allowed = listed([plain(value) for value in dict.fromkeys(one.values)])
    return f"{plain(max(one.used, default=0.0))} of {allowed} {one.unit}"


def cautions(found: Mixed) -> list[str]:
    """What a reader must know of the plan."""
    asked, told = found.plan.asked, list[str]()
    for one in asked.candidates:
        lost = [f"{name}: {'; '.join(alone.reasons)}" for name, alone in one.alone.items() if alone.verdict != "ok"]
        if one.refused or lost:
            what = "the plan" if one.refused else "a class" if len(lost) == 1 else "classes"
            told.append(f"{one.id} is left out of {what}: {one.refused or ' | '.join(lost)}")
    without = [one.id for one in asked.candidates if one.plan.payment in ("rent", "api")]
    if asked.mix.carbon and without:
        told.append(f"carbon of {listed(without)} is not known and not counted against the limit")
    alerts = found.plan.result.warnings if found.plan.result else []
    told += [f"{one.fleet}: {one.text}" if one.fleet else one.text for one in alerts if one.code != "serves-share"]
    return list(dict.fromkeys(told))
