"""Fit the constants, cross-validate by family and by class of hardware, estimate the bands; writes the tables.

Run from the project's root: `python -m calibration.fit`. Deterministic, one process, about a minute.
"""

# pyright: basic, reportArgumentType=false, reportReturnType=false, reportAttributeAccessIssue=false, reportCallIssue=false
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from calibration import data, prediction, tables
from calibration.constants import INFERENCE, TRAINING, Constants

STEP = 0.01
LIMIT = 1.0  # log error beyond which the loss leans no further
FOLDS = 10
QUANTITY_WEIGHT = {"decode": 1.0, "prefill": 0.8, "tpot": 1.3, "ttft": 0.35, "ttft1": 0.3, "rate": 1.0}
# how far the loss leans from the log error (0) to the relative error that is judged (1)
LEAN = {"decode": 0.0, "prefill": 0.7, "tpot": 0.3, "ttft": 1.0, "ttft1": 0.7, "rate": 0.5}
TRAINING_LEAN = 0.6

Predict = Callable[[dict[str, Any], dict[str, Any]], Any]


def within_targets(row: dict[str, Any], constant: dict[str, Any], batch: Any) -> Any:
    """Mean times keep a margin to the targets, which are stated as 99th percentiles."""
    share = constant["target_share"]
    token = prediction.per_token_time(row, constant, batch) <= row["token_target"] * share
    return token & (prediction.first_token_time(row, constant, batch) <= row["first_target"] * share)


def batch_under_targets(row: dict[str, Any], constant: dict[str, Any], most: Any) -> Any:
    """The greatest batch within both targets, by bisection."""
    low, high = np.ones_like(most), most.copy()
    for _ in range(9):
        middle = np.sqrt(low * high)
        good = within_targets(row, constant, middle)
        low, high = np.where(good, middle, low), np.where(good, high, middle)
    return np.where(within_targets(row, constant, most), most, np.sqrt(low * high))


def batch_of(row: dict[str, Any], constant: dict[str, Any]) -> Any:
    """Requests in flight: as measured, bounded by memory, by the engine and by stated targets."""
    most = prediction.max_concurrency(row, constant)
    stated = np.minimum(row["concurrency"], np.where(row["one_stream"], np.inf, most))
    batch = np.maximum(np.where(np.isnan(row["concurrency"]), most, stated), 1.0)
    bound = np.flatnonzero(np.isfinite(row["token_target"]) & (row["quantity"] == "rate"))
    if len(bound):
        part = [{k: v[bound] for k, v in values.items()} for values in (row, constant)]
        batch[bound] = batch_under_targets(part[0], part[1], batch[bound])
    return batch


def predict_inference(row: dict[str, Any], constant: dict[str, Any]) -> Any:
    """The measured quantity of each row, in its unit (token/s or ms)."""
    batch = batch_of(row, constant)
    rate = prediction.output_rate(row, constant, batch)
    rate = rate * np.where(np.isfinite(row["token_target"]), constant["target_output_share"], 1)
    waiting = np.nan_to_num(prediction.queue_time(row, constant, batch))
    undisturbed = prediction.prefill_time(row, constant)
    by_quantity = {
        "decode": 1 / prediction.decode_step_time(row, constant, batch),
        "prefill": row["input_tokens"] / undisturbed,
        "tpot": 1e3 * prediction.per_token_time(row, constant, batch),
        "ttft": 1e3 * (prediction.first_token_time(row, constant, batch) + waiting),
        "ttft1": 1e3 * undisturbed,
        "rate": rate,
    }
    quantity = row["quantity"]
    return np.select([quantity == name for name in by_quantity], list(by_quantity.values()), np.nan)


def inference_weights(rows: pd.DataFrame) -> Any:
    """Many rows of one family count less than as many families; doubtful sources count little."""
    count = rows.groupby(["family", "quantity", "source"]).row.transform("size").to_numpy()
    weight = count**-0.6 * rows.quantity.map(QUANTITY_WEIGHT).to_numpy()
    weight = weight * np.where(rows.engine == "tensorrt-llm-old", 0.6, 1) * np.where(rows.source == "ix", 0.05, 1)
    weight = weight * np.where(rows.scenario.isin(["mlperf-server", "mlperf-interactive"]), 0.4, 1)
    for (part, model), share in data.IMPLAUSIBLE.items():
        weight = weight * np.where((rows.part == part) & (rows.model == model), share, 1)
    return weight / weight.mean()


def training_weights(rows: pd.DataFrame) -> Any:
    """Many rows of one family and framework count less."""
    weight = rows.groupby(["family", "framework"]).row.transform("size").to_numpy() ** -0.5
    return weight / weight.mean()


def leaning(error: Any, lean: Any) -> tuple[Any, Any]:
    """A log error stretched where the prediction is too high, as relative errors are, and its derivative."""
    bounded = np.clip(error, -LIMIT, LIMIT)
    slope = np.exp(lean * bounded)
    straight = np.where(lean > 0, (slope - 1) / np.where(lean > 0, lean, 1), bounded)
    return straight + (error - bounded) * slope, slope


@dataclass(frozen=True)
class Way:
    """How a study fits: strength of the prior, log error below which the loss turns square, lean of the loss."""

    prior: float
    smooth: float
    lean: Callable[[pd.DataFrame], Any]


class Study:
    """Rows of one kind with their arrays, weights and prediction."""

    def __init__(self, rows: pd.DataFrame, arrays: Any, predict: Predict, weights: Any, figures: Any, way: Way):
        self.rows, self.arrays, self.predict, self.weigh = rows, arrays, predict, weights
        self.figures, self.way = figures, way
        self.constants = Constants(rows, figures)

    def predicted(self, parameters: Any, rows: pd.DataFrame) -> Any:
        values = self.constants.values(parameters, self.constants.masks(rows))
        return self.predict(self.arrays(rows), values)

    def slopes(self, row: Any, values: Any, masks: Any, now: Any) -> Any:
        """Derivative of the log prediction by each parameter: one difference a figure."""
        columns = np.empty((len(now), len(self.constants.names)))
        for index, name in enumerate(self.constants.names):
            moved, additive = dict(values), self.figures[name].exponent
            moved[name] = values[name] + STEP if additive else values[name] * (1 + STEP)
            step = STEP if additive else np.log(1 + STEP)
            columns[:, index] = (np.log(self.predict(row, moved)) - now) / step
        return columns[:, self.constants.figure_of] * masks

    def fit(self, rows: pd.DataFrame) -> Any:
        """Damped Gauss-Newton on absolute errors, shrunk towards the prior."""
        row, masks, weight = self.arrays(rows), self.constants.masks(rows), self.weigh(rows)
        measured, shrink = np.log(rows.value.to_numpy(float)), self.way.prior * self.constants.precision
        prior, lean, smooth = self.constants.prior, self.way.lean(rows), self.way.smooth

        def loss(parameters: Any) -> tuple[float, Any, Any]:
            values = self.constants.values(parameters, masks)
            now = np.log(self.predict(row, values))
            error, _ = leaning(now - measured, lean)
            cost = (weight * (np.sqrt(error**2 + smooth**2) - smooth)).sum()
            return cost + (shrink * (parameters - prior) ** 2).sum() / 2, now, values

        parameters, damping = prior.copy(), 1e-2
        cost, now, values = loss(parameters)
        for _ in range(25):
            error, stretch = leaning(now - measured, lean)
            slope = self.slopes(row, values, masks, now) * stretch[:, None]
            importance = weight / np.sqrt(error**2 + smooth**2)
            matrix = (slope * importance[:, None]).T @ slope + np.diag(shrink)
            gradient = slope.T @ (importance * error) + shrink * (parameters - prior)
            before = cost
            for _ in range(8):
                move = np.linalg.solve(matrix + damping * np.diag(np.diag(matrix)), -gradient)
                trial = parameters + np.clip(move, -0.5, 0.5)
                cost, now, values = loss(trial)
                if cost < before:
                    break
                damping *= 4
            else:
                return parameters
            parameters, damping = trial, max(damping / 5, 1e-4)
            if before - cost < 1e-4 * before:
                break
        return parameters

    def folds(self) -> Any:
        """Whole families go into one fold."""
        families = sorted(set(self.rows.family))
        place = np.random.RandomState(1).permutation(len(families)) % FOLDS
        return self.rows.family.map(dict(zip(families, place, strict=True))).to_numpy()

    def classes(self) -> Any:
        """A class of hardware is a fold."""
        return self.rows.hardware.astype("category").cat.codes.to_numpy()

    def fitted_without(self, fold: Any) -> list[Any]:
        """Parameters without each fold."""
        return [self.fit(self.rows[fold != index].reset_index(drop=True)) for index in range(fold.max() + 1)]

    def left_out(self, fold: Any, fits: list[Any], relabel: Any = None) -> Any:
        """Every row predicted by constants fitted without its fold; `relabel` hides what is not stated."""
        result = np.full(len(self.rows), np.nan)
        for index, parameters in enumerate(fits):
            test = self.rows[fold == index].reset_index(drop=True)
            result[fold == index] = self.predicted(parameters, relabel(test) if relabel else test)
        return result


def inference_study() -> Study:
    rows, way = data.inference(), Way(1.3, 0.15, lambda rows: rows.quantity.map(LEAN).to_numpy(float))
    return Study(rows, data.inference_arrays, predict_inference, inference_weights, INFERENCE, way)


def training_study() -> Study:
    rows, way = data.training(), Way(1.0, 0.12, lambda rows: np.full(len(rows), TRAINING_LEAN))
    return Study(rows, data.training_arrays, prediction.training_rate, training_weights, TRAINING, way)


def default_engine(rows: pd.DataFrame) -> pd.DataFrame:
    """As when no engine is stated: llama.cpp for one stream off the data centre, else vllm."""
    alone = rows.quantity.isin(["decode", "prefill", "ttft1"]) & ~rows.hardware.isin(data.DATACENTRE)
    return rows.assign(engine=np.where(alone, "llama.cpp", "vllm"))


def main() -> None:
    frames: list[pd.DataFrame] = []
    errors: list[pd.DataFrame] = []
    rows: list[pd.DataFrame] = []
    for study, groups, hide, label in (
        (inference_study(), tables.inference_groups, default_engine, "engine"),
        (training_study(), tables.training_groups, lambda r: r.assign(framework="unstated"), "framework"),
    ):
        parameters, group = study.fit(study.rows), groups(study.rows)
        fold, classes = study.folds(), study.classes()
        fits = study.fitted_without(fold)
        unseen, hidden = study.left_out(fold, fits), study.left_out(fold, fits, hide)
        strange = study.left_out(classes, study.fitted_without(classes))
        seen = study.predicted(parameters, study.rows)
        errors.append(tables.error_table(study.rows, group, unseen, seen, fold))
        errors.append(tables.error_table(study.rows, group + f", {label} unstated", hidden, hidden, fold))
        errors.append(tables.class_table(study.rows, group, strange, seen))
        frames.append(tables.constants_table(study, parameters))
        frames.append(tables.band_table(study.rows, group, unseen, strange))
        rows.append(tables.left_out_table(study.rows, fold, unseen, strange))
    tables.write(pd.concat(frames), pd.concat(errors), pd.concat(rows))


if __name__ == "__main__":
    main()
