"""Where everything stands, decided before anything is written, so that no address is typed by hand."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from tco.declare import Given
from tco.figures import Figure
from tco.model import TracedLine, constants
from tco.result import CATEGORIES, HEADLINES, PER_PERIOD, VERDICTS, FleetResult, Result
from tco.units import CONSTANTS, unit_text
from tco.workbook.book import at, letters, span
from tco.workbook.places import (
    CONSTANT,
    FIRST,
    FRAME,
    FRAME_ROWS,
    INPUTS,
    INPUTS_HEAD,
    OWN_ROWS,
    UNITS,
    VALUE_COLUMN,
    Block,
    InputPlace,
    InputSection,
    sheet_of,
)
from tco.workbook.quote_rows import place_quotes
from tco.workbook.styles import CENTS, MONEY, number_format
from tco.workbook.verdicts import unit_cost_factors

BROUGHT_IN = "Inputs brought in"


class Plan:
    """Rows of every sheet whose cells are read from another."""

    def __init__(self, result: Result) -> None:
        self.result, self.periods = result, result.timeline.periods
        self.last = FIRST + self.periods - 1
        self.currency = result.scenario.get("currency", "")
        self.frame_inputs = self._frame_inputs()
        self.results = self._result_rows()
        self.sections: list[InputSection] = list(self._sections())
        self.inputs = {
            (place.owner, place.name): place
            for section in self.sections
            for place in (*section.ones, *section.series, *section.tables)
        }
        self.quotes = place_quotes(result)
        self.constants = self._constants()
        self.blocks: dict[str, list[Block]] = {}
        self.rows: dict[str, dict[str, int]] = {}
        self.end: dict[str, int] = {}
        self.informing = {fleet.id: informing(fleet) for fleet in result.fleets}
        for fleet in result.fleets:
            self._place(fleet)

    # --- the time axis ---

    def _frame_inputs(self) -> dict[str, int]:
        """Rows on Time of what the timeline supplies: the frame, then whatever else a model asks of it."""
        rows = dict(FRAME)
        for fleet in self.result.fleets:
            for name, given in fleet.model.inputs.items():
                if given.frame and name not in rows:
                    rows[name] = FRAME_ROWS + 3 + len(rows) - len(FRAME)
        return rows

    # --- results ---

    def _result_rows(self) -> dict[str, int]:
        order = [
            "",
            *(name for name, _ in VERDICTS),
            *OWN_ROWS[:4],
            "",
            *HEADLINES,
            "",
            *CATEGORIES,
            *OWN_ROWS[4:],
            "",
            *PER_PERIOD,
        ]
        return {name: FRAME_ROWS + 1 + index for index, name in enumerate(order) if name}

    @property
    def results_end(self) -> int:
        """The last row of the results block."""
        return max(self.results.values())

    def result_cell(self, fleet: FleetResult, name: str, column: int = CONSTANT) -> str:
        """A cell of the results block, from another sheet."""
        return at(column, self.results[name], sheet_of(fleet.id))

    # --- inputs ---

    def _sections(self) -> Iterator[InputSection]:
        row = INPUTS_HEAD + 1
        shared: dict[str, tuple[Given, Figure]] = {}
        for fleet in self.result.fleets:
            for name, given in fleet.model.inputs.items():
                if name in fleet.shared and not given.frame and name not in shared:
                    shared[name] = (given, fleet.inputs[name])
        owners = [("", "All fleets", shared)]
        for fleet in self.result.fleets:
            own = {
                name: (given, fleet.inputs[name])
                for name, given in fleet.model.inputs.items()
                if name not in fleet.shared and not given.frame
            }
            owners.append((fleet.id, f"{fleet.name} ({fleet.id})", own))
        for owner, title, found in owners:
            section = self._section(owner, title, row, found)
            yield section
            row = self.section_end(section) + 1

    def _section(self, owner: str, title: str, row: int, found: dict[str, tuple[Given, Figure]]) -> InputSection:
        section = InputSection(owner, title, row, [], [], [])
        kinds = {"one": section.ones, "series": section.series, "table": section.tables}
        place = row + 1
        for shape, into in kinds.items():
            for name, (given, figure) in found.items():
                if given.shape == shape:
                    place += 1 if shape == "table" else 0
                    into.append(InputPlace(name, owner, given, figure, place))
                    place += into[-1].rows
        return section

    @staticmethod
    def section_end(section: InputSection) -> int:
        """The last row of a section."""
        places = (*section.ones, *section.series, *section.tables)
        return max((place.row + place.rows - 1 for place in places), default=section.row)

    def input(self, fleet: FleetResult, name: str) -> InputPlace:
        """Where a fleet's input stands."""
        return self.inputs[("" if name in fleet.shared else fleet.id, name)]

    def every_age(self, fleet: FleetResult, table: str, clock: str) -> bool:
        """Whether a table has a row for each age that the clock can reach, from 0 on without gaps."""
        rows: Any = self.input(fleet, table).figure.value
        reached = self.result.timeline.frame().get(clock)
        if reached is None:
            return False
        return [row[0] for row in rows] == list(range(len(rows))) and len(rows) > max(reached) - min(reached)

    def input_cell(self, fleet: FleetResult, name: str, sheet: str = INPUTS) -> str:
        """The cell of a single number."""
        return at(VALUE_COLUMN, self.input(fleet, name).row, sheet)

    @staticmethod
    def bound_column(side: int) -> int:
        """On Inputs: the column of low (0) or high (1) ends."""
        return VALUE_COLUMN + 1 + side

    # --- constants ---

    def _constants(self) -> dict[str, int]:
        used = {"almost_one", "half"} if self.result.reference else {"almost_one"}
        for fleet in self.result.fleets:
            for item in fleet.model.lines.values():
                used.update(constants(item.expression))
                used.update(constants(item.opening) if item.opening is not None else ())
        used.update(unit_cost_factors(self.result))
        return {name: 5 + index for index, name in enumerate(name for name in CONSTANTS if name in used)}

    @property
    def tolerance_row(self) -> int:
        """The row of the relative tolerance on Units, two below the constants."""
        return 7 + len(self.constants)

    @property
    def tolerance(self) -> str:
        """The cell of the relative tolerance of checks."""
        return at(1, self.tolerance_row, UNITS)

    @property
    def verdicts_row(self) -> int:
        """The row of the first verdict's word on Units."""
        return self.tolerance_row + 3

    @property
    def verdict_words(self) -> str:
        """The cells that name the verdicts in order."""
        return span(0, 0, self.verdicts_row, self.verdicts_row + len(VERDICTS) - 1, UNITS)

    # --- calculation sheets ---

    def _place(self, fleet: FleetResult) -> None:
        rows = dict(FRAME)
        blocks, row = list[Block](), self.results_end + 1
        for title, names in self._titled(fleet):
            blocks.append(Block(title, row, names))
            for name in names:
                row += 1
                rows[name] = row
            row += 1
        self.blocks[fleet.id], self.rows[fleet.id], self.end[fleet.id] = blocks, rows, row - 1

    def _titled(self, fleet: FleetResult) -> Iterator[tuple[str, list[str]]]:
        brought = [
            name for name, given in fleet.model.inputs.items() if name not in FRAME and given.shape != "table"
        ]  # fmt: skip
        if brought:
            yield BROUGHT_IN, brought
        chapters: dict[str, list[TracedLine]] = {name: [] for name in fleet.model.chapters}
        for item in fleet.model.lines.values():
            chapters.setdefault(item.chapter, []).append(item)
        for chapter, items in chapters.items():
            title = fleet.model.chapters.get(
                chapter, chapter.replace("_", " ").capitalize() or "Lines of this scenario"
            )
            if items:
                yield title, [item.name for item in sorted(items, key=_written)]

    def cell(self, fleet: FleetResult, name: str, sheet: str = "") -> str:
        """The cell of a line or input that is one number."""
        return at(CONSTANT, self.rows[fleet.id][name], sheet)

    def periods_of(self, row: int, sheet: str = "") -> str:
        """All periods of a row."""
        return span(FIRST, self.last, row, sheet=sheet)

    def line_unit(self, item: TracedLine | Given, name: str = "") -> str:
        """The unit as the sheet's unit column says it: never empty."""
        text = unit_words(item) if isinstance(item, TracedLine) else item.unit
        flag = "(flag)" in item.label or name in dict(VERDICTS) or name in ("year_end", "first_period", "last_period")
        return self.unit_words(text) if text else ("flag" if flag else "1")

    def unit_words(self, text: str) -> str:
        """A unit with the scenario's currency for `money`."""
        if "money" not in text:
            return text or "1"
        return re.sub(r"\b([kM]?)money\b", lambda match: f"{match.group(1)}{self.currency}", text)

    # --- looks ---

    def look(self, name: str, unit: str, values: Iterable[Any]) -> str:
        """The number format of a row; all amounts of money in this workbook have the same decimals."""
        return self.money_look if unit in ("money", self.currency) else number_format(name, unit, values)

    @functools.cached_property
    def money_look(self) -> str:
        """Whole units, or cents where the dearest fleet costs less than ten thousand."""
        totals = [np.abs(fleet.values["total_cost"]) for fleet in self.result.fleets if "total_cost" in fleet.values]
        largest = max((float(total.max()) for total in totals if np.isfinite(total).all()), default=0.0)
        return MONEY if largest >= 1e4 else CENTS

    @functools.cached_property
    def number_width(self) -> float:
        """Room for the longest number of all calculation sheets, which have the same widths."""
        values = [np.abs(np.asarray(value, float)) for fleet in self.result.fleets for value in fleet.values.values()]
        largest = max((float(value[value < 1e15].max(initial=0.0)) for value in values), default=0.0)
        return max(10.0, len(f"{largest:,.0f}") + 1.5)

    @functools.cached_property
    def line_width(self) -> float:
        """Room for the longest name."""
        return max((len(name) for rows in self.rows.values() for name in rows), default=20) + 2

    @property
    def last_letters(self) -> str:
        """The letters of the last period's column."""
        return letters(self.last)


@functools.lru_cache(maxsize=4096)
def _text_of(of: Any) -> str:
    return unit_text(of)


def unit_words(item: TracedLine) -> str:
    """The unit's text, remembered: the same few units recur on every sheet."""
    return _text_of(item.unit)


def _written(item: TracedLine) -> tuple[int, str]:
    """Lines of a chapter in the order in which their author wrote them."""
    tail = item.place.rpartition(":")[2]
    return (int(tail) if tail.isdigit() else 10**6, item.name)


def label_of(item: TracedLine | Given) -> str:
    """The label without its unit, which has a column of its own."""
    return item.label.replace(" (flag)", "")


def informing(fleet: FleetResult) -> set[str]:
    """Lines that no result rests on: they are shown because they inform."""
    model = fleet.model
    needed = model.needed_for([*HEADLINES, *CATEGORIES, *PER_PERIOD, *(name for name, _ in VERDICTS)])
    return set(model.lines) - needed - model.greyed
