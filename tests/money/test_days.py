"""Time in calendar days over 365: first and last days of periods, whatever the step; leap years are longer than 1."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tco.result import Result
from tco.session import loads
from tests.money.finance_cases import BARE, dated, flows, head, row, worth

DAYS = ", day_count: act365f"
SCENARIO = """\
format: 1
title: Days
as_of: 2026-11-01
currency: USD
timeline: {{start: 2028-01, horizon: 4 yr, step: {step}}}
workload: {{kind: inference, model: llama-3.1-8b, requests: 100000 request/month, peak_to_mean: 2,
           input: 1000 token/request, output: 200 token/request}}
electricity: {{price: 0.12 USD/kWh}}
cooling: {{kind: air, pue: 1.4}}
finance: {{discount_rate: 8 %, discounting: {moment}, day_count: {count}, reference: rented}}
fleets:
  - id: owned
    buy: {{system: srv-8xl40s, price: {price} USD/system, resale: 9000 USD/system}}
    precision: fp8
    count: 1
  - {{id: rented, rent: {{gpu: l40s, gpus: 8, price: 1.2 USD/gpu/h}}, precision: fp8, count: 1}}
"""


def compared(**terms: Any) -> Result:
    return loads(
        SCENARIO.format(**{"step": "month", "moment": "end", "count": "act365f", "price": 90000} | terms)
    ).run()


@pytest.mark.parametrize("step", ["month", "quarter", "year"])
def test_what_is_paid_on_first_days_is_worth_the_same_at_every_step(step: str) -> None:
    """1 January 2027 and 2028, after 365 and 730 days; 2029 after 1,096."""
    text = head(0.08, 4, step, more=DAYS)
    wanted = 100 + 50 * 1.08 ** -(365 / 365) + 70 * 1.08 ** -(730 / 365) + 90 * 1.08 ** -(1096 / 365)
    assert worth(flows(text, once=[100, 50, 70, 90])) == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("step", ["month", "quarter", "year"])
def test_what_is_paid_on_the_last_day_is_worth_the_same_at_every_step(step: str) -> None:
    """The resale on 31 December 2031, 1,460 days after 1 January 2028."""
    owned = compared(step=step).by_id["owned"]
    sold = row(owned, "resale_at_price")[-1]
    factor = row(owned, "discount_factor_closing")[-1]
    assert (sold, factor) == (-9000.0, pytest.approx(1.08 ** -(1460 / 365), rel=1e-12))


@pytest.mark.parametrize(("moment", "share"), [("start", 0.0), ("middle", 0.5), ("end", 1.0)])
def test_running_amounts_fall_between_the_first_and_the_last_day(moment: str, share: float) -> None:
    """February 2028 from day 31 to day 59."""
    factor = row(compared(moment=moment).by_id["owned"], "discount_factor_through")[1]
    assert factor == pytest.approx(1.08 ** -((31 + 28 * share) / 365), rel=1e-12)


@pytest.mark.parametrize("moment", ["start", "middle", "end"])
def test_at_its_rate_of_return_the_dated_flow_is_worth_nothing(moment: str) -> None:
    result = compared(moment=moment, price=150000)
    rate = result.comparison["owned"]["irr"]["value"]
    other = loads(SCENARIO.format(step="month", moment=moment, count="act365f", price=150000).replace(
        "discount_rate: 8 %", f"discount_rate: {rate * 100!r} %"
    )).run()  # fmt: skip
    assert other.comparison["owned"]["npv"]["value"] == pytest.approx(0, abs=1e-4)


def test_a_payback_counts_days() -> None:
    """Within a period from its first day on; never on a day between periods but at the next opening."""
    periods, days = (
        compared(count=count, step="year", price=150000).comparison["owned"] for count in ("periods", "act365f")
    )
    equal, dated_years = (found["simple_payback"]["value"] for found in (periods, days))
    whole, part = divmod(equal, 1)
    opening, closing = np.array([0, 366, 731, 1096]) / 365, np.array([365, 730, 1095, 1460]) / 365
    place = int(whole)
    assert 0 < place < 4
    assert dated_years == pytest.approx(opening[place] + part * (closing[place] - opening[place]), rel=1e-9)


def test_equal_months_are_what_is_left_out() -> None:
    named, silent = (
        loads(text).run()
        for text in (SCENARIO.format(step="month", moment="end", count="periods", price=90000),
                     SCENARIO.format(step="month", moment="end", count="X", price=90000).replace("day_count: X, ", ""))
    )  # fmt: skip
    assert named.comparison == silent.comparison
    assert (named.day_count, silent.day_count) == ("periods", "periods")


def test_a_real_rate_discounts_days_at_its_nominal_rate() -> None:
    """Fisher: 3 % over an inflation of 2 % is 5.06 %."""
    costs = "costs: [{name: Later, amount: 100 USD, part_of: api_cost, month: 2029-01, growth: 0 %}]"
    fleet = BARE.replace("}}\n", f"}}, {costs}}}\n")
    nothing = "pin: {none: {new_output_cost: 0 USD, new_input_cost: 0 USD, cached_input_cost: 0 USD}}\n"
    text = head(0.03, 4, more=f"{DAYS}, discount_rate_is: real") + "pricing: {inflation: 2 %}\n"
    found = loads(f"{text}fleets:\n{fleet}{nothing}").run().fleets[0].raw("present_cost")
    assert found == pytest.approx(100 * 1.0506 ** -(1096 / 365), rel=1e-12)


def test_a_year_of_366_days_is_longer_than_one() -> None:
    """At 10 %, 110 after a leap year are worth less than 100."""
    assert worth(dated(0.1, {"2025-01": 110.0}, {}, 13)) == pytest.approx(110 / 1.1 ** (366 / 365), rel=1e-12)
