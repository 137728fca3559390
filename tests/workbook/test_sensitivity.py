"""The sheet Sensitivity: powers are proven and equal the engine, rows as issued are the engine's own."""

# pyright: basic
from __future__ import annotations

import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pytest

from tco.analysis.degrees import degrees
from tco.analysis.fleet import engine_inputs
from tco.analysis.sensitivity import SMALL, sensitivity
from tco.evaluate import in_blocks, program
from tco.result import FleetResult, Result
from tco.session import load
from tco.workbook import build, write
from tco.workbook.book import letters
from tco.workbook.plan import Plan
from tco.workbook.sensitivity_plan import (
    CHANGE_ROW,
    ISSUED_ROW,
    MEASURE_ROW,
    NUMBER,
    STATE_ROW,
    TOP,
    Columns,
    SensitivityPlan,
)  # fmt: skip
from tco.workbook.values import FleetValues
from tests.workbook import edits
from tests.workbook.recalculate import ENGINES, cached

ROOT = Path(__file__).resolve().parents[2]
PAYMENTS = Path(__file__).parent / "scenarios" / "payments.yaml"
FACTORS = (0.5, 1.7)
NOT_PROVEN = {"system_price", "discount_rate", "requests"}
"""Of the fleet that is bought and taxed: tax, discounting and whole systems stand between them and the cost."""


@pytest.fixture(scope="module")
def training() -> Result:
    return load(ROOT / "scenarios" / "pretraining.yaml").run()


@pytest.fixture(scope="module")
def about(training: Result) -> SensitivityPlan:
    found = sensitivity(training)
    assert found
    return SensitivityPlan(Plan(training), found, FleetValues(found.fleet, training.timeline))


@pytest.fixture(scope="module")
def written(training: Result, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("sensitivity") / "training.xlsx"
    write(training, target)
    return target


def at_factors(fleet: FleetResult, result: Result, names: list[str], wanted: list[str]) -> dict[str, Any]:
    """The wanted lines in shape (input, factor, period)."""
    inputs, count = engine_inputs(fleet.inputs, result.timeline), len(names) * len(FACTORS)
    moved: dict[str, Any] = {}
    for place, name in enumerate(names):
        rows = np.tile(np.reshape(np.asarray(inputs[name], float), (1, -1)), (count, 1))
        rows[2 * place : 2 * place + 2] *= np.array(FACTORS)[:, None]
        moved[name] = rows
    found = in_blocks(program(fleet.model, wanted), {**inputs, **moved}, result.timeline.periods)
    return {name: np.reshape(value, (len(names), len(FACTORS), -1)) for name, value in found.items()}


# --- the proof ---


@pytest.mark.parametrize("fleet_id", ["bought", "leased", "reserved", "api"])
def test_a_proven_power_is_that_of_the_engine_in_every_line(fleet_id: str) -> None:
    result = load(PAYMENTS).run()
    fleet = result.by_id[fleet_id]
    names = [name for name, given in fleet.model.inputs.items() if not given.frame and given.shape != "table"]
    lines = [name for name in fleet.model.lines if np.isfinite(fleet.values[name]).all()]
    known, found, proven = degrees(fleet.model, names, lines), at_factors(fleet, result, names, lines), 0
    for line in lines:
        for place in np.flatnonzero(np.isfinite(known[line])):
            for side, factor in enumerate(FACTORS):
                expected = np.asarray(fleet.values[line]) * factor ** known[line][place]
                np.testing.assert_allclose(
                    found[line][place, side], np.broadcast_to(expected, found[line].shape[-1]), rtol=1e-12, atol=1e-12,
                    err_msg=f"{line} in {names[place]}",
                )  # fmt: skip
                proven += 1
    assert proven > 1000


def test_what_is_rounded_taxed_or_discounted_has_no_power() -> None:
    result = load(PAYMENTS).run()
    fleet = result.by_id["bought"]
    known = degrees(fleet.model, sorted(NOT_PROVEN), ["present_cost"])
    assert np.isnan(known["present_cost"]).all()
    result.recommended = "bought"
    found = sensitivity(result)
    assert found
    assert {run.name for run in found.runs} >= NOT_PROVEN
    assert [driver.name for driver in found.exact] == ["tax_rate"]


# --- the engine's own rows ---


def test_rows_as_issued_are_what_the_engine_says_at_their_ends(training: Result, about: SensitivityPlan) -> None:
    fleet = about.found.fleet
    assert len(about.found.runs) > 5
    for run in about.found.runs:
        for end, told in zip(run.ends, run.found, strict=True):
            owner = "" if run.name in fleet.shared else fleet.id
            value = edits.engine_values(training, {(owner, run.name): end})[fleet.id][about.found.measure]
            assert told == pytest.approx(float(np.reshape(value, -1)[0]), rel=1e-12), run.name
    assert all(max(abs(change) for change in row.changes) > SMALL * about.issued for row in about.rows if not row.power)


def test_an_end_at_which_the_fleet_cannot_do_the_work_is_told_by_its_verdict() -> None:
    result = load(PAYMENTS).run()
    result.recommended = "bought"
    found = sensitivity(result)
    assert found
    assert "too slow" in [told for run in found.runs for told in run.found]


# --- the sheet ---


def cell(column: int, row: int) -> tuple[str, str]:
    return ("Sensitivity", f"{letters(column)}{row}")


@pytest.mark.parametrize("engine", ENGINES)
def test_live_rows_follow_an_edit_exactly(
    engine: str, training: Result, about: SensitivityPlan, written: Path
) -> None:  # fmt: skip
    """A price and the running share are edited; then each live driver is moved to its ends, by sheet and by engine."""
    fleet = about.found.fleet
    owner = {name: "" if name in fleet.shared else fleet.id for name in fleet.model.inputs}
    changes: dict[edits.Key, Any] = {
        (owner[name], name): fleet.inputs[name].number * 1.3 for name in ("system_price", "electricity_price")
    }
    rows = {about.first + place: row for place, row in enumerate(about.rows) if row.power is not None}
    assert len(rows) >= 3
    columns = (Columns.LOW, Columns.HIGH, Columns.AT_LOW, Columns.AT_HIGH)
    found = ENGINES[engine](
        written, [cell(column, row) for row in rows for column in columns], edits.typed(training, changes)
    )
    for row, driver in rows.items():
        for side in (0, 1):
            end = found[cell(Columns.LOW + side, row)]
            values = edits.engine_values(training, {**changes, (owner[driver.name], driver.name): end})[fleet.id]
            expected = float(np.reshape(values[about.found.measure], -1)[0])
            assert found[cell(Columns.AT_LOW + side, row)] == pytest.approx(expected, rel=1e-12), driver.name


@pytest.mark.parametrize("engine", ENGINES)
def test_an_edit_makes_the_rows_as_issued_stale_and_reorders_the_tornado(
    engine: str, training: Result, about: SensitivityPlan, written: Path
) -> None:
    stored = cached(written)
    assert stored[cell(1, STATE_ROW)].startswith("Rows as issued: costs")
    swings = [stored[cell(Columns.SWING, about.first + index)] for index in about.largest]
    assert swings == sorted(swings, reverse=True)
    assert stored[cell(0, TOP + 2)] == about.rows[about.largest[0]].label
    place, driver = next((place, row) for place, row in enumerate(about.rows) if row.name == "staff_price")
    owner = "" if driver.name in about.found.fleet.shared else about.found.fleet.id
    wanted = [cell(1, STATE_ROW), cell(0, TOP + 2), cell(Columns.RANK, about.first + place)]
    after = ENGINES[engine](written, wanted, edits.typed(training, {(owner, driver.name): 100 * driver.figure.number}))
    assert after[wanted[0]].startswith("Rows as issued may be stale")
    assert (after[wanted[1]], after[wanted[2]]) == (driver.label, 1)


def test_a_moved_base_is_named_in_its_row(training: Result, about: SensitivityPlan, written: Path) -> None:
    place, driver = next((place, row) for place, row in enumerate(about.rows) if row.name == "discount_rate")
    state = cell(Columns.STATE, about.first + place)
    assert cached(written)[state] == "as issued"
    engine = next(iter(ENGINES.values()))
    after = engine(written, [state], edits.typed(training, {("", driver.name): 0.12}))
    assert after[state] == "now differs"


def test_the_change_is_the_only_cell_to_edit(written: Path, about: SensitivityPlan) -> None:
    sheet = openpyxl.load_workbook(written)["Sensitivity"]
    open_cells = [cell.coordinate for row in sheet.iter_rows() for cell in row if not cell.protection.locked]
    assert open_cells == [f"{letters(NUMBER)}{CHANGE_ROW}"]
    assert (MEASURE_ROW, ISSUED_ROW) == (4, 5)


def test_the_tornado_is_told_in_words(written: Path) -> None:
    with zipfile.ZipFile(written) as parts:
        told = "".join(parts.read(name).decode() for name in parts.namelist() if name.startswith("xl/drawings/drawing"))
    assert 'descr="Change of cost per useful training step, in USD/step, when one driver' in told


def test_without_a_recommended_fleet_there_is_no_such_sheet(result: Result) -> None:
    import io

    alone = replace(result, recommended=None)
    assert "Sensitivity" not in openpyxl.load_workbook(io.BytesIO(build(alone))).sheetnames


def test_ends_stay_inside_the_bounds_and_in_order_below_zero(tmp_path: Path) -> None:
    """A PUE of 1.05 has its low end at 1, and a grant has the larger grant at its low end: sheet and engine alike."""
    text = (ROOT / "scenarios" / "finetune_lora.yaml").read_text(encoding="utf-8")
    text = text[: text.index("  - {id: consumer")].replace(", reference: cloud-h100", "")
    text = text.replace("pue: 1.45", "pue: 1.05") + "  - {id: server, buy: srv-8xpro6000, precision: bf16}\n"
    source, path = tmp_path / "bounded.yaml", tmp_path / "bounded.xlsx"
    source.write_text(text + "costs:\n  - {name: Grant, amount: -3000 USD, part_of: capital_cost}\n", encoding="utf-8")
    result = load(source).run()
    write(result, path)
    drivers = sensitivity(result)
    assert drivers
    about = SensitivityPlan(Plan(result), drivers, FleetValues(drivers.fleet, result.timeline))
    rows = {row.label: at for at, row in enumerate(about.rows, about.first)}
    told = [name for name in rows if name in ("Power usage effectiveness", "Grant: amount")]
    assert len(told) == 2, list(rows)
    cells = [cell(column, rows[name]) for name in told for column in range(Columns.LOW, Columns.SWING + 1)]
    for engine in ENGINES.values():
        found = engine(path, cells, {})
        assert [found[one] for one in cells] == pytest.approx([cached(path)[one] for one in cells])
    assert cached(path)[cell(Columns.LOW, rows["Power usage effectiveness"])] == 1
    low, high = (cached(path)[cell(side, rows["Grant: amount"])] for side in (Columns.LOW, Columns.HIGH))
    assert (low, high) == pytest.approx((-3300, -2700))
