"""How cost grows with fleets, periods, samples and workers."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.scenarios import THREE_FLEETS
from tco.analysis.fleet import engine_inputs
from tco.evaluate import in_blocks, program
from tco.export import to_json
from tco.report import render
from tco.session import loads
from tco.workbook import build

TEXT = THREE_FLEETS % (100_000, 1_000, 0.1)
OWN = "  - {id: own, buy: {system: hgx-h200-srv}, precision: fp8}\n"
HEADLINE = "cost_per_million_useful_tokens"
FLEETS, STEPS, SAMPLES, WORKERS = (3, 6, 12), ("year", "quarter", "month"), (1_000, 10_000, 100_000), (1, 2)
SCENARIOS = 24
HEADS = ("what grows", "of", "took", "a unit")
Row = tuple[str, str, str, str]


def rows() -> list[Row]:
    """Four series."""
    found = [*_fleets(), *_periods(), *_samples(), *_workers()]
    for row in found:
        print("  ".join(f"{cell:24s}" for cell in row))
    return found


def _once(text: str) -> tuple[float, float, float, float]:
    """CPU seconds of the run, the workbook, the report and the JSON; the shortest of two."""
    taken = list[list[float]]()
    for _ in range(2):
        times = [time.process_time()]
        result = loads(text).run()
        times.append(time.process_time())
        for output in (build, render, to_json):
            output(result)
            times.append(time.process_time())
        taken.append([after - before for before, after in itertools.pairwise(times)])
    run, book, page, data = (min(column) for column in zip(*taken, strict=True))
    return run, book, page, data


def _parts(times: tuple[float, float, float, float]) -> str:
    return "run {:.0f}, workbook {:.0f}, report {:.0f}, JSON {:.0f} ms CPU".format(*(1e3 * one for one in times))


def _fleets() -> list[Row]:
    found = list[Row]()
    for count in FLEETS:
        more = "".join(OWN.replace("own", f"own{number}") for number in range(count - 3))
        times = _once(TEXT + more)
        found.append(("fleets", f"{count}", _parts(times), f"{1e3 * sum(times) / count:.0f} ms a fleet"))
    return found


def _periods() -> list[Row]:
    found = list[Row]()
    for step, count in zip(STEPS, (5, 20, 60), strict=True):
        times = _once(TEXT.replace("step: year", f"step: {step}"))
        found.append(("periods", f"{count}", _parts(times), f"{1e3 * sum(times) / count:.1f} ms a period"))
    return found


def _samples() -> list[Row]:
    result = loads(TEXT).run()
    fleet = result.by_id["own"]
    inputs = engine_inputs(fleet.inputs, result.timeline)
    price: Any = inputs["electricity_price"]
    compiled = program(fleet.model, [HEADLINE])
    found = list[Row]()
    for count in SAMPLES:
        spread = {**inputs, "electricity_price": price * np.linspace(0.9, 1.1, count).reshape(-1, 1)}
        times = list[float]()
        for _ in range(3):
            start = time.process_time()
            in_blocks(compiled, spread, result.timeline.periods)
            times.append(time.process_time() - start)
        least = min(times)
        found.append(("samples", f"{count:,}", f"{1e3 * least:.2f} ms CPU", f"{1e6 * least / count:.2f} us a sample"))
    return found


def _workers() -> list[Row]:
    found = list[Row]()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "in")
        folder.mkdir()
        for number in range(SCENARIOS):
            text = THREE_FLEETS % (100_000 + 1_000 * number, 1_000, 0.1)
            (folder / f"s{number}.yaml").write_text(text, encoding="utf-8")
        for jobs in WORKERS:
            out = f"{name}/out{jobs}"
            command = [sys.executable, "-m", "tco", "batch", str(folder), "--out", out, "--jobs", str(jobs)]
            before, start = os.times(), time.monotonic()
            subprocess.run(command, check=True, capture_output=True)
            wall, after = time.monotonic() - start, os.times()
            cpu = after.children_user - before.children_user + after.children_system - before.children_system
            told = f"{wall:.1f} s wall, {cpu:.1f} s CPU for {SCENARIOS} scenarios"
            found.append(("workers", f"{jobs}", told, f"{cpu / SCENARIOS:.3f} s CPU a scenario"))
    return found
