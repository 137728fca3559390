"""A table of cases as scenarios of a batch: each row becomes the text of the base with the row's values in it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tco.batch.paths import Found
from tco.batch.tables import TABLES
from tco.errors import ScenarioError
from tco.scenario import paths as scenario_paths
from tco.scenario.scalars import written
from tco.scenario.writing import text_of, with_values
from tco.session import Scenario, load, loads
from tco.sweep.case_files import Complaints
from tco.sweep.cases import Cases, cases
from tco.variants.patch import blamed

FIRST_ROW = 2
"""Below the heads, counted as a spreadsheet does."""

TITLE = ("title",)
TAKEN = frozenset(name.split(".")[0] for name in TABLES)
_NAME = re.compile(r"[^\W_](?:[\w .()+,-]{0,98}[\w)+-])?")


@dataclass(frozen=True)
class Table:
    """Cases that have been read, with the scenario that they vary."""

    base: Scenario
    cases: Cases
    file: Path

    def changes(self, at: int) -> dict[scenario_paths.Path, Any]:
        """What a row states, by place; blank cells leave the place as it is."""
        stated = zip(self.cases.columns, self.cases.block(at, at + 1), strict=True)
        return {column.path: raw for column, values in stated if (raw := values.raw(0)) is not None}

    def text(self, at: int, name: str) -> str:
        """The scenario of a row; its title ends in the row's name. Raises ScenarioError."""
        stated = {path: written(raw) for path, raw in self.changes(at).items()}
        title = f"{written(self.base.document.data['title'])}: {name}"
        return text_of(with_values(self.base.document, {**stated, TITLE: title}))


@dataclass(frozen=True)
class Case(Found):
    """A row of a table; `file` is the scenario that it varies."""

    table: Table
    at: int

    @property
    def label(self) -> str:
        """The row and the scenario, as messages name them."""
        return f"{self.table.file.name} row {self.at + FIRST_ROW} in {self.file}"

    def read(self) -> bytes:
        """The text of the row's scenario."""
        return self.table.text(self.at, self.name).encode("utf-8", "surrogatepass")


def of_table(file: Path, path: Path) -> list[Case]:
    """Every row of a table as a scenario that has been checked. Raises ScenarioError with the cells that are wrong."""
    base = load(file)
    base.check()
    table = Table(base, cases(base, path), path)
    wrong = Complaints(path.name)
    found = [Case(file, name, table, at) for at, name in enumerate(_names(table, wrong))]
    wrong.stop()
    for one in found:
        _check(one, wrong)
    wrong.stop()
    return found


def _names(table: Table, wrong: Complaints) -> list[str]:
    """Of the outputs: what the column `name` says, else the scenario's name with the number of the row."""
    seen, names = dict[str, int](), list[str]()
    called = table.cases.names(0, table.cases.count) or [""] * table.cases.count
    for row, given in enumerate(called, FIRST_ROW):
        name = given.strip() or f"{Path(table.base.document.file).stem}-{row}"
        if told := _name_misfit(name, seen):
            wrong.add(max(table.cases.called_at, 0), row, f"name: `{name}` {told}")
        seen.setdefault(name.casefold(), row)
        names.append(name)
    return names


def _name_misfit(name: str, seen: Mapping[str, int]) -> str:
    if name.casefold() in TAKEN:
        return f"is the name of a table of the batch ({', '.join(sorted(TAKEN))}); choose another"
    if name.casefold() in seen:
        return f"is the name of row {seen[name.casefold()]} too (capitals do not count); choose another"
    if not _NAME.fullmatch(name):
        return "cannot name files; wanted up to 100 letters, digits, spaces and . - + ( ) , _"
    return ""


def _check(one: Case, wrong: Complaints) -> None:
    """Tell what is wrong with a row that is not wrong with one of its cells: at the cell it stands nearest to."""
    table, row = one.table, one.at + FIRST_ROW
    changes = table.changes(one.at)
    cells = {held.column.path: held.place for held in table.cases.held}
    try:
        loads(table.text(one.at, one.name), table.base.document.file).check()
    except ScenarioError as error:
        for path, problems in blamed(error, changes, table.base.document.data).items():
            at = cells.get(path, min(cells.values()))
            for problem in problems:
                told = f"{problem.path}: {problem.text}" if problem.path else problem.text
                wrong.add(at, row, told)
