"""Every distribution against scipy's, cut or whole; ranges as people write them, and what is refused."""

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tco.errors import ScenarioError
from tco.scenario.leaf import Leaf, Unfit
from tco.scenario.story import read_figure
from tco.session import loads
from tco.uncertainty.spread import P90, P95, Spread, about

PRICE, SHARE, COUNT = Leaf("money/gpu", above=0), Leaf("%"), Leaf("system", minimum=0, whole=True)
PLAIN = Leaf("1")
U = np.array([1e-9, 0.001, 0.05, 0.3, 0.5, 0.77, 0.95, 0.9999, 1 - 1e-9])


def read(raw, leaf=PLAIN) -> Any:
    return read_figure(leaf, raw)


@pytest.mark.parametrize(
    ("raw", "other"),
    [
        ("5 to 10", stats.lognorm(math.log(2) / (2 * P95), scale=math.sqrt(50))),
        ("-5 to 10", stats.norm(2.5, 15 / (2 * P95))),
        ({"distribution": "normal", "mean": 3, "deviation": 2}, stats.norm(3, 2)),
        ({"distribution": "normal", "low": 1, "high": 5}, stats.norm(3, 2 / P95)),
        ({"distribution": "lognormal", "mean": 3, "deviation": 2}, None),
        ({"distribution": "uniform", "low": -1, "high": 5}, stats.uniform(-1, 6)),
        ({"low": 1, "typ": 2, "high": 5}, stats.triang(0.25, 1, 4)),
        ({"distribution": "triangular", "low": 1, "typ": 5, "high": 5}, stats.triang(1, 1, 4)),
        ({"distribution": "pert", "low": 1, "typ": 2, "high": 5}, stats.beta(2, 4, 1, 4)),
    ],
)
def test_quantiles_are_those_of_scipy(raw, other):
    figure = read(raw)
    if other is None:
        sigma = math.sqrt(math.log1p(4 / 9))
        other = stats.lognorm(sigma, scale=3 * math.exp(-(sigma**2) / 2))
        assert other.mean() == pytest.approx(3)
        assert other.std() == pytest.approx(2)
    assert figure.spread.at(U) == pytest.approx(other.ppf(U), rel=1e-9, abs=1e-9)
    assert [figure.spread.quantile(float(share)) for share in U] == pytest.approx(figure.spread.at(U), rel=1e-8)
    assert figure.number == pytest.approx(other.median())
    assert (figure.low, figure.high) == pytest.approx((other.ppf(0.05), other.ppf(0.95)))


def test_the_shorthand_is_the_published_one():
    spread = read("5 to 10").spread
    assert [spread.quantile(one) for one in (0.05, 0.5, 0.95)] == pytest.approx([5, 7.0710678118654755, 10])
    shares = (np.arange(100_000) + 0.5) / 100_000
    assert np.mean(spread.at(shares)) == pytest.approx(7.229783732289855, rel=1e-4)


def test_what_no_place_takes_is_cut():
    spread = read("60 to 95 %", SHARE).spread
    whole = stats.lognorm(math.log(95 / 60) / (2 * P95), scale=math.sqrt(60 * 95))
    wanted = whole.ppf(U * whole.cdf(100))
    assert spread.at(U) == pytest.approx(wanted, rel=1e-6)
    assert spread.at(U).max() <= 100
    assert "cut where no value can be (2.2 % of it)" in read("60 to 95 %", SHARE).note


def test_a_discrete_spread_draws_each_value_in_its_share():
    spread = read(
        {"distribution": "discrete", "values": [4, 1, "2 system"], "shares": ["30 %", "20 %", "50 %"]}, COUNT
    ).spread
    drawn = spread.at((np.arange(1000) + 0.5) / 1000)
    assert [int(np.count_nonzero(drawn == one)) for one in (1, 2, 4)] == [200, 500, 300]


@pytest.mark.parametrize(("low", "middle", "high"), [(1.0, 2.0, 8.0), (-1.0, 0.5, 3.0), (2.0, 2.0, 3.0)])
def test_two_halves_meet_low_middle_and_high(low, middle, high):
    assert about(low, middle, high).at(np.array([0.05, 0.5, 0.95])) == pytest.approx([low, middle, high])
    assert about(low, middle, high, P90).at(np.array([0.1, 0.5, 0.9])) == pytest.approx([low, middle, high])


def test_a_range_keeps_unit_and_story():
    figure = read({"value": "25 kUSD/gpu to 35000 USD/gpu", "source": "two dealers", "note": "by phone"}, PRICE)
    assert (figure.unit, figure.source) == ("USD/gpu", "two dealers")
    assert (figure.low, figure.high) == pytest.approx((25_000, 35_000))
    assert figure.note.startswith("90 % interval 25 kUSD/gpu to 35000 USD/gpu, lognormal; computed with the median; by")


@pytest.mark.parametrize(
    ("leaf", "raw", "told"),
    [
        (PRICE, "35000 to 25000 USD/gpu", "falls; write the lower end first"),
        (PRICE, "2 to 2 USD/gpu", "two equal ends; write one value"),
        (PRICE, "5 to 9", "`9` has no unit"),
        (PRICE, "0 to 9 USD/gpu", "`0` is not above 0"),
        (PRICE, "1 USD/gpu to 2 USD/kWh", "`2 USD/kWh` is in USD/kWh"),
        (SHARE, "90 to 120 %", "`120 %` is above 100 %"),
        (COUNT, "1 to 4", "whole numbers are wanted here"),
        (COUNT, {"distribution": "discrete", "values": [1, 2.5]}, "`2.5` is not a whole number"),
        (PLAIN, {"distribution": "norml", "low": 1, "high": 2}, "did you mean `normal`?"),
        (PLAIN, {"distribution": "normal", "low": 1}, "wanted `{distribution: normal, low: …, high: …}` or"),
        (PLAIN, {"low": 1, "typ": 3, "high": 2}, "is not between low and high"),
        (PLAIN, {"distribution": "normal", "mean": 1, "deviation": 0}, "wants a deviation above 0"),
        (PRICE, {"distribution": "normal", "mean": "1 USD/gpu", "deviation": "9 USD/gpu"}, "where no value can be"),
        (PLAIN, {"distribution": "discrete", "values": [1, 2], "shares": [0.5]}, "give as many of each"),
        (PLAIN, {"distribution": "discrete", "values": [1, 2], "shares": [0.5, 0.4]}, "add up to 90 %"),
        (PLAIN, {"value": "1 to 2", "low": 1}, "cannot stand beside a range"),
        (Leaf("1", series=True), ["1 to 2", "2"], "stands alone as a value or under `analysis.uncertainty.ranges`"),
    ],
)
def test_what_is_no_range_is_told(leaf, raw, told):
    with pytest.raises(Unfit) as error:
        read_figure(leaf, raw)
    assert told in str(error.value)


def test_a_spread_without_text_is_whole():
    assert Spread("normal", (1.0, 2.0)).cut_away == 0


def test_a_wrong_range_is_told_with_its_place():
    with pytest.raises(ScenarioError, match=r"s.yaml:3:11: electricity.price: `0.2 to 0.1 USD/kWh` falls"):
        loads("format: 1\nelectricity:\n  price:  0.2 to 0.1 USD/kWh\n", "s.yaml")
