"""Rules of a workbook that can be read from its cells: each returns complaints. Works for any workbook of tco."""

# pyright: basic
from __future__ import annotations

import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from openpyxl.formula import Tokenizer
from openpyxl.formula.translate import Translator

from tco.units import CONSTANTS, unit
from tco.workbook.book import letters
from tco.workbook.opened import Key, Opened, place
from tests.workbook.test_rules import ALLOWED, LONGEST, REFERENCES

FIRST_PERIOD = 7
LONG = ("frozen_weights",)
"""Lines whose formula is longer than eighty characters, to be split."""
WORDS = ("flag", "word", "n/a", "1")


def is_calc(key: Key) -> bool:
    return key[0].startswith("Calc_")


def one_formula_a_row(book: Opened) -> Iterator[str]:
    """F1: the formula of the first period, copied to the right, is that of every later one."""
    for (sheet, row, column), text in book.formulas.items():
        first = book.formulas.get((sheet, row, FIRST_PERIOD))
        if sheet.startswith("Calc_") and column > FIRST_PERIOD and row > 1 and first is not None:
            origin, target = f"{letters(FIRST_PERIOD - 1)}{row}", f"{letters(column - 1)}{row}"
            if Translator(first, origin=origin).translate_formula(target) != text:
                yield f"{place((sheet, row, column))} {text}"


def formulas(book: Opened) -> Iterator[str]:
    """F2 to F5 and F8: numbers, length, nesting, functions; of a row of periods the first stands for all.

    A subtotal may add more parts than six: a reader ticks them off.
    """
    known = {key for name in LONG for key in _places(book, name)}
    for key, text in book.formulas.items():
        if key[:2] not in known and (not is_calc(key) or key[2] <= FIRST_PERIOD):
            yield from (f"{place(key)} {wrong}: {text}" for wrong in _formula(text, is_calc(key)))


def _places(book: Opened, line: str) -> Iterator[tuple[str, int]]:
    """Rows of the calculation sheets that bear a line's name."""
    for sheet in (name for name in book.sheets if name.startswith("Calc_")):
        last = max(max(cells) for cells in book.rows[sheet].values())
        yield from ((sheet, row) for row, cells in book.rows[sheet].items() if cells.get(last) == line)


def _formula(text: str, calculation: bool) -> Iterator[str]:
    items = [item for item in Tokenizer(text).items if item.type != "WHITE-SPACE"]
    if any(item.subtype == "NUMBER" and item.value not in ("0", "1") for item in items):
        yield "holds a number"
    references = {item.value for item in items if item.subtype == "RANGE" and item.value not in CONSTANTS}
    sums = {item.value for item in items if item.type == "OPERATOR-INFIX"} == {"+"} and len(references) * 2 == len(
        items
    ) + 1
    if calculation and (len(text) - 1 > LONGEST or (len(references) > REFERENCES and not sums)):
        yield "is long"
    stack, deepest = list[bool](), 0
    for item in items:
        if item.type == "FUNC" and item.subtype == "OPEN":
            stack.append(item.value == "IF(")
            deepest = max(deepest, sum(stack))
            if item.value[:-1] not in ALLOWED:
                yield f"calls {item.value[:-1]}"
        elif item.type == "FUNC":
            stack.pop()
    if deepest > 1:
        yield "nests IF"


def labels_and_units(book: Opened) -> Iterator[str]:
    """L1: on a calculation sheet each line has a name of its own, a label, and a unit that can be read."""
    for sheet in (name for name in book.sheets if name.startswith("Calc_")):
        rows = book.rows[sheet]
        last = max(max(cells) for cells in rows.values())
        names = Counter(cells[last] for cells in rows.values() if last in cells)
        for row, cells in rows.items():
            if row > 8 and last in cells:
                if not cells.get(2) or names[cells[last]] > 2:
                    yield f"{sheet}!B{row}: {cells.get(2)!r} for {cells[last]}"
                if (text := str(cells.get(3) or "")) not in WORDS:
                    try:
                        unit(re.sub(r"\b(USD|EUR)\b", "money", text))
                    except Exception as error:
                        yield f"{sheet}!C{row}: {text!r} ({error})"


def names(book: Opened) -> Iterator[str]:
    """F11: every name leads to visible cells that hold something."""
    for name in book.names:
        cells = book.named(name)
        if not cells or any(book.values.get(key) is None for key in cells):
            yield f"{name}: {book.names[name]}"


def nothing_hidden(path: Path) -> Iterator[str]:
    """S2, S7, P3: no link to other files, nothing hidden, merged, or that runs."""
    with zipfile.ZipFile(path) as parts:
        for name in parts.namelist():
            if re.search("external|vba|comments|macro|embed|activex", name, re.IGNORECASE):
                yield name
            if name.startswith(("xl/worksheets/sheet", "xl/workbook")):
                text = parts.read(name).decode()
                yield from (f"{name}: {word}" for word in ('hidden="1"', "<mergeCell", "eryHidden") if word in text)
            if name.endswith(".rels") and 'TargetMode="External"' in parts.read(name).decode():
                yield f"{name}: leads outside"


def errors(book: Opened) -> Iterator[str]:
    """No cell shows an error."""
    for key, value in book.values.items():
        if isinstance(value, str) and re.match(r"#(DIV/0!|N/A|NAME\?|NUM!|REF!|VALUE!|NULL!)|Err:", value):
            yield f"{place(key)}: {value}"


def sheets_in_order(book: Opened) -> Iterator[str]:
    """S1: presentation, foundation, workings, comparison, control."""
    order = ["Cover", "Summary", "Inputs", "Time", "Units", "Calc_", "Compare", "Checks", "Data", "Method", "Log"]
    found: list[Any] = [next((i for i, one in enumerate(order) if name.startswith(one)), None) for name in book.sheets]
    known = [number for number in found if number is not None]
    if known != sorted(known) or set(known) != set(range(len(order))):
        yield ", ".join(book.sheets)
