"""Every draw as a run of its own, where choices are searched again or a draw changes which lines are computed."""

from __future__ import annotations

import contextlib
from collections.abc import Generator
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tco.analysis.run import Frozen
from tco.errors import ScenarioError
from tco.parallel import in_order
from tco.result import Result
from tco.session import loads
from tco.uncertainty.chunks import TOTALS
from tco.uncertainty.drivers import Case, Driver
from tco.uncertainty.many import Outcome, spread_of

if TYPE_CHECKING:
    from tco.uncertainty.simulate import Setup, Tell

Array = NDArray[np.float64]
NO_INDICES = "each draw is a run of its own, and indices would need many times as many"


@dataclass
class _Job:
    """What a worker holds between its draws."""

    case: Case
    drivers: list[Driver]
    frozen: Frozen | None


_JOB: list[_Job] = []


def by_runs(setup: Setup, samples: int, jobs: int, tell: Tell) -> Outcome:
    """All draws, each through a run; the same draws as by lines."""
    frozen = None if setup.asked.choices == "search" else setup.frozen
    job = _Job(setup.case, setup.drivers, frozen)
    held = {fleet.id: np.full((3, samples), np.nan) for fleet in setup.result.fleets}
    points = np.concatenate(list(setup.draws.points(samples)))
    rows = np.array(setup.draws.values(points)).T
    done = 0
    with _pool(job, jobs) as pool:
        for numbers in in_order(_run, [[float(one) for one in row] for row in rows], pool, jobs):
            for name, line in numbers.items():
                held[name][:, done] = line
            done += 1
            tell(done, samples)
    headline = setup.result.headline or ""
    fleets = [spread_of(fleet, headline, held[fleet.id]) for fleet in setup.result.fleets]
    outcome = Outcome({name: lines[0] for name, lines in held.items()}, fleets)
    outcome.without_indices = dict.fromkeys(setup.result.ranking[:2], NO_INDICES)
    outcome.idle = [one.name for one in setup.drivers if one.name not in setup.response.moves]
    outcome.notes = [
        f"{name}: {why}, so that each draw is a run of its own" for name, why in setup.response.runs.items()
    ]
    return outcome


@contextlib.contextmanager
def _pool(job: _Job, jobs: int) -> Generator[Executor | None]:
    """Processes: a run is mostly Python. Each reads the scenario anew from its text."""
    if jobs == 1:
        _JOB[:] = [job]
        try:
            yield None
        finally:
            _JOB.clear()
        return
    import multiprocessing

    document = job.case.scenario.document
    how = multiprocessing.get_context("spawn")
    told = (document.text, document.file, job.case.scenario.document.data, job.drivers, job.frozen)
    pool = ProcessPoolExecutor(jobs, how, _begin, told)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _begin(text: str, file: str, data: dict[str, object], drivers: list[Driver], frozen: Frozen | None) -> None:
    """In a new process: the same scenario, at the middle of its ranges."""
    import signal

    from tco.scenario.problems import validate
    from tco.scenario.schema import Scenario as Schema
    from tco.session import Scenario

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    document = replace(loads(text, file).document, data=data)
    _JOB[:] = [_Job(Case.of(Scenario(document, validate(document, Schema))), drivers, frozen)]


def _run(values: list[float]) -> dict[str, list[float]]:
    """Headline and totals of each fleet; nan where it cannot do the work. Raises ScenarioError with the draw."""
    (job,) = _JOB
    try:
        result = job.case.at(zip(job.drivers, values, strict=False)).run(job.frozen)
    except ScenarioError as error:
        drawn = ", ".join(f"{one.name} {value:.6g}" for one, value in zip(job.drivers, values, strict=False))
        raise ScenarioError([replace(one, text=f"{one.text} (with {drawn})") for one in error.problems]) from error
    return {fleet.id: _numbers(result, fleet.id) for fleet in result.fleets}


def _numbers(result: Result, name: str) -> list[float]:
    fleet = result.by_id[name]
    found = [fleet.shown(line) for line in (result.headline or "", *TOTALS)]
    return [one if isinstance(one, float) and fleet.verdict == "ok" else float("nan") for one in found]
