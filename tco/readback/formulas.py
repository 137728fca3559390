"""Formulas compared by what they say: spaces, `$`, quotes and the case of functions are spelling."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any

Move = Callable[[str, int, int], tuple[str, int, int] | None]
"""From sheet, row and column (0: a whole row or column) of the edited workbook to those of the issued one."""

_CELL = re.compile(r"\$?([A-Za-z]{1,3})\$?([0-9]{1,7})")
GONE = "?"


def spelled_alike(one: str, two: str) -> bool:
    """Whether two formulas are the same text but for spaces, `$` and case outside of quotes."""
    return one == two or ('"' not in one and '"' not in two and _plain(one) == _plain(two))


@functools.lru_cache(maxsize=65536)
def _plain(text: str) -> str:
    return re.sub(r"[\s$']", "", text).upper()


def meaning(text: str, sheet: str, move: Move | None = None) -> tuple[str, ...]:
    """A formula on a sheet as words in which every cell stands with its sheet, moved to where it was issued."""
    return tuple(_word(kind, value, sheet, move) for kind, value in _tokens(text))


@functools.lru_cache(maxsize=65536)
def _tokens(text: str) -> list[tuple[str, str]]:
    from openpyxl.formula.tokenizer import Tokenizer

    items: Any = Tokenizer(f"={text}").items
    return [
        (item.subtype if item.type == "OPERAND" else item.type, item.value)
        for item in items
        if item.type != "WHITE-SPACE"
    ]


def _word(kind: str, value: str, sheet: str, move: Move | None) -> str:
    if kind == "RANGE":
        return _range(value, sheet, move)
    if kind == "NUMBER":
        return repr(float(value))
    return value.strip() if kind == "TEXT" else value.strip().upper()


def _range(value: str, sheet: str, move: Move | None) -> str:
    """A cell, a range of cells, or a name."""
    owner, _, rest = value.rpartition("!")
    home = owner.strip("'").replace("''", "'").removeprefix("$") or sheet
    ends = [end.rpartition("!")[2] for end in rest.split(":")]
    places = [_CELL.fullmatch(end) for end in ends]
    if not all(places):
        return value.replace("$", "").lower()
    moved = [_moved(home, place, move) for place in places if place]
    return ":".join(f"{name.lower()}!{row}.{column}" if row else GONE for name, row, column in moved)


def _moved(home: str, place: re.Match[str], move: Move | None) -> tuple[str, int, int]:
    row, column = int(place[2]), column_of(place[1])
    found = (home, row, column) if move is None else move(home, row, column)
    return found or (home, 0, 0)


def column_of(letters: str) -> int:
    """A column counted from 0."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - 64
    return number - 1


def cells_of(refers: str) -> tuple[str, int, int] | None:
    """The first cell that a defined name refers to."""
    owner, _, rest = refers.lstrip("=").rpartition("!")
    place = _CELL.match(rest)
    if not owner or place is None:
        return None
    return owner.strip("'").replace("''", "'").removeprefix("$"), int(place[2]), column_of(place[1])
