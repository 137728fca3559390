"""The run of a portfolio: each workload alone, sets of workloads on shared fleets, ways to do them all, a ranking."""

from __future__ import annotations

import itertools
import os
from dataclasses import dataclass

from tco.portfolio.parts import together
from tco.portfolio.sharing import Work, deployments, share
from tco.portfolio.state import PortfolioResult, Shared
from tco.portfolio.ways import ranked
from tco.portfolio.words import advice, beside, warnings
from tco.result import Result
from tco.scenario.problems import validate
from tco.scenario.reading import Document, read, read_text
from tco.scenario.schema import Scenario as Schema


@dataclass(frozen=True)
class Portfolio:
    """A validated scenario file with `workloads`."""

    document: Document
    content: Schema

    def check(self) -> None:
        """Find every problem without computing. Raises ScenarioError."""
        together(self.document, self.content)

    def run(self) -> PortfolioResult:
        """Compute all ways. Raises ScenarioError with every problem."""
        parts = together(self.document, self.content)
        single = {name: one.run() for name, one in parts.items()}
        work = Work(self.document, self.content, single)
        shared, whole = _shared(work)
        first, names = next(iter(single.values())), list(single)
        scenario = {**first.scenario, "kind": "portfolio"}
        ways = ranked(work, shared)
        result = PortfolioResult(scenario, first.engine, first.timeline, single, shared, whole, ways)
        result.ranking = [way.id for way in ways if way.verdict == "ok"]
        result.recommended = next(iter(result.ranking), None)
        result.reason = advice(result)
        result.warnings = warnings(work, result)
        if whole:
            whole.scenario = {**whole.scenario, "title": f"{scenario['title']}: fleets shared by {' and '.join(names)}"}
            whole.warnings = [beside(result), *whole.warnings]
        return result


def _shared(work: Work) -> tuple[dict[tuple[str, ...], dict[str, Shared]], Result | None]:
    names = tuple(work.single)
    tried = deployments(work)
    found, whole = dict[tuple[str, ...], dict[str, Shared]](), None
    for count in range(2, len(names) + 1):
        for works in itertools.combinations(names, count):
            held, result = share(work, works, tried)
            if held:
                found[works], whole = held, _able(held, result) if works == names else whole
    return found, whole


def _able(held: dict[str, Shared], result: Result | None) -> Result | None:
    """The fleets on which every workload runs, ranked by present cost: no cost is shown for work that cannot run."""
    if result is None or all(one.verdict != "ok" for one in held.values()):
        return None
    result.fleets = [fleet for fleet in result.fleets if held[fleet.id].verdict == "ok"]
    costs = {fleet.id: fleet.raw("present_cost") for fleet in result.fleets}
    result.ranking = sorted(costs, key=lambda name: (costs[name], name))
    result.recommended = result.ranking[0]
    names = {"", *costs}
    result.warnings = [alert for alert in result.warnings if alert.fleet in names]
    return result


def load(path: str | os.PathLike[str]) -> Portfolio:
    """Read and validate a scenario file with `workloads`. Raises ScenarioError with every problem and its place."""
    return opened(read(path))


def loads(text: str, name: str = "scenario.yaml") -> Portfolio:
    """The same for text in memory."""
    return opened(read_text(text, name))


def opened(document: Document) -> Portfolio:
    """A document that was read already. Raises ScenarioError with every problem and its place."""
    return Portfolio(document, validate(document, Schema))
