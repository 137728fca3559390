"""The same scenario by month, quarter and year: what must agree, and which way the rest goes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tco.result import FleetResult
from tco.session import loads

STEPS = ("month", "quarter", "year")
SCENARIO = """
format: 1
title: Steps
as_of: 2026-11-01
currency: USD
timeline: {{start: 2027-{start:02d}, horizon: {years} yr, step: {step}}}
workload:
  kind: inference
  model: llama-3.1-8b
  requests: {requests} request/month
  growth: {growth} %/yr
  peak_to_mean: {peak}
  input: {input} token/request
  output: {output} token/request
  reasoning: {reasoning} token/request
electricity: {{price: 0.11 USD/kWh, demand_charge: 12 USD/kW/month, escalation: {trend} %/yr}}
cooling: {{kind: air, pue: 1.4}}
pricing:
  hardware_trend: {trend} %/yr
  rental_trend: {trend} %/yr
  api_trend: {trend} %/yr
  inflation: {trend} %/yr
  residual: {{after: [1 yr, 5 yr], share: [60 %, 10 %]}}
  support: 400 USD/gpu/yr
  staff: {{cost: 150000 USD/person/yr, systems_per_person: 30 system/person}}
costs: [{{name: Fibre, amount: 1200 USD/month, part_of: site_cost}}]
finance: {{discount_rate: 8 %}}
fleets:
  - {{id: own, buy: {{system: srv-8xl40s, life: {life} yr}}, precision: fp8}}
  - {{id: cloud, rent: {{gpu: l40s, gpus: 4, price: 1.1 USD/gpu/h}}, precision: fp8}}
  - {{id: api, api: {{input: 0.2 USD/Mtoken, output: 0.6 USD/Mtoken, batch_share: 30 %, batch_discount: 50 %}}}}
"""

CASES = st.fixed_dictionaries(
    {
        "start": st.integers(1, 12),
        "years": st.integers(1, 5),
        "requests": st.integers(10_000, 200_000_000),
        "peak": st.sampled_from([1, 1.5, 4, 12]),
        "input": st.integers(50, 6000),
        "output": st.integers(20, 1500),
        "reasoning": st.sampled_from([0, 300]),
        "life": st.integers(1, 6),
    }
)


def runs(case: dict[str, float], growth: int = 0, trend: int = 0) -> list[dict[str, FleetResult]]:
    return [dict(loads(SCENARIO.format(**case, step=step, growth=growth, trend=trend)).run().by_id) for step in STEPS]


def amount(fleet: FleetResult, name: str) -> float:
    """A series added up."""
    return float(np.sum(fleet.raw(name)))  # type: ignore[arg-type]


STEADY = ("total_cost", "useful_tokens", "capital_cost", "rent_cost", "api_cost", "energy", "energy_cost", "carbon")


@settings(max_examples=8)
@given(CASES)
def test_without_growth_and_trends_all_steps_agree(case: dict[str, float]) -> None:
    by_step = runs(case)
    for name in ("own", "cloud", "api"):
        fleets = [found[name] for found in by_step]
        assert len({fleet.verdict for fleet in fleets}) == 1
        for line in STEADY:
            if line in fleets[0].model.lines:
                month, quarter, year = (amount(fleet, line) for fleet in fleets)
                assert [quarter, year] == pytest.approx([month, month], rel=1e-9), (name, line)


@settings(max_examples=8)
@given(CASES, st.integers(5, 60))
def test_with_growth_a_longer_step_buys_earlier_and_serves_the_same(case: dict[str, float], growth: int) -> None:
    """A step buys for its closing peak, so that a year has at its opening what a month has at the year's end."""
    by_step = runs(case, growth=growth)
    months, quarters, years = (found["own"] for found in by_step)
    for fleet in (quarters, years):
        # the mean of a growing demand is taken at the middle: over a year, off by growth squared over 24
        near = np.log(1 + growth / 100) ** 2 / 24 + 1e-9
        assert amount(fleet, "useful_tokens") == pytest.approx(amount(months, "useful_tokens"), rel=near)
    standing = [np.repeat(found.raw("systems"), count) for found, count in ((months, 1), (quarters, 3), (years, 12))]  # type: ignore[arg-type]
    assert np.all(standing[0] <= standing[1])
    assert np.all(standing[1] <= standing[2])
    assert standing[0][-1] == standing[1][-1] == standing[2][-1]
    assert amount(months, "gpu_hours") <= amount(quarters, "gpu_hours") <= amount(years, "gpu_hours")


@settings(max_examples=6)
@given(CASES, st.sampled_from([-30, -10, 10]))
def test_a_price_holds_from_the_opening_of_its_step(case: dict[str, float], trend: int) -> None:
    """A falling price is seen later by a longer step, so that it is dearer; a rising one cheaper."""
    by_step = runs(case, trend=trend)
    months, quarters, years = (amount(found["api"], "api_cost") for found in by_step)
    assert (months <= quarters <= years) if trend < 0 else (months >= quarters >= years)
    bound = (1 + abs(trend) / 100) if trend > 0 else 1 / (1 + trend / 100)
    assert max(months, years) / min(months, years) <= bound  # never by more than the trend of a year
