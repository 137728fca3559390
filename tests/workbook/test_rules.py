"""The workbook keeps the rules that finance and audit hold such files to (docs: workbook conventions)."""

# pyright: basic
from __future__ import annotations

import re
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from openpyxl.formula import Tokenizer
from openpyxl.formula.translate import Translator

from tco.result import Result
from tco.units import CONSTANTS, unit
from tco.workbook.plan import Plan
from tests.workbook.recalculate import formulas

ALLOWED = {
    "ABS",
    "AND",
    "CHOOSE",
    "COLUMNS",
    "COUNT",
    "COUNTIF",
    "EXP",
    "IF",
    "INDEX",
    "IRR",
    "ISERROR",
    "ISNUMBER",
    "MATCH",
    "LN",
    "MAX",
    "MIN",
    "N",
    "OR",
    "POISSON",
    "RANK",
    "ROUNDDOWN",
    "ROUNDUP",
    "ROWS",
    "SQRT",
    "SUM",
    "SUMIF",
    "SUMPRODUCT",
}
LONGEST, REFERENCES = 80, 6
SHEETS = [
    "Cover",
    "Summary",
    "Inputs",
    "Time",
    "Units",
    "Calc_cart",
    "Calc_kiosk_2",
    "Calc_shop",
    "Annual",
    "Compare",
    "Checks",
    "Data",
    "Method",
    "Log",
]


def tokens(formula: str) -> list[Any]:
    return [token for token in Tokenizer(formula).items if token.type != "WHITE-SPACE"]


def calc_sheets(book: Any) -> list[Any]:
    return [sheet for sheet in book.worksheets if sheet.title.startswith("Calc_")]


def test_sheets_stand_in_order_and_the_cover_opens(book: Any) -> None:
    assert book.sheetnames == SHEETS
    assert book.active.title == "Cover"


def test_one_formula_a_row(book: Any) -> None:
    wrong = []
    for sheet in calc_sheets(book):
        for row in sheet.iter_rows(min_row=2, min_col=7, max_col=sheet.max_column - 1):
            first = row[0].value
            if row[0].data_type == "f":
                for cell in row[1:]:
                    if Translator(first, origin=row[0].coordinate).translate_formula(cell.coordinate) != cell.value:
                        wrong.append(f"{sheet.title}!{cell.coordinate} {cell.value}")
    assert not wrong, "\n".join(wrong)


def test_no_number_but_0_and_1_in_a_formula(path: Path) -> None:
    wrong = [
        f"{'!'.join(place)} {text}"
        for place, text in formulas(path).items()
        for token in tokens(text)
        if token.subtype == "NUMBER" and token.value not in ("0", "1")
    ]
    assert not wrong, "\n".join(wrong)


def test_formulas_are_short(path: Path) -> None:
    """References are counted once each and without named factors, which the units bring."""
    wrong = []
    for (sheet, cell), text in formulas(path).items():
        references = len(
            {token.value for token in tokens(text) if token.subtype == "RANGE" and token.value not in CONSTANTS}
        )
        if sheet.startswith("Calc_") and (len(text) - 1 > LONGEST or references > REFERENCES):
            wrong.append(f"{sheet}!{cell} {len(text) - 1} characters, {references} references: {text}")
    assert not wrong, "\n".join(wrong)


def test_no_if_inside_an_if(path: Path) -> None:
    for text in formulas(path).values():
        open_ifs, stack = 0, []
        for token in tokens(text):
            if token.type == "FUNC" and token.subtype == "OPEN":
                stack.append(token.value == "IF(")
                open_ifs += stack[-1]
                assert open_ifs <= 1, text
            elif token.type == "FUNC":
                open_ifs -= stack.pop()


def test_only_old_functions(path: Path) -> None:
    used = {
        token.value[:-1]
        for text in formulas(path).values()
        for token in tokens(text)
        if token.type == "FUNC" and token.subtype == "OPEN"
    }
    assert used <= ALLOWED, used - ALLOWED


def test_names_in_formulas_are_constants_and_table_columns(path: Path, book: Any) -> None:
    words = re.compile(r"(?<![A-Za-z0-9_!.\"$])[A-Za-z_][A-Za-z0-9_]*(?![A-Za-z0-9_(!])")
    for text in formulas(path).values():
        bare = re.sub(r'"[^"]*"', "", re.sub(r"\$?[A-Z]{1,3}\$?[0-9]+", "", text))
        for word in words.findall(bare):
            assert word in CONSTANTS or word.endswith(("_from", "_step", "_value")), (word, text)
    assert set(book.defined_names) >= {"thousand", "almost_one", "in_cups", "in_life_cart", "out_total_cost_cart"}


def test_every_name_is_a_visible_cell_a_series_or_a_column_of_a_table(book: Any) -> None:
    for name, defined in book.defined_names.items():
        ((sheet, area),) = defined.destinations
        assert book[sheet].sheet_state == "visible"
        if ":" in area:
            assert name.endswith(("_from", "_value")) or name == "in_rain_share", (name, area)


def test_every_line_has_its_own_label_with_a_unit_that_can_be_read(book: Any) -> None:
    for sheet in calc_sheets(book):
        for row in range(9, sheet.max_row + 1):
            if sheet.cell(row, sheet.max_column).value:
                text = sheet.cell(row, 3).value
                assert text
                if text not in ("flag", "word", "n/a"):
                    unit(text if text != "1" else "")


def test_no_line_takes_another_lines_row(book: Any, result: Result) -> None:
    first = Plan(result).results_end + 1
    for sheet in calc_sheets(book):
        names = Counter(sheet.cell(row, sheet.max_column).value for row in range(first, sheet.max_row + 1))
        assert max(count for name, count in names.items() if name) == 1


def test_the_results_block_and_the_frame_are_equal_on_all_calculation_sheets(book: Any) -> None:
    first, *others = calc_sheets(book)
    names = {row: first.cell(row, first.max_column).value for row in range(9, 50)}
    for sheet in others:
        assert {row: sheet.cell(row, sheet.max_column).value for row in range(9, 50)} == names
        for row in range(2, 9):
            assert [cell.value for cell in sheet[row]] == [cell.value for cell in first[row]]
        assert {key: item.width for key, item in sheet.column_dimensions.items()} == {
            key: item.width for key, item in first.column_dimensions.items()
        }


def test_nothing_is_hidden_merged_or_outside(book: Any, path: Path) -> None:
    for sheet in book.worksheets:
        assert sheet.sheet_state == "visible"
        assert not sheet.merged_cells.ranges
        assert not any(item.hidden for item in [*sheet.row_dimensions.values(), *sheet.column_dimensions.values()])
    with zipfile.ZipFile(path) as parts:
        assert not [name for name in parts.namelist() if re.search("external|vba|comments|macro", name, re.IGNORECASE)]


def test_only_inputs_are_open(book: Any) -> None:
    for sheet in book.worksheets:
        assert sheet.protection.sheet
        assert not sheet.protection.password
        open_cells = [cell.coordinate for row in sheet.iter_rows() for cell in row if not cell.protection.locked]
        assert bool(open_cells) == (sheet.title in ("Inputs", "Log", "Sensitivity")), (sheet.title, open_cells[:3])


def test_every_input_is_validated_with_its_bounds(book: Any, result: Result) -> None:
    sheet = book["Inputs"]
    checked = {str(rule.sqref): rule for rule in sheet.data_validations.dataValidation}
    ((_, area),) = book.defined_names["in_discount_rate"].destinations
    rule = checked[area.replace("$", "")]
    assert (float(rule.formula1), float(rule.formula2)) == (-0.5, 1.0)
    assert rule.prompt
    blue = [
        cell.coordinate
        for row in sheet.iter_rows()
        for cell in row
        if cell.data_type == "n" and not cell.protection.locked
    ]
    for cell in blue:
        assert any(cell in rule.sqref for rule in checked.values()) or sheet[cell].column == 5


def test_each_sheet_prints(book: Any) -> None:
    for sheet in book.worksheets:
        assert sheet.page_setup.orientation == "landscape", sheet.title
        assert sheet.print_title_rows
        assert "Lemonade && ice" in sheet.oddFooter.left.text, sheet.title
        assert sheet.freeze_panes or sheet.title == "Cover", sheet.title
    assert "$A:$F" in calc_sheets(book)[0].print_title_cols.replace("'", "")


def test_default_recalled_and_choice_are_words(book: Any) -> None:
    words = {row[0].value: row[9].value for row in book["Inputs"].iter_rows(min_row=5) if row[0].value}
    assert words["discount_rate"].startswith("default")
    assert words["squeezer_price"].startswith("recalled")
    assert words["room"].startswith("choice")


def test_styles_have_names(book: Any) -> None:
    assert {"tco input", "tco link", "tco number", "tco structure"} <= {str(name) for name in book.named_styles}
    ((sheet, cell),) = book.defined_names["in_cups"].destinations
    assert book[sheet][cell.replace("$", "")].style == "tco input"
    assert book["Calc_cart"]["G8"].style == "tco heading right"


def test_charts_have_alternative_text(path: Path) -> None:
    with zipfile.ZipFile(path) as parts:
        drawings = [name for name in parts.namelist() if name.startswith("xl/drawings/drawing")]
        drawing = "".join(parts.read(name).decode() for name in drawings)
        charts = [name for name in parts.namelist() if name.startswith("xl/charts/chart")]
    assert len(charts) == len(re.findall(r'<xdr:cNvPr [^>]*descr="[^"]{40,}"', drawing))
    assert len(charts) == 3


def test_a_share_is_read_in_the_row_of_its_age_or_by_steps_where_rows_have_gaps(book: Any) -> None:
    texts = {}
    for sheet in calc_sheets(book):
        rows = {sheet.cell(row, sheet.max_column).value: row for row in range(9, sheet.max_row + 1)}
        texts[sheet.title] = sheet.cell(rows["kept_value"], 7).value
    assert "write_off_value" in texts["Calc_shop"]
    assert "write_off_step" in texts["Calc_cart"]


@pytest.mark.parametrize("name", ["squeezers_needed", "surviving"])
def test_a_pinned_line_says_so_and_what_it_idles_is_grey(name: str, book: Any) -> None:
    sheet = book["Calc_shop"]
    labels = {row[-1].value: row[1].value for row in sheet.iter_rows(min_row=60)}
    assert ("pinned" in labels[name]) == (name == "squeezers_needed")
