"""`analysis:` in a scenario: answered in JSON, report, workbook and table; wrong questions told at their place."""

from __future__ import annotations

import io
import json

import openpyxl
import pytest

from tco.console import comparison
from tco.errors import ScenarioError
from tco.export import to_dict
from tco.report import render
from tco.session import loads
from tco.variants.patch import patched
from tco.workbook import build
from tco.workbook.decided import FRESH, STALE
from tests.decisions.shop import API, HEAD, RENT, shop

ASKED = """analysis:
  flips: true
  spider: true
  solve:
    - {change: fleets.rent.rent.price, until: cheapest = rent}
    - {change: workload.requests, until: "[rent] <= [api]", between: [100 request/month, 60000 request/month],
       frozen: true}
  tables:
    - rows: {change: workload.requests, values: [8100 request/month, 20000 request/month]}
      columns: {change: fleets.rent.rent.price, values: [1 USD/gpu/h, 2 USD/gpu/h]}
      line: total_cost
      fleets: [rent, api]
    - {rows: electricity.price, fleets: [api]}
    - {rows: {change: fleets.rent.rent.price, values: [0.1 USD/gpu/h, 1 USD/gpu/h]}, line: cheapest}
"""


@pytest.fixture(scope="module")
def asked():
    scenario = shop(more=ASKED)
    return scenario, scenario.run()


def test_a_table_is_what_runs_say(asked) -> None:
    """A replica is 100 p + 30 a month, two from 16,200 requests on."""
    scenario, result = asked
    rent, api, *_ = result.decisions.tables
    expected = [[1200 * n + 360, 2400 * n + 360] for n in (1, 2)]
    assert [list(row) for row in rent.cells] == [pytest.approx(row, rel=1e-9) for row in expected]
    assert [row[0] for row in api.cells] == pytest.approx([0.007 * 8100 * 12, 0.007 * 20000 * 12], rel=1e-12)
    paths = rent.rows.one.path, rent.columns.one.path
    run = patched(scenario, {paths[0]: "20000 request/month", paths[1]: "2 USD/gpu/h"}).run()
    assert run.by_id["rent"].shown("total_cost") == rent.cells[1][1]


def test_values_of_a_table_that_names_none(asked) -> None:
    electricity = asked[1].decisions.tables[2]
    assert electricity.rows.values == pytest.approx((0.05, 0.075, 0.1, 0.125, 0.15))
    assert electricity.line == "cost_per_million_useful_tokens"
    assert len({row[0] for row in electricity.cells}) == 1


def test_a_table_of_who_leads(asked) -> None:
    assert asked[1].decisions.tables[3].cells == (("rent",), ("api",))


def test_the_spider_is_the_cost_at_each_change(asked) -> None:
    """The API asks so much a token: half its price of output is three fourteenths less."""
    found = asked[1].decisions.spider
    leg = next(one for one in found.legs if one.name == "output_price")
    assert (found.fleet, leg.across[0], leg.up[0]) == ("api", -0.5, pytest.approx(-1.5 / 7))
    assert leg.up[len(leg.up) // 2] == pytest.approx(0, abs=1e-15)


def test_the_json_holds_all_and_nothing_where_nothing_is_asked(asked) -> None:
    told = json.loads(json.dumps(to_dict(asked[1]), allow_nan=False))["analysis"]
    assert [one["answer"][:10] for one in told["solve"]] == ["holds from", "holds from"]
    assert told["solve"][1]["kept"]["turns"][0]["value"] == pytest.approx(330 / 0.007)
    assert {one["name"] for one in told["flips"]} >= {"requests", "gpu_hour_price"}
    assert "analysis" not in to_dict(shop().run())


def test_report_and_table_of_the_run_tell_the_answers(asked) -> None:
    page = render(asked[1])
    assert "What the scenario asks" in page
    assert "fleets.rent.rent.price until cheapest = rent" in page
    assert "spider-title" in page
    assert "solve: fleets.rent.rent.price until cheapest = rent: holds from 0.1 USD/gpu/h to 0.267 USD/gpu/h" in (
        comparison(asked[1])
    )
    assert "What the scenario asks" not in render(shop().run())


def test_the_workbook_holds_them_as_issued_with_an_alert(asked) -> None:
    made = build(asked[1])
    live, shown = (openpyxl.load_workbook(io.BytesIO(made), data_only=only)["Decisions"] for only in (False, True))
    assert shown["A4"].value == FRESH
    assert STALE in str(live["A4"].value)
    numbers = [cell.value for row in shown.iter_rows() for cell in row if isinstance(cell.value, float | int)]
    assert any(number == pytest.approx(0.267, rel=1e-12) for number in numbers)
    assert any(number == pytest.approx(330 / 0.007, rel=1e-12) for number in numbers)
    assert not [cell for row in live.iter_rows(min_row=5) for cell in row if str(cell.value).startswith("=")]


@pytest.mark.parametrize(
    ("text", "place", "told"),
    [
        ("{solve: [{change: electricity.pric, until: cheapest = api}]}", "analysis.solve.1.change", "`price`"),
        ("{solve: [{change: as_of, until: cheapest = api}]}", "analysis.solve.1.change", "holds a word"),
        ("{solve: [{change: electricity.price, until: cheapest = api, between: [1 USD/kWh]}]}",
         "analysis.solve.1.between", "the two ends"),
        ("{tables: [{rows: electricity.price, fleets: [apo]}]}", "analysis.tables.1.fleets.1", "did you mean `api`"),
        ("{tables: [{rows: electricity.price, columns: workload}]}", "analysis.tables.1.columns", "several"),
        ("{flip: true}", "analysis.flip", "did you mean `flips`"),
    ],
)  # fmt: skip
def test_a_wrong_question_is_told_before_anything_runs(text: str, place: str, told: str) -> None:
    with pytest.raises(ScenarioError) as error:
        loads(f"{HEAD}analysis: {text}\nfleets:\n{API}{RENT}", "shop.yaml").check()
    [problem] = error.value.problems
    assert (problem.path, problem.line) == (place, 12)
    assert told in problem.text


def test_questions_that_only_a_run_can_refuse_are_told_together() -> None:
    more = """analysis:
  solve:
    - {change: electricity.price, until: "total_costs[api] = 3"}
    - {change: electricity.price, until: "[api] = 3", between: [2 USD/kWh, 1 USD/kWh]}
  tables:
    - {rows: electricity.price, line: systems, fleets: [rent]}
"""
    result = shop(more=more).run()
    with pytest.raises(ScenarioError) as error:
        to_dict(result)
    assert [(one.path, one.line) for one in error.value.problems] == [
        ("analysis.solve.1.until", 14),
        ("analysis.solve.2.between", 15),
        ("analysis.tables.1.line", 17),
    ]
