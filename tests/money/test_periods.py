"""What does not fit into whole periods is told."""

from __future__ import annotations

import pytest

from tco.result import Result
from tco.session import loads

TEXT = """\
format: 1
title: Terms and periods
as_of: 2026-11-01
currency: USD
timeline: {{start: 2027-{month:02d}, horizon: 4 yr, step: {step}}}
workload: {{kind: inference, model: llama-3.1-8b, requests: 100000 request/month, peak_to_mean: 2,
           input: 1000 token/request, output: 200 token/request}}
electricity: {{price: 0.12 USD/kWh}}
cooling: {{kind: air, pue: 1.4}}
pricing: {{decommissioning: 500 USD/system}}
finance: {{discount_rate: 8 %, basis: after_tax, tax_rate: 25 %, depreciation: {{method: {method}, life: 5 yr}}}}
fleets:
  - {{id: owned, buy: {{system: srv-8xl40s, price: 90000 USD/system, life: {life}}}, precision: fp8, count: 1}}
"""


def ran(step: str = "year", life: str = "2 yr", month: int = 1, method: str = "straight_line") -> Result:
    return loads(TEXT.format(step=step, life=life, month=month, method=method)).run()


def told(result: Result, code: str) -> list[str]:
    return [alert.text for alert in result.warnings if alert.code == code]


def test_a_term_that_is_rounded_is_told() -> None:
    assert "life of 2.5 yr counts as 3" in told(ran(life="30 month"), "rounded-up")[0]
    assert told(ran(life="30 month", step="month"), "rounded-up") == []
    assert told(ran(life="9 yr"), "rounded-up") == []


@pytest.mark.parametrize(("step", "month", "method", "says"), [
    ("year", 10, "macrs", 1), ("year", 1, "macrs", 0), ("quarter", 3, "macrs", 1), ("quarter", 10, "macrs", 0),
    ("month", 3, "macrs", 0), ("year", 10, "straight_line", 0),
])  # fmt: skip
def test_periods_across_tax_years_are_told(step: str, month: int, method: str, says: int) -> None:
    assert len(told(ran(step=step, month=month, method=method), "tax-year")) == says


@pytest.mark.parametrize("step", ["month", "quarter", "year"])
def test_a_system_leaves_when_its_life_closes(step: str) -> None:
    """Decommissioned after two years and after four, whatever the step; never a period late."""
    fleet = ran(step=step).fleets[0]
    paid, parts = fleet.raw("decommissioning_cost"), {"month": 12, "quarter": 4, "year": 1}[step]
    wanted = [0.0] * 4 * parts
    wanted[2 * parts - 1] = wanted[4 * parts - 1] = 500.0
    assert list(paid) == wanted  # type: ignore[arg-type]
