"""The bridge on Compare leads from one fleet's cost to another's, category by category, and follows edits."""

# pyright: basic
from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from tco.result import Result
from tco.workbook import write
from tests.workbook import toy
from tests.workbook.recalculate import ENGINES, Cells, cached

DRAWN = "Waterfall"


def waterfall(values: Cells) -> list[list[Any]]:
    """Label, level, base, total, more, less of each bar."""
    compare = {cell: value for (sheet, cell), value in values.items() if sheet == "Compare"}
    row = next(int(cell[1:]) for cell, value in compare.items() if cell[0] == "A" and value == DRAWN) + 1
    bars = []
    while compare.get(f"A{row}"):
        bars.append([compare.get(f"{column}{row}") for column in "ACDEFG"])
        row += 1
    return bars


def test_more_comes_first_then_less_and_the_ends_are_the_two_costs(path: Path, result: Result) -> None:
    first, *steps, last = waterfall(cached(path))
    cost = {
        fleet.id: float(fleet.values["total_cost"][0] / fleet.values["useful_tokens"][0]) for fleet in result.fleets
    }
    assert first[3] == pytest.approx(cost[first[0]])
    assert last[3] == pytest.approx(cost[last[0]])
    assert cost[last[0]] < cost[first[0]]
    moves = [more - less for _, _, _, _, more, less in steps]
    assert moves == sorted(moves, reverse=True)
    level = first[3]
    for (_, after, base, _, more, less), move in zip(steps, moves, strict=True):
        assert base == pytest.approx(min(level, level + move))
        assert more * less == 0
        level += move
        assert after == pytest.approx(level)
    assert level == pytest.approx(last[3])


@pytest.mark.parametrize("engine", ENGINES)
def test_an_edit_turns_the_bridge_round(engine: str, path: Path) -> None:
    """A rent that makes the cheapest fleet the dearer one."""
    stored, book = cached(path), openpyxl.load_workbook(path)
    before = waterfall(stored)
    ((sheet, cell),) = book.defined_names[f"in_rent_price_{before[-1][0].replace('-', '_')}"].destinations
    after = ENGINES[engine](path, stored, {(sheet, cell.replace("$", "")): 90_000.0})
    bars = waterfall(after)
    assert (bars[0][0], bars[-1][0]) == (before[-1][0], before[0][0])
    assert after[("Checks", "B3")] == "ALL CHECKS PASS"


def test_one_fleet_has_no_bridge(tmp_path: Path, result: Result) -> None:
    write(toy.result([replace(result.fleets[0])]), tmp_path / "one.xlsx")
    assert not [value for value in cached(tmp_path / "one.xlsx").values() if value == DRAWN]
