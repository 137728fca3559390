"""`tco mix`: the cheapest fleets together. Heavy modules are imported when it runs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from tco.mix.found import Mixed


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--write", type=click.Path(path_type=Path), help="Write the plan as a scenario that `tco run` takes.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
@click.option("--out", type=click.Path(path_type=Path), help="Write the plan into this .xlsx, too.")
@click.option("--html", type=click.Path(path_type=Path), help="Write the plan as a page into this .html, too.")
@click.option("--worth/--no-worth", default=True, help="Say what each limit costs (solves again).", show_default=True)
@click.option(
    "--time-limit",
    type=click.FloatRange(0.1, 86400),
    default=60.0,
    show_default=True,
    help="Seconds for each solution.",
)
@click.option("--force", is_flag=True, help="Overwrite files.")
def mix(
    file: Path, write: Path | None, as_json: bool, out: Path | None, html: Path | None, worth: bool, time_limit: float,
    force: bool,
) -> None:  # fmt: skip
    """Find the cheapest mix of a scenario's fleets: systems by year, and who serves which requests.

    The plan keeps the limits of `mix:` and `site:`, and is run through the engine before it is told.

    \b
    Example:  tco mix mine.yaml --write plan.yaml
    """
    _check_outputs(write, out, html, force=force)
    from tco.mix import plan
    from tco.mix.as_json import json_of
    from tco.mix.words import text_of
    from tco.session import load

    found = plan(load(file), seconds=time_limit, worth=worth)
    _write(found, write, out, html)
    click.echo(json_of(found) if as_json else text_of(found), nl=not as_json)


def _check_outputs(write: Path | None, out: Path | None, html: Path | None, *, force: bool) -> None:
    """Before anything is computed: names that fit, and nothing that would be overwritten."""
    from tco.errors import OutputError

    for path, ending, option in ((out, ".xlsx", "--out"), (html, ".html", "--html")):
        if path and path.suffix.lower() != ending:
            raise click.BadParameter(f"`{path}` does not end in {ending}", param_hint=option)
    for path in (write, out, html):
        if path and os.path.lexists(path) and not force:
            raise OutputError(f"{path}: exists already; choose another name, or overwrite it with --force")


def _write(found: Mixed, write: Path | None, out: Path | None, html: Path | None) -> None:
    """All files, each whole or not at all."""
    from tco.files import write_atomically

    made: list[tuple[Path, bytes]] = []
    if out:
        from tco.workbook.mix import build

        made.append((out, build(found)))
    if html:
        from tco.report.mix import render

        made.append((html, render(found).encode()))
    if write:
        made.append((write, found.plan.text_for(write).encode()))
    for path, content in made:
        write_atomically(path, content)
