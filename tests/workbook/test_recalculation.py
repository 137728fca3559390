"""What stands in the file is what a spreadsheet computes from it, before and after an edit."""

# pyright: basic
from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import openpyxl
import pandas
import pytest

from tco.result import Result
from tco.workbook import write
from tests.workbook import edits, toy
from tests.workbook.recalculate import ENGINES, cached, differences, formulas


@pytest.mark.parametrize("engine", ENGINES)
def test_every_formula_equals_its_cached_value(engine: str, path: Path) -> None:
    cells = formulas(path)
    assert len(cells) > 1500
    wrong = differences(cached(path), ENGINES[engine](path, cells), cells)
    assert not wrong, "\n".join(wrong)


@pytest.mark.libreoffice
def test_libreoffice_agrees(path: Path, recalculated: Any) -> None:
    cells = formulas(path)
    wrong = differences(cached(path), recalculated(path), cells)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_division_by_zero_is_an_error_in_the_cache_and_in_the_sheet(engine: str, tmp_path: Path) -> None:
    """numpy says that the smaller of 0/0 and 1 is nan, that of x/0 and 1 is 1; a sheet says #DIV/0! to both."""
    target = tmp_path / "trap.xlsx"
    write(toy.result([toy.fleet("cart", {"life": 0.5}, trap=True), toy.fleet("shop", trap=True)]), target)
    cells = formulas(target)
    stored = cached(target)
    wrong = differences(stored, ENGINES[engine](target, cells), cells)
    assert not wrong, "\n".join(wrong)
    assert "#DIV/0!" in stored.values()
    assert stored[("Checks", "B3")] == "CHECKS FAILED"


# --- edits ---


def input_cells(book: Any, fleet: str, names: list[str]) -> dict[str, list[tuple[str, str]]]:
    """Cells of inputs by the defined names that lead to them."""
    found = {}
    for name in names:
        defined = book.defined_names.get(f"in_{name}_{fleet.replace('-', '_')}") or book.defined_names[f"in_{name}"]
        ((sheet, area),) = defined.destinations
        cells = book[sheet][area.replace("$", "")]
        flat = [cells] if not isinstance(cells, tuple) else [cell for row in cells for cell in row]
        found[name] = [(sheet, cell.coordinate) for cell in flat]
    return found


def drawn(generator: random.Random) -> dict[str, Any]:
    """A set of changed inputs; some make the fleet too big for its room."""
    return {
        "cups": generator.uniform(20, 900),
        "growth": generator.uniform(-0.2, 0.6),
        "squeezer_price": generator.uniform(1, 900),
        "life": generator.choice([0.25, 0.5, 1.0, 1.5]),
        "kettle_power": generator.uniform(10, 900),
        "room": generator.uniform(1, 12),
        "discount_rate": generator.uniform(-0.1, 0.4),
        "opening_till": generator.uniform(0, 900),
        "rain_share": tuple(generator.uniform(0, 0.9) for _ in range(8)),
    }


@pytest.mark.parametrize("engine", ENGINES)
def test_typed_values_give_what_the_engine_gives(engine: str, result: Result, path: Path) -> None:
    generator = random.Random(7)
    for _ in range(8):
        values = drawn(generator)
        changes = {
            ("" if name in fleet.shared else fleet.id, name): value
            for fleet in result.fleets
            for name, value in values.items()
        }
        assert not edits.compare(result, path, ENGINES[engine], changes)
        assert not edits.compare(result, path, ENGINES[engine], edits.draw(result, generator, share=0.8))


def test_names_lead_to_the_cells_that_are_typed_into(result: Result, book: Any) -> None:
    names = list(drawn(random.Random(1)))
    for fleet in result.fleets:
        for name, cells in input_cells(book, fleet.id, names).items():
            value = (0.0,) * len(cells) if len(cells) > 1 else 0.0
            owner = "" if name in fleet.shared else fleet.id
            assert list(edits.typed(result, {(owner, name): value})) == cells


@pytest.mark.parametrize("engine", ENGINES)
def test_an_edit_that_makes_a_fleet_fit_shows_its_costs_and_ranks_it(engine: str, path: Path, book: Any) -> None:
    stored = cached(path)
    rows = {value: cell[1:] for (sheet, cell), value in stored.items() if sheet == "Compare" and cell.startswith("A")}
    places = {name: ("Compare", f"D{rows[name]}") for name in ("Verdict", "Total cost", "Rank, cheapest first")}
    assert [stored[place] for place in places.values()] == ["does not fit", "does not fit", "not ranked"]
    ((room,),) = input_cells(book, "kiosk-2", ["room"]).values()
    after = ENGINES[engine](
        path, [*places.values(), ("Checks", "B3"), ("Checks", "B4"), ("Summary", "B7")], {room: 50.0}
    )
    assert after[places["Verdict"]] == "ok"
    assert after[places["Total cost"]] > 0
    assert after[places["Rank, cheapest first"]] in (1, 2, 3)
    assert after[("Checks", "B3")] == "ALL CHECKS PASS"
    assert after[("Checks", "B4")] != stored[("Checks", "B4")]


@pytest.mark.parametrize("engine", ENGINES)
def test_text_or_nothing_in_an_input_fails_the_master_check(engine: str, path: Path, tmp_path: Path) -> None:
    ((_, cell),) = input_cells(openpyxl.load_workbook(path), "cart", ["cups"])["cups"]
    for value in ("many", None):
        book = openpyxl.load_workbook(path)
        book["Inputs"][cell] = value
        target = tmp_path / "edited.xlsx"
        book.save(target)
        assert ENGINES[engine](target, [("Checks", "B3")])[("Checks", "B3")] == "CHECKS FAILED"


@pytest.mark.parametrize("engine", ENGINES)
def test_a_choice_is_called_stale_when_what_it_was_searched_for_changes(engine: str, path: Path, book: Any) -> None:
    ((cups,),) = input_cells(book, "cart", ["cups"]).values()
    stored = cached(path)
    texts = [key for key, value in stored.items() if value == "Searched choices match their inputs."]
    assert len(texts) == 1
    assert ENGINES[engine](path, texts, {cups: 301.0})[texts[0]].startswith("A searched choice may be stale")


def test_a_viewer_that_cannot_calculate_sees_all_numbers(path: Path, result: Result) -> None:
    data = pandas.read_excel(path, sheet_name="Data").dropna(axis=1, how="all")
    assert list(data.columns[:7]) == ["fleet", "tier", "case", "period", "line", "unit", "value"]
    headline = data[data["line"] == result.headline].set_index("fleet")["value"].to_dict()
    assert headline == {
        fleet.id: pytest.approx(fleet.shown(result.headline or ""), rel=1e-12)
        for fleet in result.fleets
        if fleet.verdict == "ok"
    }
    compare = pandas.read_excel(path, sheet_name="Compare", header=3).set_index("Line")
    for fleet in result.fleets:
        if fleet.verdict == "ok":
            assert compare.loc["Total cost", fleet.id] == pytest.approx(fleet.shown("total_cost"), rel=1e-12)
    assert "ALL CHECKS PASS" in pandas.read_excel(path, sheet_name="Cover", header=None).to_string()
