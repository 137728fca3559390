"""A portfolio's outputs: its own under its name, those of each workload's run in a folder of that name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from tco.batch import write_contents, write_outputs
from tco.portfolio.console import comparison
from tco.portfolio.export import to_csv, to_json
from tco.portfolio.run import opened
from tco.portfolio.state import PortfolioResult
from tco.result import Result
from tco.scenario.reading import Document


@dataclass(frozen=True)
class Runs:
    """Each workload's result under the name of its file, and whether every way does the work."""

    results: list[tuple[str, Result]]
    fit: bool


def run_and_write(document: Document, out: Path, formats: Sequence[str], *, force: bool) -> Runs:
    """Run, write and print. Raises ScenarioError and OutputError."""
    name = Path(document.file).stem
    result = opened(document).run()
    write_contents(contents(result, name, formats), out, name, force=force)
    for work, one in result.single.items():
        write_outputs(one, out / name, work, formats, force=force)
    click.echo(comparison(result))
    found = [(f"{name}/{work}", one) for work, one in result.single.items()]
    return Runs(found, all(way.verdict == "ok" for way in result.ways))


def contents(result: PortfolioResult, name: str, formats: Sequence[str]) -> dict[str, bytes]:
    """The asked outputs by suffix."""
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
