"""Costs that a user names: each unit counts once, in its category, at its moment."""

from __future__ import annotations

import numpy as np
import pytest

from tco.errors import ScenarioError
from tco.result import FleetResult
from tco.session import loads

SCENARIO = """
format: 1
title: costs of one's own
as_of: 2026-11-01
currency: USD
fx: {EUR: {value: 1.1 USD/EUR, as_of: 2026-10-31, source: "a bank"}}
timeline: {start: 2027-01, horizon: 2 yr, step: year}
workload:
  {kind: inference, model: llama-3.1-8b, requests: 1 Mrequest/month, peak_to_mean: 4, input: 1500 token/request,
   output: 350 token/request}
electricity: {price: 0.12 USD/kWh}
cooling: {kind: air, pue: 1.5}
pricing: {inflation: 4 %/yr}
COSTS
finance: {discount_rate: 9 %}
fleets:
  - {id: own, buy: {system: hgx-h200-srv}, precision: fp8, count: 2}
  - {id: cloud, rent: {offer: runpod-h100-sxm-ondemand, gpus: 1}, precision: fp8}
"""


def fleet(costs: str, name: str = "own") -> FleetResult:
    """One fleet of the scenario with these costs."""
    return loads(SCENARIO.replace("COSTS", f"costs: [{costs}]")).run().by_id[name]


@pytest.mark.parametrize(
    ("cost", "expected"),
    [
        ("{name: own, amount: 30000 USD, part_of: people_cost}", [30000, 0]),
        ("{name: own, amount: 30000 USD, part_of: people_cost, month: 2028-06}", [0, 30000 * 1.04]),
        ("{name: own, amount: 1000 EUR/month, part_of: site_cost}", [13200, 13200 * 1.04]),  # 12 x 1,000 x 1.1
        ("{name: own, amount: 1000 USD/month, part_of: site_cost, growth: 10 %/yr}", [12000, 13200]),
        ("{name: own, amount: 350 USD/system, part_of: capital_cost}", [700, 0]),
        ("{name: own, amount: 50 USD/gpu, part_of: software_cost}", [800, 0]),  # 16 GPUs x 50
        ("{name: own, amount: 100 USD/system/month, part_of: maintenance_cost}", [2400, 2400 * 1.04]),
        ("{name: own, amount: 4 USD/gpu/month, part_of: software_cost}", [768, 768 * 1.04]),  # 16 x 4 x 12
        ("{name: own, amount: 0.02 USD/Mtoken, part_of: people_cost}", [84, 84 * 1.04]),  # 4,200 Mtoken x 0.02
        ("{name: own, amount: 1 USD/krequest, part_of: people_cost}", [12000, 12000 * 1.04]),
        ("{name: grant, amount: -5000 USD, part_of: capital_cost}", [-5000, 0]),
    ],
)
def test_each_unit_counts_what_it_names(cost: str, expected: list[float]) -> None:
    got, plain = fleet(cost), fleet("")
    name = "grant_cost" if "grant" in cost else "own_cost"
    category = cost.split("part_of: ")[1].split("}")[0].split(",")[0]
    assert np.allclose(got[name], expected, rtol=1e-12)  # type: ignore[arg-type]
    assert np.allclose(got["cash_cost"], plain["cash_cost"] + np.array(expected), rtol=1e-12)  # type: ignore[arg-type]
    before = 0 if plain[category] is None else plain[category]
    assert np.allclose(got[category], before + np.array(expected), rtol=1e-12)  # type: ignore[arg-type, operator]


def test_power_and_energy() -> None:
    got = fleet(
        "{name: rent of power, amount: 10 USD/kW/month, part_of: site_cost},"
        "{name: levy, amount: 0.01 USD/kWh, part_of: energy_cost}"
    )
    assert np.allclose(got["rent_of_power_cost"], 120 * got["nameplate_it_power"] * np.array([1, 1.04]))  # type: ignore[operator, arg-type]
    assert np.allclose(got["levy_cost"], 0.01 * got["energy"] * np.array([1, 1.04]))  # type: ignore[operator, arg-type]


def test_a_cost_without_meaning_for_a_fleet_is_told() -> None:
    result = loads(SCENARIO.replace("COSTS", "costs: [{name: own, amount: 5 USD, part_of: site_cost}]")).run()
    told = [alert.text for alert in result.warnings if alert.code == "cost-left-out"]
    assert told == ["own: a fleet that is paid by rent has no site cost, so that this cost is not charged to it"]
    assert "own_cost" not in result.by_id["cloud"].model.lines


@pytest.mark.parametrize(
    ("cost", "sentence"),
    [
        ("{name: own, amount: 5 kW, part_of: site_cost}", "kW is no unit of a cost; wanted one of USD, USD/yr"),
        ("{name: own, amount: 5 USD/yr, part_of: capital_cost}", "capital is paid once"),
        ("{name: own, amount: 5 USD/yr, part_of: site_cost, month: 2027-03}", "is not paid once"),
        ("{name: own, amount: 5 USD, part_of: site_cost, month: 2031-03}", "not within the horizon"),
        ("{name: energy, amount: 5 USD, part_of: site_cost}", "`energy_cost` is a line of the model"),
        ("{name: own, amount: 5 USD, part_of: site_cost}, {name: Own, amount: 5 USD, part_of: site_cost}", "named alr"),
        ("{name: own, amount: 5 USD, part_of: tax_cost}", "tax_cost"),
        ("{name: own, amount: 5 CHF, part_of: site_cost}", "state `fx: {CHF"),
    ],
)
def test_what_cannot_be_is_refused(cost: str, sentence: str) -> None:
    with pytest.raises(ScenarioError, match=sentence):
        fleet(cost)


def test_a_fleet_may_have_costs_of_its_own() -> None:
    fans = "{name: fans, amount: 9 USD/AMOUNT, part_of: maintenance_cost}"
    text = SCENARIO.replace("COSTS\n", "")
    own = text.replace("count: 2}", f"count: 2, costs: [{fans.replace('AMOUNT', 'system')}]}}")
    assert np.allclose(loads(own).run().by_id["own"]["fans_cost"], [18, 0])  # type: ignore[arg-type]
    cloud = text.replace("gpus: 1},", f"gpus: 1}}, costs: [{fans.replace('AMOUNT', 'kW/yr')}],")
    with pytest.raises(ScenarioError, match="has no nameplate it power; leave this cost out"):
        loads(cloud).run()


def test_a_deposit_and_its_credit_move_a_payment() -> None:
    """Two costs that add up to nothing: what is paid a year before costs a year of interest."""
    paid, credited = "{name: Deposit, amount: 5000 USD, part_of: capital_cost, growth: 0 %}", "month: 2028-01"
    later = f"{{name: Deposit credited, amount: -5000 USD, part_of: capital_cost, {credited}, growth: 0 %}}"
    before = fleet("{name: Nothing, amount: 1e-9 USD, part_of: capital_cost}")
    after = fleet(f"{paid}, {later}")
    assert after["total_cost"] == pytest.approx(before["total_cost"])
    rate = after.inputs["discount_rate"].number
    wanted = 5000 * (1 - 1 / (1 + rate))
    assert after["present_cost"] - before["present_cost"] == pytest.approx(wanted)  # type: ignore[operator]
