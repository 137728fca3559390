"""Against the reference fleet: the incremental flow's net present value, rate of return and payback."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tco.result import FleetResult, Result

Array = NDArray[np.float64]
MOMENTS = ("paid_at_start", "paid_through", "paid_at_end")


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
    times, flows = _flow(result, base, fleet)
    rate = float(_scalar(fleet, "discount_rate"))
    factors = (1 + rate) ** -times
    npv = float(np.sum(flows * factors))
    return {
        "npv": _entry(result.scenario["currency"], npv, ""),
        "irr": _irr(times, flows),
        "simple_payback": _payback(times, flows, "simple"),
        "discounted_payback": _payback(times, flows * factors, "discounted"),
    }


def _units(result: Result) -> dict[str, str]:
    return {"npv": result.scenario["currency"], "irr": "1/yr", "simple_payback": "yr", "discounted_payback": "yr"}


def _entry(unit: str, value: float | None, reason: str) -> dict[str, Any]:
    return {"unit": unit, "value": value, "reason": reason}


def _scalar(fleet: FleetResult, name: str) -> float:
    value = fleet.inputs[name].value
    return float(value) if not isinstance(value, tuple) else float("nan")


def _flow(result: Result, base: FleetResult, fleet: FleetResult) -> tuple[Array, Array]:
    """What the fleet saves against the reference, with its times in years: opening, through, closing."""
    frame = result.timeline.frame()
    closing = np.cumsum(frame["period"])
    timing = _scalar(fleet, "timing")
    when = {
        "paid_at_start": closing - frame["period"],
        "paid_through": closing - timing * frame["period"],
        "paid_at_end": closing,
    }
    times = np.concatenate([when[moment] for moment in MOMENTS])
    saved = np.concatenate(
        [_paid(base, moment, len(closing)) - _paid(fleet, moment, len(closing)) for moment in MOMENTS]
    )
    order = np.argsort(times, kind="stable")
    merged, index = np.unique(np.round(times[order], 9), return_inverse=True)
    return merged, np.bincount(index, weights=saved[order])


def _paid(fleet: FleetResult, moment: str, periods: int) -> Array:
    value = fleet.raw(moment)
    return np.zeros(periods) if value is None else np.broadcast_to(np.asarray(value, dtype=float), (periods,))


def _irr(times: Array, flows: Array) -> dict[str, Any]:
    """The single rate at which the flow is worth nothing; otherwise the reason why there is none."""
    signs = np.sign(flows[np.abs(flows) > 1e-9 * max(float(np.max(np.abs(flows))), 1e-300)])
    changes = int(np.sum(signs[1:] != signs[:-1]))
    if changes == 0:
        return _entry("1/yr", None, "not defined: the flow has no change of sign")
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


def _payback(times: Array, flows: Array, word: str) -> dict[str, Any]:
    """The first time at which the money spent more is back, and stays back; cash only."""
    so_far = np.cumsum(flows)
    if so_far[0] >= 0 and np.all(so_far >= 0):
        return _entry("yr", None, "not defined: nothing more is spent at the start")
    if so_far[-1] < 0:
        return _entry("yr", None, f"not reached: the {word} flow stays negative within the horizon")
    last = int(np.flatnonzero(so_far < 0)[-1])
    share = -so_far[last] / flows[last + 1]
    return _entry("yr", float(times[last] + share * (times[last + 1] - times[last])), "")
