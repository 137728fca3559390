"""`tco catalogue import`: the part of the command line that takes over files of others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click


@click.group("import")
def imports() -> None:
    """Take over files of others: models, measurements, request traces, power logs. Nothing asks the network."""


@imports.command("model")
@click.argument("config", type=click.Path(path_type=Path))
@click.option("--id", "identity", help="The entry's id; by default from the file.")
@click.option("--into", type=click.Path(path_type=Path), default=Path("catalogue"), show_default=True, help="Folder.")
def import_model(config: Path, identity: str | None, into: Path) -> None:
    """Make a catalogue entry of a Hugging Face config.json; a scenario uses it with `catalogue: FOLDER`.

    \b
    Example:  tco catalogue import model config.json --id my-model
    """
    from tco.importing import model_from_config, write_entry

    rows = model_from_config(config, identity)
    click.echo(f"{write_entry(rows, into)}: holds {rows[0].id}; use it with `catalogue: {into}` in the scenario")


@imports.command("measured")
@click.argument("form", type=click.Choice(["vllm", "inferencex", "aiconfigurator", "mlperf"]))
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--where", multiple=True, metavar="COLUMN=VALUE", help="Pick one row; may be repeated.")
@click.option("--precision", help="The precision it ran at, where the file does not say.")
@click.option("--gpus-per-system", type=int, help="GPUs in the system that the fleet buys.")
@click.option("--input", "lengths_in", type=float, help="Input tokens a request (mlperf).")
@click.option("--output", "lengths_out", type=float, help="Output tokens a request (mlperf).")
@click.option("--concurrency", type=float, help="Requests in flight (mlperf).")
def import_measured(form: str, file: Path, where: tuple[str, ...], precision: str | None, **given: Any) -> None:
    """Print the `measured:` of a fleet from a benchmark's result.

    \b
    Example:  tco catalogue import measured vllm bench.json --precision fp8
    """
    from tco.importing.choose import measured

    click.echo(measured(form, file, where, precision, given).yaml, nl=False)


@imports.command("trace")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--classes", type=click.IntRange(1, 12), default=4, show_default=True, help="Classes of requests.")
@click.option("--profile", type=click.Choice(["24", "168"]), default="24", show_default=True, help="Hours.")
@click.option("--time-unit", help="Unit of the arrival column, where the file does not say.")
def import_trace(file: Path, classes: int, profile: str, time_unit: str | None) -> None:
    """Print the `workload:` of a log of requests (arrival, input tokens, output tokens).

    \b
    Example:  tco catalogue import trace requests.csv --classes 3
    """
    from tco.importing import workload_from_trace

    click.echo(workload_from_trace(file, classes=classes, profile=int(profile), time_unit=time_unit).yaml, nl=False)


@imports.command("power")
@click.argument("file", type=click.Path(path_type=Path))
def import_power(file: Path) -> None:
    """Print the idle and busy power of a GPU power log, to paste under a fleet's `inputs:`.

    \b
    Example:  tco catalogue import power power.csv
    """
    from tco.importing import power_from_log

    click.echo(power_from_log(file).yaml, nl=False)
