"""The sheet Quotes and the report: what is entered once, what ties, what expired; text stays text."""

# pyright: basic
from __future__ import annotations

import itertools
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pytest

from tco.export import to_json
from tco.report import render
from tco.result import Result
from tco.session import loads
from tco.workbook.inputs import safe
from tco.workbook.plan import Plan
from tests.quotes.shop import TEXT, changed, ran
from tests.report.pages import HOSTILE as MARKUP
from tests.report.pages import Page
from tests.workbook.edits import engine_values
from tests.workbook.recalculate import ENGINES, cached, differences, formulas

EXPIRED = ("valid_until: 2026-12-31", "valid_until: 2026-11-30")
SPLIT = ("award: {own: N-118}", "award: {own: {split: {N-118: 3 system, M-7: 1 system}, reason: two sources}}")
ONE_CURRENCY = ("350000 USD", "350000 EUR"), ("60000 USD", "60000 EUR")
PATH = ("{value: 1.09 USD/EUR,", "{after: [0 yr, 1 yr], rate: [1.09 USD/EUR, 1.2 USD/EUR],")
CASES = {"taken": (), "expired": (EXPIRED,), "split": (SPLIT, *ONE_CURRENCY), "too few": (("count: 4}", "count: 6}"),),
         "rates": (PATH, ("count: 4}", "count: {after: [0 yr, 1 yr], count: [2, 4]}}"))}  # fmt: skip


def written(result: Result, folder: Path) -> Path:
    path = folder / "quotes.xlsx"
    result.workbook(path)
    return path


@pytest.fixture(scope="module")
def taken(tmp_path_factory: pytest.TempPathFactory) -> tuple[Result, Path]:
    result = ran()
    return result, written(result, tmp_path_factory.mktemp("quotes"))


def rows(path: Path, sheet: str) -> list[list[Any]]:
    return [[cell.value for cell in row] for row in openpyxl.load_workbook(path, data_only=True)[sheet].iter_rows()]


def states(path: Path) -> dict[str, str]:
    """What Checks says of each row about quotes and ties."""
    return {row[0]: row[8] for row in rows(path, "Checks") if row[0] and row[8]}


@pytest.mark.parametrize("pairs", CASES.values(), ids=CASES)
def test_every_formula_equals_its_cached_value_and_all_ties(pairs: Any, tmp_path: Path) -> None:
    path = written(ran(*pairs), tmp_path)
    cells = formulas(path)
    for engine in ENGINES.values():
        wrong = differences(cached(path), engine(path, cells), cells)
        assert not wrong, "\n".join(wrong[:20])
    assert rows(path, "Checks")[2][1] == "ALL CHECKS PASS"
    ties = [state for label, state in states(path).items() if label.startswith("The bill of materials ties")]
    assert len(ties) == 3
    assert set(ties) == {"pass"}


def test_a_unit_price_is_entered_once_and_everything_follows(taken: tuple[Result, Path]) -> None:
    result, path = taken
    book: Any = openpyxl.load_workbook(path)
    ((sheet, place),) = book.defined_names["in_offer_1_1"].destinations
    cell = place.replace("$", "")
    assert (sheet, book[sheet][cell].value, book[sheet][cell].style) == ("Quotes", 265450, "tco input")
    assert not [name for name in book.defined_names if name.startswith(("in_system_price", "in_network_price"))]
    plan = Plan(result)
    price = plan.inputs[("own", "system_price_quoted")]
    linked = book["Inputs"].cell(price.row, 4)
    assert str(linked.value).startswith("=Quotes!")
    assert linked.protection.locked
    new = (4 * 250000 - 3000) / 4
    wanted = engine_values(result, {("own", "system_price_quoted"): new})["own"]
    row = plan.rows["own"]["hardware_cost"]
    for engine in ENGINES.values():
        found = engine(path, [("Calc_own", f"G{row}"), ("Checks", "B3")], {(sheet, cell): 250000.0})
        assert found[("Calc_own", f"G{row}")] == pytest.approx(float(np.ravel(wanted["hardware_cost"])[0]), rel=1e-12)
        assert found[("Checks", "B3")] == "ALL CHECKS PASS"


def test_every_name_of_an_input_is_one_cell_of_its_own(taken: tuple[Result, Path]) -> None:
    book = openpyxl.load_workbook(taken[1])
    cells = [str(item.attr_text) for name, item in book.defined_names.items() if name.startswith("in_")]
    assert len(cells) == len(set(cells))
    assert sum("Quotes!" in cell for cell in cells) == 9
    assert safe("a-b") == "a_b"


def test_a_price_that_no_longer_ties_fails_the_master_check(taken: tuple[Result, Path]) -> None:
    """A price typed over its link on Inputs no longer is what the bill of materials says."""
    result, path = taken
    row = Plan(result).inputs[("own", "network_price_quoted")].row
    engine = ENGINES["formualizer"]
    assert engine(path, [("Checks", "B3")], {("Inputs", f"D{row}"): 1.0})[("Checks", "B3")] == "CHECKS FAILED"


def test_an_expired_offer_is_red_in_checks_and_told_on_the_summary(tmp_path: Path) -> None:
    path = written(ran(EXPIRED), tmp_path)
    assert states(path)["Quote N-118 of Nordrack: expired"] == "does not hold"
    told = [cell for row in rows(path, "Summary") for cell in row if isinstance(cell, str)]
    assert any(text.startswith("An awarded offer has expired") for text in told)
    assert "own: quote N-118 of Nordrack was valid until 2026-11-30, 5 days before 2026-12-05" in told
    line = next(row for row in rows(path, "Quotes") if row[1] == "Nordrack")
    assert (line[13], line[14]) == (-5, "expired")


def test_too_few_is_told_in_checks(tmp_path: Path) -> None:
    path = written(ran(("count: 4}", "count: 6}")), tmp_path)
    line = next(row for row in rows(path, "Checks") if str(row[0]).startswith("Systems quoted"))
    assert (line[3], line[4], line[8]) == (4, 6, "does not hold")


def test_the_sheet_shows_offers_side_by_side_and_the_reason(tmp_path: Path) -> None:
    path = written(ran(SPLIT, *ONE_CURRENCY), tmp_path)
    sheet = rows(path, "Quotes")
    first, second = (next(row for row in sheet if row[1] == name) for name in ("Nordrack", "Meridian"))
    assert (first[4], first[5], first[11]) == (4, pytest.approx(1214381), 3)
    assert (second[4], second[6], second[11]) == (4, pytest.approx(1460000 * 1.09), 1)
    assert second[10] == pytest.approx(1460000 / 1214381 - 1)
    reason = "own: systems awarded: 3 of N-118 (Nordrack) and 1 of M-7 (Meridian). Reason: two sources"
    assert reason in [row[0] for row in sheet]


def test_without_offers_there_is_no_sheet_and_no_section(tmp_path: Path) -> None:
    start, end = TEXT.index("quotes:"), TEXT.index("fleets:")
    result = loads(TEXT[:start] + TEXT[end:]).run()
    assert "Quotes" not in openpyxl.load_workbook(written(result, tmp_path)).sheetnames
    assert 'id="quotes"' not in render(result)


def test_the_report_marks_what_expired_in_words() -> None:
    page = render(ran(EXPIRED, ("date: 2026-11-16", "date: 2026-11-16\n      lead_time: 10 week")))
    text = " ".join(re.sub(r"<[^>]+>", " ", page[page.index('id="quotes"') :]).split())
    assert "2026-11-30, EXPIRED 5 days before 2026-12-05" in text
    assert "10 week" in text
    assert "2026-12-15, 10 days left" in text


TERMS = "      valid_until: 2026-12-15\n"
FIELDS = (
    ("supplier: Nordrack", "supplier: {}"), ("number: M-7", "number: {}"), ("item: Discount", "item: {}"),
    ("part: SW-64", "part: {}"), ("note: a gift", "note: {}"), (TERMS, TERMS + "      terms: {}\n"),
    (TERMS, TERMS + "      incoterm: {}\n"), ("{own: N-118}", "{{own: {{to: N-118, reason: {}}}}}"),
)  # fmt: skip
"""Every free text of an offer and an award."""

WANTING = ("=1+1", "{=1+1}", "@SUM(A1)", "+1", "http://example.com", "internal:Inputs!A1", "#N/A",
           '"&HYPERLINK("x")&"', "<b>&amp;</b>", "'")  # fmt: skip


def everywhere(texts: list[str]) -> str:
    """The texts in every free-text field, one after the other."""
    found = zip(FIELDS, itertools.cycle(texts), strict=False)
    return changed(*((old, new.format(json.dumps(text))) for (old, new), text in found))


@pytest.mark.parametrize("shift", [0, 3, 6])
def test_text_of_an_offer_stays_text_in_the_workbook(shift: int, taken: tuple[Result, Path], tmp_path: Path) -> None:
    texts = [*WANTING[shift:], *WANTING[:shift]]
    path = written(loads(everywhere(texts)).run(), tmp_path)
    book: Any = openpyxl.load_workbook(path)["Quotes"]
    plain: Any = openpyxl.load_workbook(taken[1])["Quotes"]
    made = {cell.coordinate for row in book.iter_rows() for cell in row if cell.data_type == "f"}
    assert made == {cell.coordinate for row in plain.iter_rows() for cell in row if cell.data_type == "f"}
    assert not [cell for row in book.iter_rows() for cell in row if cell.hyperlink]
    shown = [cell for row in book.iter_rows() for cell in row if cell.value in texts]
    assert {cell.value for cell in shown} == set(texts[:4])
    assert all(cell.data_type == "s" and cell.style.startswith("tco") for cell in shown)
    words = " ".join(str(cell.value) for row in book.iter_rows() for cell in row if cell.value)
    assert all(text in words for text in texts[:8])


@pytest.mark.parametrize("shift", [0, 4])
def test_text_of_an_offer_stays_text_in_the_report(shift: int) -> None:
    texts = [text for name, text in MARKUP.items() if name not in ("long", "lines", "controls", "direction")]
    harmless = Page(render(loads(everywhere(["words", "others"])).run()))
    page = Page(render(loads(everywhere([*texts[shift:], *texts[:shift]])).run()))
    assert not page.strays
    assert [element for element, _ in page.elements] == [element for element, _ in harmless.elements]
    assert [sorted(found) for _, found in page.elements] == [sorted(found) for _, found in harmless.elements]


def test_json_holds_the_offers_of_the_report(taken: tuple[Result, Path]) -> None:
    result, _ = taken
    told = json.loads(to_json(result))["quotes"]
    shown = [[cell[0] for cell in row] for row in Page(render(result)).rows("offers")[1:]]
    assert [(row[0], row[1], row[2]) for row in shown] == [
        (offer["fleet"], offer["supplier"], offer["number"]) for offer in told["offers"]
    ]
    for row, offer in zip(shown, told["offers"], strict=True):
        assert float(row[8].replace(",", "")) == round(offer["total_converted"])
        assert offer["total"] == pytest.approx(sum(item["amount"] for item in offer["items"]))
    assert set(told["awards"]) == {offer["fleet"] for offer in told["offers"]}
