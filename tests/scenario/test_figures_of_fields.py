"""Leaves: what a quantity may look like, and what each wrong one is told."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tco.figures import Figure
from tco.scenario.leaf import Complaint, Leaf, Unfit
from tco.scenario.story import read_figure

PRICE = Leaf("money/kWh", above=0, example="0.12 USD/kWh")
SHARE = Leaf("%")
RATE = Leaf("1/yr", minimum=-1)
COUNT = Leaf("gpu", whole=True, minimum=0)
PLAIN = Leaf("1", minimum=1)
ANY = Leaf(None)
TABLE = Leaf("%", table_from="yr", single=False)
SERIES = Leaf("money/kWh", series=True)


def told(leaf: Leaf, raw: Any) -> str:
    with pytest.raises(Unfit) as caught:
        read_figure(leaf, raw)
    return "; ".join(
        (".".join(map(str, one.path)) + ": " if one.path else "") + one.text for one in caught.value.complaints
    )


@pytest.mark.parametrize(
    ("leaf", "raw", "value", "unit"),
    [
        (PRICE, "0.12 USD/kWh", 0.12, "USD/kWh"), (PRICE, "85 EUR/MWh", 85, "EUR/MWh"),
        (PRICE, "0.12 money/kWh", 0.12, "money/kWh"), (PRICE, "0.12\u00a0USD/kWh", 0.12, "USD/kWh"),
        (SHARE, "70 %", 70, "%"), (SHARE, "70%", 70, "%"), (SHARE, 0.7, 0.7, ""), (SHARE, "0.7", 0.7, ""),
        (SHARE, 1, 1, ""), (SHARE, 0, 0, ""), (SHARE, "100 %", 100, "%"),
        (RATE, "9 %", 9, "%/yr"), (RATE, "9 %/yr", 9, "%/yr"), (RATE, "-15 %/yr", -15, "%/yr"),
        (RATE, "0.09 1/yr", 0.09, "1/yr"),
        (COUNT, 4, 4, "gpu"), (COUNT, "4", 4, "gpu"), (COUNT, "4 gpu", 4, "gpu"),
        (PLAIN, 1.45, 1.45, ""), (PLAIN, "145 %", 145, "%"),
        (ANY, "99.5 %", 99.5, "%"), (ANY, 3, 3, ""), (ANY, "7 W/gpu", 7, "W/gpu"),
    ],
)  # fmt: skip
def test_a_bare_value(leaf: Leaf, raw: Any, value: float, unit: str):
    assert read_figure(leaf, raw) == Figure(value, unit, source="scenario", status="estimate")


@pytest.mark.parametrize(
    ("leaf", "raw", "message"),
    [
        (PRICE, 0.12, "`0.12` has no unit; wanted money/kWh, such as `0.12 USD/kWh`"),
        (PRICE, "85 W", "`85 W` is in W; wanted money/kWh, such as `0.12 USD/kWh`"),
        (PRICE, "0 USD/kWh", "`0 USD/kWh` is not above 0"),
        (PRICE, "0.12 USD/kwh", "`kwh` is not a unit; did you mean `kWh`?"),
        (PRICE, "0.12USD/kWh", "`0.12USD/kWh` lacks a space; did you mean `0.12 USD/kWh`?"),
        (PRICE, "0.1 - 0.2 USD/kWh", "write `0.1 USD/kWh to 0.2 USD/kWh`, or {value: …, low: 0.1 USD"),
        (PRICE, "1e40 USD/kWh", "`1e40 USD/kWh` is beyond 1e+30"),
        (PRICE, True, "read `true`; wanted money/kWh, such as `0.12 USD/kWh`"),
        (PRICE, None, "read nothing; wanted money/kWh"), (PRICE, [], "read a list; wanted money/kWh"),
        (PRICE, "", "is not a number with a unit"), (PRICE, "nan USD/kWh", "is not a number with a unit"),
        (PRICE, ".inf", "is not a number"), (PRICE, "9**9**9**9 W", "put a space"), (PRICE, "x" * 200, "at most 80"),
        (PRICE, "1.234,50 USD/kWh", "write it without separators"),
        (SHARE, 70, "`70` is above 1; did you mean `70 %`?"), (SHARE, 1.2, "`1.2` is above 1; did you mean `1.2 %`?"),
        (SHARE, "170 %", "`170 %` is above 100 %"), (SHARE, "-1 %", "`-1 %` is below 0"),
        (SHARE, "3 W", "wanted a share"),
        (SHARE, "5-10%", "`5-10%` is a range; write `5 % to 10 %`, or {value: …, low: 5 %, high: 10 %}"),
        (RATE, 0.09, "`0.09` has no unit; wanted a yearly rate, such as `9 %/yr`"),
        (RATE, "1 %/month", "is not per year; give the rate per year"), (RATE, "1 %/h", "is not per year"),
        (RATE, "-150 %", "is below -100 %/yr"),
        (COUNT, 2.5, "`2.5` is not a whole number"), (COUNT, -1, "`-1` is below 0"),
        (COUNT, "4 system", "`4 system` is in system; wanted a count in gpu, such as `4` or `4 gpu`"),
        (PLAIN, 0.9, "`0.9` is below 1"), (PLAIN, "2 W", "`2 W` is in W; wanted a plain number"),
    ],
)  # fmt: skip
def test_a_wrong_value_is_told_what_was_read_and_what_is_wanted(leaf: Leaf, raw: Any, message: str):
    assert message in told(leaf, raw)


def test_a_hint_ends_the_message_about_a_bound():
    leaf = Leaf("money/kWh", above=0, hint="declare `free: true` for power without a price")
    assert told(leaf, "0 USD/kWh") == "`0 USD/kWh` is not above 0; declare `free: true` for power without a price"


def test_a_story():
    raw = {"value": "0.12 USD/kWh", "low": 0.1, "high": "150 USD/MWh", "as_of": "2026-10", "source": "tariff sheet",
           "status": "quote", "note": "n", "valid_until": "2026-12-31"}  # fmt: skip
    read = read_figure(PRICE, raw)
    assert (read.value, read.unit, read.low, read.status, read.as_of) == (0.12, "USD/kWh", 0.1, "quote", "2026-10")
    assert read.high == pytest.approx(0.15)
    assert (read.source, read.note, read.valid_until) == ("tariff sheet", "n", "2026-12-31")


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ({"value": "0.12 USD/kWh", "low": 0.2}, "low: `0.2` is above the value `0.12 USD/kWh`"),
        ({"value": "0.12 USD/kWh", "high": 0.1}, "high: `0.1` is below the value `0.12 USD/kWh`"),
        ({"value": "0.12 USD/kWh", "high": "1 W"}, "high: `1 W` is in W"),
        ({"value": "0.12 USD/kWh", "high": "1 EUR/kWh"}, "high: is in EUR/kWh, the first value in USD/kWh"),
        ({"value": "0.12 USD/kWh", "status": "qoute"}, "status: `qoute` is not a status; did you mean `quote`?"),
        ({"value": "0.12 USD/kWh", "sorce": "x"}, "sorce: `sorce` is not known here; did you mean `source`?"),
        ({"value": "0.12 USD/kWh", "as_of": "2026-02-30"}, "as_of: `2026-02-30` is not a date"),
        ({"value": "0.12 USD/kWh", "as_of": 2026.1}, "as_of: `2026.1` is not a date"),
        ({"value": "0.12 USD/kWh", "source": ["x"]}, "source: read a list; wanted text"),
        ({"value": "0.12 USD/kWh", "as_of": "2026-10-12", "valid_until": "2026-09"}, "valid_until: lies before"),
        ({"source": "x"}, "`value` is missing; wanted money/kWh"),
        ({"value": {"value": 1}}, "value: read a mapping"),
        ({"value": ["1 USD/kWh"]}, "value: read a list"),
    ],
)  # fmt: skip
def test_a_wrong_story(raw: dict[str, Any], message: str):
    assert message in told(PRICE, raw)


def test_everything_wrong_in_a_story_is_told():
    wrong = {"value": 1, "low": 2, "status": "x", "as_of": "x", "zzz": 1}
    message = told(PRICE, wrong)
    assert all(part in message for part in ("zzz:", "value:", "status:", "as_of:"))


def test_a_bare_low_of_a_percentage_that_may_mean_two_things_is_refused():
    assert "write the `%`" in told(SHARE, {"value": "70 %", "low": 0.6})
    assert read_figure(SHARE, {"value": "70 %", "low": 60, "high": 80}).low == 60
    assert read_figure(RATE, {"value": "2 %", "low": 0.5}).low == 0.5


def test_a_table():
    raw = {"after": ["1 yr", "24 month"], "share": ["70 %", 0.5], "source": "brokers", "status": "estimate"}
    read = read_figure(TABLE, raw)
    assert read.value == ((1.0, 70.0), (2.0, 50.0))
    assert (read.unit, read.from_unit, read.source) == ("%", "yr", "brokers")


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ({"after": ["1 yr"], "share": ["70 %", "50 %"]}, "share: `after` has 1 values and `share` has 2"),
        ({"after": ["2 yr", "1 yr"], "share": ["70 %", "50 %"]}, "after: `after` must rise"),
        ({"after": ["1 yr", 2], "share": ["1 %", "5 W"]}, "after.1: `2` has no unit; wanted yr, such as `2 yr`; share"),
        ({"after": ["1 yr"]}, "read nothing; wanted a list"),
        ({"after": [], "share": []}, "after: read a list; wanted a list of 1 to"),
        ({"after": ["1 yr"], "share": ["70 %"], "low": 1}, "low: `low` is not known here"),
        ({"source": "x"}, "`after` and `share` are missing"),
        ("70 %", "read `70 %`; wanted a table with `after` and `share`"),
    ],
)  # fmt: skip
def test_a_wrong_table(raw: Any, message: str):
    assert message in told(TABLE, raw)


def test_a_list_of_one_value_a_period():
    read = read_figure(SERIES, ["1 USD/kWh", "20 USD/MWh"])
    assert read.value == pytest.approx((1.0, 0.02))
    assert read_figure(SERIES, {"value": ["1 USD/kWh"], "source": "s"}).source == "s"
    assert read_figure(SERIES, "1 USD/kWh").value == 1
    assert told(SERIES, ["1 USD/kWh", "1 W"]).startswith("1: `1 W` is in W")
    assert "low: `low` cannot stand beside a list" in told(SERIES, {"value": ["1 USD/kWh"], "low": 1})


@given(st.floats(1e-9, 1e9), st.sampled_from(["USD/kWh", "EUR/MWh", "kUSD/GWh", "JPY/kWh"]))
def test_quantities_round_trip(value: float, unit: str):
    read = read_figure(PRICE, f"{value!r} {unit}")
    assert read.value == value
    assert read_figure(PRICE, f"{read.value!r} {read.unit}") == read


_ANYTHING = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["value", "low", "high", "as_of", "status", "after", "share", "x"]), inner),
    ),
    max_leaves=6,
)


@given(st.sampled_from([PRICE, SHARE, RATE, COUNT, PLAIN, ANY, TABLE, SERIES]), _ANYTHING)
def test_anything_gives_a_figure_or_complaints(leaf: Leaf, raw: Any):
    read: Figure | list[Complaint]
    try:
        read = read_figure(leaf, raw)
    except Unfit as unfit:
        read = unfit.complaints
    assert read
