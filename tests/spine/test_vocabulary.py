"""Every word: its unit, its shape, its text, and the advice where it is misused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tco.expression import Expr, Mistake, named, show, table
from tco.units import unit, unit_text
from tco.vocabulary import (
    almost_one,
    both,
    by_age,
    ceil,
    compound,
    cumulative,
    either,
    erlang,
    floor,
    half,
    highest,
    lag,
    logarithm,
    maximum,
    minimum,
    one,
    square_root,
    tiered,
    total,
    where,
)  # fmt: skip

COST = named("cost", unit("money"), True)
FEE = named("fee", unit("money"), False)
POWER = named("power", unit("kW"), True)
WATTS = named("watts", unit("W"), True)
SHARE = named("share", unit(""), True)
LIFE = named("life", unit("period"), False)
AGE = named("period_number", unit("period"), True)
YEAR = named("fiscal_year", unit("yr"), True)
PERIOD = named("period", unit("yr"), True)
WARRANTY = named("warranty", unit("month"), False)
RATE = named("rate", unit("1/yr"), False)
PRICES = table("prices", unit("money/kW"), unit("W"))
KEPT = table("kept", unit(""), unit("period"))

WORKS: dict[str, tuple[Callable[[], Expr], str, str, bool]] = {
    "where": (lambda: where(COST > FEE, COST, 0), "where(cost > fee, cost, 0)", "money", True),
    "where converts": (lambda: where(COST > 0, POWER, WATTS), "where(cost > 0, power, watts / thousand)", "kW", True),
    "where of numbers": (lambda: where(FEE > 0, 1, 0), "where(fee > 0, 1, 0)", "", False),
    "both": (lambda: both(COST > 0, FEE > 0), "both(cost > 0, fee > 0)", "", True),
    "either": (lambda: either(FEE > 0, FEE < 0), "either(fee > 0, fee < 0)", "", False),
    "maximum": (lambda: maximum(0, COST, FEE), "maximum(0, cost, fee)", "money", True),
    "minimum": (lambda: minimum(POWER, WATTS), "minimum(power, watts / thousand)", "kW", True),
    "ceil": (lambda: ceil(POWER, "W"), 'ceil(power * thousand, "W")', "W", True),
    "floor": (lambda: floor(FEE, "kmoney"), 'floor(fee / thousand, "kmoney")', "kmoney", False),
    "square_root": (lambda: square_root(POWER * POWER), "square_root(power * power)", "kW", True),
    "logarithm": (lambda: logarithm(POWER / WATTS), "logarithm(power / watts * thousand)", "", True),
    "erlang": (lambda: erlang(POWER, WATTS), "erlang(power, watts / thousand)", "", True),
    "lag": (lambda: lag(COST), "lag(cost)", "money", True),
    "lag by": (lambda: lag(COST, by=LIFE), "lag(cost, by=life)", "money", True),
    "lag with opening": (lambda: lag(COST, opening=FEE), "lag(cost, opening=fee)", "money", True),
    "lag opening 0": (lambda: lag(COST, opening=0), "lag(cost, opening=0)", "money", True),
    "cumulative": (lambda: cumulative(COST), "cumulative(cost)", "money", True),
    "cumulative within": (
        lambda: cumulative(COST, within=YEAR),
        "cumulative(cost, within=fiscal_year)",
        "money",
        True,
    ),
    "total": (lambda: total(COST), "total(cost)", "money", False),
    "total of a product": (lambda: total(COST * SHARE), "total(cost * share)", "money", False),
    "total of the last": (lambda: total(COST, last=LIFE), "total(cost, last=life)", "money", True),
    "highest": (lambda: highest(POWER), "highest(power)", "kW", False),
    "highest of the last": (lambda: highest(POWER, last=LIFE), "highest(power, last=life)", "kW", True),
    "tiered": (lambda: tiered(POWER, PRICES), "tiered(power * thousand, prices)", "money/kW*W", True),
    "by_age": (lambda: by_age(COST, KEPT, AGE), "by_age(cost, kept, period_number)", "money", True),
    "compound": (lambda: compound(RATE, PERIOD), "(1 + rate) ** period", "", True),
    "one": (lambda: POWER / one("kW"), 'power / one("kW")', "", True),
    "half": (lambda: COST * half, "cost * half", "money", True),
    "almost_one": (lambda: COST * almost_one, "cost * almost_one", "money", True),
}


@pytest.mark.parametrize("case", WORKS)
def test_a_word_has_a_unit_a_shape_and_a_text(case: str) -> None:
    make, text, of, series = WORKS[case]
    made = make()
    assert (show(made), made.series) == (text, series)
    assert made.unit == unit(of), unit_text(made.unit or unit(""))


MISUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "where without a condition": (lambda: where(COST, 1, 0), "where() needs a condition first, such as `x > y`"),
    "where with True": (lambda: where(True, 1, 0), "where() needs a condition first"),
    "where of kinds": (
        lambda: where(COST > 0, COST, POWER),
        "`where` of `cost` in money and `power` in kW: they are of different kinds",
    ),
    "where in where": (
        lambda: where(COST > 0, where(FEE > 0, COST, 0), 0),
        "a where() inside a where(): give the inner one a line of its own",
    ),
    "where in the condition": (lambda: where(where(FEE > 0, COST, 0) > 0, COST, 0), "a where() inside a where()"),
    "both of a number": (lambda: both(COST, FEE > 0), "both() takes conditions such as `x > y`; `cost` is a number"),
    "either of one": (lambda: either(FEE > 0), "either() joins at least two conditions"),
    "maximum of one": (
        lambda: maximum(COST),
        "maximum() compares at least two values; for the extreme of a series use highest()",
    ),
    "minimum of kinds": (lambda: minimum(COST, POWER), "`minimum` of `cost` in money and `power` in kW"),
    "ceil of a kind": (lambda: ceil(COST, "system"), "`cost` is in money, which cannot become system"),
    "ceil of a condition": (lambda: ceil(COST > 0, "system"), "`cost > 0` is a condition, not a number"),
    "square root": (lambda: square_root(POWER), "square_root of `power` in kW: the unit has no whole root"),
    "logarithm": (lambda: logarithm(POWER), "`power` is in kW, which cannot become a plain number"),
    "erlang of kinds": (lambda: erlang(COST, POWER), "`erlang` of `cost` in money and `power` in kW"),
    "lag by and opening": (
        lambda: lag(COST, by=LIFE, opening=FEE),
        "lag() takes `by` or `opening`, not both",
    ),
    "opening is a series": (
        lambda: lag(COST, opening=COST),
        "the opening value `cost` must be one number, not a series",
    ),
    "opening of a kind": (lambda: lag(COST, opening=RATE), "`rate` is in 1/yr, which cannot become money"),
    "compound of a share": (
        lambda: compound(SHARE, PERIOD),
        "`share` is in a plain number, which cannot become 1/yr",
    ),
    "compound over a count": (lambda: compound(RATE, LIFE), "`life` is in period, which cannot become yr"),
    "tiered without a table": (lambda: tiered(POWER, FEE), "tiered() reads a table, which `fee` is not"),
    "tiered of a kind": (lambda: tiered(COST, PRICES), "`cost` is in money, which cannot become W"),
    "by_age without a table": (lambda: by_age(COST, FEE, AGE), "by_age() reads a table, which `fee` is not"),
}


# The rules of the vocabulary, by number; 1, 2 and 6 in the whole of a model are in test_model.py.
RULES: dict[str, tuple[Callable[[], Any], str]] = {
    "3 by= takes a count": (
        lambda: lag(COST, by=RATE),
        '`by=` takes one named count of periods, such as ceil(life / step, "period"); `rate` is not one',
    ),
    "3 by= takes a name": (lambda: lag(COST, by=LIFE + LIFE), "`by=` takes one named count of periods"),
    "3 by= takes one number": (lambda: lag(COST, by=AGE), "`period_number` is not one"),
    "3 by= takes no number": (lambda: lag(COST, by=1), "`by=` takes one named count of periods"),
    "3 last= takes a count": (lambda: total(COST, last=FEE), "`last=` takes one named count of periods"),
    "3 highest last=": (lambda: highest(COST, last=PERIOD), "`last=` takes one named count of periods"),
    "3 period_number compares with counts": (
        lambda: AGE > FEE,
        "`comparison` of `period_number` in period and `fee` in money: they are of different kinds",
    ),
    "3 no time along the periods": (
        lambda: PERIOD >= WARRANTY,
        "`period >= warranty / months_per_yr` compares time along the periods, which turns on the last digit",
    ),
    "4 the unit of from": (
        lambda: by_age(COST, KEPT, YEAR),
        "`kept` starts its rows in period, the clock `fiscal_year` counts in yr: they must be the same",
    ),
    "4 the unit of from, not only its kind": (
        lambda: by_age(COST, table("kept", unit(""), unit("month")), YEAR),
        "`kept` starts its rows in month, the clock `fiscal_year` counts in yr: they must be the same",
    ),
    "4 a table is no number": (lambda: COST * KEPT, "`kept` is a table: read it with tiered() or by_age()"),
    "5 a condition is no number": (
        lambda: (COST > 0) * COST,
        "`cost > 0` is a condition, not a number: use where(cost > 0, 1, 0)",
    ),
    "6 lag of an expression": (
        lambda: lag(COST + FEE),
        "lag(`cost + fee`) needs a line of its own: a sheet reads a row",
    ),
    "6 cumulative of an expression": (lambda: cumulative(-COST), "cumulative(`-cost`) needs a line of its own"),
    "6 total of a sum": (lambda: total(COST + FEE), "total(`cost + fee`) needs a line of its own"),
    "6 total of a product of three": (
        lambda: total(COST * SHARE * SHARE),
        "total(`cost * share`) needs a line of its own",
    ),
    "6 highest of an expression": (lambda: highest(COST * SHARE), "highest(`cost * share`) needs a line of its own"),
    "6 by_age of an expression": (
        lambda: by_age(COST * SHARE, KEPT, AGE),
        "by_age(`cost * share`) needs a line of its",
    ),
    "6 tiered of an expression": (
        lambda: tiered(POWER + WATTS, PRICES),
        "needs a line of its own: a sheet reads it twice",
    ),
    "6 a row, not one number": (
        lambda: total(FEE),
        "total(`fee`): it is one number, not a series; multiply a rate by `period` to get amounts",
    ),
    "6 the clock is a row": (lambda: cumulative(COST, within=LIFE), "cumulative(`life`): it is one number"),
    "7 no numbers": (lambda: COST * 8760, "the number 8760 stands in a formula: make it an input with a source"),
    "7 no numbers in words": (lambda: maximum(COST, 5), "the number 5 stands in a formula"),
    "7 no numbers in arms": (lambda: where(COST > 0, 2, 0), "the number 2 stands in a formula"),
}


@pytest.mark.parametrize("case", [*MISUSED, *RULES])
def test_a_misused_word_is_answered_with_advice(case: str) -> None:
    make, message = {**MISUSED, **RULES}[case]
    with pytest.raises(Mistake) as caught:
        make()
    assert message in str(caught.value)
