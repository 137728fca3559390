"""`tco run`: each scenario's outputs, and one table over all, in this process and one after the other."""

from __future__ import annotations

import shutil
import tempfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import click

from tco.batch.count import Count
from tco.batch.executor import Raised, Serial
from tco.batch.outputs import refuse_changed, write_contents
from tco.batch.paths import Found, check_names, in_folders
from tco.batch.task import Done, Task, computed
from tco.errors import OutputError, TcoError
from tco.files import beside
from tco.scenario.reading import bytes_of

TABLE = "results.csv"
IN_MEMORY = 2**25
"""A table that is larger waits on disk."""


def run_all(
    paths: Sequence[Path], out: Path, formats: Sequence[str], *, frozen: bool, require_fit: bool, force: bool
) -> int:
    """Run every scenario and return the exit code; a failing one does not stop the others."""
    found = in_folders(paths)
    many, count = len(found) > 1, Count()
    check_names(found, out, [TABLE] if many else [])
    tasks = (_task(one, out, formats, many=many, frozen=frozen, force=force) for one in found)
    with tempfile.SpooledTemporaryFile(IN_MEMORY) as table:
        for answer in Serial().run(computed, tasks):
            if isinstance(answer, Raised):
                assert answer.error
                raise answer.error
            if _taken(answer, out, count, force=force) and many:
                table.write(zlib.decompress(answer.rows))
        if many and count.done:
            write_table(table, out / TABLE)
            click.echo(f"{count.done} of {len(found)} scenarios done; all lines in {out / TABLE}")
    return count.code(require_fit=require_fit)


def _task(found: Found, out: Path, formats: Sequence[str], *, many: bool, frozen: bool, force: bool) -> Task:
    file, earlier = str(found.file), out / f"{found.name}.json" if frozen else None
    try:
        raw = bytes_of(file)
        refuse_changed(out, found.name, formats, force=force)
    except TcoError as error:
        return Task(found.name, file, b"", (), problem=str(error), unwritten=isinstance(error, OutputError))
    return Task(found.name, file, raw, tuple(formats), "line" if many else "comparison", rows=many, frozen=earlier)


def _taken(done: Done, out: Path, count: Count, *, force: bool) -> bool:
    problem, unwritten = done.problem, done.unwritten
    if not problem:
        try:
            write_contents(done.contents, out, done.name, force=force)
        except OutputError as error:
            problem, unwritten = str(error), True
    if problem:
        count.failed += 1
        count.unwritten += unwritten
        click.echo(problem, err=True)
        return False
    count.done += 1
    count.unfit += not done.fits
    click.echo(done.told)
    return True


def write_table(rows: IO[bytes], path: Path) -> None:
    """The long table over all scenarios: header, then the rows as they come. Raises OutputError."""
    from tco.export import COLUMNS

    rows.seek(0)
    with beside(path) as file:
        file.write((",".join(COLUMNS) + "\n").encode())
        shutil.copyfileobj(rows, file)
