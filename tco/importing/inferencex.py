"""InferenceX rows: seconds, rates per GPU, replicas of tp x pp x pcp GPUs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from tco.importing.measurement import Measurement, day_of, precision_of
from tco.importing.numbers import Record, pick
from tco.importing.rows import json_records
from tco.importing.source import Source, refuse

NEAR = 0.05
SHOWN = ("hw", "model", "framework", "precision", "isl", "osl", "conc", "tp", "pp", "ep")


def from_inferencex(
    path: str | Path,
    where: Mapping[str, str] | None = None,
    gpus_per_system: int | None = None,
    read_on: str | None = None,
) -> Measurement:
    """One row as a measurement of a system of `gpus_per_system` GPUs (else of the GPUs that the row used).

    `where` names columns and values that leave one row. Raises ImportRefused.
    """
    records, source = json_records(Path(path), read_on)
    row = pick(source.name, [_flat(record) for record in records], where or {}, SHOWN)
    if row.word("error"):
        refuse(row.file, f"{row.place}ended with an error ({row.word('error')}); choose a row that ran")
    gpus, producing = _gpus(row)
    rate = _output_rate(row, gpus, producing)
    concurrency = row.number("conc", "requests at a time")
    _in_seconds(row, rate, concurrency)
    replicas, note = _replicas(row, gpus, gpus_per_system)
    return Measurement(
        output=rate * replicas,
        input_tokens=row.number("isl", "input tokens a request", above=-1),
        output_tokens=row.number("osl", "output tokens a request"),
        concurrency=concurrency * replicas,
        precision=precision_of(row.file, None, row.word("precision")),
        source=_told(row, source),
        as_of=day_of(row.word("date")),
        notes=(note, "isl and osl are what the run asked for; its requests may be up to a fifth shorter"),
    )


def _flat(record: Record) -> Record:
    """Rows of the dump keep their rates in `metrics`; a row that names its config by number is no condition."""
    metrics: Any = record.values.get("metrics")
    flat = {**record.values, **cast(dict[str, Any], metrics)} if isinstance(metrics, dict) else dict(record.values)
    if "config_id" in flat and "tp" not in flat and "prefill_tp" not in flat:
        refuse(record.file, f"{record.place}`config_id` points into configs.json; join the two so that hw, tp and "
                            "precision stand in the row")  # fmt: skip
    return Record(record.file, record.place, flat)


def _gpus(row: Record) -> tuple[int, int]:
    """GPUs of the run, and those that produce output when prefill runs apart."""
    if row.values.get("disagg") in (True, "true", "True"):
        prefill, decode = (row.whole(key, "GPUs of that role") for key in ("num_prefill_gpu", "num_decode_gpu"))
        return prefill + decode, decode
    gpus = row.whole("tp", "tensor-parallel GPUs") * row.whole("pp", "", 1) * row.whole("pcp_size", "", 1)
    return gpus, gpus


def _output_rate(row: Record, gpus: int, producing: int) -> float:
    output = row.number("output_tput_per_gpu", "output token/s per GPU; `tput_per_gpu` counts input too") * producing
    total, given = row.optional("tput_per_gpu", 0), row.optional("input_tput_per_gpu", 0)
    expected = output + given * (gpus - producing or gpus) if given is not None else None
    if total is not None and expected is not None and abs(total * gpus - expected) > NEAR * expected:
        refuse(row.file, f"{row.place}`tput_per_gpu` {total:g} is not input plus output ({expected / gpus:.6g}); "
                         "choose a row whose rates add up")  # fmt: skip
    return output


def _in_seconds(row: Record, rate: float, concurrency: float) -> None:
    """Times are in seconds; a file whose header says (ms) holds seconds as well, so the size decides."""
    each = row.optional("mean_tpot", 0) or row.optional("median_tpot", 0)
    if each is None:
        return
    streams = rate * each
    if streams > 3 * concurrency:
        refuse(row.file, f"{row.place}time per token {each:g} s and {rate:.6g} token/s make {streams:.3g} requests at "
                         f"a time, not {concurrency:g}; wanted seconds, divide milliseconds by 1000")  # fmt: skip


def _replicas(row: Record, gpus: int, gpus_per_system: int | None) -> tuple[float, str]:
    if gpus_per_system is None:
        return 1.0, f"a system here is the {gpus} GPUs of the run"
    if gpus_per_system < 1 or gpus_per_system % gpus:
        refuse(row.file, f"{row.place}used {gpus} GPUs, which do not divide a system of {gpus_per_system}; "
                         "choose a row that does")  # fmt: skip
    return gpus_per_system / gpus, f"{gpus_per_system // gpus} replicas of {gpus} GPUs in a system of {gpus_per_system}"


def _told(row: Record, source: Source) -> str:
    parts = [
        f"{key}={row.word(key)}" for key in ("hw", "model", "framework", "image", "tp", "pp", "ep") if row.word(key)
    ]
    return f"InferenceX {row.place}{', '.join(parts)}; {source}"
