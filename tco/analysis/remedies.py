"""What would make it fit: single changes are tried through the same lines, then all of them one after another."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tco.evaluate import program
from tco.result import FleetResult
from tco.scenario.precision import bytes_per_parameter
from tco.scenario.recipes import LOSSES, METHODS, OFFLOADS, OPTIMIZERS, RECOMPUTED, STAGES

Numbers = Mapping[str, float | NDArray[np.float64]]

ADAPTED = 0.002
"""Share of the parameters that adapters of rank 16 have in a model of 7 billion parameters, about."""

MOST = 4096
"""Copies or systems that are tried."""

REPLICA = 8
"""Powers of two that are tried as GPUs of a replica: up to 128."""


@dataclass(frozen=True)
class Change:
    """A change in words, and the inputs that it sets."""

    words: str
    values: dict[str, float]


QLORA = Change("QLoRA, a base in 4 bit", METHODS["qlora"].values)
TRAINING = (
    Change("one sequence at a time", {"micro_batch": 1}),
    Change("a chunked loss", LOSSES["chunked"].values),
    Change("a fused loss", LOSSES["fused"].values),
    Change("full recomputation", RECOMPUTED["full"].values),
    *(Change(f"a sequence divided over {ways} GPUs", {"context_parallel": ways}) for ways in (2, 4, 8)),
    Change("states divided by ZeRO stage 1", STAGES[1].values),
    Change("states divided by ZeRO stage 2", STAGES[2].values),
    Change("states divided by ZeRO stage 3", STAGES[3].values),
    Change("an 8-bit optimiser on 16-bit weights", OPTIMIZERS["adamw_8bit"].values),
    QLORA,
    Change("the optimiser in the host's memory", OFFLOADS["optimizer"].values),
    Change("kept activations in the host's memory", OFFLOADS["activations"].values),
    Change("all states in the host's memory", OFFLOADS["parameters"].values),
)
"""The gentlest first."""

WEIGHTS = (("8 bit", ("fp8", "int8")), ("4 bit", ("int4", "fp4")))
"""Precisions that hold weights in fewer bits; the first that the part runs is offered."""

CACHE = Change("a cache in 8 bit", {"kv_bytes": 1})
WHOLE = Change("GPUs that are not partitioned", {"partitions": 1})

UPWARDS = ("_sharded", "_offloaded", "dequantised_bytes", "scale_bytes")
"""Inputs that a change for the better raises."""


def remedy(fleet: FleetResult) -> str:
    """How it would fit, with amounts; empty when nothing that is tried helps."""
    trials = _Trials(fleet)
    changed, larger = trials.alone() or trials.together(), trials.more_gpus()
    found = list(filter(None, (changed, larger, "" if changed else trials.more_and_changed())))
    return f"it would fit with {', or '.join(found)}" if found else "no change that was tried makes it fit"


class _Trials:
    """One fleet, and its margins with other inputs."""

    def __init__(self, fleet: FleetResult) -> None:
        self.trains = "shard_gpus" in fleet.inputs
        self.axis = "shard_gpus" if self.trains else "gpus_per_replica"
        lines = [name for name in ("memory_margin", "host_margin") if name in fleet.model.lines]
        self.margins = program(fleet.model, lines)
        self.names = {
            parent for name in fleet.model.needed_for(lines) for parent in fleet.model.lines[name].parents
        } & set(fleet.inputs)
        self.held = {name: fleet.inputs[name].number for name in self.names}
        self.size = fleet.inputs["gpus_per_system"].number if "gpus_per_system" in fleet.inputs else 1.0
        self.tunes = "run_tokens_of_data" in fleet.model.lines
        self.missing = -self.margin({})
        self.runs = fleet.runs
        most = fleet.raw("max_concurrency") if "max_concurrency" in fleet.model.lines else None
        self.most_in_flight = 0.0 if most is None else float(np.max(most))
        self.spans = "scale_out" not in fleet.inputs or fleet.inputs["scale_out"].number > 0

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
        for change in TRAINING if self.trains else self._serving():
            if change.values.get("context_parallel", 0) > self.size:
                continue
            if change is QLORA and self.held.get("adapter_parameters", 0) == 0:
                yield from self._adapters() if self.tunes else ()
                continue
            values = {name: value for name, value in change.values.items() if self._eases(name, value)}
            if values:
                yield Change(change.words, values)

    def _serving(self) -> Iterator[Change]:
        """The search has tried fewer requests in flight unless their number is stated."""
        most = self.most_in_flight
        if 1 <= most < self.held.get("concurrency", 0):
            yield Change(f"{most:,.0f} request{'s' if most > 1 else ''} in flight", {"concurrency": most})
        for bits, words in WEIGHTS:
            word = next((word for word in words if word in self.runs), None)
            if word or not self.runs:
                told = f"weights in {bits}" + (f" (`precision: {word}`)" if word else "")
                yield Change(told, {"bytes_per_parameter": bytes_per_parameter(word or words[0]).number})
            if bits == "8 bit":
                yield CACHE
        yield WHOLE

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
                return f"{change.words}{self._freed(margin)}"
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
        taken = self._needed(taken, {})
        return f"{_listed(taken)} together{self._freed(self._margin_of(taken))}"

    def _freed(self, margin: float) -> str:
        """What a change frees on a GPU; empty where the host's memory is what is missing."""
        freed = self.missing + margin
        return f" ({freed:,.1f} GiB less on each GPU)" if math.isfinite(freed) else ""

    def _needed(self, taken: list[Change], also: Numbers) -> list[Change]:
        """Without those that it can do without."""
        for change in reversed(taken):
            rest = [one for one in taken if one is not change]
            taken = rest if self._margin_of(rest, also) >= 0 else taken
        return taken

    def _margin_of(self, changes: list[Change], also: Numbers | None = None) -> float:
        return self.margin({**(also or {}), **_values(changes)})

    def more_gpus(self) -> str:
        """The fewest GPUs, in whole systems, over which it fits."""
        count = self._fewest({})
        return self._told(count) if count else ""

    def more_and_changed(self) -> str:
        """Fewer GPUs than alone are enough when it is changed as well."""
        every = list[Change]()
        for change in self.changes():
            if self._margin_of([*every, change]) > self._margin_of(every):
                every.append(change)
        alone, count = self._fewest({}), self._fewest(_values(every))
        if not count or not every or (alone and count >= alone):
            return ""
        taken = self._needed(every, {self.axis: count})
        return f"{_listed(taken)} and {self._told(count)}"

    def _fewest(self, changed: Numbers) -> float:
        """More GPUs than now that are enough; 0 when none are."""
        if self.axis not in self.held or self.held.get("partitions", 1.0) > 1:
            return 0.0
        counts = self._counts().reshape(-1, 1)
        enough = counts[:, 0][self.all_margins({**changed, self.axis: counts}) >= 0]
        more = enough[enough > self.held[self.axis]]
        return float(more[0]) if more.size else 0.0

    def _told(self, count: float) -> str:
        return f"{count:,.0f} GPUs{self._place(count)} instead of {self.held[self.axis]:,.0f}"

    def _counts(self) -> NDArray[np.float64]:
        """Whole systems that hold whole copies; for a replica the sizes that engines divide layers by."""
        if not self.trains:
            return np.unique([self.size, *(2.0**power for power in range(REPLICA))])
        copy = self.held.get("tensor_parallel", 1.0) * self.held.get("pipeline_parallel", 1.0)
        return np.arange(1, MOST + 1, dtype=float) * math.lcm(max(round(self.size), 1), max(round(copy), 1))

    def _place(self, gpus: float) -> str:
        """Where so many GPUs are: a replica stays inside a system, a run may span several that are networked."""
        if gpus <= self.size:
            return ""
        if not self.trains:
            return f" in a system of {gpus:,.0f}"
        network = "" if self.spans else ", with a network between them"
        return f" ({gpus / self.size:,.0f} systems{network})" if self.size > 1 or network else ""


def _values(changes: list[Change]) -> dict[str, float]:
    return {name: value for change in changes for name, value in change.values.items()}


def _listed(changes: list[Change]) -> str:
    return ", ".join(change.words for change in changes)
