"""Prices, carbon and water that change by period or by year."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from tco.cli import main
from tco.errors import ScenarioError
from tco.result import FleetResult
from tco.session import loads
from tests.cli.conftest import changed

PRICE = "electricity: {price: 0.12 USD/kWh}"
COOLING = "cooling: {kind: air, pue: 1.4}"


def fleet(electricity: str, cooling: str = "") -> FleetResult:
    more = ((COOLING, f"{COOLING[:-1]}, {cooling}}}"),) if cooling else ()
    return loads(changed((PRICE, f"electricity: {{{electricity}}}"), *more)).run().by_id["own"]


def test_a_value_for_each_period_and_one_for_each_year() -> None:
    price = "price: [0.10 USD/kWh, 0.20 USD/kWh]"
    carbon = "carbon_intensity: [400 gCO2e/kWh, 300 gCO2e/kWh], carbon_price: [50 USD/tCO2e, 90 USD/tCO2e]"
    by_year = fleet(f"{price}, {carbon}")
    quarters = ", ".join(f"{number} USD/kWh" for number in (0.1, 0.1, 0.1, 0.1, 0.2, 0.2, 0.2, 0.2))
    by_quarter = fleet(f"price: [{quarters}]")
    energy = np.asarray(by_year.raw("energy"))
    half = np.repeat([1.0, 0.0], 4)
    assert by_year.raw("electricity_cost") == pytest.approx(energy * (0.1 * half + 0.2 * (1 - half)))
    assert by_quarter.raw("electricity_cost") == pytest.approx(by_year.raw("electricity_cost"))
    assert by_year.raw("carbon") == pytest.approx(energy * (0.4 * half + 0.3 * (1 - half)) / 1000)
    assert by_year.raw("carbon_cost") == pytest.approx(
        np.asarray(by_year.raw("carbon")) * (50 * half + 90 * (1 - half))
    )
    assert by_year.inputs["electricity_price"].note == "one value a year, the first from 2027-01"
    assert not by_quarter.inputs["electricity_price"].note


def test_water_by_year() -> None:
    path = "water_use: [1 l/kWh, 2 l/kWh], water_price: [3 USD/m3, 4 USD/m3]"
    found = fleet("price: 0.12 USD/kWh", path)
    water, power = np.asarray(found.raw("water")), np.asarray(found.raw("it_power"))
    assert water == pytest.approx(power * 8.76 / 4 * np.repeat([1, 2], 4))
    assert found.raw("water_cost") == pytest.approx(water * np.repeat([3, 4], 4))


@pytest.mark.parametrize(
    ("electricity", "told"),
    [
        ("price: [0.1 USD/kWh, 0.1 USD/kWh, 0.1 USD/kWh]", "has 3 values for 8 periods; state one for each, or for"),
        ("price: [0.1 EUR/kWh, 0.1 EUR/kWh, 0.1 EUR/kWh]", "has 3 values for 8 periods; state one for each, or for"),
        ("price: [0.1 USD/kWh, 0 USD/kWh]", "a zero price is an error"),
    ],
)  # fmt: skip
def test_another_number_of_values_is_refused(electricity: str, told: str) -> None:
    with pytest.raises(ScenarioError, match=told):
        loads(changed((PRICE, f"fx: {{EUR: 1.1 USD/EUR}}\nelectricity: {{{electricity}}}"))).run()


def test_a_foreign_price_by_year_is_converted_in_every_period() -> None:
    euros = "fx: {EUR: 1.1 USD/EUR}\nelectricity: {price: [0.10 EUR/kWh, 0.20 EUR/kWh]}"
    found = loads(changed((PRICE, euros))).run().by_id["own"]
    energy = np.asarray(found.raw("energy"))
    assert found.raw("electricity_cost") == pytest.approx(energy * np.repeat([0.11, 0.22], 4))


def test_every_output_takes_a_path(tmp_path: Path) -> None:
    """Table, JSON, CSV, report and workbook; a second program computes the workbook's formulas anew."""
    path = "electricity: {price: [0.10 USD/kWh, 0.20 USD/kWh], carbon_intensity: [400 gCO2e/kWh, 300 gCO2e/kWh]}"
    (tmp_path / "a.yaml").write_text(changed((PRICE, path)), encoding="utf-8")
    done = CliRunner().invoke(main, ["run", str(tmp_path / "a.yaml"), "--out", str(tmp_path)])
    assert done.exit_code == 0, done.output
    checked = CliRunner().invoke(main, ["verify", str(tmp_path / "a.xlsx")])
    assert checked.exit_code == 0, checked.output
