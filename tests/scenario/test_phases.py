"""Lead time, ramps and systems by hand, in scenarios of a few numbers."""

from __future__ import annotations

import numpy as np
import pytest

from tco.errors import ScenarioError
from tco.result import FleetResult
from tco.session import loads

SCENARIO = """
format: 1
title: Phases
as_of: 2026-11-01
currency: USD
timeline: {start: 2027-01, horizon: 3 yr, step: quarter}
workload:
  kind: inference
  model: llama-3.1-8b
  requests: 20 Mrequest/month
  peak_to_mean: 3
  input: 900 token/request
  output: 260 token/request
electricity: {price: 0.11 USD/kWh}
cooling: {kind: air, pue: 1.4}
pricing: {hardware_trend: -20 %/yr}
finance: {discount_rate: 8 %}
fleets:
  - {id: own, buy: {system: srv-8xl40s}, precision: fp8}
"""
BUY = "system: srv-8xl40s"
DEMAND = "  peak_to_mean: 3\n"


def fleet(*changes: tuple[str, str]) -> FleetResult:
    text = SCENARIO
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return loads(text).run().by_id["own"]


def row(found: FleetResult, name: str) -> list[float]:
    value = found.raw(name)
    assert isinstance(value, np.ndarray)
    return [float(number) for number in value]


LATE = (BUY, f"{BUY}, lead_time: 4 month")
COUNT = "precision: fp8"


def test_systems_serve_after_their_lead_time() -> None:
    at_once, late = fleet(), fleet(LATE)
    needed = row(at_once, "systems")[0]
    assert row(late, "systems") == [0, 0, *[needed] * 10]
    assert row(late, "served_load")[:2] == [0, 0]
    assert late.verdict == "too small"
    assert "are not served" in late.reasons[0]
    assert row(late, "capital_cost")[2] == pytest.approx(row(at_once, "capital_cost")[0] * 0.8**0.5)


@pytest.mark.parametrize("arrives", ["{after: [0 yr, 6 month], share: [0 %, 100 %]}", f"[0, 0{', 1' * 10}]"])
def test_demand_that_arrives_later_is_served(arrives: str) -> None:
    found = fleet(LATE, (DEMAND, f"{DEMAND}  ramp: {arrives}\n"))
    assert found.verdict == "ok"
    assert row(found, "served_load")[:3] == pytest.approx([0, 0, row(fleet(), "served_load")[2]])


def test_a_system_ramps_up_by_its_age() -> None:
    ramp = (COUNT, f"{COUNT}, count: 3, ramp: {{after: [0 month, 6 month], share: [25 %, 100 %]}}")
    assert row(fleet(ramp), "working_systems") == [0.75, 0.75, *[3] * 10]
    renewed = row(fleet(ramp, (BUY, f"{BUY}, life: 1 yr")), "working_systems")
    assert renewed == [0.75, 0.75, 3, 3] * 3  # each life begins slowly, and ends


@pytest.mark.parametrize("told", [f"[4{', 4' * 3}{', 8' * 8}]", "{after: [0 yr, 1 yr], count: [4, 8]}"])
def test_systems_by_hand(told: str) -> None:
    found = fleet((COUNT, f"{COUNT}, count: {told}"))
    assert row(found, "systems") == [4] * 4 + [8] * 8
    assert [index for index, bought in enumerate(row(found, "purchases")) if bought] == [0, 4]
    assert row(found, "capital_cost")[4] == pytest.approx(row(found, "capital_cost")[0] * 0.8)


def test_what_wears_out_is_bought_again_at_the_price_of_its_time() -> None:
    result = loads(SCENARIO.replace(BUY, f"{BUY}, life: 2 yr").replace(COUNT, f"{COUNT}, count: 3")).run()
    capital = row(result.by_id["own"], "capital_cost")
    assert [index for index, cost in enumerate(capital) if cost] == [0, 8]
    assert capital[8] == pytest.approx(capital[0] * 0.8**2)
    assert [alert.text for alert in result.warnings if alert.code == "replaced"] == [
        "3 systems reach the end of their life within the horizon and are bought again, from 2029-Q1, "
        "at the price of that time"
    ]
    assert "replaced" not in {alert.code for alert in loads(SCENARIO).run().warnings}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ([(COUNT, f"{COUNT}, count: [4, 8]")], "2 values for 12 periods"),
        ([(COUNT, f"{COUNT}, count: {{after: [0 yr, 1 yr], count: [8, 4]}}")], "state `life`"),
        ([(COUNT, f"{COUNT}, count: {{after: [1 yr], count: [8]}}")], "the first one begins at 0"),
        ([(COUNT, f"{COUNT}, count: {{after: [0 yr, 1 yr], count: [1.5, 4]}}")], "whole number"),
        ([(BUY, f"{BUY}, lead_time: 1 yr, sunk: paid"), (COUNT, f"{COUNT}, count: 4")], "has no lead time"),
        ([(COUNT, f"{COUNT}, utilization: 50 %, count: 4, ramp: {{after: [0 yr], share: [50 %]}}")], "`ramp` has no"),
    ],
)
def test_what_cannot_be_is_refused(changes: list[tuple[str, str]], sentence: str) -> None:
    with pytest.raises(ScenarioError, match=sentence):
        fleet(*changes)
