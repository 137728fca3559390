"""`tco batch`: many scenarios on many workers, resumed where it was stopped, with tables over all of them."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click

from tco.batch.count import Count
from tco.batch.executor import Executor, Raised, Serial
from tco.batch.identity import key_of, references
from tco.batch.ledger import Entry, Ledger
from tco.batch.lock import locked
from tco.batch.outputs import refuse_changed, write_contents
from tco.batch.paths import Found, check_names, in_trees
from tco.batch.progress import Progress
from tco.batch.tables import CSV, INDEX, SUMMARY, TABLES, write_all
from tco.batch.task import Done, Task, computed
from tco.errors import OutputError, ScenarioError

HOPELESS = {errno.ENOSPC, errno.EROFS, errno.EIO, getattr(errno, "EDQUOT", errno.ENOSPC)}
"""Errors of one output that every other output would meet as well."""


@dataclass(frozen=True)
class Wanted:
    """What a batch was asked for."""

    formats: tuple[str, ...]
    jobs: int | None = None
    cluster: str | None = None
    force: bool = False
    fresh: bool = False
    debug: bool = False
    table: Path | None = None


def batch(paths: Sequence[Path], out: Path, wanted: Wanted) -> int:
    """Compute what is not done yet, write the tables over all, and return the exit code."""
    found, count = scenarios(paths, out, wanted.table), Count()
    check_names(found, out, TABLES)
    with (
        locked(out),
        contextlib.closing(Ledger(out, fresh=wanted.fresh)) as ledger,
        contextlib.closing(executor(wanted, len(found))) as workers,
    ):
        with contextlib.closing(Progress(len(found), count)) as progress:
            Job(out, wanted, ledger, count, progress).compute(found, workers)
        unwritten, missing = write_all(out, ledger, [one.name for one in found])
        _tell(out, ledger, found, count)
    for told in (*unwritten, *missing):
        click.echo(told, err=True)
    return 4 if unwritten else count.code()


def scenarios(paths: Sequence[Path], out: Path, table: Path | None) -> Sequence[Found]:
    """The files below the paths, or the rows of a table on the one scenario. Raises ScenarioError."""
    if table is None:
        return in_trees(paths, out)
    from tco.batch.cases import of_table

    return of_table(paths[0], table)


def executor(wanted: Wanted, tasks: int) -> Executor:
    """Who computes: a cluster, this process if it is alone, else a process a core."""
    if wanted.cluster:
        from tco.batch.cluster import Cluster

        return Cluster(wanted.cluster)
    jobs = min(wanted.jobs or cores(), max(tasks, 1))
    if jobs == 1:
        return Serial()
    from tco.batch.processes import Processes

    return Processes(jobs)


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass
class Job:
    """Tasks out, answers in, in the order of the scenarios."""

    out: Path
    wanted: Wanted
    ledger: Ledger
    count: Count
    progress: Progress
    _under_way: deque[tuple[Found, str]] = field(default_factory=deque[tuple[Found, str]])

    def compute(self, found: Sequence[Found], workers: Executor) -> None:
        """Settle every scenario. Raises OutputError where going on is hopeless."""
        for answer in workers.run(computed, self._tasks(found)):
            one, key = self._under_way.popleft()
            try:
                self._settle(one, key, answer)
            except OutputError as error:
                told = f"stopped at {self.count.reached} of {len(found)} scenarios; nothing that is done is lost"
                raise OutputError(f"{error}\n{told}: remedy this and give the same command again") from error
            self.progress.step()

    def _tasks(self, found: Sequence[Found]) -> Iterator[Task]:
        """What is not done and true; a file is read when its turn comes."""
        for one in found:
            task, key = self._task(one)
            if task is None:
                self.count.before += 1
                self.progress.step()
                continue
            self._under_way.append((one, key))
            yield task

    def _task(self, found: Found) -> tuple[Task | None, str]:
        file, formats, key = str(found.file), self.wanted.formats, ""
        label = found.label
        try:
            raw = found.read()
            beside = references(raw, file)
            key = key_of(raw, beside)
            if self.ledger.holds(found.name, key, formats):
                return None, key
            refuse_changed(self.out, found.name, formats, force=self.wanted.force)
        except ScenarioError as error:
            return Task(found.name, label, b"", (), problem=str(error)), key
        except OutputError as error:
            return Task(found.name, label, b"", (), problem=str(error), unwritten=True), key
        place = os.path.abspath(file) if beside and self.wanted.cluster else "" if label == file else file
        return Task(found.name, label, raw, formats, beside=beside, place=place), key

    def _settle(self, found: Found, key: str, answer: Done | Raised) -> None:
        """Write it, enter it, tell what failed. Raises OutputError where every other output would fail as well."""
        done = self._failure(found, answer) if isinstance(answer, Raised) else answer
        if not done.problem:
            done = self._written(done)
        if done.problem:
            self.ledger.enter(Entry(found.name, found.label, key, problem=done.problem))
            self.count.failed += 1
            self.count.unwritten += done.unwritten
            self.progress.say(done.problem)
            return
        digests = {suffix: hashlib.sha256(content).hexdigest() for suffix, content in done.contents.items()}
        outputs = {**self.ledger.kept(found.name, key), **digests}
        self.ledger.enter(Entry(found.name, found.label, key, outputs, done.row), done.rows)
        self.count.done += 1

    def _written(self, done: Done) -> Done:
        try:
            write_contents(done.contents, self.out, done.name, force=self.wanted.force)
        except OutputError as error:
            if getattr(error.__cause__, "errno", None) in HOPELESS:
                raise
            return Done(done.name, problem=str(error), unwritten=True)
        return done

    def _failure(self, found: Found, raised: Raised) -> Done:
        if self.wanted.debug:
            self.progress.say(raised.trace)
        told = raised.told if raised.died else f"a mistake in tco itself, not in your file ({raised.told})"
        return Done(found.name, problem=f"{found.label}: {told}")


def _tell(out: Path, ledger: Ledger, found: Sequence[Found], count: Count) -> None:
    """The end of a batch, in which no failure is hidden."""
    entries = ledger.entries(one.name for one in found)
    without = sum(not entry.problem and entry.row["recommended"] is None for entry in entries)
    parts = [f"{count.done + count.before} of {len(found)} scenarios done"]
    parts += [f"{count.before} of them before"] if count.before else []
    parts += [f"{without} in which no fleet can do the work"] if without else []
    parts += [f"{count.failed} failed"] if count.failed else []
    click.echo("; ".join(parts))
    click.echo(f"begin with {out / INDEX}; one row a scenario in {out / SUMMARY}, all lines in {out / CSV}")
