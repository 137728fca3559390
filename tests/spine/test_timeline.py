"""Labels, ends and the frame of the time axis."""

from __future__ import annotations

import numpy as np
import pytest

from tco.timeline import Step, Timeline


@pytest.mark.parametrize(
    ("start", "step", "labels", "ends"),
    [
        ((2027, 1), "year", ["2027", "2028"], ["2027-12-31", "2028-12-31"]),
        ((2027, 4), "year", ["2027-04/2028-03", "2028-04/2029-03"], ["2028-03-31", "2029-03-31"]),
        ((2027, 10), "quarter", ["2027-Q4", "2028-Q1"], ["2027-12-31", "2028-03-31"]),
        ((2027, 12), "quarter", ["2027-12/2028-02", "2028-03/2028-05"], ["2028-02-29", "2028-05-31"]),
        ((2027, 12), "month", ["2027-12", "2028-01"], ["2027-12-31", "2028-01-31"]),
        ((2028, 1), "month", ["2028-01", "2028-02"], ["2028-01-31", "2028-02-29"]),
    ],
)
def test_labels_and_ends(start: tuple[int, int], step: Step, labels: list[str], ends: list[str]) -> None:
    line = Timeline(start, 2, step)
    assert (line.labels, line.ends) == (labels, ends)
    assert line.calendar_years == [int(end[:4]) for end in ends]


@pytest.mark.parametrize(
    ("start", "periods", "step", "fiscal_start", "fiscal_year", "year_end"),
    [
        # calendar years, months: January belongs to the year that it begins
        ((2027, 11), 4, "month", 1, [1, 1, 2, 2], [0, 1, 0, 1]),
        ((2027, 1), 13, "month", 1, [1] * 12 + [2], [0] * 11 + [1, 1]),
        # a fiscal year from April: March closes it
        ((2027, 2), 4, "month", 4, [1, 1, 2, 2], [0, 1, 0, 1]),
        ((2027, 1), 5, "quarter", 4, [1, 2, 2, 2, 2], [1, 0, 0, 0, 1]),
        # quarters that straddle: the month of closing decides
        ((2027, 11), 3, "quarter", 1, [1, 1, 1], [0, 0, 1]),
        ((2027, 12), 2, "quarter", 1, [1, 1], [0, 1]),
        ((2027, 4), 3, "year", 1, [1, 2, 3], [1, 1, 1]),
        ((2027, 1), 2, "quarter", 1, [1, 1], [0, 1]),
    ],
)
def test_fiscal_years(
    start: tuple[int, int], periods: int, step: Step, fiscal_start: int, fiscal_year: list[int], year_end: list[int]
) -> None:
    frame = Timeline(start, periods, step, fiscal_start).frame()
    assert frame["fiscal_year"].tolist() == fiscal_year
    assert frame["year_end"].tolist() == year_end


@pytest.mark.parametrize(("step", "length"), [("month", 1 / 12), ("quarter", 1 / 4), ("year", 1)])
def test_the_frame(step: Step, length: float) -> None:
    frame = Timeline((2027, 1), 4, step).frame()
    assert frame["period_number"].tolist() == [1, 2, 3, 4]
    assert frame["first_period"].tolist() == [1, 0, 0, 0]
    assert frame["last_period"].tolist() == [0, 0, 0, 1]
    assert np.all(frame["period"] == length)
    assert (frame["step"], frame["horizon"]) == (length, 4 * length)


@pytest.mark.parametrize(("step", "opening", "closing"), [
    ("month", [0, 31, 60, 91], [30, 59, 90, 120]),
    ("quarter", [0, 91, 182, 274], [90, 181, 273, 365]),
    ("year", [0, 366, 731, 1096], [365, 730, 1095, 1460]),
])  # fmt: skip
def test_days_are_those_of_the_calendar(step: Step, opening: list[int], closing: list[int]) -> None:
    """From 1 January of a leap year to first and last days; quarters and years begin and end as their months do."""
    line = Timeline((2028, 1), 4, step)
    assert [days.tolist() for days in line.days] == [opening, closing]
    opens, closes = line.discount_times("act365f")
    assert (opens[1], closes[0]) == (opening[1] / 365, closing[0] / 365)
    assert line.discount_times("periods")[1][-1] == {"month": 1 / 3, "quarter": 1, "year": 4}[step]


@pytest.mark.parametrize("fiscal_start", range(1, 13))
@pytest.mark.parametrize("month", range(1, 13))
def test_twelve_months_make_a_fiscal_year_wherever_it_starts(month: int, fiscal_start: int) -> None:
    frame = Timeline((2027, month), 36, "month", fiscal_start).frame()
    ends = [index for index in range(36) if frame["year_end"][index]]
    for index in ends[:-1]:
        assert (month - 1 + index) % 12 == (fiscal_start - 2) % 12
    assert ends[-1] == 35
    years = frame["fiscal_year"].tolist()
    assert years[0] == 1
    assert all(years.count(year) == 12 for year in set(years[:-12]) - {1})
