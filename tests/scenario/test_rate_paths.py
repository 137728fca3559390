"""Yearly rates that change from year to year: chained, never taken as if the last had held from the start."""

from __future__ import annotations

import pytest

from tco.errors import ScenarioError
from tco.result import FleetResult
from tco.session import loads
from tests.cli.conftest import changed

RATES = (0.03, 0.02)


def own(*changes: tuple[str, str]) -> FleetResult:
    return loads(changed(*changes)).run().by_id["own"]


def level(rates: tuple[float, ...], quarter: int) -> float:
    """The level at which a quarter opens."""
    product = 1.0
    for earlier in range(quarter):
        product *= (1 + rates[earlier // 4]) ** 0.25
    return product


def test_inflation_by_year_is_chained() -> None:
    path = "pricing: {inflation: [3 %, 2 %/yr], security: 1000 USD/yr, wage_growth: [10 %, 0 %]}\nfinance:"
    found = own(("finance:", path))
    wages = [float(part) for part in found.raw("wage_factor")]  # type: ignore[union-attr]
    assert wages == pytest.approx([level((0.1, 0.0), quarter) for quarter in range(8)], rel=1e-12)
    costs = "costs: [{name: Fibre, amount: 100 USD/month, part_of: site_cost}]\nfinance:"
    found = own(("finance:", f"pricing: {{inflation: [3 %, 2 %]}}\n{costs}"))
    paid = [float(part) for part in found.raw("fibre_cost")]  # type: ignore[union-attr]
    assert paid == pytest.approx([300 * level(RATES, quarter) for quarter in range(8)], rel=1e-12)


def test_a_list_of_equal_rates_is_the_rate() -> None:
    path, one = (own(("0.12 USD/kWh", f"0.12 USD/kWh, escalation: {rate}")) for rate in ("[5 %, 5 %]", "5 %"))
    assert path.raw("energy_cost") == pytest.approx(one.raw("energy_cost"), rel=1e-12)


def test_a_rate_under_inputs_may_be_per_cent() -> None:
    assert own(("finance:", "inputs: {inflation: 3 %}\nfinance:")).inputs["inflation"].number == 0.03


def test_a_rate_that_cannot_be_chained_is_refused() -> None:
    """The growth of demand by year was read as if each year's rate had held from the start."""
    with pytest.raises(ScenarioError, match=r"would not be chained; a demand that grows unevenly is a `ramp`"):
        own(("finance:", f"inputs: {{demand_growth: [{', '.join(['5 %/yr'] * 8)}]}}\nfinance:"))


REAL = ("discount_rate: 8 %", "discount_rate: 8 %, discount_rate_is: real")


def test_a_real_rate_meets_nominal_amounts_by_fisher() -> None:
    inflation = "pricing: {inflation: 3 %}\nfinance:"
    real = own(("finance:", inflation), REAL)
    nominal = own(("finance:", inflation), ("discount_rate: 8 %", "discount_rate: 11.24 %"))  # 1.08 x 1.03
    assert real.raw("discount_rate") == pytest.approx(0.1124, rel=1e-12)
    assert real.raw("present_cost") == pytest.approx(nominal.raw("present_cost"), rel=1e-12)


@pytest.mark.parametrize(
    ("change", "told"),
    [("finance:", "needs `pricing.inflation`"), ("pricing: {inflation: [3 %, 2 %]}\nfinance:", "not a list")],
)
def test_a_real_rate_without_one_inflation_is_refused(change: str, told: str) -> None:
    with pytest.raises(ScenarioError, match=told):
        own(("finance:", change), REAL)
