"""Where a typed value stands in the scenario, and where it goes: in its own place, or as an override of its fleet."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tco.errors import UnitError
from tco.figures import Figure
from tco.readback.issued import Issued
from tco.readback.typed import Change
from tco.scenario.leaf import Leaf
from tco.scenario.paths import Path, child, holds
from tco.scenario.plan import Plan
from tco.scenario.ranges import is_range
from tco.scenario.reading import Document
from tco.scenario.scalars import is_scalar, written
from tco.scenario.schema import Deployment
from tco.scenario.walk import leaves
from tco.timeline import MONTHS
from tco.units import convert, in_money

_SUFFIX = re.compile(r"[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?\s*(.*)")
BY_AGE, CLOSE = "resale_share", 1e-9
"""The table whose rows are shares at the close of a period, between points at ages that the scenario states."""

Stated = Mapping[Path, tuple[Leaf, Figure]]


@dataclass(frozen=True)
class Target:
    """A path with the text that goes there, and the words of what stood there.

    `home` is where its story stands: the value itself, or the list that it is an item of; a `plain` one takes none. An
    empty path stands for a value that others of the same table must lead to.
    """

    path: Path
    text: str
    was: str
    home: Path = ()
    plain: bool = False


def targets_of(issued: Issued, changes: Sequence[Change]) -> dict[int, Target]:
    """Where each change goes, by its number; what has no place of its own is refused."""
    stated = {path: (leaf, figure) for path, leaf, figure in leaves(issued.scenario.content)}
    found = dict[int, Target]()
    for index, change in enumerate(changes):
        _locate(issued, change)
        target = None if change.refused else _target(issued, change, changes, stated)
        if target is not None:
            found[index] = target
    return found


# --- where it stands ---


def _locate(issued: Issued, change: Change) -> None:
    """Say where the issued value stands: file and line, or the catalogue, a default, a choice."""
    document, place = issued.scenario.document, change.place
    path = change.path or _path(_plan(issued, change), place.name)
    if path:
        line, _ = document.place(path)
        change.where = f"{document.file}:{line}"
        return
    origin = place.figure.origin
    change.where = f"derived: {place.figure.source}" if origin == "derived" else origin
    if origin == "scenario":
        change.where = f"{document.file}"


def _plan(issued: Issued, change: Change) -> Plan:
    """That of the first fleet that reads the input."""
    return issued.plan_of(issued.fleets_of(change.place)[0])


def _path(plan: Plan, name: str) -> Path:
    """The path of what feeds an input, empty when nothing in the scenario does."""
    if name.endswith("_pinned") and name.removesuffix("_pinned") in plan.pins:
        return ("pin", plan.id, name.removesuffix("_pinned"))
    if name in plan.extra_givens and name.endswith("_quoted"):
        return plan.found.paths.get(name.removesuffix("_quoted"), ())
    if name in plan.extra_givens and name.endswith("_rate"):
        return ("fx", name.removesuffix("_rate").upper())
    return plan.found.paths.get(name, ())


# --- where it goes ---


def _target(issued: Issued, change: Change, changes: Sequence[Change], stated: Stated) -> Target | None:
    """The path and text of a change; refuses what has no place of its own."""
    place, plan = change.place, _plan(issued, change)
    path = change.path or _path(plan, place.name)
    crossed = path[:1] == ("fx",) and place.figure.origin == "derived"
    if path in stated and not crossed:
        return _of_leaf(issued, change, path, *stated[path])
    if crossed or place.given.shape != "one":
        told = place.figure.source or "other values of the scenario"
        change.refused = f"follows from {told}, and cannot be typed by itself; change that in the scenario"
        return None
    word = _word(issued, change, changes, plan)
    if word:
        return word
    deployed = (
        place.owner and place.name in fleet_choices(issued, place.owner) and place.name in Deployment.model_fields
    )
    inside: Path = ("deployment",) if deployed else ("inputs",)
    home: Path = plan.path if place.owner else ()
    unit = re.sub(r"\b([kM]?)money\b", rf"\g<1>{issued.plan.currency}", place.given.unit)
    number = _number(change.new or 0.0)
    was = f"{_number(change.old)} {unit}".strip()
    path = (*home, *inside, place.name)
    return Target(path, f"{number} {unit}".strip(), f"{was} ({place.figure.origin})", path)


def fleet_choices(issued: Issued, owner: str) -> dict[str, Any]:
    """What was searched or scaled for a fleet."""
    return issued.result.by_id[owner].choices.get("values", {})


def _word(issued: Issued, change: Change, changes: Sequence[Change], plan: Plan) -> Target | None:
    """Inputs that one word of the deployment sets together are written as that word."""
    for key, options in plan.words.items():
        names = {name for values in options.values() for name in values}
        if change.place.name not in names or key not in Deployment.model_fields:
            continue
        before = issued.result.by_id[plan.id].inputs
        now: dict[str, float | None] = {name: before[name].number for name in names if name in before}
        now |= {one.place.name: one.new for one in changes if one.place.owner == change.place.owner}
        for word, values in options.items():
            if all(now.get(name, value) == value for name, value in values.items()):
                return Target((*plan.path, "deployment", key), word, "", plain=True)
    return None


def _of_leaf(issued: Issued, change: Change, path: Path, leaf: Leaf, figure: Figure) -> Target | None:
    """A value that the scenario states, in the unit in which it is stated."""
    place = _item(issued, change, path, leaf, figure)
    raw = _at(issued.scenario.document, place) if place else None
    if place and not is_scalar(raw):
        change.refused = f"is one of several values made from those at {change.where}; change them there"
        return None
    if not place:
        return Target((), "", "")
    unit = change.place.given.unit
    try:
        new = convert(change.new or 0.0, in_money(unit), in_money(figure.unit or unit))
    except UnitError as error:
        change.refused = f"cannot be written in the unit of {change.where}: {error}"
        return None
    old = " ".join(written(raw).split())
    suffix = None if is_range(raw) else _SUFFIX.fullmatch(old)
    words = f"{old} ({change.period})" if change.period else old
    return Target(place, f"{_number(new)} {suffix[1] if suffix else figure.unit}".strip(), words, path)


def _item(issued: Issued, change: Change, path: Path, leaf: Leaf, figure: Figure) -> Path:
    """The place of one value: itself, that of its period in a list of as many, or that of its age in a table."""
    document, shape = issued.scenario.document, change.place.given.shape
    if shape == "one":
        return path
    if shape == "series":
        inside: Path = (*path, "value") if (*path, "value") in document.nodes else path
        count = len(change.place.figure.series)
        return (*inside, change.index) if figure.series and len(figure.series) == count else path
    if change.place.name != BY_AGE or not figure.is_table:
        return ()
    start = change.place.figure.rows[change.index][0]
    age = (start + 1) * issued.result.timeline.months_per_period / MONTHS["year"]
    ages = [convert(row[0], figure.from_unit, "yr") for row in figure.rows]
    point = next((index for index, one in enumerate(ages) if abs(one - age) < CLOSE), None)
    return () if point is None else (*path, leaf.columns[1], point)


def _at(document: Document, path: Path) -> Any:
    """What stands at a path: the value, where it has a story."""
    here: Any = document.data
    for step in path:
        here = child(here, step)
    return child(here, "value") if holds(here, "value") else here


def _number(value: float) -> str:
    """At most fifteen digits: what is beyond them is noise of a conversion."""
    return f"{value:.15g}"
