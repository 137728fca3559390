"""The report of a portfolio: which way, why, who bears what; inputs stand in the reports of its workloads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tco.console import HEADS
from tco.portfolio.state import Option, PortfolioResult, Shared, Way, cost, unit_cost
from tco.portfolio.words import METHOD, described
from tco.report.page import environment, styled
from tco.report.tables import Cell, Table, head, number, table
from tco.wording import fixed, money, percent, shortened, significant


def render(result: PortfolioResult) -> str:
    """The report as one HTML document. Same result, same bytes."""
    return environment().get_template("portfolio.html.j2").render(_context(result)) + "\n"


def _context(result: PortfolioResult) -> dict[str, Any]:
    scenario, single = result.scenario, next(iter(result.single.values()))
    years = result.timeline.periods * result.timeline.months_per_period / 12
    unable = [way for way in result.ways if way.verdict != "ok"]
    folder = quote(Path(scenario["file"]).stem)
    return {
        "style": styled(scenario),
        "scenario": scenario,
        "engine": result.engine,
        "title": scenario["title"],
        "short_title": shortened(scenario["title"], 120),
        "subtitle": f"Portfolio of {len(result.works)} workloads: {', '.join(result.works)}; {years:g} years",
        "basis": f"{single.basis.replace('_', '-')}, {scenario['currency']}, discounted to the start",
        "reason": result.reason,
        "ways": _ways(result),
        "unable": _unable(unable) if unable else None,
        "bills": [_bill(result, held) for held in _costed(result)],
        "works": [
            {"name": work, "table": _work(result, work), "link": f"{folder}/{quote(work)}.html"}
            for work in result.works
        ],
        "warnings": result.warnings,
        "method": METHOD,
    }


def _ways(result: PortfolioResult) -> Table:
    able = [result.by_id[name] for name in result.ranking]
    currency, least = result.scenario["currency"], able[0].present_cost if able else None
    rows = [
        [
            head(described(way), way.id),
            number(way.present_cost, money, currency, raw=True),
            number(way.cost("total_cost"), money, currency, raw=True),
            number(_above(way, least), lambda value: percent(value, 1)),
        ]
        for way in able
    ]
    heads = ("Fleets and their workloads", f"Present cost, {currency}", f"Total cost, {currency}", "Above the cheapest")
    marks = ["best", *[""] * (len(rows) - 1)] if rows else []
    return table("Ways that do all the work, cheapest first", heads, rows, marks=marks)


def _above(way: Way, least: float | None) -> float | None:
    value = way.present_cost
    return None if value is None or not least else value / least - 1


def _unable(ways: list[Way]) -> Table:
    rows = [[head(described(way), way.id), Cell(way.verdict), Cell("; ".join(way.reasons))] for way in ways]
    return table("Ways that do not do the work", ("Fleets and their workloads", "Verdict", "Why"), rows, style="prose")


def _costed(result: PortfolioResult) -> Iterator[Shared]:
    """Shared fleets that do their work, those of all workloads first, the cheapest first."""
    for works in sorted(result.shared, key=len, reverse=True):
        found = [held for held in result.shared[works].values() if held.verdict == "ok"]
        yield from sorted(found, key=lambda held: cost(held.fleet, "present_cost", held.verdict) or 0.0)


def _bill(result: PortfolioResult, held: Shared) -> dict[str, Any]:
    systems = held.fleet.raw("systems")
    most = float(systems.max()) if hasattr(systems, "max") else 0.0  # pyright: ignore
    count = f"{most:g} system{'s' if most != 1 else ''} at most"
    told = f"{held.fleet.name} ({held.fleet.id}) for {' and '.join(held.works)}: {count}"
    return {"borne": _borne(result, held, told), "needs": _needs(held), "sized": f"How {held.fleet.id} is sized"}


def _borne(result: PortfolioResult, held: Shared, caption: str) -> Table:
    found, currency = held.allocation, result.scenario["currency"]
    present, total = (cost(held.fleet, line, held.verdict) or 0.0 for line in ("present_cost", "total_cost"))
    assert found is not None
    rows = list[list[Cell]]()
    for work in held.works:
        one, headline = found.borne[work], result.headline(work)
        row = [head(work, HEADS[headline].format(currency))]
        for share, usage in ((one.reservation_share, False), (one.usage_share, True)):
            unit = unit_cost(held, work, headline, usage=usage)
            row += [number(share, _share), number(total * share, money), number(present * share, money)]
            row += [number(unit, significant, raw=True)]
        rows.append(row)
    idle, none = found.idle_share, [Cell("", "n")]
    left = [number(idle, _share), number(total * idle, money), number(present * idle, money)]
    rows.append([head("idle"), *none * 4, *left, *none])
    whole = [number(1.0, _share), number(total, money), number(present, money), *none]
    rows.append([head("bill"), *whole, *whole])
    titles = ("share of GPU-hours", f"total, {currency}", f"present, {currency}", "unit cost")
    heads = ("Workload", *(f"Reservation: {one}" for one in titles), *(f"Usage: {one}" for one in titles))
    return table(caption, heads, rows, total=True, point=False)


def _share(value: float) -> str:
    return percent(value, 1)


def _needs(held: Shared) -> Table:
    rows = [
        [
            head(need.work),
            number(float(need.size), _count),
            number(float(need.gpus.min()), _count),
            number(float(need.gpus.max()), _count),
            number(float(need.busy.mean()), lambda value: fixed(value, 2)),
            number(float(need.systems.max()), _count),
        ]
        for need in held.needs.values()
    ]
    heads = (
        "Workload",
        "GPUs at once",
        "Fewest GPUs needed",
        "Most GPUs needed",
        "Busy GPUs, mean",
        "Systems if alone",
    )
    return table("Needs before systems are rounded up", heads, rows)


def _count(value: float) -> str:
    return fixed(value, 0)


def _work(result: PortfolioResult, work: str) -> Table:
    """Fleets of its own and shared ones, by unit cost; what is borne by usage stands beside and ranks nothing."""
    headline = result.headline(work)
    currency = result.scenario["currency"]
    alone = [Option(one.id, (work,), one.verdict, tuple(one.reasons), one) for one in result.single[work].fleets]
    units = [one.result.shown(headline) for one in alone]
    costs = [unit if isinstance(unit, float) else None for unit in units]
    rows = [(unit, _own_row(work, one, unit)) for one, unit in zip(alone, costs, strict=True)]
    rows += [
        (unit_cost(held, work, headline), _shared_row(result, held, work))
        for held in _costed(result)
        if work in held.works
    ]
    ordered = sorted(rows, key=lambda one: float("inf") if one[0] is None else one[0])
    unit = HEADS[headline].format(currency)
    heads = ("Fleet", f"Present cost borne, {currency}", f"{unit}, by reservation", f"{unit}, by usage", "Verdict")
    return table(f"{work}: fleets of its own, and its part of shared ones", heads, [row for _, row in ordered])


def _own_row(work: str, one: Option, unit: float | None) -> list[Cell]:
    told = "; ".join(one.reasons)
    cells = [number(one.present_cost, money), number(unit, significant, raw=True), Cell("", "n")]
    return [head(one.fleet, f"{work} alone"), *cells, Cell(one.verdict, small=told)]


def _shared_row(result: PortfolioResult, held: Shared, work: str) -> list[Cell]:
    assert held.allocation is not None
    share = held.allocation.borne[work].reservation_share
    whole = cost(held.fleet, "present_cost", held.verdict) or 0.0
    costs = (unit_cost(held, work, result.headline(work), usage=usage) for usage in (False, True))
    cells = [number(whole * share, money), *(number(one, significant, raw=True) for one in costs)]
    return [head(held.fleet.id, f"shared by {' and '.join(held.works)}"), *cells, Cell(held.verdict)]
