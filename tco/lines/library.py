"""Which chapters a fleet takes."""

from __future__ import annotations

import functools
from importlib import import_module
from typing import Literal

from tco.declare import Chapter, chapter

Kind = Literal["inference", "training", "finetune"]
Payment = Literal["buy", "lease", "rent", "api"]

ALL = (
    "time", "demand", "machine", "partition", "memory", "speed", "speculation", "prefill", "bands",
    "training_states", "training_activations", "training_memory", "training", "failures", "goodput", "training_speed",
    "training_size", "size", "repairs", "service", "output", "training_output", "power", "electricity", "footprint",
    "capital", "operation", "site", "limits", "loan", "own", "rent", "lease", "api", "rate_limits", "depreciation",
    "mid_quarter", "tax", "results",
)  # fmt: skip

_OWNED = ("power", "electricity", "footprint", "site", "limits", "operation")

_TRAINING = (
    "machine", "training_states", "training_activations", "training_memory", "training", "failures", "goodput",
    "training_speed", "training_size", "size", "training_output",
)  # fmt: skip

_SERVING = (
    "demand", "machine", "partition", "memory", "speed", "speculation", "prefill", "bands", "size", "repairs",
    "service", "output",
)  # fmt: skip

_WORK: dict[str, tuple[str, ...]] = {
    "inference": _SERVING,
    "training": _TRAINING,
    "finetune": _TRAINING,
}
_PAY: dict[str, tuple[str, ...]] = {
    "buy": (*_OWNED, "capital", "loan", "own"),
    "lease": (*_OWNED, "own", "rent", "lease"),
    "rent": ("rent", "limits", "operation"),
}


@functools.cache
def load(name: str) -> Chapter:
    """One chapter by its module's name."""
    return chapter(import_module(f"tco.lines.{name}"))


def chapters(kind: Kind, payment: Payment, *, taxed: bool) -> list[Chapter]:
    """The chapters of a fleet, in reading order."""
    names: set[str] = {"time", "results", *({"tax"} if taxed else set())}
    names |= {"depreciation", "mid_quarter"} if taxed and payment in ("buy", "lease") else set()
    names |= (
        {"demand", "output", "api", "rate_limits", "operation"} if payment == "api" else {*_WORK[kind], *_PAY[payment]}
    )
    return [load(name) for name in ALL if name in names]


@functools.cache
def all_names() -> frozenset[str]:
    """Every line and input of the whole model, so that a name of another chapter is no misspelling."""
    return frozenset(name for part in ALL for name in (*load(part).givens, *load(part).lines))
