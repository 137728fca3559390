"""What a workload needs of a fleet, how several fit on whole systems, and who bears the bill."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from tco.portfolio.state import Allocation, Array, Borne, Need
from tco.result import FleetResult
from tco.timeline import Timeline

NOISE = 1e-12
"""As `ceil` of the lines forgives it."""


def need_of(work: str, fleet: FleetResult, periods: int) -> Need:
    """From the lines of the workload's own run on the fleet."""
    width = fleet.inputs["gpus_per_system"].number
    if "replicas_needed" in fleet.model.lines:
        size = math.ceil(fleet.inputs["gpus_per_replica"].number)
        items = _whole(row(fleet, "replicas_needed", periods) / fleet.inputs["partitions"].number)
    else:
        required = np.maximum(row(fleet, "required_gpus", periods), fleet.inputs["shard_gpus"].number)
        spans = fleet.inputs["scale_out"].number > 0
        at_once = _whole(np.maximum(row(fleet, "run_gpus", periods), fleet.inputs["shard_gpus"].number))
        size = 1 if spans else int(min(at_once.max(), width))
        items = _whole(required / size)
    gpus, held = items * size, row(fleet, "gpus", periods)
    peaks = (
        np.minimum(row(fleet, name, periods) * held, gpus) for name in ("peak_utilization", "month_peak_utilization")
    )
    busy = np.minimum(row(fleet, "utilization", periods) * held, gpus)
    return Need(work, size, items, gpus, row(fleet, "systems_for_work", periods), busy, *peaks)


def row(fleet: FleetResult, name: str, periods: int) -> Array:
    """A line as one number a period."""
    return np.broadcast_to(np.reshape(np.asarray(fleet.raw(name), float), -1), periods)


def _whole(values: Array) -> Array:
    return np.ceil(values * (1 - NOISE))


def packed(needs: Sequence[Need], width: int, periods: int) -> Array:
    """The whole systems that hold all needs, by period: never more than fleets of their own would take."""
    apart = np.sum([need.systems for need in needs], axis=0)
    found = [_systems([(need.size, int(need.items[at])) for need in needs], width) for at in range(periods)]
    return np.minimum(apart, np.array(found, dtype=float))


def _systems(items: Sequence[tuple[int, int]], width: int) -> int:
    """Largest items first, each into the fullest system that has room; none is cut in two."""
    free: Counter[int] = Counter()
    opened = 0
    for size, count in sorted(items, reverse=True):
        if count and size > width:
            return math.ceil(sum(size * many for size, many in items) / width)
        while count:
            room = min((left for left, many in free.items() if many and left >= size), default=0)
            if not room:
                new = max(count // (width // size), 1)
                free[width], opened, room = free[width] + new, opened + new, width
            each = min(room // size, count)
            into = min(free[room], max(count // each, 1))
            free[room] -= into
            free[room - each * size] += into
            count -= into * each
    return opened


def allocated(needs: Mapping[str, Need], fleet: FleetResult, timeline: Timeline) -> Allocation:
    """GPU-hours by workload: reserved ones with what stands idle, used ones as far as they work.

    What is reserved beyond all needs, by rounding or because systems stay, is shared in proportion to the needs.
    """
    periods = timeline.periods
    hours, length = row(fleet, "gpu_hours", periods), timeline.frame()["period"] * HOURS
    asked = np.sum([need.gpus for need in needs.values()], axis=0)
    over_all = sum(float(need.gpus.sum()) for need in needs.values())
    bill = float(hours.sum())
    borne = dict[str, Borne]()
    for name, need in needs.items():
        spread = need.gpus.sum() / over_all if over_all else 1 / len(needs)
        share = np.where(asked > 0, need.gpus / np.where(asked > 0, asked, 1), spread)
        reserved = hours * share
        used = need.busy * length
        needed = np.minimum(reserved, need.gpus * length)
        parts = (float(one.sum()) / bill if bill else spread for one in (reserved, used, needed))
        borne[name] = Borne(name, reserved, used, *parts)
    return Allocation(borne, hours)


HOURS = 8760.0
"""In a year."""
