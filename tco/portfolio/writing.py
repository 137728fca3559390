"""A portfolio as a piece of work of a batch: its own outputs, and beside them those of each workload's run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tco.batch import outputs
from tco.portfolio.export import to_csv, to_json
from tco.portfolio.run import opened
from tco.portfolio.state import PortfolioResult, Way
from tco.scenario.reading import Document

if TYPE_CHECKING:
    from tco.batch.task import Done, Task


def computed(task: Task, document: Document) -> Done:
    """Compute all ways; the answer of a task. Raises ScenarioError with every problem."""
    from tco.batch.task import Done, rows
    from tco.errors import ScenarioError
    from tco.portfolio.console import comparison

    if task.frozen:
        told = "a portfolio is searched anew, since its fleets depend on each other; leave --frozen out"
        raise ScenarioError([document.problem(("workloads",), told, key=True)])
    result = opened(document).run()
    return Done(
        task.name,
        every(result, task.name, task.formats),
        rows([(f"{task.name}.{work}", one) for work, one in result.single.items()]) if task.rows else b"",
        summarised(result) if task.rows else {},
        comparison(result) if task.told == "comparison" else f"{task.file}: {result.reason}",
        all(way.verdict == "ok" for way in result.ways),
    )


def every(result: PortfolioResult, name: str, formats: Sequence[str]) -> dict[str, bytes]:
    """All outputs by what follows the name: `xlsx` of the portfolio, `chat.xlsx` of its workload `chat`."""
    found = contents(result, name, formats)
    for work, one in result.single.items():
        for suffix, made in outputs.contents(one, f"{name}.{work}", formats).items():
            found[f"{work}.{suffix}"] = made
    return found


def contents(result: PortfolioResult, name: str, formats: Sequence[str]) -> dict[str, bytes]:
    """The asked outputs of the portfolio itself by suffix."""
    found = dict[str, bytes]()
    if "xlsx" in formats:
        from tco.portfolio.workbook import build

        found["xlsx"] = build(result)
    if "html" in formats:
        from tco.portfolio.page import render

        found["html"] = render(result).encode()
    if "json" in formats:
        found["json"] = to_json(result).encode()
    if "csv" in formats:
        found["csv"] = to_csv(result, name).encode()
    return found


def summarised(result: PortfolioResult) -> dict[str, Any]:
    """What stands in the summary of a batch; ways take the place of fleets."""
    ranked = [result.by_id[name] for name in result.ranking[:2]]
    return {
        **{name: result.scenario[name] for name in ("title", "file", "sha256", "as_of", "currency")},
        "headline": "",
        "fleets": len(result.ways),
        "verdicts": {way.id: way.verdict for way in result.ways},
        "reasons": {way.id: "; ".join(way.reasons) for way in result.ways if way.reasons},
        "recommended": _way(ranked[0]) if ranked else None,
        "second": _way(ranked[1]) if len(ranked) > 1 else None,
        "start": result.timeline.labels[0],
        "cash": [],
        "warnings": len(result.warnings),
    }


def _way(way: Way) -> dict[str, Any]:
    return {
        "id": way.id,
        "tier": "",
        "unit_cost": None,
        "total_cost": way.cost("total_cost"),
        "present_cost": way.present_cost,
        "recalled_or_stale_share": max(one.result.recalled_or_stale_share for one in way.options),
    }
