"""Which places may vary, and whether a value fits where it is to stand: told before anything runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from tco.errors import ScenarioError, UnitError
from tco.scenario.leaf import Leaf, Unfit, read_quantity
from tco.scenario.paths import Path
from tco.scenario.schema import Scenario as Schema
from tco.scenario.story import read_figure
from tco.session import Scenario
from tco.sweep.columns import Column, Floats
from tco.units import conversion, convert, in_money, quantity, unit
from tco.variants.patch import blamed, patched
from tco.variants.places import Unplaced, place_of
from tco.variants.reach import built

KEPT: dict[Path, str] = {
    ("format",): "it says how the file is read",
    ("currency",): "all variants are in one currency",
    ("workload", "kind"): "all variants do one kind of work",
    ("title",): "it moves nothing",
    ("analysis",): "it asks for analyses",
}
"""Places at which nothing may vary, with the reason."""


class Refused(Exception):
    """Why a place or value cannot be taken."""


def column_of(base: Scenario, text: str, head: str = "") -> Column:
    """The column of a place as people write it, with the unit that a head states. Raises Refused."""
    try:
        place = place_of(Schema, base.document.data, text)
    except Unplaced as error:
        raise Refused(str(error)) from None
    name = place.text(base.document.data)
    if place.path[:1] == ("fleets",) and place.path[-1] == "id":
        raise Refused(f"`{name}` names a fleet; vary what the fleet is")
    for kept, why in KEPT.items():
        if place.path[: len(kept)] == kept:
            raise Refused(f"`{name}` cannot vary: {why}")
    if head and place.leaf is None:
        raise Refused(f"`{name}` takes a word, so that `[{head}]` says nothing; leave the unit out")
    return Column(name, place.path, place.leaf, head)


def clash(columns: Iterable[Column], new: Column) -> str:
    """Why a place cannot vary beside the others; empty when it can."""
    for one in columns:
        if one.path == new.path:
            return f"`{new.text}` is stated twice; keep one"
        short, long = sorted((one, new), key=lambda each: len(each.path))
        if long.path[: len(short.path)] == short.path:
            return f"`{long.text}` stands inside `{short.text}`, which varies too; keep one"
    return ""


def misfit(base: Scenario, column: Column, word: Any) -> str:
    """Why a value does not fit where it is to stand, whatever stands elsewhere; empty when it may."""
    if column.leaf is not None:
        try:
            read_figure(column.leaf, word)
        except Unfit as unfit:
            return "; ".join(one.text for one in unfit.complaints)
        return ""
    try:
        changed = patched(base, {column.path: word})
    except ScenarioError as error:
        return _at(error, base, column.path)
    try:
        built(changed)
    except ScenarioError as error:
        told = _at(error, base, column.path)
        return told if "is not among the" in told else ""
    return ""


def _at(error: ScenarioError, base: Scenario, path: Path) -> str:
    told = blamed(error, {path: None}, base.document.data).get(path, [])
    return "; ".join(one.text for one in told)


def outside(leaf: Leaf, numbers: Floats, stated: str) -> Sequence[int]:
    """Numbers in one unit that may not stand at a leaf, found all at once; `number_misfit` says why."""
    ratio = convert(1.0, in_money(stated), leaf.unit) if leaf.unit is not None else 1.0
    value = numbers * ratio
    low, high = leaf.minimum, leaf.maximum
    if leaf.is_share:
        low, high = (0.0 if low is None else low), (100.0 if high is None else high)
    bad = ~np.isnan(numbers) & ~(np.abs(value) <= 1e30)
    if low is not None:
        bad |= value < low
    if high is not None:
        bad |= value > high
    if leaf.above is not None:
        bad |= value <= leaf.above
    if leaf.whole:
        bad |= ~np.isnan(value) & (value != np.round(value))
    return np.flatnonzero(bad).tolist()


def number_misfit(leaf: Leaf, text: str) -> str:
    """Why one quantity does not fit; empty when it does."""
    try:
        read_quantity(leaf, text)
    except Unfit as unfit:
        return "; ".join(one.text for one in unfit.complaints)
    return ""


def unit_misfit(leaf: Leaf, text: str) -> str:
    """Why numbers in a unit cannot stand at a leaf, whatever they are; empty when they can."""
    try:
        found = quantity(f"1 {text}").unit
    except UnitError as error:
        return str(error)
    if leaf.is_rate and found == "%":
        found = "%/yr"
    if leaf.unit is not None and conversion(unit(in_money(found)), unit(leaf.unit)) is None:
        return f"`[{text}]` does not fit; wanted {leaf.wanted()}"
    return told if "per year" in (told := number_misfit(leaf, f"0.5 {text}")) else ""
