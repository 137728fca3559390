"""The engine beside other ways to compute: pint on scalars, numpy-financial in a loop, LibreOffice, `formulas`."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.scenarios import THREE_FLEETS
from tco.analysis.fleet import engine_inputs
from tco.evaluate import in_blocks, program
from tco.session import loads
from tco.workbook import build

SAMPLES, SCALARS, LOOPS, PATIENCE = 100_000, 2_000, 10_000, 120
TEXT = THREE_FLEETS % (100_000, 1_000, 0.1)
HEADLINE, PRESENT = "cost_per_million_useful_tokens", "present_cost"
SPREAD = ("system_price", "electricity_price", "requests", "pue", "discount_rate", "gpu_bandwidth")
Row = tuple[str, str, str]


def rows() -> list[Row]:
    """What was compared, the ratio or that it was skipped, and what stands behind it."""
    found = [_against_pint(), _against_numpy_financial(), *_against_workbooks()]
    for name, ratio, told in found:
        print(f"{name:40s} {ratio:>10s}  {told}")
    return found


def _seconds(task: Callable[[], Any], repeats: int = 3) -> float:
    times = list[float]()
    for _ in range(repeats):
        start = time.process_time()
        task()
        times.append(time.process_time() - start)
    return min(times)


def _of_own(line: str, samples: int) -> tuple[float, int]:
    """CPU seconds of a line and all before it for the owned fleet, six inputs drawn; how many lines."""
    result = loads(TEXT).run()
    fleet = result.by_id["own"]
    inputs = engine_inputs(fleet.inputs, result.timeline)
    random = np.random.default_rng(1)
    for name in SPREAD:
        held: Any = inputs[name]
        inputs[name] = held * random.uniform(0.9, 1.1, (samples, 1))
    compiled = program(fleet.model, [line])
    seconds = _seconds(lambda: in_blocks(compiled, inputs, result.timeline.periods))
    return seconds, sum(map(len, fleet.model.groups_of([line])))


def _against_pint() -> Row:
    """Energy cost by pint's quantities, an operation, over a line of the engine, a sample."""
    pint: Any = importlib.import_module("pint")
    registry = pint.UnitRegistry()
    power, hours, price = 7.2 * registry.kW, 8760 * registry.hour, 0.1 / (registry.kW * registry.hour)

    def scalars() -> None:
        for number in range(SCALARS):
            (power * hours * (price * (1 + number / SCALARS)) * 1.4).to("dimensionless")

    operation = _seconds(scalars) / (5 * SCALARS)
    whole, lines = _of_own(HEADLINE, SAMPLES)
    line = whole / (lines * SAMPLES)
    told = f"an operation of pint {operation * 1e6:.1f} us; a line and sample of the engine {line * 1e9:.1f} ns"
    return "pint on scalars over the engine", f"{operation / line:,.0f} x", told


def _against_numpy_financial() -> Row:
    name = "numpy-financial in a loop over the engine"
    if find_spec("numpy_financial") is None:
        return name, "skipped", "numpy-financial is not installed: make .venv/.bench"
    financial: Any = importlib.import_module("numpy_financial")
    flows = np.random.default_rng(1).uniform(1e5, 2e5, (LOOPS, 6))
    looped = _seconds(lambda: [financial.npv(0.08, row) for row in flows]) / LOOPS
    whole, lines = _of_own(PRESENT, SAMPLES)
    each = whole / SAMPLES
    told = f"npv of six flows {looped * 1e6:.1f} us; present cost from the inputs, {lines} lines, {each * 1e6:.1f} us"
    return name, f"{looped / each:.1f} x", told


def _against_workbooks() -> list[Row]:
    """Recalculating the workbook of three fleets over running the scenario, from its text to its result."""
    run = _seconds(lambda: loads(TEXT).run())
    with tempfile.TemporaryDirectory() as name:
        book = Path(name, "three.xlsx")
        book.write_bytes(build(loads(TEXT).run()))
        return [_libreoffice(book, run), _formulas(book, run)]


def _libreoffice(book: Path, run: float) -> Row:
    name, office = "LibreOffice over the engine", shutil.which("soffice")
    if office is None:
        return name, "skipped", "LibreOffice is not installed"
    command = [office, f"-env:UserInstallation=file://{book.parent}/profile", "--headless", "--convert-to", "ods"]
    empty = book.with_name("empty.csv")
    empty.write_text("1\n", encoding="utf-8")
    started, whole = (_children([*command, "--outdir", f"{book.parent}/out", str(file)]) for file in (empty, book))
    told = f"opened, computed, saved {whole:.1f} s CPU, of which start {started:.1f}; text to result {run * 1e3:.0f} ms"
    return name, f"{(whole - started) / run:,.0f} x", f"{told}; ratio without start"


def _formulas(book: Path, run: float) -> Row:
    name = "package formulas over the engine"
    if find_spec("formulas") is None:
        return name, "skipped", "formulas is not installed: make .venv/.bench"
    code = "import formulas, sys; formulas.ExcelModel().loads(sys.argv[1]).finish().calculate()"
    try:
        whole = _children([sys.executable, "-c", code, str(book)])
    except subprocess.TimeoutExpired:
        return name, f"> {PATIENCE / run:,.0f} x", f"not done after {PATIENCE} s; text to result {run * 1e3:.0f} ms"
    except subprocess.CalledProcessError as error:
        last = (error.stderr or b"").decode(errors="replace").strip().splitlines()[-1:] or ["no word"]
        return name, "failed", f"it does not compute this workbook: {last[0][:120]}"
    return name, f"{whole / run:,.0f} x", f"loaded and computed {whole:.1f} s CPU; text to result {run * 1e3:.0f} ms"


def _children(command: list[str]) -> float:
    """CPU seconds of a process."""
    before = os.times()
    subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE)
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system
