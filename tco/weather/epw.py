"""Weather of a typical year from an EPW file: 8 lines of header, then 8,760 hours, all of them checked."""

from __future__ import annotations

import calendar
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tco.errors import Problem, ScenarioError
from tco.weather.psychrometrics import Floats

HEADER = 8
HOURS = 8760
MAXIMUM_BYTES = 8_000_000
SHOWN = 5
COMMON_YEAR = 2027

# Column, least, most, the number that marks a gap, and what it is.
DRY_BULB = (6, -70.0, 70.0, 99.9, "dry bulb in degrees Celsius")
HUMIDITY = (8, 0.0, 110.0, 999.0, "relative humidity in %")
PRESSURE = (9, 31_000.0, 120_000.0, 999_999.0, "pressure in Pa")
COLUMNS = (DRY_BULB, HUMIDITY, PRESSURE)


@dataclass(frozen=True)
class Weather:
    """A year of hours: degrees Celsius, relative humidity from 0 to 1, Pa; and where and whose it is."""

    dry_bulb: Floats
    humidity: Floats
    pressure: Floats
    place: str
    source: str


def read_epw(path: Path) -> Weather:
    """The weather of a file. Raises ScenarioError with what is wrong, by line."""
    try:
        known = path.stat()
    except OSError:
        return _read(path, 0, 0)
    return _read(path, known.st_mtime_ns, known.st_size)


@functools.lru_cache(maxsize=4)
def _read(path: Path, _changed: int, _size: int) -> Weather:
    file, lines = str(path), _text(path).splitlines()
    location = lines[0].split(",") if lines else [""]
    if location[0].strip().upper() != "LOCATION":
        told = f"`{lines[0][:40]}`" if lines else "nothing"
        raise _refusal(file, [(1, f"begins with {told}; wanted `LOCATION,…`: is it an EPW file?")])
    rows = [(number, line.split(",")) for number, line in enumerate(lines, 1) if number > HEADER and line.strip()]
    _check_hours(file, rows)
    wrong = list[tuple[int, str]]()
    dry_bulb, humidity, pressure = (np.array(list(_column(rows, column, wrong))) for column in COLUMNS)
    if wrong:
        raise _refusal(file, sorted(wrong))
    place = ", ".join(part.strip() for part in location[1:4] if part.strip(" -"))
    source = " ".join(part.strip() for part in location[4:6])
    return Weather(dry_bulb, np.minimum(humidity / 100, 1.0), pressure, place or path.stem, source)


def _refusal(file: str, wrong: list[tuple[int, str]]) -> ScenarioError:
    """The first few, and how many more there are."""
    problems = [Problem(text, file=file, line=line, column=1 if line else 0) for line, text in wrong[:SHOWN]]
    if len(wrong) > SHOWN:
        problems.append(Problem(f"has {len(wrong) - SHOWN:,} more of these; take a complete file", file=file))
    return ScenarioError(problems)


def _text(path: Path) -> str:
    """UTF-8, or Latin-1 as older files are."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise _refusal(str(path), [(0, "there is no such file")]) from None
    except OSError as error:
        raise _refusal(str(path), [(0, f"cannot be read: {error.strerror or error}")]) from None
    if len(raw) > MAXIMUM_BYTES:
        raise _refusal(str(path), [(0, "is larger than 8 MB; a year of hours is about 1.6 MB")])
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def _check_hours(file: str, rows: list[tuple[int, list[str]]]) -> None:
    """One row an hour, from the first of January to the last of December."""
    if len(rows) != HOURS:
        last = rows[-1][0] if rows else 0
        advice = "; leave 29 February out" if len(rows) == HOURS + 24 else ""
        raise _refusal(file, [(last, f"has {len(rows):,} hours after {HEADER} lines of header; wanted 8,760{advice}")])
    for (line, cells), (month, day, hour) in zip(rows, _year(), strict=True):
        found = [cell.strip() for cell in cells[1:4]]
        if found != [str(month), str(day), str(hour)] and not _same(found, (month, day, hour)):
            told = f"is month, day, hour {', '.join(found) or 'nothing'}; wanted {month}, {day}, {hour}"
            raise _refusal(file, [(line, f"{told}: hours must follow each other")])


def _same(found: list[str], wanted: tuple[int, int, int]) -> bool:
    return all(cell.isdigit() for cell in found) and tuple(map(int, found)) == wanted


def _year() -> Iterator[tuple[int, int, int]]:
    for month in range(1, 13):
        for day in range(1, calendar.monthrange(COMMON_YEAR, month)[1] + 1):
            for hour in range(1, 25):
                yield month, day, hour


def _column(
    rows: list[tuple[int, list[str]]], column: tuple[int, float, float, float, str], wrong: list[tuple[int, str]]
) -> Iterator[float]:
    at, low, high, gap, what = column
    for line, cells in rows:
        text = cells[at].strip() if len(cells) > at else ""
        try:
            number = float(text)
        except ValueError:
            number = float("nan")
        if not low <= number <= high:
            told = "is missing" if not text or number == gap else f"is `{text[:20]}`"
            wrong.append((line, f"column {at + 1}, {what}, {told}; wanted {low:g} to {high:g}"))
        yield number
