"""CSV and Excel files as a grid. A workbook is looked at as a stream before a reader opens it."""

from __future__ import annotations

import contextlib
import csv
import datetime
import io
from pathlib import Path
from typing import Any

from tco.importing.quotes.cells import Asked, Cell, Findings, Grid, Merged, Value, letters
from tco.importing.source import MEGABYTE, plain, read_bytes, refuse

LARGEST = 20 * MEGABYTE
MOST_ROWS, MOST_COLUMNS = 5_000, 100
DELIMITERS = {";": "semicolons", ",": "commas", "\t": "tabs", "|": "bars"}
ENCODINGS = {"cp1252": "Windows-1252"}


def read_grid(path: Path, asked: Asked, found: Findings) -> Grid:
    """The sheet that holds the offer. Raises ImportRefused, and ScenarioError for a hostile workbook."""
    if path.suffix.lower() in (".xlsx", ".xlsm"):
        return _workbook(path, asked, found)
    if path.suffix.lower() not in (".csv", ".txt", ".tsv"):
        refuse(plain(path.name), "is neither .xlsx nor .csv; save it as one of them")
    return _csv(path, asked, found)


# --- CSV ---


def _csv(path: Path, asked: Asked, found: Findings) -> Grid:
    name = plain(path.name)
    text = _decoded(name, read_bytes(path, LARGEST), asked, found)
    delimiter = asked.delimiter or _delimiter(name, text, found)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        rows = list(reader)
    except csv.Error as error:
        refuse(name, f"line {reader.line_num}: cannot be read as CSV ({error}); look for a quote without its end")
    _bounds(name, len(rows), max((len(row) for row in rows), default=0))
    cells = [
        [Cell(f"{letters(column)}{number}", text.strip() or None) for column, text in enumerate(row)]
        for number, row in enumerate(rows, 1)
    ]
    return Grid("", cells)


def _decoded(name: str, content: bytes, asked: Asked, found: Findings) -> str:
    if b"\x00" in content and not content.startswith((b"\xff\xfe", b"\xfe\xff")):
        refuse(name, "holds binary data, not text; save it as .csv or give it its ending .xlsx")
    marked = "utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    text = None
    for encoding in [asked.encoding] if asked.encoding else [marked, "cp1252"]:
        with contextlib.suppress(UnicodeDecodeError, LookupError):
            text = content.decode(encoding)
            if encoding != "utf-8-sig":
                found.note(f"read as {ENCODINGS.get(encoding, encoding)}")
            break
    if text is None:
        refuse(name, f"is not text in {asked.encoding or 'UTF-8 or Windows-1252'}; state its `--encoding`")
    return text


def _delimiter(name: str, text: str, found: Findings) -> str:
    """The mark that stands outside quotes in most lines."""
    counts = dict.fromkeys(DELIMITERS, 0)
    inside = False
    for letter in text[:200_000]:
        inside = inside != (letter == '"')
        if letter in counts and not inside:
            counts[letter] += 1
    if not any(counts.values()):
        refuse(name, "has one column only; state its `--delimiter`")
    lines = text.count("\n") or 1
    best = ";" if counts[";"] >= lines else max(counts, key=lambda mark: counts[mark])
    found.note(f"columns are separated by {DELIMITERS[best]}")
    return best


def _bounds(name: str, rows: int, columns: int) -> None:
    if rows > MOST_ROWS or columns > MOST_COLUMNS:
        told = f"has {rows:,} rows and {columns:,} columns, at most {MOST_ROWS:,} and {MOST_COLUMNS} are read"
        refuse(name, f"{told}; cut it down to the offer")


# --- Excel ---


def _workbook(path: Path, asked: Asked, found: Findings) -> Grid:
    from tco.workbook.safety import check_safe

    name = plain(path.name)
    read_bytes(path, LARGEST)
    check_safe(path)
    import openpyxl

    try:
        values, formulas = (openpyxl.load_workbook(path, data_only=only) for only in (True, False))
    except Exception as error:  # a reader of strangers' files fails in many ways
        refuse(name, f"cannot be read as a workbook ({type(error).__name__}); open it and save it as .xlsx again")
    if str(getattr(values, "epoch", "")).startswith("1904"):
        found.note("dates count from 1904 (a workbook from a Mac) and were read so")
    sheet = _sheet(name, values, asked, found)
    _bounds(name, sheet.max_row, sheet.max_column)
    other = formulas[sheet.title]
    title = plain(sheet.title, 40)
    rows = [
        [_cell(title, cell, other[cell.coordinate]) for cell in row]
        for row in sheet.iter_rows(max_row=sheet.max_row, max_col=sheet.max_column)
    ]
    hidden = {index - 1 for index, row in sheet.row_dimensions.items() if row.hidden or row.height == 0}
    merged = [_merged(title, area) for area in sheet.merged_cells.ranges]
    return Grid(title, rows, hidden, _hidden_columns(sheet), merged)


def _sheet(name: str, book: Any, asked: Asked, found: Findings) -> Any:
    sheets = book.worksheets
    visible = [sheet for sheet in sheets if sheet.sheet_state == "visible"]
    hidden = [plain(sheet.title, 40) for sheet in sheets if sheet.sheet_state != "visible"]
    names = ", ".join(f"`{plain(sheet.title, 40)}`" for sheet in visible)
    if asked.sheet:
        chosen = [sheet for sheet in sheets if sheet.title == asked.sheet]
        if not chosen:
            refuse(name, f"has no sheet `{plain(asked.sheet, 40)}`; there are {names}")
        if chosen[0].sheet_state != "visible":
            refuse(name, f"the sheet `{plain(asked.sheet, 40)}` is hidden; show it in the file, then it is read")
    else:
        chosen = [sheet for sheet in visible if any(value is not None for row in sheet.values for value in row)]
    if len(chosen) != 1:
        refuse(name, f"has {len(chosen)} sheets with content ({names}); state `--sheet`")
    if hidden:
        found.note(f"hidden and not read: {', '.join(f'sheet `{title}`' for title in hidden)}")
    return chosen[0]


def _hidden_columns(sheet: Any) -> set[int]:
    found = set[int]()
    for one in sheet.column_dimensions.values():
        if one.hidden or one.width == 0:
            found.update(range((one.min or 1) - 1, one.max or one.min or 1))
    return found


def _merged(title: str, area: Any) -> Merged:
    return Merged(f"{title}!{area.coord}", area.min_row - 1, area.min_col - 1, area.max_row - 1, area.max_col - 1)


def _cell(title: str, cell: Any, written: Any) -> Cell:
    place = f"{title}!{cell.coordinate}"
    if cell.data_type == "e":
        return Cell(place, None, f"holds the error {plain(cell.value, 12)}; correct it in the file")
    if written.data_type == "f" and cell.value is None:
        told = "holds a formula whose value is not stored; open the file in a spreadsheet program and save it"
        return Cell(place, None, told)
    return Cell(place, _value(cell.value))


def _value(value: Any) -> Value:
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, int | float):
        return float(value)
    if isinstance(value, datetime.datetime):
        return value.date()
    if isinstance(value, datetime.date):
        return value
    return None if value is None or not str(value).strip() else str(value)
