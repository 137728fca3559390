"""The rules that finance holds a workbook to, on every committed scenario and on a large one of twelve fleets."""

# pyright: basic
from __future__ import annotations

import itertools
import json
import random
import re
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import openpyxl
import pytest
from openpyxl.utils import column_index_from_string, get_column_letter

from tco.result import Result
from tco.session import load, loads
from tco.workbook import write
from tco.workbook.opened import Opened, read
from tco.workbook.plan import Plan
from tco.workbook.safety import check_safe
from tests.workbook import edits, lint
from tests.workbook.recalculate import ENGINES, cached, differences, formulas
from tests.workbook.test_safety import HOSTILE

ROOT = Path(__file__).resolve().parents[2]
OWN = Path(__file__).parent / "scenarios"
QUICKSTART = ROOT / "scenarios" / "quickstart.yaml"
FILES = [
    *sorted(set((ROOT / "scenarios").glob("*.yaml")) - {ROOT / "scenarios" / "portfolio.yaml"}),
    OWN / "payments.yaml",
]
RULES = (
    lint.one_formula_a_row, lint.formulas, lint.labels_and_units, lint.names, lint.errors, lint.sheets_in_order,
)  # fmt: skip


def large() -> str:
    """The quickstart's twelve fleets over sixty months."""
    text = QUICKSTART.read_text(encoding="utf-8")
    for old, new in {
        "horizon: 4 yr, step: quarter": "horizon: 5 yr, step: month",
        "4 yr], share: [70 %, 50 %, 35 %, 25 %]": "4 yr, 5 yr], share: [70 %, 50 %, 35 %, 25 %, 15 %]",
        "term: 4 yr": "term: 5 yr",
    }.items():
        assert old in text
        text = text.replace(old, new)
    return text


@pytest.fixture(scope="module", params=[*FILES, None], ids=lambda path: path.stem if path else "large")
def written(request: Any, tmp_path_factory: pytest.TempPathFactory) -> tuple[Result, Opened]:
    """A result, and its workbook as read from the file."""
    result = load(request.param).run() if request.param else loads(large(), str(QUICKSTART)).run()
    path = tmp_path_factory.mktemp("lint") / "book.xlsx"
    write(result, path)
    return result, read(path)


def test_the_large_one_is_large() -> None:
    result = loads(large(), str(QUICKSTART)).run()
    assert (len(result.fleets), result.timeline.periods) == (12, 60)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_every_rule_holds(rule: Callable[[Opened], Any], written: tuple[Result, Opened]) -> None:
    wrong = list(rule(written[1]))
    assert not wrong, "\n".join(wrong[:20])


def test_nothing_is_hidden_merged_or_outside_and_it_may_be_read(written: tuple[Result, Opened]) -> None:
    assert not list(lint.nothing_hidden(written[1].path))
    check_safe(written[1].path)


def test_a_viewer_that_cannot_calculate_sees_every_headline(written: tuple[Result, Opened]) -> None:
    result, book = written
    assert "ALL CHECKS PASS" in [value for row in book.rows["Cover"].values() for value in row.values()]
    assert not [key for key in book.formulas if book.values.get(key) is None]
    for fleet in result.fleets:
        value = fleet.shown(result.headline or "")
        cells = book.named(f"out_{result.headline}_{fleet.id.replace('-', '_')}")
        if isinstance(value, float):
            assert book.values[cells[0]] == pytest.approx(value, rel=1e-12)


LARGE = pytest.mark.parametrize("written", [None], indirect=True, ids=["large"])
"""The others are recalculated, edited at random and printed elsewhere by every engine."""


@LARGE
@pytest.mark.parametrize("engine", ENGINES)
def test_the_large_one_recalculates(engine: str, written: tuple[Result, Opened]) -> None:
    path = written[1].path
    cells = formulas(path)
    wrong = differences(cached(path), ENGINES[engine](path, cells), cells)
    assert not wrong, "\n".join(wrong[:20])


@LARGE
@pytest.mark.libreoffice
def test_libreoffice_agrees_on_the_large_one(
    written: tuple[Result, Opened], recalculated: Callable[[Path], dict[tuple[str, str], Any]]
) -> None:
    path = written[1].path
    cells = formulas(path)
    wrong = differences(cached(path), recalculated(path), cells)
    assert not wrong, "\n".join(wrong[:20])


@LARGE
def test_the_large_one_follows_edits_as_the_engine_does(written: tuple[Result, Opened]) -> None:
    result, book = written
    changes = edits.draw(result, random.Random(60))
    assert len(changes) > 100
    wrong = edits.compare(result, book.path, ENGINES["formualizer"], changes)
    assert not wrong, "\n".join(wrong[:20])


# --- mutation ---


def test_every_input_is_validated_within_its_bounds(written: tuple[Result, Opened]) -> None:
    """A number outside its range, or a text, is refused when it is typed; so is a blank."""
    result, book = written
    read = openpyxl.load_workbook(book.path)
    sheet = read["Inputs"]
    rules = {str(rule.sqref): rule for rule in sheet.data_validations.dataValidation}
    offered = [cell for row in read["Quotes"].iter_rows() for cell in row] if "Quotes" in read.sheetnames else []
    for cell in offered:
        if not cell.protection.locked:
            assert any(cell.coordinate in rule.sqref for rule in read["Quotes"].data_validations.dataValidation)
    for one in Plan(result).inputs.values():
        if any(sheet[cell].data_type == "f" for cell in lint_cells(one) if ":" not in cell):
            assert offered, one.name  # its unit price is typed on Quotes
            continue
        cells = [cell for cell in lint_cells(one) if cell in rules]
        assert len(cells) == 1, (one.name, one.owner)
        rule = rules[cells[0]]
        if rule.type == "list":
            assert (rule.formula1, rule.allowBlank) == ('"0,1"', False)
            assert one.figure.value in (0, 1), one.name
            continue
        assert (rule.type, rule.operator or "between", rule.allowBlank) == ("decimal", "between", False)
        low, high = float(rule.formula1), float(rule.formula2)
        assert low == (-1e300 if one.given.minimum is None else one.given.minimum), one.name
        assert high == (1e300 if one.given.maximum is None else one.given.maximum), one.name


def lint_cells(one: Any) -> list[str]:
    """The range of an input's values: one cell, a row of periods, or a column of a table."""
    last = one.row + one.rows - 1
    row = [f"{lint.letters(12)}{one.row}:{lint.letters(12 + count)}{one.row}" for count in range(1, 400)]
    return [f"D{one.row}", f"D{one.row}:D{last}", *row]


def test_every_input_is_counted_by_a_check(written: tuple[Result, Opened]) -> None:
    """COUNT leaves out text, blanks and errors, so that any of them fails the master check, as the next test sees."""
    result, book = written
    counted = set[tuple[str, int]]()
    for key, formula in book.formulas.items():
        found = re.fullmatch(r"=COUNT\(Inputs!\$([A-Z]+)\$(\d+):\$([A-Z]+)\$(\d+)\)", formula)
        if key[0] == "Checks" and found:
            columns = range(column_index_from_string(found[1]), column_index_from_string(found[3]) + 1)
            rows = range(int(found[2]), int(found[4]) + 1)
            counted |= {(get_column_letter(column), row) for column in columns for row in rows}
    for one in Plan(result).inputs.values():
        column = "M" if one.given.shape == "series" else "D"
        assert {(column, row) for row in range(one.row, one.row + one.rows)} <= counted, one.name


def test_text_or_nothing_in_any_input_fails_the_master_check(tmp_path: Path) -> None:
    import formualizer

    result = load(ROOT / "scenarios" / "local_assistant.yaml").run()
    write(result, tmp_path / "book.xlsx")
    book = formualizer.load_workbook(str(tmp_path / "book.xlsx"))
    silent, wrong = 0, itertools.cycle(("many", None, "12"))
    for one in Plan(result).inputs.values():
        column = 4 if one.given.shape != "series" else 13
        before = book.get_value("Inputs", one.row, column)
        book.set_value("Inputs", one.row, column, next(wrong))
        book.evaluate_all()
        silent += book.get_value("Checks", 3, 2) != "CHECKS FAILED"
        book.set_value("Inputs", one.row, column, before)
    book.evaluate_all()
    assert book.get_value("Checks", 3, 2) == "ALL CHECKS PASS"
    assert not silent


# --- hostile text ---


def hostile_scenario(texts: list[str]) -> str:
    """A scenario whose every free text is one of the texts: title, names, sources, notes, comments."""
    text = (ROOT / "scenarios" / "local_assistant.yaml").read_text(encoding="utf-8")
    spare = itertools.cycle(texts)
    quoted = lambda: json.dumps(next(spare))  # noqa: E731
    text = re.sub(r"(?m)^title: .*$", lambda _: f"title: {quoted()}", text)
    text = re.sub(r"(source|note): (\"[^\"]*\"|[^,}\n]+)", lambda found: f"{found[1]}: {quoted()}", text)
    text = re.sub(r"(\{id: [\w-]+), ", lambda found: f"{found[1]}, name: {quoted()}, ", text)
    text = re.sub(r"(?m)^(  - id: [\w-]+)$", lambda found: f"{found[1]}\n    name: {quoted()}", text)
    story = f"source: {quoted()}, note: {quoted()}"
    cost = f"costs:\n  - {{name: {quoted()}, amount: {{value: 5 USD/month, {story}}}, part_of: site_cost}}\n"
    return cost + text + "".join(f"# {one}\n" for one in texts if one.isprintable())


def test_hostile_text_of_a_scenario_is_only_text(tmp_path: Path) -> None:
    printable = [text for text in HOSTILE if text.isprintable() and text.isascii() and len(text) < 1000]
    assert len(printable) > 12
    plain = set(formula_texts(tmp_path / "plain.xlsx", ["plain"]))
    for start in (0, len(printable) // 2):
        path = tmp_path / f"{start}.xlsx"
        assert set(formula_texts(path, [*printable[start:], *printable[:start]])) == plain
        with zipfile.ZipFile(path) as parts:
            for name in parts.namelist():
                if name.endswith((".xml", ".rels")):
                    ElementTree.fromstring(parts.read(name))
        assert not list(lint.nothing_hidden(path))


def formula_texts(path: Path, texts: list[str]) -> dict[Any, str]:
    """Formulas of the workbook of a scenario with these texts, without the words of checks that name a fleet."""
    write(loads(hostile_scenario(texts)).run(), path)
    return read(path).formulas


# --- as it prints ---


@pytest.mark.libreoffice
@pytest.mark.pdftotext
def test_what_prints_shows_no_error_and_not_too_many_pages(
    written: tuple[Result, Opened], office_convert: Callable[[Path, str], Path]
) -> None:
    _, book = written
    pages = subprocess.run(
        ["pdftotext", "-layout", office_convert(book.path, "pdf"), "-"], capture_output=True, text=True, check=True
    ).stdout.split("\f")[:-1]
    assert not [text for text in pages if re.search(r"###|#NAME\?|#REF!|#VALUE!|#DIV/0!|Err:5", text)]
    assert len(book.sheets) <= len(pages) <= 12 * len(book.sheets)
    assert not [number for number, text in enumerate(pages, 1) if not text.strip()]
