"""From typed values to the scenario: each where it stands, or as an override of its fleet; comments stay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
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


# --- writing ---


def _texts(document: Document, target: Target, change: Change, story: Story | None) -> dict[Path, str]:
    """The value and its story, as they are written."""
    told: dict[Path, str] = {target.path: target.text}
    raw: Any = document.data
    for step in target.path:
        raw = child(raw, step)
    kept = cast("dict[str, Any]", raw) if isinstance(raw, dict) else dict[str, Any]()
    told |= _range(target, change, kept)
    if story is None or target.plain or isinstance(target.path[-1], int):
        return told
    note = "; ".join(filter(None, [str(child(kept, "note") or ""), f"was {target.was}, set by hand in {story.book}"]))
    told[*target.path, "source"] = change.source or story.source
    told[*target.path, "status"] = story.status
    told[*target.path, "note"] = note[-900:]
    if "as_of" in kept:
        told[*target.path, "as_of"] = written(document.data["as_of"])
    return told


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
                change.refused = (
                    f"follows from other values of the scenario ({fleet.id} would read {read}); change those"
                )
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
