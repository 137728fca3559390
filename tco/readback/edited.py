"""The workbook that came back: every filled cell as it was left, its formulas, its names, and what it stored last."""

from __future__ import annotations

import datetime
import gc
import math
import re
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tco.errors import Problem, ScenarioError
from tco.workbook.book import Formula, letters
from tco.workbook.safety import check_safe

Place = tuple[str, int, int]
"""Sheet, row from 1, column from 0."""

EPOCH = datetime.datetime(1899, 12, 30)


class Wrong(str):
    """An error value such as `#REF!`."""


class Day(float):
    """A number that is shown as a date."""


Held = float | str
Cells = dict[tuple[int, int], Held]


@dataclass
class Edited:
    """`sheets` hold numbers, texts and formulas; `stored` what the program that saved it last computed."""

    path: Path
    sheets: dict[str, Cells]
    stored: dict[str, Cells]
    names: dict[str, str] = field(default_factory=dict[str, str])
    links: list[str] = field(default_factory=list[str])

    def value(self, place: Place | None) -> Held | None:
        """What stands in a cell."""
        return None if place is None else self.sheets.get(place[0], {}).get(place[1:])

    def computed(self, place: Place | None) -> Held | None:
        """What a cell showed when the workbook was saved, None where nothing was stored."""
        return None if place is None else self.stored.get(place[0], {}).get(place[1:])


def cell_text(place: Place) -> str:
    """`Inputs!D7`."""
    return f"{place[0]}!{letters(place[2])}{place[1]}"


def read_edited(path: Path) -> Edited:
    """Read a workbook. Raises ScenarioError for what is none, or cannot be read."""
    check_safe(path)
    collects = gc.isenabled()
    gc.disable()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _read(path)
    except ScenarioError:
        raise
    except Exception as error:
        told = " ".join(str(error).split())[:200]
        raise ScenarioError([Problem(f"cannot be read as a workbook: {told}", file=str(path))]) from error
    finally:
        if collects:
            gc.enable()


def _read(path: Path) -> Edited:
    import openpyxl

    book: Any = openpyxl.load_workbook(path, keep_links=False)
    stored: Any = openpyxl.load_workbook(path, data_only=True, keep_links=False)
    names = {name.lower(): item.attr_text or "" for name, item in book.defined_names.items()}
    for sheet in book.worksheets:
        names |= {f"{sheet.title}!{name}".lower(): item.attr_text or "" for name, item in sheet.defined_names.items()}
    return Edited(
        path,
        {sheet.title: _cells(sheet) for sheet in book.worksheets},
        {sheet.title: _cells(sheet) for sheet in stored.worksheets},
        names,
        _links(book),
    )


def _cells(sheet: Any) -> Cells:
    found = {(row, column - 1): _held(cell) for (row, column), cell in sheet._cells.items() if cell.value is not None}
    return {place: value for place, value in found.items() if value != ""}


def _held(cell: Any) -> Held:
    """Numbers as numbers, dates as a sheet counts them, formulas marked as such."""
    value = cell.value
    if cell.data_type == "f":
        text = str(getattr(value, "text", value) or "")
        return Formula(text.removeprefix("="))
    if cell.data_type == "e":
        return Wrong(value)
    if isinstance(value, datetime.datetime | datetime.date | datetime.time | datetime.timedelta):
        return Day(_days(value))
    if isinstance(value, bool):
        return Wrong("TRUE" if value else "FALSE")
    if isinstance(value, int | float):
        return float(value) if math.isfinite(value) else Wrong(value)
    return str(value)


def _days(value: Any) -> float:
    if isinstance(value, datetime.timedelta):
        return value.total_seconds() / 86400
    if isinstance(value, datetime.time):
        return (value.hour * 3600 + value.minute * 60 + value.second) / 86400
    moment = value if isinstance(value, datetime.datetime) else datetime.datetime(value.year, value.month, value.day)
    return (moment - EPOCH).total_seconds() / 86400


def _links(book: Any) -> list[str]:
    """Cells that read another workbook."""
    return [
        f"{sheet.title}!{cell.coordinate}"
        for sheet in book.worksheets
        for cell in sheet._cells.values()
        if cell.data_type == "f" and outside(str(getattr(cell.value, "text", cell.value)))
    ]


def outside(formula: str) -> bool:
    """Whether a formula reads another file: `[1]Sheet!A1`, `'C:/[book.xlsx]Sheet'!A1`."""
    return re.search(r"\[[^\]]*\][^\]!]*!|WEBSERVICE\(", formula) is not None
