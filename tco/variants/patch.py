"""A scenario with values changed at places, validated as a file would be, without writing its text."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from tco.errors import Problem, ScenarioError
from tco.scenario.fields import Section
from tco.scenario.paths import Path, child, path_text
from tco.scenario.problems import validate
from tco.scenario.reading import Document
from tco.scenario.scalars import is_scalar
from tco.scenario.schema import Scenario as Schema
from tco.scenario.walk import sections_within
from tco.session import Scenario

RANGE = ("low", "high")


def patched(scenario: Scenario, changes: Mapping[Path, Any]) -> Scenario:
    """The scenario with what stands at these paths replaced by plain data. Raises ScenarioError.

    A value with a story keeps it, but not its range; a section for which one word stands is written out.
    """
    data = copy.deepcopy(scenario.document.data)
    for path, raw in changes.items():
        _put(data, path, raw, scenario.document)
    document = replace(scenario.document, data=data)
    return Scenario(document, validate(document, Schema))


def blamed(error: ScenarioError, changes: Mapping[Path, Any], data: Any) -> dict[Path, list[Problem]]:
    """Problems by the changed path at or below which they stand; all others under the empty path."""
    told: dict[Path, list[Problem]] = {}
    names = {path: path_text(path, data) for path in changes}
    for problem in error.problems:
        at = [path for path, name in names.items() if problem.path == name or problem.path.startswith(f"{name}.")]
        told.setdefault(max(at, key=len, default=()), []).append(problem)
    return told


def _put(data: dict[str, Any], path: Path, raw: Any, document: Document) -> None:
    here: Any = data
    annotation: Any = Schema
    for depth, step in enumerate(path[:-1]):
        annotation = _field(annotation, step)
        below = child(here, step)
        if is_scalar(below) and (word := _shorthand(annotation)):
            below = {word: below}
        elif below is None and isinstance(here, dict):
            below = {}
        if not isinstance(below, dict | list):
            told = f"holds a value; nothing can be changed at `{path_text(path, data)}`"
            raise ScenarioError([document.problem(path[: depth + 1], told)])
        here[step] = below
        here = cast("Any", below)
    held = child(here, path[-1])
    if isinstance(held, dict) and "value" in held and not isinstance(raw, dict):
        kept = {key: value for key, value in cast("dict[str, Any]", held).items() if key not in RANGE}
        here[path[-1]] = {**kept, "value": raw}
    else:
        here[path[-1]] = raw


def _field(annotation: Any, step: str | int) -> Any:
    """What the schema says of the step; of an item, what it says of the list."""
    for section, _ in sections_within(annotation):
        for name, info in section.model_fields.items():
            if step == (info.alias or name):
                return info.annotation
    return annotation


def _shorthand(annotation: Any) -> str:
    """The key for which a bare value stands."""
    return next((one.shorthand for one in _within(annotation) if one.shorthand), "")


def _within(annotation: Any) -> list[type[Section]]:
    return [section for section, _ in sections_within(annotation)]
