"""Times of a request log: seconds from a start, epoch seconds or milliseconds, or dates as ISO 8601 writes them."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass

from tco.importing.numbers import as_number
from tco.importing.source import refuse

SECONDS_BY_NAME = ("arrived_at", "arrival_s", "timestamp_s", "arrival_time_s", "arrived_at_s", "ts_s")
UNITS = {"s": 1.0, "ms": 1e-3, "us": 1e-6}
EPOCH = 1e8
LARGEST = 1e11
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}")


@dataclass
class Clock:
    """Reads one column: the unit is settled once, local hours are those written in the log."""

    file: str
    column: str
    unit: str | None = None
    dated: bool = False
    offsets: frozenset[float | None] = frozenset()

    def __post_init__(self) -> None:
        if self.unit is not None and self.unit not in UNITS:
            refuse(self.file, f"time unit `{self.unit}` is not one of {', '.join(UNITS)}")
        suffix = re.search(r"_(ms|us|s)$", self.column.lower())
        if self.unit is None and suffix:
            self.unit = suffix[1]
        elif self.unit is None and self.column in SECONDS_BY_NAME:
            self.unit = "s"

    def seconds(self, found: object) -> float | None:
        """Seconds, or None when it is no time at all. Dates count from 1970 in the hours that stand there."""
        number = as_number(found)
        if number is not None:
            return self._of_number(number)
        text = str(found).strip()
        if not _ISO.match(text):
            return None
        return self._of_date(text)

    def _of_number(self, number: float) -> float:
        if self.unit is None:
            refuse(self.file, f"`{self.column}` holds numbers without a unit; state the time unit: s or ms")
        seconds = number * UNITS[self.unit]
        if seconds > LARGEST:
            refuse(
                self.file, f"`{self.column}` {number:.15g} in {self.unit} is beyond the year 5000; state the unit: ms?"
            )
        self.dated = self.dated or seconds > EPOCH
        return seconds

    def _of_date(self, text: str) -> float | None:
        shortened = re.sub(r"(\.\d{6})\d+", r"\1", text.replace("Z", "+00:00"))
        try:
            moment = datetime.datetime.fromisoformat(shortened)
        except ValueError:
            return None
        offset = moment.utcoffset()
        self.offsets |= {None if offset is None else offset.total_seconds()}
        self.dated = True
        if offset is None:
            return moment.replace(tzinfo=datetime.UTC).timestamp()
        return moment.timestamp()

    @property
    def shift(self) -> float:
        """Seconds from UTC to the clock of the log; the first offset when a clock change gives two."""
        known = [offset for offset in self.offsets if offset is not None]
        return min(known) if known else 0.0
