"""The workbooks of the committed scenarios, and of files with every way to pay or serve: recalculated, edited."""

# pyright: basic
from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from tco.batch import write_outputs
from tco.result import HEADLINES, Result
from tco.session import load
from tests.workbook import edits
from tests.workbook.recalculate import ENGINES, cached, differences, formulas

ROOT = Path(__file__).resolve().parents[2]
COMMITTED = sorted(set((ROOT / "scenarios").glob("*.yaml")) - {ROOT / "scenarios" / "portfolio.yaml"})
PAYMENTS = Path(__file__).parent / "scenarios" / "payments.yaml"
SERVING, FINANCING = (PAYMENTS.with_name(f"{name}.yaml") for name in ("serving", "financing"))
FILES = [*COMMITTED, PAYMENTS, SERVING, FINANCING]
EDITS = {
    PAYMENTS.stem: 140,
    SERVING.stem: 12,
    FINANCING.stem: 40,
    "finetune_lora": 20,
    "local_assistant": 20,
    "mix": 8,
    "pretraining": 12,
    "procurement": 12,
    "quickstart": 10,
}
"""Sets of typed values for each file, the engines in turn: more than 200 in all, every payment."""


@pytest.fixture(scope="module", params=FILES, ids=lambda path: path.stem)
def written(request: Any, tmp_path_factory: pytest.TempPathFactory) -> tuple[Result, Path]:
    """A result and the folder of its outputs."""
    file: Path = request.param
    result = load(file).run()
    out = tmp_path_factory.mktemp(file.stem)
    write_outputs(result, out, file.stem, ("xlsx", "html", "json", "csv"))
    return result, out / f"{file.stem}.xlsx"


@pytest.mark.parametrize("engine", ENGINES)
def test_every_formula_equals_its_cached_value(engine: str, written: tuple[Result, Path]) -> None:
    _, path = written
    cells = formulas(path)
    assert len(cells) > 1000
    wrong = differences(cached(path), ENGINES[engine](path, cells), cells)
    assert not wrong, "\n".join(wrong[:20])


def test_formulas_of_calculation_sheets_are_short(written: tuple[Result, Path]) -> None:
    """Eighty characters, a column of a table counted as a cell: its name is as long as its words."""
    column = re.compile(r"\b[a-z0-9_]+_(from|value|step)\b")
    wrong = [
        (sheet, cell, text)
        for (sheet, cell), text in formulas(written[1]).items()
        if sheet.startswith("Calc_") and len(column.sub("$D$100", text)) - 1 > 80
    ]
    assert not wrong, wrong[:5]


@pytest.mark.libreoffice
def test_libreoffice_agrees(written: tuple[Result, Path], recalculated: Any) -> None:
    _, path = written
    cells = formulas(path)
    wrong = differences(cached(path), recalculated(path), cells)
    assert not wrong, "\n".join(wrong[:20])


def test_typed_values_give_what_the_engine_gives(written: tuple[Result, Path]) -> None:
    result, path = written
    generator = random.Random(path.stem)
    engines = list(ENGINES.values())
    for index in range(EDITS[path.stem]):
        changes = edits.draw(result, generator)
        wrong = edits.compare(result, path, engines[index % len(engines)], changes)
        assert not wrong, f"set {index}: {wrong[:5]} after {changes}"


@pytest.mark.parametrize("count", [3.0, 4.0])
def test_partitions_drafts_and_margins_are_live(count: float, tmp_path: Path) -> None:
    """They are whole numbers or shares that `draw` may leave alone."""
    result = load(SERVING).run()
    write_outputs(result, tmp_path, "serving", ("xlsx",))
    changes: dict[edits.Key, Any] = {
        ("parts", "partitions"): count, ("draft", "drafted_tokens"): count, ("", "accepted_chance"): 0.5,
        ("", "target_share"): 0.6, ("", "target_output_share"): 0.8,
    }  # fmt: skip
    engine = next(iter(ENGINES.values()))
    assert not edits.compare(result, tmp_path / "serving.xlsx", engine, changes)
    changed, plain = edits.engine_values(result, changes), edits.engine_values(result, {})
    for fleet, line in (("parts", "replicas_per_system"), ("draft", "step_output"), ("whole", "system_output_rate")):
        assert changed[fleet][line] != pytest.approx(plain[fleet][line]), line


def test_there_are_two_hundred_sets_and_every_payment() -> None:
    assert sum(EDITS.values()) >= 200
    assert set(EDITS) == {path.stem for path in FILES}
    payments = {fleet.payment for path in FILES for fleet in load(path).run().fleets}
    assert payments == {"buy", "lease", "rent", "api"}


def test_headlines_are_equal_in_workbook_json_csv_and_report(written: tuple[Result, Path]) -> None:
    _, path = written
    told = json.loads(path.with_suffix(".json").read_text())
    rows = [row.split(",") for row in path.with_suffix(".csv").read_text().splitlines()[1:]]
    table = {(row[1], row[3]): row[-1] for row in rows if row[4] == ""}
    values = openpyxl.load_workbook(path, data_only=True)
    page = path.with_suffix(".html").read_text()
    for fleet in told["fleets"]:
        for name in HEADLINES:
            value = fleet["lines"][name]["value"]
            assert table[(fleet["id"], name)] == ("" if value is None else repr(value))
            named = values.defined_names.get(f"out_{name}_{fleet['id'].replace('-', '_')}")
            if value is not None:
                ((sheet, place),) = named.destinations
                cell: Any = values[sheet][place.replace("$", "")]
                assert cell.value == pytest.approx(value, rel=1e-12)
        headline = fleet["lines"][told["headline"]]["value"]
        shown = re.findall(r'data-value="([^"]+)"', page)
        assert headline is None or repr(headline) in shown


def test_the_master_check_passes(written: tuple[Result, Path]) -> None:
    values = openpyxl.load_workbook(written[1], data_only=True)
    assert values["Checks"]["B3"].value == "ALL CHECKS PASS"
