"""One scenario as a piece of work: all that computing it needs goes in, all that is written comes out.

A worker neither writes nor remembers: `computed` is a function of its task, whoever calls it and wherever.
"""

from __future__ import annotations

import threading
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from tco.errors import Problem, ScenarioError, TcoError

LEVEL = 6
"""Of compression: rows of a table shrink to a seventh in a millisecond."""
UNSEEN = "which its worker does not see as it is here; put it where all workers have it under this path"
_ONE_AT_A_TIME = threading.Lock()
"""A worker of a cluster may have threads; a scenario is Python, which they would only take turns in."""


@dataclass(frozen=True)
class Task:
    """A scenario file as it was read, and what is wanted of it; `problem` says why it cannot be computed.

    `told` are the words for the terminal, `rows` whether the rows of the table over all scenarios are wanted, `frozen`
    the JSON whose choices are kept. `beside` holds the digests of the files that it refers to, for a worker elsewhere,
    `place` where they stand beside.
    """

    name: str
    file: str
    raw: bytes
    formats: tuple[str, ...]
    told: Literal["comparison", "line"] = "line"
    rows: bool = True
    frozen: Path | None = None
    beside: Mapping[str, str] = field(default_factory=dict[str, str])
    place: str = ""
    problem: str = ""
    unwritten: bool = False


@dataclass(frozen=True)
class Done:
    """What became of a task: contents by suffix, compressed rows, a row of the summary, words; or a problem.

    `fits` is true if every fleet can do the work, `unwritten` if it failed at an output, not at the scenario.
    """

    name: str
    contents: Mapping[str, bytes] = field(default_factory=dict[str, bytes], repr=False)
    rows: bytes = field(default=b"", repr=False)
    row: Mapping[str, Any] = field(default_factory=dict[str, Any])
    told: str = ""
    fits: bool = True
    problem: str = ""
    unwritten: bool = False


def computed(task: Task) -> Done:
    """Compute the scenario; what is wrong with it is told in the answer, not raised."""
    if task.problem:
        return Done(task.name, problem=task.problem, unwritten=task.unwritten)
    place = task.place or task.file
    try:
        with _ONE_AT_A_TIME:
            return _computed(task, place)
    except TcoError as error:
        return Done(task.name, problem=str(error).replace(place, task.file))


def _computed(task: Task, place: str) -> Done:
    from tco.batch.frozen import choices
    from tco.batch.identity import references
    from tco.batch.outputs import contents
    from tco.batch.row import summarised
    from tco.scenario.reading import read_bytes
    from tco.session import opened

    if task.place and references(task.raw, place) != task.beside:
        raise ScenarioError([Problem(f"refers to {', '.join(task.beside)}, {UNSEEN}", file=place)])
    document = read_bytes(task.raw, place)
    if "workloads" in document.data:
        from tco.portfolio.writing import computed as of_portfolio

        return of_portfolio(task, document)
    result = opened(document).run(choices(task.frozen) if task.frozen else None)
    made = contents(result, task.name, task.formats)
    return Done(
        task.name,
        made,
        rows([(task.name, result)]) if task.rows else b"",
        summarised(result) if task.rows else {},
        _told(task, result),
        all(fleet.verdict == "ok" for fleet in result.fleets),
    )


def rows(results: Sequence[tuple[str, Any]]) -> bytes:
    """Rows of the table over all scenarios, compressed."""
    from tco.export import to_csv

    _, _, body = to_csv(results).partition("\n")
    return zlib.compress(body.encode(), LEVEL)


def _told(task: Task, result: Any) -> str:
    from tco.console import comparison, short

    return comparison(result) if task.told == "comparison" else short(task.file, result)
