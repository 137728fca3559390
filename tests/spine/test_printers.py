"""One tree, printed four ways: numpy, Excel (two engines) and JavaScript agree; words are golden."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tco.declare import chapter
from tco.evaluate import in_blocks, program
from tco.expression import Expr
from tco.model import Model, build, constants, describe
from tco.printers import javascript, python
from tco.printers.excel import formula
from tco.printers.infix import LEAVES
from tco.printers.text import sentence, source_text
from tco.timeline import Timeline
from tests.spine import lemonade
from tests.spine.sheet import Sheet, assert_equal
from tests.spine.small import model, shapes
from tests.spine.test_evaluate import MODEL as STAND
from tests.spine.test_evaluate import STEPS, inputs
from tests.spine.trees import Forest, values

PEAK = """
n = given("period", "N")
row_given = given("", "Row", shape="series")
@line("")
def peak(row_given, n):
    return highest(row_given, last=n)
"""
BLANK = """
row_given = given("", "Row", shape="series")
@line("")
def smaller(row_given):
    return minimum(lag(row_given), row_given)
@line("")
def larger(row_given):
    return maximum(lag(row_given), -(row_given * row_given))
"""
PEAK_GIVEN: dict[str, Any] = {"n": 2.0, "row_given": [-3.0, -5.0, 4.0, -1.0, -2.0]}
SEEDS = (1, 2, 3, 4)
LINES, PERIODS = 60, 8


def forest(seed: int) -> tuple[Model, dict[str, Any]]:
    """Sixty random lines and their inputs."""
    part = Forest(seed).chapter(LINES)
    return build([part], shapes(part)), values(PERIODS, seed)


def operations(value: Expr) -> set[str]:
    """Every operation in an expression."""
    return {value.op}.union(*(operations(arg) for arg in value.args)) - set(LEAVES)


def in_node(node: Path, folder: Path, cases: list[tuple[Model, dict[str, Any], int]]) -> list[dict[str, Any]]:
    """Every line of every case, by one call of Node.js."""
    text = [javascript.RUNTIME, "const found = [];"]
    for made, given, periods in cases:
        read = {name: _plain(given[name], item.shape, periods) for name, item in made.inputs.items()}
        body = javascript.source(made, made.lines).replace("function evaluate", "function", 1)
        text.append(f"found.push(({body})({json.dumps(read)}, {periods}));")
    script = folder / "lines.js"
    script.write_text("\n".join([*text, "console.log(JSON.stringify(found));"]), encoding="utf-8")
    done = subprocess.run([node, script], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr[:2000]
    return [
        {name: row if isinstance(row, list) else [row] for name, row in found.items()}
        for found in json.loads(done.stdout)
    ]


def _plain(value: Any, shape: str, periods: int) -> Any:
    if shape == "table":
        return [list(map(float, part)) for part in value]
    return np.broadcast_to(value, periods).tolist() if shape == "series" else float(value)


def test_the_forest_holds_every_operation() -> None:
    found = {op for seed in SEEDS for item in forest(seed)[0].lines.values() for op in operations(item.expression)}
    assert found == {*python.ROWS, "lag", "lag_by"}


def test_javascript_equals_numpy(node: Path, tmp_path: Path) -> None:
    cases = [(*forest(seed), PERIODS) for seed in SEEDS]
    cases += [(STAND, inputs(Timeline((2027, 3), periods, step, 4)), periods) for step, periods in STEPS]
    for (made, given, periods), found in zip(cases, in_node(node, tmp_path, cases), strict=True):
        assert_equal(found, program(made)(given, periods), "JavaScript")


@pytest.mark.parametrize("seed", SEEDS)
def test_a_sheet_of_random_lines_equals_numpy(seed: int, tmp_path: Path) -> None:
    made, given = forest(seed)
    sheet = Sheet(made, PERIODS)
    sheet.write(tmp_path / "forest.xlsx", given)
    wanted = program(made)(given, PERIODS)
    for engine, found in sheet.recalculated(tmp_path / "forest.xlsx").items():
        assert_equal(found, wanted, engine)


@pytest.mark.parametrize(("step", "periods"), STEPS)
def test_the_stand_as_a_sheet_equals_numpy(step: str, periods: int, tmp_path: Path) -> None:
    given = inputs(Timeline((2027, 3), periods, step, 4))  # pyright: ignore[reportArgumentType]
    sheet = Sheet(STAND, periods)
    sheet.write(tmp_path / "stand.xlsx", given)
    wanted = program(STAND)(given, periods)
    for engine, found in sheet.recalculated(tmp_path / "stand.xlsx").items():
        assert_equal(found, wanted, engine)


@pytest.mark.parametrize("case", ["stand", "forest"])
def test_libreoffice_as_the_referee(case: str, recalculated: Callable[[Path], Any], tmp_path: Path) -> None:
    if case == "stand":
        made, given, periods = STAND, inputs(Timeline((2027, 3), 12, "quarter", 4)), 12
    else:
        (made, given), periods = forest(1), PERIODS
    sheet = Sheet(made, periods)
    sheet.write(tmp_path / "referee.xlsx", given)
    found = sheet.read(recalculated(tmp_path / "referee.xlsx"))
    assert_equal(found, program(made)(given, periods), "LibreOffice")


def test_a_row_of_a_sheet_holds_one_formula_without_numbers() -> None:
    """One text for every period, its columns left to fill in; no number but 0 and 1 stands in it."""
    sheet = Sheet(STAND, 6)
    for group in STAND.groups:
        for name in group:
            text = formula(STAND.lines[name].expression, sheet.frame(group))
            cells = [text.format(c=column, p=before) for column, before in (("G", "F"), ("H", "G"))]
            assert cells == [cell for place, cell in sheet.formulas()[name].items() if place[0] in "GH"] or (
                not STAND.lines[name].series
            )
            numbers = re.findall(r"(?<![A-Za-z$}0-9_.])[0-9.]+", text)
            assert set(numbers) <= {"0", "1"}, text


@pytest.mark.parametrize("seed", SEEDS)
def test_a_batch_of_random_lines_equals_single_runs(seed: int) -> None:
    """Every input sampled, rows and counts too; in blocks of two as well."""
    made, _ = forest(seed)
    cases = [
        {**values(PERIODS, 10 * seed + index), "life": float(index), "window": 5.0 - index} for index in range(5)
    ]  # fmt: skip
    batch = {
        name: value if isinstance(value, tuple) else np.array([np.atleast_1d(case[name]) for case in cases])
        for name, value in cases[0].items()
    }
    compiled = program(made)
    together, blocks = compiled(batch, PERIODS), in_blocks(compiled, batch, PERIODS, 2)
    for index, case in enumerate(cases):
        for name, row in compiled(case, PERIODS).items():
            found = np.broadcast_to(together[name], (5, row.shape[-1]))[index]
            np.testing.assert_allclose(found, row, rtol=1e-12, atol=1e-10 * np.max(np.abs(row)), err_msg=name)
            np.testing.assert_allclose(blocks[name][index], found, rtol=1e-12, atol=1e-10 * np.max(np.abs(row)))


def test_a_blank_opening_cell_is_0_to_the_smaller_and_the_larger(tmp_path: Path) -> None:
    made, given = model(BLANK), {"row_given": np.array([2.0, -3.0, 4.0])}
    wanted = program(made)(given, 3)
    assert wanted["smaller"].tolist() == [0, -3, -3]
    assert wanted["larger"].tolist() == [0, 2, -3]
    sheet = Sheet(made, 3)
    sheet.write(tmp_path / "blank.xlsx", given)
    for engine, found in sheet.recalculated(tmp_path / "blank.xlsx").items():
        assert_equal(found, wanted, engine)


def test_the_highest_of_the_last_periods_is_never_below_0_in_a_sheet(tmp_path: Path) -> None:
    made, given = model(PEAK), PEAK_GIVEN
    sheet = Sheet(made, 5)
    sheet.write(tmp_path / "peak.xlsx", given)
    for engine, found in sheet.recalculated(tmp_path / "peak.xlsx").items():
        assert_equal(found, {"peak": [0, 0, 4, 4, 0]}, engine)


def test_the_highest_of_the_last_periods_is_never_below_0(node: Path, tmp_path: Path) -> None:
    """Also while the window reaches before the start."""
    wanted = {"peak": [0, 0, 4, 4, 0]}
    assert program(model(PEAK))(PEAK_GIVEN, 5)["peak"].tolist() == wanted["peak"]
    assert in_node(node, tmp_path, [(model(PEAK), PEAK_GIVEN, 5)])[0] == wanted


def test_pruned_javascript_reads_only_what_it_needs(node: Path, tmp_path: Path) -> None:
    text = javascript.source(STAND, ["recent_peak"])
    assert "kept_value" not in text
    assert "till" not in text
    assert "inputs.tips" not in text
    assert "return {recent_peak};" in text


TRAPS = """
x = given("", "X")
two = given("", "Two")
three = given("", "Three")
n = given("period", "N")
row_given = given("", "Row", shape="series")
@line("")
def minus_of_a_power(x, two):
    return -(x**two)
@line("")
def power_of_a_minus(x, two):
    return (-x) ** two
@line("")
def power_of_a_power(x, two, three):
    return x**two**three
@line("")
def minus_of_a_minus(x):
    return -(-x) - (-x) - -1
@line("")
def quotients(x):
    return x / (x / (x * (x / (1 + x))))
@line("")
def differences(x):
    return x - (x - (1 - x) + x)
@line("")
def spread_out(x, row_given):
    return where(either(both(x > 0, row_given > 0), x < -1), row_given, x) * x
@line("")
def looped(looped, row_given, n, total_before):
    return lag(looped, opening=total_before) - total(row_given, last=n) + lag(row_given) * highest(row_given)
@line("")
def total_before(row_given):
    return total(row_given * row_given)
@line("")
def after(looped, n):
    return lag(looped, by=n) + lag(looped)
"""


@pytest.mark.parametrize(("x", "n"), [(3.0, 1.0), (0.7, 0.0), (2.0, 3.0), (1.5, 9.0), (2.5, -1.0), (2.5, 1.5)])
def test_traps_between_engines(x: float, n: float, node: Path, tmp_path: Path) -> None:
    """Signs and powers; openings; lags by 0, beyond the start, ahead and between periods."""
    made, given = model(TRAPS), {"x": x, "two": 2.0, "three": 3.0, "n": n, "row_given": [1.0, -2.0, 4.0, 8.0]}
    wanted = program(made)(given, 4)
    assert wanted["minus_of_a_power"].tolist() == pytest.approx([-(x**2)])
    assert wanted["power_of_a_minus"].tolist() == pytest.approx([x**2])
    assert wanted["power_of_a_power"].tolist() == pytest.approx([x**8])
    assert wanted["minus_of_a_minus"].tolist() == pytest.approx([2 * x + 1])
    sheet = Sheet(made, 4)
    sheet.write(tmp_path / "traps.xlsx", given)
    for engine, found in sheet.recalculated(tmp_path / "traps.xlsx").items():
        assert_equal(found, wanted, engine)
    assert_equal(in_node(node, tmp_path, [(made, given, 4)])[0], wanted, "JavaScript")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("elapsed", "Length of the period, summed so far"),
        (
            "demand",
            "Cups a day × ((1 + Growth) to the power of (Time since the start − Length of the period × half))"
            " / h_per_day",
        ),
        ("life_periods", "(Life of a squeezer / Step), rounded up"),
        ("worn_out", "Squeezers bought, Life in periods earlier"),
        ("surviving", "(Squeezers one period earlier) − Squeezers worn out"),
        ("purchases", "the larger of (Squeezers needed − Squeezers left, 0)"),
        ("monthly_bill", "Energy a month billed by the steps of Price of energy by tier"),
        ("kept_value", "each past Squeezers bought times Share of a squeezer's price kept at its age by Period"),
        ("till", "(Till one period earlier) + Cups sold × Price of a cup − Cost"),
        ("cost_of_year", "Cost, summed so far within its Fiscal year"),
        ("recent_cost", "the sum of Cost over the last Life in periods"),
        ("recent_peak", "the highest Cost of the last Life in periods"),
        ("peak_cost", "the highest Cost of all periods"),
        ("total_cost", "the sum of Cost over all periods"),
        ("weighted", "the sum over all periods of Cups sold × Cost"),
        (
            "busy",
            "if Demand > Squeezers × Cups an hour a squeezer makes × half and (Squeezers worn out > 0 or Demand >= 0) "
            "then 1, else 0",
        ),
        ("pairs", "(Squeezers × half), rounded down"),
        ("cost", "Squeezers bought + Energy"),
    ],
)
def test_words(name: str, words: str) -> None:
    labels = {key: item.label for key, item in {**STAND.inputs, **STAND.lines}.items()}
    assert sentence(STAND.lines[name].expression, labels.__getitem__) == words


def test_a_description_is_what_the_author_wrote() -> None:
    assert describe(STAND.lines["demand"]) == (
        "demand [request/h] = cups * (1 + growth) ** (elapsed - period * half) / h_per_day"
    )
    assert describe(STAND.lines["worn_out"]) == "worn_out [system] = lag(purchases, by=life_periods)"
    assert source_text(STAND.lines["pairs"].expression) == 'floor(squeezers * half, "system")'


def test_constants_of_a_line_are_named() -> None:
    assert sorted(constants(STAND.lines["monthly_energy"].expression)) == ["h_per_yr", "months_per_yr", "thousand"]
    assert list(constants(STAND.lines["squeezers_needed"].expression)) == ["almost_one"]


def test_the_printed_numpy_is_readable() -> None:
    text = python.source(STAND, ["squeezers"])
    assert "    demand = cups * (1.0 + growth) ** (elapsed - period * 0.5) / 24.0\n" in text
    assert "        squeezers.append(surviving[-1] + purchases[-1])\n" in text


def test_the_stand_is_a_chapter() -> None:
    assert chapter(lemonade).title.startswith("A lemonade stand")
