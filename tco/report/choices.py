"""What the engine chose where the scenario left it open, and what else there was to choose from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from tco.report.facts import Facts
from tco.report.tables import Cell, Table, head, number, table
from tco.result import FleetResult
from tco.wording import NOTHING, counted, listed, plain

LABELS = {
    "gpus_per_replica": ("", "GPU", " a replica"), "pipeline_stages": ("", "stage", ""),
    "concurrency": ("", "request", " in flight"), "micro_batch": ("", "sequence", " at a time"),
    "tensor_parallel": ("", "GPU", " a layer"), "pipeline_parallel": ("", "stage", ""),
    "shard_gpus": ("states on ", "GPU", ""),
}  # fmt: skip


def chosen(facts: Facts) -> Table | None:
    """Each fleet's deployment, from how many it was chosen, and what bounds it."""
    fleets = [fleet for fleet in facts.result.fleets if fleet.choices.get("values")]
    if not fleets:
        return None
    rows = [
        [
            head(fleet.id),
            Cell(_deployment(fleet.choices.get("values", {}), fleet.choices.get("words", {})) + _allowed(facts, fleet)),
            number(fleet.choices.get("tried"), plain),
            Cell(fleet.choices.get("bound") or NOTHING),
        ]
        for fleet in fleets
    ]
    note = "Chosen for the inputs of this issue; the workbook says when they have changed. `deployment:` fixes any."
    return table("Deployments chosen", ("Fleet", "Cheapest that runs", "Tried", "What bounds it"), rows, note=note)


SHOWN = 6
"""Deployments of a fleet that the page shows, both ends among them; the JSON has all."""


def front(facts: Facts) -> Table | None:
    """Cost against time for a token, of all deployments that were tried: those that none of their fleet beats."""
    rows = [row for fleet in facts.ranked for row in _points(facts, fleet)]
    if not rows:
        return None
    heads = ("Fleet", "Deployment", facts.unit, "Time for each further token, ms")
    return table("Deployments that no other of their fleet beats in both", heads, rows)


def _points(facts: Facts, fleet: FleetResult) -> Iterator[list[Cell]]:
    points = fleet.choices.get("front", [])
    spread = np.linspace(0, len(points) - 1, min(SHOWN, len(points))).astype(int)
    for point in (points[place] for place in spread):
        cost = number(point["cost"], facts.form, facts.unit)
        told = ", ".join(filter(None, (point.get("precision"), _deployment(point["values"], {}))))
        yield [head(fleet.id), Cell(told), cost, number(point["per_token_time"], plain)]


def _deployment(values: Mapping[str, float], words: Mapping[str, str]) -> str:
    """In words; one stage is no pipeline."""
    told = [f"{key}: {word}" for key, word in words.items()]
    single = ("pipeline_stages", "pipeline_parallel", "tensor_parallel")
    for name, (before, noun, after) in LABELS.items():
        value = values.get(name, 0.0)
        if value > 1 or (value and name not in single):
            told.append(f"{before}{counted(value, noun)}{after}")
    return ", ".join(told) or NOTHING


def _allowed(facts: Facts, fleet: FleetResult) -> str:
    """The precision, and what the others that are allowed would cost."""
    others: dict[str, Any] = fleet.choices.get("precisions", {})
    told = [
        f"{word} {facts.per(found['cost'])}" if found["verdict"] == "ok" else f"{word} {found['verdict']}"
        for word, found in others.items()
        if word != fleet.precision
    ]
    return f"; {fleet.precision}, instead of {listed(told)}" if told else ""
