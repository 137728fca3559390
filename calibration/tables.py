"""Groups, errors, bands and files of the calibration."""

# pyright: basic, reportArgumentType=false, reportReturnType=false, reportAttributeAccessIssue=false, reportCallIssue=false
from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from calibration.data import DATACENTRE

HERE = Path(__file__).parent
AS_OF = "2026-11"
SOURCE = "fitted on the rows in calibration/rows"
NEGLIGIBLE = 0.02  # effects below 2 % are left out of the file
FEWEST = 8  # families below which a group takes the band of a wider one
QUANTITIES = {"decode": "decode rate", "prefill": "prefill rate", "ttft1": "prefill rate", "tpot": "time per token"}
QUANTITIES |= {"ttft": "first token time", "rate": "throughput"}


def inference_groups(rows: pd.DataFrame) -> Any:
    """The groups of the limits table."""
    datacentre = rows.hardware.isin(DATACENTRE)
    narrow = rows.precision.isin(["fp8", "fp4"])
    alone = np.where(rows.kind == "mixture", "mixture single stream", rows.hardware + " single stream")
    apple = np.where(rows.precision == "fp16", "apple 16-bit single stream", "apple 4-bit single stream")
    alone = np.where((rows.hardware == "apple") & (rows.kind == "dense"), apple, alone)
    alone = np.where(datacentre | (rows.engine == "eager"), "datacentre single stream", alone)
    prefill = np.where(rows.hardware == "workstation", "workstation prompt", "prompt")
    dense = np.where(narrow, "datacentre dense fp8/fp4 serving", "datacentre dense 16-bit serving")
    serving = np.where(rows.kind == "mixture", "datacentre mixture serving", dense)
    most = (rows.kind == "mixture") & (rows.hardware == "hopper") & rows.concurrency.isna()
    serving = np.where(most, "hopper mixture serving at greatest load", serving)
    serving = np.where(datacentre, serving, "consumer and workstation serving")
    serving = np.where(rows.source == "ix", "experimental sweep (hardly fitted)", serving)
    first = np.where(rows.source == "ix", "experimental sweep (hardly fitted)", rows.kind + " first token under load")
    one, prompt = rows.quantity == "decode", rows.quantity.isin(["prefill", "ttft1"])
    group = np.where(one, alone, np.where(prompt, prefill, np.where(rows.quantity == "ttft", first, serving)))
    return pd.Series(group, index=rows.index)


def training_groups(rows: pd.DataFrame) -> Any:
    """Full training of dense and of mixture models, and adapters."""
    full = np.where(rows.kind == "mixture", "mixture training", "dense training")
    gathered = (rows.gathered_bytes_per_token > 0) & (rows.link == "slow")
    adapters = np.where(gathered, "fine-tuning over pcie", "fine-tuning")
    return pd.Series(np.where(rows.method == "full", full, adapters), index=rows.index)


def quantity_of(rows: pd.DataFrame) -> pd.Series:
    return rows.quantity.map(QUANTITIES) if "quantity" in rows else pd.Series("training rate", index=rows.index)


def speed_ratio(rows: pd.DataFrame, ratio: Any) -> pd.Series:
    """Log of measured speed over predicted speed; a time counts upside down, so that groups can be pooled."""
    return pd.Series(np.where(quantity_of(rows).str.contains("time"), -1, 1) * np.asarray(ratio), index=rows.index)


def band_of(speed: pd.Series, family: pd.Series) -> tuple[float, float]:
    """10th and 90th percentile, families weighing by the root of their rows; wider where families are few."""
    count = family.groupby(family).transform("size").to_numpy(float)
    order = np.argsort(speed.to_numpy(), kind="stable")
    weight = (count**-0.5)[order]
    place = (np.cumsum(weight) - weight / 2) / weight.sum()
    tail = 0.1 * (1 - min(0.7, 4 / family.nunique()))
    low, high = np.interp([tail, 1 - tail], place, speed.to_numpy()[order])
    return float(low), float(high)


def band_pool(rows: pd.DataFrame, group: pd.Series, mine: Any, allowed: Any) -> Any:
    """The narrowest set with enough families: group and quantity, group, groups of a like name, quantity."""
    quantity, name = quantity_of(rows), group[mine].iloc[0]
    alike, same = group.str.startswith(name.split()[0]), quantity == quantity[mine].iloc[0]
    for pool in (mine, group == name, alike & same, same):
        pool = np.asarray(pool) & allowed
        if rows.family[pool].nunique() >= FEWEST:
            return pool
    return allowed


def coverage_of(rows: pd.DataFrame, group: pd.Series, mine: Any, speed: pd.Series, fold: Any, usable: Any) -> float:
    """Share of a group's rows inside the band that the rows of the other folds give."""
    inside = np.zeros(len(rows), bool)
    for index in set(fold[mine]):
        here = mine & (fold == index)
        pool = band_pool(rows, group, mine, usable & (fold != index))
        low, high = band_of(speed[pool], rows.family[pool])
        inside |= here & ((speed >= low) & (speed <= high)).to_numpy()
    return float(inside[mine].mean())


def error_line(error: Any, seen: Any, family: pd.Series, mine: Any) -> dict[str, Any]:
    part = error[mine]
    line = {"rows": int(mine.sum()), "families": family[mine].nunique(), "median": np.median(part)}
    line |= {"p90": np.quantile(part, 0.9), "median_in_sample": np.median(seen[mine])}
    return line | {"p90_in_sample": np.quantile(seen[mine], 0.9)}


def error_table(rows: pd.DataFrame, group: pd.Series, unseen: Any, seen: Any, fold: Any) -> pd.DataFrame:
    """Median and P90 of absolute relative errors by group and quantity, coverage of the band, and dense serving."""
    measured, quantity = rows.value.to_numpy(float), quantity_of(rows)
    error, error_seen = np.abs(unseen / measured - 1), np.abs(seen / measured - 1)
    speed, usable = speed_ratio(rows, np.log(measured / unseen)), ~group.str.startswith("experimental").to_numpy()
    lines: list[dict[str, Any]] = []
    for name in sorted(set(group)):
        whole = (group == name).to_numpy()
        kinds = sorted(set(quantity[whole]))
        covered: list[float] = []
        for kind in kinds:
            mine = whole & (quantity == kind).to_numpy()
            covered.append(coverage_of(rows, group, mine, speed, fold, usable) if usable[mine].any() else np.nan)
            line = {"group": name, "quantity": kind} | error_line(error, error_seen, rows.family, mine)
            lines.append(line | {"coverage_80": covered[-1]})
        if len(kinds) > 1:
            sizes = [int((whole & (quantity == kind)).sum()) for kind in kinds]
            line = {"group": name, "quantity": "all"} | error_line(error, error_seen, rows.family, whole)
            lines.append(line | {"coverage_80": float(np.average(covered, weights=sizes))})
    dense = group.str.startswith("datacentre dense").to_numpy()
    if dense.any():
        name = {"group": "all datacentre dense serving", "quantity": "all"}
        lines.append(name | error_line(error, error_seen, rows.family, dense))
    return pd.DataFrame(lines).round(3)


def row_of(identity: str, figure: str, value: float, unit: str, status: str, note: str) -> dict[str, Any]:
    text = f"{value:.4g}"
    fields = {"id": identity, "figure": figure, "value": text, "low": "", "high": "", "unit": unit, "as_of": AS_OF}
    return fields | {"source": SOURCE, "status": status, "note": note}


def constants_table(study: Any, parameters: Any) -> pd.DataFrame:
    """Base values, then factors; exponents are added instead."""
    count = study.constants.masks(study.rows).sum(axis=0)
    lines: list[dict[str, Any]] = []
    for index, (name, level) in enumerate(study.constants.labels):
        figure, effect = study.figures[name], float(parameters[index])
        note = "base" if level == "base" else ("added to the base" if figure.exponent else "factor on the base")
        if level == "base":
            value = effect if figure.exponent else figure.value * float(np.exp(effect))
            lines.append(row_of("base", name, value, figure.unit, "derived", note))
        elif abs(effect) >= NEGLIGIBLE:
            value = effect if figure.exponent else float(np.exp(effect))
            lines.append(row_of(level, name, value, "", "derived", f"{note}; {count[index]} rows"))
    return pd.DataFrame(lines)


def band_table(rows: pd.DataFrame, group: pd.Series, unseen: Any) -> pd.DataFrame:
    """The 80 % band of measured over predicted, by group and quantity."""
    speed = speed_ratio(rows, np.log(rows.value.to_numpy(float) / unseen))
    usable, quantity = ~group.str.startswith("experimental").to_numpy(), quantity_of(rows)
    lines: list[dict[str, Any]] = []
    for name, kind in sorted(set(zip(group[usable], quantity[usable], strict=True))):
        mine = ((group == name) & (quantity == kind)).to_numpy()
        pool = band_pool(rows, group, mine, usable)
        ends = band_of(speed[pool], rows.family[pool])
        low, high = (-ends[1], -ends[0]) if "time" in kind else ends
        note = f"measured over predicted, 80 % of unseen rows; {mine.sum()} rows, band from {pool.sum()}"
        for side, value in (("low", low), ("high", high)):
            figure = f"{kind.replace(' ', '_')}_error_{side}"
            lines.append(row_of("band-" + name.replace(" ", "-"), figure, float(np.exp(value)), "", "derived", note))
    return pd.DataFrame(lines)


def write(constants: pd.DataFrame, errors: pd.DataFrame) -> None:
    constants.to_csv(HERE / "efficiency.csv", index=False)
    errors.to_csv(HERE / "errors.csv", index=False)
