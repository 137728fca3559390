"""The input that moves: where it stands, in which unit it is told, what it is now, and between which ends it moves."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from tco.decisions.refused import Refused
from tco.scenario.leaf import Leaf, Unfit, read_quantity
from tco.scenario.paths import Path, child
from tco.scenario.ranges import is_distribution, is_range
from tco.scenario.scalars import is_scalar, shown, written
from tco.scenario.schema import Scenario as Schema
from tco.scenario.story import read_figure
from tco.session import Scenario
from tco.timeline import MONTHS
from tco.units import Quantity, convert, currencies_in, in_money
from tco.variants.places import Unplaced, place_of

_NUMBER = re.compile(r"^[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?")
HORIZON: Path = ("timeline", "horizon")
NOISE = 1e-9

FAR = 10.0
"""Without ends, an input moves from a tenth to ten times its number of today, as far as its bounds allow."""


@dataclass(frozen=True)
class Moved:
    """One number of a scenario. Values are in `unit`; `now` is None where the scenario states none.

    `step` is the distance of the only values that may stand there, 0 where any may: whole numbers, whole periods.
    """

    path: Path
    text: str
    leaf: Leaf
    unit: str
    now: float | None
    step: float = 0.0

    def raw(self, value: float) -> str:
        """The value as the file would say it."""
        number = str(round(value)) if self.leaf.whole else repr(float(value))
        return f"{number} {self.unit}".strip()

    def values(self, low: float, high: float) -> list[float]:
        """All that may stand there from end to end, where they can be counted."""
        first, last = math.ceil(low / self.step - NOISE), math.floor(high / self.step + NOISE)
        return [self.step * count for count in range(first, last + 1)]


def moved(scenario: Scenario, text: str, between: Sequence[Any] = ()) -> Moved:
    """The input that a dotted path names, in the unit of the ends, else of the file. Raises Refused."""
    data = scenario.document.data
    try:
        place = place_of(Schema, data, text)
    except Unplaced as error:
        raise Refused("change", str(error)) from None
    name = place.text(data)
    if place.leaf is None:
        raise Refused("change", f"`{name}` holds a word, not a number; name an input such as `electricity.price`")
    drawn = _median(place.path, place.leaf, data)
    stated = None if drawn else _stated(place.path, data)
    if stated is not None and not is_scalar(stated):
        raise Refused("change", f"`{name}` holds {shown(stated)}; a single number can be moved, a list or table cannot")
    if not place.leaf.single:
        raise Refused("change", f"`{name}` holds a list or table; a single number can be moved")
    now = drawn if stated is None else _read(place.leaf, stated, "change")
    unit = _unit(place.leaf, between, now, scenario.content.currency, name)
    at = None if now is None else convert(now.value, in_money(now.unit), in_money(unit))
    if now is not None and currencies_in(now.unit) != currencies_in(unit):
        raise Refused("between", f"the ends are in {unit}, `{name}` is in {now.unit}; write them in {now.unit}")
    return Moved(place.path, name, place.leaf, unit, at, _step(place.leaf, place.path, unit, scenario))


def _step(leaf: Leaf, path: Path, unit: str, scenario: Scenario) -> float:
    if path == HORIZON:
        return convert(float(MONTHS[scenario.content.timeline.step]), "month", unit)
    return 1.0 if leaf.whole else 0.0


def ends(one: Moved, between: Sequence[Any], today: float | None = None) -> tuple[float, float]:
    """From where to where it moves, in its unit. Raises Refused."""
    if between:
        low, high = (in_unit(one, raw) for raw in between)
        if not low < high:
            raise Refused(
                "between", f"`{shown(between[0])}` is not below {shown(between[1])}; give the lower end first"
            )
        return _allowed(one, low, high)
    now = one.now if one.now is not None else today
    if now is None or not now > 0:
        told = "nothing stands there" if now is None else f"it is {now:g}"
        raise Refused("between", f"`{one.text}`: {told}, so say between which values to look")
    least, most = bounds(one)
    return _allowed(one, max(now / FAR, least), min(now * FAR, most))


def _allowed(one: Moved, low: float, high: float) -> tuple[float, float]:
    """Drawn in to values that may stand there."""
    if not one.step:
        return low, high
    values = [value for value in (one.values(low, high)) if value > 0 or low <= 0]
    if not values:
        raise Refused("between", f"no value that `{one.text}` may have lies between {low:g} and {high:g}")
    return values[0], values[-1]


def bounds(one: Moved) -> tuple[float, float]:
    """What its key allows, in its unit; a bound that must not be reached is left by a hair."""
    leaf = one.leaf
    least = -math.inf if leaf.minimum is None else leaf.minimum
    most = math.inf if leaf.maximum is None else leaf.maximum
    if leaf.is_share:
        least, most = max(least, 0.0), min(most, 100.0)
    if leaf.above is not None:
        least = max(least, math.nextafter(leaf.above, math.inf))
    if leaf.unit is None:
        return least, most
    low, high = (convert(end, leaf.unit, in_money(one.unit)) if math.isfinite(end) else end for end in (least, most))
    return low, high


def _median(path: Path, leaf: Leaf, data: Any) -> Quantity | None:
    """What a run takes where a range or a distribution stands; None for anything else."""
    here = _at(path, data)
    held = child(here, "value") if isinstance(here, dict) else here
    if not is_range(held) and not (isinstance(here, dict) and is_distribution(cast("dict[str, Any]", here))):
        return None
    try:
        found = read_figure(leaf, here)
    except Unfit as unfit:
        raise Refused("change", unfit.complaints[0].text) from None
    return Quantity(found.number, found.unit) if found.is_one else None


def _at(path: Path, data: Any) -> Any:
    here = data
    for step in path:
        here = child(here, step)
    return here


def _stated(path: Path, data: Any) -> Any:
    """What stands there, without its story."""
    here = _at(path, data)
    return cast("dict[str, Any]", here).get("value") if isinstance(here, dict) else here


def _read(leaf: Leaf, raw: Any, part: str, inherit: str | None = None) -> Quantity:
    """The quantity with its unit as it is written."""
    try:
        found = read_quantity(leaf, raw, inherit)
    except Unfit as unfit:
        raise Refused(part, unfit.complaints[0].text) from None
    word = _NUMBER.sub("", written(raw).strip()).strip()
    return found if not word or leaf.is_rate else Quantity(found.value, word)


def _unit(leaf: Leaf, between: Sequence[Any], now: Quantity | None, currency: str, name: str) -> str:
    """That of the ends, else that of the file, else that of the key."""
    usual = now.unit if now else None if leaf.unit is None else _usual(leaf.unit, currency)
    found = [_read(leaf, raw, "between", usual).unit for raw in between]
    if len(set(found)) > 1:
        raise Refused("between", f"one end is in {found[0] or 'no unit'}, the other in {found[1] or 'no unit'}")
    if not found and usual is None:
        raise Refused("between", f"`{name}` takes any unit; say between which values to look, with their unit")
    return found[0] if found else usual or ""


def _usual(unit: str, currency: str) -> str:
    return {"1": "", "1/yr": "%/yr"}.get(unit, unit.replace("money", currency))


def in_unit(one: Moved, raw: Any) -> float:
    """A value as it is written, in the unit of the input. Raises Refused."""
    found = _read(one.leaf, raw, "between", one.unit)
    return found.value if found.unit == one.unit else convert(found.value, found.unit, one.unit)
