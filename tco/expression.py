"""Expressions: what a line becomes when it is called once on operands without numbers.

An `Expr` knows its unit and whether it is a series (one number a period). Operators build larger
expressions in the author's order, check units and put conversions in as named constants. Every
other Python door is closed with advice, so that nothing can be silently wrong.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NoReturn

import pint

from tco.units import conversion, items, product, unit, unit_text


class Mistake(Exception):
    """One thing wrong in one line, in model words; `Model` collects them."""


@dataclass(frozen=True, eq=False)
class Expr:
    """A node: an operation on arguments, or a leaf (`name`, `constant`, `number`, `table`).

    `unit` is None only for the number 0, which takes the unit of its neighbour.
    """

    op: str
    args: tuple[Expr, ...] = ()
    unit: pint.Unit | None = None
    series: bool = False
    name: str = ""
    condition: bool = False

    # --- arithmetic ---

    def __add__(self, other: Expr | int) -> Expr:
        return _sum("add", self, other)

    def __radd__(self, other: Expr | int) -> Expr:
        return _sum("add", other, self)

    def __sub__(self, other: Expr | int) -> Expr:
        return _sum("sub", self, other)

    def __rsub__(self, other: Expr | int) -> Expr:
        return _sum("sub", other, self)

    def __mul__(self, other: Expr | int) -> Expr:
        return _product("mul", self, other)

    def __rmul__(self, other: Expr | int) -> Expr:
        return _product("mul", other, self)

    def __truediv__(self, other: Expr | int) -> Expr:
        return _product("div", self, other)

    def __rtruediv__(self, other: Expr | int) -> Expr:
        return _product("div", other, self)

    def __neg__(self) -> Expr:
        value = numeric(self)
        return node("neg", (value,), value.unit)

    def __pow__(self, other: Expr | int) -> Expr:
        base, power = numeric(lift(self)), numeric(lift(other))
        for part, role in ((base, "base"), (power, "exponent")):
            if part.unit is not None and conversion(part.unit, PLAIN) is None:
                raise Mistake(
                    f"the {role} `{show(part)}` of a power is in {in_words(part.unit)}; it must be a plain number"
                )
        return node("pow", (convert(base, PLAIN), convert(power, PLAIN)), PLAIN)

    def __rpow__(self, other: Expr | int) -> Expr:
        return lift(other) ** self

    # --- comparisons: conditions, not numbers ---

    def __lt__(self, other: Expr | int) -> Expr:
        return _comparison("lt", self, other)

    def __le__(self, other: Expr | int) -> Expr:
        return _comparison("le", self, other)

    def __gt__(self, other: Expr | int) -> Expr:
        return _comparison("gt", self, other)

    def __ge__(self, other: Expr | int) -> Expr:
        return _comparison("ge", self, other)

    # --- closed doors ---

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> NoReturn:
        raise Mistake(f"`{show(self)} == …`: {_EQUALITY}")

    def __ne__(self, other: object) -> NoReturn:
        raise Mistake(f"`{show(self)} != …`: {_EQUALITY}")

    def __bool__(self) -> NoReturn:
        raise Mistake(
            f"`if`, `and`, `or`, `not`, `max()` and `min()` need a value that `{show(self)}` has not: "
            "use where, both, either, maximum, minimum"
        )

    def __iter__(self) -> NoReturn:
        raise Mistake(
            f"`{show(self)}` cannot be iterated, so sum(), max(), min() and loops cannot read it: "
            "use total(), highest() or cumulative() on a named line"
        )

    def __len__(self) -> NoReturn:
        raise Mistake(f"`{show(self)}` has no length: use total(period) or the number of periods as an input")

    def __float__(self) -> NoReturn:
        raise Mistake(f"`{show(self)}` has no value yet: use only the vocabulary, not float() or math functions")

    __int__ = __index__ = __complex__ = __trunc__ = __float__

    def __getitem__(self, key: Any) -> NoReturn:
        raise Mistake(f"`{show(self)}[…]`: use lag() for another period")

    def __array__(self, *_: Any, **__: Any) -> NoReturn:
        raise Mistake(f"numpy cannot be used on `{show(self)}`: use the vocabulary")

    def __array_ufunc__(self, *_: Any, **__: Any) -> NoReturn:
        raise Mistake(f"numpy cannot be used on `{show(self)}`: use the vocabulary")

    def __mod__(self, other: Any) -> NoReturn:
        raise Mistake(f"`{show(self)} % …` and `//` are not in the vocabulary: use floor()")

    __floordiv__ = __rmod__ = __rfloordiv__ = __mod__

    __divmod__ = __rdivmod__ = __mod__

    def __and__(self, other: Any) -> NoReturn:
        raise Mistake(f"`&`, `|`, `^` and `~` are not in the vocabulary: use both() or either() on `{show(self)}`")

    __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __and__

    def __invert__(self) -> NoReturn:
        self.__and__(None)

    def __abs__(self) -> NoReturn:
        raise Mistake(f"abs() is not in the vocabulary: use maximum(x, -x) on `{show(self)}`")

    def __round__(self, *_: Any) -> NoReturn:
        raise Mistake(f"round() is not in the vocabulary: use ceil() or floor() on `{show(self)}`")


PLAIN = unit("")

_EQUALITY = "equality of computed values differs between engines; use `<`, `>` or a flag"


def named(name: str, of: pint.Unit, series: bool) -> Expr:
    """A leaf that stands for another line or an input."""
    return Expr("name", unit=of, series=series, name=name)


def table(name: str, of: pint.Unit, start: pint.Unit) -> Expr:
    """A leaf that stands for a table of rows (from, value); its single argument carries the unit of `from`."""
    return Expr("table", (Expr("name", unit=start, name=name),), of, name=name)


def constant(name: str) -> Expr:
    """A named factor of `tco.units.CONSTANTS`."""
    return Expr("constant", unit=PLAIN, name=name)


def node(
    op: str, args: tuple[Expr, ...], of: pint.Unit | None, *, series: bool | None = None, condition: bool = False
) -> Expr:
    """An operation; it is a series if one of its arguments is."""
    wide = any(arg.series for arg in args) if series is None else series
    return Expr(op, args, of, wide, condition=condition)


def lift(value: Any) -> Expr:
    """An operand; of plain numbers only 0, 1 and -1. Raises Mistake."""
    if isinstance(value, Expr):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Mistake(f"`{value!r}` stands in a formula: a line is made of its parents and the vocabulary")
    if value not in (0, 1, -1):
        raise Mistake(f"the number {value!r} stands in a formula: make it an input with a source, or a unit's business")
    number = Expr("number", unit=None if value == 0 else PLAIN, name=str(abs(int(value))))
    return node("neg", (number,), PLAIN) if value == -1 else number


def numeric(value: Expr) -> Expr:
    """The operand, unless it is a condition or a table. Raises Mistake."""
    if value.condition:
        raise Mistake(f"`{show(value)}` is a condition, not a number: use where({show(value)}, 1, 0)")
    if value.op == "table":
        raise Mistake(f"`{value.name}` is a table: read it with tiered() or by_age()")
    return value


def convert(value: Expr, target: pint.Unit) -> Expr:
    """The same quantity in another unit, conversion factors as named constants. Raises Mistake."""
    if value.unit is target:
        return value
    if value.unit is None:
        return replace(value, unit=target)
    factors = conversion(value.unit, target)
    if factors is None:
        raise Mistake(f"`{show(value)}` is in {in_words(value.unit)}, which cannot become {in_words(target)}")
    result = value
    for name, power in sorted(factors.items(), key=lambda pair: -pair[1]):
        for _ in range(abs(power)):
            result = node("mul" if power > 0 else "div", (result, constant(name)), target)
    return replace(result, unit=target)


def same_unit(op: str, *values: Any) -> tuple[tuple[Expr, ...], pint.Unit | None]:
    """All operands in the unit of the first that has one. Raises Mistake."""
    lifted = [numeric(lift(value)) for value in values]
    target = next((value.unit for value in lifted if value.unit is not None), None)
    if target is None:
        return tuple(lifted), None
    for value in lifted:
        if value.unit is not None and conversion(value.unit, target) is None:
            first = next(item for item in lifted if item.unit is not None)
            raise Mistake(
                f"`{op}` of `{show(first)}` in {in_words(target)} and `{show(value)}` in {in_words(value.unit)}: "
                "they are of different kinds"
            )
    return tuple(convert(value, target) for value in lifted), target


def in_words(of: pint.Unit | None) -> str:
    """A unit for a message."""
    return (unit_text(of) if of is not None else "") or "a plain number"


def show(value: Expr) -> str:
    """The expression as its author wrote it."""
    from tco.printers.text import source_text

    return source_text(value)


def _sum(op: str, left: Any, right: Any) -> Expr:
    args, target = same_unit({"add": "+", "sub": "-"}[op], left, right)
    return node(op, args, target)


def _product(op: str, left: Any, right: Any) -> Expr:
    first, second = numeric(lift(left)), numeric(lift(right))
    left_unit, right_unit = (PLAIN if part.unit is None else part.unit for part in (first, second))
    return node(op, (first, second), product(left_unit, right_unit, 1 if op == "mul" else -1))


def _comparison(op: str, left: Any, right: Any) -> Expr:
    args, target = same_unit("comparison", left, right)
    if target is not None and any(arg.series for arg in args) and dict(items(target)) in TIMES:
        raise Mistake(
            f"`{show(node(op, args, PLAIN))}` compares time along the periods, which turns on the last digit: "
            'compare counts of periods, such as ceil(life / step, "period")'
        )
    return node(op, args, PLAIN, condition=True)


TIMES = [{name: 1} for name in ("yr", "month", "week", "day", "h", "s", "ms", "us")]
