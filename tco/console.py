"""Text for the terminal: tables, and the comparison of a run."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from importlib.resources import files

import numpy as np

from tco.result import FleetResult, Result
from tco.wording import percent, significant

STARTERS = {"inference": "quickstart.yaml", "training": "pretraining.yaml", "finetune": "finetune_lora.yaml"}


def starter(kind: str) -> bytes:
    """The commented scenario to start from."""
    return files("tco").joinpath("scenarios", STARTERS[kind]).read_bytes()


def table(rows: Sequence[Mapping[str, str]]) -> str:
    """Rows as columns of text, numbers to the right."""
    heads = list(rows[0])
    right = {head for head in heads if all(_is_number(row[head]) for row in rows)}
    widths = {head: max(len(head), *(len(row[head]) for row in rows)) for head in heads}

    def line(cells: Mapping[str, str]) -> str:
        return "  ".join(
            cells[head].rjust(widths[head]) if head in right else cells[head].ljust(widths[head]) for head in heads
        ).rstrip()

    return "\n".join(
        [line({head: head for head in heads}), line({head: "-" * widths[head] for head in heads}), *map(line, rows)]
    )


def _is_number(text: str) -> bool:
    return text.lstrip("+−").replace(",", "").replace(".", "").replace("-", "").replace(" %", "").isdigit() or text in (
        "",
        "-",
    )


def money(value: float | None) -> str:
    """Whole units with separators."""
    return "-" if value is None else f"{value:,.0f}"


def unit_cost(value: float | None) -> str:
    """Four significant digits."""
    return "-" if value is None else significant(value)


def one(value: object) -> float | None:
    """A single number of a line, or None."""
    return value if isinstance(value, float) else None


def short(file: str, result: Result) -> str:
    """The answer in one line."""
    if result.recommended is None:
        return f"{file}: no fleet can do this work"
    best = result.by_id[result.recommended]
    cost = unit_cost(one(best.shown(result.headline or "")))
    return f"{file}: {best.id} at {cost} {result.scenario['currency']} ({result.headline})"


HEADS = {"cost_per_million_useful_tokens": "{}/Mtoken useful", "cost_per_useful_training_step": "{}/step"}


def comparison(result: Result) -> str:
    """The table of a run: cheapest first, then who cannot do the work and why."""
    currency = result.scenario["currency"]
    head = HEADS[result.headline or ""].format(currency)
    order = [result.by_id[name] for name in result.ranking]
    ranked = [_row(result, fleet, head, str(place)) for place, fleet in enumerate(order, 1)]
    unranked = [fleet for fleet in result.fleets if fleet.id not in result.ranking]
    ranked += [_row(result, fleet, head, "") for fleet in unranked if fleet.shown(result.headline or "") is not None]
    years = result.timeline.periods * result.timeline.months_per_period / 12
    told = f"{result.basis.replace('_', '-')}, prices as of {result.scenario['as_of']}"
    parts = [
        result.scenario["title"],
        f"unit cost from present cost over {years:g} years, {told}; the whole cost on useful output; totals in cash",
        "",
        table(ranked) if ranked else "no fleet can do this work",
    ]
    if unranked:
        parts += [
            "",
            "not ranked:",
            *(f"  {fleet.id}: {'; '.join(fleet.reasons) or fleet.verdict}" for fleet in unranked),
        ]
    return "\n".join([*parts, "", *_notes(result)])


def _row(result: Result, fleet: FleetResult, head: str, place: str) -> dict[str, str]:
    systems = fleet.shown("systems")
    count = f"{systems.max():,.0f}" if isinstance(systems, np.ndarray) else "-"
    return {
        "#": place,
        "fleet": fleet.id,
        "tier": fleet.tier,
        "what": textwrap.shorten(fleet.name, 46, placeholder="…"),
        "systems": count,
        "precision": fleet.precision or "-",
        head: unit_cost(one(fleet.shown(result.headline or ""))),
        f"total {result.scenario['currency']}": money(one(fleet.shown("total_cost"))),
        "recalled or stale": percent(fleet.recalled_or_stale_share, 0),
        "verdict": fleet.verdict,
    }


def _notes(result: Result) -> list[str]:
    notes = [
        f"warning: {f'{alert.fleet}: ' if alert.fleet else ''}{alert.text}"
        for alert in result.warnings
        if alert.code != "recalled-or-stale"
    ]
    if result.uncertainty:
        from tco.uncertainty.words import finding

        notes.append(f"ranges: {finding(result, result.uncertainty)}")
    left = f"left out (nothing stated): {', '.join(result.left_out)}" if result.left_out else ""
    return [*notes, *([left] if left else []), *_answers(result)]


def _answers(result: Result) -> list[str]:
    """What the goal seeks of the scenario found."""
    if result.decisions is None:
        return []
    from tco.decisions.words import title, verdict

    return [f"solve: {title(one)}: {verdict(one)}" for one in result.decisions.solved]
