"""`tco tornado`: what moves each fleet, and where each number would hand the lead to another, as text and JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from tco.analysis.drivers import Driver, drivers_of
from tco.analysis.sensitivity import CHANGE, Sensitivity, sensitivity
from tco.console import table
from tco.decisions.amounts import amount, written
from tco.decisions.flips import Beyond, Flip, by_strength
from tco.export import shown_unit, unit_of
from tco.result import FleetResult, Result
from tco.wording import listed, percent, significant

MOST = 12
"""Drivers of a fleet that are printed; the JSON holds all."""

KEPT = "one number at a time, the deployments (and bills of a tariff) as they were chosen"


RANGE = "from a tenth to ten times today's number or over its range, as far as its bounds allow"
"""Between which values flip points are looked for."""


def ends_told(item: Driver) -> str:
    """Where the two ends come from."""
    return "range" if item.stated else f"± {percent(CHANGE)}"


def text_of(result: Result, found: Sequence[Flip], fleet: str | None = None) -> str:
    """A table a fleet, then the flip points."""
    names = [fleet] if fleet else [*result.ranking, *_unranked(result)]
    parts = [part for name in names if (part := _of_fleet(result, name))]
    lost = [
        f"{one.id}: {one.verdict}, no cost to move" for one in result.fleets if one.id in names and _none(result, one)
    ]
    return "\n\n".join([*parts, *lost, _flips(result, by_strength(found))])


def _unranked(result: Result) -> list[str]:
    return [one.id for one in result.fleets if one.id not in result.ranking]


def _none(result: Result, fleet: FleetResult) -> bool:
    return fleet.shown(result.headline or "") is None


def _of_fleet(result: Result, name: str) -> str:
    found = sensitivity(result, name)
    if found is None:
        return ""
    items = drivers_of(found)
    unit = unit_told(result, found.fleet)
    base = found.fleet.shown(found.measure)
    cost = f"{significant(base)} {unit}" if isinstance(base, float) else "no cost"
    more = f"; {len(items) - MOST} more in --json" if len(items) > MOST else ""
    head = f"{name}: {cost}; {KEPT}{more}"
    rows = [_row(result, found, item) for item in items[:MOST]]
    return f"{head}\n\n{table(rows)}" if rows else head


def unit_told(result: Result, fleet: FleetResult) -> str:
    """The unit of the headline."""
    return shown_unit(unit_of(fleet, result.headline or ""), result.scenario["currency"])


def _row(result: Result, found: Sensitivity, item: Driver) -> dict[str, str]:
    fleet, currency = found.fleet, result.scenario["currency"]
    now = fleet.inputs[item.name]
    at = [one if isinstance(one, str) else significant(one) for one in item.found]
    return {
        "number": fleet.model.inputs[item.name].label,
        "now": written(fleet, item.name, now.number if now.is_one else 1.0, currency),
        "low": written(fleet, item.name, item.low, currency),
        "high": written(fleet, item.name, item.high, currency),
        "ends": ends_told(item),
        "at low": at[0],
        "at high": at[1],
    }


def _flips(result: Result, found: Sequence[Flip]) -> str:
    if not found:
        return "flip points: no fleet is recommended"
    turning = [one for one in found if one.below or one.above]
    rows = [row_of(one, result) for one in turning]
    head = f"{result.recommended} is recommended; another is beyond these values ({KEPT})"
    still = f"{RANGE}: {len(found) - len(rows)} more change nothing (--json names them)"
    notes = [f"{one.label}: {text}" for one in turning for text in doubts(one)]
    follow = [one.label for one in found if one.follows]
    notes += (
        [f"other inputs follow from these, which stood still here; ask `tco solve`: {listed(follow)}"] if follow else []
    )
    return "\n\n".join([head, *([table(rows)] if rows else []), still, *(["\n".join(notes)] if notes else [])])


def doubts(one: Flip) -> list[str]:
    """Why a run does not confirm it."""
    return [
        f"{word}: {side.doubt}" for word, side in (("below", one.below), ("above", one.above)) if side and side.doubt
    ]


def row_of(one: Flip, result: Result) -> dict[str, str]:
    """A flip point in a row."""
    currency = result.scenario["currency"]
    return {
        "number": one.label,
        "of": one.fleet or "all that share it",
        "now": _told(one, one.now, currency),
        "below": side(one, one.below, currency) or f"none down to {_told(one, one.low, currency)}",
        "above": side(one, one.above, currency) or f"none up to {_told(one, one.high, currency)}",
    }


def _told(one: Flip, value: float, currency: str) -> str:
    return amount(value, one.unit, currency) if one.single else f"× {value:.4g}"


def side(one: Flip, beyond: Beyond | None, currency: str) -> str:
    """`0.35 USD/kWh: api (a jump)`; empty where there is none."""
    if beyond is None:
        return ""
    if beyond.doubt:
        return f"in doubt, see below ({_told(one, beyond.value, currency)})"
    why = "" if beyond.equal else " (today's cannot do the work)" if beyond.lost else " (a jump)"
    return f"{_told(one, beyond.value, currency)}: {beyond.to or 'no fleet'}{why}"


def json_of(result: Result, found: Sequence[Flip], fleet: str | None = None) -> str:
    """The same in full."""
    return json.dumps(to_dict(result, found, fleet), indent=1, ensure_ascii=False, allow_nan=False)


def to_dict(result: Result, found: Sequence[Flip], fleet: str | None = None) -> dict[str, Any]:
    """Drivers by fleet, and the flip points of all."""
    names = [fleet] if fleet else [one.id for one in result.fleets]
    return {
        "headline": result.headline,
        "recommended": result.recommended,
        "note": KEPT,
        "fleets": {name: _drivers(result, name) for name in names},
        "flips": flips_dict(found),
    }


def flips_dict(found: Sequence[Flip]) -> list[dict[str, Any]]:
    """Every flip point as plain Python."""
    return [asdict(one) for one in by_strength(found)]


def _drivers(result: Result, name: str) -> dict[str, Any]:
    found, fleet = sensitivity(result, name), result.by_id[name]
    if found is None:
        return {"cost": None, "reason": fleet.reason(result.headline or "") or "a pin hides its cost", "drivers": []}
    items = [
        {
            "input": item.name,
            "label": fleet.model.inputs[item.name].label,
            "unit": fleet.inputs[item.name].unit if fleet.inputs[item.name].is_one else "",
            "now": fleet.inputs[item.name].number if fleet.inputs[item.name].is_one else 1.0,
            "low": item.low,
            "high": item.high,
            "ends": "range" if item.stated else f"{percent(CHANGE)} to both sides",
            "at_low": item.found[0],
            "at_high": item.found[1],
            "swing": item.swing if np.isfinite(item.swing) else None,
        }
        for item in drivers_of(found)
    ]
    still = [fleet.model.inputs[one].label for one in found.still]
    return {"cost": fleet.shown(found.measure), "drivers": items, "still": still}
