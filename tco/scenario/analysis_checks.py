"""What is wrong with the questions of a scenario before anything is computed: paths that lead nowhere, ends, fleets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tco.errors import did_you_mean
from tco.scenario.paths import Path, child
from tco.scenario.problems import Problems
from tco.scenario.schema import Scenario


def check_analysis(scenario: Scenario, problems: Problems) -> None:
    """Note every contradiction."""
    if scenario.analysis is None:
        return
    for path, text in _places(scenario):
        _check_place(_written(path, problems.document.data), text, problems)
    for at, goal in enumerate(scenario.analysis.solve):
        if len(goal.between) not in (0, 2):
            told = f"holds {len(goal.between)} values; wanted the two ends, the lower first"
            problems.add(("analysis", "solve", at, "between"), told)
    known = [fleet.id for fleet in scenario.fleets]
    for at, one in enumerate(scenario.analysis.tables):
        for index, name in enumerate(one.fleets):
            if name not in known:
                told = f"there is no fleet `{name}`{did_you_mean(name, known)}"
                problems.add(("analysis", "tables", at, "fleets", index), told)


def _places(scenario: Scenario) -> Iterator[tuple[Path, str]]:
    """Where a path of the scenario is named, and the path."""
    assert scenario.analysis
    for at, goal in enumerate(scenario.analysis.solve):
        yield ("analysis", "solve", at, "change"), goal.change
    for at, one in enumerate(scenario.analysis.tables):
        for key, axis in (("rows", one.rows), ("columns", one.columns)):
            if axis:
                yield ("analysis", "tables", at, key, "change"), axis.change


def _written(path: Path, data: Any) -> Path:
    """Without the key for which a bare word stands."""
    here = data
    for step in path[:-1]:
        here = child(here, step)
    return path if isinstance(here, dict) else path[:-1]


def _check_place(path: Path, text: str, problems: Problems) -> None:
    from tco.variants.places import Unplaced, place_of

    try:
        if place_of(Scenario, problems.document.data, text).leaf is None:
            problems.add(path, f"`{text}` holds a word, not a number; name an input such as `electricity.price`")
    except Unplaced as error:
        problems.add(path, str(error))
