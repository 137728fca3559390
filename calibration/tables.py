"""Groups, errors, bands and files of the calibration."""

# pyright: basic, reportArgumentType=false, reportReturnType=false, reportAttributeAccessIssue=false, reportCallIssue=false
from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from calibration import bands
from calibration.bands import quantity_of
from calibration.data import DATACENTRE

HERE = Path(__file__).parent
AS_OF = "2026-11"
SOURCE = "fitted, calibration/README.md"
NEGLIGIBLE = 0.02  # effects below 2 % are left out of the file
UNCALIBRATED = "uncalibrated"
EXPERIMENTAL = "experimental"


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


def error_line(error: Any, seen: Any, family: pd.Series, mine: Any) -> dict[str, Any]:
    part = error[mine]
    line = {"rows": int(mine.sum()), "families": family[mine].nunique(), "median": np.median(part)}
    line |= {"p90": np.quantile(part, 0.9), "median_in_sample": np.median(seen[mine])}
    return line | {"p90_in_sample": np.quantile(seen[mine], 0.9)}


def error_table(rows: pd.DataFrame, group: pd.Series, unseen: Any, seen: Any, fold: Any) -> pd.DataFrame:
    """Median and P90 of absolute relative errors by group and quantity, coverage of the band, and dense serving."""
    measured, quantity = rows.value.to_numpy(float), quantity_of(rows)
    error, error_seen = np.abs(unseen / measured - 1), np.abs(seen / measured - 1)
    speed, usable = bands.speed_ratio(rows, unseen), ~group.str.startswith(EXPERIMENTAL).to_numpy()
    lines: list[dict[str, Any]] = []
    for name in sorted(set(group)):
        whole = (group == name).to_numpy()
        kinds = sorted(set(quantity[whole]))
        covered: list[float] = []
        for kind in kinds:
            same = usable & (quantity == kind).to_numpy()
            mine = whole & (quantity == kind).to_numpy()
            known = usable[mine].any()
            covered.append(bands.coverage(speed, rows.family.to_numpy(), fold, mine, same) if known else np.nan)
            line = {"group": name, "quantity": kind} | error_line(error, error_seen, rows.family, mine)
            lines.append(line | {"coverage_80": covered[-1]})
        if len(kinds) > 1:
            sizes = [int((whole & (quantity == kind)).sum()) for kind in kinds]
            line = {"group": name, "quantity": "all"} | error_line(error, error_seen, rows.family, whole)
            lines.append(line | {"coverage_80": float(np.average(covered, weights=sizes))})
    dense = group.str.startswith("datacentre dense").to_numpy()
    if dense.any():
        rest = group[dense].iloc[0].partition(",")
        name = {"group": f"all datacentre dense serving{rest[1]}{rest[2]}", "quantity": "all"}
        lines.append(name | error_line(error, error_seen, rows.family, dense))
    return pd.DataFrame(lines).round(3)


def class_table(rows: pd.DataFrame, group: pd.Series, unseen: Any, seen: Any) -> pd.DataFrame:
    """The same where a row's whole class of hardware was left out; what counts as families are the classes."""
    quantity, hardware = quantity_of(rows), rows.hardware
    error, error_seen = (np.abs(values / rows.value.to_numpy(float) - 1) for values in (unseen, seen))
    speed, usable = bands.speed_ratio(rows, unseen), ~group.str.startswith(EXPERIMENTAL).to_numpy()
    lines: list[dict[str, Any]] = []
    for kind in sorted(set(quantity)):
        mine = usable & (quantity == kind).to_numpy()
        line = {"group": "hardware class left out", "quantity": kind} | error_line(error, error_seen, hardware, mine)
        lines.append(line | {"coverage_80": bands.class_coverage(speed, hardware.to_numpy(), mine)})
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


def band_rows(name: str, kind: str, ends: tuple[float, float], note: str) -> list[dict[str, Any]]:
    """Both ends as measured over predicted of the quantity itself: a slow time is a long one."""
    low, high = (-ends[1], -ends[0]) if "time" in kind else ends
    identity, figure = "band-" + name.replace(" ", "-").replace("/", "-"), kind.replace(" ", "_") + "_error_"
    told = f"measured over predicted, 80 % of unseen rows; {note}"
    pairs = (("low", low), ("high", high))
    return [row_of(identity, figure + side, float(np.exp(value)), "", "derived", told) for side, value in pairs]


def band_table(rows: pd.DataFrame, group: pd.Series, unseen: Any, strange: Any) -> pd.DataFrame:
    """The 80 % band of every group and quantity, and by quantity that of hardware without measured relatives."""
    speed, far = bands.speed_ratio(rows, unseen), bands.speed_ratio(rows, strange)
    family, hardware = rows.family.to_numpy(), rows.hardware.to_numpy()
    usable, quantity = ~group.str.startswith(EXPERIMENTAL).to_numpy(), quantity_of(rows)
    lines: list[dict[str, Any]] = []
    widest: dict[str, tuple[float, float]] = {}
    for name, kind in sorted(set(zip(group[usable], quantity[usable], strict=True))):
        same = usable & (quantity == kind).to_numpy()
        mine = same & (group == name).to_numpy()
        note = f"{mine.sum()} rows of {len(set(family[mine]))} families"
        ends = bands.band_of(speed, family, mine, same)
        widest[kind] = bands.around(widest.get(kind, ends), ends)
        lines += band_rows(name, kind, ends, note)
    for kind, known in sorted(widest.items()):
        mine = usable & (quantity == kind).to_numpy()
        note = f"{len(set(hardware[mine]))} classes of hardware, each left out of the fit, and every band of a group"
        lines += band_rows(UNCALIBRATED, kind, bands.around(bands.class_band(far, hardware, mine), known), note)
    return pd.DataFrame(lines)


def left_out_table(rows: pd.DataFrame, fold: Any, unseen: Any, strange: Any) -> pd.DataFrame:
    """Every row as constants fitted without its family, and without its class of hardware, predict it."""
    frame = pd.DataFrame({"row": rows.row, "fold": fold})
    for name, values in (("without_family", unseen), ("without_class", strange)):
        frame[name] = [f"{value:.4g}" for value in values]
    return frame


def write(constants: pd.DataFrame, errors: pd.DataFrame, left_out: pd.DataFrame) -> None:
    constants.to_csv(HERE / "efficiency.csv", index=False)
    errors.to_csv(HERE / "errors.csv", index=False)
    left_out.to_csv(HERE / "left_out.csv", index=False)
