"""Generated projects, computed by tco from a scenario and by SAM's `Singleowner`.

A project buys one machine, borrows for it, writes it off, sells what it puts out and pays tax. In tco it is a fleet of
one bought system, with `costs:` a year and a Mtoken, and the revenue as a negative cost. How the two map:

- A unit of output is a Mtoken here, a kWh there. SAM takes prices in USD and gives the levelised cost in cents.
- Amounts of a year fall at its end (`discounting: end`); the purchase and the loan fall into year 0, which tco shows
  within its first period.
- Prices are nominal. SAM's discount rate is real; tco's is `(1 + real) (1 + inflation) - 1`.
- Costs rise by inflation after their first year, as with tco's `growth` of a cost. Output is in SAM that of the first
  year, demand in tco that of the start: half a year's growth lies between.
- A loss saves tax in its year (`tax_losses: refund`). Taxed: revenue and resale less costs, interest, write-offs.
- SAM's levelised cost holds the tax on the revenue, tco's fleet without revenue has none: SAM's less `tax x price`.

Set to zero in SAM, since tco has it elsewhere or not at all: fees and reserves (SAM would finance them and write them
off), state tax, property tax and insurance (lines of tco with bases of their own), incentives, escalation of costs
beside inflation (SAM adds the two, here rates compound). The machine's electricity is pinned to nothing.

The horizon holds the whole write-off: SAM drops what is left at its end, tco deducts it at disposal, as the last test
shows. Straight line over 15 years is left out: SAM takes 6.66 and 6.67 % in turn.

Tolerances: amounts agree to 1e-9 of the project's largest flows; SAM sums its output over 8,760 hours, some 1e-13 off.
Its search for the rate of return ends some 1e-6 off (1e-5 here), or below -100 %, where none is (left out). A failing
case is shown as found; to shrink it takes minutes.
"""

# pyright: basic
from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tco.result import FleetResult, Result
from tco.session import loads
from tests.oracles.sam import Project, SamProject, project_of

SCENARIO = """\
format: 1
title: A project
as_of: 2026-01-01
currency: USD
timeline: {{start: 2026-01, horizon: {years} yr, step: year}}
workload: {{kind: inference, model: llama-3.1-8b, requests: {requests!r} request/month, peak_to_mean: 1,
           input: 1 token/request, output: 1000 token/request, growth: {growth!r} %/yr}}
electricity: {{price: 0.10 USD/kWh}}
cooling: {{kind: air, pue: 1.3}}
finance: {{discount_rate: {rate!r} %, discounting: end, reference: nothing, basis: after_tax, tax_rate: {tax!r} %,
          depreciation: {{{depreciation}}}}}
fleets:
  - {{id: nothing, api: {{input: 1 USD/Mtoken, output: 1 USD/Mtoken}}, inputs: {{context: 128000 token}}}}
  - {{id: costs, {bought}, costs: [{costs}]}}
  - {{id: project, {bought}, costs: [{costs}, {revenue}]}}
pin:
  nothing: {{new_output_cost: 0 USD, new_input_cost: 0 USD, cached_input_cost: 0 USD}}
  costs: {{electricity_cost: 0 USD}}
  project: {{electricity_cost: 0 USD}}
"""
HALF_YEARS = {"sl_5": 5, "sl_20": 20}
METHODS = {"macrs_5": "macrs, life: 5 yr", "macrs_15": "macrs, life: 15 yr"}


def depreciation(one: Project) -> str:
    """SAM's straight line begins and ends with half a year; equal years are a schedule of one's own there."""
    bonus = f", bonus: {one.bonus!r} %" if one.bonus else ""
    if one.write_off in METHODS:
        return f"method: {METHODS[one.write_off]}{bonus}"
    if len(set(one.schedule)) == 1:
        return f"method: straight_line, life: {len(one.schedule)} yr"
    years = HALF_YEARS.get(one.write_off, 0)
    shares = [50 / years, *[100 / years] * (years - 1), 50 / years] if years else one.schedule
    return f"method: table, shares: [{', '.join(f'{share!r} %' for share in shares)}]{bonus}"


def run(one: Project) -> Result:
    """The project, the same without its revenue, and nothing."""
    decline, inflation = one.decline / 100, one.inflation / 100
    grows = f", growth: {one.inflation!r} %/yr" if inflation else ""
    rises = f", growth: {one.rise!r} %/yr" if one.rise else ""
    payments = ", payments: equal_repayment" if one.equal_repayment else ""
    loan = f", loan: {{share: {one.debt!r} %, rate: {one.debt_rate!r} %, term: {one.term} yr{payments}}}"
    resale = f", resale: {one.salvage / 100 * one.price!r} USD/system"
    terms = (loan if one.debt else "") + (resale if one.salvage else "")
    buy = f"{{system: srv-4xl4, price: {one.price!r} USD/system{terms}}}"
    amounts = {"Yearly": f"{one.yearly / 12!r} USD/month", "Variable": f"{one.unit_cost!r} USD/Mtoken"}
    costs = [f"{{name: {name}, amount: {amount}, part_of: site_cost{grows}}}" for name, amount in amounts.items()]
    text = SCENARIO.format(
        years=one.years, requests=one.units * 1000 / 12 / (1 - decline) ** 0.5, growth=-one.decline, tax=one.tax,
        rate=100 * ((1 + one.real_rate / 100) * (1 + inflation) - 1), depreciation=depreciation(one),
        bought=f"buy: {buy}, precision: fp8, count: 1",
        costs=", ".join(costs),
        revenue=f"{{name: Revenue, amount: {-one.unit_price!r} USD/Mtoken, part_of: site_cost{rises}}}",
    )  # fmt: skip
    return loads(text).run()


# --- generated ---

LIVES = {"macrs_5": 6, "macrs_15": 16, "sl_5": 6, "sl_20": 21, "custom": 5}
"""Years that a write-off takes."""

shares = st.sampled_from([0.0, 2.5, 8.0, 21.0, 40.0])


@st.composite
def projects(draw: st.DrawFn, write_off: str, debt: bool) -> Project:
    """A project that outlives its write-off and its loan; the machine has room for 680 Mtoken a year."""
    years = LIVES[write_off] + draw(st.integers(0, 4))
    schedule = draw(st.sampled_from([(20.0,) * 5, (50.0, 30.0, 20.0), (0.0, 10.0, 0.0, 90.0), (25.0,) * 4]))
    return Project(
        years=years, price=float(draw(st.integers(1, 1500)) * 1000), units=float(draw(st.integers(1, 500))),
        unit_price=draw(st.integers(0, 4000)) / 4, yearly=float(draw(st.integers(1, 60)) * 1000),
        unit_cost=draw(st.integers(1, 400)) / 8, inflation=draw(st.sampled_from([0.0, 2.5, 7.0, -1.0])),
        real_rate=draw(st.sampled_from([0.0, 3.0, 8.0, 15.0])), tax=draw(shares), write_off=write_off,
        schedule=schedule if write_off == "custom" else (),
        bonus=draw(st.sampled_from([0.0, 0.0, 40.0, 100.0])) if write_off in METHODS else 0.0,
        debt=draw(st.sampled_from([20.0, 60.0, 95.0])) if debt else 0.0,
        debt_rate=draw(st.sampled_from([0.5, 5.0, 12.0])), term=draw(st.integers(1, years)),
        equal_repayment=draw(st.booleans()), salvage=draw(st.sampled_from([0.0, 10.0, 35.0])),
        decline=draw(st.sampled_from([0.0, 0.5, 6.0])), rise=draw(st.sampled_from([0.0, 0.0, 3.0, -4.0])),
    )  # fmt: skip


def row(fleet: FleetResult, name: str) -> np.ndarray:
    return np.asarray(fleet.values[name], dtype=float).reshape(-1)


def compare(one: Project, result: Result, theirs: SamProject) -> None:
    """Each flow of each year, then what it comes to."""
    project, costs = result.by_id["project"], result.by_id["costs"]
    assert project.verdict == costs.verdict == "ok"
    size = one.price + one.yearly + one.units * (one.unit_price + one.unit_cost)

    def near(value: object) -> object:
        return pytest.approx(value, rel=1e-9, abs=1e-9 * size)

    flows = np.array([theirs.flows[0] + theirs.flows[1], *theirs.flows[2:]])
    assert -row(project, "cash_cost") == near(flows)
    assert row(project, "depreciation") == near(np.array(theirs.written_off[1:]))
    assert row(project, "tax_cost") == near(-np.array(theirs.tax[1:]))
    if one.debt:
        assert row(project, "loan_interest") == near(np.array(theirs.interest[1:]))
        assert row(project, "loan_repayment") == near(np.array(theirs.repayment[1:]))
    told = result.comparison["project"]
    assert told["npv"]["value"] == near(theirs.npv)
    assert -row(project, "present_cost")[0] == near(theirs.npv)
    if not one.rise:
        unit_cost = theirs.unit_cost - one.tax / 100 * one.unit_price
        levelised = row(costs, "cost_per_million_useful_tokens")[0]
        assert levelised == pytest.approx(unit_cost, rel=1e-9, abs=1e-9 * size / one.units)
    if told["irr"]["value"] is not None and theirs.rate > -1:
        assert told["irr"]["value"] == pytest.approx(theirs.rate, rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("debt", [False, True], ids=["own money", "debt"])
@pytest.mark.parametrize("write_off", LIVES)
@settings(max_examples=4, phases=[Phase.reuse, Phase.generate], suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_any_project_comes_to_the_same(write_off: str, debt: bool, data: st.DataObject) -> None:
    one = data.draw(projects(write_off, debt))
    compare(one, run(one), project_of(one))


# --- where they differ, and why ---


def test_what_a_short_horizon_leaves_is_lost_in_sam_and_deducted_here() -> None:
    """Five of the six years of MACRS: 5.76 % of the price at 25 % tax, in the last year."""
    long = Project(
        years=6,
        price=1e6,
        units=100.0,
        unit_price=3000.0,
        yearly=1e5,
        unit_cost=1.0,
        inflation=0.0,
        real_rate=8.0,
        tax=25.0,
    )
    short = replace(long, years=5)
    ours, theirs = run(short).by_id["project"], project_of(short)
    assert theirs.written_off[1:] == pytest.approx([200_000, 320_000, 192_000, 115_200, 115_200])
    assert row(ours, "disposal_write_off").tolist() == pytest.approx([0, 0, 0, 0, 57_600])
    differences = -row(ours, "cash_cost")[1:] - np.array(theirs.flows[2:])
    assert differences.tolist() == pytest.approx([0, 0, 0, 57_600 * 0.25], abs=1e-3)
