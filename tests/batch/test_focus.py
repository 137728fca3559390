"""The plan as a bill: both sums are the total cost, and purchases are spread over what they serve."""

from __future__ import annotations

import csv
import io
import itertools
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result

from tco import portfolio
from tco.focus import COLUMNS, leaves, spread_over, to_focus, to_opencost
from tco.session import load, loads
from tests.batch.conftest import fill
from tests.cli.conftest import BASE, TRAINING, changed

ROOT = Path(__file__).parents[2]
Row = dict[str, str]

OWN = "buy: {system: hgx-h200-srv}"
SCENARIOS = {
    "plain": BASE,
    "by month": changed(("2027-01, horizon: 2 yr, step: quarter", "2027-11, horizon: 5 month, step: month")),
    "reserved": changed(("offer: runpod-h100-sxm-ondemand, gpus: 8", "offer: aws-p5en-1yr, upfront: 40 %")),
    "loan and tax": changed(
        (OWN, "buy: {system: hgx-h200-srv, loan: {share: 80 %, rate: 7 %, term: 2 yr}}"),
        ("8 %}", "8 %, basis: after_tax, tax_rate: 25 %, depreciation: {method: macrs, life: 5 yr}}"),
    ),
    "pinned": BASE + "pin: {own: {electricity_cost: 500 USD, capital_cost: 90 USD}}\n",
    "training": TRAINING,
}  # fmt: skip


def rows(text: str, name: str = "a") -> list[Row]:
    return list(csv.DictReader(io.StringIO(to_focus(loads(text).run(), name))))


@pytest.mark.parametrize("text", SCENARIOS.values(), ids=SCENARIOS.keys())
def test_billed_and_effective_cost_add_up_to_the_total(text: str) -> None:
    result = loads(text).run()
    held = list(csv.DictReader(io.StringIO(to_focus(result, "a"))))
    for fleet in result.fleets:
        own = [row for row in held if row["SubAccountId"] == fleet.id]
        total = fleet.shown("total_cost")
        assert isinstance(total, float)
        for column in ("BilledCost", "EffectiveCost"):
            assert sum(float(row[column]) for row in own) == pytest.approx(total, rel=1e-9)
        paid = [row for row in own if float(row["BilledCost"])]
        keys = [(row["x_Line"], row["ChargePeriodStart"]) for row in paid]
        assert len(keys) == len(set(keys))


def test_every_fleet_of_the_examples_adds_up() -> None:
    files = sorted((ROOT / "scenarios").glob("*.yaml"))
    several = [file for file in files if "\nworkloads:" in file.read_text("utf-8")]
    found = [load(file).run() for file in files if file not in several]
    found += [one for file in several for one in portfolio.load(file).run().single.values()]
    for fleet in (fleet for result in found for fleet in result.fleets):
        total = fleet.raw("total_cost")
        assert sum(float(leaf.amounts.sum()) for leaf in leaves(fleet)) == pytest.approx(total, rel=1e-9), fleet.id


def test_the_form_is_that_of_focus() -> None:
    held = rows(SCENARIOS["loan and tax"])
    assert tuple(held[0]) == COLUMNS
    for row in held:
        assert row["ChargeCategory"] in ("Usage", "Purchase", "Tax", "Credit", "Adjustment")
        assert row["ChargeFrequency"] in ("One-Time", "Recurring", "Usage-Based")
        assert row["ChargeCategory"] != "Purchase" or row["ChargeFrequency"] != "Usage-Based"
        assert row["ServiceCategory"] in ("AI and Machine Learning", "Compute", "Storage", "Networking", "Other")
        for column in ("BilledCost", "EffectiveCost", "ListCost", "ContractedCost"):
            assert np.isfinite(float(row[column]))
        for column in ("BillingAccountId", "BillingCurrency", "ChargeDescription", "ServiceName", "ProviderName"):
            assert row[column]
        assert json.loads(row["Tags"])["fleet"] == row["SubAccountId"]
        if row["ChargeCategory"] == "Purchase":
            assert float(row["EffectiveCost"]) == 0


def test_periods_are_months_of_the_calendar_with_an_open_end() -> None:
    held = rows(SCENARIOS["by month"])
    edges = sorted({(row["BillingPeriodStart"], row["BillingPeriodEnd"]) for row in held})
    months = ["2027-11", "2027-12", "2028-01", "2028-02", "2028-03", "2028-04"]
    moments = [f"{month}-01T00:00:00Z" for month in months]
    assert edges == list(itertools.pairwise(moments))


def test_capital_is_used_evenly_from_its_period_to_the_horizon() -> None:
    held = [row for row in rows(BASE) if row["SubAccountId"] == "own" and row["x_Category"] == "capital_cost"]
    bought = [row for row in held if row["ChargeCategory"] == "Purchase"]
    used = [row for row in held if row["ChargeCategory"] == "Usage"]
    assert [row["ChargePeriodStart"] for row in bought] == ["2027-01-01T00:00:00Z"] * len(bought)
    assert len(used) == 8 * len(bought)
    first = [row for row in used if row["x_Line"] == bought[0]["x_Line"]]
    share = float(bought[0]["BilledCost"]) / 8  # two years of quarters
    assert [float(row["EffectiveCost"]) for row in first] == pytest.approx([share] * 8)
    assert {row["BilledCost"] for row in used} == {"0.0"}


@pytest.mark.parametrize(
    ("paid", "life", "expected"),
    [
        ([12, 0, 0, 0], None, [3, 3, 3, 3]),
        ([12, 0, 6, 0], None, [3, 3, 6, 6]),  # 12/4; 12/4 + 6/2
        ([8, 0, 8, 0], 2, [4, 4, 4, 4]),  # a term of two periods, renewed
        ([0, 0, 0, 5], 2, [0, 0, 0, 5]),  # cut at the horizon
        ([5, 0, 0, 0], 1, [5, 0, 0, 0]),
    ],
)
def test_spreading(paid: list[float], life: int | None, expected: list[float]) -> None:
    assert spread_over(np.array(paid, dtype=float), life).tolist() == pytest.approx(expected)


def test_an_upfront_rent_is_a_purchase_for_its_term() -> None:
    held = [row for row in rows(SCENARIOS["reserved"]) if row["x_Line"] == "upfront_rent"]
    bought = [float(row["BilledCost"]) for row in held if row["ChargeCategory"] == "Purchase"]
    used = [float(row["EffectiveCost"]) for row in held if row["ChargeCategory"] == "Usage"]
    assert len(bought) == 2  # a year, renewed once in two years
    assert len(used) == 8
    assert used[:4] == pytest.approx([bought[0] / 4] * 4)
    assert used[4:] == pytest.approx([bought[1] / 4] * 4)


def test_energy_has_its_quantity_and_rent_its_provider() -> None:
    held = rows(BASE)
    result = loads(BASE).run()
    energy = [row for row in held if row["x_Line"] == "electricity_cost"]
    assert [float(row["ConsumedQuantity"]) for row in energy] == list(result.by_id["own"].shown("energy"))  # pyright: ignore
    assert {row["ConsumedUnit"] for row in energy} == {"kWh"}
    providers = {
        row["SubAccountId"]: row["ProviderName"] for row in held if row["x_Category"] in ("rent_cost", "api_cost")
    }
    assert providers["cloud"] == result.by_id["cloud"].name
    assert {row["ProviderName"] for row in held if row["SubAccountId"] == "own"} == {"own operation"}


def test_fleets_that_cannot_do_the_work_have_no_bill() -> None:
    text = BASE + "  - {id: card, buy: {system: ws-1x5090}, precision: int4, count: 1}\n"
    assert "card" not in {row["SubAccountId"] for row in rows(text)}
    assert "card" not in to_opencost(loads(text).run())


def test_opencost_prices_a_system_an_hour() -> None:
    result = loads(BASE).run()
    held = {row["InstanceID"]: row for row in csv.DictReader(io.StringIO(to_opencost(result)))}
    assert set(held) == {"own", "cloud"}  # an API has no nodes
    price = result.by_id["own"].shown("cost_per_gpu_hour")
    assert isinstance(price, float)
    assert float(held["own"]["MarketPriceHourly"]) == pytest.approx(8 * price)
    assert held["own"]["AssetClass"] == "node"


def test_both_are_outputs_of_run_and_batch(batch: Callable[..., Result], tmp_path: Path) -> None:
    fill(tmp_path / "in", 1)
    told = batch("in", only="focus,opencost")
    assert told.exit_code == 0, told.stderr
    result = load(tmp_path / "in" / "s10.yaml").run()
    assert (tmp_path / "out" / "s10.focus.csv").read_text() == to_focus(result, "s10")
    assert (tmp_path / "out" / "s10.opencost.csv").read_text() == to_opencost(result)
    assert 'href="s10.focus.csv"' in (tmp_path / "out" / "index.html").read_text()
    assert batch("in", only="fokus").exit_code == 2


def test_the_flag_adds_it_to_what_is_asked(batch: Callable[..., Result], tmp_path: Path) -> None:
    fill(tmp_path / "in", 1)
    assert batch("in", "--focus").exit_code == 0
    assert {path.name for path in (tmp_path / "out").glob("s10.*")} == {"s10.json", "s10.focus.csv"}
    assert batch("in", "--focus", only="").exit_code == 2
