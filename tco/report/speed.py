"""How sure the speed of the leaders is, and what one system more or fewer would change."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tco.figures import Figure
from tco.report.cautions import Caution, alerts
from tco.report.facts import Facts, series, unfit
from tco.report.ranges import bands_told
from tco.result import FleetResult
from tco.wording import counted, percent, plain

FEW = 10
"""Up to so many systems one more is a step that a reader sees in the cost."""

GOVERNED = {
    "training_efficiency": "the peak rate is reached in training",
    "training_matrix_efficiency": "the peak rate is reached by matrices in training",
    "decode_bandwidth_efficiency": "the memory bandwidth is reached, for which its decoding waits",
    "decode_compute_efficiency": "the peak rate is reached, for which its decoding waits",
}
MULTIPLES = ("capital_cost", "rent_cost", "residual_cost")
"""What is paid system by system; energy and people follow the work."""


def certainty(facts: Facts) -> list[Caution]:
    """For the recommended fleet and the next best: how wide its speed is estimated, and what a system makes."""
    fleets = [fleet for fleet in (facts.best, facts.second) if fleet]
    return [Caution(f"{fleet.id} ({facts.role(fleet)})", " ".join(_told(facts, fleet))) for fleet in fleets]


def _told(facts: Facts, fleet: FleetResult) -> Iterator[str]:
    if fleet.payment == "api":
        yield "The provider answers for the speed; the scenario holds no estimate of it."
        return
    figure = fleet.inputs.get("measured_output")
    if figure and not figure.is_one:
        low, high = min(figure.series), max(figure.series)
        span = plain(low) if low == high else f"{plain(low)} to {plain(high)}"
        yield f"A system makes {span} tokens/s of what it serves: {figure.note}."
    elif figure:
        how = "scaled from a measurement" if figure.status == "derived" else "measured"
        yield f"Speed is {how}: {plain(figure.number)} tokens/s a system ({figure.source}).{_ends(figure)}"
    elif name := _governing(fleet):
        yield _band(fleet.inputs[name], GOVERNED[name])
        yield from _trained(fleet)
    yield from bands_told(fleet)
    yield from _step(facts, fleet)


def _trained(fleet: FleetResult) -> Iterator[str]:
    """Tokens of a GPU in training, and where eight in ten measurements of such runs lie."""
    rates = [fleet.raw(f"gpu_token_rate{end}") for end in ("_estimated", "_low", "_high")]
    chosen = fleet.raw("gpu_token_rate")
    if any(rate is None for rate in (chosen, *rates)) or not np.array_equal(chosen, rates[0]):  # type: ignore[arg-type]
        return
    rate, low, high = (plain(float(np.min(found))) for found in rates)  # type: ignore[arg-type]
    size = fleet.raw("run_size")
    told = f" in a run of {counted(float(np.max(size)), 'GPU')}" if size is not None else ""
    ends = f"eight in ten measurements of such runs lie between {low} and {high}"
    yield f"That is {rate} tokens/s on a GPU{told}; {ends}."


def _governing(fleet: FleetResult) -> str:
    """The efficiency on which the speed hangs most."""
    memory, compute = fleet.raw("memory_time"), fleet.raw("compute_time")
    if memory is None or compute is None:
        found = "training_efficiency" if "training_efficiency" in fleet.inputs else "training_matrix_efficiency"
    else:
        waits = float(np.max(memory)) >= float(np.max(compute))
        found = "decode_bandwidth_efficiency" if waits else "decode_compute_efficiency"
    return found if found in fleet.inputs else ""


def _band(figure: Figure, words: str) -> str:
    known = {
        "derived": "Speed is estimated, from measurements of related parts",
        "estimate": "Speed is estimated, uncalibrated: there are no measurements of related parts",
        "recalled": "Speed is estimated from a recalled figure",
    }.get(figure.status, f"Speed rests on the scenario's own figure ({figure.status})")
    return f"{known}: {percent(figure.number)} of {words}.{_ends(figure)}"


def _ends(figure: Figure) -> str:
    """Low and high as shares of the figure."""
    value = figure.number
    if figure.low is None or figure.high is None or not value:
        return " No range is stated."
    slower, faster = 1 - figure.low / value, figure.high / value - 1
    ends = f"{_end(figure, figure.low)} to {_end(figure, figure.high)}"
    return f" The estimate runs from {ends}: that part up to {percent(slower)} slower or {percent(faster)} faster."


def _end(figure: Figure, value: float) -> str:
    return plain(value) if figure.unit else percent(value)


def _step(facts: Facts, fleet: FleetResult) -> Iterator[str]:
    systems, parts = series(fleet, "systems"), facts.parts.get(fleet.id)
    if systems is None or parts is None or unfit(fleet):
        return
    paid = sum(parts.get(name, 0.0) for name in MULTIPLES)
    mean = float(np.mean(systems))
    if any(alert.code == "scale-to-zero" for alert in alerts(facts, fleet)):
        yield _busy(facts, fleet, parts.get("rent_cost", 0.0))
    elif 0 < mean <= FEW and paid > 0:
        yield _one_more(facts, fleet, float(np.max(systems)), paid / mean)


def _busy(facts: Facts, fleet: FleetResult, rent: float) -> str:
    figure = fleet.inputs.get(_governing(fleet))
    told = "It is paid only while busy, so that its rent moves with the speed and not with the count of systems"
    if figure is None or not figure.low:
        return f"{told}."
    most = figure.number / figure.low
    return f"{told}: {facts.form(rent)} now, up to {facts.per(rent * most)} if all of it ran at the slow end."


def _one_more(facts: Facts, fleet: FleetResult, count: float, step: float) -> str:
    either = "One more system" if count <= 1 else "One more or one fewer"
    owned = "rent" if fleet.payment in ("rent", "lease") else "capital less resale"
    told = f"It needs {counted(count, 'system')} at most. {either} would change its cost by about {facts.per(step)}"
    return f"{told} ({owned} of one system){_against_lead(facts, step)}."


def _against_lead(facts: Facts, step: float) -> str:
    best, second = facts.best, facts.second
    cost, other = (facts.cost(fleet) if fleet else None for fleet in (best, second))
    if best is None or second is None or cost is None or other is None:
        return ""
    lead = f"the lead of {best.id} over {second.id}"
    return f", more than {lead}: the order may turn" if step > other - cost else f", less than {lead}"
