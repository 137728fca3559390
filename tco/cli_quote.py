"""`tco quote`: the part of the command line that takes over offers of suppliers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

FIELDS = ("supplier", "number", "date", "valid_until", "currency", "fleet", "systems", "lead_time", "warranty",
          "incoterm", "terms")  # fmt: skip


@click.group()
def quote() -> None:
    """Take over offers of suppliers."""


def _fields(command: Any) -> Any:
    """One option a field of the offer."""
    for name in reversed(FIELDS):
        told = f"{name.replace('_', ' ').capitalize()} of the offer, where the file does not say."
        command = click.option(f"--{name.replace('_', '-')}", name, help=told)(command)
    return command


@quote.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--map", "mapped", multiple=True, metavar="FIELD=HEAD|FILE", help="Column by its head, or a YAML file.")
@click.option("--carries", multiple=True, metavar="TEXT=KIND", help="Which price lines with this text (or cell) carry.")
@click.option("--term", multiple=True, metavar="TEXT=TIME", help="For how long such a line is paid: `Support=3 yr`.")
@click.option("--sheet", help="Sheet of the workbook.")
@click.option("--header", type=int, help="Row of the heads.")
@click.option("--decimal", type=click.Choice([".", ","]), help="Decimal mark, where the file leaves it open.")
@click.option("--date-order", type=click.Choice(["dmy", "mdy"]), help="Order of days such as 03/04/2026.")
@click.option("--hidden", type=click.Choice(["read", "skip"]), help="Hidden rows; refused if left out.")
@click.option("--keep-duplicates", is_flag=True, default=None, help="A part number may stand twice.")
@click.option("--encoding", help="Encoding of a CSV file.")
@click.option("--delimiter", help="What parts the columns of a CSV file.")
@click.option("--write", "scenario", type=click.Path(path_type=Path), help="Add the offer to this scenario.")
@_fields
def import_quote(file: Path, mapped: tuple[str, ...], scenario: Path | None, **given: Any) -> None:
    """Print a supplier's quote (xlsx, csv) as `quotes:` of a scenario, or add it to one; every doubt is named.

    \b
    Example:  tco quote import offer.xlsx --supplier Nordrack --fleet own --write mine.yaml
    """
    from tco.importing.quotes import add_offer, offer_from_file
    from tco.importing.quotes.asking import asked

    offer = offer_from_file(file, asked(mapped, given, FIELDS))
    for note in offer.notes:
        click.echo(f"{file.name}: {note}", err=True)
    if scenario is None:
        click.echo(offer.yaml, nl=False)
        return
    from tco.files import write_atomically
    from tco.importing.quotes.writing import fits
    from tco.scenario.reading import read

    text = add_offer(read(scenario), offer)
    for note in fits(text, str(scenario), offer):
        click.echo(f"{file.name}: {note}", err=True)
    write_atomically(scenario, text.encode("utf-8"))
    told = (
        f"offer {offer.fields['number']} added, {offer.net} {offer.currency} net; award it under `quotes: {{award: …}}`"
    )
    click.echo(f"{scenario}: {told}")
