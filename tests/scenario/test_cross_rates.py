"""A rate that is stated in another foreign currency: chained, told as derived, and refused where it leads nowhere."""

from __future__ import annotations

# pyright: basic
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from click.testing import CliRunner

from tco.cli import main
from tco.errors import ScenarioError
from tco.result import FleetResult
from tco.session import load, loads
from tco.workbook import write
from tests.cli.conftest import changed
from tests.workbook import returned

PRICE = "electricity: {price: 0.12 USD/kWh}"


def fleet(rates: str, price: str = "18 JPY/kWh") -> FleetResult:
    """A fleet whose electricity is paid in yen."""
    return loads(changed((PRICE, f"fx: {{{rates}}}\nelectricity: {{price: {price}}}"))).run().by_id["own"]


def test_a_rate_goes_through_another_one_and_says_so() -> None:
    rates = (
        'JPY: {value: 0.006 EUR/JPY, as_of: 2026-10-01, source: "a bank"}, EUR: {value: 1.1 USD/EUR, as_of: 2026-10-20}'
    )
    found = fleet(rates)
    rate = found.inputs["jpy_rate"]
    assert rate.number == pytest.approx(0.006 * 1.1)
    assert found.raw("electricity_price") == pytest.approx(18 * 0.006 * 1.1)
    assert (rate.status, rate.as_of, rate.low) == ("derived", "2026-10-01", None)
    assert rate.source == "0.006 EUR/JPY (a bank) times 1.1 USD/EUR (scenario)"


def test_several_steps_and_rates_by_time_multiply() -> None:
    path = "CHF: {after: [0 yr, 1 yr], rate: [1.2 USD/CHF, 1.3 USD/CHF]}"
    found = fleet(f"JPY: 0.006 EUR/JPY, EUR: 0.9 CHF/EUR, {path}")
    assert found.inputs["jpy_rate"].series == pytest.approx([0.006 * 0.9 * 1.2] * 4 + [0.006 * 0.9 * 1.3] * 4)


def test_in_the_workbook_it_is_one_number_that_cannot_go_back(tmp_path: Path) -> None:
    text = changed((PRICE, "fx: {JPY: 0.006 EUR/JPY, EUR: 1.1 USD/EUR}\nelectricity: {price: 18 JPY/kWh}"))
    (tmp_path / "a.yaml").write_text(text, encoding="utf-8")
    write(load(tmp_path / "a.yaml").run(), tmp_path / "a.xlsx")
    book: Any = openpyxl.load_workbook(tmp_path / "a.xlsx")
    cell = book.defined_names["in_jpy_rate"].attr_text.rpartition("!")[2].replace("$", "")
    returned.typed(tmp_path / "a.xlsx", tmp_path / "b.xlsx", {("Inputs", cell): 0.007})
    done = CliRunner().invoke(main, ["readback", str(tmp_path / "b.xlsx"), "--scenario", str(tmp_path / "a.yaml")])
    assert done.exit_code == 1
    assert "follows from 0.006 EUR/JPY (scenario) times 1.1 USD/EUR (scenario), and cannot be typed" in done.output


@pytest.mark.parametrize(
    ("rates", "told"),
    [
        ("JPY: 0.006 EUR/JPY", "wanted USD/JPY, or EUR under `fx` too"),
        ("JPY: 0.006 EUR/JPY, EUR: 160 JPY/EUR", "lead round in a circle, never to USD; state USD/JPY"),
        ("JPY: 155 JPY/USD", "the rate is in JPY/USD; wanted USD/JPY"),
        ("JPY: 0.006 USD/EUR, EUR: 1.1 USD/EUR", "the rate is in USD/EUR; wanted USD/JPY"),
        ("JPY: 0.006, EUR: 1.1 USD/EUR", "the rate is in a plain number; wanted USD/JPY"),
    ],
)
def test_what_leads_nowhere_is_refused_and_nothing_is_turned_round(rates: str, told: str) -> None:
    with pytest.raises(ScenarioError) as raised:
        fleet(rates)
    assert told in str(raised.value)
