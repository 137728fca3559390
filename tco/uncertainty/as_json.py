"""A simulation as plain Python, for the JSON of a result."""

from __future__ import annotations

from typing import Any

from tco.uncertainty.found import FleetSpread, Simulation


def plain(found: Simulation, units: dict[str, str]) -> dict[str, Any]:
    """The block `uncertainty`; `units` are those of the lines, with the scenario's currency."""
    told: dict[str, Any] = {
        "samples": found.samples,
        "seed": found.seed,
        "choices": found.choices,
        "drivers": [
            {"name": one.name, "told": one.text, "unit": one.unit, "p5": one.p5, "p50": one.p50, "p95": one.p95}
            for one in found.drivers
        ],
        "correlations": [{"between": [one, other], "rank": rank} for one, other, rank in found.correlations],
        "fleets": [_fleet(one, units) for one in found.fleets],
        "nobody": found.nobody,
        "index_samples": found.index_samples,
        "indices": {
            fleet: [{"drivers": list(one.drivers), "first": one.first, "total": one.total} for one in indices]
            for fleet, indices in found.indices.items()
        },
        "without_indices": dict(found.without_indices),
        "notes": list(found.notes),
    }
    return told


def _fleet(one: FleetSpread, units: dict[str, str]) -> dict[str, Any]:
    lines = {
        name: {"unit": units[name], "p5": held.p5, "p50": held.p50, "p95": held.p95, "mean": held.mean}
        for name, held in one.lines.items()
    }
    return {"id": one.id, "base": one.base, "able": one.able, "cheapest": one.cheapest, "lines": lines}
