"""A sweep, run: block by block, each with what was asked and what was found."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tco.analysis.run import HEADLINE, Frozen
from tco.errors import Problem, ScenarioError, did_you_mean
from tco.export import shown_unit
from tco.lines.library import ALL, load
from tco.model import Model
from tco.parallel import held, in_order, workers_of
from tco.result import Result
from tco.session import Scenario
from tco.sweep.asked import Asked
from tco.sweep.columns import Values
from tco.sweep.extents import Extents
from tco.sweep.found import Found
from tco.sweep.settle import Choices, Settler
from tco.units import unit, unit_text
from tco.variants.reach import built

BLOCK = 65_536
"""Variants that are computed and written together."""

LEAST_SHARED = 4
"""Blocks from which on several workers share them."""

SUMMED = ("energy", "carbon")
"""Lines with an amount a period beside those of money; their periods are added."""


@dataclass(frozen=True)
class Line:
    """A line that is told of each variant; one with an amount a period is added up."""

    name: str
    unit: str
    summed: bool = False

    @property
    def head(self) -> str:
        """Its name with its unit, for a table."""
        told = f"{self.name}, all periods" if self.summed else self.name
        return f"{told} [{self.unit}]" if self.unit else told


@dataclass(frozen=True)
class Part:
    """Some variants: the number of the first, what stands in each column, their names, and what was found."""

    start: int
    values: Sequence[Values]
    names: Sequence[str] | None
    found: Found


@dataclass(frozen=True)
class Sweep:
    """Variants of a base that has been checked, not yet computed."""

    base: Scenario
    asked: Asked
    lines: Sequence[Line]
    fleets: Sequence[str]
    choices: Choices = "stale"
    title: str = ""

    @functools.cached_property
    def units(self) -> list[str | None]:
        """By column: the unit in which all its values are numbers, None where they are words."""
        from tco.sweep.rows import unit_of

        return [unit_of(one) for one in self.asked.whole]

    def parts(self, size: int = BLOCK, jobs: int = 1) -> Iterator[Part]:
        """Compute, block by block, in the order in which the variants are asked for; workers change no digit.

        Raises ScenarioError, OutputError.
        """
        frozen = _frozen(self.base.run()) if self.choices == "keep" else None
        names = [line.name for line in self.lines]
        settler = Settler(self.base, self.asked.columns, names, self.fleets, self.choices, frozen)
        starts = range(0, self.asked.count, size)
        block = _Block(self, settler, Extents(self.asked.whole), size)
        if len(starts) < LEAST_SHARED:
            yield from map(block.part, starts)
            return
        yield block.part(0)  # what all blocks need, such as proofs and compiled lines, is there before workers start
        with workers_of(block, jobs) as pool:
            yield from in_order(_part, starts[1:], pool, jobs)

    def frame(self) -> Any:
        """One row a variant and fleet, in a pandas DataFrame."""
        import pandas  # pyright: ignore[reportMissingTypeStubs]

        from tco.sweep.rows import columns_of

        parts = [columns_of(self, part) for part in self.parts()]
        frames = [pandas.DataFrame({one.head: one.cells() for one in part}) for part in parts]
        return pandas.concat(frames, ignore_index=True)  # pyright: ignore[reportUnknownMemberType]


@dataclass(frozen=True)
class _Block:
    """What every worker holds."""

    sweep: Sweep
    settler: Settler
    extents: Extents
    size: int

    def part(self, start: int) -> Part:
        asked = self.sweep.asked
        stop = min(start + self.size, asked.count)
        values = asked.block(start, stop)
        found = self.settler.settle(values, stop - start, self.extents)
        return Part(start, values, asked.names(start, stop), found)


def _part(start: int) -> Part:
    block: _Block = held()
    return block.part(start)


def sweep(
    base: Scenario,
    asked: Asked,
    *,
    lines: Sequence[str] = (),
    fleets: Sequence[str] = (),
    choices: Choices = "stale",
    title: str = "",
) -> Sweep:
    """A sweep of these lines beside the headline, and of these fleets (all). Raises ScenarioError."""
    models = [plan.model for plan in built(base).plans.values() if plan.model]
    headline = HEADLINE[base.content.workload.kind]
    problems = list[Problem]()
    wanted = list[Line]()
    for name in dict.fromkeys([headline, *lines]):
        try:
            wanted.append(_line(name, models, base.content.currency))
        except KeyError as error:
            problems.append(Problem(str(error.args[0]), file=base.document.file))
    ids = [fleet.id for fleet in base.content.fleets]
    for name in fleets:
        if name not in ids:
            told = f"`{name}` is not a fleet{did_you_mean(name, ids)}; wanted one of {', '.join(ids)}"
            problems.append(Problem(told, file=base.document.file))
    if problems:
        raise ScenarioError(problems)
    return Sweep(base, asked, wanted, [name for name in ids if name in fleets or not fleets], choices, title)


def _line(name: str, models: Sequence[Model], currency: str) -> Line:
    """What is known of a line. Raises KeyError with the sentence."""
    items = {one: item for part in ALL for one, item in load(part).lines.items()}
    if name not in items:
        raise KeyError(f"`{name}` is not a line{did_you_mean(name, items)}; `tco explain FILE` lists them")
    series = any(name in model.lines and model.lines[name].series for model in models)
    if series and items[name].unit != "money" and name not in SUMMED:
        told = f"`{name}` has a value for each period, and those are no amounts to be added"
        raise KeyError(f"{told}; wanted a line with one number, such as `total_cost`, or a cost such as `energy_cost`")
    return Line(name, shown_unit(unit_text(unit(items[name].unit)), currency), series)


def _frozen(result: Result) -> Frozen:
    """Choices of the base, for all variants."""
    return {fleet.id: {**fleet.choices.get("values", {}), "precision": fleet.precision} for fleet in result.fleets}
