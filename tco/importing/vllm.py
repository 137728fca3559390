"""A vLLM serving benchmark: output, total and per-stream rates kept apart."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from tco.importing.measurement import Measurement, day_of, precision_of
from tco.importing.numbers import Record
from tco.importing.source import MEGABYTE, Source, parse_json, plain, read_text, refuse, source_of

LARGEST = 256 * MEGABYTE
NEAR = 0.01


@dataclass(frozen=True)
class ServingRun:
    """What a run measured on the whole system."""

    model: str
    output_rate: float
    total_rate: float
    input_tokens: float
    output_tokens: float
    streams_in_decode: float | None
    failed_share: float | None
    limit: float | None
    prompts: float | None
    precision: str
    as_of: str
    source: Source

    @property
    def concurrency(self) -> float | None:
        """Requests at a time: the limit when it was reached, else what rate and time per token imply."""
        reached = self.limit and not (self.prompts and self.limit > self.prompts)
        return self.limit if reached else self.streams_in_decode


def measured_from_vllm(path: str | Path, precision: str | None = None, read_on: str | None = None) -> Measurement:
    """A measurement for `measured:` from a result of `vllm bench serve`; the file does not say the precision.

    `measured_from_vllm("bench.json", "fp8").yaml` is the text to paste. Raises ImportRefused.
    """
    run = serving_run(path, read_on)
    if run.concurrency is None:
        refuse(
            run.source.name, "`max_concurrency` and `mean_tpot_ms` are missing; wanted how many requests ran at a time"
        )
    notes = [f"total rate {run.total_rate:.6g} token/s counts input too and is not the output rate"]
    if run.streams_in_decode is not None:
        notes.append(f"{run.streams_in_decode:.4g} requests in decoding (output rate x mean time per token)")
    if run.failed_share:
        notes.append(
            f"{run.failed_share:.2%} of the requests failed; state `workload.lost.failed` if users see the same"
        )
    return Measurement(
        output=run.output_rate,
        input_tokens=run.input_tokens,
        output_tokens=run.output_tokens,
        concurrency=run.concurrency,
        precision=precision_of(run.source.name, precision, run.precision),
        source=f"vLLM serving benchmark of {run.model}, whole server; {run.source}",
        as_of=run.as_of,
        notes=tuple(notes),
    )


def serving_run(path: str | Path, read_on: str | None = None) -> ServingRun:
    """Every rate of a run, totals checked against the stated rates. Raises ImportRefused."""
    path = Path(path)
    text, content = read_text(path, LARGEST)
    data: Any = parse_json(plain(path.name), text)
    if not isinstance(data, dict):
        refuse(plain(path.name), "is no object of one run; give one run's JSON")
    row = Record(plain(path.name), "", cast(dict[str, Any], data))
    duration = row.number("duration", "seconds")
    completed = row.number("completed", "how many requests were answered")
    tokens_in = row.number("total_input_tokens", "input tokens of all answered requests", above=-1)
    tokens_out = row.number("total_output_tokens", "output tokens of all answered requests")
    output, total = tokens_out / duration, (tokens_in + tokens_out) / duration
    _agrees(row, "output_throughput", output)
    _agrees(row, "total_token_throughput", total)
    return ServingRun(
        model=row.word("model_id") or "an unnamed model",
        output_rate=output,
        total_rate=total,
        input_tokens=tokens_in / completed,
        output_tokens=tokens_out / completed,
        streams_in_decode=_streams(row, output, completed),
        failed_share=_failed(row, completed),
        limit=row.optional("max_concurrency", 0),
        prompts=row.optional("num_prompts", 0),
        precision=row.word("precision", "quantization"),
        as_of=day_of(row.word("date")),
        source=source_of(path, content, read_on),
    )


def _agrees(row: Record, key: str, computed: float) -> None:
    stated = row.optional(key, 0)
    if stated is not None and abs(stated - computed) > NEAR * computed:
        refuse(
            row.file, f"`{key}` is {stated:g}, but tokens / `duration` make {computed:.6g}; give the file as written"
        )


def _streams(row: Record, output: float, completed: float) -> float | None:
    """Requests in decoding; far from what can be, the time per token is not in milliseconds."""
    each = row.optional("mean_tpot_ms", 0)
    if each is None:
        return None
    streams = output * each / 1000
    if not 0.02 <= streams <= 1.1 * completed:
        refuse(row.file, f"`mean_tpot_ms` of {each:g} makes {streams:.3g} requests at a time; wanted milliseconds")
    return streams


def _failed(row: Record, completed: float) -> float | None:
    prompts, failed = row.optional("num_prompts", 0), row.optional("failed", -1)
    if failed is None:
        failed = prompts - completed if prompts else None
    sent = prompts or (completed + failed if failed is not None else None)
    if failed is None or sent is None:
        return None
    if completed + failed > sent * (1 + NEAR):
        refuse(row.file, f"{completed:g} answered and {failed:g} failed are more than {sent:g} sent; correct the file")
    return failed / sent
