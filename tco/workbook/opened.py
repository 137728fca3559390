"""A workbook of tco as somebody sends it back: cells by place, and what tco wrote into them by meaning.

Found by labels and defined names, not by rows that a later version may move. `tco.workbook.safety.check_safe` comes
first.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tco.errors import Problem, ScenarioError
from tco.workbook.book import letters

Key = tuple[str, int, int]
"""Sheet, row and column, both from 1."""
Cells = dict[Key, Any]
SHARED = "Shared copy of"


def place(key: Key) -> str:
    """A cell as a reader finds it: `Inputs!D7`."""
    sheet, row, column = key
    return f"{sheet}!{letters(column - 1)}{row}"


@dataclass(frozen=True)
class Opened:
    """What the cells hold; `values` are as stored, `formulas` texts that begin with `=`."""

    path: Path
    sheets: list[str]
    formulas: dict[Key, str] = field(repr=False)
    values: Cells = field(repr=False)
    names: dict[str, str] = field(repr=False)

    @functools.cached_property
    def rows(self) -> dict[str, dict[int, dict[int, Any]]]:
        """Stored values by sheet, row and column."""
        found: dict[str, dict[int, dict[int, Any]]] = {name: {} for name in self.sheets}
        for (sheet, row, column), value in self.values.items():
            found[sheet].setdefault(row, {})[column] = value
        return found

    def texts_empty(self, key: Key) -> bool:
        """Whether a formula without a stored value stands for an empty text."""
        return self.formulas[key].endswith('"")')

    @functools.cached_property
    def shared(self) -> str:
        """What the Cover says of a copy for outsiders; empty for any other workbook."""
        for cells in self.rows.get("Cover", {}).values():
            for value in cells.values():
                if str(value).startswith(SHARED):
                    return str(value)
        return ""

    def logged(self, label: str) -> str:
        """The text beside a label on Log; empty where there is none."""
        for _, cells in sorted(self.rows.get("Log", {}).items()):
            if cells.get(1) == label:
                return str(cells.get(2) or "")
        return ""

    @property
    def digest(self) -> str:
        """The scenario's digest as stated on Log."""
        return self.logged("Scenario: sha256")

    @functools.cached_property
    def scenario(self) -> str:
        """The scenario's text as it stands on Log, line by line; empty where it is not there."""
        lines, started = list[str](), False
        for _, cells in sorted(self.rows.get("Log", {}).items()):
            if started and cells.get(1) != len(lines) + 1:
                break
            if started:
                lines.append(str(cells.get(2) or ""))
            started = started or cells.get(1) == "Scenario"
        return "\n".join(lines)

    @functools.cached_property
    def data(self) -> dict[tuple[str, str, str], tuple[Key, Any]]:
        """The sheet Data: place and value by fleet, line and period."""
        rows = sorted(self.rows.get("Data", {}).items())
        if not rows:
            return {}
        heads = {str(value).lower(): column for column, value in rows[0][1].items()}
        if not {"fleet", "line", "period", "value"} <= set(heads):
            return {}
        fleet, line, period, value = (heads[name] for name in ("fleet", "line", "period", "value"))
        return {
            (str(cells[fleet]), str(cells.get(line, "")), str(cells.get(period) or "")): (
                ("Data", row, value),
                cells.get(value),
            )
            for row, cells in rows[1:]
            if cells.get(fleet) is not None
        }

    def named(self, name: str) -> list[Key]:
        """The cells that a defined name leads to; none where the name is missing or leads to no range."""
        found = re.fullmatch(r"'?([^'!]+)'?!\$?([A-Z]+)\$?(\d+)(?::\$?([A-Z]+)\$?(\d+))?", self.names.get(name, ""))
        if not found or found[1] not in self.sheets:
            return []
        left, right = _column(found[2]), _column(found[4] or found[2])
        top, bottom = int(found[3]), int(found[5] or found[3])
        if (right - left + 1) * (bottom - top + 1) > 100_000:
            return []
        return [(found[1], row, column) for row in range(top, bottom + 1) for column in range(left, right + 1)]


def _column(text: str) -> int:
    column = 0
    for letter in text:
        column = column * 26 + ord(letter) - 64
    return column


def read(path: Path) -> Opened:
    """Every filled cell, twice: as a formula and as stored. Raises ScenarioError."""
    import openpyxl

    try:
        texts = openpyxl.load_workbook(path)
        stored = openpyxl.load_workbook(path, data_only=True)
        formulas = {key: _formula(cell.value) for key, cell in _cells(texts) if cell.data_type == "f"}
        values = {key: cell.value for key, cell in _cells(stored)}
        names = {name: str(defined.attr_text or "") for name, defined in texts.defined_names.items()}
    except Exception as error:  # openpyxl raises whatever its parsers raise
        told = f"cannot be read as a workbook: {type(error).__name__}: {str(error)[:200]}"
        raise ScenarioError([Problem(told.splitlines()[0], file=str(path))]) from error
    return Opened(path, [sheet.title for sheet in texts.worksheets], formulas, values, names)


def _formula(value: Any) -> str:
    """The text of a formula; that of an array formula stands inside it."""
    return str(getattr(value, "text", value) or "")


def _cells(book: Any) -> list[tuple[Key, Any]]:
    return [
        ((sheet.title, cell.row, cell.column), cell)
        for sheet in book.worksheets
        for row in sheet.iter_rows()
        for cell in row
        if cell.value is not None
    ]
