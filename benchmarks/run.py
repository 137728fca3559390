"""Speed as ratios in one run, and CPU limits. Run it with `make bench`; it exits 1 when a limit is exceeded.

1. Printed numpy against hand-written numpy, for the headline of an owned fleet of the quickstart, 100,000 samples.
2. CPU time of the search over 10,000 deployments of the quickstart's largest fleet.
3. CPU time of `tco --help` and of `tco run scenarios/quickstart.yaml` with all outputs.
4. CPU time of the quickstart's report, with what only it computes.
5. CPU time and memory of one more scenario in one process: three fleets, yearly, five years, workbook, report, JSON.
6. The same in a batch on two processes, with ledger, tables and index.
7. `tco simulate` against hand-written numpy on the same draws, all fleets of the quickstart; memory of 1,000,000 draws.
8. CPU time of 10,000 variants of three fleets, and a table of 100,000 cases of all fleets against the engine alone.
9. CPU time of the cheapest mix of ten fleets for twelve classes over five years, with what its limits cost.
10. The engine beside pint, numpy-financial, LibreOffice and `formulas`; growth with fleets, periods, samples, workers.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import compared, growth, machine, sweeps
from benchmarks.batch import FEW, MANY, one_more_in_a_batch
from benchmarks.by_hand import cost_per_million_useful_tokens
from benchmarks.draws import by_hand, by_tco, ready
from benchmarks.scenarios import THREE_FLEETS
from tco.analysis.axes import Axis, Grid, axes
from tco.analysis.fleet import engine_inputs
from tco.analysis.trials import Trials
from tco.evaluate import in_blocks, program
from tco.export import to_json
from tco.mix import plan
from tco.report import render
from tco.session import load, loads
from tco.workbook import build

ROOT = Path(__file__).resolve().parents[1]
SCENARIO = ROOT / "scenarios" / "quickstart.yaml"
HEADLINE = "cost_per_million_useful_tokens"
FLEET, SAMPLES, REPEATS = "workstation", 100_000, 7
LARGEST, CANDIDATES = "nvl72", 10_000
RATIO_LIMIT, SEARCH_LIMIT, HELP_LIMIT, RUN_LIMIT = 1.1, 1.0, 0.1, 2.0
REPORT_LIMIT = 0.5
DRAWS, MILLION, DRAWS_LIMIT, DRAWS_MEMORY = 131_072, 1_000_000, 1.5, 500
SWEEP_LIMIT, SEARCHED_LIMIT, ROWS_LIMIT, FILES_LIMIT = 5.0, 10.0, 1.6, 2.0
MIX, MIX_LIMIT = ROOT / "benchmarks" / "mix.yaml", 10.0
WARM, MORE, MORE_LIMIT, MEMORY_LIMIT = 20, 100, 0.25, 1.1


def best(task: Callable[[], Any], repeats: int = REPEATS) -> float:
    """The shortest of several runs, in seconds of CPU."""
    times = list[float]()
    for _ in range(repeats):
        start = time.process_time()
        task()
        times.append(time.process_time() - start)
    return min(times)


def numpy_ratio() -> float:
    """Printed over hand-written numpy; both in blocks of the same size, both checked to agree."""
    result = load(SCENARIO).run()
    fleet = result.by_id[FLEET]
    inputs = engine_inputs(fleet.inputs, result.timeline)
    random = np.random.default_rng(1)
    spread: dict[str, Any] = dict(inputs)
    for name in ("system_price", "electricity_price", "requests", "pue", "discount_rate", "gpu_bandwidth"):
        spread[name] = inputs[name] * random.uniform(0.9, 1.1, (SAMPLES, 1))
    compiled = program(fleet.model, [HEADLINE])
    periods = result.timeline.periods
    printed = in_blocks(compiled, spread, periods)[HEADLINE]
    by_hand = cost_per_million_useful_tokens(spread, periods)
    worst = float(np.max(np.abs(printed / by_hand - 1)))
    if not worst < 1e-9:
        sys.exit(f"printed and hand-written numpy differ by {worst:.1e}")
    fast = best(lambda: in_blocks(compiled, spread, periods))
    slow = best(lambda: cost_per_million_useful_tokens(spread, periods))
    print(f"printed numpy {fast:.3f} s, hand-written {slow:.3f} s for {SAMPLES:,} samples; apart by {worst:.0e}")
    return fast / slow


def draws_ratio() -> float:
    """Draws, lines, quantiles and indices of `tco simulate`, over hand-written numpy for the same fleets and draws."""
    setup = ready(SCENARIO)
    ours, theirs = by_tco(setup, DRAWS), by_hand(setup, DRAWS)
    for name, cost in ours.items():
        if not np.allclose(cost, theirs[name], rtol=1e-9, atol=0, equal_nan=True):
            sys.exit(f"{name}: what was drawn and what is hand-written differ")
    fast, slow = best(lambda: by_tco(setup, DRAWS), 3), best(lambda: by_hand(setup, DRAWS), 3)
    print(f"{DRAWS:,} draws of {len(ours)} fleets: {fast:.2f} s, hand-written {slow:.2f} s")
    return fast / slow


def draws_memory() -> float:
    """Peak memory of drawing a million times in one process, in MB; of its own memory, not of who started it."""
    code = (
        "import pathlib; from benchmarks.draws import quickstart;"
        "from tco.uncertainty.simulate import simulate;"
        f"simulate(quickstart(pathlib.Path({str(SCENARIO)!r})), samples={MILLION});"
        "print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))"
    )
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return float(told) * 1024 / 1e6


def search_time() -> float:
    """CPU seconds for cost, verdict and choice of many candidates: replicas of the search, and ever more requests."""
    result = load(SCENARIO).run()
    fleet = result.by_id[LARGEST]
    left_open = {name: figure for name, figure in fleet.inputs.items() if name not in fleet.choices["values"]}
    replicas, _ = axes(fleet.model, left_open, {}, HEADLINE)
    every = CANDIDATES // len(replicas) + 1
    batches = Axis("concurrency", {"concurrency": [float(size) for size in range(1, every + 1)]})
    columns = {name: column[:CANDIDATES] for name, column in Grid.of([replicas, batches]).columns.items()}
    trials = Trials(fleet.model, engine_inputs(fleet.inputs, result.timeline), result.timeline.periods, HEADLINE)
    found = trials.compute(columns)
    print(f"{len(found.cost):,} deployments of {LARGEST}, of which {int(found.runs.sum()):,} run")
    return best(lambda: trials.compute(columns).best())


def report_time() -> float:
    """CPU seconds of the report; break-evens and sensitivity are computed for it each time."""
    result = load(SCENARIO).run()

    def task() -> None:
        for computed in ("break_even", "sensitivity"):
            result.__dict__.pop(computed, None)
        render(result)

    return best(task)


def one_more() -> tuple[float, float]:
    """CPU seconds of one more scenario, the median of many that all differ; peak memory after over before them."""

    def task(number: int) -> float:
        text = THREE_FLEETS % (100_000 + 1_000 * number, 1_000 + 7 * number, 0.08 + number / 2_000)
        start = time.process_time()
        result = loads(text).run()
        for output in (build, render, to_json):
            output(result)
        return time.process_time() - start

    def peak() -> int:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    for number in range(WARM):
        task(number)
    before = peak()
    times = [task(WARM + number) for number in range(MORE)]
    print(f"{MORE} more scenarios: {min(times):.3f} to {max(times):.3f} s CPU each, {peak() / 1024:.0f} MiB at most")
    return statistics.median(times), peak() / before


def mix_time() -> float:
    """CPU seconds to probe, solve, check and price the limits of a mix; it must be proven the cheapest."""
    start = time.process_time()
    found = plan(load(MIX))
    seconds = time.process_time() - start
    if not found.plan.solution.proven:
        sys.exit("the mix was not proven the cheapest")
    asked = found.plan.asked
    told = f"{len(asked.candidates)} fleets, {len(asked.classes)} classes, {len(asked.moments)} years"
    print(f"{told}: {found.plan.engine_cost:,.0f} USD, within {len(found.worths)} limits")
    return seconds


def cpu_of(cache: str, *command: str) -> float:
    """CPU seconds of a process, user and system; the shortest of four; the first compiles as an install does."""
    compiled = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": cache}
    times = list[float]()
    for _ in range(4):
        before = os.times()
        subprocess.run([sys.executable, "-m", "tco", *command], cwd=ROOT, env=compiled, check=True, capture_output=True)
        after = os.times()
        times.append(after.children_user - before.children_user + after.children_system - before.children_system)
    return min(times)


def main() -> None:
    """Print every figure beside its limit, and write the page."""
    in_batch, of_batch = one_more_in_a_batch()
    more, memory = one_more()
    rows, files = sweeps.table_shares(SCENARIO)
    with tempfile.TemporaryDirectory() as out:
        found = [
            ("one more scenario of three fleets", more, MORE_LIMIT, "s CPU"),
            (f"memory after {MORE} more over before", memory, MEMORY_LIMIT, "x"),
            ("one more in a batch of two processes", in_batch, MORE_LIMIT, "s CPU"),
            (f"memory of a batch of {MANY} over one of {FEW}", of_batch, MEMORY_LIMIT, "x"),
            ("printed numpy over hand-written numpy", numpy_ratio(), RATIO_LIMIT, "x"),
            ("tco simulate over hand-written numpy", draws_ratio(), DRAWS_LIMIT, "x"),
            (f"memory of {MILLION:,} draws", draws_memory(), DRAWS_MEMORY, "MB"),
            (f"search over {CANDIDATES:,} deployments", search_time(), SEARCH_LIMIT, "s CPU"),
            ("report of the quickstart", report_time(), REPORT_LIMIT, "s CPU"),
            ("sweep of 10,000 variants", sweeps.variants_time(SCENARIO, "stale"), SWEEP_LIMIT, "s CPU"),
            ("the same, each searched anew", sweeps.variants_time(SCENARIO, "search"), SEARCHED_LIMIT, "s CPU"),
            (f"rows of {sweeps.ROWS:,} cases over bare engine", 1 / rows, ROWS_LIMIT, "x"),
            ("the same with both files", 1 / files, FILES_LIMIT, "x"),
            ("mix of 10 fleets, 12 classes, 5 years", mix_time(), MIX_LIMIT, "s CPU"),
            ("tco --help", cpu_of(f"{out}/compiled", "--help"), HELP_LIMIT, "s CPU"),
            (
                "tco run quickstart, all outputs",
                cpu_of(f"{out}/compiled", "run", str(SCENARIO), "--out", out),
                RUN_LIMIT,
                "s CPU",
            ),
        ]
    limits = list[tuple[str, str, str]]()
    over = False
    for name, value, limit, unit in found:
        over |= value > limit
        print(f"{name:40s} {value:6.2f} {unit:6s} limit {limit:g} {'EXCEEDED' if value > limit else 'ok'}")
        limits.append((name, f"{value:.2f} {unit}", f"{limit:g}{' EXCEEDED' if value > limit else ''}"))
    machine.write(
        [
            ("Limits", machine.table(("what", "measured", "limit"), limits)),
            ("Beside others", machine.table(("what", "ratio", "how"), compared.rows())),
            ("Growth", machine.table(growth.HEADS, growth.rows())),
        ]
    )
    print(f"page: {machine.PAGE.relative_to(ROOT)}")
    sys.exit(over)


if __name__ == "__main__":
    main()
