"""Measured rows joined with the catalogue's parts and models, in base units."""

# pyright: basic, reportArgumentType=false, reportReturnType=false, reportAttributeAccessIssue=false, reportCallIssue=false
from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from tco.catalogue import catalogue

ROWS = Path(__file__).parent / "rows"
ONE_STREAM = ("llama.cpp", "mlx", "compiled", "eager")
DATACENTRE = ("hopper", "blackwell", "ampere", "cdna", "pcie-datacenter", "old-datacenter")
SLOW_LINK = 300  # GB/s a GPU, both directions: below are PCIe cards and network-attached chips
IMPLAUSIBLE = {("gb200-gpu", "qwen3-32b"): 0.05}  # five times the time per token at 16 streams as at one


def parts() -> pd.DataFrame:
    """Memory (GiB), bandwidth (GB/s), dense rates (TFLOP/s) and link (GB/s) of every part of the rows."""
    classes = pd.read_csv(ROWS / "hardware_ids.csv").drop_duplicates("part").set_index("part").hardware_class
    names = ("gpu_memory", "gpu_bandwidth", "rate_bf16", "rate_fp8", "rate_fp4", "link_bandwidth")
    table = {
        entry.id: [float(entry.figures[name].value) if name in entry.figures else 0.0 for name in names]
        for entry in catalogue().entries("accelerators")
    }
    for extra in pd.read_csv(ROWS / "extra_parts.csv").itertuples():
        rates = (extra.rate_bf16_TFLOPs, extra.rate_fp8_TFLOPs, 0.0)
        table[extra.id] = [extra.gpu_memory_GiB, extra.gpu_bandwidth_GBps, *rates, extra.link_bandwidth_GBps]
    frame = pd.DataFrame.from_dict(table, orient="index", columns=pd.Index(names))
    return frame.join(classes.rename("hardware"))


def attention_flops(entry: Any) -> tuple[float, float]:
    """FLOPs a pair of query and cached token, in prefill and in decoding (latent attention absorbs its matrices)."""
    value = {name: float(figure.value) for name, figure in entry.figures.items()}
    heads, elements = value.get("heads", 0.0), value["kv_elements"]
    if not heads:
        flat = 4 * value["layers"] * value["hidden_size"]
        return flat, flat
    if entry.texts.get("attention") == "mla":
        return 3.33 * value["layers"] * heads * value["head_dim"], 3.78 * elements * heads
    grouped = 2 * elements * heads / value.get("kv_heads", heads)
    return grouped, grouped


def models() -> pd.DataFrame:
    """Architecture of every model of the rows."""
    names = ["parameters", "active_parameters", "layers", "hidden_size", "kv_elements", "window_elements"]
    names += ["attention_window", "kv_shards", "experts", "experts_per_token"]
    default = {"kv_shards": 8.0, "experts": 1.0, "experts_per_token": 1.0}
    table: dict[str, list[float]] = {}
    for entry in catalogue().entries("models"):
        values = [float(entry.figures[n].value) if n in entry.figures else default.get(n, 0.0) for n in names]
        table[entry.id] = [*values, *attention_flops(entry)]
    for x in pd.read_csv(ROWS / "extra_models.csv").itertuples():
        shape = [x.parameters_G, x.active_parameters_G, x.layers, x.hidden_size, x.kv_elements, 0.0, 0.0]
        table[x.id] = [*shape, x.kv_shards, x.experts, x.experts_per_token, x.attention_flops, x.attention_flops]
    return pd.DataFrame.from_dict(
        table, orient="index", columns=pd.Index([*names, "attention_flops", "decode_attention_flops"])
    )


def joined(name: str) -> pd.DataFrame:
    """Rows of a file with the columns of their part and model, and the levels of the factors."""
    rows = pd.read_csv(ROWS / name, keep_default_na=True)
    rows = rows.join(parts(), on="part").join(models(), on="model").reset_index(drop=True)
    rows["precision"] = rows.precision.replace({"bf16": "fp16"})
    rows["family"] = rows.part + "|" + rows.model + "|" + rows.precision
    rows["kind"] = np.where(rows.experts > 1, "mixture", "dense")
    rows["link"] = np.where(rows.link_bandwidth > SLOW_LINK, "fast", "slow")
    newest = np.where(rows.rate_fp8 > 0, "with-fp8", "16-bit")
    rows["generation"] = np.where(rows.rate_fp4 > 0, "with-fp4", newest)
    return rows


def peak(rows: pd.DataFrame, weight_only: Any) -> Any:
    """TFLOP/s at which the matrices really run: a precision without native rate, or weight-only, runs wider."""
    rate = np.where((rows.precision == "fp8") & (rows.rate_fp8 > 0), rows.rate_fp8, rows.rate_bf16)
    four = np.where(rows.rate_fp4 > 0, rows.rate_fp4, np.where(rows.rate_fp8 > 0, rows.rate_fp8, rows.rate_bf16))
    mxfp4 = (rows.get("weights", "") == "mxfp4") & (rows.rate_fp4 <= 0)
    rate = np.where(rows.precision == "fp4", np.where(mxfp4, rows.rate_bf16, four), rate)
    return np.where(weight_only, rows.rate_bf16, rate)


def inference() -> pd.DataFrame:
    """Rows of inference with the engine, where none is stated the default class of the hardware."""
    rows = joined("inference.csv")
    default = np.where(rows.hardware.isin(DATACENTRE), "tensorrt-llm", "vllm")
    rows["engine"] = np.where(rows.engine == "unstated", default, rows.engine)
    rows["peak"] = peak(rows, rows.engine.isin(ONE_STREAM))
    return rows


def training() -> pd.DataFrame:
    """Rows of training: tokens a second and GPU."""
    rows = joined("training.csv")
    rows["precision"] = rows.precision.replace({"fp4/fp8": "fp4"})
    rows["peak"] = peak(rows, False)
    rows["offloading"] = np.where(rows.offload == 1, "to-host", "none")
    dense = rows.parameters_G.notna()
    rows["active_parameters"] = np.where(dense, rows.parameters_G, rows.active_parameters)
    return rows


def base_units(rows: pd.DataFrame) -> dict[str, Any]:
    """Arrays for `prediction.py`."""
    giga = ("parameters", "active_parameters")
    plain = ["layers", "hidden_size", "kv_elements", "window_elements", "attention_window", "kv_shards"]
    plain += ["experts", "experts_per_token", "attention_flops", "decode_attention_flops", "gpus"]
    value: dict[str, Any] = {name: rows[name].to_numpy(float) for name in plain}
    value |= {name: rows[name].to_numpy(float) * 1e9 for name in giga}
    value["bandwidth"] = rows.gpu_bandwidth.to_numpy(float) * 1e9
    value["link_bandwidth"] = np.maximum(rows.link_bandwidth.to_numpy(float), 16) * 1e9
    value["memory"] = rows.gpu_memory.to_numpy(float) * 2**30
    value["rate_16_bit"] = rows.rate_bf16.to_numpy(float) * 1e12
    value["peak_rate"] = rows.peak.to_numpy(float) * 1e12
    return value


def inference_arrays(rows: pd.DataFrame) -> dict[str, Any]:
    """Arrays of inference; the concurrency of rows at the greatest load is unknown (NaN)."""
    value = base_units(rows)
    for name in ("weight_bytes", "kv_bytes", "stages", "attention_ways", "mean_context", "concurrency"):
        value[name] = rows[name].to_numpy(float)
    value["input_tokens"] = np.nan_to_num(rows.input_tokens.to_numpy(float), nan=100.0)
    output = np.nan_to_num(rows.output_tokens.to_numpy(float), nan=100.0)
    value["output_tokens"] = np.where(output > 0, output, 1.0)
    value["one_stream"] = rows.engine.isin(ONE_STREAM).to_numpy()
    value["first_target"] = rows.target_first.to_numpy(float) / 1e3
    value["token_target"] = rows.target_token.to_numpy(float) / 1e3
    value["quantity"] = rows.quantity.to_numpy()
    return value


def training_arrays(rows: pd.DataFrame) -> dict[str, Any]:
    """Arrays of training; adapters need no weight gradients, quantised ones recompute."""
    value = base_units(rows)
    value["flops_per_parameter"] = np.where(rows.method == "full", 6.0, 4.0)
    value["sequence"] = rows.sequence.to_numpy(float)
    value["recomputed_share"] = rows.recomputed_share.to_numpy(float)
    value["tokens_per_gpu_step"] = np.nan_to_num(rows.tokens_per_gpu_step.to_numpy(float), nan=1e9)
    value["gathered_bytes_per_token"] = rows.gathered_bytes_per_token.to_numpy(float)
    return value
