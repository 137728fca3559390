"""One scenario as one row of the summary: plain values that JSON holds."""

from __future__ import annotations

from typing import Any

import numpy as np

from tco.console import one
from tco.result import FleetResult, Result


def summarised(result: Result) -> dict[str, Any]:
    """What stands in the summary and on the index page; None where no fleet can do the work."""
    best = result.by_id[result.recommended] if result.recommended else None
    others = [name for name in result.ranking if name != result.recommended]
    second = result.by_id[others[0]] if others else None
    scenario = result.scenario
    return {
        **{name: scenario[name] for name in ("title", "file", "sha256", "as_of", "currency")},
        "headline": result.headline or "",
        "fleets": len(result.fleets),
        "verdicts": {fleet.id: fleet.verdict for fleet in result.fleets},
        "reasons": {fleet.id: "; ".join(fleet.reasons) for fleet in result.fleets if fleet.reasons},
        "recommended": _fleet(best, result),
        "second": _fleet(second, result),
        "start": result.timeline.labels[0],
        "cash": _cash(best),
        "warnings": len(result.warnings),
    }


def _fleet(fleet: FleetResult | None, result: Result) -> dict[str, Any] | None:
    if fleet is None:
        return None
    return {
        "id": fleet.id,
        "tier": fleet.tier,
        "unit_cost": one(fleet.shown(result.headline or "")),
        "total_cost": one(fleet.shown("total_cost")),
        "present_cost": one(fleet.shown("present_cost")),
        "recalled_or_stale_share": fleet.recalled_or_stale_share,
    }


def _cash(fleet: FleetResult | None) -> list[float]:
    value = fleet.shown("cash_cost") if fleet else None
    return [float(item) for item in value] if isinstance(value, np.ndarray) else []
