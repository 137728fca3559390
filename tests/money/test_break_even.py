"""Break-evens: exact across whole-unit steps, every crossing told, and "not reached" is an answer."""

# pyright: basic
from __future__ import annotations

import numpy as np
import pytest

from tco.analysis.breakeven import GRID, WIDEST_DEMAND, BreakEven, Question, Side
from tco.analysis.crossings import NONE, Array, changes, states
from tco.result import Result
from tco.session import loads

HEAD = """\
format: 1
title: Break-even
as_of: 2026-01-01
currency: USD
timeline: {start: 2026-01, horizon: 1 yr, step: month}
workload: {kind: inference, requests: 8100 request/month, peak_to_mean: 14.6, input: 4000 token/request,
           output: 1000 token/request}
utilization: {planning_ceiling: 90 %}
electricity: {price: 0.10 USD/kWh}
cooling: {kind: none}
finance: {discount_rate: 0 %}
fleets:
"""
MEASURED = """
    precision: fp8
    measured: {output: 100 token/s/system, input: 4000 token/request, output_length: 1000 token/request,
               concurrency: 4 request/system, precision: fp8, source: "configiq test"}
"""
WINDOW = "billing: {active_window: 3.28767123287671 h/day}"
"""100 h of the month's 730."""


def api(price_in: float = 1, price_out: float = 3, name: str = "api") -> str:
    prices = f"{{input: {price_in} USD/Mtoken, output: {price_out} USD/Mtoken}}"
    return f"  - {{id: {name}, api: {prices}, inputs: {{context: 128000 token}}}}\n"


def rent(hour: float, month: float = 0, name: str = "rent") -> str:
    storage = f"storage: {month} USD/month, " if month else ""
    terms = f"{{gpu: h100-sxm, gpus: 1, price: {hour} USD/gpu/h, {storage}{WINDOW}}}"
    return f"  - id: {name}\n    rent: {terms}{MEASURED}"


def ran(*fleets: str) -> Result:
    return loads(HEAD + "".join(fleets)).run()


def asked(found: BreakEven, quantity: str, fleet: str = "") -> Question:
    return next(one for one in found.questions if (one.quantity, one.fleet) == (quantity, fleet))


def test_e11_all_crossings_of_an_api_and_rented_replicas() -> None:
    """Rent of n replicas is 100 n + 30 and carries 16,200 n requests; the API asks 0.007 a request."""
    demand = asked(ran(api(), rent(1, 30)).break_even, "demand")
    enters = [(100 * n + 30) / 0.007 for n in range(3, 11)]
    leaves = [16200.0 * n for n in range(3, 10)]
    expected = sorted([(place, "api", "rent", False) for place in enters] + [(x, "rent", "api", True) for x in leaves])
    assert [one.value for one in demand.crossings] == pytest.approx([place for place, *_ in expected], rel=1e-9)
    assert [(one.below, one.above, one.at_step) for one in demand.crossings] == [tuple(told) for _, *told in expected]
    tokens = demand.crossings[0].value * 5000
    assert round(tokens) == 235_714_286


def test_e11_the_api_never_dearer_than_two_dollars_an_hour() -> None:
    """81 Mtoken cost the API 113.40 and a replica 200: at no demand is the replica cheaper."""
    demand = asked(ran(api(), rent(2)).break_even, "demand")
    assert not demand.crossings
    assert demand.reason == "not reached"
    assert (demand.start, demand.low, demand.high) == ("api", 8.1, 8_100_000)


def test_e11_prices() -> None:
    """At 8,100 requests the API's 56.70 meet one replica's 100 p + 30."""
    found = ran(api(), rent(1, 30)).break_even
    assert asked(found, "rent", "rent").crossings[0].value == pytest.approx(0.267, rel=1e-9)
    assert asked(found, "API price", "api").crossings[0].value == pytest.approx(130 / 56.7, rel=1e-9)


def test_e24_prices_at_which_a_mix_costs_what_two_of_one_kind_do() -> None:
    """One A100 at 3.67 beside three A10G at 1.01 is 6.70 an hour, two A100 are 7.34; nothing else differs."""
    aside = "    costs: [{name: Three A10G, amount: 2211.9 USD/month, part_of: rent_cost}]\n"  # 3 x 1.01 x 730
    one, two = (
        rent(3.67, name=name).replace(f", {WINDOW}", "").replace("\n    rent", f"\n    count: {count}\n    rent")
        for name, count in (("mixed", 1), ("pair", 2))
    )
    result = ran(one + aside, two)
    monthly = {name: result.by_id[name].shown("rent_cost")[0] / 730 for name in ("mixed", "pair")}  # type: ignore[index]
    assert monthly == pytest.approx({"mixed": 6.70, "pair": 7.34}, rel=1e-12)
    found = result.break_even
    assert asked(found, "rent", "mixed").crossings[0].value == pytest.approx(7.34 - 3.03, rel=1e-9)
    assert asked(found, "rent", "pair").crossings[0].value == pytest.approx(6.70 / 2, rel=1e-9)


def test_the_utilization_at_which_a_machine_equals_an_api() -> None:
    """1 USD an hour for 0.36 Mtoken at full load, against 4 x 1 + 3 USD for an output Mtoken with its input."""
    one = rent(1).replace(f", {WINDOW}", "").replace("\n    rent", "\n    count: 1\n    utilization: 50 %\n    rent")
    question = asked(ran(api(), one).break_even, "utilization", "rent")
    assert [crossing.value for crossing in question.crossings] == pytest.approx([1 / 0.36 / 7], rel=1e-9)
    assert question.crossings[0].utilization["rent"] == pytest.approx(1 / 0.36 / 7, rel=1e-9)
    assert (question.crossings[0].below, question.crossings[0].above) == ("api", "rent")


def test_a_crossing_exactly_at_a_step_is_a_touch() -> None:
    """Priced at 200 for the 16,200 requests of a replica, the API meets the rent at each step and nowhere else."""
    demand = asked(ran(api(200 / 81, 200 / 81), rent(2)).break_even, "demand")
    assert [one.value for one in demand.crossings[:5]] == pytest.approx([16200 * n for n in range(1, 6)], rel=1e-9)
    assert {(one.below, one.above) for one in demand.crossings if one.value < demand.high * 0.999} == {("api", "api")}


def test_where_a_fixed_fleet_is_too_small_nothing_is_compared() -> None:
    found = ran(api(), rent(0.3).replace("id: rent", "id: rent\n    count: 2")).break_even
    last = asked(found, "demand").crossings[-1]
    assert (last.value, last.above) == (pytest.approx(32400, rel=1e-9), "not comparable")


def test_equal_fleets_cost_the_same_throughout() -> None:
    found = ran(rent(2, name="one"), rent(2, name="two")).break_even
    assert asked(found, "demand").reason == "the two cost the same throughout"
    assert asked(found, "rent", "one").crossings[0].value == pytest.approx(2, rel=1e-9)


def test_the_reference_is_compared_where_one_is_named() -> None:
    fleets = (api(0.1, 0.1, "cheap"), api(), rent(2))
    assert ran(*fleets).break_even.fleets == ("cheap", "api")
    named = HEAD.replace("discount_rate: 0 %", "discount_rate: 0 %, reference: rent")
    assert loads(named + "".join(fleets)).run().break_even.fleets == ("cheap", "rent")


def test_one_fleet_has_no_break_even() -> None:
    found = ran(api()).break_even
    assert (found.questions, found.reason) == ((), "there are no two fleets that can do the work")


def test_brute_force_finds_no_other_crossing_of_demand() -> None:
    """Two staircases with steps of different width, on 200,000 points: the same places, nothing missed."""
    result = ran(rent(1, 30, "small"), rent(2.2, 5, "large").replace("output: 100 token/s", "output: 230 token/s"))
    found = asked(result.break_even, "demand")
    sides = [Side(result.by_id[name], result) for name in result.break_even.fleets]
    factors = np.geomspace(1 / WIDEST_DEMAND, 60, 200_000)
    mine, theirs = (side.points(("requests",), factors) for side in sides)
    seen = states(np.array([*mine[:2], *theirs[:2], mine[2] * theirs[2], mine[3], theirs[3]]))
    at = np.flatnonzero(seen[1:] != seen[:-1])
    told = [one.value / 8100 for one in found.crossings if one.value / 8100 < 60]
    assert len(at) == len(told) > 5
    assert np.all((factors[at] <= np.array(told) * (1 + 1e-9)) & (np.array(told) <= factors[at + 1] * (1 + 1e-9)))


def stairs(width: float, rise: float, slope: float) -> Array:
    """Places at which n steps of this width cost what `slope` does."""
    n = np.arange(1, 2000)
    places = n * rise / slope
    return np.asarray(places[(places > (n - 1) * width) & (places <= n * width)], dtype=np.float64)


@pytest.mark.parametrize(("width", "rise", "slope"), [(1.0, 1.0, 1.5), (0.37, 2.0, 7.0), (2.5, 10.0, 3.0)])
def test_search_alone_against_arithmetic(width: float, rise: float, slope: float) -> None:
    def ask(places: Array) -> Array:
        units, ones = np.ceil(places / width), np.ones(len(places))
        return np.array([units * rise, ones, slope * places, ones, ones, units, ones])

    found = changes(ask, np.geomspace(0.01, 20, GRID), 1.0)
    meets = [one.place for one in found.changes if not one.step]
    assert meets == pytest.approx([x for x in stairs(width, rise, slope) if 0.01 < x < 20], rel=1e-9)


def test_too_many_steps_narrow_the_search_and_say_so() -> None:
    def ask(places: Array) -> Array:
        units, ones = np.ceil(places * 5000), np.ones(len(places))
        return np.array([units, ones, np.floor(places * 5000) + 0.5, ones, ones, units, ones])

    found = changes(ask, np.linspace(0, 10, GRID), 1.0)
    assert 0 < found.low < 1 < found.high < 10
    assert all(found.low <= one.place <= found.high for one in found.changes)


def test_states_tell_who_cannot_be_compared() -> None:
    ones = np.ones(3)
    points = np.array([[1, 2, 3], ones, [2, 2, 2], ones, [1, 1, 0], ones, ones])
    assert states(points).tolist() == [-1, 0, NONE]
