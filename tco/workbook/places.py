"""Columns, fixed rows and names of sheets, and what stands in a row of them."""

from __future__ import annotations

from dataclasses import dataclass

from tco.declare import Given
from tco.figures import Figure

SECTION, LABEL, UNIT, CONSTANT, TOTAL, OPENING, FIRST = range(7)
"""Columns of every calculation sheet: A section, B label, C unit, D constant, E total, F opening, G first period."""

FRAME = {"period_number": 2, "fiscal_year": 3, "period": 4, "year_end": 5, "first_period": 6, "last_period": 7}
"""Rows of the time axis on Time and on every calculation sheet."""
PERIOD_END, FRAME_ROWS = 8, 8
PERIOD_NAME, CALENDAR_ROW = 9, 10
"""On Time: the names of periods, and the calendar year in which each ends where that is not the fiscal year."""

(
    COVER, SUMMARY, INPUTS, QUOTES, TIME, UNITS, ANNUAL, COMPARE, REFERENCE, BREAK_EVEN, SWEEPS, SENSITIVITY, DECISIONS,
    CHECKS, DATA, METHOD, LOG, RANGES,
) = (
    "Cover", "Summary", "Inputs", "Quotes", "Time", "Units", "Annual", "Compare", "Reference", "Break-even", "Sweeps",
    "Sensitivity", "Decisions", "Checks", "Data", "Method", "Log", "Ranges",
)  # fmt: skip

OWN_ROWS = ("all_flags", "costs_shown", "verdict", "ranked", "cash", "cumulative_cash")
VALUE_COLUMN, INPUT_PERIODS = 3, 12
"""On Inputs: the column of values, and that of the first period."""
INPUTS_HEAD = 4


@dataclass(frozen=True)
class InputPlace:
    """An input's rows on the sheet Inputs; `owner` is empty for one that all fleets share."""

    name: str
    owner: str
    given: Given
    figure: Figure
    row: int

    @property
    def rows(self) -> int:
        """A table takes one row for each of its own."""
        value = self.figure.value
        return len(value) if self.given.shape == "table" and isinstance(value, tuple) else 1


@dataclass(frozen=True)
class InputSection:
    """Inputs of all fleets or of one: single numbers, then series, then tables; `row` is that of its title."""

    owner: str
    title: str
    row: int
    ones: list[InputPlace]
    series: list[InputPlace]
    tables: list[InputPlace]


@dataclass(frozen=True)
class Block:
    """A titled run of rows on a calculation sheet."""

    title: str
    row: int
    names: list[str]


def sheet_of(fleet_id: str) -> str:
    """The calculation sheet of a fleet."""
    return f"Calc_{fleet_id.replace('-', '_')}"
