"""Files of many measured rows: JSON lists and CSV tables, as records that know their place."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any, cast

from tco.importing.numbers import Record
from tco.importing.source import MEGABYTE, Source, parse_json, plain, read_text, refuse, source_of

LARGEST = 64 * MEGABYTE
MOST_ROWS = 200_000
MOST_COLUMNS = 500


def json_records(path: Path, read_on: str | None = None) -> tuple[list[Record], Source]:
    """The objects of a JSON list; a single object is a list of one."""
    text, content = read_text(path, LARGEST)
    name = plain(path.name)
    data: Any = parse_json(name, text)
    items = cast(list[Any], data) if isinstance(data, list) else [data]
    if not items or not all(isinstance(item, dict) for item in items):
        refuse(name, "is no list of rows; give the file as published")
    if len(items) > MOST_ROWS:
        refuse(name, f"has {len(items):,} rows, at most {MOST_ROWS:,} are read; cut it down to what is needed")
    records = [Record(name, f"row {number}: ", item) for number, item in enumerate(items, 1)]
    return records, source_of(path, content, read_on)


def csv_records(path: Path, read_on: str | None = None) -> tuple[list[Record], Source]:
    """The lines of a CSV table below its header."""
    text, content = read_text(path, LARGEST)
    name = plain(path.name)
    reader = csv.reader(io.StringIO(text), strict=True)
    records: list[Record] = []
    try:
        header = [cell.strip() for cell in next(reader, list[str]())]
        _check_header(name, header)
        for cells in reader:
            if not cells:
                continue
            if len(cells) != len(header):
                refuse(name, f"line {reader.line_num}: {len(cells)} cells where the header has {len(header)}")
            records.append(Record(name, f"line {reader.line_num}: ", dict(zip(header, cells, strict=True))))
            if len(records) > MOST_ROWS:
                refuse(name, f"has more than {MOST_ROWS:,} rows; cut it down to what is needed")
    except csv.Error as error:
        refuse(name, f"line {reader.line_num}: cannot be read as CSV ({error}); look for a quote without its end")
    if not records:
        refuse(name, "has a header and no row; give the file as written")
    return records, source_of(path, content, read_on)


def _check_header(name: str, header: list[str]) -> None:
    if not header or len(header) > MOST_COLUMNS:
        refuse(name, f"has {len(header)} columns; wanted a header line of 1 to {MOST_COLUMNS}")
    twice = next((column for index, column in enumerate(header) if column in header[:index]), None)
    if twice is not None:
        refuse(name, f"has the column `{plain(twice)}` twice; keep one")
