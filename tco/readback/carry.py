"""From typed values to the scenario: each where it stands, or as an override of its fleet; comments stay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

from tco.errors import Problem, ScenarioError
from tco.readback.issued import Issued
from tco.readback.targets import Target, targets_of
from tco.readback.typed import Change
from tco.scenario.assembly import assemble
from tco.scenario.paths import Path, child, path_text
from tco.scenario.plan import Plan
from tco.scenario.problems import validate
from tco.scenario.reading import Document
from tco.scenario.scalars import written
from tco.scenario.schema import Scenario as Schema
from tco.scenario.writing import with_values
from tco.session import Scenario

REACHED = 1e-12
MOST_NOTE = 900


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
    targets = targets_of(issued, changes)
    while True:
        open_ = {index: target for index, target in targets.items() if not changes[index].refused}
        found = _tried(issued, changes, open_, story)
        if found is not None:
            return found


def _tried(
    issued: Issued, changes: Sequence[Change], targets: Mapping[int, Target], story: Story | None
) -> Carried | None:
    """The scenario with all of these; None when one of them was refused on the way."""
    document = _written(issued.scenario.document, changes, targets, story)
    if document is None:
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


# --- writing ---


def _written(
    document: Document, changes: Sequence[Change], targets: Mapping[int, Target], story: Story | None
) -> Document | None:
    """The text with all values, then with their stories; None when a value was refused on the way."""
    for texts in (_value_text, *([partial(_story, story)] if story else [])):
        for index, target in targets.items():
            try:
                document = with_values(document, texts(document, target, changes[index]))
            except ScenarioError as error:
                changes[index].refused = f"cannot be written into the scenario: {error.problems[0].text}"
                return None
    return document


def _value_text(document: Document, target: Target, change: Change) -> dict[Path, str]:
    return {target.path: target.text, **_range(target, change, _kept(document, target.home))} if target.path else {}


def _kept(document: Document, home: Path) -> dict[str, Any]:
    """The story that stands beside a value now."""
    raw: Any = document.data
    for step in home:
        raw = child(raw, step)
    return cast("dict[str, Any]", raw) if isinstance(raw, dict) else {}


def _story(story: Story, document: Document, target: Target, change: Change) -> dict[Path, str]:
    """Source, status and note of a changed value, and the scenario's date in place of an older one.

    The story of an offer is its own: what is said of one of its prices becomes the note of that line.
    """
    if target.plain or not target.path:
        return {}
    home = change.path[:-1] or target.home
    kept = _kept(document, home)
    note = "; ".join(filter(None, [str(kept.get("note") or ""), f"was {target.was}, set by hand in {story.book}"]))
    if change.path:
        return {(*home, "note"): f"{note}, source: {change.source or story.source}"[-MOST_NOTE:]}
    told = {"source": change.source or story.source, "status": story.status, "note": note[-MOST_NOTE:]}
    told |= {"as_of": written(document.data["as_of"])} if "as_of" in kept else {}
    return {(*target.home, key): text for key, text in told.items()}


def _range(target: Target, change: Change, kept: dict[str, Any]) -> dict[Path, str]:
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
        if not target.path:
            continue
        here = path_text(target.path, document.data)
        for problem in problems:
            named = "inputs" in target.path and f"`{target.path[-1]}`" in problem.text
            if problem.path == here or problem.path.startswith(f"{here}.") or named:
                changes[index].refused, found = problem.text, True
    return found


def _reached(
    issued: Issued, plans: Mapping[str, Plan], changes: Sequence[Change], targets: Mapping[int, Target]
) -> bool:
    """Whether every fleet that reads a changed input reads the new value; prices of offers are read as written."""
    for index, target in targets.items():
        change = changes[index]
        if change.path:
            continue
        for fleet in issued.fleets_of(change.place):
            same = [
                one for one in (plans[fleet.id], *plans[fleet.id].others) if one.texts["precision"] == fleet.precision
            ]
            now = _value([*same, plans[fleet.id]][0], change)
            if not change.refused and not _equal(now, change.new):
                read = f"{fleet.id} would read {'nothing' if now is None else f'{now:.6g}'}"
                told = f"follows from other values of the scenario ({read}); change those"
                between = f"lies between the points at {change.where} ({read}); type over those, or change them there"
                change.refused = told if target.path else between
    return not any(changes[index].refused for index in targets)


def _equal(one: float | None, two: float | None) -> bool:
    return one is not None and two is not None and abs(one - two) <= REACHED * max(abs(one), abs(two))


def _value(plan: Plan, change: Change) -> float | None:
    """What a fleet reads in the place of a change."""
    name = change.place.name
    figure = plan.figures.get(name) or plan.pins.get(name.removesuffix("_pinned"))
    if figure is None:
        return None
    values = [row[1] for row in figure.rows] if figure.is_table else [*figure.series] or [figure.number]
    return values[change.index] if change.index < len(values) else None
