"""Tiers of an API against the bill of each class of requests, added up by hand."""

from __future__ import annotations

import pytest

from tco.errors import ScenarioError
from tco.result import FleetResult
from tco.session import loads

SCENARIO = """
format: 1
title: Tiers
as_of: 2026-11-01
currency: USD
timeline: {start: 2027-01, horizon: 1 yr, step: quarter}
workload:
  kind: inference
  requests: 1 Mrequest/month
  peak_to_mean: 3
  reasoning: 800 token/request
  classes:
    - {share: 90 %, input: 2000 token/request, output: 400 token/request}
    - {share: 10 %, input: 250000 token/request, output: 900 token/request}
  prefix_cache_hit: 30 %
finance: {discount_rate: 8 %}
fleets:
  - {id: api, api: {input: 3 USD/Mtoken, cached_input: 0.3 USD/Mtoken, output: 15 USD/Mtoken}}
"""
PRICES = "output: 15 USD/Mtoken"
LONG = "long_context: 200000 token, long_input: 6 USD/Mtoken, long_output: 22.5 USD/Mtoken"
WRITES = "cache_write: 3.75 USD/Mtoken, cache_written: 10 %"
CLASSES = ((0.9, 2000, 400), (0.1, 250000, 900))


def fleet(added: str, text: str = SCENARIO) -> FleetResult:
    return loads(text.replace(PRICES, f"{PRICES}, {added}" if added else PRICES)).run().by_id["api"]


def told(added: str) -> set[str]:
    return {alert.code for alert in loads(SCENARIO.replace(PRICES, f"{PRICES}, {added}")).run().warnings}


def by_hand(usual: dict[str, float], long: dict[str, float]) -> float:
    """A year of 12 million requests: new, cached and written input, answer and (of each class 800) reasoning."""
    bill = 0.0
    for share, given, answered in CLASSES:
        price = long if given > 200_000 else usual
        each = 0.6 * price["new"] + 0.3 * price["cached"] + 0.1 * price["written"]
        bill += share * (given * each + (answered + 800) * price["output"])
    return 12 * bill


USUAL = {"new": 3.0, "cached": 0.3, "written": 3.0, "output": 15.0}


def test_without_tiers_all_pay_the_same() -> None:
    assert fleet("").raw("total_cost") == pytest.approx(by_hand(USUAL, USUAL))


def test_reasoning_is_billed_and_is_no_useful_output() -> None:
    found = fleet("")
    assert found.raw("useful_tokens") == pytest.approx(12 * 450)  # 0.9 x 400 + 0.1 x 900
    shorter = fleet("", SCENARIO.replace("  reasoning: 800 token/request\n", ""))
    assert shorter.raw("useful_tokens") == pytest.approx(12 * 450)
    saved = found.raw("total_cost") - shorter.raw("total_cost")  # type: ignore[operator]
    assert saved == pytest.approx(12 * 800 * 15)


def test_long_requests_pay_for_all_their_tokens() -> None:
    long = {"new": 6.0, "cached": 6.0, "written": 6.0, "output": 22.5}  # no price for cached input: the dearer one
    found = loads(SCENARIO.replace(PRICES, f"{PRICES}, {LONG}")).run()
    assert {"long-requests", "cached-input"} <= {alert.code for alert in found.warnings}
    # reasoning is the same for all requests, so that the long class has a tenth of it
    stated = {"output_share": 0.1 * 900 / 450}
    bill = by_hand(USUAL, {**long, "output": 15.0}) + 12 * 1250 * stated["output_share"] * 7.5
    assert found.by_id["api"].raw("total_cost") == pytest.approx(bill)


def test_reasoning_of_a_class_counts_with_its_class() -> None:
    text = SCENARIO.replace("  reasoning: 800 token/request\n", "").replace(
        "00 token/request}", "00 token/request, reasoning: 800 token/request}"
    )
    long = {"new": 6.0, "cached": 0.6, "written": 6.0, "output": 22.5}
    assert fleet(f"{LONG}, long_cached_input: 0.6 USD/Mtoken", text).raw("total_cost") == pytest.approx(
        by_hand(USUAL, long)
    )
    written = f"{WRITES}, {LONG}, long_cached_input: 0.6 USD/Mtoken, long_cache_write: 7.5 USD/Mtoken"
    bill = by_hand({**USUAL, "written": 3.75}, {**long, "written": 7.5})
    assert fleet(written, text).raw("total_cost") == pytest.approx(bill)
    cheaper = fleet(f"{written}, batch_share: 40 %, batch_discount: 50 %", text)
    assert cheaper.raw("total_cost") == pytest.approx(bill * 0.8)


def test_batch_prices_hold_for_new_input_and_output() -> None:
    batch = "batch_share: 40 %, batch_input: 1.5 USD/Mtoken, batch_output: 7.5 USD/Mtoken"
    batched = {"new": 1.5, "cached": 1.5, "written": 1.5, "output": 7.5}
    assert fleet(batch).raw("total_cost") == pytest.approx(
        0.6 * by_hand(USUAL, USUAL) + 0.4 * by_hand(batched, batched)
    )
    assert "cached-input" in told(batch)
    assert "cached-input" not in told(f"{batch}, batch_cached_input: 0.15 USD/Mtoken")


@pytest.mark.parametrize(
    ("limit", "verdict"),
    [
        ("requests_per_minute: 69 request/min", "ok"),  # 1e6 x 3 / 730 h / 60 = 68.5 a minute
        ("requests_per_minute: 68 request/min", "too small"),
        ("tokens_per_minute: 1.93 Mtoken/min", "ok"),  # 68.5 x (26,800 + 1,250) = 1.921 million
        ("tokens_per_minute: 1.92 Mtoken/min", "too small"),
        ("tokens_per_minute: 1.92 Mtoken/min, batch_share: 10 %, batch_discount: 50 %", "ok"),
    ],
)
def test_a_limit_below_the_peak_is_too_small(limit: str, verdict: str) -> None:
    found = fleet(limit)
    assert found.verdict == verdict
    assert verdict == "ok" or "the API takes" in found.reasons[0]


@pytest.mark.parametrize(
    ("added", "sentence"),
    [
        ("cache_written: 10 %", "no price for input written"),
        ("cache_write: 3.75 USD/Mtoken, cache_written: 80 %", "more than all"),
        ("cache_write: 3.75 USD/Mtoken", "state `cache_written`"),
        ("long_input: 6 USD/Mtoken", "state `long_context`"),
        ("long_context: 200000 token", "state `long_input` and `long_output`"),
        (f"{WRITES}, {LONG}", "state `long_cache_write`"),
        ("batch_share: 40 %", "state `batch_input` and `batch_output`, or `batch_discount`"),
        ("batch_discount: 50 %", "state `batch_share`"),
        ("batch_share: 40 %, batch_discount: 50 %, batch_input: 1 USD/Mtoken", "say the same; keep one"),
    ],
)
def test_a_missing_price_is_asked_for(added: str, sentence: str) -> None:
    with pytest.raises(ScenarioError, match=sentence):
        fleet(added)


def test_a_tier_that_the_work_does_not_reach_is_nothing_left_out() -> None:
    assert not [label for label in fleet("").left_out if "atch" in label or "Long" in label]
