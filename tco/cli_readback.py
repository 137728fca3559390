"""`tco readback`: the part of the command line that takes an edited workbook back."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from tco.readback import Readback

STATUSES = ("estimate", "quote", "list", "street")


@click.command()
@click.argument("workbook", type=click.Path(path_type=Path))
@click.option(
    "--scenario", type=click.Path(path_type=Path), help="The scenario's file; else the one on Log, or beside."
)
@click.option("--write", "target", type=click.Path(path_type=Path), help="Write the changed scenario to this file.")
@click.option("--source", default="", help="Where the new values come from; every number has a source.")
@click.option("--status", type=click.Choice(STATUSES), default="estimate", show_default=True, help="What they are.")
@click.option("--force", is_flag=True, help="Overwrite a file that is not the scenario as issued.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def readback(
    workbook: Path, scenario: Path | None, target: Path | None, source: str, status: str, force: bool, as_json: bool
) -> None:
    """Take an edited workbook back: changed inputs, altered formulas, the effect; write the changed scenario.

    Exit code 1 when a formula was altered or an input cannot be used.

    \b
    Example:  tco readback reports/mine.xlsx --write mine2.yaml --source "quote 4711, Example GmbH"
    """
    from tco.readback import readback as read
    from tco.readback import told, write_scenario

    found = read(workbook, scenario)
    if not as_json:
        click.echo(told.text(found))
    if target is not None:
        source = " ".join((source.strip() or ("" if as_json else _asked(found))).split())
        write_scenario(found, target, source, status, force=force)
    if as_json:
        click.echo(told.as_json(found, str(target or "")))
    elif target is not None:
        click.echo(f"\n{target}: written, with {len(found.taken)} changed values; next: tco run {target}")
    sys.exit(0 if found.good else 1)


def _asked(found: Readback) -> str:
    """The source, from whoever sits at the terminal; empty where nobody does or nobody need."""
    needed = [change for change in found.taken if not change.source]
    if not needed or not found.writable or not sys.stdin.isatty():
        return ""
    return click.prompt(f"\nSource of {len(needed)} new value{'s' if len(needed) > 1 else ''}", type=str)
