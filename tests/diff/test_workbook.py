"""The workbook of `--out`: text stays text, sums are live and tie, every chart has its words."""

# pyright: basic
from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from tco.workbook.difference import build
from tco.workbook.verify import differences
from tco.workbook.waterfall import Running, _formulas, _parts
from tests.cli.conftest import BASE, changed
from tests.diff.conftest import compared

pytestmark = pytest.mark.filterwarnings("error")


def content(*pairs: tuple[str, str], line: str | None = None) -> bytes:
    return build(compared(BASE, changed(*pairs), line))


@pytest.fixture(scope="module")
def made() -> bytes:
    return content(("0.12 USD", "0.3 USD"), ("pue: 1.4", "pue: 1.2"), ("350 token", "400 token"))


def recomputed(raw: bytes, folder: Path) -> list[str]:
    formualizer = pytest.importorskip("formualizer")
    del formualizer
    from tco.workbook.opened import read
    from tco.workbook.verify import recomputed

    path = folder / "book.xlsx"
    path.write_bytes(raw)
    book = read(path)
    assert book.formulas
    cells = set(book.formulas)
    return differences(book.values, recomputed(path, cells), cells)


def test_sheets_and_the_master_check(made: bytes) -> None:
    book = openpyxl.load_workbook(io.BytesIO(made), data_only=True)
    assert book.sheetnames == ["Summary", "Changes", "Bridge_own", "Bridge_cloud", "Bridge_api", "Checks"]
    assert book["Checks"]["B3"].value == "ALL CHECKS PASS"
    assert {sheet.sheet_state for sheet in book.worksheets} == {"visible"}


def test_formulas_give_the_stored_values(made: bytes, tmp_path: Path) -> None:
    assert recomputed(made, tmp_path) == []


def test_bars_below_zero_are_drawn_by_their_own_columns(tmp_path: Path) -> None:
    raw = content(
        ("discount_rate: 8 %", "discount_rate: 12 %, reference: cloud"), ("0.12 USD", "0.3 USD"), line="residual_cost"
    )
    assert recomputed(raw, tmp_path) == []


def test_a_check_fails_when_an_effect_is_changed(made: bytes, tmp_path: Path) -> None:
    formualizer = pytest.importorskip("formualizer")
    path = tmp_path / "book.xlsx"
    path.write_bytes(made)
    book: Any = formualizer.load_workbook(str(path))
    book.set_value("Bridge_own", 6, 2, 1e6)
    book.evaluate_all()
    assert book.get_value("Checks", 3, 2) == "CHECKS FAILED"


def test_charts_are_native_with_words_and_an_unseen_base(made: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(made)) as parts:
        charts = [parts.read(name).decode() for name in parts.namelist() if "charts/chart" in name]
        drawings = [parts.read(name).decode() for name in parts.namelist() if "drawings/drawing" in name]
    assert len(charts) == len(drawings) == 3
    for chart in charts:
        assert '<c:grouping val="stacked"/>' in chart
        first = chart.split("<c:ser>")[1]
        assert "Unseen" in first
        assert "<a:noFill/>" in first
    assert all(re.search(r'descr="Waterfall of [^"]+ from [^"]+"', drawing) for drawing in drawings)


def test_text_stays_text() -> None:
    hostile = '"=HYPERLINK(1) @x"'
    raw = content(
        ("price: 0.12 USD/kWh", f"price: {{value: 0.2 USD/kWh, source: {hostile}}}"),
        ("title: small", f"title: {hostile}"),
    )
    book = openpyxl.load_workbook(io.BytesIO(raw))
    found = [cell for sheet in book for row in sheet for cell in row if "HYPERLINK" in str(cell.value)]
    assert found
    assert all(cell.data_type == "s" for cell in found)


def test_nothing_changed_is_a_workbook_too() -> None:
    book = openpyxl.load_workbook(io.BytesIO(content()), data_only=True)
    assert book.sheetnames == ["Summary", "Changes", "Checks"]
    assert any("no input differs" in str(cell.value) for row in book["Changes"] for cell in row)


@pytest.mark.parametrize(
    "pair", [(5, 8), (8, 5), (-5, -8), (-8, -5), (-3, 4), (4, -3), (0, 2), (2, 0), (-2, 0), (3, 3)]
)
def test_a_bar_spans_from_before_to_after(pair: tuple[float, float]) -> None:
    parts = _parts(*pair)
    above = max(parts["Unseen"], 0) + parts["Rises"] + parts["Falls"]
    below = min(parts["Unseen"], 0) + parts["Rises below 0"] + parts["Falls below 0"]
    assert (max(*pair, 0), min(*pair, 0)) == (above, below)
    assert set(parts) == set(_formulas("A1", "A2"))


@pytest.mark.parametrize(
    ("start", "effects", "axis"),
    [(100, [5, -2], 98.7), (100, [-90], None), (0.5, [0.001], 0.4997), (-5, [1], None), (10, [], None)],
)
def test_the_axis_begins_where_bars_can_be_told_apart(start: float, effects: list[float], axis: float | None) -> None:
    assert Running.of(start, effects).axis_start == (None if axis is None else pytest.approx(axis))
