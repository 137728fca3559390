"""Mistakes of other calculators: each is refused here, or the right number stands beside what the mistake would give.

ELSEWHERE names those that another test covers; that those tests exist is checked.
"""

# pyright: basic
from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest

from tco.errors import ScenarioError, UnitError
from tco.result import FleetResult, Result
from tco.session import loads
from tco.units import convert, quantity
from tests.cli.conftest import changed

ROOT = Path(__file__).parents[1]
OWN = "precision: fp8}\n  - {id: cloud"

ELSEWHERE = {
    "PUE twice, or not on power": "lines/test_signs.py::test_energy_is_power_times_hours_and_pue_counts_once",
    "API billed at peak around the clock": "lines/test_signs.py::test_an_api_bills_the_mean_and_not_the_peak",
    "nameplate power at every utilisation": "lines/test_signs.py::test_power_lies_between_idle_and_nameplate",
    "own cluster free": "lines/test_signs.py::test_an_idle_cluster_is_not_free",
    "MoE memory from active parameters": "work/test_plausible.py::test_all_parameters_of_a_mixture_are_not_active",
    "windows of attention ignored": "importing/test_models.py::test_a_window_bounds_the_cache",
    "demand peak of the whole run instead of each month": (
        "tariff/test_scenarios.py::test_the_demand_charge_takes_each_months_peak_whatever_the_step"
    ),
    "throughput of one machine or interconnect used for another": (
        "work/test_scaling.py::test_what_is_far_is_refused_with_the_arithmetic"
    ),
    "usage that equals allocation on an idle fleet": (
        "portfolio/test_portfolio.py::test_on_an_idle_fleet_usage_is_not_what_is_allocated"
    ),
    "a missing price as zero": "catalogue/test_files.py::test_a_price_is_never_zero",
    "price by GPU taken for one by system": (
        "spine/test_units.py::test_power_per_gpu_times_gpus_is_power_and_a_price_per_gpu_is_not_one_per_system"
    ),
    "one rate of return for a flow that has none or several": (
        "scenario/test_financing.py::test_rates_of_return_are_those_of_four_libraries_or_not_defined"
    ),
}


def own(more: str) -> tuple[str, str]:
    return OWN, OWN.replace("}", f", {more}}}", 1)


def ran(*pairs: tuple[str, str], after: str = "") -> Result:
    return loads(changed(*pairs) + after).run()


def one(fleet: FleetResult, name: str) -> float:
    value = fleet.shown(name)
    assert isinstance(value, float), fleet.reason(name)
    return value


def row(fleet: FleetResult, name: str) -> np.ndarray:
    value = fleet.shown(name)
    assert isinstance(value, np.ndarray), fleet.reason(name)
    return value


def refused(*pairs: tuple[str, str]) -> str:
    with pytest.raises(ScenarioError) as caught:
        ran(*pairs)
    return str(caught.value)


@pytest.mark.parametrize("mistake", ELSEWHERE)
def test_the_test_that_covers_it_exists(mistake: str) -> None:
    file, _, name = ELSEWHERE[mistake].partition("::")
    tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
    assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_a_price_an_hour_is_not_one_a_month() -> None:
    """2 USD an hour: 730 times 2 USD a month. A price in the other unit is refused."""
    offer = "offer: runpod-h100-sxm-ondemand, gpus: 8"
    cloud = ran((offer, "gpu: h100-sxm, gpus: 8, price: 2 USD/gpu/h")).by_id["cloud"]
    hours = row(cloud, "gpu_hours")
    assert row(cloud, "rent_cost") == pytest.approx(2 * hours)
    assert hours[0] == row(cloud, "gpus")[0] * 2190
    monthly = ran((offer, "gpu: h100-sxm, gpus: 8, price: 1460 USD/gpu/month")).by_id["cloud"]
    assert row(monthly, "rent_cost") == pytest.approx(row(cloud, "rent_cost"), rel=1e-12)
    assert "price" in refused((offer, "gpu: h100-sxm, gpus: 8, price: 2 USD"))


def test_a_percentage_is_not_a_fraction() -> None:
    """A rate says its unit: neither 8 nor 0.08 is guessed at."""
    assert ran().by_id["own"].inputs["discount_rate"].number == 0.08
    for bare in ("8}", "0.08}"):
        assert "discount_rate" in refused(("8 %}", bare))
        assert "no unit" in refused(("8 %}", bare))


def test_input_and_output_do_not_each_carry_the_whole_hour() -> None:
    for fleet in ran().fleets:
        both = one(fleet, "input_cost") + one(fleet, "output_cost")
        assert both == pytest.approx(one(fleet, "present_cost"), rel=1e-12)
        assert min(one(fleet, "input_cost"), one(fleet, "output_cost")) < 0.999 * both


def test_payback_counts_the_price_once() -> None:
    """What is paid more at the start over what is saved a year; neither a write-off nor a loan's capital beside it."""
    result = ran(("8 %}", "8 %, reference: cloud}"))
    bought, cloud = result.by_id["own"], result.by_id["cloud"]
    paid = row(bought, "paid_at_start")[0] - row(cloud, "paid_at_start")[0]
    saved = 4 * (row(cloud, "paid_through")[0] - row(bought, "paid_through")[0])
    assert result.comparison["own"]["simple_payback"]["value"] == pytest.approx(paid / saved, rel=1e-9)


def test_no_purchase_is_recommended_beside_a_negative_npv() -> None:
    """The recommended fleet never costs more, in present value, than another that does the same work."""
    for price in (50_000, 300_000, 900_000):
        result = ran(
            ("system: hgx-h200-srv", f"system: hgx-h200-srv, price: {price} USD/system"),
            ("8 %}", "8 %, reference: cloud}"),
        )
        assert result.recommended is not None
        if result.recommended != "cloud":
            assert result.comparison[result.recommended]["npv"]["value"] >= 0


@pytest.mark.parametrize("step", ["month", "quarter", "year"])
def test_npv_at_the_irr_is_nothing_in_any_step(step: str) -> None:
    """Both on the same compounding: the discount rate set to the rate of return leaves no value."""
    base = (("step: quarter", f"step: {step}"), ("hgx-h200-srv}", "hgx-h200-srv, price: 250000 USD/system}"))
    rate = ran(*base, ("8 %}", "8 %, reference: cloud}")).comparison["own"]["irr"]["value"]
    again = ran(*base, ("8 %}", f"{100 * rate!r} %, reference: cloud}}")).comparison["own"]["npv"]["value"]
    assert abs(again) < 1e-6


def test_the_first_flow_is_not_discounted() -> None:
    """A spreadsheet's NPV would divide what is paid at the start by the rate of a period."""
    fleet = ran().by_id["own"]
    assert fleet.values["discount_factor_opening"].reshape(-1)[0] == 1
    assert one(fleet, "present_at_start") == pytest.approx(row(fleet, "paid_at_start")[0], rel=1e-12)


def test_energy_is_not_billed_beside_a_rent_that_holds_it() -> None:
    """A rented GPU has its power in its price; the scenario's electricity price does not come on top."""
    cloud = ran().by_id["cloud"]
    assert "electricity_cost" not in cloud.model.lines
    assert cloud.shown("energy_cost") is None


@pytest.mark.parametrize("included", ["true", "false"])
def test_colocation_with_power_in_its_rent_has_no_meter_beside_it(included: str) -> None:
    rent = f"pricing: {{colocation: {{rent: 150 USD/kW/month, includes_electricity: {included}}}}}\nfinance:"
    fleet = ran(("finance:", rent)).by_id["own"]
    assert row(fleet, "colocation_cost")[0] > 0
    metered = fleet.shown("electricity_cost")
    assert (metered is None or not np.any(metered)) == (included == "true")


def test_no_cost_is_printed_for_a_model_that_does_not_fit() -> None:
    card = "  - {id: card, buy: {system: ws-1x5090}, precision: bf16, count: 1}\n"
    fleet = ran(after=card).by_id["card"]
    assert fleet.verdict == "does not fit"
    for name in ("total_cost", "cost_per_million_useful_tokens", "capital_cost"):
        assert fleet.shown(name) is None
        assert "does not fit" in fleet.reason(name)


def test_the_cache_counts_once() -> None:
    """Twice the requests in flight take twice the cache, and weights once."""
    few, many = (ran(own(f"deployment: {{gpus_per_replica: 4, concurrency: {n}}}")).by_id["own"] for n in (16, 32))
    beside = [one_of(found, "memory_per_gpu") - one_of(found, "weights_per_gpu") for found in (few, many)]
    reserve = one_of(few, "runtime_reserve")
    cache = one_of(few, "kv_cache_memory") * 16 / one_of(few, "cache_ways")
    assert beside == pytest.approx([reserve + cache, reserve + 2 * cache], rel=1e-9)


def one_of(fleet: FleetResult, name: str) -> float:
    return fleet.inputs[name].number if name in fleet.inputs else float(np.max(np.asarray(fleet.raw(name))))


def test_gigabytes_are_not_gibibytes() -> None:
    assert convert(80, "GiB", "byte") / convert(80, "GB", "byte") == 1.073741824


def test_the_number_of_gpus_counts() -> None:
    fleet = ran(own("count: 3")).by_id["own"]
    assert row(fleet, "gpus")[0] == 8 * row(fleet, "systems")[0] == 24
    assert row(fleet, "capital_cost")[0] == pytest.approx(3 * row(ran(own("count: 1")).by_id["own"], "capital_cost")[0])


def test_one_life_for_every_view() -> None:
    """Capital over the horizon is what is bought in it, also as unit cost: no second lifetime spreads it."""
    fleet = ran(("8 %}", "0 %}")).by_id["own"]
    whole = one(fleet, "total_cost") / one(fleet, "useful_tokens")
    assert one(fleet, "cost_per_million_useful_tokens") == pytest.approx(whole, rel=1e-12)
    assert one(fleet, "undiscounted_cost_per_million_useful_tokens") == pytest.approx(whole, rel=1e-12)


def test_a_reservation_is_paid_though_nobody_uses_it() -> None:
    reserved = ("offer: runpod-h100-sxm-ondemand, gpus: 8", "gpu: h100-sxm, gpus: 8, price: 2 USD/gpu/h, term: 1 yr")
    idle, busy = (ran(reserved, ("100000 request", f"{n} request")).by_id["cloud"] for n in (1, 100000))
    assert row(idle, "gpus")[0] == 8
    assert row(idle, "rent_cost")[0] == pytest.approx(8 * 2 * 2190)
    assert row(busy, "rent_cost")[0] >= row(idle, "rent_cost")[0]


def test_a_missing_price_is_refused_and_not_zero() -> None:
    assert "fleets.cloud" in refused(("offer: runpod-h100-sxm-ondemand, gpus: 8", "gpu: h100-sxm, gpus: 8"))
    assert "output" in refused(("offer: together-llama-3.3-70b", "input: 1 USD/Mtoken"))
    assert "electricity" in refused(("electricity: {price: 0.12 USD/kWh}\n", ""))


def test_the_cost_of_use_is_not_the_cost_of_a_fleet_that_idles() -> None:
    """A tenth of the work on the same fleet: nearly the same money, nearly ten times the price of a token."""
    busy, idle = (ran(own("count: 1"), ("100000 request", f"{n} request")).by_id["own"] for n in (100000, 10000))
    assert one(idle, "total_cost") > 0.8 * one(busy, "total_cost")
    ratio = one(idle, "cost_per_million_useful_tokens") / one(busy, "cost_per_million_useful_tokens")
    assert ratio > 8


def test_a_currency_has_no_prefix_of_another_meaning() -> None:
    """MUSD and kUSD are money by thousands; a currency is not read out of a prefix and a unit."""
    assert convert(2, "kUSD", "USD") == 2000
    with pytest.raises(UnitError):
        quantity("2 mUSD")


def test_an_hour_of_a_node_is_not_an_hour_of_a_gpu() -> None:
    """16 USD for the hour of a node of eight is 2 USD for that of a GPU; without a unit for what, it is refused."""
    assert "price" in refused(("offer: runpod-h100-sxm-ondemand, gpus: 8", "gpu: h100-sxm, gpus: 8, price: 16 USD/h"))
