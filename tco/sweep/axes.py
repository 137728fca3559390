"""Axes as they are asked for: `electricity.price = 0.05 USD/kWh, 0.12 USD/kWh`, or a range in equal steps."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Context, Decimal, localcontext
from typing import Any

from tco.errors import UnitError
from tco.scenario.leaf import Leaf
from tco.sweep.places import Refused
from tco.units import quantity

MOST_STEPS = 100_000
DIGITS = 12
"""Significant digits of the values of a range."""

_RANGE = re.compile(r"(.+?)\s*\.\.\s*(.+?)\s+in\s+(\S+)\s+steps?")
_WHOLE = re.compile(r"[-+]?[0-9]{1,15}")


def parted(text: str) -> tuple[str, str]:
    """Place and values of an axis as the command line states it. Raises Refused."""
    place, sign, values = text.partition("=")
    if not sign or not place.strip() or not values.strip():
        raise Refused("wanted `PLACE = VALUE, VALUE`, such as `electricity.price = 0.08 USD/kWh, 0.12 USD/kWh`")
    return place.strip(), values.strip()


def values_of(text: str, leaf: Leaf | None) -> list[Any]:
    """The values that a text states. Raises Refused."""
    if found := _RANGE.fullmatch(text.strip()):
        return _spread(found[1], found[2], found[3])
    words = [word.strip() for word in text.split(",")]
    if "" in words:
        raise Refused("a value is empty; put one between every two commas")
    return distinct([word if leaf else _plain(word) for word in words])


def distinct(words: Sequence[Any]) -> list[Any]:
    """The values, each once. Raises Refused."""
    if not words:
        raise Refused("has no values; state at least one")
    seen = set[str]()
    for word in words:
        if repr(word) in seen:
            raise Refused(f"`{word}` is stated twice; keep one")
        seen.add(repr(word))
    return list(words)


def _spread(low: str, high: str, count: str) -> list[str]:
    """So many values with equal steps between, both ends among them; a first end without unit has that of the last."""
    if not count.isdecimal() or not 2 <= int(count) <= MOST_STEPS:
        raise Refused(f"`{count}` steps; wanted a whole number from 2 to {MOST_STEPS:,}")
    (first, unit), (last, other) = _number(low), _number(high)
    unit = unit or other
    if unit != other:
        raise Refused(f"a range from {unit} to {other}; state both ends in one unit")
    if first == last:
        raise Refused("both ends are equal; state one value")
    with localcontext(Context(prec=40)):
        steps = [first + (last - first) * at / (int(count) - 1) for at in range(int(count))]
    rounded = Context(prec=DIGITS)
    return [f"{float(rounded.plus(step))!r} {unit}".strip() for step in steps]


def _number(text: str) -> tuple[Decimal, str]:
    number, _, unit = text.strip().partition(" ")
    if number.endswith("%"):
        number, unit = number[:-1], "%"
    try:
        quantity(text)
        return Decimal(number), unit.strip()
    except (UnitError, ArithmeticError) as error:
        told = str(error) if isinstance(error, UnitError) else f"`{text}` is not a number with a unit"
        raise Refused(f"{told}; wanted a range such as `0.05 .. 0.30 USD/kWh in 26 steps`") from None


def _plain(word: str) -> Any:
    """Whole numbers and yes or no as a scenario file reads them; all else is a word."""
    if _WHOLE.fullmatch(word):
        return int(word)
    return {"true": True, "false": False}.get(word, word)
