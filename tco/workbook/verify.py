"""Verification: a workbook's formulas recomputed by another engine and compared with what is stored."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

from tco.errors import Problem, ScenarioError
from tco.workbook.safety import check_safe

TOLERANCE = 1e-9
SHOWN = 20

Key = tuple[str, int, int]
Cells = dict[Key, Any]


def verified(path: Path) -> tuple[str, bool]:
    """What was found, in lines, and whether all of it agrees. Raises ScenarioError for a file that is no workbook."""
    check_safe(path)
    formulas, cached = _read(path)
    if not formulas:
        _refuse(path, "the workbook holds no formula; it was not written by tco, or saved as values")
    told = [f"{path}: {len(formulas):,} formulas"]
    good = True
    if importlib.util.find_spec("formualizer") is None:
        told.append("formulas were not recomputed: install the extra `verify` (pip install 'tco-engine[verify]')")
    else:
        wrong = differences(cached, recomputed(path, formulas), formulas)
        good = not wrong
        told.append(
            f"recomputed by formualizer: {len(formulas) - len(wrong):,} equal the stored values, {len(wrong):,} differ"
        )
        told += [f"  {item}" for item in wrong[:SHOWN]]
    agrees, lines = _against_engine(path, cached)
    return "\n".join([*told, *lines]), good and agrees


def _refuse(path: Path, text: str) -> None:
    raise ScenarioError([Problem(text, file=str(path))])


def _read(path: Path) -> tuple[set[Key], Cells]:
    """Places of the formulas, and the stored value of every filled cell."""
    import openpyxl

    try:
        formulas = {key for key, cell in _cells(openpyxl.load_workbook(path)) if cell.data_type == "f"}
        values = {key: cell.value for key, cell in _cells(openpyxl.load_workbook(path, data_only=True))}
    except (KeyError, ValueError, TypeError, OSError) as error:
        raise ScenarioError([Problem(f"cannot be read as a workbook: {error}", file=str(path))]) from error
    return formulas, values


def _cells(book: Any) -> list[tuple[Key, Any]]:
    return [
        ((sheet.title, cell.row, cell.column), cell)
        for sheet in book.worksheets
        for row in sheet.iter_rows()
        for cell in row
        if cell.value is not None
    ]


_ERRORS = {"Div": "#DIV/0!", "Na": "#N/A", "Value": "#VALUE!", "Ref": "#REF!", "Name": "#NAME?", "Num": "#NUM!"}


def recomputed(path: Path, cells: set[Key]) -> Cells:
    """The cells as formualizer computes them."""
    engine: Any = importlib.import_module("formualizer")
    book = engine.load_workbook(str(path))
    book.evaluate_all()
    found: Cells = {}
    for sheet, row, column in cells:
        value = book.get_value(sheet, row, column)
        found[sheet, row, column] = _ERRORS.get(str(value.get("kind")), value) if isinstance(value, dict) else value  # pyright: ignore
    return found


def differences(expected: Cells, found: Cells, cells: set[Key]) -> list[str]:
    """Cells that differ by more than the tolerance of the largest number of their row."""
    largest: dict[tuple[str, int], float] = {}
    for sheet, row, column in cells:
        value = expected.get((sheet, row, column))
        if isinstance(value, int | float):
            largest[sheet, row] = max(largest.get((sheet, row), 0.0), abs(value))
    return [
        f"{sheet}!{_letters(column)}{row}: {expected.get(key)!r} is stored, {found.get(key)!r} is computed"
        for key in sorted(cells)
        for sheet, row, column in [key]
        if not _equal(expected.get(key), found.get(key), largest.get((sheet, row), 0.0))
    ]


def _equal(one: Any, two: Any, scale: float) -> bool:
    if isinstance(one, int | float) and isinstance(two, int | float):
        return abs(one - two) <= TOLERANCE * max(abs(one), abs(two), scale)
    return _text(one) == _text(two)


def _text(value: Any) -> str:
    """Texts and dates alike; an empty cell is an empty text."""
    return str(value if value is not None else "").removesuffix(" 00:00:00")


def _letters(column: int) -> str:
    text = ""
    while column:
        column, rest = divmod(column - 1, 26)
        text = chr(65 + rest) + text
    return text


def _against_engine(path: Path, cached: Cells) -> tuple[bool, list[str]]:
    """The long table of the Data sheet against NAME.json beside the workbook."""
    beside = path.with_suffix(".json")
    try:
        held = json.loads(beside.read_text())
        numbers = {
            (fleet["id"], name): line["value"] for fleet in held["fleets"] for name, line in fleet["lines"].items()
        }
        labels = held["timeline"]["labels"]
    except (OSError, ValueError, KeyError, TypeError):
        return True, [f"not compared with the engine's numbers: {beside.name} is not beside the workbook"]
    wrong, compared = list[str](), 0
    for fleet, line, period, value in _data_rows(cached):
        expected = numbers.get((fleet, line))
        if isinstance(expected, list):
            expected = expected[labels.index(period)] if period in labels else None  # pyright: ignore
        compared += 1
        if not _equal(expected, value, 0.0):
            wrong.append(f"  {fleet} {line} {period}: {value!r} in the workbook, {expected!r} in {beside.name}")
    told = f"against {beside.name}: {compared - len(wrong):,} numbers equal, {len(wrong):,} differ"
    return not wrong, [told, *wrong[:SHOWN]]


def _data_rows(cached: Cells) -> list[tuple[str, str, str, Any]]:
    rows: dict[int, dict[int, Any]] = {}
    for (sheet, row, column), value in cached.items():
        if sheet == "Data":
            rows.setdefault(row, {})[column] = value
    head_row = next(
        (row for row, cells in sorted(rows.items()) if {"fleet", "value"} <= {str(v).lower() for v in cells.values()}),
        0,
    )
    heads = {str(value).lower(): column for column, value in rows.get(head_row, {}).items()}
    line = heads.get("line", heads.get("line id", 0))
    return [
        (
            str(cells.get(heads["fleet"], "")),
            str(cells.get(line, "")),
            str(cells.get(heads.get("period", 0)) or ""),
            cells.get(heads["value"]),
        )
        for row, cells in sorted(rows.items())
        if row > head_row > 0
    ]
