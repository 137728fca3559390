"""`tco sweep`: one scenario in many variants. Heavy modules are imported when it runs."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from tco.sweep.run import Sweep

FORMATS = ("csv", "parquet", "xlsx", "html")
INTERRUPTED = 130


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--axis", "axes", multiple=True, metavar='"PLACE = VALUES"', help="A place and its values; several make a grid."
)
@click.option("--table", type=click.Path(path_type=Path), help="Cases in .csv or .xlsx: a row each, a column a place.")
@click.option("--line", "lines", multiple=True, help="A line to tell beside the headline; may be given several times.")
@click.option("--fleet", "fleets", multiple=True, help="Only this fleet; may be given several times.")
@click.option(
    "--choices",
    type=click.Choice(("stale", "search", "keep")),
    default="stale",
    show_default=True,
    help="When a deployment is searched anew: if speed or fit changed, always, never.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("reports"), show_default=True, help="Folder for the outputs."
)
@click.option("--only", default="csv", show_default=True, help=f"What to write: {', '.join(FORMATS)}.")
@click.option("--jobs", type=click.IntRange(1, 256), help="Workers of a long sweep; the digits do not depend on them.")
@click.option("--force", is_flag=True, help="Overwrite an .xlsx that is there.")
def sweep(
    file: Path,
    axes: tuple[str, ...],
    table: Path | None,
    lines: tuple[str, ...],
    fleets: tuple[str, ...],
    choices: str,
    out: Path,
    only: str,
    jobs: int | None,
    force: bool,
) -> None:
    """Compute a scenario in many variants, into one table. Without --axis or --table: the sweeps of the file.

    \b
    Example:  tco sweep mine.yaml --axis "electricity.price = 0.05 .. 0.30 USD/kWh in 26 steps"
                --axis "fleets.own.buy.system = hgx-h200-srv, mi300x-srv"
    """
    from tco.parallel import workers
    from tco.sweep.console import told
    from tco.sweep.drive import write
    from tco.sweep.stated import sweeps
    from tco.sweep.writers import partial

    formats = tuple(part.strip() for part in only.split(",") if part.strip())
    unknown = [part for part in formats if part not in FORMATS]
    if unknown or not formats:
        raise click.BadParameter(
            f"`{unknown[0] if unknown else only}` is not one of {', '.join(FORMATS)}", param_hint="--only"
        )
    if axes and table:
        raise click.UsageError("--axis and --table exclude each other: a table holds its own combinations")
    for name, one in sweeps(file, axes, table, lines, fleets, choices):
        written = [out / f"{name}.{kind}" for kind in formats]
        if "html" in formats:
            _check_page(one, out / f"{name}.html")
        try:
            tally = write(one, out, name, formats, force=force, jobs=workers(jobs))
            if "html" in formats:
                _page(one, out / f"{name}.html", workers(jobs))
        except KeyboardInterrupt:
            there = [str(partial(path)) for path in written if os.path.exists(partial(path))]
            click.echo(f"stopped; what was computed is in {', '.join(there) or 'no file'}", err=True)
            sys.exit(INTERRUPTED)
        click.echo(told(tally))
        click.echo(f"\nwritten: {', '.join(map(str, written))}")


def _check_page(one: Sweep, path: Path) -> None:
    """Raises OutputError for a sweep without axes, or with more variants than a page holds."""
    from tco.errors import OutputError
    from tco.sweep.asked import Grid
    from tco.sweep.outcome import MOST_TOLD

    if not isinstance(one.asked, Grid):
        raise OutputError(f"{path}: a page draws axes, and a table of cases has none; write csv, parquet or xlsx")
    if one.asked.count > MOST_TOLD:
        raise OutputError(f"{path}: a page holds {MOST_TOLD:,} variants, and {one.asked.count:,} are asked for")


def _page(one: Sweep, path: Path, jobs: int) -> None:
    from tco.files import write_atomically
    from tco.report.sweep_page import render
    from tco.sweep.outcome import outcome

    write_atomically(path, render(outcome(one, jobs), one.base.run()).encode())
