"""The printed numpy against loops written apart, over batches, in blocks, pruned."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from tco.declare import chapter
from tco.evaluate import in_blocks, program
from tco.model import build
from tco.timeline import Step, Timeline
from tests.spine import lemonade
from tests.spine.small import model, shapes

STAND = chapter(lemonade)
MODEL = build([STAND], {**shapes(STAND), "tips": "one"})
GIVEN: dict[str, Any] = {
    "cups": 300.0,
    "growth": 0.2,
    "cup_price": 0.5,
    "squeezer_price": 100.0,
    "squeezer_rate": 5.0,
    "life": 1.5,
    "kettle_power": 200.0,
    "write_off": (np.arange(6.0), np.array([0.9, 0.6, 0.35, 0.2, 0.1, 0.0])),
    "energy_tiers": (np.array([0.0, 500.0, 900.0]), np.array([0.1, 0.25, 0.2])),
    "opening_till": 50.0,
    "tips": 0.01,
}
STEPS: list[tuple[Step, int]] = [("year", 6), ("quarter", 20), ("month", 60)]


def inputs(timeline: Timeline, **changed: Any) -> dict[str, Any]:
    """The stand's inputs with the frame of a timeline."""
    return {**timeline.frame(), **GIVEN, **changed}


@dataclass
class Cohort:
    """Squeezers bought together."""

    number: int
    born: int


def all_taken(load: float, places: int) -> float:
    """Erlang's formula as it is printed: the last term of a sum of powers over factorials, over the sum."""
    terms = [math.exp(taken * math.log(load) - math.lgamma(taken + 1)) for taken in range(places + 1)]
    return terms[-1] / sum(terms)


def by_hand(timeline: Timeline, given: dict[str, Any]) -> dict[str, list[float]]:
    """The stand as one would write it without an engine: plain loops over periods and cohorts."""
    years = timeline.months_per_period / 12
    life = math.ceil(round(given["life"] / years, 9))
    cohorts: list[Cohort] = []
    till, so_far, elapsed = given["opening_till"], 0.0, 0.0
    rows: dict[str, list[float]] = {name: [] for name in MODEL.lines}
    last_year = None
    for t in range(timeline.periods):
        elapsed += years
        demand = given["cups"] / 24 * (1 + given["growth"]) ** (elapsed - years / 2)
        needed = math.ceil(demand / given["squeezer_rate"])
        worn_out = sum(cohort.number for cohort in cohorts if t - cohort.born == life)
        cohorts = [cohort for cohort in cohorts if t - cohort.born < life]
        alive = sum(cohort.number for cohort in cohorts)
        cohorts_bought = max(needed - alive, 0)
        cohorts.append(Cohort(cohorts_bought, t))
        squeezers = alive + cohorts_bought
        energy = squeezers * given["kettle_power"] / 1000 * 8760 / 12
        bill, floors = 0.0, [*given["energy_tiers"][0], math.inf]
        for low, high, price in zip(floors, floors[1:], given["energy_tiers"][1], strict=False):
            bill += max(min(energy, high) - low, 0) * price
        sold = demand * years * 8760
        cost = cohorts_bought * given["squeezer_price"] + bill * years * 12
        till += sold * given["cup_price"] - cost
        year = timeline.frame()["fiscal_year"][t]
        so_far = cost if year != last_year else so_far + cost
        last_year = year
        for name, value in {
            "elapsed": elapsed, "demand": demand, "squeezers_needed": needed, "worn_out": worn_out,
            "surviving": alive, "purchases": cohorts_bought, "squeezers": squeezers, "monthly_energy": energy,
            "monthly_bill": bill, "squeezer_cost": cohorts_bought * given["squeezer_price"],
            "energy_cost": bill * years * 12, "cost": cost, "sold": sold, "till": till, "cost_of_year": so_far,
            "tips_received": sold * given["tips"], "pairs": squeezers // 2,
            "busy": float(demand > squeezers * given["squeezer_rate"] / 2 and (worn_out > 0 or demand >= 0)),
            "powers": math.log(1 + squeezers),
            "all_broken": all_taken(squeezers * years / given["life"], squeezers),
            "root": math.sqrt(min(given["kettle_power"] * squeezers, given["kettle_power"]) * given["kettle_power"]),
        }.items():  # fmt: skip
            rows[name].append(value)
        bought = rows["squeezer_cost"]
        ages, shares = given["write_off"]
        rows["kept_value"].append(
            sum(
                money * shares[max(i for i, age in enumerate(ages) if age <= t - born)]
                for born, money in enumerate(bought)
            )
        )
        recent = rows["cost"][max(0, t - life + 1) : t + 1]
        rows["recent_cost"].append(sum(recent))
        rows["recent_peak"].append(max(recent))
    rows["life_periods"] = [life]
    rows["peak_cost"], rows["total_cost"] = [max(rows["cost"])], [sum(rows["cost"])]
    rows["weighted"] = [sum(sold * cost for sold, cost in zip(rows["sold"], rows["cost"], strict=True))]
    return rows


@pytest.mark.parametrize(("step", "periods"), STEPS)
@pytest.mark.parametrize("changed", [{}, {"growth": -0.3}, {"life": 2.0}, {"life": 40.0, "cups": 5000.0}])
def test_the_stand_equals_loops_written_by_hand(step: Step, periods: int, changed: dict[str, float]) -> None:
    timeline = Timeline((2027, 3), periods, step, fiscal_start=4)
    given = inputs(timeline, **changed)
    found, wanted = program(MODEL)(given, periods), by_hand(timeline, given)
    assert set(found) == set(MODEL.lines) == {name for name, row in wanted.items() if row}
    for name, row in wanted.items():
        assert found[name].tolist() == pytest.approx(row, rel=1e-12, abs=1e-9), name


def sampled(count: int, seed: int = 7) -> dict[str, Any]:
    """A batch of samples of shape (count, 1), each with a life of its own."""
    dice = np.random.default_rng(seed)
    return {
        "life": dice.uniform(0.2, 4.0, (count, 1)),
        "cups": dice.uniform(100.0, 900.0, (count, 1)),
        "growth": dice.uniform(-0.4, 0.6, (count, 1)),
        "cup_price": dice.uniform(0.2, 0.9, (count, 1)),
        "squeezer_price": dice.uniform(50.0, 200.0, (count, 1)),
        "opening_till": dice.uniform(0.0, 90.0, (count, 1)),
    }


@pytest.mark.parametrize(("step", "periods"), STEPS)
def test_a_batch_equals_single_runs(step: Step, periods: int) -> None:
    timeline, batch = Timeline((2027, 3), periods, step, fiscal_start=4), sampled(200)
    compiled = program(MODEL)
    together = compiled(inputs(timeline, **batch), periods)
    for index in range(200):
        alone = compiled(inputs(timeline, **{name: float(value[index, 0]) for name, value in batch.items()}), periods)
        for name, row in alone.items():
            whole = np.broadcast_to(together[name], (200, row.shape[-1]))
            np.testing.assert_allclose(whole[index], row, rtol=1e-12, atol=1e-9, err_msg=name)


def test_a_sampled_series_is_an_input_of_shape_batch_and_periods() -> None:
    made = model("""
        price = given("money/kWh", "Price", shape="series")
        energy = given("kWh", "Energy", shape="series")
        months = given("period", "Months")
        @line("money")
        def bill(price, energy):
            return price * energy
        @line("money")
        def before(bill, months):
            return lag(bill, by=months)
        @line("money")
        def all_bills(bill):
            return total(bill)
    """)
    prices = np.arange(6.0).reshape(2, 3)
    values = program(made)(
        {"price": prices, "energy": np.array([1.0, 2.0, 3.0]), "months": np.array([[1.0], [2.0]])}, 3
    )
    assert values["bill"].tolist() == [[0, 2, 6], [3, 8, 15]]
    assert values["before"].tolist() == [[0, 0, 2], [0, 0, 3]]
    assert values["all_bills"].tolist() == [[8], [26]]


@pytest.mark.parametrize("size", [1, 7, 64, 200, 4096])
def test_blocks_equal_the_whole(size: int) -> None:
    timeline, batch = Timeline((2027, 1), 12, "quarter"), sampled(200)
    compiled, given = program(MODEL), inputs(timeline, **batch)
    whole, blocks = compiled(given, 12), in_blocks(compiled, given, 12, size)
    assert set(whole) == set(blocks)
    for name, row in whole.items():
        assert blocks[name].shape == (200, row.shape[-1])
        np.testing.assert_allclose(blocks[name], np.broadcast_to(row, blocks[name].shape), rtol=1e-12, err_msg=name)


def test_blocks_of_one_case_are_a_batch_of_one() -> None:
    timeline = Timeline((2027, 1), 4, "year")
    compiled, given = program(MODEL), inputs(timeline)
    for name, row in in_blocks(compiled, given, 4).items():
        np.testing.assert_allclose(row[0], compiled(given, 4)[name], rtol=1e-12, err_msg=name)


def test_only_what_is_wanted_is_printed_and_only_its_inputs_are_read() -> None:
    compiled = program(MODEL, ["recent_peak"])
    assert "kept_value" not in compiled.text
    assert "till" not in compiled.text
    timeline = Timeline((2027, 1), 8, "quarter")
    given = {
        name: value for name, value in inputs(timeline).items() if name not in ("write_off", "opening_till", "tips")
    }
    found = compiled(given, 8)
    assert list(found) == ["recent_peak"]
    wanted = program(MODEL)(inputs(timeline), 8)["recent_peak"]
    np.testing.assert_allclose(found["recent_peak"], wanted, rtol=1e-12)


def test_an_unknown_wanted_line_is_left_out() -> None:
    assert program(MODEL, ["nothing"])({}, 3) == {}


def test_a_line_without_parents_has_the_shape_of_one_number() -> None:
    made = model('@line("system")\ndef pair():\n    return one("system") + one("system")\n')
    assert program(made)({}, 3)["pair"].tolist() == [2]


def test_division_by_zero_is_silent_and_not_hidden() -> None:
    made = model("""
        a = given("", "A")
        b = given("", "B")
        @line("")
        def quotient(a, b):
            return a / b
        @line("")
        def guarded(quotient, b):
            return where(b > 0, quotient, 0)
    """)
    found = program(made)({"a": 1.0, "b": 0.0}, 1)
    assert found["quotient"].tolist() == [math.inf]
    assert found["guarded"].tolist() == [0]


@pytest.mark.parametrize(
    ("by", "wanted"),
    [
        (0, [10, 20, 30, 40]),
        (1, [7, 10, 20, 30]),
        (2, [0, 7, 10, 20]),
        (3, [0, 0, 7, 10]),
        (4, [0, 0, 0, 7]),
        (9, [0, 0, 0, 0]),
        (-1, [0, 0, 0, 0]),
        (1.5, [0, 0, 0, 0]),
    ],
)
def test_lag_by_reads_the_opening_value_at_period_0_and_0_where_no_period_is(by: float, wanted: list[int]) -> None:
    """Row 10, 20, 30, 40 that opened at 7; alone, in a loop, and as a batch."""
    made = model("""
        steps_back = given("period", "Back")
        first = given("kW", "First")
        row_given = given("kW", "Row", shape="series")
        @line("kW")
        def level(level, row_given, first):
            return lag(level, opening=first) - lag(level) + row_given
        @line("kW")
        def before(level, steps_back):
            return lag(level, by=steps_back)
        @line("kW")
        def loop(loop, level, steps_back):
            return lag(level, by=steps_back) + lag(loop) - lag(loop)
    """)
    given: dict[str, Any] = {"first": 7.0, "row_given": [10.0, 20.0, 30.0, 40.0]}
    level = [10, 20, 30, 40]
    one = program(made)({**given, "steps_back": float(by)}, 4)
    many = program(made)({**given, "steps_back": np.array([[1.0], [by]])}, 4)
    # the opening value enters `level` once: row 10 + 7 - 7
    assert one["level"].tolist() == level
    for name in ("before", "loop"):
        assert one[name].tolist() == wanted
        assert many[name].tolist() == [[7, 10, 20, 30], wanted]


@pytest.mark.parametrize("by", [0.0, 1.0, 2.0])
def test_inside_a_recurrence_a_lag_of_0_reads_nothing(by: float) -> None:
    """As in a sheet, where the range ends one column before."""
    made = model("""
        life = given("period", "Life")
        bought = given("system", "Bought", shape="series")
        @line("system")
        def gone(stock, life):
            return lag(stock, by=life)
        @line("system")
        def stock(gone, bought):
            return bought - gone
    """)
    wanted = {0.0: [1, 1, 1], 1.0: [1, 0, 1], 2.0: [1, 1, 0]}
    one = program(made)({"life": by, "bought": np.ones(3)}, 3)["stock"]
    many = program(made)({"life": np.array([[by], [1.0]]), "bought": np.ones(3)}, 3)["stock"]
    assert one.tolist() == wanted[by]
    assert many.tolist() == [wanted[by], wanted[1.0]]


@pytest.mark.parametrize(
    ("value", "up", "down"),
    [(0.1 * 3 / 0.1, 3, 3), (3.0, 3, 3), (2.999999999999, 3, 3), (3.001, 4, 3), (1e9, 1e9, 1e9), (0.0, 0, 0)],
)
def test_rounding_forgives_relative_noise(value: float, up: float, down: float) -> None:
    made = model("""
        amount = given("", "Amount")
        @line("system")
        def up(amount):
            return ceil(amount * one("system"), "system")
        @line("system")
        def down(amount):
            return floor(amount * one("system"), "system")
    """)
    found = program(made)({"amount": value}, 1)
    assert (found["up"].item(), found["down"].item()) == (up, down)
