"""Sweeps as they are asked for: on the command line, in a table of cases, or by the scenario itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

from tco.errors import Problem, ScenarioError
from tco.scenario import analysis_schema
from tco.scenario import paths as scenario_paths
from tco.session import Scenario, load
from tco.sweep.asked import Blame, Grid, Stated, grid
from tco.sweep.axes import parted
from tco.sweep.places import Refused
from tco.sweep.run import Sweep, sweep
from tco.sweep.settle import Choices

AT = ("analysis", "sweeps")


def sweeps(
    file: Path, axes: Sequence[str], table: Path | None, lines: Sequence[str], fleets: Sequence[str], choices: str
) -> list[tuple[str, Sweep]]:
    """Sweeps with the names of their files: of the axes, of the table, else those of the scenario.

    Raises ScenarioError with every problem.
    """
    base = load(file)
    word = cast(Choices, choices)
    if table is not None:
        from tco.sweep.cases import cases

        asked = cases(base, table)
        title = f"cases of {table.name}"
        return [
            (f"{file.stem}-{table.stem}", sweep(base, asked, lines=lines, fleets=fleets, choices=word, title=title))
        ]
    if axes:
        found = grid(base, on_command_line(axes), {})
        return [(f"{file.stem}-sweep", sweep(base, found, lines=lines, fleets=fleets, choices=word, title="sweep"))]
    stated = of_scenario(base)
    if not stated:
        told = "states no sweeps; give --axis or --table, or `analysis: {sweeps: […]}` in the scenario"
        raise ScenarioError([Problem(told, file=str(file))])
    return [(f"{file.stem}-{one.title}", one) for one in stated]


def on_command_line(axes: Sequence[str]) -> list[Stated]:
    """Axes that the command line states. Raises ScenarioError with every problem."""
    found, problems = list[Stated](), list[Problem]()
    for text in axes:

        def blame(told: str, _: int | None, text: str = text) -> Problem:
            return Problem(told, file=f'--axis "{text}"')

        try:
            found.append(Stated(*parted(text), blame))
        except Refused as refused:
            problems.append(blame(str(refused), None))
    if problems:
        raise ScenarioError(problems)
    return found


def of_scenario(base: Scenario) -> list[Sweep]:
    """The sweeps that a scenario states. Raises ScenarioError with every problem."""
    asked = base.content.analysis.sweeps if base.content.analysis else ()
    problems, found = list[Problem](), list[Sweep]()
    seen = set[str]()
    for index, one in enumerate(asked):
        if one.name in seen:
            problems.append(base.document.problem((*AT, index, "name"), f"`{one.name}` is taken; choose another"))
        seen.add(one.name)
        try:
            of, wanted = _grid(base, one, index), dict[str, Any](lines=one.lines, fleets=one.fleets)
            found.append(sweep(base, of, **wanted, choices=one.choices, title=one.name))
        except ScenarioError as error:
            problems += error.problems
    if problems:
        raise ScenarioError(problems)
    return found


def _grid(base: Scenario, one: analysis_schema.Sweep, index: int) -> Grid:
    def blame(*inside: str | int) -> Blame:
        def problem(told: str, at: int | None) -> Problem:
            path: scenario_paths.Path = (*AT, index, *inside, *(() if at is None else (at,)))
            known = path if path in base.document.nodes else path[: len(AT) + 1 + len(inside)]
            return base.document.problem(known, told, key=at is None)

        return problem

    if not one.axes and not one.overrides:
        raise ScenarioError([base.document.problem((*AT, index), "varies nothing; state `axes` or `overrides`")])
    stated = [Stated(place, _listed(values), blame("axes", place)) for place, values in one.axes.items()]
    overrides = {
        name: {place: (word, blame("overrides", name, place)) for place, word in each.items()}
        for name, each in one.overrides.items()
    }
    return grid(base, list(_each(stated)), overrides)


def _listed(values: Any) -> Sequence[Any] | str:
    return cast("list[Any]", values) if isinstance(values, list | tuple) else values


def _each(stated: Sequence[Stated]) -> Iterator[Stated]:
    """An axis with one value may be stated without brackets."""
    for one in stated:
        yield one if isinstance(one.values, list | str) else Stated(one.place, [one.values], one.blame)
