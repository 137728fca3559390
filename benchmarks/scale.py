"""How far it carries: executors without work, long tables, a long ledger. `python -m benchmarks.scale` prints the rows
that docs/scale.md quotes; it takes some minutes and 2 GB of temporary files.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.machine import machine, table
from benchmarks.scenarios import THREE_FLEETS
from benchmarks.sweeps import HEADS
from tco.batch.executor import Executor, Serial
from tco.batch.processes import Processes

ROOT = Path(__file__).resolve().parents[1]
ANSWER = 460_000
"""Bytes of a workbook, a report and a JSON of three fleets, which travel back from the worker."""
TASKS, ROWS, ENTRIES, CASES = 2_000, (10_000, 100_000, 1_000_000), (1_000, 10_000), 60


def nothing(task: int) -> bytes:
    """A task without work, with the answer of one scenario."""
    return bytes(ANSWER)


@contextmanager
def dask(workers: int) -> Iterator[str]:
    """The address of a cluster over loopback."""
    import distributed

    local: Any = distributed.LocalCluster  # pyright: ignore
    with local(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster:
        yield str(cluster.scheduler_address)


def executors() -> Iterator[tuple[str, ...]]:
    """What a task costs beside its work."""
    yield _executor("this process", Serial)
    for jobs in (1, 2):
        yield _executor(f"{jobs} process{'es' if jobs > 1 else ''}", lambda jobs=jobs: Processes(jobs))
    from tco.batch.cluster import Cluster

    with dask(2) as address:
        yield _executor("Dask, 2 workers", lambda: Cluster(address))


def _executor(name: str, make: Callable[[], Executor]) -> tuple[str, ...]:
    start = time.monotonic()
    made = make()
    for _ in made.run(nothing, range(2)):
        pass
    ready = time.monotonic()
    for _ in made.run(nothing, range(TASKS)):
        pass
    took = time.monotonic() - ready
    made.close()
    return name, f"{ready - start:.2f} s", f"{1e3 * took / TASKS:.2f} ms"


def rows() -> Iterator[tuple[str, ...]]:
    """A table of cases on the quickstart with its twelve fleets, to Parquet."""
    random = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as name:
        for count in ROWS:
            file = Path(name, f"cases{count}.csv")
            drawn = [random.uniform(low, high, count) for _, low, high, _ in HEADS.values()]
            np.savetxt(file, np.column_stack(drawn), "%.4f", ",", header=",".join(HEADS), comments="")
            for jobs in (1, 2):
                command = [
                    "sweep",
                    "scenarios/quickstart.yaml",
                    "--table",
                    str(file),
                    "--out",
                    name,
                    "--only",
                    "parquet",
                ]
                cpu, wall, memory = _run([*command, "--jobs", str(jobs)])
                size = next(Path(name).glob("*.parquet")).stat().st_size
                each = f"{1e6 * cpu / count:.0f} us"
                yield (
                    f"{count:,}",
                    str(jobs),
                    f"{wall:.1f} s",
                    f"{cpu:.1f} s",
                    each,
                    f"{memory} MB",
                    f"{size / 1e6:.0f} MB",
                )


def batches() -> Iterator[tuple[str, ...]]:
    """Scenarios of three fleets with workbook, report and JSON, on two processes and on two workers of Dask."""
    with tempfile.TemporaryDirectory() as name, dask(2) as address:
        folder = Path(name, "in")
        folder.mkdir()
        for number in range(CASES):
            (folder / f"s{number}.yaml").write_text(THREE_FLEETS % (100_000 + 1_000 * number, 1_000, 0.1), "utf-8")
        for told, more in (("2 processes", ["--jobs", "2"]), ("Dask, 2 workers", ["--cluster", address])):
            _, wall, memory = _run(["batch", str(folder), "--out", f"{name}/{more[0]}", *more])
            yield told, f"{CASES}", f"{wall:.1f} s", f"{1e3 * wall / CASES:.0f} ms", f"{memory} MB"


def ledgers() -> Iterator[tuple[str, ...]]:
    """Entering a scenario that is done, and the tables over all: simulated with copies of one scenario's rows."""
    from tco.batch.ledger import Entry, Ledger
    from tco.batch.tables import write_all
    from tco.batch.task import Task, computed

    raw = (THREE_FLEETS % (100_000, 1_000, 0.1)).encode()
    done = computed(Task("one", "one.yaml", raw, ("json",)))
    for count in ENTRIES:
        with tempfile.TemporaryDirectory() as name:
            out = Path(name)
            ledger = Ledger(out, fresh=True)
            start = time.process_time()
            for number in range(count):
                ledger.enter(Entry(f"s{number}", f"s{number}.yaml", "key", {"json": "0" * 64}, done.row), done.rows)
            entered = time.process_time()
            write_all(out, ledger, [f"s{number}" for number in range(count)])
            written = time.process_time()
            ledger.close()
            sizes = [
                f"{sum(file.stat().st_size for file in out.glob(one)) / 1e6:.0f} MB" for one in (".tco-b*", "results.*")
            ]
            each = f"{1e3 * (entered - start) / count:.2f} ms", f"{1e3 * (written - entered) / count:.2f} ms"
            yield f"{count:,}", *each, *sizes, f"{_peak(os.getpid())} MB"


def _run(arguments: list[str]) -> tuple[float, float, int]:
    """CPU and wall seconds, and MB of the first process at its peak."""
    before, start = os.times(), time.monotonic()
    process = subprocess.Popen([sys.executable, "-m", "tco", *arguments], cwd=ROOT, stdout=subprocess.DEVNULL)
    peak = 0
    while process.poll() is None:
        peak = max(peak, _peak(process.pid))
        time.sleep(0.05)
    wall, after = time.monotonic() - start, os.times()
    if process.returncode:
        sys.exit(f"tco {' '.join(arguments)}: exit code {process.returncode}")
    return after.children_user - before.children_user + after.children_system - before.children_system, wall, peak


def _peak(process: int) -> int:
    """MB that a process has held at most; 0 where it is gone."""
    try:
        lines = Path(f"/proc/{process}/status").read_text("utf-8").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 // 10**6 for line in lines if line.startswith("VmHWM")), 0)


PARTS: dict[str, tuple[tuple[str, ...], Callable[[], Any]]] = {
    "A task beside its work": (("who computes", "start", "a task"), executors),
    "Tables of cases": (("rows", "workers", "wall", "CPU", "CPU a row", "memory", "file"), rows),
    "Scenarios with their files": (("who computes", "scenarios", "wall", "wall a scenario", "memory"), batches),
    "Ledger and tables": (("scenarios", "enter one", "tables, for one", "ledger", "tables", "memory"), ledgers),
}


def main() -> None:
    """Print each table, and the machine."""
    asked = sys.argv[1:]
    print(table(("what", "is"), machine()))
    for title, (heads, made) in PARTS.items():
        if not asked or any(word.lower() in title.lower() for word in asked):
            print(f"{title}\n\n{table(heads, made())}", flush=True)


if __name__ == "__main__":
    main()
