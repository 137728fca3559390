"""The sheet Reference: NPV, IRR and paybacks stay what the engine would say after any edit."""

# pyright: basic
from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tco.analysis.compare import NO_SIGN, SEVERAL, against_reference, flow_signs, modified_rate, rate_of_return
from tco.result import FleetResult, Result
from tco.session import load
from tco.workbook import write
from tco.workbook.book import letters
from tco.workbook.places import INPUTS, REFERENCE, VALUE_COLUMN
from tco.workbook.plan import Plan
from tco.workbook.reference_rows import NOT_SHOWN, OTHER_TIMING, Layout
from tests.workbook import edits
from tests.workbook.recalculate import ENGINES, cached, differences, formulas

FILE = Path(__file__).parents[2] / "scenarios" / "finetune_lora.yaml"
MONEY = ("discount_rate", "maintenance_rate")
"""Edits after which every fleet still does the work."""
EARNED = "reinvestment_rate: 5 %"
ASKED = "finance: {discount_rate: 9 %, reference: cloud-h100}"


CONVENTIONS = [*("start", "middle", "end"), *(f"{moment}, day_count: act365f" for moment in ("start", "middle", "end"))]


@pytest.fixture(scope="module", params=CONVENTIONS)
def made(request: Any, tmp_path_factory: pytest.TempPathFactory) -> tuple[Result, Path]:
    """A scenario under each convention of discounting, and its workbook."""
    text = FILE.read_text()
    assert ASKED in text
    folder = tmp_path_factory.mktemp("reference")
    (folder / "x.yaml").write_text(
        text.replace(ASKED, ASKED.replace("9 %,", f"9 %, discounting: {request.param}, {EARNED},"))
    )
    result = load(folder / "x.yaml").run()
    write(result, folder / "x.xlsx")
    return result, folder / "x.xlsx"


@pytest.mark.parametrize("engine", ENGINES)
def test_the_sheet_shows_what_it_computes(engine: str, made: tuple[Result, Path]) -> None:
    """The figures stored, and every formula behind them."""
    result, path = made
    cells = [key for key in formulas(path) if key[0] in (REFERENCE, "Compare")]
    stored = cached(path)
    assert not differences(stored, ENGINES[engine](path, cells), cells)
    layout = Layout(Plan(result))
    for fleet in layout.fleets:
        for name, figure in result.comparison[fleet.id].items():
            told = figure["reason"] if fleet.verdict == "ok" else NOT_SHOWN
            cell = stored[(REFERENCE, f"{letters(layout.columns[fleet.id])}{layout.rows[name]}")]
            assert cell == (told if figure["value"] is None else pytest.approx(figure["value"], rel=1e-9))


def running(layout: Layout) -> list[FleetResult]:
    """The fleets that can do the work: the others say so in place of figures."""
    return [fleet for fleet in layout.fleets if fleet.verdict == "ok"]


def after(result: Result, changes: dict[edits.Key, Any]) -> Result:
    """The result that the engine gives for changed inputs; choices stay."""
    values = edits.engine_values(result, changes)
    fleets = [
        replace(
            fleet,
            values=values[fleet.id],
            inputs={
                name: replace(figure, value=changes.get(("" if name in fleet.shared else fleet.id, name), figure.value))
                for name, figure in fleet.inputs.items()
            },
            _defined={},
        )
        for fleet in result.fleets
    ]
    return replace(result, fleets=fleets)


@pytest.mark.parametrize("seed", range(4))
def test_after_an_edit_the_figures_are_the_engines(seed: int, made: tuple[Result, Path]) -> None:
    """Prices, rates and loads moved by up to a third, and once much further."""
    result, path = made
    drawn = edits.draw(result, random.Random(seed), share=0.9)
    changes = {key: value for key, value in drawn.items() if "price" in key[1] or key[1] in MONEY}
    assert len(changes) > 4
    prices = [key for key in Plan(result).inputs if key[1] == "system_price"]
    if seed == 3:
        changes |= {key: 900_000.0 * (1 + index) for index, key in enumerate(prices)}
    layout = Layout(Plan(result))
    expected = against_reference(after(result, changes))
    places = {
        (fleet.id, name): (REFERENCE, f"{letters(layout.columns[fleet.id])}{layout.rows[name]}")
        for fleet in running(layout)
        for name in expected[fleet.id]
    }
    found = ENGINES["formualizer"](path, places.values(), edits.typed(result, changes))
    for (fleet, name), place in places.items():
        figure = expected[fleet][name]
        told = figure["reason"] if figure["value"] is None else pytest.approx(figure["value"], rel=1e-7, abs=1e-7)
        assert found[place] == told, (fleet, name)


def test_another_convention_is_told_and_gives_no_rate(made: tuple[Result, Path]) -> None:
    """The flow that IRR reads stands on the grid of the convention it was written for."""
    result, path = made
    layout, row = Layout(Plan(result)), Plan(result).inputs[("", "timing")].row
    places = [(REFERENCE, f"{letters(layout.columns[fleet.id])}{layout.rows['irr']}") for fleet in running(layout)]
    found = ENGINES["formualizer"](path, places, {(INPUTS, f"{letters(VALUE_COLUMN)}{row}"): 0.25})
    assert set(found.values()) == {OTHER_TIMING}


def test_a_flow_that_several_rates_solve_has_one_modified_rate() -> None:
    """numpy-financial's `mirr([-100, 230, -132], 0.1, 0.12)`; the end counts, not the last payment."""
    times, flows = np.arange(3.0), np.array([-100.0, 230, -132])
    rate, told = modified_rate(times, flows, finance=0.1, reinvestment=0.12, end=2.0)
    assert (rate, told) == (pytest.approx(0.10995495404092881, rel=1e-12), "")
    later, _ = modified_rate(times, flows, finance=0.1, reinvestment=0.12, end=3.0)
    assert later == pytest.approx((1.10995495404092881**2 * 1.12) ** (1 / 3) - 1, rel=1e-12)
    assert modified_rate(times, -np.abs(flows), finance=0.1, reinvestment=0.12, end=2.0) == (None, NO_SIGN)


@pytest.mark.parametrize(
    ("flows", "rate", "reason"),
    [
        ([-100.0, 60, 60], 0.1306623862918075, ""),
        ([-100.0, 230, -132], None, SEVERAL),  # 10 % and 20 % both solve it
        ([-100.0, 150, -10], 0.4300952343691, ""),  # its sum turns once: a single rate above 0 (the other is -93 %)
        ([-100.0, 40, 40], -0.1367, ""),  # a loss has one rate below 0
        ([100.0, -60, -60], None, SEVERAL),  # a loan
        ([-1.0, -2, -3], None, NO_SIGN),
        ([0.0, 0, 0], None, NO_SIGN),
        ([-100.0, 0, 300, -210], None, SEVERAL),
    ],
)
def test_one_rate_or_the_reason_why_not(flows: list[float], rate: float | None, reason: str) -> None:
    """Descartes: -100 + 60 x + 60 x^2 = 0; Norstrom: the sums -100, 50, 40 turn once."""
    found, told = rate_of_return(np.arange(len(flows), dtype=float), np.array(flows))
    assert told == reason
    assert found == (None if rate is None else pytest.approx(rate, abs=5e-5))
    if rate is not None:
        assert sum(flow * (1 + (found or 0)) ** -year for year, flow in enumerate(flows)) == pytest.approx(0, abs=1e-7)


def test_noise_is_no_sign() -> None:
    """What adding up leaves is neither a cost nor a saving."""
    assert not flow_signs(np.array([-100.0, 1e-9])).both
