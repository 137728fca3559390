"""Published training runs through the whole engine, without the share of the peak that they reached."""

from __future__ import annotations

import numpy as np
import pytest

from tests.work.published_runs import published


@pytest.mark.parametrize(("kind", "count", "median", "most"), [("dense", 20, 0.12, 0.30), ("mixture", 4, 0.25, 0.30)])
def test_published_runs_are_met(kind: str, count: int, median: float, most: float) -> None:
    found = {run.id: run.error for run in published() if run.kind == kind}
    assert len(found) >= count
    assert np.median(np.abs(list(found.values()))) <= median, found
    assert np.max(np.abs(list(found.values()))) <= most, found


def test_eight_in_ten_are_inside_the_band() -> None:
    outside = [run.id for run in published() if not run.in_band]
    assert len(outside) <= 0.2 * len(published()), outside


def test_each_says_where_it_is_from() -> None:
    assert {run.status for run in published()} == {"seen", "recalled"}
    assert all(len(run.source) > 20 for run in published())
