"""`tco simulate`: what a scenario could cost. Heavy modules are imported when it runs."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Generator
from pathlib import Path

import click

FORMATS = ("xlsx", "html", "json")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--samples", type=click.IntRange(64, 16_777_216), help="Draws; rounded up to a power of two.")
@click.option("--seed", type=click.IntRange(0, 4_294_967_295), help="Instead of the scenario's `analysis.seed`.")
@click.option("--jobs", type=click.IntRange(1, 256), help="Workers; the digits do not depend on them.")
@click.option("--out", type=click.Path(path_type=Path), help="Write workbook, report and JSON with the result here.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
@click.option("--force", is_flag=True, help="Overwrite a workbook that was edited since tco wrote it.")
def simulate(
    file: Path, samples: int | None, seed: int | None, jobs: int | None, out: Path | None, as_json: bool, force: bool
) -> None:
    """Draw the ranges of a scenario: percentiles of each fleet, which is cheapest how often, and what moves it.

    A range is `25000 to 35000 USD`, which 90 % of the draws lie in; docs/uncertainty.md tells the other forms.

    \b
    Example:  tco simulate mine.yaml --samples 100000
    """
    import json

    from tco.parallel import workers
    from tco.session import load
    from tco.uncertainty.as_json import plain
    from tco.uncertainty.simulate import simulate as simulated
    from tco.uncertainty.words import text_of

    scenario = load(file)
    result = scenario.run()
    with _progress() as tell:
        found = simulated(scenario, result, samples=samples, seed=seed, jobs=workers(jobs), tell=tell)
    result.uncertainty = found
    if out:
        from tco.batch import write_outputs

        write_outputs(result, out, file.stem, FORMATS, force=force)
    if as_json:
        from tco.export import line_units

        click.echo(json.dumps(plain(found, line_units(result)), indent=1))
        return
    click.echo(text_of(result, found))
    if out:
        click.echo(f"\nwritten: {', '.join(str(out / f'{file.stem}.{suffix}') for suffix in FORMATS)}")


@contextlib.contextmanager
def _progress() -> Generator[Callable[[int, int], None] | None]:
    """A bar on the error stream, where that is a terminal; gone from the line when it ends, however it ends."""
    if not sys.stderr.isatty():
        yield None
        return
    with click.progressbar(length=1000, label="drawing", file=sys.stderr) as bar:

        def tell(done: int, whole: int) -> None:
            bar.update(max(1000 * done // whole - bar.pos, 0))

        yield tell
