"""The fitted figures: a base value each, times one factor for every level of what a scenario states."""

# pyright: basic, reportArgumentType=false, reportReturnType=false, reportAttributeAccessIssue=false, reportCallIssue=false
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

JOIN = "+"


@dataclass(frozen=True)
class Figure:
    """A figure: unit, prior value and spread (log), spreads of its effects; exponents add, others multiply."""

    unit: str
    value: float
    spread: float
    effects: dict[str, float]
    exponent: bool = False
    ceiling: float = np.inf


def share(value: float, spread: float, effects: dict[str, float], ceiling: float = 1.0) -> Figure:
    """A share of a peak."""
    return Figure("", value, spread, effects, ceiling=ceiling)


BANDWIDTH = {"engine": 0.15, "hardware": 0.15, "precision": 0.1, "kind": 0.15}
BANDWIDTH |= {"hardware+precision": 0.1, "hardware+kind": 0.1, "hardware+engine": 0.1}
PREFILL = {"engine": 0.3, "hardware": 0.4, "precision": 0.3, "kind": 0.4, "hardware+generation": 0.25}
INFERENCE = {
    "decode_bandwidth_efficiency": share(0.75, 0.3, BANDWIDTH),
    "cache_bandwidth_efficiency": share(0.6, 0.4, {"engine": 0.2, "hardware": 0.15}),
    "decode_compute_efficiency": share(0.45, 0.5, {"engine": 0.25, "hardware": 0.3, "precision": 0.3, "kind": 0.3}),
    "decode_attention_efficiency": share(0.3, 0.5, {"hardware": 0.2}),
    "prefill_efficiency": share(0.5, 0.5, PREFILL, ceiling=3.0),
    "prefill_attention_efficiency": share(0.3, 0.5, {"engine": 0.3, "hardware": 0.3}),
    "layer_overhead": Figure("us/layer", 8, 1.0, {"engine": 0.6, "hardware": 0.5, "kind": 0.6, "precision": 0.2}),
    "step_overhead": Figure("ms", 0.5, 1.0, {"engine": 0.6, "hardware": 0.4}),
    "request_overhead": Figure("us/request", 5, 1.0, {"engine": 0.6, "kind": 0.3}),
    "link_latency": Figure("us", 10, 0.5, {"hardware": 0.4, "engine": 0.3, "link": 0.4}),
    "link_efficiency": share(0.5, 0.4, {"hardware": 0.3, "link": 0.3}, ceiling=2.0),
    "overlap_sharpness": Figure("", 3, 0.3, {}),
    "prefill_interference": Figure("", 1, 0.2, {"engine": 0.15}),
    "first_token_factor": Figure("", 1.3, 0.2, {"engine": 0.2}),
    "burst_share": Figure("", 0.1, 0.6, {"engine": 0.6, "kind": 0.4, "hardware": 0.2}),
    "first_token_fixed": Figure("ms", 40, 0.7, {"engine": 0.7, "kind": 0.4, "hardware": 0.3}),
    "burst_overhead": Figure("ms/request", 1, 1.0, {"engine": 0.7, "kind": 0.3}),
    "batch_limit": Figure("request/replica", 1000, 0.5, {"engine": 0.4}),
    "resident_output_share": Figure("", 0.6, 0.2, {}),
    "runtime_reserve": Figure("GiB/gpu", 3, 0.5, {}),
    "target_share": Figure("", 0.7, 0.3, {}),
    "target_output_share": Figure("", 0.9, 0.1, {}),
    "stage_gain": Figure("", 0.7, 0.3, {}),
    "size_exponent": Figure("", 0, 0.3, {"kind": 0.3}, exponent=True),
    "expert_width_exponent": Figure("", 0, 0.3, {}, exponent=True),
    "overhead_size_exponent": Figure("", 0, 0.4, {"kind": 0.3}, exponent=True),
}
WORK = {"framework": 0.3, "hardware": 0.3, "precision": 0.3, "kind": 0.4, "method": 0.15}
WORK |= {"kind+precision": 0.3, "hardware+precision": 0.2, "framework+precision": 0.2}
TRAINING = {
    "training_efficiency": share(0.5, 0.4, WORK, ceiling=np.inf),
    "training_attention_efficiency": share(0.4, 0.5, {"framework": 0.4, "hardware": 0.3}, ceiling=np.inf),
    "recompute_cost": Figure("", 1, 0.3, {"framework": 0.3}),
    "training_step_overhead": Figure("s/step", 0.03, 1.5, {"framework": 0.7, "method": 0.5}),
    "gather_link_efficiency": Figure("", 0.3, 0.5, {"offloading": 0.5}),
    "training_size_exponent": Figure("", 0, 0.2, {"kind": 0.15, "framework": 0.1}, exponent=True),
    "training_scale_exponent": Figure("", 0, 0.1, {"framework": 0.1}, exponent=True),
}
# matrices at 16 bit come nearer to their own peak than at fewer bits: prior means of effects
PRIOR = {("prefill_efficiency", "precision-fp16"): 0.25, ("decode_compute_efficiency", "precision-fp16"): 0.25}
PRIOR |= {("prefill_efficiency", "precision-fp4"): -0.2, ("decode_compute_efficiency", "precision-fp4"): -0.2}


def level_names(rows: pd.DataFrame, factor: str) -> np.ndarray:
    """Names such as `hardware-hopper+precision-fp8`."""
    names = [factor_name + "-" + rows[factor_name].astype(str) for factor_name in factor.split(JOIN)]
    joined = names[0]
    for name in names[1:]:
        joined = joined + JOIN + name
    return joined.to_numpy(str)


class Constants:
    """Base values and effects as one vector of parameters."""

    def __init__(self, rows: pd.DataFrame, figures: dict[str, Figure]):
        self.figures, self.names = figures, list(figures)
        self.labels: list[tuple[str, str]] = []
        spread: list[float] = []
        for name, figure in figures.items():
            self.labels.append((name, "base"))
            spread.append(figure.spread)
            for factor, effect_spread in figure.effects.items():
                levels = sorted(set(level_names(rows, factor)))
                self.labels += [(name, level) for level in levels]
                spread += [effect_spread] * len(levels)
        self.figure_of = np.array([self.names.index(name) for name, _ in self.labels])
        self.precision = 1 / np.array(spread) ** 2
        self.prior = np.array([PRIOR.get(label, 0.0) for label in self.labels])

    def masks(self, rows: pd.DataFrame) -> np.ndarray:
        """Which parameters act on which row."""
        known: dict[str, np.ndarray] = {}
        for figure in self.figures.values():
            for factor in figure.effects:
                if factor not in known:
                    known[factor] = level_names(rows, factor)
        masks = np.zeros((len(rows), len(self.labels)), bool)
        for column, (_, level) in enumerate(self.labels):
            factor = JOIN.join(part.split("-")[0] for part in level.split(JOIN))
            masks[:, column] = True if level == "base" else known[factor] == level
        return masks

    def values(self, parameters: np.ndarray, masks: np.ndarray) -> dict[str, Any]:
        """The figures of every row."""
        result: dict[str, Any] = {}
        for index, name in enumerate(self.names):
            figure, columns = self.figures[name], self.figure_of == index
            total = masks[:, columns] @ parameters[columns]
            result[name] = total if figure.exponent else np.minimum(figure.value * np.exp(total), figure.ceiling)
        return result
