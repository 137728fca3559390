"""What would make it fit: single changes are tried through the same lines, then all of them one after another."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tco.evaluate import program
from tco.result import FleetResult
from tco.scenario.recipes import LOSSES, METHODS, OFFLOADS, OPTIMIZERS, RECOMPUTED, STAGES

Numbers = Mapping[str, float | NDArray[np.float64]]

ADAPTED = 0.002
"""Share of the parameters that adapters of rank 16 have in a model of 7 billion parameters, about."""

MOST = 4096
"""Copies or systems that are tried."""


@dataclass(frozen=True)
class Change:
    """A change in words, and the inputs that it sets."""

    words: str
    values: dict[str, float]


QLORA = Change("QLoRA, a base in 4 bit", METHODS["qlora"].values)
TRAINING = (
    Change("one sequence at a time", {"micro_batch": 1}),
    Change("a chunked loss", LOSSES["chunked"].values),
    Change("full recomputation", RECOMPUTED["full"].values),
    Change("states divided by ZeRO stage 1", STAGES[1].values),
    Change("states divided by ZeRO stage 2", STAGES[2].values),
    Change("states divided by ZeRO stage 3", STAGES[3].values),
    Change("an 8-bit optimiser on 16-bit weights", OPTIMIZERS["adamw_8bit"].values),
    QLORA,
    Change("the optimiser in the host's memory", OFFLOADS["optimizer"].values),
    Change("all states in the host's memory", OFFLOADS["parameters"].values),
)
"""The gentlest first."""

SERVING = (
    Change("weights in 8 bit", {"bytes_per_parameter": 1}),
    Change("a cache in 8 bit", {"kv_bytes": 1}),
    Change("weights in 4 bit", {"bytes_per_parameter": 0.5625}),
    Change("GPUs that are not partitioned", {"partitions": 1}),
)

UPWARDS = ("_sharded", "_offloaded", "dequantised_bytes", "scale_bytes")
"""Inputs that a change for the better raises."""


def remedy(fleet: FleetResult) -> str:
    """How it would fit, with amounts; empty when nothing that is tried helps."""
    trials = _Trials(fleet)
    found = list(filter(None, (trials.alone() or trials.together(), trials.more_gpus())))
    return f"it would fit with {', or '.join(found)}" if found else "no change that was tried makes it fit"


class _Trials:
    """One fleet, and its margins with other inputs."""

    def __init__(self, fleet: FleetResult) -> None:
        self.trains = "shard_gpus" in fleet.inputs
        lines = [name for name in ("memory_margin", "host_margin") if name in fleet.model.lines]
        self.margins = program(fleet.model, lines)
        self.names = {
            parent for name in fleet.model.needed_for(lines) for parent in fleet.model.lines[name].parents
        } & set(fleet.inputs)
        self.held = {name: fleet.inputs[name].number for name in self.names}
        self.size = fleet.inputs["gpus_per_system"].number if "gpus_per_system" in fleet.inputs else 1.0
        self.tunes = "run_tokens_of_data" in fleet.model.lines
        self.missing = -self.margin({})

    def margin(self, changed: Numbers) -> float:
        """GiB left on a GPU; minus infinity when the host's memory is too small."""
        return float(self.all_margins(changed)[0])

    def all_margins(self, changed: Numbers) -> NDArray[np.float64]:
        """The same for each of several candidates."""
        found = {
            name: np.asarray(value).reshape(-1) for name, value in self.margins({**self.held, **changed}, 1).items()
        }
        left = found["memory_margin"]
        return np.where(found["host_margin"] < 0, -np.inf, left) if "host_margin" in found else left

    def changes(self) -> Iterator[Change]:
        """Those that change something in the right direction; adapters are offered to fine-tuning only."""
        for change in TRAINING if self.trains else SERVING:
            if change is QLORA and self.held.get("adapter_parameters", 0) == 0:
                yield from self._adapters() if self.tunes else ()
                continue
            values = {name: value for name, value in change.values.items() if self._eases(name, value)}
            if values:
                yield Change(change.words, values)

    def _adapters(self) -> Iterator[Change]:
        adapters = {"adapter_parameters": self.held["parameters"] * ADAPTED}
        yield Change("LoRA", adapters)
        yield Change(QLORA.words, {**adapters, **QLORA.values})

    def _eases(self, name: str, value: float) -> bool:
        now = self.held.get(name)
        return now is not None and (value > now if name.endswith(UPWARDS) else value < now)

    def alone(self) -> str:
        """The gentlest single change that is enough."""
        for change in self.changes():
            margin = self.margin(change.values)
            if margin >= 0:
                return f"{change.words} ({self.missing + margin:,.1f} GiB less on each GPU)"
        return ""

    def together(self) -> str:
        """The gentlest changes that are enough when all are made; those that it can do without are dropped."""
        taken = list[Change]()
        for change in self.changes():
            if self._margin_of([*taken, change]) > self._margin_of(taken):
                taken.append(change)
            if self._margin_of(taken) >= 0:
                break
        else:
            return ""
        for change in reversed(taken):
            rest = [one for one in taken if one is not change]
            taken = rest if self._margin_of(rest) >= 0 else taken
        freed = self.missing + self._margin_of(taken)
        return f"{', '.join(change.words for change in taken)} together ({freed:,.1f} GiB less on each GPU)"

    def _margin_of(self, changes: list[Change]) -> float:
        return self.margin({name: value for change in changes for name, value in change.values.items()})

    def more_gpus(self) -> str:
        """The fewest GPUs, in whole systems, over which it fits."""
        name = "shard_gpus" if self.trains else "gpus_per_replica"
        if name not in self.held or self.held.get("partitions", 1.0) > 1:
            return ""
        copy = self.held.get("tensor_parallel", 1.0) * self.held.get("pipeline_parallel", 1.0)
        step = math.lcm(max(round(self.size), 1), max(round(copy), 1)) if self.trains else 1
        counts = np.arange(1, MOST + 1, dtype=float).reshape(-1, 1) * step
        enough = counts[:, 0][self.all_margins({name: counts}) >= 0]
        more = enough[enough > self.held[name]]
        if not more.size:
            return ""
        systems = more[0] / self.size
        told = f" ({systems:,.0f} systems)" if self.trains and self.size > 1 else ""
        return f"{more[0]:,.0f} GPUs{told} instead of {self.held[name]:,.0f}"
