"""Tables of cases as files: rows of cells, read in parts; what a cell may not hold is told by its address."""

from __future__ import annotations

import contextlib
import csv
import itertools
import re
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from tco.errors import Problem, ScenarioError
from tco.workbook.book import letters

ROWS = 65_536
"""Rows that are read together."""

SHOWN = 50
"""Problems that are told one by one."""

Row = Sequence[Any]
Part = list[Row] | NDArray[np.float64]
"""Rows of cells, or of numbers where every cell is a plain number."""


@dataclass
class Complaints:
    """What is wrong with a file, cell by cell; counted beyond the first few."""

    name: str
    problems: list[tuple[int, int, Problem]] = field(default_factory=list[tuple[int, int, Problem]])
    count: int = 0

    def add(self, column: int, row: int, text: str) -> None:
        """Note a problem of a cell: its column from 0, its row from 1."""
        self.count += 1
        if len(self.problems) < SHOWN:
            self.problems.append((row, column, Problem(text, file=f"{self.name} cell {letters(column)}{row}")))

    def refuse(self, text: str) -> None:
        """The file as a whole cannot be read. Raises ScenarioError."""
        raise ScenarioError([Problem(text, file=self.name)])

    def stop(self) -> None:
        """Raise ScenarioError when there are any."""
        if not self.problems:
            return
        more = self.count - len(self.problems)
        told = [Problem(f"{more:,} more cells are wrong", file=self.name)] if more else []
        raise ScenarioError([*(one for *_, one in sorted(self.problems, key=lambda one: one[:2])), *told])


@contextlib.contextmanager
def parts(path: Path, wrong: Complaints) -> Generator[Iterator[Part]]:
    """Rows in parts, the first with the heads; blank rows at the end are left out. Raises ScenarioError."""
    kind = path.suffix.lower()
    try:
        if kind == ".xlsx":
            with _sheet(path, wrong) as rows:
                yield _parted(rows)
        elif kind in (".csv", ".tsv", ".txt"):
            with open(path, encoding="utf-8-sig", newline="") as file:
                yield _of_text(file, wrong)
        else:
            wrong.refuse("wanted a table of cases that ends in .csv or .xlsx")
    except OSError as error:
        wrong.refuse(f"cannot be read: {(error.strerror or str(error)).lower()}")
    except UnicodeDecodeError:
        wrong.refuse("is not UTF-8; save it as `CSV UTF-8`")


def _parted(rows: Iterator[Row]) -> Iterator[Part]:
    part, blank = list[Row](), list[Row]()
    for row in rows:
        if not any(cell not in (None, "") for cell in row):
            blank.append(row)
            continue
        part += [*blank, row]
        blank.clear()
        if len(part) >= ROWS:
            yield part
            part = []
    if part:
        yield part


def _of_text(file: IO[str], wrong: Complaints) -> Iterator[Part]:
    """The heads, then rows; lines that hold nothing but numbers are read as such, which is ten times as fast."""
    head = file.readline()
    if "\x00" in head:
        wrong.refuse("holds binary data; wanted text with commas, or a workbook that ends in .xlsx")
    sign = max(",;\t", key=head.count)
    if '"' in head:
        file.seek(0)
        yield from _parted(_rows(file, sign, wrong))
        return
    yield from _parted(_rows([head], sign, wrong))
    done = 1
    while lines := list(itertools.islice(file, ROWS)):
        numbers = _numbers(lines, sign)
        if numbers is None:
            yield from _parted(_rows(itertools.chain(lines, file), sign, wrong, done))
            return
        yield numbers
        done += len(lines)


def _numbers(lines: list[str], sign: str) -> NDArray[np.float64] | None:
    """Lines as rows of plain numbers; None where some cell is none."""
    if not _SIGNS.fullmatch("".join(lines)):
        return None
    try:
        found = np.loadtxt(lines, dtype=np.float64, delimiter=sign, comments=None, ndmin=2)
    except ValueError:
        return None
    return found if len(found) == len(lines) else None


_SIGNS = re.compile(r"[-+0-9.,;\t\r\n]*")


def _rows(lines: Iterable[str], sign: str, wrong: Complaints, done: int = 0) -> Iterator[Row]:
    reader = csv.reader(lines, delimiter=sign, strict=True)
    try:
        yield from reader
    except csv.Error as error:
        wrong.refuse(f"line {done + reader.line_num}: {error}; look for a quote without its end")


@contextlib.contextmanager
def _sheet(path: Path, wrong: Complaints) -> Generator[Iterator[Row]]:
    """Rows of the first sheet, without holding it in memory."""
    import openpyxl

    from tco.workbook.safety import check_safe

    check_safe(path)
    try:
        book: Any = openpyxl.load_workbook(path, read_only=True)
    except (ValueError, KeyError, TypeError) as error:
        wrong.refuse(f"cannot be read as a workbook: {error}")
        raise
    try:
        sheet = book.worksheets[0] if book.worksheets else None
        if sheet is None:
            wrong.refuse("holds no sheet with cells")
            return
        if merged := _merged(sheet):
            wrong.refuse(f"cells {merged} of `{sheet.title}` are merged; a case is one row of single cells")
        sheet.reset_dimensions()
        yield _cells(sheet, wrong)
    finally:
        book.close()


def _merged(sheet: Any) -> str:
    """The first merged cells of a sheet that is read in parts, which openpyxl does not tell."""
    tail = b""
    with sheet._get_source() as source:
        while part := source.read(1 << 20):
            if found := re.search(rb'<mergeCell ref="([A-Z0-9:]+)"', tail + part):
                return found[1].decode()
            tail = part[-64:]
    return ""


def _cells(sheet: Any, wrong: Complaints) -> Iterator[Row]:
    for number, row in enumerate(sheet.iter_rows(), 1):
        yield [_cell(cell, at, number, wrong) for at, cell in enumerate(row)]


def _cell(cell: Any, column: int, row: int, wrong: Complaints) -> Any:
    value = cell.value
    if value is None or isinstance(value, bool):
        return value
    told = ""
    if cell.data_type == "f":
        told = "holds a formula; put its value there (copy, paste as values)"
    elif cell.data_type == "e":
        told = f"holds the error {value}"
    elif isinstance(value, datetime | date | time | timedelta):
        told = f"holds a date or time ({value}); write it as text, such as '2027-01"
    elif isinstance(value, int | float) and "%" in (cell.number_format or ""):
        return Shown(value)
    if told:
        wrong.add(column, row, told)
        return None
    return value


class Shown(float):
    """A number that its cell shows as a percentage."""
