"""Which importer reads a benchmark's result, by the name of its form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tco.importing.aiconfigurator import from_aiconfigurator
from tco.importing.inferencex import from_inferencex
from tco.importing.measurement import Measurement
from tco.importing.mlperf import Conditions, from_mlperf
from tco.importing.source import ImportRefused
from tco.importing.vllm import measured_from_vllm


def measured(
    form: str, file: Path, where: Sequence[str], precision: str | None, given: Mapping[str, Any]
) -> Measurement:
    """The measurement in one row of a file. Raises ImportRefused."""
    picked = dict(_pair(one) for one in where)
    if form == "vllm":
        return measured_from_vllm(file, precision)
    if form == "inferencex":
        return from_inferencex(file, picked, given["gpus_per_system"])
    if form == "aiconfigurator":
        return from_aiconfigurator(file, picked, given["gpus_per_system"], precision)
    conditions = Conditions(given["lengths_in"], given["lengths_out"], given["concurrency"])
    return from_mlperf(file, picked, conditions, precision)


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise ImportRefused(f"--where `{text}`: write it as COLUMN=VALUE")
    return name.strip(), value.strip()
