"""Worked cases of finance come out as libraries and spreadsheets say, or are left out with a reason."""

# pyright: basic
from __future__ import annotations

import pytest

from tests.money.finance_cases import CASES, Finance


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.case)
def test_case(case: Finance) -> None:
    assert list(case.ours()) == pytest.approx(case.printed, rel=case.near)
