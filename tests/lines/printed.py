"""What the printers make of the examples: one JavaScript program, one workbook."""

from __future__ import annotations

import json
import math
import subprocess
from pathlib import Path
from typing import Any

import xlsxwriter
from xlsxwriter.utility import xl_col_to_name

from tco.model import Model
from tco.printers import javascript
from tco.printers.excel import Frame, formula
from tco.units import CONSTANTS
from tests.lines.examples import Example, Number, leaf_values

Cases = list[tuple[Example, Model]]
NUMBER, OPENING, FIRST = 3, 5, 6  # columns D, F, G


def javascript_results(cases: Cases, node: Path, folder: Path) -> list[Any]:
    """Every example's numbers, from one call of Node.js."""
    texts = [javascript.RUNTIME, "const results = [];"]
    for example, model in cases:
        given = json.dumps(leaf_values(example, model))
        call = f"evaluate({given}, {example.periods}).{example.line}"
        texts.append(f"results.push((() => {{ {javascript.source(model, [example.line])} return {call}; }})());")
    texts.append("console.log(JSON.stringify(results));")
    path = folder / "examples.js"
    path.write_text("\n".join(texts), encoding="utf-8")
    done = subprocess.run([node, path], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class Book:
    """One workbook: the examples stand in blocks below each other, each in the frame of a calculation sheet."""

    def __init__(self, path: Path) -> None:
        self.book = xlsxwriter.Workbook(str(path))
        self.units, self.sheet = self.book.add_worksheet("Units"), self.book.add_worksheet("Lines")
        self.free = 0
        self.cells: list[list[tuple[int, int]]] = []
        for row, (name, value) in enumerate(CONSTANTS.items()):
            self.units.write(row, 0, name)
            self.units.write(row, 1, value)
            self.book.define_name(name, f"=Units!$B${row + 1}")

    def add(self, example: Example, model: Model, number: int) -> None:
        """Write the example's parents and its formula."""
        item, rows, tables = model.lines[example.line], dict[str, int](), dict[str, str]()
        leaves = leaf_values(example, model)
        for name in item.parents:
            if name == example.line:
                continue
            value = leaves[name if name in leaves else f"{name}_value"]
            if isinstance(value, tuple):
                tables[name] = self._table(name, value, number)
            else:
                rows[name] = self._row(name, value, opening=0 if name == "period_number" else None)
        if "period_number" not in rows:
            count = [float(t + 1) for t in range(example.periods)]
            rows["period_number"] = self._row("period_number", count, opening=0)
        rows[example.line] = self._row(example.line, [], None)
        recursive = frozenset({example.line} if example.line in item.parents else ())
        frame = Frame(
            lambda name: f"$D${rows[name] + 1}", lambda name: rows[name] + 1,
            xl_col_to_name(FIRST + example.periods - 1), group=recursive,
        )  # fmt: skip

        def filled(text: str, column: int) -> str:
            shown = text.replace("{c}", xl_col_to_name(column)).replace("{p}", xl_col_to_name(column - 1))
            for name, table in tables.items():
                shown = shown.replace(f"{name}_from", f"{table}_from").replace(f"{name}_step", f"{table}_step")
            return "=" + shown

        row, text = rows[example.line], formula(item.expression, frame)
        if item.opening is not None:
            self.sheet.write_formula(row, OPENING, filled(formula(item.opening, frame), OPENING))
        columns = range(FIRST, FIRST + example.periods) if item.series else [NUMBER]
        for column in columns:
            self.sheet.write_formula(row, column, filled(text, column), value=-1)
        self.cells.append([(row, column) for column in columns])

    def _row(self, name: str, value: Number, opening: float | None) -> int:
        row, self.free = self.free, self.free + 1
        self.sheet.write(row, 0, name)
        if opening is not None:
            self.sheet.write(row, OPENING, opening)
        if isinstance(value, float):
            self.sheet.write(row, NUMBER, value)
        else:
            self.sheet.write_row(row, FIRST, value)
        return row

    def _table(self, name: str, value: tuple[list[float], list[float]], number: int) -> str:
        start, self.free = self.free, self.free + len(value[0])
        self.sheet.write_column(start, NUMBER, value[0])
        steps = [share - before for share, before in zip(value[1], [0.0, *value[1]], strict=False)]
        self.sheet.write_column(start, NUMBER + 1, steps)
        for column, what in (("D", "from"), ("E", "step")):
            place = f"=Lines!${column}${start + 1}:${column}${self.free}"
            self.book.define_name(f"{name}_{number}_{what}", place)
        return f"{name}_{number}"


def workbook(cases: Cases, path: Path) -> list[list[tuple[int, int]]]:
    """Write all examples; the cells (row, column) in which each one's result stands."""
    book = Book(path)
    for number, (example, model) in enumerate(cases):
        book.add(example, model, number)
    book.book.close()
    return book.cells


def formualizer_results(path: Path, cells: list[list[tuple[int, int]]]) -> list[list[float]]:
    """The workbook recalculated by formualizer."""
    import formualizer

    book = formualizer.load_workbook(str(path))
    book.evaluate_all()
    return [[_number(book.evaluate_cell("Lines", row + 1, column + 1)) for row, column in block] for block in cells]


def ironcalc_results(path: Path, cells: list[list[tuple[int, int]]]) -> list[list[float]]:
    """The workbook recalculated by IronCalc."""
    import ironcalc

    book = ironcalc.load_from_xlsx(str(path), "en", "UTC", "en")
    book.evaluate()
    return [[_number(book.get_cell_value(1, row + 1, column + 1)) for row, column in block] for block in cells]


def _number(value: Any) -> float:
    return float(value) if isinstance(value, (int, float)) else math.nan
