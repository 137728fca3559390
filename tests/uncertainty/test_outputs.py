"""Section of the report and sheet of the workbook: there when asked for, with the numbers of the simulation."""

# pyright: basic
from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from openpyxl import load_workbook

from tco.cli import main
from tco.report import render
from tco.report.draws import drawn
from tco.report.facts import Facts
from tco.result import Result
from tco.session import load
from tco.uncertainty.simulate import simulate
from tco.workbook.verify import verified
from tests.report.pages import Page
from tests.uncertainty.shop import scenario

ASKS = "{seed: 3, uncertainty: {samples: 4096, ranges: {finance.discount_rate: 6 to 11 %}}}"


@pytest.fixture(scope="module")
def result() -> Result:
    return scenario(analysis=ASKS, power="0.1 to 0.2 USD/kWh", price="200000 to 400000 USD/system").run()


@pytest.fixture(scope="module")
def page(result: Result) -> Page:
    return Page(render(result))


def test_the_section_stands_where_it_is_asked_for(page: Page) -> None:
    assert not page.strays
    assert not page.open
    source = page.source
    assert source.index('<h2 id="moves"') < source.index('<h2 id="uncertainty"') < source.index('<h2 id="suitability"')
    assert 'href="#uncertainty"' in source
    identities = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(identities) == len(set(identities))


def test_a_report_without_ranges_has_no_section() -> None:
    assert 'id="uncertainty"' not in render(scenario().run())


def test_the_tables_and_shapes_are_those_of_the_simulation(result: Result) -> None:
    found, told = result.uncertainty, drawn(Facts(result))
    assert found is not None
    assert told is not None
    assert told.spread is not None
    form = Facts(result).form
    rows = {row[0].text: row for row in told.chances.rows}
    for fleet in found.fleets:
        line = fleet.lines[found.headline]
        shown = [cell.text for cell in rows[fleet.id]]
        assert [form(line.p5), form(line.p50), form(line.p95)] == shown[4:7]
    assert [row["id"] for row in told.spread.data["rows"]] == [
        fleet.id for fleet in sorted(found.fleets, key=lambda one: one.lines[found.headline].p50)
    ]
    for row in told.spread.data["rows"]:
        assert row["low"] <= row["middle"] <= row["high"]
    assert found.order[0].id in told.spread.caption
    moved = [indices for indices in found.indices.values() if indices[0].total]
    assert moved
    for chart, indices in zip(told.shares, moved, strict=True):
        assert chart.data["rows"][0]["total"] == max(row["total"] for row in chart.data["rows"])
        assert indices[0].drivers[0] in chart.caption


def test_shares_of_an_owned_fleet_add_up() -> None:
    """Its cost is a sum of what the three ranges move, almost without interaction."""
    only = scenario(analysis=ASKS, power="0.1 to 0.2 USD/kWh", price="200000 to 400000 USD/system")
    found = simulate(only, samples=4096, jobs=1)
    for indices in found.indices.values():
        assert sum(one.first for one in indices) == pytest.approx(
            1 if any(one.total for one in indices) else 0, abs=0.05
        )


def test_the_workbook_holds_the_numbers_and_says_when_they_may_be_stale(result: Result, tmp_path: Path) -> None:
    file = tmp_path / "s.xlsx"
    result.workbook(file)
    sheet = load_workbook(file)["Ranges"]
    held = {row[0].value: row for row in sheet.iter_rows() if row[0].value}
    found = result.uncertainty
    assert found is not None
    for fleet in found.fleets:
        line = fleet.lines[found.headline]
        wanted = (fleet.cheapest, fleet.able, fleet.base, line.p5, line.p50, line.p95, line.mean)
        assert tuple(cell.value for cell in held[fleet.id][1:8]) == pytest.approx(wanted, rel=1e-14)
    assert "May be stale" in sheet["A4"].value
    assert sheet["A2"].value == "4,096 draws of 3 values, seed 3: figures of the engine, not live."
    told, good = verified(file)
    assert good, told
    back = CliRunner().invoke(main, ["readback", str(file)])
    assert "Ranges" not in back.output


def test_a_shared_copy_and_one_with_other_settings_hold_no_draws(tmp_path: Path) -> None:
    asks = scenario(analysis="{uncertainty: {samples: 64}}", price="200000 to 400000 USD/system")
    result = asks.run()
    result.workbook(tmp_path / "s.xlsx")
    told = CliRunner().invoke(main, ["share", str(tmp_path / "s.xlsx")])
    assert told.exit_code == 0, told.output
    assert "Ranges" not in load_workbook(tmp_path / "s-shared.xlsx").sheetnames
    result.uncertainty = simulate(asks, result, samples=128)
    result.workbook(tmp_path / "t.xlsx")
    assert "Ranges" not in load_workbook(tmp_path / "t.xlsx").sheetnames


@pytest.mark.parametrize("typed", [250000, 500000])
def test_a_number_typed_over_a_range_takes_its_place(tmp_path: Path, typed: int) -> None:
    """Inside the range or outside it: the median was read, now it is the number; the note keeps the range."""
    asks = scenario(price="200000 to 400000 USD/system")
    asks.run().workbook(tmp_path / "s.xlsx")
    book = load_workbook(tmp_path / "s.xlsx")
    sheet = book["Inputs"]
    row = next(row for row in range(1, sheet.max_row + 1) if sheet.cell(row, 1).value == "system_price")
    cell: Any = sheet.cell(row, 4)
    cell.value = typed
    book.save(tmp_path / "s.xlsx")
    told = CliRunner().invoke(
        main, ["readback", str(tmp_path / "s.xlsx"), "--write", str(tmp_path / "n.yaml"), "--source", "me"]
    )
    assert told.exit_code == 0, told.output
    new = load(tmp_path / "n.yaml").content.fleets[0].buy
    assert new is not None
    assert new.price is not None
    assert (new.price.number, new.price.unit, new.price.source) == (typed, "USD/system", "me")
    assert "was 200000 to 400000 USD/system" in new.price.note
