"""`tco batch`: many scenarios at once. Heavy modules are imported when it runs."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

import click

also_focus = click.option("--focus", is_flag=True, help="Also NAME.focus.csv, the plan in the shape of FOCUS bills.")
FORMATS = ("xlsx", "html", "json", "csv")
SUFFIXES = {**{name: name for name in FORMATS}, "focus": "focus.csv", "opencost": "opencost.csv"}
"""What `--only` knows, and how the files end."""


def formats_of(only: str, *, focus: bool = False) -> tuple[str, ...]:
    """The endings of the outputs named by `--only`, with those of `--focus`."""
    asked = [part.strip() for part in only.split(",") if part.strip()]
    more = ["focus"] if focus and asked else list[str]()
    names = tuple(dict.fromkeys([*asked, *more]))
    unknown = [name for name in names if name not in SUFFIXES]
    if unknown or not names:
        told = f"`{unknown[0] if unknown else only}` is not one of {', '.join(SUFFIXES)}"
        raise click.BadParameter(told, param_hint="--only")
    return tuple(SUFFIXES[name] for name in names)


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("reports/batch"), show_default=True,
    help="Folder for the outputs, which remembers what is done.",
)  # fmt: skip
@click.option("--table", type=click.Path(path_type=Path), help="Cases in .csv or .xlsx: each row on the one scenario.")
@click.option("--only", default="xlsx,html,json", show_default=True, help="Which outputs: also csv, focus, opencost.")
@also_focus
@click.option("--jobs", type=click.IntRange(1, 1024), help="Processes; one a core if not given.")
@click.option("--cluster", metavar="ADDRESS", help="Workers of a Dask cluster instead, such as tcp://10.0.0.5:8786.")
@click.option("--resume/--fresh", default=True, show_default=True, help="Skip what is done and true, or begin anew.")
@click.option("--force", is_flag=True, help="Overwrite workbooks that were edited since tco wrote them.")
@click.pass_context
def batch(
    context: click.Context,
    paths: tuple[Path, ...],
    out: Path,
    table: Path | None,
    only: str,
    focus: bool,
    jobs: int | None,
    cluster: str | None,
    resume: bool,
    force: bool,
) -> None:
    """Compute many scenarios on all cores: their files, one table, a summary, an index page.

    A path is a scenario file, a folder with its folders, or a pattern in quotes. After a failing scenario the others
    go on. A batch that was stopped goes on where it was when the same command is given again. With --table, each row
    of a spreadsheet is a scenario: its columns are places of the one file, such as `electricity.price [USD/kWh]`.

    \b
    Example:  tco batch plans "more/*/*.yaml" --out reports/plans --only xlsx,json
              tco batch mine.yaml --table cases.xlsx
    """
    from tco.batch.job import Wanted, batch

    gc.enable()  # tco.__main__ turns it off for commands that end soon
    if table and len(paths) != 1:
        raise click.UsageError("--table varies one scenario; name one file")
    if jobs and cluster:
        raise click.UsageError("--jobs counts processes of this machine; a cluster has its own workers")
    debug = context.find_root().params["debug"]
    wanted = Wanted(
        formats_of(only, focus=focus), jobs, cluster, force=force, fresh=not resume, debug=debug, table=table
    )
    sys.exit(batch(paths, out, wanted))
