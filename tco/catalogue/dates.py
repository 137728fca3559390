"""Dates as the catalogue writes them: `2026`, `2026-09` or `2026-09-27`."""

from __future__ import annotations

import datetime
import functools
import re

_DATE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")


@functools.lru_cache(maxsize=4096)
def first_day(as_of: str) -> datetime.date | None:
    """The day a date means; a year or a month counts as its first day. None when it is no date."""
    match = _DATE.fullmatch(as_of.strip())
    if match is None:
        return None
    year, month, day = (int(part or 1) for part in match.groups())
    try:
        return datetime.date(year, month, day)
    except ValueError:
        return None


def price_date_is_stale(as_of: str, on: str | datetime.date, limit_days: float) -> bool:
    """Whether a price of `as_of` is older than the limit on the day `on`; a price without a date always is."""
    then = first_day(as_of)
    today = first_day(on) if isinstance(on, str) else on
    if then is None or today is None:
        return True
    return (today - then).days > limit_days
