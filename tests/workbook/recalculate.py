"""Workbooks recalculated: every formula cell as formualizer and as IronCalc compute it, and as the file says.

Both engines are small and fast; neither is trusted alone. Values are numbers, texts, or error texts such as `#DIV/0!`.
"""

# pyright: basic
from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import openpyxl

Cells = dict[tuple[str, str], Any]
RELATIVE = 1e-9

_ERRORS = {
    "Div": "#DIV/0!",
    "Na": "#N/A",
    "Value": "#VALUE!",
    "Ref": "#REF!",
    "Name": "#NAME?",
    "Num": "#NUM!",
    "Null": "#NULL!",
}


def _place(cell: str) -> tuple[int, int]:
    """Row and column, both from 1, of `B7`."""
    letters, row = re.fullmatch(r"\$?([A-Z]+)\$?([0-9]+)", cell).groups()  # type: ignore[union-attr]
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - 64
    return int(row), column


def plain(value: Any) -> Any:
    """A date as the number that a sheet holds, a yes or no as 1 or 0, the rest as it is."""
    if isinstance(value, datetime.date):
        day = value.date() if isinstance(value, datetime.datetime) else value
        return float((day - datetime.date(1899, 12, 30)).days)
    return float(value) if isinstance(value, bool | int) else value


def formulas(path: Path) -> dict[tuple[str, str], str]:
    """The text of every formula."""
    book = openpyxl.load_workbook(path)
    return {
        (sheet.title, cell.coordinate): str(cell.value)
        for sheet in book.worksheets
        for row in sheet.iter_rows()
        for cell in row
        if cell.data_type == "f"
    }


def cached(path: Path) -> Cells:
    """What a viewer that cannot calculate shows in every filled cell."""
    book = openpyxl.load_workbook(path, data_only=True)
    return {
        (sheet.title, cell.coordinate): plain(cell.value)
        for sheet in book.worksheets
        for row in sheet.iter_rows()
        for cell in row
        if cell.value is not None
    }


def formualizer(
    path: Path, cells: Iterable[tuple[str, str]], changes: Mapping[tuple[str, str], float] | None = None
) -> Cells:
    """The cells as formualizer computes them after the changes."""
    import formualizer as engine

    book = engine.load_workbook(str(path))
    for (sheet, cell), value in (changes or {}).items():
        book.set_value(sheet, *_place(cell), value)
    book.evaluate_all()

    def read(sheet: str, cell: str) -> Any:
        value = book.get_value(sheet, *_place(cell))
        return _ERRORS.get(str(value.get("kind")), value) if isinstance(value, dict) else plain(value)

    return {key: read(*key) for key in cells}


def ironcalc(
    path: Path, cells: Iterable[tuple[str, str]], changes: Mapping[tuple[str, str], float] | None = None
) -> Cells:
    """The cells as IronCalc computes them after the changes (raw values, never formatted ones)."""
    import ironcalc as engine

    book = engine.load_from_xlsx(str(path), "en", "UTC", "en")
    names = [dict(item).get("name") for item in book.get_worksheets_properties()]
    sheets = {name: index for index, name in enumerate(names)}
    for (sheet, cell), value in (changes or {}).items():
        book.update_cell_with_number(sheets[sheet], *_place(cell), value)
    book.evaluate()
    return {(sheet, cell): book.get_cell_value(sheets[sheet], *_place(cell)) for sheet, cell in cells}


ENGINES: dict[str, Callable[..., Cells]] = {"formualizer": formualizer, "ironcalc": ironcalc}


def differences(expected: Cells, found: Cells, cells: Iterable[tuple[str, str]]) -> list[str]:
    """Cells that differ by more than the relative tolerance of the largest number of their row."""
    wanted = list(cells)
    largest: dict[tuple[str, int], float] = {}
    for sheet, cell in wanted:
        value = expected.get((sheet, cell))
        if isinstance(value, int | float):
            key = (sheet, _place(cell)[0])
            largest[key] = max(largest.get(key, 0.0), abs(value))
    wrong = []
    for key in wanted:
        one, two = plain(expected.get(key)), plain(found.get(key))
        if isinstance(one, int | float) and isinstance(two, int | float):
            size = max(abs(one), abs(two), largest[(key[0], _place(key[1])[0])])
            if abs(one - two) <= RELATIVE * size:
                continue
        elif (one or "") == (two or ""):
            continue
        wrong.append(f"{key[0]}!{key[1]}: {one!r} expected, {two!r} found")
    return wrong
