"""What must hold of money in any scenario: generated ways to pay, horizons, rates and steps; and defined answers."""

# pyright: basic
from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tco.result import CATEGORIES, FleetResult, Result
from tco.session import loads

HEAD = """\
format: 1
title: Any
as_of: 2026-11-01
currency: USD
timeline: {{start: 2027-{month:02d}, horizon: {years} yr, step: {step}}}
workload: {{kind: inference, model: llama-3.1-8b, requests: {requests} request/month, peak_to_mean: 2,
           input: 1000 token/request, output: 200 token/request, growth: {growth} %/yr}}
electricity: {{price: 0.12 USD/kWh}}
cooling: {{kind: air, pue: 1.4}}
finance: {{discount_rate: {rate} %, reference: rented{tax}}}
fleets:
  - {{id: owned, buy: {{system: srv-8xl40s, price: {price} USD/system{terms}}}, precision: fp8}}
  - {{id: rented, rent: {{gpu: l40s, gpus: 8, price: {hour} USD/gpu/h}}, precision: fp8}}
"""
TAXES = ("", "straight_line, life: 3 yr", "macrs, life: 5 yr", "declining_balance, life: 5 yr, factor: 2")
TERMS = (
    "", ", loan: {share: 60 %, rate: 7 %, term: 2 yr}", ", life: 18 month", ", life: 40 yr",
    ", resale: 20000 USD/system",
    ", life: 3 yr, loan: {share: 100 %, rate: 0 %, term: 4 yr, compounding: monthly}",
)  # fmt: skip


@st.composite
def scenarios(draw: st.DrawFn, step: str = "") -> str:
    """A small comparison; one in three before tax."""
    method = draw(st.sampled_from(TAXES))
    rate, after = draw(st.integers(0, 45)), f"depreciation: {{method: {method}}}"
    tax = f", basis: after_tax, tax_rate: {rate} %, {after}" if method else ""
    return HEAD.format(
        month=draw(st.integers(1, 12)), years=draw(st.integers(1, 6)),
        step=step or draw(st.sampled_from(["month", "quarter", "year"])),
        requests=draw(st.sampled_from([1000, 400_000, 20_000_000])), growth=draw(st.sampled_from([0, -20, 60])),
        rate=draw(st.sampled_from([0, 3, 8, 25])), price=draw(st.integers(20_000, 400_000)),
        hour=draw(st.sampled_from([0.3, 1.0, 2.5])), terms=draw(st.sampled_from(TERMS)), tax=tax,
    )  # fmt: skip


def row(fleet: FleetResult, name: str) -> np.ndarray:
    return np.asarray(fleet.values[name], dtype=float).reshape(-1)


def one(fleet: FleetResult, name: str) -> float:
    return float(row(fleet, name)[0])


def near(value: float) -> object:
    return pytest.approx(value, rel=1e-9, abs=1e-6)


@settings(max_examples=25, deadline=None)
@given(scenarios())
def test_money_adds_up(text: str) -> None:
    """Categories, moments and periods are the total; write-offs are what was paid, less what is still on the books."""
    for fleet in loads(text).run().fleets:
        cash = row(fleet, "cash_cost")
        held = set(fleet.model.lines)
        assert sum(row(fleet, name).sum() for name in CATEGORIES if name in held) == near(one(fleet, "total_cost"))
        moments = [name for name in ("paid_at_start", "paid_through", "paid_at_end") if name in held]
        assert sum(row(fleet, name) for name in moments) == pytest.approx(cash, rel=1e-9, abs=1e-6)
        assert cash.sum() == near(one(fleet, "total_cost"))
        parts = [f"present_at_{at}" for at in ("start", "end")] + ["present_through"]
        assert sum(one(fleet, name) for name in parts if name in held) == near(one(fleet, "present_cost"))
        if "tax_book_value" in held:
            left = row(fleet, "tax_basis").sum() - row(fleet, "depreciation").sum()
            assert row(fleet, "tax_book_value")[-1] == near(left)
            assert left > -1e-3


@settings(max_examples=25, deadline=None)
@given(scenarios())
def test_npv_at_the_rate_of_return_is_nothing(text: str) -> None:
    """Where a rate is exported; where none is, the reason says why."""
    told = loads(text).run().comparison["owned"]
    for name, entry in told.items():
        assert (entry["value"] is None) == bool(entry["reason"]), name
    rate = told["irr"]["value"]
    if rate is None or not -0.5 < rate < 1:
        return
    line = next(part for part in text.splitlines() if part.startswith("finance"))
    before = line.split("discount_rate: ")[1].split(" %")[0]
    again = loads(text.replace(f"discount_rate: {before} %", f"discount_rate: {100 * rate!r} %")).run()
    scale = abs(one(again.by_id["owned"], "present_cost")) + abs(one(again.by_id["rented"], "present_cost"))
    assert abs(again.comparison["owned"]["npv"]["value"]) < 1e-8 * scale


@settings(max_examples=10, deadline=None)
@given(scenarios(step="month"))
def test_finer_steps_sum_to_coarser_ones(text: str) -> None:
    """Energy and power bought by steady work, whatever the step: without growth nothing else moves."""
    text = text.replace("growth: -20 %", "growth: 0 %").replace("growth: 60 %", "growth: 0 %")
    months, years = (loads(text.replace("step: month", f"step: {step}")).run() for step in ("month", "year"))
    for name in ("owned", "rented"):
        fine, coarse = months.by_id[name], years.by_id[name]
        assert fine.verdict == coarse.verdict
        for line in ("rent_cost", "energy_cost", "useful_tokens", "gpu_hours"):
            if line in fine.model.lines:
                assert row(fine, line).sum() == near(row(coarse, line).sum()), line


@settings(max_examples=10, deadline=None)
@given(scenarios())
def test_a_break_even_is_one(text: str) -> None:
    """Put into the scenario, a price at which two fleets cost the same makes them cost the same."""
    result = loads(text).run()
    line = result.headline or ""
    for question in result.break_even.questions:
        assert question.crossings or question.reason
        if question.quantity != "system price" or not question.crossings:
            continue
        value = question.crossings[0].value
        start = text.index("price: ", text.index("srv-8xl40s")) + len("price: ")
        frozen = {fleet.id: fleet.choices["values"] | {"precision": "fp8"} for fleet in result.fleets if fleet.choices}
        moved = loads(text[:start] + repr(value) + text[text.index(" USD/system", start) :]).run(frozen=frozen)
        costs = [fleet.shown(line) for fleet in moved.fleets]
        assert costs[0] == pytest.approx(costs[1], rel=1e-8)


# --- edges ---

EDGE = {"month": 1, "years": 2, "step": "quarter", "requests": 400_000, "growth": 0, "rate": 8, "price": 90_000,
        "hour": 1.0, "terms": "", "tax": ""}  # fmt: skip


def ran(**changes: object) -> Result:
    return loads(HEAD.format(**{**EDGE, **changes})).run()


def test_a_rate_of_nothing_discounts_nothing() -> None:
    for fleet in ran(rate=0).fleets:
        assert one(fleet, "present_cost") == near(one(fleet, "total_cost"))


def test_flows_without_a_change_of_sign_have_no_rate_and_no_payback() -> None:
    told = ran(price=9_000_000, hour=0.01).comparison["owned"]
    assert "no change of sign" in told["irr"]["reason"]
    assert told["simple_payback"]["reason"].startswith("not reached")
    assert told["npv"]["value"] < 0


def test_a_life_beyond_the_horizon_is_paid_whole_unless_it_is_sold() -> None:
    short, long = (ran(terms=f", life: {life}").by_id["owned"] for life in ("2 yr", "40 yr"))
    assert one(long, "total_cost") == near(one(short, "total_cost"))
    sold = ran(terms=", life: 40 yr, resale: 30000 USD/system").by_id["owned"]
    assert one(sold, "total_cost") == near(one(long, "total_cost") - 30000 * row(long, "systems")[-1])


def test_no_tokens_have_a_reason_and_no_price() -> None:
    from tco.errors import ScenarioError

    with pytest.raises(ScenarioError, match=r"no output is left|requests"):
        ran(requests=0)


def test_forty_years_of_months() -> None:
    found = ran(years=40, step="month", terms=", life: 5 yr")
    owned = found.by_id["owned"]
    assert found.timeline.periods == 480
    assert np.all(np.isfinite(row(owned, "cash_cost")))
    assert np.count_nonzero(row(owned, "capital_cost")) == 8
    assert row(owned, "cash_cost").sum() == near(one(owned, "total_cost"))


def test_a_month_without_use_costs_its_rent_and_its_idle_power() -> None:
    text = HEAD.format(**{**EDGE, "step": "month", "years": 1}).replace("growth: 0 %/yr", "growth: -90 %/yr")
    owned = loads(text).run().by_id["owned"]
    assert row(owned, "energy_cost")[-1] > 0
    assert np.all(np.isfinite(row(owned, "cash_cost")))
