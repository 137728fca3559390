"""The time axis: periods of a month, a quarter or a year from a start month."""

from __future__ import annotations

import calendar
import datetime
import functools
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Step = Literal["month", "quarter", "year"]
DayCount = Literal["periods", "act365f"]
MONTHS: dict[Step, int] = {"month": 1, "quarter": 3, "year": 12}
DAYS_PER_YEAR = 365


@dataclass(frozen=True)
class Timeline:
    """`start` is the first month as (year, month); the fiscal year begins in month `fiscal_start`."""

    start: tuple[int, int]
    periods: int
    step: Step
    fiscal_start: int = 1

    @property
    def months_per_period(self) -> int:
        """Months in one period."""
        return MONTHS[self.step]

    def _month(self, index: int) -> tuple[int, int]:
        months = self.start[0] * 12 + self.start[1] - 1 + index
        return months // 12, months % 12 + 1

    @property
    def months(self) -> list[tuple[int, int]]:
        """Year and month of every month, the periods one after the other."""
        return [self._month(index) for index in range(self.periods * self.months_per_period)]

    @property
    def labels(self) -> list[str]:
        """`2027`, `2027-Q1` or `2027-01`; a year or quarter that is not the calendar's is named by its months."""
        return [self._label(index) for index in range(self.periods)]

    def _label(self, index: int) -> str:
        (year, month), (last_year, last) = self._month(index * self.months_per_period), self._last_month(index)
        if self.step == "month":
            return f"{year}-{month:02d}"
        if self.step == "quarter" and month % 3 == 1:
            return f"{year}-Q{month // 3 + 1}"
        if self.step == "year" and month == 1:
            return f"{year}"
        return f"{year}-{month:02d}/{last_year}-{last:02d}"

    def _last_month(self, index: int) -> tuple[int, int]:
        return self._month((index + 1) * self.months_per_period - 1)

    @property
    def ends(self) -> list[str]:
        """The last day of each period, YYYY-MM-DD."""
        return [f"{y}-{m:02d}-{calendar.monthrange(y, m)[1]}" for y, m in map(self._last_month, range(self.periods))]

    @functools.cached_property
    def days(self) -> tuple[Array, Array]:
        """Calendar days from the first day of the timeline to the first and to the last day of each period."""
        first = datetime.date(*self.start, 1)
        opening = [datetime.date(*self._month(index * self.months_per_period), 1) for index in range(self.periods)]
        closing = [datetime.date.fromisoformat(end) for end in self.ends]
        opens, closes = (np.array([(day - first).days for day in days], dtype=float) for days in (opening, closing))
        return opens, closes

    def discount_times(self, day_count: DayCount) -> tuple[Array, Array]:
        """Years to the opening and to the closing of each period, as the day count takes them."""
        if day_count == "act365f":
            opening, closing = self.days
            return opening / DAYS_PER_YEAR, closing / DAYS_PER_YEAR
        length = self.months_per_period / 12
        closing = np.arange(1.0, self.periods + 1) * length
        return closing - length, closing

    @property
    def calendar_years(self) -> list[int]:
        """The calendar year in which each period ends."""
        return [self._last_month(index)[0] for index in range(self.periods)]

    def frame(self) -> dict[str, Any]:
        """The series that the timeline supplies: shape (periods,); `step` and `horizon` are numbers (yr/period, yr)."""
        count = np.arange(1.0, self.periods + 1)
        closing = [year * 12 + month for year, month in map(self._last_month, range(self.periods))]
        fiscal = np.array([(month - self.fiscal_start) // 12 for month in closing], dtype=float)
        year_end = np.append(fiscal[1:] != fiscal[:-1], True).astype(float)
        return {
            "period_number": count,
            "period": np.full(self.periods, self.months_per_period / 12),
            "fiscal_year": fiscal - fiscal[0] + 1,
            "first_period": (count <= 1).astype(float),
            "last_period": (count >= self.periods).astype(float),
            "year_end": year_end,
            "opening_day": self.days[0],
            "closing_day": self.days[1],
            "step": self.months_per_period / 12,
            "horizon": self.periods * self.months_per_period / 12,
        }
