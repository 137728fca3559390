"""The simulation: find what is drawn, see what it moves, compute every draw, and tell what follows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tco.analysis.run import Frozen
from tco.errors import Problem, ScenarioError, did_you_mean
from tco.result import Result
from tco.scenario.analysis_schema import Analysis, Uncertainty
from tco.scenario.problems import Problems
from tco.session import Scenario
from tco.uncertainty.draws import Column, Draws, rounded
from tco.uncertainty.drivers import Case, Driver, of_bands, of_figures, stated
from tco.uncertainty.found import Drawn, Simulation
from tco.uncertainty.many import Outcome, by_lines
from tco.uncertainty.response import Response, respond
from tco.uncertainty.runs import by_runs
from tco.uncertainty.tally import able_share, cheapest
from tco.uncertainty.together import Impossible, Pair, groups, root
from tco.variants.reach import Built

Array = NDArray[np.float64]

SAMPLES, RUNS = 16_384, 256
"""Draws where none are stated: by lines, and where each draw is a run of its own."""

MOST_RUNS = 4096
MOST_VALUES = 25_000_000
"""Draws times fleets whose costs are held at once: 200 MB."""

Tell = Callable[[int, int], None]
"""Told how much is done, of how much."""


@dataclass(frozen=True)
class Setup:
    """All that a simulation needs: the case at the middle of its ranges, its run, its drivers and what they move."""

    case: Case
    centre: Built
    result: Result
    frozen: Frozen
    drivers: list[Driver]
    pairs: list[Pair]
    draws: Draws
    response: Response
    asked: Uncertainty


def simulate(
    scenario: Scenario,
    result: Result | None = None,
    *,
    samples: int | None = None,
    seed: int | None = None,
    jobs: int = 1,
    tell: Tell | None = None,
) -> Simulation:
    """Draw the scenario's ranges and compute all fleets for each draw. Raises ScenarioError with every problem.

    `result` is the scenario's run where it is at hand. The digits do not depend on `jobs`.
    """
    base = result or scenario.run()
    setup = prepared(scenario, base, samples=samples, seed=seed)
    asked = setup.asked
    wanted = samples or _stated_samples(asked)
    each = asked.choices == "search" or bool(setup.response.runs)
    count = rounded(wanted or (RUNS if each else SAMPLES))
    _affordable(scenario, setup, count, each=each)
    told = tell or _silent
    outcome = (by_runs if each else by_lines)(setup, count, jobs, told)
    return _simulation(setup, base, outcome, count)


def _silent(done: int, whole: int) -> None:
    """Nobody watches."""


def prepared(
    scenario: Scenario, result: Result | None = None, *, samples: int | None = None, seed: int | None = None
) -> Setup:
    """Everything before the first draw. Raises ScenarioError with every problem."""
    analysis = scenario.content.analysis or Analysis()
    asked = analysis.uncertainty or Uncertainty()
    number = analysis.seed if seed is None else seed
    return _setup(scenario, result or scenario.run(), asked, number, samples or _stated_samples(asked))


def _stated_samples(asked: Uncertainty) -> int | None:
    return asked.samples if "samples" in asked.model_fields_set else None


def _setup(scenario: Scenario, base: Result, asked: Uncertainty, seed: int, samples: int | None) -> Setup:
    problems = Problems(scenario.document)
    drivers = stated(scenario, problems)
    problems.stop()
    frozen = frozen_choices(base)
    case, result = _middle(scenario, base, drivers, frozen)
    centre = case.built()
    if asked.figures in ("catalogue", "all"):
        drivers += of_figures(case, centre, result, drivers)
    if asked.figures in ("bands", "all"):
        drivers += of_bands(result)
    if not drivers:
        told = (
            "nothing is uncertain; write a value as a range such as `25000 to 35000 USD/system`, or state "
            "`analysis: {uncertainty: catalogue}` to draw the ranges of the catalogue"
        )
        raise ScenarioError([Problem(told, file=scenario.document.file)])
    pairs, matrix = _together(asked, drivers, problems)
    count = rounded(samples or SAMPLES)
    response = respond(case, centre, drivers, count, problems)
    problems.stop()
    columns = _columns(drivers, response)
    draws = Draws(columns, len(drivers), seed, matrix)
    return Setup(case, centre, result, frozen, drivers, pairs, draws, response, asked)


def frozen_choices(result: Result) -> Frozen:
    """What a run chose, to be kept."""
    return {
        fleet.id: {**fleet.choices.get("values", {}), "precision": fleet.precision} for fleet in result.fleets
    }  # fmt: skip


def _middle(scenario: Scenario, base: Result, drivers: Sequence[Driver], frozen: Frozen) -> tuple[Case, Result]:
    """The scenario with the median of each range that stands elsewhere, and its run with the choices kept.

    A table stays as it is: the factor that is drawn is that of the lines which read it.
    """
    case = Case.of(scenario)
    scaled = [driver for driver in drivers if driver.factor and driver.factor.is_table]
    apart = [driver for driver in drivers if driver.written != driver.place and driver not in scaled]
    if not apart:
        return case, base
    case = case.at([(driver, driver.spread.median) for driver in apart])
    return case, case.run(frozen)


def _together(asked: Uncertainty, drivers: Sequence[Driver], problems: Problems) -> tuple[list[Pair], Array | None]:
    names = {driver.name: at for at, driver in enumerate(drivers)}
    pairs, places = list[Pair](), list[int]()
    for index, one in enumerate(asked.correlations):
        here = ("analysis", "uncertainty", "correlations", index)
        unknown = [name for name in one.between if name not in names]
        twice = {frozenset(pair[:2]) for pair in pairs}
        if len(one.between) != 2 or len(set(one.between)) != 2:
            problems.add((*here, "between"), "wanted two ranges, such as `[electricity.price, finance.discount_rate]`")
        elif unknown:
            known = did_you_mean(unknown[0], names) or f"; drawn are {', '.join(f'`{name}`' for name in names)}"
            problems.add((*here, "between"), f"`{unknown[0]}` is not drawn{known}")
        elif frozenset(names[name] for name in one.between) in twice:
            problems.add((*here, "between"), f"{' and '.join(one.between)} are correlated twice; remove one of the two")
        else:
            pairs.append((names[one.between[0]], names[one.between[1]], one.rank.number))
            places.append(index)
    problems.stop()
    try:
        return pairs, root(len(drivers), pairs) if pairs else None
    except Impossible as error:
        one, other, value = pairs[error.at]
        told = (
            f"{drivers[one].name} and {drivers[other].name} cannot have rank {value:g} beside the others "
            f"(a pair that is not named has 0); wanted a rank between {error.low:.2f} and {error.high:.2f}"
        )
        problems.add(("analysis", "uncertainty", "correlations", places[error.at], "rank"), told)
        problems.stop()
        raise


def _columns(drivers: Sequence[Driver], response: Response) -> list[Column]:
    """One for each driver, and one more for each line that an error band is of."""
    columns = [Column(at, driver.spread) for at, driver in enumerate(drivers)]
    known = dict[Column, int]()
    for at, driver in enumerate(drivers):
        for fleet, lines in driver.errors.items():
            for line, (spread, against) in lines.items():
                column = Column(at, spread, against)
                if column not in known:
                    known[column] = len(columns)
                    columns.append(column)
                response.errors.setdefault(fleet, {})[line] = known[column]
    return columns


def _affordable(scenario: Scenario, setup: Setup, count: int, *, each: bool) -> None:
    """What is asked must end within reason, and within memory. Raises ScenarioError."""
    fleets, told = len(setup.result.fleets), ""
    scaled = [one.name for one in setup.drivers if one.errors or (one.factor and one.factor.is_table)]
    if each and scaled:
        told = f"{scaled[0]} is drawn as a factor of lines, which a run cannot take; leave it out"
        told += ", or `choices: keep`" if setup.asked.choices == "search" else ""
    elif each and count > MOST_RUNS:
        why = next((f"{name}: {reason}" for name, reason in setup.response.runs.items()), "choices: search")
        told = (
            f"{count:,} draws are asked for, and each is a run of its own ({why}); take --samples {MOST_RUNS} or fewer"
        )
    elif count * fleets > MOST_VALUES:
        most = rounded(MOST_VALUES // fleets + 1) // 2
        told = f"{count:,} draws of {fleets} fleets are beyond memory; take --samples {most} or fewer"
    if told:
        raise ScenarioError([Problem(told, file=scenario.document.file)])


def _simulation(setup: Setup, base: Result, outcome: Outcome, count: int) -> Simulation:
    whole = [fleet.id for fleet in setup.result.fleets if not fleet.unit_cost_only]
    costs = outcome.costs
    able = [name for name in whole if able_share(costs[name]) > 0]
    won, nobody = cheapest(costs, able)
    fleets = [replace(fleet, cheapest=won.get(fleet.id, 0.0)) for fleet in outcome.fleets]
    drawn = [
        Drawn(one.name, one.text, one.spread.unit, *(one.spread.quantile(share) for share in (0.05, 0.5, 0.95)))
        for one in setup.drivers
    ]
    correlations = [(drawn[one].name, drawn[other].name, value) for one, other, value in setup.pairs]
    return Simulation(
        count, setup.draws.seed, setup.asked.choices, base.headline or "", tuple(drawn), tuple(fleets), nobody,
        outcome.indices, outcome.index_samples, outcome.without_indices, tuple(correlations), tuple(outcome.idle),
        (*_notes(setup, outcome), *setup.response.notes),
    )  # fmt: skip


def _notes(setup: Setup, outcome: Outcome) -> list[str]:
    notes = list(outcome.notes)
    searched = [fleet.id for fleet in setup.result.fleets if fleet.choices.get("values")]
    if setup.asked.choices == "keep" and searched:
        told = (
            "the deployment of each fleet stays as the run of the scenario chose it; `choices: search` searches again"
        )
        notes.append(f"{told} for each draw")
    billed = [fleet.id for fleet in setup.result.fleets if "bill" in fleet.choices]
    if setup.asked.choices == "keep" and billed and not setup.response.runs:
        notes.append(f"hourly tariffs stay billed as in the run: {', '.join(billed)}")
    if outcome.idle:
        notes.append(f"moves no fleet: {', '.join(outcome.idle)}")
    return notes


def groups_of(setup: Setup) -> list[list[int]]:
    """Drivers that move together."""
    return groups(len(setup.drivers), setup.pairs)
