"""Against the reference fleet: the incremental flow's net present value, rate of return and payback."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tco.analysis.returns import NOISE, rates_of_return
from tco.result import FleetResult, Result

Array = NDArray[np.float64]
MOMENTS = {
    "paid_at_start": "discount_factor_opening",
    "paid_through": "discount_factor_through",
    "paid_at_end": "discount_factor_closing",
}
"""Moments of payment, in the order in which they fall in a period, with the factor that discounts each."""

NO_SIGN = "not defined: the flow has no change of sign"
SEVERAL = "not defined: it saves first or changes its sign several times, so several rates may solve it"
UNSOLVED = "not defined: no rate between -99 % and 1,000,000 % solves it"
NOTHING_SPENT = "not defined: nothing more is spent at the start"
NOT_REACHED = "not reached: the {} flow stays negative within the horizon"


def against_reference(result: Result) -> dict[str, dict[str, dict[str, Any]]]:
    """For every other fleet: npv (positive saves), irr, mirr where asked, paybacks, each as {unit, value, reason}."""
    if result.reference is None:
        return {}
    base = result.by_id[result.reference]
    return {fleet.id: _compared(result, base, fleet) for fleet in result.fleets if fleet.id != base.id}


def _compared(result: Result, base: FleetResult, fleet: FleetResult) -> dict[str, dict[str, Any]]:
    why = next((f"{one.id}: {one.reason('present_cost')}" for one in (base, fleet) if one.reason("present_cost")), "")
    if fleet.unit_cost_only or base.unit_cost_only:
        why = "a fleet with a given utilization, or a share of the work, is compared on unit cost only"
    if why:
        return {name: _entry(unit, None, why) for name, unit in units_of(result).items()}
    saved = {moment: _paid(base, moment, result) - _paid(fleet, moment, result) for moment in MOMENTS}
    present = {
        moment: flow * fleet.values[factor]
        for (moment, factor), flow in zip(MOMENTS.items(), saved.values(), strict=True)
    }
    times, flows = _flow(result, fleet, saved)
    found = {
        "npv": _entry(result.scenario["currency"], float(sum(np.sum(flow) for flow in present.values())), ""),
        "irr": _entry("1/yr", *rate_of_return(times, flows)),
        "mirr": _entry("1/yr", *_modified(result, fleet, times, flows)),
        "simple_payback": _payback(result, saved, "simple"),
        "discounted_payback": _payback(result, present, "discounted"),
    }
    return {name: found[name] for name in units_of(result)}


def units_of(result: Result) -> dict[str, str]:
    """The figures against the reference; a modified rate only where the scenario says what savings earn."""
    modified = {} if result.reinvestment_rate is None else {"mirr": "1/yr"}
    paybacks = {"simple_payback": "yr", "discounted_payback": "yr"}
    return {"npv": result.scenario["currency"], "irr": "1/yr", **modified, **paybacks}


def _entry(unit: str, value: float | None, reason: str) -> dict[str, Any]:
    return {"unit": unit, "value": value, "reason": reason}


def _scalar(fleet: FleetResult, name: str) -> float:
    value = fleet.inputs[name].value
    return float(value) if not isinstance(value, tuple) else float("nan")


def _flow(result: Result, fleet: FleetResult, saved: dict[str, Array]) -> tuple[Array, Array]:
    """What the fleet saves against the reference, with its times in years: opening, through, closing."""
    opening, closing = result.timeline.discount_times(result.day_count)
    when = (opening, closing - _scalar(fleet, "timing") * (closing - opening), closing)
    times = np.round(np.concatenate(when), 9)
    merged, index = np.unique(times.astype(np.float64), return_inverse=True)
    return merged, np.bincount(index, weights=np.concatenate([saved[moment] for moment in MOMENTS])).astype(np.float64)


def _paid(fleet: FleetResult, moment: str, result: Result) -> Array:
    periods = result.timeline.periods
    value = fleet.raw(moment)
    return np.zeros(periods) if value is None else np.broadcast_to(np.asarray(value, dtype=float), (periods,))


def rate_of_return(times: Array, flows: Array) -> tuple[float | None, str]:
    """The single yearly rate at which the flow is worth nothing; otherwise the reason why there is none."""
    signs, rates = flow_signs(flows), rates_of_return(times, flows)
    if not signs.both:
        return None, NO_SIGN
    if rates is not None and signs.pays_back_once and not signs.turns_once:
        rates = [rate for rate in rates if rate > 0]
    if rates is None or len(rates) > 1 or not signs.costs_first:
        return None, SEVERAL
    if rates:
        return rates[0], ""
    return None, UNSOLVED if signs.turns_once or signs.pays_back_once else SEVERAL


def _modified(result: Result, fleet: FleetResult, times: Array, flows: Array) -> tuple[float | None, str]:
    if result.reinvestment_rate is None:
        return None, ""
    real = "discount_rate" not in fleet.inputs
    finance = float(np.reshape(fleet.values["discount_rate"], -1)[0]) if real else _scalar(fleet, "discount_rate")
    end = float(result.timeline.discount_times(result.day_count)[1][-1])
    return modified_rate(times, flows, finance=finance, reinvestment=result.reinvestment_rate, end=end)


def modified_rate(
    times: Array, flows: Array, *, finance: float, reinvestment: float, end: float
) -> tuple[float | None, str]:
    """The one rate that takes what is spent, at the start, to what savings have grown to at the end (MIRR)."""
    if not flow_signs(flows).both:
        return None, NO_SIGN
    spent = float(np.sum(np.maximum(-flows, 0) * (1 + finance) ** -times))
    grown = float(np.sum(np.maximum(flows, 0) * (1 + reinvestment) ** (end - times)))
    return (grown / spent) ** (1 / end) - 1, ""


class Signs(NamedTuple):
    """Whether a flow costs and saves; costs first; turns to saving for good; and what it sums up to does (Norstrom)."""

    both: bool
    costs_first: bool
    turns_once: bool
    pays_back_once: bool


def flow_signs(flows: Array) -> Signs:
    """What decides whether one rate solves the flow: Descartes' rule, or Norstrom's for rates above 0 (1972)."""
    costs, saves = _places(flows)
    short, over = _places(np.cumsum(flows))
    ends_over = bool(over.size) and over[-1] == len(flows) - 1
    return Signs(
        bool(costs.size and saves.size),
        bool(costs.size and saves.size) and costs[0] < saves[0],
        bool(costs.size and saves.size) and costs[-1] < saves[0],
        bool(short.size) and ends_over and short[-1] < over[0],
    )


def _places(row: Array) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Where a row is below and above 0, noise left out."""
    noise = NOISE * float(np.max(np.abs(row)))
    return np.flatnonzero(row < -noise), np.flatnonzero(row > noise)


def _payback(result: Result, flow: dict[str, Array], word: str) -> dict[str, Any]:
    """The time from which the money spent more is back, and stays back; cash only.

    What is paid through a period accrues evenly in it, whatever the discounting convention says of its moment.
    """
    opening, closing = result.timeline.discount_times(result.day_count)
    sums = _sums(flow, apart=bool(np.any(opening[1:] > closing[:-1])))
    short = np.flatnonzero(sums < -NOISE * float(np.max(np.abs(sums))))
    if not short.size:
        return _entry("yr", None, NOTHING_SPENT)
    if short[-1] == sums.size - 1:
        return _entry("yr", None, NOT_REACHED.format(word))
    last, moment = divmod(int(short[-1]), len(MOMENTS))
    if moment:
        return _entry("yr", float(closing[last] if moment == 1 else opening[last + 1]), "")
    missing, closed, _ = sums[len(MOMENTS) * last :][: len(MOMENTS)]
    part = -missing / (closed - missing)
    return _entry("yr", float(opening[last] + (closing[last] - opening[last]) * part), "")


def _sums(flow: dict[str, Array], *, apart: bool) -> Array:
    """Paid so far when a period has opened, run and closed; unless days lie between, the next opens at that moment."""
    start, through, end = (flow[moment] for moment in MOMENTS)
    closed = np.cumsum(start + through + end)
    ran = closed - end
    after = closed if apart else np.append(ran[:-1], closed[-1:])
    return np.stack([ran - through, ran, after], axis=1).reshape(-1)
