"""Dates of prices: a year or a month counts as its first day."""

from __future__ import annotations

import datetime

import pytest

from tco.catalogue import first_day, price_date_is_stale


@pytest.mark.parametrize(
    ("as_of", "day"),
    [
        ("2026", datetime.date(2026, 1, 1)),
        ("2026-09", datetime.date(2026, 9, 1)),
        ("2026-09-27", datetime.date(2026, 9, 27)),
        ("2026-02-30", None),
        ("2026-Q1", None),
        ("26-09", None),
        ("", None),
    ],
)
def test_a_date_means_its_first_day(as_of: str, day: datetime.date | None):
    assert first_day(as_of) == day


@pytest.mark.parametrize(
    ("as_of", "stale"),
    [
        ("2026-05-05", False),  # 180 days before 2026-11-01
        ("2026-05-04", True),  # 181 days
        ("2026-05", True),  # counts as 2026-05-01
        ("2026-06", False),
        ("2026", True),  # counts as 2026-01-01
        ("2026-11-01", False),
        ("2027-01-01", False),  # later than the scenario: not old
        ("", True),  # no date at all
    ],
)
def test_a_price_is_stale_after_the_limit(as_of: str, stale: bool):
    assert price_date_is_stale(as_of, "2026-11-01", 180) is stale
    assert price_date_is_stale(as_of, datetime.date(2026, 11, 1), 180) is stale
