"""What one more scenario costs in a batch on two processes, with all that comes with it: ledger, tables, index.

`python -m benchmarks.batch 1000` runs the size that the limits were set for; `make bench` a smaller one.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.scenarios import THREE_FLEETS

FEW, MANY = 20, 80


def one_more_in_a_batch(many: int = MANY) -> tuple[float, float]:
    """CPU seconds of one more scenario; peak memory of the largest process of many over that of few."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first, memory = _batch(folder, FEW)
        second, larger = _batch(folder, many)
    print(
        f"batches of {FEW} and {many}: {first:.1f} and {second:.1f} s CPU, {memory} and {larger} MiB at most a process"
    )
    return (second - first) / (many - FEW), larger / memory


def _batch(folder: Path, count: int) -> tuple[float, int]:
    """CPU seconds of a batch with all its processes, and the MiB of the largest."""
    inner = folder / f"in{count}"
    inner.mkdir()
    for number in range(count):
        text = THREE_FLEETS % (100_000 + 1_000 * number, 1_000 + 7 * number, 0.08 + number / 2_000)
        (inner / f"s{number:04d}.yaml").write_text(text, encoding="utf-8")
    before = os.times()
    command = [sys.executable, "-m", "tco", "batch", str(inner), "--out", str(folder / f"out{count}"), "--jobs", "2"]
    subprocess.run(command, check=True, capture_output=True)
    after = os.times()
    used = after.children_user - before.children_user + after.children_system - before.children_system
    return used, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024


if __name__ == "__main__":
    cpu, growth = one_more_in_a_batch(int(sys.argv[1]) if len(sys.argv) > 1 else MANY)
    print(f"one more scenario {cpu:.3f} s CPU, memory {growth:.2f} x")
