"""Values that are not known yet: `25000 to 35000 USD`, low, typical and high, or a distribution by its name."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

from tco.errors import did_you_mean
from tco.figures import Figure
from tco.scenario.leaf import Complaint, Leaf, Unfit, read_quantity
from tco.scenario.scalars import shown, written
from tco.uncertainty.spread import KINDS, Spread, lognormal, lognormal_of_mean, normal
from tco.units import Quantity, convert, in_money

TO = " to "
PARTS = ("distribution", "low", "typ", "high", "mean", "deviation", "values", "shares")
MOST_CUT = 0.2
"""A distribution of which more than this share is impossible was not meant."""

ENDS, THREE, MOMENTS = ("low", "high"), ("low", "typ", "high"), ("mean", "deviation")
WANTED = {
    "normal": (ENDS, MOMENTS), "lognormal": (ENDS, MOMENTS), "uniform": (ENDS,), "triangular": (THREE,),
    "pert": (THREE,), "discrete": (("values", "shares"), ("values",)),
}  # fmt: skip


def is_range(raw: Any) -> bool:
    """Whether a scalar is written as a range."""
    return isinstance(raw, str) and TO in " ".join(raw.split())


def is_distribution(raw: dict[str, Any]) -> bool:
    """Whether a mapping holds a distribution instead of a value."""
    return "value" not in raw and ("distribution" in raw or "typ" in raw)


def read_range(leaf: Leaf, raw: str) -> Figure:
    """The median of the distribution of which 5 % lie below the first and 5 % above the second. Raises Unfit."""
    text = " ".join(raw.split())
    first, _, second = text.partition(TO)
    high = read_quantity(leaf, second)
    low = _same(read_quantity(leaf, first, inherit=high.unit), high.unit)
    _rising(text, low, high.value)
    kind = "lognormal" if low > 0 else "normal"
    numbers = lognormal(low, high.value) if low > 0 else normal(low, high.value)
    return _figure(leaf, Spread(kind, numbers, high.unit, f"90 % interval {text}, {kind}"))


def read_distribution(leaf: Leaf, raw: dict[str, Any]) -> Figure:
    """The median of a distribution that is given by its name and numbers. Raises Unfit."""
    kind = _kind(raw)
    given = [key for key in PARTS[1:] if key in raw]
    wanted = next((keys for keys in WANTED[kind] if set(keys) == set(given)), None)
    if wanted is None:
        told = " or ".join(f"`{{distribution: {kind}, {': …, '.join(keys)}: …}}`" for keys in WANTED[kind])
        raise Unfit(Complaint(f"{kind} takes other numbers; wanted {told}"))
    if kind == "discrete":
        return _figure(leaf, _discrete(leaf, raw))
    read = _numbers(leaf, raw, wanted)
    unit = next((one.unit for one in read if one.unit), "")
    numbers = [_same(one, unit) for one in read]
    text = f"{kind}: {', '.join(f'{key} {written(raw[key])}' for key in wanted)}"
    return _figure(leaf, Spread(kind, _parameters(kind, wanted, numbers, raw), unit, text))


def _kind(raw: dict[str, Any]) -> str:
    if "distribution" not in raw:
        return "triangular"
    word = raw["distribution"]
    if word not in KINDS:
        known = did_you_mean(str(word), KINDS) or f"; wanted one of {', '.join(KINDS)}"
        raise Unfit(Complaint(f"{shown(word)} is not a distribution{known}", ("distribution",)))
    return cast(str, word)


def _numbers(leaf: Leaf, raw: dict[str, Any], keys: Sequence[str]) -> list[Quantity]:
    """Each with its unit; one without takes that of the last that has one."""
    complaints, read = list[Complaint](), list[Quantity]()
    inherit: str | None = None
    for key in reversed(keys):
        loose = replace(leaf, minimum=0.0, maximum=math.inf, above=None) if key == "deviation" else leaf
        try:
            read.insert(0, read_quantity(loose, raw[key], inherit=inherit))
            inherit = read[0].unit
        except Unfit as unfit:
            complaints += [one._replace(path=(key, *one.path)) for one in unfit.complaints]
    if complaints:
        raise Unfit(*complaints)
    return read


def _parameters(kind: str, keys: Sequence[str], numbers: list[float], raw: dict[str, Any]) -> tuple[float, ...]:
    told = ", ".join(f"{key} {written(raw[key])}" for key in keys)
    if keys == MOMENTS:
        if numbers[1] <= 0 or (kind == "lognormal" and numbers[0] <= 0):
            need = "a deviation above 0" + (" and a mean above 0" if kind == "lognormal" else "")
            raise Unfit(Complaint(f"{told}: {kind} wants {need}"))
        return lognormal_of_mean(*numbers) if kind == "lognormal" else (numbers[0], numbers[1])
    _rising(told, numbers[0], numbers[-1])
    if keys == THREE and not numbers[0] <= numbers[1] <= numbers[2]:
        raise Unfit(Complaint(f"{shown(raw['typ'])} is not between low and high", ("typ",)))
    if kind == "lognormal" and numbers[0] <= 0:
        raise Unfit(Complaint(f"{told}: a lognormal lies above 0; use `distribution: normal`"))
    if kind in ("normal", "lognormal"):
        return lognormal(*numbers) if kind == "lognormal" else normal(*numbers)
    return tuple(numbers)


def _discrete(leaf: Leaf, raw: dict[str, Any]) -> Spread:
    values, shares = raw["values"], raw.get("shares")
    for key in ("values", "shares"):
        if key in raw and not (isinstance(raw[key], list) and raw[key]):
            raise Unfit(Complaint(f"read {shown(raw[key])}; wanted a list such as `[1, 2, 3]`", (key,)))
    if shares is not None and len(shares) != len(values):
        told = f"`values` has {len(values)} and `shares` has {len(shares)}; give as many of each"
        raise Unfit(Complaint(told, ("shares",)))
    read = _items(leaf, values, "values")
    unit = next((one.unit for one in read if one.unit), "")
    weights = _items(Leaf("%"), shares, "shares") if shares is not None else [Quantity(1.0, "")] * len(read)
    parts = [_same(one, "") for one in weights]
    if shares is not None and abs(math.fsum(parts) - 1) > 1e-6:
        raise Unfit(Complaint(f"add up to {100 * math.fsum(parts):g} %; wanted 100 %", ("shares",)))
    pairs = sorted((_same(one, unit), part) for one, part in zip(read, parts, strict=True))
    told = f"one of {', '.join(map(written, values))}"
    more = f" with shares {', '.join(map(written, shares))}" if shares is not None else ""
    return Spread("discrete", tuple(one for one, _ in pairs), unit, told + more, tuple(part for _, part in pairs))


def _items(leaf: Leaf, raw: list[Any], key: str) -> list[Quantity]:
    """The items of a list; a value without unit takes that of the next that has one."""
    complaints, read = list[Complaint](), list[Quantity]()
    inherit: str | None = None
    for index, one in reversed(list(enumerate(raw))):
        try:
            read.insert(0, read_quantity(leaf, one, inherit))
            inherit = read[0].unit if key == "values" else None
        except Unfit as unfit:
            complaints += [found._replace(path=(key, index, *found.path)) for found in unfit.complaints]
    if complaints:
        raise Unfit(*complaints)
    return read


def _same(found: Quantity, unit: str) -> float:
    try:
        return convert(found.value, found.unit, unit) if found.unit != unit else found.value
    except Exception:
        raise Unfit(Complaint(f"one end is in {found.unit or 'no unit'}, the other in {unit}; use one unit")) from None


def _rising(text: str, low: float, high: float) -> None:
    if low == high:
        raise Unfit(Complaint(f"`{text}` has two equal ends; write one value"))
    if low > high:
        raise Unfit(Complaint(f"`{text}` falls; write the lower end first"))


def _figure(leaf: Leaf, spread: Spread) -> Figure:
    """The median, with the 90 % interval as its range."""
    if leaf.whole and (spread.kind != "discrete" or any(one != round(one) for one in spread.numbers)):
        told = "whole numbers are wanted here, such as `{distribution: discrete, values: [1, 2, 3]}`"
        raise Unfit(Complaint(f"{spread.text}: {told}"))
    cut = spread.within(*_limits(leaf, spread.unit))
    if cut.cut_away > MOST_CUT:
        told = (
            f"{100 * cut.cut_away:.0f} % of it lie where no value can be; narrow it, or use `uniform` or `triangular`"
        )
        raise Unfit(Complaint(f"{spread.text}: {told}"))
    if cut.cut_away > 0.0005:
        cut = replace(cut, text=f"{cut.text}, cut where no value can be ({100 * cut.cut_away:.1f} % of it)")
    low, high = cut.quantile(0.05), cut.quantile(0.95)
    note = f"{cut.text}; computed with the median"
    return Figure(cut.median, cut.unit, low, high, source="scenario", note=note, spread=cut)


def _limits(leaf: Leaf, unit: str) -> tuple[float, float]:
    low, high = leaf.minimum, leaf.maximum
    if leaf.is_share:
        low, high = (0.0 if low is None else low), (100.0 if high is None else high)
    if leaf.above is not None and (low is None or low < leaf.above):
        low = leaf.above
    if leaf.unit is None:
        return -math.inf, math.inf
    factor = convert(1.0, leaf.unit, in_money(unit))
    return (-math.inf if low is None else low * factor), (math.inf if high is None else high * factor)
