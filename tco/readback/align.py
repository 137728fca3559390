"""Which cell of the edited workbook is which of the issued one, whatever rows, columns and names were moved."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from tco.readback.edited import Cells, Edited, Place
from tco.workbook.book import Formula, letters
from tco.workbook.places import FRAME_ROWS, INPUTS

ALIKE = 0.5
"""Share of texts that a renamed sheet has in common with the one it was."""

IDENTITY = 3
"""Texts of a row of Inputs by which it is known: id, label and unit; what follows may be edited."""


@dataclass
class Sheets:
    """One sheet: rows and columns of the edited one as those of the issued one, and back."""

    name: str
    rows: dict[int, int]
    columns: dict[int, int]
    inserted_rows: list[int] = field(default_factory=list[int])
    deleted_rows: list[int] = field(default_factory=list[int])
    inserted_columns: list[int] = field(default_factory=list[int])
    deleted_columns: list[int] = field(default_factory=list[int])

    def __post_init__(self) -> None:
        self.back_rows = {new: old for old, new in self.rows.items()}
        self.back_columns = {new: old for old, new in self.columns.items()}
        moved = self.inserted_rows or self.deleted_rows or self.inserted_columns or self.deleted_columns
        self.same = not moved and all(old == new for old, new in self.rows.items())
        self.end = max(self.rows, default=0)

    def row(self, row: int) -> int | None:
        """The issued row; below the last one nothing was inserted that anybody knows of."""
        return self.rows.get(row, row if row > self.end else None)


@dataclass
class Alignment:
    """`sheets` are by the name in the edited workbook; `renamed` leads from it to the issued name."""

    sheets: dict[str, Sheets]
    renamed: dict[str, str]
    gone: list[str]
    added: list[str]

    def __post_init__(self) -> None:
        self.back = {one.name: edited for edited, one in self.sheets.items()}
        self.lower = {edited.lower(): edited for edited in self.sheets}
        self.same = not self.renamed and not self.gone and all(sheet.same for sheet in self.sheets.values())

    def issued(self, sheet: str, row: int, column: int) -> Place | None:
        """Where a cell of the edited workbook was issued."""
        known = self.sheets.get(self.lower.get(sheet.lower(), ""))
        if known is None:
            return None
        there, columns = known.row(row), known.columns.get(column)
        return None if there is None or columns is None else (known.name, there, columns)

    def edited(self, place: Place) -> Place | None:
        """Where a cell of the issued workbook is now."""
        name = self.back.get(place[0])
        if name is None:
            return None
        row = self.sheets[name].back_rows.get(place[1])
        column = self.sheets[name].back_columns.get(place[2])
        return None if row is None or column is None else (name, row, column)


def align(edited: Edited, issued: dict[str, Cells]) -> Alignment:
    """Sheets by name or by their texts, rows by their texts, columns by their heads."""
    renamed = _renamed(edited, issued)
    names = {name: renamed.get(name, name) for name in edited.sheets}
    pairs = {name: other for name, other in names.items() if other in issued}
    sheets = {name: _aligned(other, edited.sheets[name], issued[other]) for name, other in pairs.items()}
    return Alignment(
        sheets,
        renamed,
        [name for name in issued if name not in pairs.values()],
        [name for name in edited.sheets if name not in pairs],
    )


def _renamed(edited: Edited, issued: dict[str, Cells]) -> dict[str, str]:
    """New names of sheets with the old ones: the pair that has most texts in common first."""
    free = [name for name in edited.sheets if name not in issued]
    lost = [name for name in issued if name not in edited.sheets]
    scores = [(_alike(edited.sheets[new], issued[old]), new, old) for new in free for old in lost]
    found: dict[str, str] = {}
    for score, new, old in sorted(scores, reverse=True):
        if score > ALIKE and new not in found and old not in found.values():
            found[new] = old
    return found


def _alike(one: Cells, two: Cells) -> float:
    left, right = Counter(_texts(one)), Counter(_texts(two))
    whole = max(left.total(), right.total())
    return (left & right).total() / whole if whole else 0.0


def _texts(cells: Cells) -> list[str]:
    return [value for value in cells.values() if isinstance(value, str)]


def _aligned(name: str, edited: Cells, issued: Cells) -> Sheets:
    rows, more_rows, less_rows = _matched(_row_marks(name, edited), _row_marks(name, issued), 1)
    columns, more_columns, less_columns = _columns(edited, issued)
    return Sheets(name, rows, columns, more_rows, less_rows, more_columns, less_columns)


def _row_marks(name: str, cells: Cells) -> list[Hashable]:
    """What each row is known by: its texts, or on Inputs the first of them and the last."""
    texts: dict[int, list[str]] = defaultdict(list)
    for (row, _), value in sorted(cells.items(), key=lambda item: item[0]):
        if isinstance(value, str) and not isinstance(value, Formula):
            texts[row].append(value)
    last = max((row for row, _ in cells), default=0)
    length = IDENTITY if name == INPUTS else None
    return [tuple(texts.get(row, ())[:length]) for row in range(1, last + 1)]


def _columns(edited: Cells, issued: Cells) -> tuple[dict[int, int], list[int], list[int]]:
    """Columns are as they were where there are as many; else they are known by what stands in the first rows."""
    width, before = (max((column for _, column in cells), default=-1) + 1 for cells in (edited, issued))
    if width == before:
        return {column: column for column in range(width)}, [], []
    return _matched(_column_marks(edited, width), _column_marks(issued, before), 0)


def _column_marks(cells: Cells, width: int) -> list[Hashable]:
    def mark(value: object) -> object:
        return value.rpartition("!")[2].replace("$", "") if isinstance(value, Formula) else value

    rows = range(1, FRAME_ROWS + 1)
    return [tuple(mark(cells.get((row, column))) for row in rows) for column in range(width)]


def _matched(
    edited: Sequence[Hashable], issued: Sequence[Hashable], first: int
) -> tuple[dict[int, int], list[int], list[int]]:
    """Places of the edited run as places of the issued one, what was inserted, and what is gone."""
    if edited == issued:
        return {place: place for place in range(first, first + len(issued))}, [], []
    found, more, less = dict[int, int](), list[int](), list[int]()
    matcher = SequenceMatcher(None, issued, edited, autojunk=False)
    for kind, start, stop, new, end in matcher.get_opcodes():
        if kind == "equal" or stop - start == end - new:
            found |= {first + new + index: first + start + index for index in range(stop - start)}
        else:
            less += range(first + start, first + stop)
            more += range(first + new, first + end)
    return found, more, less


def rows_text(rows: list[int]) -> str:
    """`row 7`, `rows 7 to 9, 12`."""
    runs: list[list[int]] = []
    for row in rows:
        if runs and row == runs[-1][-1] + 1:
            runs[-1].append(row)
        else:
            runs.append([row])
    told = ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)
    return f"row{'s' if len(rows) > 1 else ''} {told}"


def columns_text(columns: list[int]) -> str:
    """`column H`, `columns H, I`."""
    return f"column{'s' if len(columns) > 1 else ''} {', '.join(letters(column) for column in columns)}"
