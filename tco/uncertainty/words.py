"""A simulation as text for the terminal, and the sentences that say what was found."""

from __future__ import annotations

from tco.console import HEADS, money, table, unit_cost
from tco.result import Result
from tco.uncertainty.found import Index, Simulation
from tco.wording import percent

SHOWN = 6
"""Drivers that are listed for a fleet."""

SMALL = 0.005


def text_of(result: Result, found: Simulation) -> str:
    """Percentiles and chances of each fleet, what moves the leading ones, and what one must know."""
    head = f"{found.samples:,} draws of {len(found.drivers)} values, seed {found.seed}"
    parts = [result.scenario["title"], head, "", table(_rows(result, found)), "", finding(result, found)]
    for fleet, indices in found.indices.items():
        parts += ["", f"what moves {fleet} (share of the variance of its unit cost: alone, and with all it acts with):"]
        parts += [f"  {line}" for line in _moves(indices)]
    parts += [f"no shares of {fleet}: {why}" for fleet, why in found.without_indices.items()]
    return "\n".join([*parts, "", *(f"note: {note}" for note in found.notes)]).rstrip()


def _rows(result: Result, found: Simulation) -> list[dict[str, str]]:
    currency, rows = result.scenario["currency"], list[dict[str, str]]()
    head = HEADS[result.headline or ""].format(currency)
    for fleet in found.order:
        unit, total = fleet.lines.get(found.headline), fleet.lines.get("total_cost")
        rows.append(
            {
                "fleet": fleet.id,
                "cheapest in": chance(fleet.cheapest),
                "does the work in": chance(fleet.able),
                f"{head}: run": unit_cost(fleet.base),
                "P5": unit_cost(unit.p5 if unit else None),
                "P50": unit_cost(unit.p50 if unit else None),
                "P95": unit_cost(unit.p95 if unit else None),
                "mean": unit_cost(unit.mean if unit else None),
                f"total {currency}: P5": money(total.p5 if total else None),
                "P50 ": money(total.p50 if total else None),
                "P95 ": money(total.p95 if total else None),
            }
        )
    return rows


def chance(share: float) -> str:
    """A share of draws; what is rare and not never is not called 0 %."""
    if 0 < share < SMALL:
        return "< 0.5 %"
    if 1 - SMALL < share < 1:
        return "> 99.5 %"
    return percent(share, 0)


def finding(result: Result, found: Simulation) -> str:
    """The sentence that a reader takes away."""
    first = found.order[0] if found.order else None
    if first is None or not first.lines:
        return "No fleet does the work in any draw."
    if first.cheapest == 0:
        return f"No fleet is compared on its whole work; {first.id} has the lowest unit cost."
    line = first.lines[found.headline]
    head = HEADS[result.headline or ""].format(result.scenario["currency"])
    spread = f"{unit_cost(line.p5)} to {unit_cost(line.p95)} {head} in nine of ten draws"
    told = f"{first.id} is cheapest in {chance(first.cheapest)} of the draws, at {spread}"
    others = [one for one in found.order[1:] if one.cheapest > 0]
    if others:
        told += f"; {others[0].id} in {chance(others[0].cheapest)}"
    if result.recommended and result.recommended != first.id:
        told += f". The run itself recommends {result.recommended}"
    if found.nobody:
        told += f". In {chance(found.nobody)} of the draws no fleet does the work"
    return f"{told}."


def _moves(indices: tuple[Index, ...]) -> list[str]:
    shown = [one for one in indices if one.total >= SMALL][:SHOWN]
    rest = len(indices) - len(shown)
    lines = [
        f"{' with '.join(one.drivers)}: {percent(max(one.first, 0.0), 0)}, {percent(one.total, 0)}" for one in shown
    ]
    if not shown:
        return ["nothing that is drawn"]
    return [*lines, f"{rest} more move it less"] if rest else lines
