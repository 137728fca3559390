"""The quickstart under uncertainty: `tco simulate` against hand-written numpy that does the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.by_hand_fleets import of_fleet
from tco.analysis.fleet import engine_inputs
from tco.session import Scenario, loads
from tco.uncertainty.many import by_lines
from tco.uncertainty.simulate import Setup, prepared
from tco.uncertainty.tally import cheapest, quantiles

Array = NDArray[np.float64]
BLOCK = 1024
RANGES = """analysis:
  uncertainty:
    ranges:
      electricity.price: 0.09 to 0.16 USD/kWh
      workload.requests: 0.6 to 1.3 Mrequest/month
      workload.growth: 10 to 35 %/yr
      cooling.pue: 1.3 to 1.6
      finance.discount_rate: 7 to 11 %
      fleets.consumer.buy.price: 18000 to 32000 USD/system
      fleets.workstation.buy.price: 42000 to 75000 USD/system
      fleets.hgx-h200.buy.price: 275000 to 360000 USD/system
      fleets.mi300x.buy.price: 160000 to 260000 USD/system
      fleets.nvl72.lease.rent: 80000 to 120000 USD/system/month
      fleets.cloud-ondemand.rent.price: 2.4 to 3.1 USD/gpu/h
      fleets.workstation.inputs.gpu_bandwidth: 1.6 to 1.9 TB/s/gpu
      fleets.hgx-h200.inputs.gpu_bandwidth: 4.4 to 5 TB/s/gpu
      fleets.cloud-reserved.inputs.gpu_bandwidth: 4.4 to 5 TB/s/gpu
fleets:
"""


def quickstart(file: Path) -> Scenario:
    """With ranges for work, site, money, prices and speed."""
    return loads(file.read_text(encoding="utf-8").replace("fleets:\n", RANGES, 1), str(file))


def ready(file: Path) -> Setup:
    """All that comes before the first draw."""
    return prepared(quickstart(file))


def by_tco(setup: Setup, samples: int) -> dict[str, Array]:
    """Draws, lines, quantiles, histograms and indices, on one processor; the headlines."""
    return by_lines(setup, samples, 1, lambda done, whole: None).costs


def by_hand(setup: Setup, samples: int) -> dict[str, Array]:
    """The same draws through hand-written numpy, in blocks of the same size, with the same quantiles."""
    result = setup.result
    given = {fleet.id: engine_inputs(fleet.inputs, result.timeline) for fleet in result.fleets}
    held = {fleet.id: np.full((3, samples), np.nan) for fleet in result.fleets}
    moved = {fleet.id: setup.response.inputs.get((fleet.id, fleet.precision), {}) for fleet in result.fleets}
    start = 0
    for shares in setup.draws.points(samples):
        drawn = setup.draws.values(shares)
        for low in range(0, len(shares), BLOCK):
            for fleet in result.fleets:
                inputs: dict[str, Any] = dict(given[fleet.id])
                for name, how in moved[fleet.id].items():
                    column: Any = drawn[how.column]
                    inputs[name] = how.offset + how.slope * column[low : low + BLOCK, None]
                with np.errstate(all="ignore"):
                    *numbers, able = of_fleet(fleet.payment, inputs, result.timeline.periods)
                for row, number in zip(held[fleet.id], numbers, strict=True):
                    row[start + low : start + low + BLOCK] = np.where(able, number, np.nan).reshape(-1)
        start += len(shares)
    for lines in held.values():
        for row in lines:
            quantiles(row)
    costs = {name: lines[0] for name, lines in held.items()}
    cheapest(costs, list(costs))
    return costs
