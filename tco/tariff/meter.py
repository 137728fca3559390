"""A meter's file: power of a site at equal intervals, the change of clocks known, gaps named."""

from __future__ import annotations

import csv
import functools
import io
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from tco.errors import Problem, ScenarioError

MAXIMUM_BYTES = 32_000_000
STEPS = (5, 10, 15, 20, 30, 60)
CHANGES = (3, 4, 9, 10, 11)
"""Months in which clocks change somewhere; on a Sunday, before five."""

SHOWN = 5
WEEK = timedelta(days=7)
HOUR = timedelta(hours=1)
_TIME = re.compile(r"time|date|zeit|datum|stamp", re.IGNORECASE)
_UNIT = re.compile(r"(?<![a-z])k(wh?)(?![a-z])", re.IGNORECASE)
_FORMS = ("%d.%m.%Y %H:%M", "%d.%m.%Y %H:%M:%S")


@dataclass(frozen=True)
class Base:
    """One calendar month of the meter: kW, hour of the day and day of the week of each interval of `length` hours."""

    power: NDArray[np.float64]
    hour: NDArray[np.int64]
    weekday: NDArray[np.int64]
    length: float


@dataclass(frozen=True)
class Meter:
    """The first whole month of each month of the year, and what was found on the way."""

    months: dict[int, Base]
    notes: str


@dataclass
class _Row:
    at: datetime
    moment: datetime
    value: float | None
    line: int


@dataclass
class _Found:
    changes: list[str] = field(default_factory=list[str])
    gaps: list[str] = field(default_factory=list[str])
    missing: int = 0
    spans: list[datetime] = field(default_factory=list[datetime])
    until: datetime | None = None


def read_meter(path: Path, stamps: str | None, gaps: str) -> Meter:
    """The meter's months. `stamps` says what a time marks, `gaps` what is done about them. Raises ScenarioError."""
    try:
        known = path.stat()
    except OSError:
        return _read(path, 0, 0, stamps, gaps)
    return _read(path, known.st_mtime_ns, known.st_size, stamps, gaps)


@functools.lru_cache(maxsize=4)
def _read(path: Path, _changed: int, _size: int, stamps: str | None, gaps: str) -> Meter:
    file = str(path)
    rows, per_hour = _rows(file, _text(path))
    minutes = _step(file, rows)
    step, found = timedelta(minutes=minutes), _Found()
    _check_stamps(file, rows, step, stamps)
    whole = list(_continued(file, rows, step, found))
    if found.gaps:
        _fill(file, whole, found, gaps)
    first = timedelta(0) if stamps != "end" else step
    length = minutes / 60
    months = _months(whole, first, step, length if per_hour else 1.0, length)
    told = f"{len(whole):,} readings of {minutes} minutes from {rows[0].at:%Y-%m-%d} to {rows[-1].at:%Y-%m-%d}"
    if found.changes:
        told += f"; the clock changes at {', '.join(found.changes)}"
    if found.gaps:
        told += f"; {found.missing} missing readings are those of the week before: {_listed(found.gaps)}"
    return Meter(months, f"{path.name}: {told}")


def _refuse(file: str, text: str, line: int = 0) -> NoReturn:
    raise ScenarioError([Problem(text, file=file, line=line, column=1 if line else 0)])


def _text(path: Path) -> str:
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        _refuse(str(path), "there is no such file")
    except OSError as error:
        _refuse(str(path), f"cannot be read: {error.strerror or error}")
    if len(raw) > MAXIMUM_BYTES:
        _refuse(str(path), f"is larger than {MAXIMUM_BYTES // 1_000_000} MB; a year of quarter-hours is about 1 MB")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        _refuse(str(path), "is not UTF-8; save it as UTF-8")


# --- rows ---


def _rows(file: str, text: str) -> tuple[list[_Row], bool]:
    """Time and value of each line, and whether values are kWh."""
    head = text.split("\n", 1)[0]
    delimiter = max(";\t,", key=head.count)
    reader = csv.reader(io.StringIO(text), delimiter=delimiter)
    header = [cell.strip() for cell in next(reader, list[str]())]
    valued = [index for index, name in enumerate(header) if _UNIT.search(name)]
    if len(valued) != 1:
        told = ", ".join(header[index] for index in valued) or "none"
        _refuse(file, f"has {told} as columns of a unit; wanted one whose header says kW or kWh, such as `power_kW`", 1)
    timed = [index for index, name in enumerate(header) if _TIME.search(name) and index not in valued]
    at, value = (timed or [0])[0], valued[0]
    rows = list[_Row]()
    for cells in reader:
        if any(cell.strip() for cell in cells):
            if len(cells) <= max(at, value):
                _refuse(file, f"has {len(cells)} cells; wanted time and value", reader.line_num)
            rows.append(_row(file, cells[at], cells[value], reader.line_num, delimiter))
    if len(rows) < 2:
        _refuse(file, "has fewer than two readings")
    unit = _UNIT.search(header[value])
    return rows, unit is not None and unit[1].lower() == "wh"


def _row(file: str, when: str, value: str, line: int, delimiter: str) -> _Row:
    moment = _moment(when.strip())
    if moment is None:
        _refuse(file, f"`{when.strip()[:40]}` is no time; wanted such as 2026-01-31 13:45 or 31.01.2026 13:45", line)
    text = value.strip()
    number: float | None = None
    if text and text.lower() not in ("nan", "null", "none", "n/a", "-"):
        try:
            number = float(text.replace(",", ".") if delimiter != "," and "." not in text else text)
        except ValueError:
            number = -1.0
        if not 0 <= number < 1e9:
            _refuse(file, f"`{text[:40]}` is no power or energy from 0", line)
    return _Row(moment.replace(tzinfo=None), moment, number, line)


def _moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        pass
    for form in _FORMS:
        try:
            return datetime.strptime(text, form)
        except ValueError:
            continue
    return None


# --- time ---


def _step(file: str, rows: list[_Row]) -> int:
    if len({row.moment.tzinfo is None for row in rows}) > 1:
        _refuse(file, "has times with and without an offset; wanted all alike")
    apart = Counter((after.moment - before.moment).total_seconds() / 60 for before, after in pairwise(rows))
    minutes = apart.most_common(1)[0][0]
    if minutes not in STEPS:
        _refuse(file, f"has readings {minutes:g} minutes apart; wanted one of {', '.join(map(str, STEPS))}")
    return int(minutes)


def _check_stamps(file: str, rows: list[_Row], step: timedelta, stamps: str | None) -> None:
    """A file from 00:15 to 00:00 stamps the ends of its intervals; nobody should have to guess."""
    midnight = rows[-1].at.hour == rows[-1].at.minute == 0
    if stamps is None and midnight and rows[0].at.hour * 60 + rows[0].at.minute == step.total_seconds() / 60:
        _refuse(file, "begins a step after midnight and ends at midnight; state `stamps: end`, or `stamps: start`")


def _continued(file: str, rows: list[_Row], step: timedelta, found: _Found) -> Iterator[_Row]:
    """The readings with an empty one for each that is missing."""
    for before, row in pairwise([None, *rows]):
        assert row is not None
        if before is not None:
            apart = row.moment - before.moment
            if _is_change(before, row, apart, step):
                found.changes.append(f"{row.at:%Y-%m-%d}")
            elif apart <= timedelta(0):
                _refuse(file, f"{row.at:%Y-%m-%d %H:%M} comes after {before.at:%Y-%m-%d %H:%M}", row.line)
            elif apart != step:
                if apart % step or apart > 60 * WEEK:
                    _refuse(file, f"is {apart} after the reading before; wanted steps of {step}", row.line)
                count = apart // step - 1
                _note(found, before.at + step, row.at - step, count, step)
                yield from (
                    _Row(before.at + n * step, before.moment + n * step, None, row.line) for n in range(1, count + 1)
                )
        if row.value is None:
            _note(found, row.at, row.at, 1, step)
        yield row


def _is_change(before: _Row, row: _Row, apart: timedelta, step: timedelta) -> bool:
    """An hour less or more on a Sunday night of spring or autumn, where times carry no offset."""
    night = row.at.weekday() == 6 and row.at.month in CHANGES and before.at.hour < 5 and row.at.hour < 5
    return row.moment.tzinfo is None and night and apart in (step + HOUR, step - HOUR)


def _note(found: _Found, first: datetime, last: datetime, count: int, step: timedelta) -> None:
    found.missing += count
    if found.gaps and found.until == first:
        first, _ = found.spans.pop(), found.gaps.pop()
    found.spans.append(first)
    found.until = last + step
    found.gaps.append(f"{first:%Y-%m-%d %H:%M}" + (f" to {last:%Y-%m-%d %H:%M}" if last != first else ""))


def _listed(gaps: list[str]) -> str:
    more = f" and {len(gaps) - SHOWN} more" if len(gaps) > SHOWN else ""
    return ", ".join(gaps[:SHOWN]) + more


def _fill(file: str, rows: list[_Row], found: _Found, gaps: str) -> None:
    """Missing readings are refused, or taken from a week before."""
    told = f"{found.missing} readings are missing: {_listed(found.gaps)}"
    if gaps != "week_before":
        _refuse(file, f"{told}; state `gaps: week_before` to take them from a week before, or complete the file")
    known = dict[datetime, float]()
    for row in rows:
        if row.value is None:
            row.value = known.get(row.at - WEEK)
        if row.value is None:
            _refuse(file, f"{told}; nothing is known a week before {row.at:%Y-%m-%d %H:%M}", row.line)
        known[row.at] = row.value


def _months(rows: list[_Row], first: timedelta, step: timedelta, over: float, length: float) -> dict[int, Base]:
    """The first whole month of each month of the year."""
    groups: dict[tuple[int, int], list[tuple[datetime, float]]] = {}
    for row in rows:
        start = row.at - first
        groups.setdefault((start.year, start.month), []).append((start, (row.value or 0.0) / over))
    months: dict[int, Base] = {}
    for (year, month), held in groups.items():
        after = datetime(year + month // 12, month % 12 + 1, 1)
        if month not in months and held[0][0] == datetime(year, month, 1) and held[-1][0] + step == after:
            hours = np.array([start.hour for start, _ in held])
            days = np.array([start.weekday() for start, _ in held])
            months[month] = Base(np.array([power for _, power in held]), hours, days, length)
    return months
