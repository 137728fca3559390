"""`tco request`: the purchase-request pack. Heavy modules are imported when it runs."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("file", metavar="SCENARIO", type=click.Path(path_type=Path))
@click.option("--fleet", metavar="ID", help="The fleet that is asked for; the recommended one if not given.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("reports/request"),
    show_default=True,
    help="Folder for the pack.",
)
@click.option("--pdf", is_flag=True, help="Cover and report as PDF, too; needs WeasyPrint (`tco-engine[pdf]`).")
@click.option("--force", is_flag=True, help="Overwrite files that were changed since tco wrote them.")
def request(file: Path, fleet: str | None, out: Path, pdf: bool, force: bool) -> None:
    """Write what is attached to a purchase request: a cover of one page, report, workbook, quotes, scenario.

    The cover holds amount, budget, alternatives, rules and signatures, and the digests of the other files. All files
    appear or none. What is not met is told and is no failure: the exit code is 0.

    \b
    Example:  tco request mine.yaml --fleet hgx-h200 --out reports/request
    """
    from tco.request.pack import build, write
    from tco.request.pdf import printer
    from tco.request.rules import findings
    from tco.session import load

    printed = printer() if pdf else None
    name = file.stem
    pack = build(load(file), name, fleet, printed)
    write(out, pack, name, force=force)
    asked = pack.asked
    click.echo(f"{asked.fleet.id}: {asked.shown(asked.amount.value)}")
    click.echo(asked.amount.called)
    click.echo(pack.status)
    for one in findings(asked):
        if one.state != "met":
            click.echo(f"  {one.rule}, {one.state}: {one.text}")
    click.echo(f"{len(pack.contents)} files in {out}; begin with {out / f'{name}-request.html'}")
