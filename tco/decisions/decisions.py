"""What a scenario asks under `analysis`, answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from tco.decisions.confirm import confirmed
from tco.decisions.flips import Flip, by_strength
from tco.decisions.refused import Refused
from tco.decisions.solve import Asked, Solved, solve
from tco.decisions.spider import Spider, spider
from tco.decisions.tables import Values, tables
from tco.errors import ScenarioError
from tco.result import Result
from tco.scenario.analysis_schema import Goal, ValueTable
from tco.scenario.paths import Path
from tco.scenario.problems import Problems
from tco.session import Scenario

_T = TypeVar("_T")


@dataclass(frozen=True)
class Decisions:
    """Answers in the order of the questions; None for what is not asked."""

    solved: tuple[Solved, ...] = ()
    tables: tuple[Values, ...] = ()
    flips: tuple[Flip, ...] | None = None
    spider: Spider | None = None

    @property
    def any(self) -> bool:
        """Whether anything is asked."""
        return bool(self.solved or self.tables or self.flips is not None or self.spider)


def decisions(scenario: Scenario, result: Result) -> Decisions | None:
    """Every answer. Raises ScenarioError with every question that cannot be asked."""
    asked = scenario.content.analysis
    if asked is None or not (asked.solve or asked.tables or asked.flips or asked.spider):
        return None
    problems = Problems(scenario.document)

    def of(path: Path, answer: Callable[[], _T]) -> list[_T]:
        try:
            return [answer()]
        except Refused as refused:
            problems.add((*path, refused.part), str(refused))
        except ScenarioError as error:
            problems.add(path, f"the scenario cannot be run at an end: {error.problems[0].text}")
        return []

    solved = [one for at, goal in enumerate(asked.solve)
              for one in of(("analysis", "solve", at), lambda goal=goal: _solve(scenario, result, goal))]  # fmt: skip
    made = [one for at, table in enumerate(asked.tables)
            for some in of(("analysis", "tables", at), lambda table=table: _tables(scenario, result, table))
            for one in some]  # fmt: skip
    problems.stop()
    flips = tuple(by_strength(confirmed(scenario, result))) if asked.flips else None
    return Decisions(tuple(solved), tuple(made), flips, spider(result) if asked.spider else None)


def _solve(scenario: Scenario, result: Result, goal: Goal) -> Solved:
    return solve(scenario, Asked(goal.change, goal.until, goal.between, goal.frozen), result)


def _tables(scenario: Scenario, result: Result, asked: ValueTable) -> list[Values]:
    return tables(scenario, result, asked)
