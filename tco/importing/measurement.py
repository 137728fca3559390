"""A measured throughput as the scenario's `measured:` mapping, with its conditions."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from tco.catalogue import first_day
from tco.errors import did_you_mean
from tco.importing.source import plain, refuse

PRECISIONS = ("fp32", "bf16", "fp16", "fp8", "int8", "fp4", "int4")
WORDS = {
    "float32": "fp32", "float": "fp32", "bfloat16": "bf16", "float16": "fp16", "half": "fp16", "mxfp4": "fp4",
    "nvfp4": "fp4", "fp8_block": "fp8", "fp8_static": "fp8", "fp8_e4m3": "fp8", "int8_wo": "int8", "int4_wo": "int4",
    "awq": "int4", "w4a16": "int4", "w8a8": "int8", "mxfp8": "fp8",
}  # fmt: skip


@dataclass(frozen=True)
class Measurement:
    """Rates of one system under stated conditions; `notes` are what a reader should know."""

    output: float
    input_tokens: float
    output_tokens: float
    concurrency: float
    precision: str
    source: str
    as_of: str = ""
    notes: tuple[str, ...] = ()

    @property
    def yaml(self) -> str:
        """To paste under a fleet."""
        lines = [f"# {note}" for note in self.notes]
        lines += [
            "measured:",
            f"  output: {self.output:.6g} token/s/system",
            f"  input: {self.input_tokens:.6g} token/request",
            f"  output_length: {self.output_tokens:.6g} token/request",
            f"  concurrency: {self.concurrency:.6g} request/system",
            f"  precision: {self.precision}",
            f"  source: {json.dumps(self.source, ensure_ascii=False)}",
        ]
        return "\n".join([*lines, *([f"  as_of: {self.as_of}"] if self.as_of else [])]) + "\n"


def precision_of(file: str, stated: str | None, found: str) -> str:
    """Our word for a number format: what the caller states, else what the row says. Raises ImportRefused."""
    text = stated or found
    if not text:
        refuse(file, f"does not say the precision; state the one it ran at ({', '.join(PRECISIONS)})")
    parts = {WORDS.get(part, part) for part in re.split(r"[\s,;/+]+", text.strip().lower()) if part}
    if len(parts) != 1 or not parts <= set(PRECISIONS):
        hint = did_you_mean(text.lower(), [*PRECISIONS, *WORDS])
        refuse(file, f"precision `{plain(text)}` is not one of {', '.join(PRECISIONS)}{hint}; state the one it ran at")
    return parts.pop()


def day_of(text: str) -> str:
    """A day from `20260901-101500`, `2026-09-01T10:15` or the like; empty when there is none."""
    found = re.match(r"\s*(\d{4})[-/]?(\d{2})[-/]?(\d{2})(?!\d)", text)
    day = "-".join(found.groups()) if found else ""
    return day if first_day(day) else ""
