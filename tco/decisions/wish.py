"""What is wished for: `LINE[FLEET] <= VALUE`, `LINE[a] = LINE[b]`, `cheapest = FLEET`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tco.decisions.refused import Refused
from tco.errors import UnitError, did_you_mean
from tco.export import shown_unit
from tco.result import Result
from tco.units import convert, currencies_in, in_money, quantity

HOWS = ("highest", "lowest", "mean", "total")
OPERATORS = ("<=", ">=", "=")
CHEAPEST = "cheapest"
_REFERENCE = re.compile(rf"(?:({'|'.join(HOWS)})\s*\(\s*)?([A-Za-z_][A-Za-z0-9_]*)?\s*\[\s*([^\]\s]+)\s*\]\s*(\))?")
_PARTS = re.compile(r"(.*?)(<=|>=|==|=|<|>)(.*)", re.DOTALL)
FORMS = "wanted `LINE[FLEET] = VALUE` (or `<=`, `>=`), `LINE[FLEET] = LINE[FLEET]` or `cheapest = FLEET`"


@dataclass(frozen=True)
class Reading:
    """One number of a fleet: a line, and how its periods become one number where it has several."""

    line: str
    fleet: str
    how: str = ""

    def __str__(self) -> str:
        told = f"{self.line}[{self.fleet}]"
        return f"{self.how}({told})" if self.how else told


@dataclass(frozen=True)
class Wish:
    """`left operator right`; the right side is a reading or a value in `unit`, that of the left line.

    `cheapest` names a fleet instead: it is to be recommended. `ratio` brings the right line into `unit`.
    """

    text: str
    left: Reading | None = None
    operator: str = "="
    right: Reading | None = None
    value: float = 0.0
    unit: str = ""
    ratio: float = 1.0
    cheapest: str = ""

    @property
    def fleets(self) -> tuple[str, ...]:
        """Those that must be computed; none named means all."""
        sides = [side.fleet for side in (self.left, self.right) if side]
        return () if self.cheapest else tuple(dict.fromkeys(sides))


def wish(result: Result, text: str) -> Wish:
    """Read what is wished for against the lines and fleets of a result. Raises Refused."""
    parts = _PARTS.fullmatch(text.strip())
    if not parts:
        raise _unread(text)
    left, operator, right = (part.strip() for part in parts.groups())
    operator = "=" if operator == "==" else operator
    if operator not in OPERATORS:
        raise Refused("until", f"`{operator}` cannot be told from `{operator}=` by a search; write `{operator}=`")
    if left == CHEAPEST:
        if operator != "=":
            raise Refused("until", f"wanted `cheapest = FLEET`, read `cheapest {operator}`")
        return Wish(text, cheapest=_fleet(result, right))
    return _compared(result, text, left, operator, right)


def _compared(result: Result, text: str, left: str, operator: str, right: str) -> Wish:
    mine = _reading(result, left, "")
    if mine is None:
        raise _unread(text)
    unit = unit_of_reading(result, mine)
    theirs = _reading(result, right, mine.line)
    if theirs is None:
        told = shown_unit(unit, result.scenario["currency"])
        return Wish(text, mine, operator, None, _value(right, unit, result.scenario["currency"]), told)
    try:
        ratio = convert(1.0, unit_of_reading(result, theirs), unit)
    except UnitError as error:
        raise Refused("until", f"{mine} and {theirs} cannot be compared: {error}") from None
    return Wish(text, mine, operator, theirs, 0.0, shown_unit(unit, result.scenario["currency"]), ratio)


def _unread(text: str) -> Refused:
    return Refused("until", f"cannot read `{text}`; {FORMS}")


def _reading(result: Result, text: str, usual: str) -> Reading | None:
    """None where the text is no reference to a line of a fleet."""
    found = _REFERENCE.fullmatch(text)
    if not found or bool(found[1]) != bool(found[4]):
        return None
    line, fleet = found[2] or usual or result.headline or "", _fleet(result, found[3])
    return reading_of(result, line, fleet, found[1] or "")


def reading_of(result: Result, line: str, fleet: str, how: str) -> Reading:
    """A line of a fleet; one with a number in each period needs to be told how they become one. Raises Refused."""
    model = result.by_id[fleet].model
    if line not in model.lines:
        why = model.absent.get(line)
        known = {name for one in result.fleets for name in one.model.lines}
        told = f"`{line}` of {fleet}: {why or 'does not apply to this fleet'}"
        raise Refused("until", told if line in known else f"`{line}` is not a line{did_you_mean(line, known)}")
    if model.lines[line].series and not how:
        ways = ", ".join(f"`{word}({line}[{fleet}])`" for word in HOWS)
        raise Refused("until", f"`{line}` has a number in each period; say which is meant: {ways}")
    return Reading(line, fleet, how if model.lines[line].series else "")


def _fleet(result: Result, name: str) -> str:
    if name not in result.by_id:
        raise Refused("until", f"there is no fleet `{name}`{did_you_mean(name, result.by_id)}")
    return name


def unit_of_reading(result: Result, one: Reading) -> str:
    """The unit of its line."""
    return result.by_id[one.fleet].model.lines[one.line].unit_text


def _value(text: str, unit: str, currency: str) -> float:
    """In the unit of the line; a bare number is in it already. Raises Refused."""
    wanted = f"wanted a value in {shown_unit(unit, currency) or 'no unit'}"
    try:
        found = quantity(text)
        foreign = currencies_in(found.unit) - {currency}
        if foreign:
            raise Refused("until", f"`{text}` is in {sorted(foreign)[0]}, the scenario in {currency}; {wanted}")
        return found.value if not found.unit else convert(found.value, in_money(found.unit), unit)
    except UnitError as error:
        raise Refused("until", f"{error}; {wanted}, or `LINE[FLEET]`") from None
