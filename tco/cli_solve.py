"""`tco solve`: goal seek on any input and any line. Heavy modules are imported when it runs."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--change", required=True, metavar="PATH", help="The input that moves, such as `electricity.price`.")
@click.option("--until", required=True, metavar="WISH", help="What is to hold; see below.")
@click.option(
    "--between", nargs=2, metavar="A B", help="The ends; a tenth of today's number and ten times it if left out."
)
@click.option("--frozen", is_flag=True, help="Keep the deployments as they are chosen today.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
def solve(file: Path, change: str, until: str, between: tuple[str, str] | None, frozen: bool, as_json: bool) -> None:
    """Find the values of one input at which something begins or ceases to hold.

    WISH is `LINE[FLEET] = VALUE` (or `<=`, `>=`), `LINE[FLEET] = LINE[FLEET]`, or `cheapest = FLEET`; LINE is the unit
    cost where it is left out. Every place is told, steps of whole units too, and checked by runs of the scenario.

    \b
    Example:  tco solve mine.yaml --change electricity.price --until "[hgx-h200] = [api]"
              tco solve mine.yaml --change workload.requests --until "cheapest = hgx-h200" \\
                  --between "0.1 Mrequest/month" "50 Mrequest/month"
    """
    from tco.decisions.refused import Refused
    from tco.decisions.solve import Asked
    from tco.decisions.solve import solve as solved
    from tco.decisions.told import json_of, text_of
    from tco.session import load

    scenario = load(file)
    result = scenario.run()
    try:
        found = solved(scenario, Asked(change, until, between or (), frozen), result)
    except Refused as refused:
        raise click.BadParameter(str(refused), param_hint=f"--{refused.part}") from None
    click.echo(json_of(found) if as_json else text_of(found, result))
