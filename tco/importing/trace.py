"""A request trace as the scenario's workload: classes, mean rate, peak and hourly profile."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tco.importing.source import Source, refuse
from tco.importing.trace_rows import Trace, read_trace

HOUR = 3600.0
WHOLE = 0.9
"""The part of an hour that must be in the trace for its rate to count."""

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class RequestClass:
    """Requests of like size: their share and mean tokens."""

    share: float
    input_tokens: float
    output_tokens: float


@dataclass(frozen=True)
class TracedWorkload:
    """What a trace says of the load."""

    requests: int
    hours: float
    hourly_rate: float
    input_tokens: float
    output_tokens: float
    classes: tuple[RequestClass, ...]
    peak_to_mean: float | None
    profile: tuple[float, ...]
    notes: tuple[str, ...]
    source: Source

    @property
    def yaml(self) -> str:
        """Keys to paste under `workload:`."""
        story = json.dumps(f"request trace {self.source}", ensure_ascii=False)

        def leaf(key: str, text: str) -> str:
            return f"  {key}: {{value: {text}, source: {story}, status: derived}}"

        lines = [f"# {note}" for note in self.notes] + [
            "workload:",
            leaf("requests", f"{self.hourly_rate:.8g} request/h"),
        ]
        if self.peak_to_mean is not None:
            lines.append(leaf("peak_to_mean", f"{self.peak_to_mean:.6g}"))
        lines.append(leaf("input", f"{self.input_tokens:.6g} token/request"))
        lines.append(leaf("output", f"{self.output_tokens:.6g} token/request"))
        lines.append("  classes:")
        lines += [
            f"    - {{share: {100 * one.share:.8g} %, input: {one.input_tokens:.8g} token/request, "
            f"output: {one.output_tokens:.8g} token/request}}"
            for one in self.classes
        ]
        if self.profile:
            lines.append(f"  profile: [{', '.join(f'{value:.5g}' for value in self.profile)}]")
        return "\n".join(lines) + "\n"


def workload_from_trace(
    path: str | Path, classes: int = 4, profile: int = 24, time_unit: str | None = None, read_on: str | None = None
) -> TracedWorkload:
    """Classes of requests by size, the mean rate, the busiest hour against the mean, and a profile of 24 or 168 hours.

    Rows that cannot be read are refused by line; gaps, clock changes and disorder are named in the notes.
    """
    trace = read_trace(Path(path), time_unit, read_on)
    if profile not in (24, 168) or not 1 <= classes <= 50:
        told = f"profile {profile} and classes {classes} were asked for; wanted 24 or 168, and 1 to 50"
        refuse(trace.source.name, told)
    notes: list[str] = []
    arrived = _ordered(trace, notes)
    tokens_in, tokens_out = _tokens(trace, arrived, notes)
    rate = (len(arrived) - 1) / float(arrived[-1] - arrived[0]) * HOUR
    hours = _Hours(trace.source.name, arrived, trace.clock.shift if trace.clock.dated else -float(arrived[0]))
    _gaps(arrived, rate, notes)
    return TracedWorkload(
        requests=len(arrived),
        hours=(len(arrived) - 1) / rate,
        hourly_rate=rate,
        input_tokens=float(tokens_in.mean()),
        output_tokens=float(tokens_out.mean()),
        classes=_classes(tokens_in, tokens_out, classes),
        peak_to_mean=hours.peak(rate, notes),
        profile=hours.profile(profile, trace.clock.dated, notes),
        notes=tuple(notes),
        source=trace.source,
    )


def _tokens(trace: Trace, arrived: Numbers, notes: list[str]) -> tuple[Numbers, Numbers]:
    tokens_in, tokens_out = np.array(trace.tokens_in), np.array(trace.tokens_out)
    if arrived[-1] <= arrived[0] or tokens_out.sum() <= 0:
        wanted = "wanted at least two requests at different times"
        refuse(trace.source.name, f"holds no span of time or no output token; {wanted}")
    if silent := int((tokens_out == 0).sum()):
        notes.append(f"{silent:,} requests have no output token; they count as requests, and may be failures")
    return tokens_in, tokens_out


def _ordered(trace: Trace, notes: list[str]) -> Numbers:
    """Sorted arrivals. A clock of local time set back doubles an hour, which is refused."""
    arrived = np.array(trace.arrived)
    steps = np.diff(arrived)
    back = np.flatnonzero(steps < 0)
    if None in trace.clock.offsets:
        for index in back:
            later = arrived[index + 1 :]
            if 0.75 * HOUR <= -steps[index] <= 1.25 * HOUR and len(later) > 2 and (np.diff(later[:50]) >= 0).all():
                refuse(trace.source.name, f"line {trace.lines[int(index) + 1]}: the clock is set back by an hour; "
                       "write times with their offset, such as 2026-10-25T02:10:00+02:00")  # fmt: skip
    if len(trace.clock.offsets) > 1:
        if None in trace.clock.offsets:
            refuse(trace.source.name, "some times have an offset from UTC and some have none; write all with it")
        notes.append("clock change: times have several offsets from UTC; hours of the day are in the smallest of them")
    if len(back):
        places = ", ".join(str(trace.lines[int(index) + 1]) for index in back[:5])
        notes.append(
            f"{len(back):,} rows are earlier than the one before (line {places}{' …' if len(back) > 5 else ''}): sorted"
        )
    return np.sort(arrived)


def _gaps(arrived: Numbers, rate: float, notes: list[str]) -> None:
    """Hours without a request that chance does not explain."""
    steps = np.diff(arrived) / HOUR
    long = np.flatnonzero((steps >= 1) & (steps * rate > 14))
    if len(long):
        worst = int(long[np.argmax(steps[long])])
        after = (arrived[worst] - arrived[0]) / HOUR
        notes.append(f"{len(long)} gap(s) of an hour or more without a request, the longest {steps[worst]:.3g} h, "
                     f"{after:.4g} h after the start; counted as no demand: was the log whole?")  # fmt: skip


def _classes(tokens_in: Numbers, tokens_out: Numbers, count: int) -> tuple[RequestClass, ...]:
    """Equal shares of the requests by size (input + output); requests of one size stay together."""
    order = np.argsort(tokens_in + tokens_out, kind="stable")
    size: Numbers = (tokens_in + tokens_out)[order]
    firsts = [int(np.searchsorted(size, float(size[len(size) * part // count]), "left")) for part in range(1, count)]
    edges = [0, *sorted({first for first in firsts if first}), len(order)]
    groups = [order[start:end] for start, end in itertools.pairwise(edges)]
    means = [(float(tokens_in[group].mean()), float(tokens_out[group].mean())) for group in groups]
    return tuple(RequestClass(len(group) / len(order), *mean) for group, mean in zip(groups, means, strict=True))


class _Hours:
    """Requests and seconds seen in every hour of the trace."""

    def __init__(self, file: str, arrived: Numbers, shift: float) -> None:
        local = arrived + shift
        self.first = int(local[0] // HOUR)
        number = int(local[-1] // HOUR) - self.first + 1
        if number > 24 * 366 * 5:
            refuse(file, f"spans {number / 24:,.0f} days; wanted at most five years: are the times in one unit?")
        self.counts = np.bincount((local // HOUR).astype(np.int64) - self.first, minlength=number).astype(float)
        self.seen = np.full(number, HOUR)
        self.seen[0] -= local[0] - self.first * HOUR
        self.seen[-1] -= (self.first + number) * HOUR - local[-1]

    def peak(self, rate: float, notes: list[str]) -> float | None:
        """The busiest hour against the mean."""
        whole = self.seen >= WHOLE * HOUR
        if whole.sum() < 2:
            notes.append("shorter than two whole hours: no peak; state `peak_to_mean`")
            return None
        rates = self.counts[whole] / self.seen[whole] * HOUR
        return max(float(rates.max() / rate), 1.0)

    def profile(self, length: int, dated: bool, notes: list[str]) -> tuple[float, ...]:
        """The rate in each hour of the day or week against their mean; empty when an hour was not seen."""
        start = 72 if length == 168 else 0  # 1970 began on a Thursday; a week begins on Monday
        place = (np.arange(len(self.counts)) + (self.first + start if dated else 0)) % length
        seen = np.bincount(place, self.seen, minlength=length)
        if (seen < HOUR / 2).any():
            missing = int((seen < HOUR / 2).sum())
            notes.append(
                f"{missing} of {length} hours were not seen: no profile; give a trace of {length} hours or more"
            )
            return ()
        if not dated:
            notes.append("times count from a start without a date: hour 1 of the profile is the start of the trace")
        rates = np.bincount(place, self.counts, minlength=length) / seen
        return tuple(float(value) for value in rates / rates.mean())
