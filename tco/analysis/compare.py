"""Against the reference fleet: the incremental flow's net present value, rate of return and payback."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tco.result import FleetResult, Result

Array = NDArray[np.float64]
MOMENTS = {
    "paid_at_start": "discount_factor_opening",
    "paid_through": "discount_factor_through",
    "paid_at_end": "discount_factor_closing",
}
"""Moments of payment, in the order in which they fall in a period, with the factor that discounts each."""


def against_reference(result: Result) -> dict[str, dict[str, dict[str, Any]]]:
    """For every other fleet: npv (positive saves), irr and paybacks, each as {unit, value, reason}."""
    if result.reference is None:
        return {}
    base = result.by_id[result.reference]
    return {fleet.id: _compared(result, base, fleet) for fleet in result.fleets if fleet.id != base.id}


def _compared(result: Result, base: FleetResult, fleet: FleetResult) -> dict[str, dict[str, Any]]:
    why = next((f"{one.id}: {one.reason('present_cost')}" for one in (base, fleet) if one.reason("present_cost")), "")
    if fleet.unit_cost_only or base.unit_cost_only:
        why = "a fleet with a given utilization is compared on unit cost only"
    if why:
        return {name: _entry(unit, None, why) for name, unit in _units(result).items()}
    saved = {moment: _paid(base, moment, result) - _paid(fleet, moment, result) for moment in MOMENTS}
    present = {
        moment: flow * fleet.values[factor]
        for (moment, factor), flow in zip(MOMENTS.items(), saved.values(), strict=True)
    }
    times, flows = _flow(result, fleet, saved)
    return {
        "npv": _entry(result.scenario["currency"], float(sum(np.sum(flow) for flow in present.values())), ""),
        "irr": _irr(times, flows),
        "simple_payback": _payback(result, saved, "simple"),
        "discounted_payback": _payback(result, present, "discounted"),
    }


def _units(result: Result) -> dict[str, str]:
    return {"npv": result.scenario["currency"], "irr": "1/yr", "simple_payback": "yr", "discounted_payback": "yr"}


def _entry(unit: str, value: float | None, reason: str) -> dict[str, Any]:
    return {"unit": unit, "value": value, "reason": reason}


def _scalar(fleet: FleetResult, name: str) -> float:
    value = fleet.inputs[name].value
    return float(value) if not isinstance(value, tuple) else float("nan")


def _flow(result: Result, fleet: FleetResult, saved: dict[str, Array]) -> tuple[Array, Array]:
    """What the fleet saves against the reference, with its times in years: opening, through, closing."""
    frame = result.timeline.frame()
    closing = np.cumsum(frame["period"])
    timing = _scalar(fleet, "timing")
    when = (closing - frame["period"], closing - timing * frame["period"], closing)
    times = np.round(np.concatenate(when), 9)
    merged, index = np.unique(times.astype(np.float64), return_inverse=True)
    return merged, np.bincount(index, weights=np.concatenate([saved[moment] for moment in MOMENTS])).astype(np.float64)


def _paid(fleet: FleetResult, moment: str, result: Result) -> Array:
    periods = result.timeline.periods
    value = fleet.raw(moment)
    return np.zeros(periods) if value is None else np.broadcast_to(np.asarray(value, dtype=float), (periods,))


def _irr(times: Array, flows: Array) -> dict[str, Any]:
    """The single rate at which the flow is worth nothing; otherwise the reason why there is none."""
    signs = np.sign(flows[np.abs(flows) > 1e-9 * max(float(np.max(np.abs(flows))), 1e-300)])
    changes = int(np.sum(signs[1:] != signs[:-1]))
    if changes == 0:
        return _entry("1/yr", None, "not defined: the flow has no change of sign")
    if signs[0] > 0:
        return _entry(
            "1/yr", None, "not defined: it costs less first and more later, which is a loan and no investment"
        )
    if changes > 1:
        return _entry(
            "1/yr", None, f"not defined: the flow changes its sign {changes} times, so several rates may solve it"
        )
    root = _root(times, flows)
    return _entry(
        "1/yr", root, "" if root is not None else "not defined: no rate between -99 % and 1,000,000 % solves it"
    )


def _root(times: Array, flows: Array) -> float | None:
    """Bisection on the logarithm of 1 + rate; the present value is monotone for one change of sign."""

    def worth(power: float) -> float:
        return float(np.sum(flows * np.exp(-power * times)))

    low, high = float(np.log(0.01)), float(np.log(1e4))
    if worth(low) * worth(high) > 0:
        return None
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if worth(low) * worth(middle) > 0 else (low, middle)
    return float(np.expm1((low + high) / 2))


def _payback(result: Result, flow: dict[str, Array], word: str) -> dict[str, Any]:
    """The time from which the money spent more is back, and stays back; cash only.

    What is paid through a period accrues evenly in it, whatever the discounting convention says of its moment.
    """
    start, through, end = (flow[moment] for moment in MOMENTS)
    length = result.timeline.frame()["period"]
    opened = np.cumsum(start) + np.cumsum(through) - through + np.cumsum(end) - end
    closed = opened + through
    scale = 1e-12 * float(np.max(np.abs(np.concatenate([opened, closed]))))
    if np.all(np.minimum(opened, closed) >= -scale) and closed[-1] + end[-1] >= -scale:
        return _entry("yr", None, "not defined: nothing more is spent at the start")
    if closed[-1] + end[-1] < -scale:
        return _entry("yr", None, f"not reached: the {word} flow stays negative within the horizon")
    last = int(np.flatnonzero(np.minimum(opened, closed) < -scale)[-1])
    opening = float(np.sum(length[:last]))
    if closed[last] < 0:
        return _entry("yr", opening + float(length[last]), "")
    return _entry("yr", opening + float(length[last] * -opened[last] / through[last]), "")
