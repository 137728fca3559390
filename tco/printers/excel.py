"""Expressions as Excel formulas: one a row. `{c}` is the period's column and `{p}` the one before.

The frame of a calculation sheet is that of `docs/workbook.md`: one number in D, the opening value
in F, periods from G on. Functions of 2007 only.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from tco.expression import Expr
from tco.model import inside
from tco.printers.infix import INFIX, LEAVES, Printer, Row

OPENING, FIRST = "F", "G"


@dataclass(frozen=True)
class Frame:
    """Where things are: `cell(name)` of one number, `row(name)` of a series, the last period's column.

    `every_age(table, clock)` says that the table has a row for each age that the clock can reach.
    """

    cell: Callable[[str], str]
    row: Callable[[str], int | str]
    last: str
    clock: str = "period_number"
    group: frozenset[str] = field(default_factory=frozenset[str])
    every_age: Callable[[str, str], bool] = lambda table, clock: False


def formula(value: Expr, frame: Frame) -> str:
    """The formula without `=`, with `{c}` and `{p}` left to fill in for each period.

    It is printed once for all fleets and workbooks, with holes where the places of a sheet stand.
    """
    gapless = frozenset(pair for pair in _aged(value) if frame.every_age(*pair))
    text = _with_holes(value, frame.last, frame.clock, frame.group, gapless)
    return _HOLE.sub(lambda hole: str(frame.row(hole[2]) if hole[1] == "\x01" else frame.cell(hole[2])), text)


_HOLE = re.compile("([\x01\x02])([^\x03]+)\x03")


@functools.lru_cache(maxsize=4096)
def _with_holes(value: Expr, last: str, clock: str, group: frozenset[str], gapless: frozenset[tuple[str, str]]) -> str:
    def every_age(table: str, clock: str) -> bool:
        return (table, clock) in gapless

    frame = Frame("\x02{}\x03".format, "\x01{}\x03".format, last, clock, group, every_age)
    return Printer(_rows(frame), lambda leaf: _leaf(leaf, frame))(_without_ones(value))


@functools.lru_cache(maxsize=4096)
def _aged(value: Expr) -> tuple[tuple[str, str], ...]:
    """Tables that are read by age, with the clock."""
    found = [part for part in (value, *inside(value)) if part.op == "by_age"]
    return tuple((part.args[1].name, part.args[2].name) for part in found)


def _without_ones(value: Expr) -> Expr:
    """The same number without factors of 1, which only carry a unit."""
    if value.op == "table" or not value.args:
        return value
    args = tuple(_without_ones(arg) for arg in value.args)
    if value.op in ("mul", "div") and _is_one(args[1]):
        return args[0]
    if value.op == "mul" and _is_one(args[0]):
        return args[1]
    same = all(new is old for new, old in zip(args, value.args, strict=True))
    return value if same else replace(value, args=args)


def _is_one(value: Expr) -> bool:
    return value.op == "number" and value.name == "1"


def _leaf(value: Expr, frame: Frame) -> str:
    if value.op in ("constant", "number"):
        return value.name
    if value.op == "table":
        return value.name
    return f"{{c}}{frame.row(value.name)}" if value.series else frame.cell(value.name)


def _rows(frame: Frame) -> dict[str, Row]:
    count = frame.row(frame.clock)
    window = f"({FIRST}${count}:{{{{c}}}}${count}>{{{{c}}}}${count}-{{n}})".replace(FIRST, f"${FIRST}")

    def number(value: Expr, index: int = 0) -> int | str:
        return frame.row(value.args[index].name)

    def whole(value: Expr, index: int = 0) -> str:
        return f"${FIRST}{number(value, index)}:${frame.last}{number(value, index)}"

    def so_far(value: Expr, index: int = 0) -> str:
        return f"${FIRST}{number(value, index)}:{{c}}{number(value, index)}"

    def lag_by(printer: Printer, value: Expr) -> str:
        end = "{p}" if value.args[0].name in frame.group else "{c}"
        row = number(value)
        return (
            f"SUMIF(${OPENING}${count}:{end}${count},{{c}}${count}-{printer(value.args[1])},${OPENING}{row}:{end}{row})"
        )

    def within(printer: Printer, value: Expr) -> str:
        clock = number(value, 1)
        return f"SUMIF(${FIRST}${clock}:{{c}}${clock},{{c}}${clock},{so_far(value)})"

    def windowed(printer: Printer, value: Expr) -> str:
        return window.format(n=printer(value.args[1])) + "*" + so_far(value)

    def tiered(printer: Printer, value: Expr) -> str:
        amount, table = printer(value.args[0]), value.args[1].name
        return f"SUMPRODUCT(({amount}>{table}_from)*({amount}-{table}_from)*{table}_step)"

    def by_age(printer: Printer, value: Expr) -> str:
        """Without gaps the share stands in the row of its age; adding steps would leave crumbs where it is 0."""
        clock, table = number(value, 2), value.args[1].name
        age = f"{{c}}${clock}-${FIRST}${clock}:{{c}}${clock}"
        if frame.every_age(table, value.args[2].name):
            return f"SUMPRODUCT(({age}={table}_from)*{table}_value*{so_far(value)})"
        return f"SUMPRODUCT(({age}>={table}_from)*{table}_step*{so_far(value)})"

    def power(printer: Printer, value: Expr) -> str:
        return "^".join(printer(arg) if arg.op in LEAVES else f"({printer(arg)})" for arg in value.args)

    return {
        **{op: row.replace(" ", "") for op, row in INFIX.items() if isinstance(row, str)},
        "pow": power,
        "where": "IF({0},{1},{2})",
        "both": lambda printer, value: f"AND({','.join(printer(arg) for arg in value.args)})",
        "either": lambda printer, value: f"OR({','.join(printer(arg) for arg in value.args)})",
        "maximum": lambda printer, value: f"MAX({','.join(_filled(printer, arg) for arg in value.args)})",
        "minimum": lambda printer, value: f"MIN({','.join(_filled(printer, arg) for arg in value.args)})",
        "ceil": lambda printer, value: f"ROUNDUP({_factor(printer, value)}*almost_one,0)",
        "floor": lambda printer, value: f"ROUNDDOWN({_factor(printer, value)}/almost_one,0)",
        "square_root": "SQRT({0})",
        "logarithm": "LN({0})",
        "erlang": "(POISSON({1},{0},0)/POISSON({1},{0},1))",
        "lag": lambda printer, value: f"{{p}}{number(value)}",
        "lag_by": lag_by,
        "cumulative": lambda printer, value: f"SUM({so_far(value)})",
        "cumulative_within": within,
        "total": lambda printer, value: f"SUM({whole(value)})",
        "total_product": lambda printer, value: f"SUMPRODUCT({whole(value)},{whole(value, 1)})",
        "window_total": lambda printer, value: f"SUMPRODUCT({windowed(printer, value)})",
        "highest": lambda printer, value: f"MAX({whole(value)})",
        "window_highest": lambda printer, value: f"SUMPRODUCT(MAX({windowed(printer, value)},0))",
        "tiered": tiered,
        "by_age": by_age,
    }


def _filled(printer: Printer, value: Expr) -> str:
    """MIN and MAX pass over a blank cell, and so the opening cell of a line without opening; a sum reads it as 0."""
    blank = value.op == "lag" or (value.op == "where" and any(arg.op == "lag" for arg in value.args))
    return f"{printer(value)}+0" if blank else printer(value)


def _factor(printer: Printer, value: Expr) -> str:
    """The argument, in brackets if it is a sum."""
    inner = value.args[0]
    return f"({printer(inner)})" if inner.op in ("add", "sub", "neg") else printer(inner)
