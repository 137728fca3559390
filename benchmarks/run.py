"""Speed as ratios in one run, and CPU limits. Run it with `make bench`; it exits 1 when a limit is exceeded.

1. Printed numpy against hand-written numpy, for the headline of an owned fleet of the quickstart, 100,000 samples.
2. CPU time of the search over 10,000 deployments of the quickstart's largest fleet.
3. CPU time of `tco --help` and of `tco run scenarios/quickstart.yaml` with all outputs.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.by_hand import cost_per_million_useful_tokens
from tco.analysis.axes import Axis, Grid, axes
from tco.analysis.fleet import engine_inputs
from tco.analysis.trials import Trials
from tco.evaluate import in_blocks, program
from tco.session import load

ROOT = Path(__file__).resolve().parents[1]
SCENARIO = ROOT / "scenarios" / "quickstart.yaml"
HEADLINE = "cost_per_million_useful_tokens"
FLEET, SAMPLES, REPEATS = "workstation", 100_000, 7
LARGEST, CANDIDATES = "nvl72", 10_000
RATIO_LIMIT, SEARCH_LIMIT, HELP_LIMIT, RUN_LIMIT = 1.1, 1.0, 0.1, 2.0


def best(task: Callable[[], Any]) -> float:
    """The shortest of several runs, in seconds of CPU."""
    times = list[float]()
    for _ in range(REPEATS):
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
    """Print every figure beside its limit."""
    with tempfile.TemporaryDirectory() as out:
        found = [
            ("printed numpy over hand-written numpy", numpy_ratio(), RATIO_LIMIT, "x"),
            (f"search over {CANDIDATES:,} deployments", search_time(), SEARCH_LIMIT, "s CPU"),
            ("tco --help", cpu_of(f"{out}/compiled", "--help"), HELP_LIMIT, "s CPU"),
            (
                "tco run quickstart, all outputs",
                cpu_of(f"{out}/compiled", "run", str(SCENARIO), "--out", out),
                RUN_LIMIT,
                "s CPU",
            ),
        ]
    over = False
    for name, value, limit, unit in found:
        over |= value > limit
        print(f"{name:40s} {value:6.2f} {unit:6s} limit {limit:g} {'EXCEEDED' if value > limit else 'ok'}")
    sys.exit(over)


if __name__ == "__main__":
    main()
