"""`tco diff`: two scenarios compared. Heavy modules are imported when it runs."""

from __future__ import annotations

import os
from pathlib import Path

import click


@click.command()
@click.argument("old", metavar="A", type=click.Path(path_type=Path))
@click.argument("new", metavar="B", type=click.Path(path_type=Path))
@click.option("--line", help="Bridge this line instead of the headline.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
@click.option("--out", type=click.Path(path_type=Path), help="Write the bridges with charts into this .xlsx, too.")
@click.option("--force", is_flag=True, help="Overwrite the file of --out.")
def diff(old: Path, new: Path, line: str | None, as_json: bool, out: Path | None, force: bool) -> None:
    """Show what changed from A to B, and how much each change moved the headline.

    A and B are scenarios, workbooks of tco, or result JSONs beside their scenario. Exit code 0 with changes or without.

    \b
    Example:  tco diff mine.yaml cheaper.yaml --out why.xlsx
    """
    from tco.errors import OutputError
    from tco.files import write_atomically

    if out and out.suffix.lower() != ".xlsx":
        raise click.BadParameter(f"`{out}` does not end in .xlsx", param_hint="--out")
    if out and os.path.lexists(out) and not force:
        raise OutputError(f"{out}: exists already; choose another name, or overwrite it with --force")
    from tco import diff as diffing
    from tco.diff.as_json import json_of
    from tco.diff.words import text_of

    found = diffing.diff(old, new, line)
    if out:
        from tco.workbook.difference import build

        write_atomically(out, build(found))
    click.echo(json_of(found) if as_json else text_of(found), nl=not as_json)
