"""A small workbook of one model, in the frame of the Excel printer, and its recalculation by two engines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import formualizer
import ironcalc
import numpy as np
import xlsxwriter
from xlsxwriter.utility import xl_col_to_name, xl_rowcol_to_cell

from tco.model import Model, TracedLine
from tco.printers.excel import Frame, formula
from tco.units import CONSTANTS

SHEET, NUMBER_ROW, FIRST_ROW, OPENING_COLUMN, FIRST_COLUMN = "Calc", 2, 10, 5, 6
Values = dict[str, list[Any]]


@dataclass
class Sheet:
    """Rows of a model: period number in row 2, one number in D, opening in F, periods from G."""

    model: Model
    periods: int
    rows: dict[str, int] = field(default_factory=dict[str, int])

    def __post_init__(self) -> None:
        names = [*self.model.inputs, *self.model.lines]
        self.rows = {name: FIRST_ROW + index for index, name in enumerate(names)}
        self.rows["period_number"] = NUMBER_ROW

    def frame(self, group: tuple[str, ...] = ()) -> Frame:
        last = xl_col_to_name(FIRST_COLUMN + self.periods - 1)
        inside = frozenset(group if self.model.looks_back(group) else ())
        return Frame(lambda name: f"$D${self.rows[name]}", lambda name: self.rows[name], last, group=inside)

    def formulas(self) -> dict[str, dict[str, str]]:
        """Formulas by line and cell."""
        found: dict[str, dict[str, str]] = {}
        for group in self.model.groups:
            for name in group:
                found[name] = dict(self._cells(self.model.lines[name], self.frame(group)))
        return found

    def _cells(self, item: TracedLine, frame: Frame) -> list[tuple[str, str]]:
        text, row = formula(item.expression, frame), self.rows[item.name]
        if not item.series:
            return [(f"D{row}", text.format(c="D", p="C"))]
        cells = [(f"F{row}", formula(item.opening, frame))] if item.opening is not None else []
        for index in range(self.periods):
            here, before = (xl_col_to_name(FIRST_COLUMN + index - back) for back in (0, 1))
            cells.append((f"{here}{row}", text.format(c=here, p=before)))
        return cells

    def write(self, path: Path, inputs: Mapping[str, Any]) -> None:
        """The workbook, without cached values: who trusts them reads 0 everywhere."""
        with xlsxwriter.Workbook(path) as book:
            sheet, units, tables = (book.add_worksheet(name) for name in (SHEET, "Units", "Tables"))
            for row, (name, value) in enumerate(CONSTANTS.items()):
                units.write_number(row, 2, value)
                book.define_name(name, f"=Units!{xl_rowcol_to_cell(row, 2, True, True)}")
            sheet.write_number(NUMBER_ROW - 1, OPENING_COLUMN, 0)
            for index in range(self.periods):
                sheet.write_number(NUMBER_ROW - 1, FIRST_COLUMN + index, index + 1)
            column = 0
            for name, item in self.model.inputs.items():
                value = inputs[name]
                if item.shape == "table":
                    column = self._table(book, tables, name, column, value)
                elif item.shape == "series":
                    for index, number in enumerate(np.broadcast_to(value, self.periods).tolist()):
                        sheet.write_number(self.rows[name] - 1, FIRST_COLUMN + index, number)
                else:
                    sheet.write_number(self.rows[name] - 1, 3, float(value))
            for cells in self.formulas().values():
                for cell, text in cells.items():
                    sheet.write_formula(cell, f"={text}")

    @staticmethod
    def _table(book: Any, tables: Any, name: str, column: int, value: Any) -> int:
        starts, prices = (list(map(float, part)) for part in value)
        for word, numbers in {"from": starts, "step": [*np.diff(prices, prepend=0.0)]}.items():
            for row, number in enumerate(numbers):
                tables.write_number(row, column, number)
            first, last = (xl_rowcol_to_cell(row, column, True, True) for row in (0, len(numbers) - 1))
            book.define_name(f"{name}_{word}", f"=Tables!{first}:{last}")
            column += 1
        return column

    def recalculated(self, path: Path) -> dict[str, Values]:
        """Every line as formualizer and IronCalc compute it."""
        book = formualizer.load_workbook(str(path))
        book.evaluate_all()
        other = ironcalc.load_from_xlsx(str(path))
        other.evaluate()
        found: dict[str, Values] = {"formualizer": {}, "IronCalc": {}}
        for name, item in self.model.lines.items():
            columns = range(FIRST_COLUMN + 1, FIRST_COLUMN + self.periods + 1) if item.series else (4,)
            found["formualizer"][name] = [book.evaluate_cell(SHEET, self.rows[name], column) for column in columns]
            found["IronCalc"][name] = [other.get_cell_value(0, self.rows[name], column) for column in columns]
        return found

    def read(self, cells: Mapping[tuple[str, str], Any]) -> Values:
        """Every line out of cells by (sheet, "A1")."""
        columns = [xl_col_to_name(FIRST_COLUMN + index) for index in range(self.periods)]
        return {
            name: [cells.get((SHEET, f"{column}{self.rows[name]}")) for column in (columns if item.series else ["D"])]
            for name, item in self.model.lines.items()
        }


def assert_equal(found: Values, wanted: Mapping[str, Any], engine: str) -> None:
    """|a - b| <= 1e-9 x the largest absolute value of the row (which bounds |a| and |b|)."""
    for name, row in wanted.items():
        expected = np.asarray(row, dtype=float).reshape(-1)
        assert all(isinstance(value, int | float) for value in found[name]), f"{engine} {name}: {found[name]}"
        got = np.asarray(found[name], dtype=float)
        assert got.shape == expected.shape, f"{engine} {name}"
        assert np.all(np.isfinite(expected)), name
        bound = 1e-9 * np.max(np.abs([got, expected]))
        assert np.all(np.abs(got - expected) <= bound), f"{engine} {name}: {got} instead of {expected}"
