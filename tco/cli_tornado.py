"""`tco tornado`: what moves each fleet, and what would change the recommendation. Heavy modules wait until it runs."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--fleet", help="Only the drivers of this fleet.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
def tornado(file: Path, fleet: str | None, as_json: bool) -> None:
    """Show what moves the unit cost of every fleet, and at which value of each number another one is recommended.

    A number moves between the ends of its range, else a tenth to both sides; the table says which.

    \b
    Example:  tco tornado mine.yaml --fleet hgx-h200
    """
    from tco.decisions.confirm import confirmed
    from tco.decisions.tornado import json_of, text_of
    from tco.errors import did_you_mean
    from tco.session import load

    scenario = load(file)
    result = scenario.run()
    if fleet is not None and fleet not in result.by_id:
        raise click.BadParameter(f"there is no `{fleet}`{did_you_mean(fleet, result.by_id)}", param_hint="--fleet")
    found = confirmed(scenario, result)
    click.echo(json_of(result, found, fleet) if as_json else text_of(result, found, fleet))
