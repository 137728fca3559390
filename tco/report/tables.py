"""Tables as data: what the one table macro prints."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from markupsafe import Markup, escape

from tco.wording import NOTHING, clean, coded, exact


@dataclass(frozen=True)
class Cell:
    """One cell. `value` is the raw number for machines; `kind` is `n` for numbers, `h` for the head of a row."""

    text: str
    kind: str = ""
    title: str = ""
    value: str = ""
    small: str = ""
    tone: str = ""
    pad: int = 0


@dataclass(frozen=True)
class Table:
    """A caption, heads (those in `numeric` stand right), rows, and a note below."""

    caption: str
    heads: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    numeric: frozenset[int] = frozenset()
    note: str = ""
    total: bool = False
    style: str = ""
    marks: Sequence[str] = field(default=())


def cells(row: Sequence[Cell]) -> Markup:
    """A row as HTML, without the end tags of cells, which HTML leaves out; thousands of cells a page."""
    return Markup("".join(map(_html, row)))


def _html(cell: Cell) -> str:
    tag = "th" if cell.kind == "h" else "td"
    looks = [*(["n"] if cell.kind == "n" and cell.text else []), cell.tone, f"p{cell.pad}" if cell.pad else ""]
    classes = " ".join(filter(None, looks))
    told = " scope=row" if cell.kind == "h" else ""
    told += f' class="{classes}"' if " " in classes else f" class={classes}" if classes else ""
    told += f' title="{_safe(cell.title.replace("`", ""))}"' if cell.title else ""
    told += f' data-value="{_safe(cell.value)}"' if cell.value else ""
    small = f"<small>{_safe(coded(cell.small))}</small>" if cell.small else ""
    return f"<{tag}{told}>{_safe(coded(cell.text))}{small}"


@functools.lru_cache(maxsize=4096, typed=True)  # markup equals the text that looks like it
def _safe(text: str) -> str:
    made = str(escape(clean(text)))
    return _LONG.sub(_breakable, made) if max(map(len, made.split()), default=0) > 20 else made


_LONG = re.compile(r"(?:&#?\w+;|[^\s<>&/-]){21,}")
"""What a column cannot hold and a browser does not break; an entity is one letter of it."""


def _breakable(word: re.Match[str]) -> str:
    """With places where it may be broken."""
    pattern = "_(?=.)" if max(map(len, word[0].split("_"))) <= 20 else r"(?:&#?\w+;|[^&]){10}(?=.)"
    return re.sub(pattern, r"\g<0><wbr>", word[0])


def head(text: str, small: str = "") -> Cell:
    """The head of a row."""
    return Cell(text, "h", small=small)


def number(
    value: float | None, form: Callable[[float], str], unit: str = "", *, reason: str = "", raw: bool = False
) -> Cell:
    """A number in a form, more digits in its title if it has more; without a number a dash and the reason."""
    if value is None:
        return Cell(NOTHING, "n", title=reason)
    text = form(value)
    return Cell(
        text, "n", title=exact(value, unit) if text != exact(value) else "", value=repr(float(value)) if raw else ""
    )


def table(
    caption: str, heads: Sequence[str], rows: Sequence[Sequence[Cell]], *, note: str = "", total: bool = False,
    style: str = "", marks: Sequence[str] = (), point: bool = True,
) -> Table:  # fmt: skip
    """A table whose number columns are found by their cells; with `point` they align on the decimal point."""
    columns = [[row[index] for row in rows] for index in range(len(heads))]
    numeric = frozenset(index for index, column in enumerate(columns) if any(cell.kind == "n" for cell in column))
    aligned = [_aligned(column) if point else column for column in columns]
    return Table(caption, heads, [list(row) for row in zip(*aligned, strict=True)], numeric, note, total, style, marks)


def _aligned(column: list[Cell]) -> list[Cell]:
    """Digits after the point of each number, filled up to the longest of the column."""
    tails = [len(cell.text.partition(".")[2]) + 1 if "." in cell.text else 0 for cell in column]
    plain = [cell.kind == "n" and cell.text[-1:].isdigit() for cell in column]
    most = max((tail for tail, is_plain in zip(tails, plain, strict=True) if is_plain), default=0)
    return [
        replace(cell, pad=most - tail) if is_plain and 0 < most - tail <= 6 else cell
        for cell, tail, is_plain in zip(column, tails, plain, strict=True)
    ]
