"""Reads one catalogue file into entries and finds every malformed row on the way."""

from __future__ import annotations

import csv
import functools
import io
import itertools
import math
from dataclasses import dataclass, field
from typing import NamedTuple, cast

from tco.catalogue.dates import first_day
from tco.catalogue.schema import COLUMNS, FIGURES, TEXTS
from tco.errors import UnitError, did_you_mean
from tco.figures import STATUSES, Figure, Status
from tco.units import conversion, unit


class Row(NamedTuple):
    """One line of a catalogue file."""

    id: str
    figure: str
    value: str
    low: str
    high: str
    unit: str
    as_of: str
    source: str
    status: str
    note: str


@dataclass(frozen=True)
class Entry:
    """Everything the catalogue knows under one id: its rows by name, read as texts and figures when asked."""

    kind: str
    id: str
    rows: dict[str, Row] = field(default_factory=dict[str, Row])

    @functools.cached_property
    def texts(self) -> dict[str, str]:
        """The text attributes, such as name, vendor and tier; what is unknown is not there."""
        return {name: row.value for name, row in self.rows.items() if is_text(self.kind, row)}

    @functools.cached_property
    def figures(self) -> dict[str, Figure]:
        """The numbers with their stories; what is unknown is not there."""
        return {name: self._figure(row) for name, row in self.rows.items() if not is_text(self.kind, row)}

    def _figure(self, row: Row) -> Figure:
        return Figure(
            value=float(row.value),
            unit=row.unit,
            low=float(row.low) if row.low else None,
            high=float(row.high) if row.high else None,
            as_of=row.as_of,
            source=row.source,
            status=cast(Status, row.status),
            note=row.note,
            origin=f"catalogue {self.kind}/{self.id}",
        )


def read(kind: str, text: str) -> tuple[dict[str, Entry], list[str]]:
    """The entries of a file by id, and a sentence with file and line for everything wrong in it."""
    reader = csv.reader(io.StringIO(text))
    if tuple(next(reader, ())) != COLUMNS:
        return {}, [f"{kind}.csv:1: the columns must be `{','.join(COLUMNS)}`: restore that first line"]
    entries: dict[str, Entry] = {}
    problems: list[str] = []
    for cells in reader:
        row = Row._make(cells) if len(cells) == len(COLUMNS) else None
        wrong = _row_problems(kind, row) if row else _cells_problems(cells)
        if row and not wrong:
            entry = entries.get(row.id) or entries.setdefault(row.id, Entry(kind, row.id))
            wrong = _second_row(row) if entry.rows.setdefault(row.figure, row) is not row else []
        if wrong:
            problems += [f"{kind}.csv:{reader.line_num}: {sentence}" for sentence in wrong]
    return entries, problems


def _cells_problems(cells: list[str]) -> list[str]:
    return [f"{len(cells)} cells where {len(COLUMNS)} are wanted: quote a cell that holds a comma"]


def _second_row(row: Row) -> list[str]:
    return [f"`{row.id}` has a second row for `{row.figure}`: keep the newest, put the older into its note"]


def _row_problems(kind: str, row: Row) -> list[str]:
    if not (row.id and row.figure and row.value):
        missing = next(name for name in ("id", "figure", "value") if not getattr(row, name))
        return [f"`{missing}` is empty: fill it, or leave out the row of what is unknown"]
    if row.status and row.status not in STATUSES:
        hint = did_you_mean(row.status, STATUSES)
        return [f"status `{row.status}` is not one of {', '.join(STATUSES)}{hint}"]
    return _text_problems(row) if is_text(kind, row) else _figure_problems(kind, row)


def is_text(kind: str, row: Row) -> bool:
    """Whether a row is a text attribute rather than a number."""
    return row.figure in TEXTS[kind]


def _text_problems(row: Row) -> list[str]:
    if not (row.low or row.high or row.unit):
        return _date_problems(row)
    given = [name for name in ("low", "high", "unit") if getattr(row, name)]
    return [f"`{row.figure}` is a text and has no {name}: empty that cell" for name in given]


def _figure_problems(kind: str, row: Row) -> list[str]:
    known = FIGURES.get(kind)
    if known is not None and row.figure not in known:
        hint = did_you_mean(row.figure, [*known, *TEXTS[kind]]) or f"; the figures are {', '.join(known)}"
        return [f"{kind} have no figure `{row.figure}`{hint}"]
    unit_wanted = known[row.figure] if known else None
    return [*_number_problems(row), *_unit_problems(row, unit_wanted), *_date_problems(row), *_unsaid(row)]


def _unsaid(row: Row) -> list[str]:
    if row.as_of and row.source and row.status:
        return []
    missing = [name for name in ("as_of", "source", "status") if not getattr(row, name)]
    return [f"`{row.figure}` has no {name}: every figure says its {name}" for name in missing]


def _number(text: str) -> float | None:
    """A finite number, or None. Python also reads `1_000` and `nan`, which a sheet does not."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and "_" not in text else None


def _number_problems(row: Row) -> list[str]:
    if not (row.low or row.high) and _number(row.value) is not None:
        return []
    written = [(name, text) for name, text in (("low", row.low), ("value", row.value), ("high", row.high)) if text]
    numbers = [_number(text) for _, text in written]
    wrong = [place for place, number in zip(written, numbers, strict=True) if number is None]
    if wrong:
        return [f"{name} `{text}` is not a number: write it plainly, such as 0.12 or 1e9" for name, text in wrong]
    return [
        f"{name} {text} is above {above} {limit}: low <= value <= high is wanted, so swap them"
        for (name, text), (above, limit) in itertools.pairwise(written)
        if float(text) > float(limit)
    ]


def row_text(number: float) -> str:
    """A number as people read it: `31,250` or `0.12`."""
    return f"{number:,.10g}"


def _unit_problems(row: Row, wanted: str | None) -> list[str]:
    if row.unit == wanted:
        return []
    try:
        read_unit = unit(row.unit)
    except UnitError as error:
        return [str(error)]
    if wanted is None or conversion(read_unit, unit(wanted)) is not None:
        return []
    return [f"`{row.figure}` is in {row.unit or 'no unit'}, which cannot become {wanted or 'a plain number'}"]


def _date_problems(row: Row) -> list[str]:
    if not row.as_of or first_day(row.as_of):
        return []
    return [f"as_of `{row.as_of}` is not a date: write 2026, 2026-09 or 2026-09-27"]
