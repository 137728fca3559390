"""The words of which lines are made, besides arithmetic and comparisons.

Each word has one meaning in every printer; `docs/vocabulary.md` shows them side by side. The unit
rules are here, the forms in `tco/printers`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pint

from tco.expression import PLAIN, Expr, Mistake, constant, convert, in_words, lift, node, numeric, same_unit, show
from tco.units import conversion, product, root, unit

half = constant("half")
"""0.5, as a named constant."""

almost_one = constant("almost_one")
"""1 less the relative noise that a comparison forgives."""

COUNT = unit("period")


def where(condition: Any, yes: Any, no: Any) -> Any:
    """`yes` where the condition holds, else `no`; both arms are always computed."""
    if not (isinstance(condition, Expr) and condition.condition):
        raise Mistake("where() needs a condition first, such as `x > y`")
    if any(_contains(lift(part), "where") for part in (condition, yes, no)):
        raise Mistake("a where() inside a where(): give the inner one a line of its own")
    arms, target = same_unit("where", yes, no)
    return node("where", (condition, *arms), target)


def both(*conditions: Any) -> Any:
    """True where all conditions hold."""
    return node("both", _conditions("both", conditions), PLAIN, condition=True)


def either(*conditions: Any) -> Any:
    """True where at least one condition holds."""
    return node("either", _conditions("either", conditions), PLAIN, condition=True)


def maximum(*values: Any) -> Any:
    """The largest of the values."""
    return _extreme("maximum", values)


def minimum(*values: Any) -> Any:
    """The smallest of the values."""
    return _extreme("minimum", values)


def ceil(value: Any, of: str) -> Any:
    """The smallest whole number of `of` not below the value, forgiving relative noise of 1e-12."""
    return node("ceil", (convert(numeric(lift(value)), unit(of)),), unit(of))


def floor(value: Any, of: str) -> Any:
    """The largest whole number of `of` not above the value, forgiving relative noise of 1e-12."""
    return node("floor", (convert(numeric(lift(value)), unit(of)),), unit(of))


def square_root(value: Any) -> Any:
    """The square root; it halves the unit."""
    operand = numeric(lift(value))
    rooted = root(_unit(operand))
    if rooted is None:
        raise Mistake(f"square_root of `{show(operand)}` in {in_words(operand.unit)}: the unit has no whole root")
    return node("square_root", (operand,), rooted)


def logarithm(value: Any) -> Any:
    """The natural logarithm of a plain number above 0."""
    return node("logarithm", (convert(numeric(lift(value)), PLAIN),), PLAIN)


def erlang(load: Any, places: Any) -> Any:
    """The share of time in which all places are taken, of `load` that would be taken on average (Erlang's formula)."""
    args, _ = same_unit("erlang", load, places)
    return node("erlang", args, PLAIN)


def lag(value: Any, by: Any = None, opening: Any = None) -> Any:
    """The value `by` periods earlier (one if left out); before the start the opening value, else 0.

    Only the line itself may state its opening value.
    """
    row = _row("lag", value)
    if opening is not None:
        if by is not None:
            raise Mistake("lag() takes `by` or `opening`, not both")
        start = convert(numeric(lift(opening)), _unit(row))
        if start.series:
            raise Mistake(f"the opening value `{show(start)}` must be one number, not a series")
        return node("lag", (row, start), row.unit)
    return node("lag", (row,), row.unit) if by is None else node("lag_by", (row, _count("by", by)), row.unit)


def cumulative(value: Any, within: Any = None) -> Any:
    """The running sum from the first period, or from the start of each value of the clock `within`."""
    row = _row("cumulative", value)
    if within is None:
        return node("cumulative", (row,), row.unit)
    return node("cumulative_within", (row, _row("cumulative", within)), row.unit)


def total(value: Any, last: Any = None) -> Any:
    """The sum over all periods (one number), or over the `last` periods including this one (a series)."""
    operand = numeric(lift(value))
    if last is not None:
        row = _row("total", operand)
        return node("window_total", (row, _count("last", last)), row.unit)
    if operand.op == "mul":
        left, right = (_row("total", part) for part in operand.args)
        return node("total_product", (left, right), operand.unit, series=False)
    return node("total", (_row("total", operand),), operand.unit, series=False)


def highest(value: Any, last: Any = None) -> Any:
    """The largest value over all periods (one number), or over the `last` ones (a series, never below 0)."""
    row = _row("highest", value)
    if last is None:
        return node("highest", (row,), row.unit, series=False)
    return node("window_highest", (row, _count("last", last)), row.unit)


def tiered(value: Any, table: Any) -> Any:
    """The bill of `value` under a table of marginal prices: rows (from, price of what lies above it)."""
    operand, prices = numeric(lift(value)), _table("tiered", table)
    if operand.op != "name":
        raise Mistake(f"tiered(`{show(operand)}`) needs a line of its own: a sheet reads it twice")
    start = _unit(prices.args[0])
    return node("tiered", (convert(operand, start), prices), product(start, _unit(prices)))


def by_age(value: Any, table: Any, clock: Any) -> Any:
    """Every past amount times the share of its own age, which is read in the table: rows (from age, share)."""
    row, shares, time = _row("by_age", value), _table("by_age", table), _row("by_age", clock)
    if _unit(shares.args[0]) != _unit(time):
        raise Mistake(
            f"`{shares.name}` starts its rows in {in_words(shares.args[0].unit)}, "
            f"the clock `{show(time)}` counts in {in_words(time.unit)}: they must be the same"
        )
    return node("by_age", (row, shares, time), product(_unit(row), _unit(shares)))


# --- phrases: unknown to printers ---


def compound(rate: Any, time: Any) -> Any:
    """(1 + rate x 1 yr) ** (time / 1 yr): an effective annual rate over a time."""
    yearly = convert(numeric(lift(rate)), unit("1/yr"))
    years = convert(numeric(lift(time)), unit("yr"))
    return (1 + replace(yearly, unit=PLAIN)) ** replace(years, unit=PLAIN)


def one(of: str) -> Any:
    """A 1 that carries a unit."""
    return Expr("number", unit=unit(of), name="1")


# --- checks ---


def _unit(value: Expr) -> pint.Unit:
    return PLAIN if value.unit is None else value.unit


def _row(word: str, value: Any) -> Expr:
    operand = numeric(lift(value))
    if operand.op != "name":
        raise Mistake(f"{word}(`{show(operand)}`) needs a line of its own: a sheet reads a row")
    if not operand.series:
        raise Mistake(
            f"{word}(`{operand.name}`): it is one number, not a series; multiply a rate by `period` to get amounts"
        )
    return operand


def _count(role: str, value: Any) -> Expr:
    operand = numeric(lift(value))
    if operand.op == "name" and not operand.series and conversion(_unit(operand), COUNT) is not None:
        return operand
    raise Mistake(
        f'`{role}=` takes one named count of periods, such as ceil(life / step, "period"); `{show(operand)}` is not one'
    )


def _table(word: str, value: Any) -> Expr:
    if isinstance(value, Expr) and value.op == "table":
        return value
    raise Mistake(f"{word}() reads a table, which `{show(lift(value))}` is not")


def _conditions(word: str, values: tuple[Any, ...]) -> tuple[Expr, ...]:
    if len(values) < 2:
        raise Mistake(f"{word}() joins at least two conditions")
    for value in values:
        if not (isinstance(value, Expr) and value.condition):
            raise Mistake(f"{word}() takes conditions such as `x > y`; `{show(lift(value))}` is a number")
    return values


def _extreme(word: str, values: tuple[Any, ...]) -> Expr:
    if len(values) < 2:
        raise Mistake(f"{word}() compares at least two values; for the extreme of a series use highest()")
    args, target = same_unit(word, *values)
    return node(word, args, target)


def _contains(value: Expr, op: str) -> bool:
    return value.op == op or any(_contains(arg, op) for arg in value.args)
