"""One row of the sheet Checks."""

from __future__ import annotations

from dataclasses import dataclass

from tco.workbook.book import Value


@dataclass
class Row:
    """One comparison: two formulas or numbers that should agree."""

    label: str
    place: str
    found: tuple[str, Value] | float | str
    expected: tuple[str, Value] | float | str
    unit: str
    exact: bool = False
    name: str = ""
