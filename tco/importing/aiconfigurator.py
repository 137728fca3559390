"""AIConfigurator results: predictions of another model, taken as such."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tco.importing.measurement import Measurement, precision_of
from tco.importing.numbers import Record, pick
from tco.importing.rows import csv_records
from tco.importing.source import refuse

NEAR = 0.05
SHOWN = ("model", "system", "backend", "isl", "osl", "concurrency", "tp", "pp", "gemm")


def from_aiconfigurator(
    path: str | Path,
    where: Mapping[str, str] | None = None,
    gpus_per_system: int | None = None,
    precision: str | None = None,
    read_on: str | None = None,
) -> Measurement:
    """One row of a results CSV; disaggregated rows carry `(d)` before the columns of their decoders.

    The source says that it is a prediction. Raises ImportRefused.
    """
    records, source = csv_records(Path(path), read_on)
    row = pick(source.name, records, where or {}, SHOWN)
    gpus = row.whole("num_total_gpus", "GPUs of the configuration")
    rate, concurrency = _rate(row, gpus), row.number("concurrency", "requests at a time")
    if gpus_per_system is not None and (gpus_per_system < 1 or gpus_per_system % gpus):
        refuse(row.file, f"{row.place}uses {gpus} GPUs, which do not divide a system of {gpus_per_system}; "
                         "choose a row that does")  # fmt: skip
    replicas = (gpus_per_system or gpus) / gpus
    told = ", ".join(
        f"{key}={row.word(key)}" for key in ("model", "system", "backend", "version", "parallel") if row.word(key)
    )
    return Measurement(
        output=rate * replicas,
        input_tokens=row.number("isl", "input tokens a request", above=-1),
        output_tokens=row.number("osl", "output tokens a request"),
        concurrency=concurrency * replicas,
        precision=_precision(row, precision),
        source=f"AIConfigurator, a prediction and not a measurement; {row.place}{told}; {source}",
        notes=(f"{replicas:g} x the {gpus} GPUs of the row in a system",),
    )


def _rate(row: Record, gpus: int) -> float:
    """Output rate of all GPUs; the rate of one GPU and that of one user must agree with it."""
    rate = row.optional("tokens/s", 0)
    each = row.optional("tokens/s/gpu", 0)
    if rate is None:
        rate = row.number("tokens/s/gpu", "output token/s per GPU") * gpus
    elif each is not None and abs(each * gpus - rate) > NEAR * rate:
        refuse(row.file, f"{row.place}`tokens/s` {rate:g} is not {gpus} GPUs x `tokens/s/gpu` {each:g}; "
                         "choose a row whose rates add up")  # fmt: skip
    requests, length = row.optional("seq/s", 0), row.optional("osl", 0)
    if requests and length and not abs(requests * length / rate - 1) < NEAR:
        refuse(row.file, f"{row.place}`tokens/s` {rate:g} is not `seq/s` {requests:g} x `osl` {length:g}; "
                         "wanted the output rate")  # fmt: skip
    return rate


def _precision(row: Record, stated: str | None) -> str:
    dense, experts = row.word("gemm", "(d)gemm"), row.word("moe", "(d)moe")
    if stated is None and experts and experts.lower() not in (dense.lower(), "none"):
        first, second = precision_of(row.file, None, dense), experts
        if precision_of(row.file, None, second) != first:
            refuse(
                row.file, f"{row.place}matrices run at {dense}, experts at {experts}; state the precision it counts as"
            )
    return precision_of(row.file, stated, dense)
