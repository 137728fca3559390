"""Sweeps: CPU time of 10,000 variants, and a long table of cases against the engine alone, on the same rows."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np

from tco.analysis.fleet import engine_inputs
from tco.evaluate import Value, in_blocks, program
from tco.result import VERDICTS
from tco.session import Scenario, load
from tco.sweep.asked import grid
from tco.sweep.cases import Cases, cases
from tco.sweep.drive import write
from tco.sweep.found import block_of
from tco.sweep.run import sweep
from tco.sweep.settle import Choices
from tco.sweep.stated import on_command_line

AXES = (
    "fleets.hgx-h200.buy.system = hgx-h200-srv, hgx-h100-srv, mi300x-srv, srv-8xl40s, srv-8xpro6000",
    "utilization.planning_ceiling = 50 % .. 95 % in 20 steps",
    "electricity.price = 0.04 .. 0.33 USD/kWh in 100 steps",
)
FLEETS = ("hgx-h200", "cloud-ondemand", "api")
ROWS, REPEATS = 100_000, 3
"""A tenth of the million: what is assembled once weighs ten times as much as it would there."""

HEADS = {
    "electricity.price [USD/kWh]": ("electricity_price", 0.05, 0.3, 1.0),
    "workload.requests [Mrequest/month]": ("requests", 0.3, 4.0, 1e6),
    "utilization.planning_ceiling [%]": ("planning_ceiling", 50.0, 95.0, 0.01),
    "finance.discount_rate [%]": ("discount_rate", 3.0, 14.0, 0.01),
}
"""Columns of the table: the input that each feeds, its ends, and the model's unit over the table's."""


def variants_time(scenario: Path, choices: Choices) -> float:
    """CPU seconds of 10,000 variants, accelerators x utilisation x price, from the file to their table as CSV."""
    start = time.process_time()
    base = _of_three(scenario)
    asked = grid(base, on_command_line(AXES), {})
    with tempfile.TemporaryDirectory() as out:
        tally = write(sweep(base, asked, choices=choices), Path(out), "bench", ("csv",))
    print(f"{tally.done:,} variants of {len(FLEETS)} fleets, choices: {choices}")
    return time.process_time() - start


def _of_three(scenario: Path) -> Scenario:
    """The scenario without its other fleets."""
    from dataclasses import replace

    from tco.scenario.problems import validate
    from tco.scenario.schema import Scenario as Schema

    whole = load(scenario)
    data = dict(whole.document.data)
    data["fleets"] = [fleet for fleet in data["fleets"] if fleet["id"] in FLEETS]
    data["finance"] = {key: value for key, value in data["finance"].items() if key != "reference"}
    document = replace(whole.document, data=data)
    return Scenario(document, validate(document, Schema))


def table_shares(scenario: Path) -> tuple[float, float]:
    """Throughput over the bare engine's: of the rows alone, and from the file of cases to the file of results."""
    base = load(scenario)
    random = np.random.default_rng(1)
    drawn = {head: random.uniform(low, high, ROWS).round(4) for head, (_, low, high, _) in HEADS.items()}
    with tempfile.TemporaryDirectory() as out:
        file = Path(out, "cases.csv")
        np.savetxt(file, np.column_stack([*drawn.values()]), "%.4f", ",", header=",".join(drawn), comments="")
        found = [
            (_bare(base, drawn), _rows(base, cases(base, file)), _files(base, file, Path(out))) for _ in range(REPEATS)
        ]
    bare, rows, whole = (min(times) for times in zip(*found, strict=True))
    fleets = len(base.content.fleets)
    print(f"{ROWS:,} cases of {fleets} fleets: engine {bare:.2f} s, rows {rows:.2f} s, with files {whole:.2f} s")
    return bare / rows, bare / whole


def _bare(base: Scenario, drawn: dict[str, np.ndarray]) -> float:
    """CPU seconds of the compiled lines alone: headline and flags of every fleet."""
    result = base.run()
    periods, spent = result.timeline.periods, 0.0
    for fleet in result.fleets:
        inputs: dict[str, Value] = engine_inputs(fleet.inputs, result.timeline)
        for head, (name, _, _, ratio) in HEADS.items():
            if name in inputs:
                inputs[name] = (drawn[head] * ratio).reshape(-1, 1)
        wanted = [result.headline or "", *(flag for flag, _ in VERDICTS if flag in fleet.model.lines)]
        compiled = program(fleet.model, wanted)
        start = time.process_time()
        in_blocks(compiled, inputs, periods, block_of(periods))
        spent += time.process_time() - start
    return spent


def _rows(base: Scenario, asked: Cases) -> float:
    start = time.process_time()
    for _ in sweep(base, asked).parts():
        pass
    return time.process_time() - start


def _files(base: Scenario, file: Path, out: Path) -> float:
    start = time.process_time()
    write(sweep(base, cases(base, file)), out, "bench", ("parquet",) if _has_parquet() else ("csv",))
    return time.process_time() - start


def _has_parquet() -> bool:
    from importlib.util import find_spec

    return find_spec("fastparquet") is not None
