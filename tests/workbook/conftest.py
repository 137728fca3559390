"""The workbook that most tests look at, written once a worker."""

# pyright: basic
from __future__ import annotations

from pathlib import Path
from typing import Any

import openpyxl
import pytest

from tco.result import Result
from tco.workbook import write
from tests.workbook import toy


@pytest.fixture(scope="session")
def result() -> Result:
    """Three fleets of the lemonade stand: fine, too big for its room, pinned."""
    return toy.result()


@pytest.fixture(scope="session")
def path(result: Result, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Their workbook."""
    target = tmp_path_factory.mktemp("workbook") / "stall.xlsx"
    write(result, target)
    return target


@pytest.fixture(scope="session")
def book(path: Path) -> Any:
    """Its formulas."""
    return openpyxl.load_workbook(path)
