"""XlsxWriter with its doors closed: text is text, numbers are finite, and what is not written is an error.

Rows count from 1 and columns from 0 (A), so that a row number here is the one a reader sees.
"""

from __future__ import annotations

import functools
import io
import math
import re
import textwrap
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tco.workbook.styles import Style, Styles
from tco.workbook.styling import Page, StyledWorkbook

Value = float | str

LONGEST_TEXT = 32_767
WRAPPING = {
    "wrapped", "wrapped right", "heading", "heading right", "heading inside", "label wrapped", "label greyed", "unit",
    "id", "code", "state", "wrapped quiet", "link wrapped", "headline wrapped", "wrapped names",
}  # fmt: skip
ROOM = {
    "label wrapped": 1.25, "wrapped right": 1.1, "link wrapped": 1.1, "headline wrapped": 1.0,
    "code": 0.97, "id": 1.0, "unit": 1.0, "heading": 1.0,
    "heading right": 1.0, "heading inside": 1.0, "wrapped names": 0.95,
}  # fmt: skip
"""Characters that fit in a width of one; prose has more narrow letters than names have."""
PROSE = 1.2
_UNWRITABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


class Formula(str):
    """The text of a formula, without `=`."""


class NotWritten(Exception):
    """XlsxWriter left a cell out; a mistake of this package, never of the user."""


@functools.cache
def letters(column: int) -> str:
    """The letters of a column counted from 0: A, B … AA."""
    head, tail = divmod(column, 26)
    return (letters(head - 1) if head else "") + chr(65 + tail)


def at(column: int, row: int, sheet: str = "") -> str:
    """A fixed reference such as `$D$5` or `Inputs!$D$5`."""
    return f"{sheet + '!' if sheet else ''}${letters(column)}${row}"


def span(first: int, last: int, row: int, last_row: int = 0, sheet: str = "") -> str:
    """A fixed range such as `Inputs!$G$5:$J$5`."""
    return f"{at(first, row, sheet)}:{at(last, last_row or row)}"


def quoted(text: str) -> str:
    """A text as a formula writes it."""
    return '"' + clean(text, 200).replace('"', '""') + '"'


@functools.lru_cache(maxsize=4096)
def clean(text: str, longest: int = LONGEST_TEXT) -> str:
    """The text without what a file cannot hold or an eye cannot see; a cut is marked."""
    if text.isascii() and text.isprintable() and len(text) <= longest:
        return text
    visible = _UNWRITABLE.sub("\ufffd", text)
    room = len(visible) if visible.isascii() else len(visible.encode("utf-16-le")) // 2
    if room <= longest:
        return visible
    kept = visible.encode("utf-16-le")[: 2 * (longest - 6)].decode("utf-16-le", "ignore")
    return kept + " [cut]"


@functools.lru_cache(maxsize=4096)
def _lines(text: str, room: int) -> int:
    """Into how many lines a text breaks, counted up to what a row can show."""
    return 1 if len(text) <= room else len(textwrap.wrap(text[: 40 * room], room))


class Sheet:
    """One sheet; every cell goes through one of its methods. A `frozen` one holds values only (`tco share`)."""

    frozen = False

    def __init__(self, name: str, raw: Any, styles: Styles, master: str) -> None:
        self.name, self.raw, self.styles, self.master = name, raw, styles, master
        self._lines: dict[tuple[int, int], tuple[str, str]] = {}
        self._widths: dict[int, float] = {}
        self._grouped: set[int] = set()

    def text(self, row: int, column: int, text: str, style: Style = "text") -> None:
        """Write text that stays text, whatever it begins with."""
        if style in WRAPPING and len(text) > 8:
            self._lines[(row, column)] = (text, str(style))
        self.raw.put_text(row - 1, column, clean(text), self.styles[style])

    def number(self, row: int, column: int, value: float, style: Style = "number") -> None:
        """Write a number."""
        if not math.isfinite(value):
            raise NotWritten(f"{self.name}!{letters(column)}{row} would hold {value}")
        self.raw.put_number(row - 1, column, float(value), self.styles[style])

    def formula(self, row: int, column: int, formula: str, value: Value, style: Style = "number") -> None:
        """Write a formula (without `=`) and the value that it gives."""
        shown = clean(value) if isinstance(value, str) else value
        if isinstance(shown, str) and style[0] in WRAPPING:
            self._lines[(row, column)] = (shown, style[0])
        if not isinstance(shown, str) and not math.isfinite(shown):
            raise NotWritten(f"{self.name}!{letters(column)}{row} would hold {shown}")
        self.raw.put_formula(row - 1, column, formula, shown, self.styles[style])

    def blank(self, row: int, columns: Iterable[int], style: Style) -> None:
        """Give empty cells a look."""
        for column in columns:
            self.raw.put_blank(row - 1, column, self.styles[style])

    def across(self, row: int, column: int, template: str, values: Sequence[Value], style: Style = "number") -> None:
        """One formula along the periods: `{c}` is the cell's own column, `{p}` the one before."""
        for index, value in enumerate(values, column):
            text = template.replace("{c}", letters(index))
            self.formula(row, index, text.replace("{p}", letters(index - 1)) if "{p}" in text else text, value, style)

    def link(
        self, row: int, column: int, target: str, text: str, *, to_row: int = 1, style: Style = "link text"
    ) -> None:  # fmt: skip
        """A link inside the workbook whose text says where it goes."""
        done = self.raw.write_url(row - 1, column, f"internal:'{target}'!A{to_row}", self.styles[style], text)
        self._written(done, row, column)

    def texts(self, row: int, column: int, texts: Iterable[str], style: Style = "text") -> None:
        """Several texts side by side."""
        for index, text in enumerate(texts, column):
            self.text(row, index, text, style)

    def widths(self, widths: Sequence[float], first: int = 0) -> None:
        """Widths of columns in characters, from `first` on."""
        for index, width in enumerate(widths, first):
            self._widths[index] = width
            self._written(self.raw.set_column(index, index, width), 1, index)

    def width(self, column: int) -> float:
        """The width of a column."""
        return self._widths.get(column, 8.43)

    def group(self, rows: Iterable[int]) -> None:
        """Rows that a click folds away."""
        self._grouped.update(rows)

    def heights(self) -> None:
        """Rows as high as their wrapped text: not every program finds that out by itself."""
        if not self.raw.fits():
            raise NotWritten(f"{self.name} has more rows or columns than a sheet")
        high: dict[int, int] = {}
        for (row, column), (text, style) in self._lines.items():
            room = int(max(self.width(column) * ROOM.get(style, PROSE) - 1, 1))
            if len(text) > room or "\n" in text:
                lines = sum(_lines(part, room) for part in text[:LONGEST_TEXT].split("\n"))
                high[row] = max(high.get(row, 1), min(lines, 30))
        tall = {row for row, lines in high.items() if lines > 1}
        for row in sorted(tall | self._grouped):
            height = 12.8 * high[row] + 1 if row in tall else None
            self.raw.set_row(row - 1, height, None, {"level": 1} if row in self._grouped else {})

    def _written(self, code: int | None, row: int, column: int) -> None:
        if code:
            raise NotWritten(f"{self.name}!{letters(column)}{row} was not written (code {code})")


def _held(cell: Any, texts: dict[int, str]) -> Value | Formula:
    """A cell of XlsxWriter's table; one with a look only is shorter."""
    kind = type(cell).__name__
    if kind == "Formula":
        return Formula(cell.formula)
    return texts[cell.string] if kind == "String" else float(cell.number)


class Book:
    """The workbook under construction: sheets in order, styles, names; `master` is what the master check says."""

    def __init__(self, master: str, make_sheet: Callable[..., Sheet] = Sheet) -> None:
        self.master, self._make_sheet = master, make_sheet
        self.stream = io.BytesIO()
        options = {
            "in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False,
            "default_format_properties": {"font_name": "Arial", "font_size": 10},
        }  # fmt: skip
        self.raw: Any = StyledWorkbook(self.stream, options)
        self.styles = Styles(self.raw.named_format)
        self.sheets: dict[str, Sheet] = {}
        self.names: dict[str, tuple[str, str]] = {}

    def sheet(self, name: str, tab: str) -> Sheet:
        """Add a sheet at the end."""
        raw = self.raw.add_worksheet(name, Page)
        raw.set_tab_color(tab)
        raw.set_zoom(90)
        raw.hide_gridlines(2)
        self.sheets[name] = self._make_sheet(name, raw, self.styles, self.master)
        return self.sheets[name]

    def name(self, name: str, refers: str, sheet: str = "") -> str:
        """Define a name, of the whole workbook or of one sheet; if it is taken it gets a number. Returns the name."""
        unique, count = name, 1
        while (taken := f"{sheet}!{unique}".lower()) in self.names:
            count += 1
            unique = f"{name}_{count}"
        self.names[taken] = (f"{sheet}!{unique}" if sheet else unique, refers)
        return unique

    def cells(self) -> dict[str, dict[tuple[int, int], Value | Formula]]:
        """What stands in every filled cell, by sheet and by row (from 1) and column (from 0), before it is packed."""
        texts = {index: text for text, index in self.raw.str_table.string_table.items()}
        return {
            name: {
                (row + 1, column): _held(cell, texts)
                for row, cells in sheet.raw.table.items()
                for column, cell in cells.items()
                if len(cell) > 1
            }
            for name, sheet in self.sheets.items()
        }

    def content(self) -> bytes:
        """Close the workbook and return the file; names come last, because they may belong to a sheet."""
        for sheet in self.sheets.values():
            sheet.heights()
        for name, refers in self.names.values():
            if self.raw.define_name(name, f"={refers}"):
                raise NotWritten(f"the name {name} was refused")
        self.raw.close()
        return self.stream.getvalue()
