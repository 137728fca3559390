"""The sheet Annual adds the periods of a year up, and its totals are those of Compare."""

# pyright: basic
from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pytest

from tco.result import Result
from tco.timeline import Timeline
from tco.workbook.annual_plan import AnnualPlan, has_calendar
from tco.workbook.plan import Plan
from tests.workbook.recalculate import ENGINES


@pytest.fixture(scope="module")
def annual(result: Result) -> AnnualPlan:
    return AnnualPlan(Plan(result))


@pytest.fixture(scope="module")
def shown(path: Path) -> Any:
    return openpyxl.load_workbook(path, data_only=True)["Annual"]


def row_of(sheet: Any, row: int, first: int, last: int) -> list[Any]:
    return [sheet.cell(row, column + 1).value for column in range(first, last + 1)]


def test_years_end_where_the_fiscal_and_the_calendar_year_end(annual: AnnualPlan, shown: Any) -> None:
    fiscal, calendar = annual.kinds
    assert row_of(shown, 4, fiscal.first, fiscal.last) == [1, 2, 3]
    assert [f"{day:%Y-%m}" for day in row_of(shown, 5, fiscal.first, fiscal.last)] == ["2027-03", "2028-03", "2028-12"]
    assert row_of(shown, 6, fiscal.first, fiscal.last) == [0.25, 1, 0.75]
    assert row_of(shown, 4, calendar.first, calendar.last) == [2027, 2028]


def test_a_year_is_the_sum_of_its_periods(annual: AnnualPlan, shown: Any, result: Result) -> None:
    cart, fiscal, calendar = result.by_id["cart"], *annual.kinds
    block = next(block for block in annual.blocks if block.fleet is cart)
    rent, factor = cart.values["rent_cost"], cart.values["discount_factor"]
    ends = [slice(0, 1), slice(1, 5), slice(5, 8)]
    found = row_of(shown, block.row("rent_cost"), fiscal.total, fiscal.last)
    assert found == pytest.approx([rent.sum(), *(rent[part].sum() for part in ends)])
    found = row_of(shown, block.row("rent_cost"), calendar.total, calendar.last)
    assert found == pytest.approx([rent.sum(), rent[:4].sum(), rent[4:].sum()])
    discounted = cart.values["cost"] * factor
    found = row_of(shown, block.row("present_cost"), fiscal.total, fiscal.last)
    assert found == pytest.approx([cart.raw("present_cost"), *(discounted[part].sum() for part in ends)])
    cash = np.sum([cart.values[name] for name in ("capital_cost", "energy_cost", "rent_cost")], axis=0)
    found = row_of(shown, block.row("cumulative_cash"), fiscal.first, fiscal.last)
    assert found == pytest.approx([cash[:1].sum(), cash[:5].sum(), cash.sum()])


def test_a_fleet_that_cannot_run_shows_its_verdict(annual: AnnualPlan, shown: Any) -> None:
    block = next(block for block in annual.blocks if block.fleet.id == "kiosk-2")
    for line in block.lines:
        values = row_of(shown, block.row(line.name), annual.kinds[0].first, annual.kinds[0].last)
        assert values == ["does not fit"] * 3


@pytest.mark.parametrize("engine", ENGINES)
def test_checks_tie_annual_to_compare_and_notice_a_year_that_is_left_out(
    engine: str, annual: AnnualPlan, path: Path, tmp_path: Path
) -> None:
    book = openpyxl.load_workbook(path)
    told = [row[0].value for row in book["Checks"].iter_rows(min_row=6) if row[0].value]
    assert told.count("Fiscal years add up to the total cost") == 3
    assert told.count("Calendar years add up to the present cost") == 3
    block = annual.blocks[0]
    cell: Any = book["Annual"].cell(block.row("rent_cost"), annual.kinds[0].first + 1)
    cell.value = 0
    broken = tmp_path / "broken.xlsx"
    book.save(broken)
    assert ENGINES[engine](broken, [("Checks", "B3")])[("Checks", "B3")] == "CHECKS FAILED"


def test_one_kind_of_year_where_the_fiscal_year_is_the_calendar_year(result: Result) -> None:
    plan = Plan(replace(result, timeline=Timeline((2027, 1), 8, "quarter")))
    assert not has_calendar(plan)
    assert [years.title for years in AnnualPlan(plan).kinds] == ["Fiscal year"]
