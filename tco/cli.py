"""The command line: parse, call, print. Heavy modules are imported by the command that needs them."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import Any, NoReturn

import click

from tco.cli_batch import FORMATS, also_focus, batch, formats_of
from tco.cli_diff import diff
from tco.cli_import import imports
from tco.cli_mix import mix
from tco.cli_quote import quote
from tco.cli_readback import readback
from tco.cli_request import request
from tco.cli_simulate import simulate
from tco.cli_solve import solve
from tco.cli_sweep import sweep
from tco.cli_tornado import tornado

DONE, WRONG, USAGE, SOME_FAILED, NOT_WRITTEN, INTERRUPTED = 0, 1, 2, 3, 4, 130
KINDS = ("inference", "training", "finetune")


class Commands(click.Group):
    """The group that turns errors into one sentence and an exit code."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; never show a traceback unless `--debug` asks for it."""
        from tco.errors import OutputError, TcoError

        try:
            try:
                return super().invoke(ctx)
            finally:
                if sys.stdout and not sys.stdout.closed:
                    sys.stdout.flush()
        except (click.exceptions.Exit, click.ClickException, click.Abort):
            raise
        except (Exception, KeyboardInterrupt) as error:
            if ctx.params.get("debug"):
                raise
            if isinstance(error, KeyboardInterrupt):
                stop("interrupted; files already written are whole", INTERRUPTED)
            if isinstance(error, BrokenPipeError):
                _leave_stdout()
                sys.exit(DONE)
            if isinstance(error, OSError):
                _leave_stdout()
                stop(f"the output cannot be written: {(error.strerror or str(error)).lower()}", NOT_WRITTEN)
            if isinstance(error, TcoError):
                stop(str(error), NOT_WRITTEN if isinstance(error, OutputError) else WRONG)
            told = f"{type(error).__name__}: {error}".splitlines()[0]
            stop(f"a mistake in tco itself, not in your file ({told}); `tco --debug …` shows where", WRONG)


def _leave_stdout() -> None:
    """Nobody reads any more: keep Python from flushing what is left when it ends."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.version_option(package_name="tco-engine", prog_name="tco")
def main(debug: bool) -> None:
    """What AI compute costs for each useful token or training step.

    \b
    Start:  tco new mine.yaml
            tco run mine.yaml
    """


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--kind", type=click.Choice(KINDS), default="inference", show_default=True, help="The work to start from."
)
def new(file: Path, kind: str) -> None:
    """Write a commented scenario to start from.

    \b
    Example:  tco new mine.yaml --kind training
    """
    from tco.console import starter
    from tco.errors import OutputError
    from tco.files import write_atomically

    if os.path.lexists(file):
        raise OutputError(f"{file}: exists already; choose another name or remove it")
    write_atomically(file, starter(kind))
    click.echo(f"{file}: written; next: tco run {file}")


@main.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
def check(files: tuple[Path, ...]) -> None:
    """List every problem of scenario files, each as file:line:column.

    \b
    Example:  tco check mine.yaml
    """
    from tco.errors import TcoError
    from tco.session import check_file

    failed = 0
    for file in files:
        try:
            check_file(file)
            click.echo(f"{file}: no problem found")
        except TcoError as error:
            failed += 1
            click.echo(str(error), err=True)
    sys.exit(DONE if not failed else (WRONG if failed == len(files) else SOME_FAILED))


@main.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("reports"), show_default=True, help="Folder for the outputs."
)
@click.option("--only", default=",".join(FORMATS), show_default=True, help="Which outputs: also focus, opencost.")
@also_focus
@click.option("--frozen", is_flag=True, help="Keep the choices of NAME.json in the output folder instead of searching.")
@click.option("--require-fit", is_flag=True, help="Exit 1 if a fleet cannot do the work.")
@click.option("--force", is_flag=True, help="Overwrite a workbook that was edited since tco wrote it.")
def run(
    paths: tuple[Path, ...], out: Path, only: str, focus: bool, frozen: bool, require_fit: bool, force: bool
) -> None:
    """Compute scenarios: a table, and a workbook, report, JSON and CSV for each.

    A path is a scenario file or a folder of them; after a failing one the others go on.

    \b
    Example:  tco run mine.yaml --out reports --only xlsx,json
    """
    from tco.batch.run import run_all

    formats = formats_of(only, focus=focus)
    sys.exit(run_all(paths, out, formats, frozen=frozen, require_fit=require_fit, force=force))


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("line", required=False)
@click.option("--fleet", help="Only this fleet.")
@click.option("--depth", type=click.IntRange(1, 99), default=3, show_default=True, help="How far down; 99 for all.")
def explain(file: Path, line: str | None, fleet: str | None, depth: int) -> None:
    """Show where a number comes from: value, formula in words, parents, sources. Without LINE: lines and defaults.

    \b
    Example:  tco explain mine.yaml electricity_cost --fleet hgx-h200
    """
    from tco.explain import explained, overview
    from tco.session import load

    result = load(file).run()
    click.echo(explained(result, line, fleet, depth) if line else overview(result, fleet))


@main.group()
def catalogue() -> None:
    """Show the data: parts, systems, models, offers, and their dates and sources."""


@catalogue.command("list")
@click.argument("kind", required=False)
@click.option("--tier", help="Only this tier.")
@click.option("--vendor", help="Only this vendor.")
def catalogue_list(kind: str | None, tier: str | None, vendor: str | None) -> None:
    """List the entries of a kind; without KIND, the kinds.

    \b
    Example:  tco catalogue list systems --tier platform
    """
    from tco.catalogue import tables
    from tco.console import table

    rows = tables.listing(kind, tier, vendor) if kind else tables.kinds()
    click.echo(table(rows) if rows else "nothing matches")


@catalogue.command("show")
@click.argument("kind")
@click.argument("identity", metavar="ID")
def catalogue_show(kind: str, identity: str) -> None:
    """Show every figure of an entry with unit, range, date, source and status.

    \b
    Example:  tco catalogue show accelerators h200-sxm
    """
    from tco.catalogue import card
    from tco.console import table

    click.echo(table(card(kind, identity)))


catalogue.add_command(imports)
main.add_command(batch)
main.add_command(quote)
main.add_command(diff)
main.add_command(sweep)
main.add_command(mix)


@main.command()
def schema() -> None:
    """Print the JSON Schema of a scenario file, for completion in an editor.

    \b
    Example:  tco schema > scenario.schema.json
    """
    import json

    from tco.scenario.json_schema import json_schema
    from tco.scenario.schema import Scenario

    click.echo(json.dumps(json_schema(Scenario), indent=1))


@main.command()
@click.argument("workbook", type=click.Path(path_type=Path))
def verify(workbook: Path) -> None:
    """Recompute a workbook's formulas and compare them with the stored values and the engine's.

    \b
    Example:  tco verify reports/mine.xlsx
    """
    from tco.workbook.verify import verified

    text, good = verified(workbook)
    click.echo(text)
    sys.exit(DONE if good else WRONG)


@main.command()
@click.argument("workbook", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="The copy; BOOK-shared.xlsx beside it if not given.")
@click.option(
    "--hide",
    type=click.Choice(("prices", "suppliers", "costs", "all", "nothing")),
    multiple=True,
    default=("prices", "suppliers"),
    show_default=True,
    help="What to withhold; may be given several times.",
)
@click.option(
    "--redact", multiple=True, metavar="NAME", help="A name to withhold wherever it stands, such as a firm's."
)
@click.option("--force", is_flag=True, help="Overwrite an earlier copy.")
def share(workbook: Path, out: Path | None, hide: tuple[str, ...], redact: tuple[str, ...], force: bool) -> None:
    """Write a copy of a workbook for outsiders: values instead of formulas, without prices and suppliers.

    \b
    Example:  tco share reports/mine.xlsx --hide prices --hide suppliers --redact "Example Ltd"
    """
    from tco.workbook.share import shared
    from tco.workbook.sharing import HIDES

    hidden = frozenset(HIDES) if "all" in hide else frozenset(hide) - {"nothing"}
    click.echo(shared(workbook, out, hidden, redact, force=force))


main.add_command(readback)
main.add_command(request)
main.add_command(simulate)
main.add_command(solve)
main.add_command(tornado)


def stop(message: str, code: int) -> NoReturn:
    """Say it on stderr and leave."""
    click.echo(message, err=True)
    sys.exit(code)


if __name__ == "__main__":
    main()
