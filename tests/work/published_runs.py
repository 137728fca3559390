"""Published training runs, given as their authors do but without the share of the peak that they reached."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from tests.work.training_runs import Run, number

FILE = Path(__file__).parent / "training_published.yaml"
WORDS = {"tensor": "tensor_parallel", "pipeline": "pipeline_parallel", "micro_batch": "micro_batch"}


@dataclass(frozen=True)
class Published:
    """What is printed and what the engine says, in tokens a second and GPU; low and high are the band's ends."""

    id: str
    kind: str
    source: str
    status: str
    printed: float
    ours: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Relative to the print."""
        return self.ours / self.printed - 1

    @property
    def in_band(self) -> bool:
        """Whether the print lies where eight in ten measurements should."""
        return self.low <= self.printed <= self.high


def worked_out(value: Any) -> float:
    """A number, or the arithmetic that gives it."""
    return float(eval(str(value), {"__builtins__": {}}, {}))


def run_of(case: dict[str, Any]) -> Run:
    """The scenario of a case."""
    shape, run = dict(case["shape"]), case["run"]
    model = shape.pop("model", "")
    if not model:
        shape.setdefault("active_parameters", shape["parameters"])
    words = {"recompute": run["recompute"]} | {name: str(run[key]) for key, name in WORDS.items() if key in run}
    inputs = {name: float(value) for name, value in shape.items()}
    inputs |= {"interleave": float(run["interleave"])} if "interleave" in run else {}
    return Run(
        run["gpu"], run["gpus"], run["precision"], run["sequence"], worked_out(run["batch"]),
        model=model, framework=run.get("framework", ""), inputs=inputs, deployment=words,
    )  # fmt: skip


@functools.cache
def published() -> tuple[Published, ...]:
    """All of them, computed once."""
    return tuple(map(_judged, YAML(typ="safe").load(FILE.read_text("utf-8"))))


def _judged(case: dict[str, Any]) -> Published:
    fleet = run_of(case).fleet()
    ours, low, high = (number(fleet, f"gpu_token_rate{end}") for end in ("", "_low", "_high"))
    told = (case["id"], case.get("kind", "dense"), case["source"], case["status"])
    return Published(*told, worked_out(case["rate"]), ours, low, high)
