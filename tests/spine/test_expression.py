"""Expressions: units are checked, conversions are named, every other Python door is closed with advice."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tco.expression import Expr, Mistake, lift, named, show, table
from tco.units import unit, unit_text

X: Any = named("x", unit("kW"), True)
Y: Any = named("y", unit("kW"), True)
ENERGY: Any = named("energy", unit("kWh"), True)
HOURS: Any = named("hours", unit("h"), True)
SHARE: Any = named("share", unit(""), False)
WARRANTY = named("warranty", unit("yr"), False)
PRICES = table("prices", unit("money/kWh"), unit("kWh"))

DOORS: dict[str, tuple[Callable[[], Any], str]] = {
    "if": (lambda: 1 if X > Y else 0, "`x > y` has not: use where, both, either, maximum, minimum"),
    "if on a number": (lambda: 1 if X else 0, "`x` has not: use where, both"),
    "and": (lambda: X > Y and Y > X, "`x > y` has not: use where, both, either"),
    "or": (lambda: (X > Y) or 0, "`x > y` has not: use where, both, either"),
    "not": (lambda: not X, "`x` has not: use where"),
    "chained comparison": (lambda: 0 < X < Y, "`x > 0` has not: use where, both"),
    "==": (lambda: X == Y, "`x == …`: equality of computed values differs between engines; use `<`, `>` or a flag"),
    "== 0": (lambda: X == 0, "`x == …`"),
    "!=": (lambda: X != Y, "`x != …`: equality of computed values differs between engines"),
    "in": (lambda: X in [Y], "`y == …`"),
    "contains": (lambda: Y in X, "`x` cannot be iterated"),
    "sum": (lambda: sum(X), "`x` cannot be iterated, so sum(), max(), min() and loops cannot read it: use total()"),
    "max of a series": (lambda: max(X), "use total(), highest() or cumulative() on a named line"),
    "max": (lambda: max(X, Y), "`y > x` has not: use where, both, either, maximum, minimum"),
    "min": (lambda: min(X, Y), "`y < x` has not: use where, both, either, maximum, minimum"),
    "for": (lambda: list(X), "`x` cannot be iterated"),
    "sorted": (lambda: sorted(X), "`x` cannot be iterated"),
    "float": (lambda: float(X), "`x` has no value yet: use only the vocabulary, not float() or math functions"),
    "int": (lambda: int(X), "`x` has no value yet"),
    "complex": (lambda: complex(X), "`x` has no value yet"),
    "range": (lambda: range(X), "`x` has no value yet"),
    "len": (lambda: len(X), "`x` has no length: use total(period) or the number of periods as an input"),
    "index": (lambda: X[0], "`x[…]`: use lag() for another period"),
    "slice": (lambda: X[1:], "use lag() for another period"),
    "%": (lambda: X % Y, "`x % …` and `//` are not in the vocabulary: use floor()"),
    "//": (lambda: X // Y, "are not in the vocabulary: use floor()"),
    "1 // x": (lambda: 1 // X, "are not in the vocabulary: use floor()"),
    "divmod": (lambda: divmod(X, Y), "are not in the vocabulary: use floor()"),
    "abs": (lambda: abs(X), "abs() is not in the vocabulary: use maximum(x, -x) on `x`"),
    "round": (lambda: round(X), "round() is not in the vocabulary: use ceil() or floor() on `x`"),
    "round to digits": (lambda: round(X, 2), "round() is not in the vocabulary: use ceil() or floor() on `x`"),
    "&": (lambda: (X > Y) & (Y > X), "are not in the vocabulary: use both() or either() on `x > y`"),
    "|": (lambda: (X > Y) | (Y > X), "are not in the vocabulary: use both() or either() on `x > y`"),
    "^": (lambda: X ^ 1, "are not in the vocabulary: use both() or either() on `x`"),
    "~": (lambda: ~(X > Y), "are not in the vocabulary: use both() or either() on `x > y`"),
    **{
        f"math.{function.__name__}": (lambda function=function: function(X), "`x` has no value yet: use only the")
        for function in (math.sqrt, math.ceil, math.floor, math.exp, math.log, math.trunc, math.isnan)
    },
    **{
        f"np.{name}": (lambda name=name: getattr(np, name)(X), "numpy cannot be used on `x`: use the vocabulary")
        for name in ("sqrt", "exp", "ceil", "sum", "cumsum", "asarray", "round", "max", "any")
    },
    "np.where": (lambda: np.where(X > Y, X, Y), "numpy cannot be used on `"),
    "np.maximum": (lambda: np.maximum(X, Y), "numpy cannot be used on `x`: use the vocabulary"),
    "array + x": (lambda: np.ones(3) + X, "numpy cannot be used on `x`: use the vocabulary"),
    "x + array": (lambda: X + np.ones(3), "stands in a formula: a line is made of its parents and the vocabulary"),
    "x + text": (lambda: X + "3", "`'3'` stands in a formula: a line is made of its parents and the vocabulary"),
    "x + None": (lambda: X + None, "`None` stands in a formula"),
    "x * True": (lambda: X * True, "`True` stands in a formula"),
    "8760": (
        lambda: X * 8760,
        "the number 8760 stands in a formula: make it an input with a source, or a unit's business",
    ),
    "0.5": (lambda: X * 0.5, "the number 0.5 stands in a formula"),
    "nan": (lambda: X * math.nan, "the number nan stands in a formula"),
}


@pytest.mark.parametrize("door", DOORS)
def test_a_closed_door_names_the_expression_and_the_way_out(door: str) -> None:
    walk, advice = DOORS[door]
    with pytest.raises(Mistake) as caught:
        walk()
    assert advice in str(caught.value)


SLIPS: dict[str, tuple[Callable[[], Any], str]] = {
    "x + energy": (lambda: X + ENERGY, "`+` of `x` in kW and `energy` in kWh: they are of different kinds"),
    "x - share": (lambda: X - SHARE, "`-` of `x` in kW and `share` in a plain number: they are of different kinds"),
    "1 + x": (lambda: 1 + X, "`+` of `1` in a plain number and `x` in kW: they are of different kinds"),
    "x < energy": (lambda: X < ENERGY, "`comparison` of `x` in kW and `energy` in kWh"),
    "x ** 1": (lambda: X**1, "the base `x` of a power is in kW; it must be a plain number"),
    "share ** x": (lambda: SHARE**X, "the exponent `x` of a power is in kW; it must be a plain number"),
    "condition + 1": (lambda: (X > Y) + 1, "`x > y` is a condition, not a number: use where(x > y, 1, 0)"),
    "-condition": (lambda: -(X > Y), "`x > y` is a condition, not a number"),
    "table * 1": (lambda: PRICES * 1, "`prices` is a table: read it with tiered() or by_age()"),
    "hours > hours": (
        lambda: HOURS > WARRANTY,
        "`hours > warranty * h_per_yr` compares time along the periods, which turns on the last digit: "
        'compare counts of periods, such as ceil(life / step, "period")',
    ),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_of_units_is_a_sentence(slip: str) -> None:
    make, message = SLIPS[slip]
    with pytest.raises(Mistake) as caught:
        make()
    assert message in str(caught.value)


WORKS: dict[str, tuple[Callable[[], Any], str, str]] = {
    "sum in the first unit": (lambda: ENERGY + X * HOURS, "energy + x * hours", "kWh"),
    "sum with a conversion": (lambda: named("w", unit("W"), True) + X, "w + x * thousand", "W"),
    "0 takes the neighbour's unit": (lambda: 0 - X, "0 - x", "kW"),
    "sum() of a list": (lambda: sum([X, Y]), "0 + x + y", "kW"),
    "product": (lambda: X * HOURS, "x * hours", "kW*h"),
    "quotient": (lambda: 1 / HOURS, "1 / hours", "1/h"),
    "minus one": (lambda: X * -1, "x * (-1)", "kW"),
    "a float that is 1": (lambda: X * 1.0, "x * 1", "kW"),
    "power": (lambda: (1 + SHARE) ** (HOURS / HOURS), "(1 + share) ** (hours / hours)", ""),
    "power of 1": (lambda: 1**SHARE, "1 ** share", ""),
    "author's brackets": (lambda: X - (Y - X) - (-Y), "x - (y - x) - (-y)", "kW"),
    "quotient of a product": (lambda: X / (Y * X) * Y, "x / (y * x) * y", ""),
    "minus of a sum": (lambda: -(X + Y), "-(x + y)", "kW"),
    "minus of a minus": (lambda: operator.neg(-X), "-(-x)", "kW"),
    "minus of a power": (lambda: -(SHARE**SHARE), "-(share ** share)", ""),
    "comparison of one number in years": (
        lambda: named("life", unit("yr"), False) > WARRANTY,
        "life > warranty",
        "",
    ),
}


@pytest.mark.parametrize("case", WORKS)
def test_arithmetic_keeps_the_authors_order_and_finds_the_unit(case: str) -> None:
    make, text, of = WORKS[case]
    made = make()
    assert show(made) == text
    assert unit(unit_text(made.unit or unit(""))) == unit(of)


@pytest.mark.parametrize("operation", [operator.add, operator.mul, operator.truediv, operator.lt])
def test_an_operation_on_a_series_is_a_series(operation: Callable[[Any, Any], Expr]) -> None:
    one = named("one_number", unit("kW"), False)
    assert operation(X, one).series
    assert operation(one, X).series
    assert not operation(one, one).series


def test_only_0_1_and_minus_1_are_numbers() -> None:
    assert [show(lift(value)) for value in (0, 1, -1)] == ["0", "1", "-1"]


def test_expressions_can_be_kept_in_sets() -> None:
    assert len({X, Y, X}) == 2
