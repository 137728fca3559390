"""A fleet without output has no unit cost: words, and no error, on every sheet that presents."""

# pyright: basic
from __future__ import annotations

from pathlib import Path

import pytest

from tco.result import Result
from tco.session import loads
from tco.workbook import write
from tco.workbook.book import letters
from tco.workbook.places import INPUTS, VALUE_COLUMN
from tco.workbook.plan import Plan
from tco.workbook.styling import ERRORS
from tests.workbook.recalculate import ENGINES, cached, differences, formulas

SCENARIO = """\
format: 1
title: Doing nothing
as_of: 2026-11-01
currency: USD
timeline: {start: 2027-01, horizon: 1 yr, step: quarter}
workload: {kind: inference, model: llama-3.1-8b, requests: 1000000 request/month, peak_to_mean: 2,
           input: 1000 token/request, output: 200 token/request}
electricity: {price: 0.12 USD/kWh}
cooling: {kind: air, pue: 1.4}
finance: {discount_rate: 8 %, reference: nothing}
fleets:
  - {id: owned, buy: {system: srv-8xl40s, price: 90000 USD/system}, precision: fp8, count: 2}
  - {id: nothing, buy: {system: srv-8xl40s, sunk: do nothing}, precision: fp8, count: 0}
"""
HEADLINE = "cost_per_million_useful_tokens"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Result, Path]:
    result = loads(SCENARIO).run()
    path = tmp_path_factory.mktemp("undefined") / "nothing.xlsx"
    write(result, path)
    return result, path


def test_no_sheet_that_presents_shows_an_error(made: tuple[Result, Path]) -> None:
    result, path = made
    stored = cached(path)
    assert {sheet for (sheet, _), value in stored.items() if value in ERRORS} == {"Calc_nothing"}
    assert stored[("Checks", "B3")] == "ALL CHECKS PASS"
    assert [value for (sheet, _), value in stored.items() if sheet == "Summary"].count("not defined") == 3
    assert result.by_id["nothing"].shown(HEADLINE) is None


@pytest.mark.parametrize("engine", ENGINES)
def test_a_count_that_is_typed_brings_the_cost(engine: str, made: tuple[Result, Path]) -> None:
    """Two systems that are there already, as `owned` has bought them."""
    result, path = made
    plan = Plan(result)
    cells = formulas(path)
    assert not differences(cached(path), ENGINES[engine](path, cells), cells)
    place = plan.result_cell(result.by_id["nothing"], HEADLINE).replace("$", "").split("!")
    row = plan.inputs[("nothing", "count")].row
    found = ENGINES[engine](path, [tuple(place)], {(INPUTS, f"{letters(VALUE_COLUMN)}{row}"): 2.0})
    (value,) = found.values()
    assert isinstance(value, float)
    assert value > 0
