"""The summary workbook: one row a scenario with its cash as a sparkline and links to its files."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from typing import Any, BinaryIO

from xlsxwriter import Workbook  # pyright: ignore[reportMissingTypeStubs]
from xlsxwriter.exceptions import FileCreateError  # pyright: ignore[reportMissingTypeStubs]
from xlsxwriter.utility import xl_range  # pyright: ignore[reportMissingTypeStubs]

from tco.batch.identity import engine
from tco.batch.record import FAILED, KINDS, Record
from tco.wording import clean

ROWS = 2**20 - 1
"""What a sheet holds below its heads."""
LINKS = 65_000
"""A sheet holds no more links; the paths stand as texts from there on."""
OPTIONS = {
    "constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False,
}  # fmt: skip
LOOKS: dict[str, dict[str, Any]] = {
    "head": {"bold": True, "font_color": "#FFFFFF", "bg_color": "#1F3864", "text_wrap": True, "valign": "vcenter"},
    "text": {"quote_prefix": True},
    "bad": {"quote_prefix": True, "font_color": "#C00000"},
    "money": {"num_format": "#,##0;[Red]-#,##0"},
    "cost": {"num_format": "#,##0.0000"},
    "count": {"num_format": "0"},
    "share": {"num_format": "0 %"},
    "link": {"font_color": "#006100", "underline": 1},
}
# head, what stands there, its look, width
COLUMNS = (
    ("Scenario", "name", "text", 28), ("State", "state", "text", 12), ("Title", "title", "text", 40),
    ("Recommended", "fleet", "text", 18), ("Tier", "tier", "text", 12), ("Unit cost", "unit_cost", "cost", 12),
    ("Unit", "unit", "text", 19), ("Total cost", "total_cost", "money", 15), ("Currency", "currency", "text", 9),
    ("Next best", "second", "text", 18), ("Its unit cost", "second_cost", "cost", 12),
    ("Fleets ranked", "ranked", "count", 8), ("Fleets", "fleets", "count", 8),
    ("Recalled or stale", "recalled", "share", 9), ("Warnings", "warnings", "count", 9),
)  # fmt: skip
CASH, FIRST_LINK = len(COLUMNS), len(COLUMNS) + 1
PERIODS = 3
"""Column of the first period on the sheet Cash."""


def write(file: BinaryIO, records: Iterable[Record]) -> None:
    """Write the workbook row by row. Raises OSError."""
    book: Any = Workbook(file, OPTIONS)
    book.set_properties({"title": "Summary of a batch", "keywords": "tco", "created": datetime.datetime(2000, 1, 1)})
    looks = {name: book.add_format(look) for name, look in LOOKS.items()}
    sheets = {name: book.add_worksheet(name) for name in ("Scenarios", "Cash", "Problems", "About")}
    _heads(sheets, looks)
    count = problems = 0
    for count, one in enumerate(records, 1):
        if count <= ROWS:
            _row(sheets["Scenarios"], looks, count, one)
            _cash(sheets["Cash"], looks, count, one)
        for line in one.why:
            problems += 1
            if problems <= ROWS:
                _texts(sheets["Problems"], looks["text"], problems, (one.name, one.state, line))
    sheets["Scenarios"].autofilter(0, 0, min(count, ROWS), FIRST_LINK + len(KINDS) - 1)
    _about(sheets["About"], looks, count)
    try:
        book.close()
    except FileCreateError as error:
        raise OSError(str(error)) from error


def _heads(sheets: dict[str, Any], looks: dict[str, Any]) -> None:
    heads = [head for head, *_ in COLUMNS]
    rows = {
        "Scenarios": [
            *heads,
            "Cash by period",
            *(kind.capitalize() if kind.islower() else kind for kind in KINDS.values()),
        ],
        "Cash": ["Scenario", "Fleet", "First period", "Cash of the recommended fleet, one column a period"],
        "Problems": ["Scenario", "State", "Problem"],
    }
    for name, words in rows.items():
        sheets[name].freeze_panes(1, 1)
        _texts(sheets[name], looks["head"], 0, words)
        sheets[name].set_column(0, 0, COLUMNS[0][-1])
    for column, (*_, width) in enumerate(COLUMNS):
        sheets["Scenarios"].set_column(column, column, width)
    sheets["Scenarios"].set_column(CASH, CASH, 22)
    sheets["Problems"].set_column(1, 1, 24)
    sheets["Problems"].set_column(2, 2, 110)
    sheets["About"].set_column(0, 0, 24)
    sheets["About"].set_column(1, 1, 90)


def _texts(sheet: Any, look: Any, row: int, words: Sequence[str]) -> None:
    for column, text in enumerate(words):
        sheet.write_string(row, column, clean(text), look)


def _row(sheet: Any, looks: dict[str, Any], row: int, one: Record) -> None:
    for column, (_, name, look, _) in enumerate(COLUMNS):
        value = getattr(one, name)
        if isinstance(value, str):
            sheet.write_string(row, column, clean(value), looks["bad" if value == FAILED else look])
        elif value is not None and one.state != FAILED:
            sheet.write_number(row, column, value, looks[look])
    if one.cash:
        cells = f"Cash!{xl_range(row, PERIODS, row, PERIODS + len(one.cash) - 1)}"
        sheet.add_sparkline(row, CASH, {"range": cells, "type": "column", "negative_points": True})
    for at, kind in enumerate(KINDS.values()):
        path = dict(one.links).get(kind)
        if path and row * len(KINDS) <= LINKS:
            sheet.write_url(row, FIRST_LINK + at, f"external:{path}", looks["link"], kind)
        elif path:
            sheet.write_string(row, FIRST_LINK + at, path, looks["text"])


def _cash(sheet: Any, looks: dict[str, Any], row: int, one: Record) -> None:
    _texts(sheet, looks["text"], row, (one.name, one.fleet, one.start))
    for at, value in enumerate(one.cash):
        sheet.write_number(row, PERIODS + at, value, looks["money"])


def _about(sheet: Any, looks: dict[str, Any], count: int) -> None:
    told = {
        "Scenarios": f"{count}" + (f"; rows beyond {ROWS} stand in results.csv" if count > ROWS else ""),
        "Unit cost": "levelised, of the recommended fleet: the cheapest that does the whole work",
        "Total cost": "cash over the scenario's own horizon, in its own currency",
        "Problems": "why a scenario failed, and why no fleet can do the work where none can",
        **engine(),
    }
    for row, pair in enumerate(told.items()):
        _texts(sheet, looks["text"], row, pair)
