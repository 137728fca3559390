"""Goal seek: every place where a wish begins or ceases to hold, exact, and nothing where there is none."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pytest

from tco.decisions import words
from tco.decisions.gap import Aim, aim
from tco.decisions.moving import Moved
from tco.decisions.probe import Sample, frozen_of, probe
from tco.decisions.refused import Refused
from tco.decisions.search import CANNOT, LESS, MORE, Searcher
from tco.decisions.solve import Asked, Solved, solve
from tco.decisions.wish import Reading, Wish
from tco.scenario.leaf import Leaf
from tco.variants.patch import patched
from tests.decisions.shop import API, RENT, shop

WIDE = ("100 request/month", "200000 request/month")
STEP = 16200.0


@pytest.fixture(scope="module")
def base():
    scenario = shop()
    return scenario, scenario.run()


def ask(base, change: str, until: str, between=(), *, frozen: bool = False) -> Solved:
    scenario, result = base
    return solve(scenario, Asked(change, until, tuple(between), frozen), result)


def ran(base, found: Solved, value: float, fleet: str, line: str) -> float:
    there = patched(base[0], {found.one.path: found.one.raw(value)}).run()
    return float(np.max(there.by_id[fleet].shown(line)))  # type: ignore[arg-type]


def test_e11_the_third_replica(base) -> None:
    """235,714,286 tokens of 5,000 a request: rent of three replicas and 30 USD are what the API asks."""
    found = ask(base, "workload.requests", "[rent] <= [api]", WIDE)
    first = found.answer.turns[0]
    assert first.kind == "crossing"
    assert round(first.value * 5000) == 235_714_286
    assert first.value == pytest.approx(330 / 0.007, rel=1e-14)
    assert ran(base, found, first.value, "rent", "replicas_needed") == 3
    assert (first.below, first.above) == (MORE, LESS)


def test_e11_every_crossing_and_every_step_between(base) -> None:
    turns = ask(base, "workload.requests", "[rent] = [api]", WIDE).answer.turns
    enters = [(100 * n + 30) / 0.007 for n in range(3, 11)]
    leaves = [STEP * n for n in range(3, 10)]  # the eleventh replica is worth its rent as it comes
    expected = sorted([(x, "crossing") for x in enters] + [(x, "jump") for x in leaves])
    assert [turn.kind for turn in turns] == [kind for _, kind in expected]
    assert [turn.value for turn in turns] == pytest.approx([place for place, _ in expected], rel=1e-9)


def test_a_step_is_told_with_its_units_and_its_neighbouring_numbers(base) -> None:
    found = ask(base, "workload.requests", "highest(systems[rent]) <= 2", WIDE)
    last = found.answer.turns[-1]
    assert last.sides[1] == math.nextafter(last.sides[0], math.inf)
    assert last.found == (2, 3)
    assert ("rent", 2, 3) in {(step.fleet, step.before, step.after) for step in last.steps}
    assert ran(base, found, last.sides[0], "rent", "systems") == 2
    assert ran(base, found, last.sides[1], "rent", "systems") == 3
    assert words.verdict(found).startswith("holds from 100 request/month to 32,400")


def test_a_cost_that_jumps_over_the_target_is_no_answer_but_a_jump(base) -> None:
    """Rent is 230 USD a month for two replicas and 330 for three, never 300."""
    found = ask(base, "workload.requests", "total(rent_cost[rent]) = 3600 USD", WIDE)
    turn = found.answer.turns[0]
    assert (turn.kind, turn.met, turn.found) == ("jump", False, (pytest.approx(2760), pytest.approx(3960)))
    assert turn.value == pytest.approx(2 * STEP, rel=1e-9)
    assert "not reached" in words.verdict(found)
    assert "jumps from 2,760 USD to 3,960 USD" in words.told(found, turn, base[1])


def test_no_tooth_of_a_line_that_rises_and_falls_with_each_unit_is_missed(base) -> None:
    """The utilization falls where a replica is added: as many places as 40,000 points see."""
    scenario, result = base
    found = ask(base, "workload.requests", "mean(utilization[rent]) = 5.5 %", WIDE)
    searched = found.answer
    goal = aim(result, found.wish)
    near = probe(scenario, found.one, (searched.low, searched.high), goal.wanted, frozen_of(result))
    places = np.geomspace(searched.low, searched.high, 40_000)
    mine, theirs = goal.told(near, places)
    at = np.flatnonzero(np.diff(np.sign(mine - theirs)))
    assert len(at) > 5
    told = np.array([turn.value for turn in searched.turns])
    assert len(told) == len(at)
    assert np.all((places[at] <= told * (1 + 1e-9)) & (told <= places[at + 1] * (1 + 1e-9)))


def test_a_price_is_found_in_the_unit_it_is_written_in(base) -> None:
    """At 8,100 requests the API's 56.70 meet one replica's 100 p + 30."""
    found = ask(base, "fleets.rent.rent.price", "[rent] = [api]", ("0.01 kUSD/gpu/month", "3 kUSD/gpu/month"))
    assert found.one.unit == "kUSD/gpu/month"
    turn = found.answer.turns[0]
    assert turn.value == pytest.approx(0.267 * 0.73, rel=1e-12)
    assert ran(base, found, turn.value, "rent", "total_cost") == pytest.approx(56.7 * 12, rel=1e-12)


def test_the_fleet_that_costs_least(base) -> None:
    found = ask(base, "fleets.rent.rent.price", "cheapest = rent")
    assert [(turn.below, turn.above) for turn in found.answer.turns] == [("rent", "api")]
    assert words.verdict(found) == "holds from 0.1 USD/gpu/h to 0.267 USD/gpu/h"


def test_not_reachable_is_an_answer(base) -> None:
    found = ask(base, "fleets.rent.rent.price", "total(rent_cost[rent]) = 3 USD", ("0.5 USD/gpu/h", "2 USD/gpu/h"))
    assert not found.answer.turns
    assert words.verdict(found) == (
        "not reachable between 0.5 USD/gpu/h and 2 USD/gpu/h: total(rent_cost[rent]) is more than 3 USD throughout; "
        "nearest at 0.5 USD/gpu/h: 960 USD"
    )


def test_beyond_a_fixed_fleet_nothing_is_compared() -> None:
    scenario = shop(API + RENT.replace("id: rent", "id: rent\n    count: 2"))
    found = ask((scenario, scenario.run()), "workload.requests", "[rent] <= [api]", WIDE)
    assert found.answer.turns[-1].above == CANNOT
    assert found.answer.turns[-1].value == pytest.approx(2 * STEP, rel=1e-9)
    assert "cannot do the work" in words.told(found, found.answer.turns[-1], scenario.run())


def test_what_python_derives_is_run_value_by_value(base) -> None:
    """The growth of the demand is no input in proportion; the place is where a run says it is."""
    found = ask(base, "workload.growth", "highest(systems[rent]) <= 1", ("0 %/yr", "300 %/yr"))
    turn = found.answer.turns[0]
    at, beyond = (ran(base, found, value, "rent", "systems") for value in turn.sides)
    assert (at, beyond) == (1, 2)
    assert turn.sides[1] - turn.sides[0] <= 1e-9 * turn.sides[1]


def test_counts_and_horizons_take_only_values_that_may_stand_there(base) -> None:
    found = ask(base, "fleets.rent.count", "total(rent_cost[rent]) <= 3600 USD", ("1 system", "12 system"))
    assert found.answer.turns[0].sides == (2, 3)
    years = ask(base, "timeline.horizon", "total_cost[api] <= 1000 USD", ("6 month", "24 month"))
    assert years.answer.turns[0].sides == (17, 18)  # 56.70 a month


def test_another_deployment_is_found_when_the_work_changes() -> None:
    """Twice the demand fits the same replicas; what is searched is searched again, and both answers are told."""
    scenario = shop(API + "  - {id: own, buy: {system: hgx-h200-srv}, precision: fp8}\n").document.text
    text = scenario.replace("kind: inference,", "kind: inference, model: llama-3.3-70b,")
    from tco.session import loads

    own = loads(text)
    found = ask((own, own.run()), "workload.input", "[own] <= 100000", ("2000 token/request", "20000 token/request"))
    frozen = ask((own, own.run()), "workload.input", "[own] <= 100000", ("2000 token/request", "20000 token/request"),
                 frozen=True)  # fmt: skip
    assert frozen.anew is None
    assert found.anew is not None
    assert "chosen anew" in words.how(found)


@pytest.mark.parametrize(
    ("change", "until", "between", "part", "told"),
    [
        ("workload.request", "[rent] = [api]", (), "change", "did you mean `requests`"),
        ("workload.kind", "[rent] = [api]", (), "change", "holds a word"),
        ("workload", "[rent] = [api]", (), "change", "holds several values"),
        ("workload.requests", "rent = api", (), "until", "cannot read"),
        ("workload.requests", "[rent] < [api]", (), "until", "write `<=`"),
        ("workload.requests", "[cloud] = [api]", (), "until", "there is no fleet `cloud`"),
        ("workload.requests", "total_costs[api] = 3", (), "until", "did you mean `total_cost`"),
        ("workload.requests", "systems[rent] = 3", (), "until", "highest(systems[rent])"),
        ("workload.requests", "total_cost[rent] = 3 kW", (), "until", "wanted a value in USD"),
        ("workload.requests", "total_cost[rent] = 3 EUR", (), "until", "is in EUR"),
        ("workload.requests", "total_cost[rent] = [api] + 1", (), "until", "is not a number"),
        ("workload.requests", "total_cost[rent] = cost_per_gpu_hour[rent]", (), "until", "cannot be compared"),
        ("workload.requests", "[rent] = [api]", ("9 request/month", "3 request/month"), "between", "lower end first"),
        ("workload.requests", "[rent] = [api]", ("9 USD", "30 USD"), "between", "wanted request/month"),
        ("electricity.escalation", "[rent] = [api]", (), "between", "nothing stands there"),
        ("inputs.context", "[rent] = [api]", (), "between", "takes any unit"),
    ],
)
def test_a_question_that_cannot_be_asked(base, change, until, between, part, told) -> None:
    with pytest.raises(Refused) as refused:
        ask(base, change, until, between)
    assert refused.value.part == part
    assert told in str(refused.value)


@dataclass
class Curve:
    """One fleet whose only line is a function."""

    function: object
    slow: bool = False

    def at(self, values):
        with np.errstate(divide="ignore"):
            found = self.function(values)[:, None]  # type: ignore[operator]
        good = np.ones(len(values), bool)
        return {"a": Sample({"line": found}, good, good, {})}


def places(function, low: float, high: float, value: float):
    goal = Aim(Wish("", Reading("line", "a"), "=", None, value), "", frozenset(), {"a": ("line",)})
    moved = Moved(("x",), "x", Leaf(""), "", None)
    return Searcher(goal, Curve(function), moved, low, high).search().turns


def test_a_pole_is_no_root() -> None:
    [turn] = places(lambda x: 1 / (x - 0.3), 0.0, 1.0, 0.0)
    assert (turn.kind, turn.met) == ("pole", False)
    assert turn.value == pytest.approx(0.3, abs=1e-15)


def test_roots_below_and_above_zero() -> None:
    found = places(lambda x: x * x, -3.0, 5.0, 2.0)
    assert [turn.value for turn in found] == pytest.approx([-math.sqrt(2), math.sqrt(2)], rel=1e-15)
    assert {turn.kind for turn in found} == {"crossing"}


def test_a_range_moves_from_its_median() -> None:
    """sqrt(0.5 x 2) = 1 USD/h: the interval of 90 % whose median is the price of the other tests."""
    fleets = API + RENT.replace("price: 1 USD/gpu/h", "price: 0.5 to 2 USD/gpu/h")
    found = solve(shop(fleets), Asked("fleets.rent.rent.price", "cheapest = rent", ("0.1 USD/gpu/h", "2 USD/gpu/h")))
    plain = solve(shop(), Asked("fleets.rent.rent.price", "cheapest = rent", ("0.1 USD/gpu/h", "2 USD/gpu/h")))
    assert found.one.now == pytest.approx(1.0, rel=1e-12)
    assert found.kept is not None
    assert plain.kept is not None
    assert found.kept.turns == plain.kept.turns


def test_a_fleet_that_never_leads_is_told_with_who_leads_where() -> None:
    """A third fleet at twice the rent: below the crossing the API leads, above it the first rent."""
    dear = RENT.replace("id: rent", "id: dear").replace("price: 1 USD", "price: 2 USD")
    found = solve(shop(API + RENT + dear), Asked("workload.requests", "cheapest = dear", WIDE))
    told = words.verdict(found)
    assert found.answer.turns == ()
    assert told.endswith(": api costs least at the lower end, rent costs least at the upper")
