"""From typed values to the scenario: each where it stands, or as an override of its fleet; comments stay."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tco.errors import Problem, ScenarioError, UnitError
from tco.figures import Figure
from tco.readback.issued import Issued
from tco.readback.typed import Change
from tco.result import FleetResult
from tco.scenario.assembly import assemble
from tco.scenario.leaf import Leaf
from tco.scenario.paths import Path, child, path_text
from tco.scenario.plan import Plan
from tco.scenario.problems import validate
from tco.scenario.reading import Document
from tco.scenario.scalars import is_scalar, written
from tco.scenario.schema import Deployment
from tco.scenario.schema import Scenario as Schema
from tco.scenario.walk import leaves
from tco.scenario.writing import with_values
from tco.session import Scenario
from tco.units import convert, in_money

REACHED = 1e-12
ROUNDS = 12
_SUFFIX = re.compile(r"[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?\s*(.*)")


@dataclass(frozen=True)
class Target:
    """Where a change goes: a path with its text, and the words of what stood there. `leaf` is None for an override."""

    path: Path
    text: str
    was: str
    leaf: Leaf | None = None
    figure: Figure | None = None
    plain: bool = False


@dataclass(frozen=True)
class Story:
    """What is written beside each changed value."""

    source: str
    status: str
    book: str


@dataclass
class Carried:
    """The changed scenario and what it holds; `problems` are those of the whole, which no change explains alone."""

    scenario: Scenario
    done: list[Change] = field(default_factory=list[Change])
    problems: list[Problem] = field(default_factory=list[Problem])


def carry(issued: Issued, changes: Sequence[Change], story: Story | None = None) -> Carried:
    """Put what can be used into the scenario; a change that it does not take is refused with the reason."""
    stated = {path: (leaf, figure) for path, leaf, figure in leaves(issued.scenario.content)}
    targets = dict[int, Target]()
    for index, change in enumerate(changes):
        _locate(issued, change)
        if not change.refused:
            target = _target(issued, change, changes, stated)
            targets |= {index: target} if target else {}
    for _ in range(ROUNDS):
        open_ = {index: target for index, target in targets.items() if not changes[index].refused}
        found = _tried(issued, changes, open_, story)
        if found is not None:
            return found
    return Carried(issued.scenario)


def _tried(
    issued: Issued, changes: Sequence[Change], targets: Mapping[int, Target], story: Story | None
) -> Carried | None:
    """The scenario with all of these; None when one of them was refused on the way."""
    document = issued.scenario.document
    for index, target in targets.items():
        try:
            document = with_values(document, _texts(document, target, changes[index], story))
        except ScenarioError as error:
            changes[index].refused = f"cannot be written into the scenario: {error.problems[0].text}"
            return None
    try:
        scenario = Scenario(document, validate(document, Schema))
        plans, _ = assemble(document, scenario.content, scenario.catalogue)
    except ScenarioError as error:
        if _blamed(error.problems, document, changes, targets):
            return None
        return Carried(issued.scenario, [], error.problems)
    if not _reached(issued, {plan.id: plan for plan in plans}, changes, targets):
        return None
    return Carried(scenario, [changes[index] for index in targets])


# --- where it stands ---


def _locate(issued: Issued, change: Change) -> None:
    """Say where the issued value stands: file and line, or the catalogue, a default, a choice."""
    document, place = issued.scenario.document, change.place
    path = _path(issued.plan_of(_fleet(issued, change)), place.name)
    if path:
        line, _ = document.place(path)
        change.where = f"{document.file}:{line}"
        return
    origin = place.figure.origin
    change.where = f"derived: {place.figure.source}" if origin == "derived" else origin
    if origin == "scenario":
        change.where = f"{document.file}"


def _fleet(issued: Issued, change: Change) -> FleetResult:
    return issued.fleets_of(change.place)[0]


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


def _target(
    issued: Issued, change: Change, changes: Sequence[Change], stated: Mapping[Path, tuple[Leaf, Figure]]
) -> Target | None:
    """The path and text of a change; refuses what has no place of its own."""
    place, plan = change.place, issued.plan_of(_fleet(issued, change))
    path = _path(plan, place.name)
    if path in stated:
        return _of_leaf(issued, change, path, *stated[path])
    if place.given.shape != "one":
        told = place.figure.source or "other values of the scenario"
        change.refused = f"follows from {told}, and cannot be typed by itself; change that in the scenario"
        return None
    word = _word(change, changes, plan)
    if word:
        return word
    deployed = place.owner and place.name in fleet_choices(issued, place.owner) and place.name in Deployment.model_fields
    inside: Path = ("deployment",) if deployed else ("inputs",)
    home: Path = plan.path if place.owner else ()
    unit = re.sub(r"\b([kM]?)money\b", rf"\g<1>{issued.plan.currency}", place.given.unit)
    number = _number(change.new or 0.0)
    was = f"{_number(change.old)} {unit}".strip()
    return Target((*home, *inside, place.name), f"{number} {unit}".strip(), f"{was} ({place.figure.origin})")


def fleet_choices(issued: Issued, owner: str) -> dict[str, Any]:
    """What was searched or scaled for a fleet."""
    return issued.result.by_id[owner].choices.get("values", {})


def _word(change: Change, changes: Sequence[Change], plan: Plan) -> Target | None:
    """Inputs that one word of the deployment sets together are written as that word."""
    for key, options in plan.words.items():
        names = {name for values in options.values() for name in values}
        if change.place.name not in names or key not in Deployment.model_fields:
            continue
        now = {one.place.name: one.new for one in changes if one.place.owner == change.place.owner}
        for word, values in options.items():
            if all(now.get(name, _issued(plan, name, changes)) == value for name, value in values.items()):
                return Target((*plan.path, "deployment", key), word, "", plain=True)
    return None


def _issued(plan: Plan, name: str, changes: Sequence[Change]) -> float | None:
    figure = plan.figures.get(name)
    return figure.number if figure and figure.is_one else None


def _of_leaf(issued: Issued, change: Change, path: Path, leaf: Leaf, figure: Figure) -> Target | None:
    """A value that the scenario states, in the unit in which it is stated."""
    raw, path = _raw(issued.scenario.document, path, change)
    if not is_scalar(raw):
        change.refused = f"is one of several values made from those at {change.where}; change them there"
        return None
    old = written(raw)
    suffix = _SUFFIX.fullmatch(" ".join(old.split()))
    unit = change.place.given.unit
    try:
        stated = figure.unit if figure.unit != "" else unit
        new = convert(change.new or 0.0, in_money(unit), in_money(stated))
    except UnitError as error:
        change.refused = f"cannot be written in the unit of {change.where}: {error}"
        return None
    text = f"{_number(new)} {suffix[1] if suffix else figure.unit}".strip()
    return Target(path, text, old, leaf, figure)


def _raw(document: Document, path: Path, change: Change) -> tuple[Any, Path]:
    """What stands at a leaf: the value itself, or that of the period in a list of as many."""
    here: Any = document.data
    for step in path:
        here = child(here, step)
    holder = path
    if isinstance(here, dict) and "value" in here:
        here, holder = child(here, "value"), (*path, "value")
    if change.place.given.shape == "series" and isinstance(here, list):
        count = len(here)  # pyright: ignore[reportUnknownArgumentType]
        periods = len(change.place.figure.series)
        return (child(here, change.index), (*holder, change.index)) if count == periods else (None, path)
    return (here, path) if change.place.given.shape == "one" else (None, path)


def _number(value: float) -> str:
    """At most fifteen digits: what is beyond them is noise of a conversion."""
    return f"{value:.15g}"


# --- writing ---


def _texts(document: Document, target: Target, change: Change, story: Story | None) -> dict[Path, str]:
    """The value and its story, as they are written."""
    told: dict[Path, str] = {target.path: target.text}
    if story is None or target.plain or isinstance(target.path[-1], int):
        return told
    raw: Any = document.data
    for step in target.path:
        raw = child(raw, step)
    kept = raw if isinstance(raw, dict) else {}
    told |= _range(target, change, kept)
    note = "; ".join(filter(None, [str(child(kept, "note") or ""), f"was {target.was}, set by hand in {story.book}"]))
    told[*target.path, "source"] = change.source or story.source
    told[*target.path, "status"] = story.status
    told[*target.path, "note"] = note[-900:]
    if "as_of" in kept:
        told[*target.path, "as_of"] = written(document.data["as_of"])
    return told


def _range(target: Target, change: Change, kept: Any) -> dict[Path, str]:
    """A range that the new value leaves is stretched to it."""
    given, told = change.place.figure, dict[Path, str]()
    if change.new is not None and "low" in kept and given.low is not None and change.new < given.low:
        told[*target.path, "low"] = target.text
    if change.new is not None and "high" in kept and given.high is not None and change.new > given.high:
        told[*target.path, "high"] = target.text
    return told


# --- whether it was taken ---


def _blamed(
    problems: Sequence[Problem], document: Document, changes: Sequence[Change], targets: Mapping[int, Target]
) -> bool:
    """Refuse each change at whose place a problem stands."""
    found = False
    for index, target in targets.items():
        here = path_text(target.path, document.data)
        for problem in problems:
            named = "inputs" in target.path and f"`{target.path[-1]}`" in problem.text
            if problem.path == here or problem.path.startswith(f"{here}.") or named:
                changes[index].refused, found = problem.text, True
    return found


def _reached(
    issued: Issued, plans: Mapping[str, Plan], changes: Sequence[Change], targets: Mapping[int, Target]
) -> bool:
    """Whether every fleet that reads a changed input reads the new value."""
    good = True
    for index in targets:
        change = changes[index]
        for fleet in issued.fleets_of(change.place):
            plan = next((one for one in (plans[fleet.id], *plans[fleet.id].others)
                         if one.texts["precision"] == fleet.precision), plans[fleet.id])  # fmt: skip
            now = _value(plan, change)
            if now is None or abs(now - (change.new or 0.0)) > REACHED * max(abs(now), abs(change.new or 0.0)):
                read = "nothing" if now is None else f"{now:.6g}"
                change.refused = f"follows from other values of the scenario ({fleet.id} would read {read}); change those"
                good = False
                break
    return good


def _value(plan: Plan, change: Change) -> float | None:
    name = change.place.name
    figure = plan.figures.get(name) or plan.pins.get(name.removesuffix("_pinned"))
    if figure is None:
        return None
    if figure.is_one:
        return figure.number
    return figure.series[change.index] if figure.series and change.index < len(figure.series) else None
