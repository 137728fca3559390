"""Training runs as scenarios: what a run is, in words and numbers, to what the engine says of its speed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tco.result import FleetResult
from tco.session import loads

TEXT = """\
format: 1
title: A training run
as_of: 2026-11-01
currency: USD
timeline: {{start: 2027-01, horizon: 1 yr, step: year}}
workload: {{kind: {kind}, batch: {batch!r} token/step, sequence: {sequence:g} token, {work}}}
finance: {{discount_rate: 8 %}}
fleets:
  - id: run
    rent: {{gpu: {gpu}, gpus: {size}, price: 2 USD/gpu/h}}
    precision: {precision}
    count: {count}
    {more}
"""
UNITS = {
    "parameters": "Gparameter", "active_parameters": "Gparameter", "layers": "layer",
    "hidden_size": "element/token", "vocabulary": "element/token", "gathered_bytes": "byte/parameter",
    "attention_flops": "FLOP/token^2", "kv_elements": "element/token", "peak_rate": "TFLOP/s/gpu",
    "measured_token_rate": "token/s/gpu", "host_memory": "GB/system",
}  # fmt: skip


@dataclass
class Run:
    """A run on a fixed number of GPUs; `inputs` in the units above, `deployment` in the scenario's words."""

    gpu: str
    gpus: int
    precision: str
    sequence: float
    batch: float
    model: str = ""
    framework: str = ""
    method: str = "full"
    inputs: Mapping[str, float] = field(default_factory=dict[str, float])
    deployment: Mapping[str, str] = field(default_factory=dict[str, str])

    def text(self) -> str:
        """The scenario."""
        adapts = self.method != "full"
        work = [f"model: {self.model}"] if self.model else []
        work += [f"method: {self.method}, rank: 16"] if adapts else []
        work += (
            ["dataset: 1 Gtoken, epochs: 1, jobs: 1 job/yr"] if adapts else ["tokens: 10000000 Gtoken, runs: 1 run/yr"]
        )
        inputs = {**self.inputs, "scale_out": 1.0}
        more = [f"framework: {self.framework}"] if self.framework else []
        more += [f"deployment: {{{', '.join(f'{key}: {value}' for key, value in self.deployment.items())}}}"]
        stated = [f"{key}: {value!r} {UNITS.get(key, '')}".strip() for key, value in inputs.items()]
        more += [f"inputs: {{{', '.join(stated)}}}"]
        size = next(size for size in (8, 4, 2, 1) if self.gpus % size == 0)
        return TEXT.format(
            kind="finetune" if adapts else "training", batch=float(self.batch), sequence=self.sequence,
            work=", ".join(work), gpu=self.gpu, size=size, precision=self.precision, count=self.gpus // size,
            more="\n    ".join(more),
        )  # fmt: skip

    def fleet(self) -> FleetResult:
        """The fleet, computed."""
        return loads(self.text()).run().fleets[0]

    def rate(self) -> float:
        """Tokens a second and GPU."""
        return number(self.fleet(), "gpu_token_rate")


def number(fleet: FleetResult, name: str) -> float:
    """A line that is one number."""
    value = fleet.raw(name)
    assert value is not None, f"{name}: {fleet.reason(name)}"
    return float(value)  # type: ignore[arg-type]
