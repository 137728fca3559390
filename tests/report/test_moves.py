"""What moves the answer: tornado, curve, flip points, risks; each against the engine at the same numbers."""

# pyright: basic
from __future__ import annotations

import numpy as np
import pytest

from tco.analysis.breakeven import Side
from tco.report import render
from tco.report.curve import POINTS, curve
from tco.report.drivers import drivers, table_of_drivers, tornado
from tco.report.facts import Facts
from tco.report.flips import flips
from tco.report.risks import risks
from tco.result import Result
from tests.report.pages import Page, ran


def at(result: Result, name: str, factor: float) -> float | None:
    """The headline of the recommended fleet with one input moved; None where it cannot do the work."""
    side = Side(result.by_id[result.recommended or ""], result)
    cost, output, good, _ = side.points((name,), np.array([factor]))
    return float(cost[0] / output[0]) if good[0] else None


def test_each_end_of_the_tornado_is_what_the_engine_finds(committed: Result) -> None:
    found = drivers(Facts(committed))
    assert found
    assert [item.swing for item in found] == sorted((item.swing for item in found), reverse=True)
    for item in found:
        figure = committed.by_id[committed.recommended or ""].inputs[item.name]
        now = figure.number if figure.is_one else 1.0
        for value, told in zip((item.low, item.high), item.found, strict=True):
            expected = at(committed, item.name, value / now)
            assert (expected is None) == isinstance(told, str)
            if expected is not None:
                assert told == pytest.approx(expected, rel=1e-9)


def test_bars_of_the_tornado_start_at_today(committed: Result) -> None:
    chart = tornado(Facts(committed))
    assert chart
    for row in chart.data["rows"]:
        for side in row["sides"]:
            edge = side["x"] + side["width"] if side["left"] else side["x"]
            assert edge == pytest.approx(chart.data["base"])


def test_a_verdict_lost_at_an_end_is_told_in_chart_table_and_risks() -> None:
    result = ran("procurement")
    assert "too slow at 405" in Page(render(result)).source
    numbers, dangers = table_of_drivers(Facts(result)), risks(Facts(result))
    assert numbers
    assert dangers
    assert any(cell.text == "too slow" for row in numbers.rows for cell in row)
    assert any(row[1].text == "the work is lost: too slow" for row in dangers.rows)


def test_the_curve_is_the_unit_cost_at_each_demand(committed: Result) -> None:
    found = curve(Facts(committed))
    if found is None:
        assert "demand" not in {question.quantity for question in committed.break_even.questions}
        return
    for place in (0, POINTS // 2, POINTS - 1):
        expected = at(committed, found.question.inputs[0], float(found.demand[place] / found.question.now))
        told = found.costs[0][place]
        assert np.isnan(told) if expected is None else told == pytest.approx(expected, rel=1e-9)


def test_lines_of_the_curve_meet_where_a_crossing_without_a_step_is_told() -> None:
    result = ran("finetune_lora")
    found = curve(Facts(result))
    assert found
    assert found.crossings
    for crossing in found.crossings:
        assert found.demand[0] <= crossing.value <= found.demand[-1]
        sides = [Side(result.by_id[name], result) for name in result.break_even.fleets]
        near = np.array([0.999, 1.001]) * crossing.value / found.question.now
        rows = [side.points(side.has(found.question.inputs), near) for side in sides]
        gaps = rows[0][0] / rows[0][1] - rows[1][0] / rows[1][1]
        assert gaps[0] * gaps[1] < 0


def test_flip_points_hand_the_lead_over(committed: Result) -> None:
    facts = Facts(committed)
    found = flips(facts, [item.name for item in drivers(facts)])
    assert found
    for name, flip in found.items():
        for factor, beyond in ((flip.below, 0.999), (flip.above, 1.001)):
            if factor is not None:
                assert lead(facts, name, factor * beyond) < 0 <= lead(facts, name, factor / beyond)


def test_the_quickstart_flips_with_its_rent_and_its_demand(quickstart: Result) -> None:
    facts = Facts(quickstart)
    found = flips(facts, ["gpu_hour_price", "requests"])
    assert found["gpu_hour_price"].below is None
    assert found["gpu_hour_price"].above
    assert found["requests"].below
    made = table_of_drivers(facts)
    assert made
    words = {row[0].text: row[-1].text for row in made.rows}
    price = quickstart.by_id[quickstart.recommended or ""].inputs["gpu_hour_price"].number
    assert words["Price of a GPU-hour"].startswith(f"above {found['gpu_hour_price'].above * price:.3f}")


def lead(facts: Facts, name: str, factor: float) -> float:
    """By how much the next best costs more with one number moved, for both where it is the same for both."""
    best, second = facts.best, facts.second
    assert best
    assert second
    shared = second.inputs.get(name) == best.inputs[name]
    costs = []
    for fleet, names in ((best, (name,)), (second, (name,) if shared else ())):
        side = Side(fleet, facts.result)
        cost, output, *_ = side.points(side.has(names), np.array([factor]))
        costs.append(float(cost[0] / output[0]))
    return costs[1] - costs[0]


def test_risks_have_an_owner_to_name_and_an_effect(committed: Result) -> None:
    found = risks(Facts(committed))
    assert found
    assert found.heads == ("Risk", "Effect in money", "Owner")
    assert any(committed.scenario["currency"] in row[1].text for row in found.rows)
