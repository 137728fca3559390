"""Choices of an earlier run, taken from its JSON."""

from __future__ import annotations

import json
import math
from pathlib import Path

from tco.analysis.run import Frozen
from tco.errors import Problem, ScenarioError


def choices(path: Path) -> Frozen:
    """Choices by fleet, and the precision of each. Raises ScenarioError when there are none."""
    try:
        fleets = json.loads(path.read_text(encoding="utf-8"))["fleets"]
        return {
            fleet["id"]: {
                **{name: _finite(value) for name, value in fleet["choices"].get("values", {}).items()},
                "precision": fleet.get("precision", ""),
            }
            for fleet in fleets
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ScenarioError(
            [Problem("no choices of an earlier run to keep; run once without --frozen", file=str(path))]
        ) from error


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError(value)
    return float(value)
