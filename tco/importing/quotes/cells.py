"""A supplier's sheet as cells that know their place, and what was found wrong or worth telling."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

Value = str | float | datetime.date | None
LONGEST = 200


def letters(column: int) -> str:
    """The letters of a column counted from 0."""
    head, tail = divmod(column, 26)
    return (letters(head - 1) if head else "") + chr(65 + tail)


def clean(text: object, longest: int = LONGEST) -> str:
    """Text on one line without what an eye cannot see, cut to what a scenario takes."""
    kept = "".join(letter if letter.isprintable() else " " for letter in str(text)[: 4 * longest])
    return " ".join(kept.split())[:longest].strip()


@dataclass(frozen=True)
class Cell:
    """One cell: its address, what it holds, and why that cannot be used."""

    place: str
    value: Value = None
    problem: str = ""

    @property
    def text(self) -> str:
        """What stands there as text; a date as YYYY-MM-DD."""
        if isinstance(self.value, float):
            return f"{self.value:.15g}"
        return "" if self.value is None else clean(self.value)

    @property
    def empty(self) -> bool:
        """Whether nothing stands there."""
        return not self.text and not self.problem


@dataclass(frozen=True)
class Merged:
    """A range of cells that show one value; rows and columns count from 0."""

    place: str
    top: int
    left: int
    bottom: int
    right: int


@dataclass
class Grid:
    """The cells of one sheet, with what a reader of it would not see; a CSV file has no name for its only one."""

    name: str
    rows: list[list[Cell]]
    hidden_rows: set[int] = field(default_factory=set[int])
    hidden_columns: set[int] = field(default_factory=set[int])
    merged: list[Merged] = field(default_factory=list[Merged])

    @property
    def prefix(self) -> str:
        """What stands before an address."""
        return f"{self.name}!" if self.name else ""

    def cell(self, row: int, column: int | None) -> Cell:
        """A cell; an empty one beyond the edge."""
        if column is None or column >= len(self.rows[row]):
            return Cell(f"{self.prefix}{letters(column or 0)}{row + 1}")
        return self.rows[row][column]

    def filled(self, row: int) -> Iterator[tuple[int, Cell]]:
        """Cells of a row that hold something."""
        return ((column, cell) for column, cell in enumerate(self.rows[row]) if not cell.empty)


@dataclass
class Findings:
    """Problems stop the import, all at once; notes tell what was decided."""

    problems: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])

    def wrong(self, place: str, text: str) -> None:
        """Note a problem at a cell, once."""
        told = f"{place}: {text}" if place else text
        if told not in self.problems:
            self.problems.append(told)

    def note(self, text: str) -> None:
        """Note a decision, once."""
        if text not in self.notes:
            self.notes.append(text)


@dataclass(frozen=True)
class Asked:
    """What the caller states about the file and the offer; everything else is read or guessed and told."""

    sheet: str = ""
    header: int = 0
    columns: dict[str, str] = field(default_factory=dict[str, str])
    carries: dict[str, str] = field(default_factory=dict[str, str])
    term: dict[str, str] = field(default_factory=dict[str, str])
    told: dict[str, str] = field(default_factory=dict[str, str])
    decimal: str = ""
    date_order: str = ""
    hidden: str = ""
    encoding: str = ""
    delimiter: str = ""
    keep_duplicates: bool = False


def words(text: str) -> str:
    """A label in small letters, without brackets, signs and currency marks."""
    plain = re.sub(r"\(.*?\)|\[.*?\]", " ", text.lower())
    return " ".join(re.sub(r"[^\w%/#&]+", " ", plain.replace("€", " ")).split())
