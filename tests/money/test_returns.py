"""A rate of return is told where one rate alone solves the flow, however often its sign changes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tco.analysis.returns import rates_of_return
from tco.session import loads

SCENARIO = """\
format: 1
title: Systems that come in phases
as_of: 2026-11-01
currency: USD
timeline: {start: 2027-01, horizon: 6 yr, step: quarter}
workload: {kind: inference, model: llama-3.1-8b, requests: 1000000 request/month, peak_to_mean: 2,
           input: 1000 token/request, output: 200 token/request}
electricity: {price: 0.12 USD/kWh}
cooling: {kind: air, pue: 1.4}
finance: {discount_rate: 8 %, reference: rented}
fleets:
  - {id: owned, buy: {system: srv-8xl40s, price: 90000 USD/system, life: 2 yr}, precision: fp8, count: 1}
  - {id: rented, rent: {gpu: l40s, gpus: 8, price: 1.2 USD/gpu/h}, precision: fp8, count: 1}
"""


def test_replacements_leave_one_rate() -> None:
    """Bought three times, so that the flow changes its sign five times; at its rate it is worth nothing."""
    result = loads(SCENARIO).run()
    rate = result.comparison["owned"]["irr"]["value"]
    assert rate is not None
    energy = float(result.by_id["owned"].raw("energy_cost")[0])  # type: ignore[index]
    saved = 1.2 * 8 * 8760 / 4 - energy
    bought = sum(90_000 * (1 + rate) ** -year for year in (0, 2, 4))
    got = sum(saved * (1 + rate) ** -((quarter + 0.5) / 4) for quarter in range(24))
    assert got == pytest.approx(bought, rel=1e-9)


def found(flows: list[float]) -> list[float] | None:
    return rates_of_return(np.arange(len(flows), dtype=float), np.array(flows, dtype=float))


@pytest.mark.parametrize(
    ("flows", "rates"),
    [([-100, 230, -132], [0.1, 0.2]), ([-1, 2, -2], []), ([-1000, 300, 400, 500], [0.08896339469335035]),
     ([-6, 11, -6, 1], [-2 / 3, -0.5, 0.0])],
)  # fmt: skip
def test_all_rates_are_found(flows: list[float], rates: list[float]) -> None:
    assert found(flows) == pytest.approx(rates, abs=1e-9)


def test_rates_that_touch_are_not_told_apart() -> None:
    """-1 + 2 / (1 + r) - 1 / (1 + r)^2 touches nothing at 0 and does not cross it."""
    assert found([-1, 2, -1]) is None


@pytest.mark.parametrize("seed", range(20))
def test_rates_are_the_roots_of_the_polynomial(seed: int) -> None:
    """As numpy solves it, which knows nothing of cells."""
    flows = np.random.default_rng(seed).normal(size=6)
    roots = [root.real for root in np.roots(flows[::-1]) if abs(root.imag) < 1e-9 and root.real > 0]
    wanted = sorted(1 / root - 1 for root in roots if -0.99 < 1 / root - 1 < 9999)
    assert found(list(flows)) == pytest.approx(wanted, rel=1e-6)


def test_forty_years_of_months_are_solved() -> None:
    months = np.arange(480) / 12
    flows = np.where(np.arange(480) % 48 == 0, -3000.0, 100.0)
    rates = rates_of_return(months, flows)
    assert rates is not None
    assert all(math.isclose(float(np.sum(flows * (1 + rate) ** -months)), 0, abs_tol=1e-6) for rate in rates)
