"""A portfolio as text for the terminal."""

from __future__ import annotations

from tco.console import HEADS, money, table, unit_cost
from tco.portfolio.state import PortfolioResult, Shared, Way
from tco.portfolio.state import unit_cost as borne_unit_cost
from tco.portfolio.words import described
from tco.wording import percent

WAYS = 12
"""Rows of the table; the JSON holds all."""


def comparison(result: PortfolioResult) -> str:
    """Ways, cheapest first; who bears what of the cheapest shared fleets; what cannot be done and why."""
    currency = result.scenario["currency"]
    years = result.timeline.periods * result.timeline.months_per_period / 12
    able = [result.by_id[name] for name in result.ranking]
    unable = [way for way in result.ways if way.verdict != "ok"]
    parts = [
        result.scenario["title"],
        f"all workloads over {years:g} years, ranked by present cost; prices as of {result.scenario['as_of']}",
        "",
        table([_row(way, str(place), currency) for place, way in enumerate(able[:WAYS], 1)])
        if able
        else "no way does all the work",
        "",
        result.reason,
    ]
    for held in _shown(result):
        parts += ["", f"{held.fleet.id}, who bears its cost (by GPU-hours):", table(borne_rows(result, held))]
    if unable:
        parts += ["", "cannot do the work:", *(f"  {way.id}: {'; '.join(way.reasons)}" for way in unable[:WAYS])]
    notes = [f"warning: {f'{one.fleet}: ' if one.fleet else ''}{one.text}" for one in result.warnings]
    return "\n".join([*parts, *([""] if notes else []), *notes])


def _row(way: Way, place: str, currency: str) -> dict[str, str]:
    return {
        "#": place,
        "way": described(way),
        f"present {currency}": money(way.present_cost),
        f"total {currency}": money(way.cost("total_cost")),
    }


def _shown(result: PortfolioResult) -> list[Shared]:
    """The fleets shared in the cheapest way that shares any."""
    for name in result.ranking:
        found = [one.shared for one in result.by_id[name].options if one.shared is not None]
        if found:
            return found
    return []


def borne_rows(result: PortfolioResult, held: Shared) -> list[dict[str, str]]:
    """A row for each workload, idle time, and the bill."""
    found, bill = held.allocation, held.fleet.shown("present_cost")
    assert found is not None
    whole = bill if isinstance(bill, float) else 0.0
    currency = result.scenario["currency"]
    heads = (
        "workload",
        "reserved",
        f"reservation {currency}",
        "used",
        f"usage {currency}",
        "unit",
        "reservation",
        "usage",
    )
    rows = list[tuple[str, ...]]()
    for name in held.works:
        one, headline = found.borne[name], result.headline(name)
        costs = (unit_cost(borne_unit_cost(held, name, headline, usage=usage)) for usage in (False, True))
        reserved, used = one.reservation_share, one.usage_share
        unit = HEADS[headline].format(currency)
        mine = (name, percent(reserved, 1), money(whole * reserved), percent(used, 1), money(whole * used), unit)
        rows.append((*mine, *costs))
    rows.append(("idle", "", "", percent(found.idle_share, 1), money(whole * found.idle_share), "", "", ""))
    rows.append(("bill", percent(1, 1), money(whole), percent(1, 1), money(whole), "", "", ""))
    return [dict(zip(heads, row, strict=True)) for row in rows]
