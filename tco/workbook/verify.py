"""Verification: a workbook's formulas recomputed by another engine, and its numbers by the engine that issued them."""

from __future__ import annotations

import importlib
import importlib.util
import json
import re
from pathlib import Path
from typing import Any

from tco.errors import Problem, ScenarioError
from tco.workbook.opened import Cells, Key, Opened, place, read
from tco.workbook.safety import check_safe

TOLERANCE = 1e-9
SHOWN = 20
FUNCTIONS = {
    "ABS", "AND", "AVERAGE", "CHOOSE", "COLUMN", "COLUMNS", "COUNT", "COUNTA", "COUNTIF", "EXP", "FALSE", "FLOOR", "IF",
    "IFERROR", "INDEX", "INT", "IRR", "ISBLANK", "ISERROR", "ISNUMBER", "ISTEXT", "LARGE", "LN", "LOOKUP", "MATCH",
    "MAX", "MIN", "MIRR", "MOD", "N", "NA", "NOT", "NPV", "OR", "PMT", "POISSON", "POWER", "PRODUCT", "RANK", "ROUND",
    "ROUNDDOWN", "ROUNDUP", "ROW", "ROWS", "SIGN", "SMALL", "SQRT", "SUM", "SUMIF", "SUMIFS", "SUMPRODUCT", "TRUE",
}  # fmt: skip
"""Arithmetic, and nothing that repeats text, reaches out or moves: nothing else is run."""
LONGEST, DEEPEST = 2_000, 20


def verified(path: Path) -> tuple[str, bool]:
    """What was found, in lines, and whether all of it agrees. Raises ScenarioError for a file that is no workbook."""
    from tco.workbook.against import against_engine

    check_safe(path)
    book = read(path)
    check_ours(book)
    parts = [_recomputed(book), against_engine(book), _against_json(book)]
    told = [f"{path}: {len(book.formulas):,} formulas", *(line for lines, _ in parts for line in lines)]
    return "\n".join(told), all(good for _, good in parts)


def check_ours(book: Opened) -> None:
    """A workbook of somebody else has nothing that it could be held to."""
    if book.shared:
        _refuse(
            book.path, f"is a shared copy, which holds no formulas ({book.shared}); ask its sender for the original"
        )
    missing = [name for name in ("Inputs", "Log", "Data", "Checks") if name not in book.sheets]
    if missing:
        _refuse(book.path, f"is no workbook of `tco run`: it has no sheet {' and no sheet '.join(missing)}")
    if not book.formulas:
        _refuse(book.path, "the workbook holds no formula; it is none of `tco run`, or saved as values")


def _refuse(path: Path, text: str) -> None:
    raise ScenarioError([Problem(text, file=str(path))])


def listed(wrong: list[str]) -> list[str]:
    """The first of many, and how many more there are."""
    more = [f"  and {len(wrong) - SHOWN:,} more"] if len(wrong) > SHOWN else []
    return [*(f"  {item}" for item in wrong[:SHOWN]), *more]


# --- recomputed by another engine ---


def _recomputed(book: Opened) -> tuple[list[str], bool]:
    if importlib.util.find_spec("formualizer") is None:
        return ["formulas were not recomputed: install the extra `verify` (pip install 'tco-engine[verify]')"], True
    if unknown := strange(book.formulas):
        told = f"formulas were not recomputed: {len(unknown):,} are of a kind that tco does not write"
        return [told, *listed(unknown)], False
    empty = [key for key in book.formulas if book.values.get(key) is None and not book.texts_empty(key)]
    if len(empty) == len(book.formulas):
        told = "no formula has a stored value: it was saved by a program that does not calculate"
        return [f"{told}; open it in a spreadsheet, save it, and verify that"], False
    try:
        found = recomputed(book.path, set(book.formulas))
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt | MemoryError):
            raise
        return [f"formulas were not recomputed: formualizer gave up ({str(error).splitlines()[0][:200]})"], False
    wrong = differences(book.values, found, set(book.formulas))
    equal = f"{len(book.formulas) - len(wrong):,} equal the stored values"
    return [f"recomputed by formualizer: {equal}, {len(wrong):,} differ", *listed(wrong)], not wrong


def strange(formulas: dict[Key, str]) -> list[str]:
    """Formulas that would call what tco never calls, or are longer or deeper than it writes."""
    wrong = list[str]()
    for key, text in formulas.items():
        bare = re.sub(r'"[^"]*"', "", text)
        unknown = set(re.findall(r"([A-Za-z_][A-Za-z0-9_.]*)\(", bare)) - FUNCTIONS
        if unknown or len(text) > LONGEST or _depth(bare) > DEEPEST or re.search(r"[\[\]{}|#]", bare):
            wrong.append(f"{place(key)}: {text[:80]}")
    return wrong


def _depth(text: str) -> int:
    depth = deepest = 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        deepest = max(deepest, depth)
    return deepest


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
        f"{place(key)}: {expected.get(key)!r} is stored, {found.get(key)!r} is computed"
        for key in sorted(cells)
        if not equal(expected.get(key), found.get(key), largest.get(key[:2], 0.0))
    ]


def equal(one: Any, two: Any, scale: float = 0.0) -> bool:
    """Whether two values of cells agree: numbers within the tolerance, the rest as text."""
    if isinstance(one, int | float) and isinstance(two, int | float):
        return abs(one - two) <= TOLERANCE * max(abs(one), abs(two), scale)
    return _text(one) == _text(two)


def _text(value: Any) -> str:
    """Texts and dates alike; an empty cell is an empty text."""
    return str(value if value is not None else "").removesuffix(" 00:00:00")


# --- the numbers beside it ---


def _against_json(book: Opened) -> tuple[list[str], bool]:
    """The long table of the sheet Data against NAME.json, where one stands beside the workbook."""
    beside = book.path.with_suffix(".json")
    try:
        held = json.loads(beside.read_text(encoding="utf-8"))
        digest, labels = held["scenario"]["sha256"], ["", *held["timeline"]["labels"]]
        numbers = {
            (fleet["id"], name, label): value
            for fleet in held["fleets"]
            for name, line in fleet["lines"].items()
            for label, value in _spread(line["value"], labels)
        }
    except FileNotFoundError:
        return [f"{beside.name} is not beside the workbook: not compared"], True
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return [f"{beside.name} is not a result that tco wrote: not compared"], True
    if digest != book.digest:
        return [f"{beside.name} is of another scenario (sha256 {str(digest)[:12]}): not compared"], True
    wrong = [
        f"{place(key)}: {' '.join(name)} is {value!r}, {numbers.get(name)!r} in {beside.name}"
        for name, (key, value) in book.data.items()
        if not equal(numbers.get(name), value)
    ]
    told = f"against {beside.name}: {len(book.data) - len(wrong):,} numbers of Data equal, {len(wrong):,} differ"
    return [told, *listed(wrong)], not wrong


def _spread(value: Any, labels: list[str]) -> list[tuple[str, Any]]:
    return list(zip(labels[1:], value, strict=True)) if isinstance(value, list) else [("", value)]  # pyright: ignore
