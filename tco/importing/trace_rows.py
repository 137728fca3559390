"""Rows of a request trace, from CSV or JSON lines; bad ones are named, never dropped in silence."""

from __future__ import annotations

import csv
import hashlib
import itertools
import json
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from tco.importing.moments import Clock
from tco.importing.numbers import as_number
from tco.importing.source import Source, plain, refuse, today

MOST_BYTES = 1_000_000_000
MOST_ROWS = 5_000_000
LONGEST_LINE = 1_000_000
MOST_TOKENS = 1e8
ARRIVED = ("arrived_at", "arrival_time", "arrival", "timestamp", "time", "created_at", "request_time", "start_time",
           "arrived_at_ms", "timestamp_ms", "arrival_time_ms", "timestamp_s", "arrival_time_s")  # fmt: skip
INPUT = ("num_prefill_tokens", "input_tokens", "prompt_tokens", "contexttokens", "context_tokens", "input_length",
         "request tokens", "num_input_tokens", "prompt_len", "input_len")  # fmt: skip
OUTPUT = ("num_decode_tokens", "output_tokens", "completion_tokens", "generatedtokens", "generated_tokens",
          "output_length", "response tokens", "num_output_tokens", "output_len")  # fmt: skip


@dataclass
class Trace:
    """Arrivals in seconds with tokens in and out, in the order of the file."""

    source: Source
    clock: Clock
    arrived: array[float] = field(default_factory=lambda: array("d"))
    tokens_in: array[float] = field(default_factory=lambda: array("d"))
    tokens_out: array[float] = field(default_factory=lambda: array("d"))
    lines: array[int] = field(default_factory=lambda: array("q"))


def read_trace(path: Path, time_unit: str | None = None, read_on: str | None = None) -> Trace:
    """Every request, or a refusal that names the rows that cannot be read."""
    name = plain(path.name)
    _check_size(path, name)
    digest = hashlib.sha256()
    rows = _rows(path, name, digest)
    first = next(rows, None)
    if first is None:
        refuse(name, "has no request; wanted rows with arrived_at, num_prefill_tokens, num_decode_tokens")
    columns = tuple(_column(name, first[1], names) for names in (ARRIVED, INPUT, OUTPUT))
    trace = Trace(Source(name, "", read_on or today()), Clock(name, columns[0].strip().lower(), time_unit))
    bad: list[str] = []
    count = 0
    for count, row in enumerate(itertools.chain([first], rows), 1):
        if count > MOST_ROWS:
            refuse(name, f"has more than {MOST_ROWS:,} requests; cut it to some weeks")
        _take(trace, row, columns, bad)
    wrong = count - len(trace.arrived)
    if wrong:
        refuse(name, [*bad, f"{wrong:,} of {count:,} rows are wrong: correct or remove them"])
    trace.source = Source(name, digest.hexdigest(), read_on or today())
    return trace


def _check_size(path: Path, name: str) -> None:
    if not path.is_file():
        refuse(name, "is not a file: name an existing one")
    if path.stat().st_size > MOST_BYTES:
        refuse(name, f"is larger than {MOST_BYTES / 1e9:g} GB; cut it to some weeks")


def _take(trace: Trace, row: tuple[int, dict[str, Any]], columns: tuple[str, ...], bad: list[str]) -> None:
    line, values = row
    arrived = trace.clock.seconds(values.get(columns[0], ""))
    tokens = [as_number(values.get(column)) for column in columns[1:]]
    wrong = [] if arrived is not None and arrived >= 0 else [columns[0]]
    wrong += [
        column
        for column, number in zip(columns[1:], tokens, strict=True)
        if number is None or not 0 <= number <= MOST_TOKENS
    ]
    if wrong:
        if len(bad) < 10:
            told = ", ".join(
                f"`{plain(column)}` is {plain(values.get(column, 'missing'), 40) or 'empty'}" for column in wrong
            )
            bad.append(f"line {line}: {told}; wanted a time and numbers of tokens, not negative")
        return
    trace.arrived.append(cast(float, arrived))
    trace.tokens_in.append(cast(float, tokens[0]))
    trace.tokens_out.append(cast(float, tokens[1]))
    trace.lines.append(line)


def _column(name: str, values: dict[str, Any], names: tuple[str, ...]) -> str:
    known = {key.strip().lower(): key for key in values}
    found = [known[one] for one in names if one in known]
    if not found:
        there = ", ".join(plain(key, 40) for key in list(values)[:20])
        refuse(name, f"has no column `{names[0]}` ({', '.join(names[1:5])} …); there are {there}; rename the one meant")
    return found[0]


def _lines(path: Path, name: str, digest: Any) -> Iterator[str]:
    with path.open("rb") as file:
        number = 0
        while raw := file.readline(LONGEST_LINE + 1):
            number += 1
            if len(raw) > LONGEST_LINE:
                refuse(name, f"line {number} is longer than {LONGEST_LINE:,} bytes; give a trace without the texts")
            digest.update(raw)
            try:
                yield raw.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError:
                refuse(name, f"line {number} is not UTF-8: save it as UTF-8")


def _rows(path: Path, name: str, digest: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    lines = _lines(path, name, digest)
    if path.suffix.lower() in (".jsonl", ".ndjson", ".json"):
        yield from _json_rows(lines, name)
        return
    reader = csv.reader(lines, strict=True)
    try:
        header = next(reader, list[str]())
        for cells in reader:
            if cells and len(cells) != len(header):
                refuse(name, f"line {reader.line_num}: {len(cells)} cells where the header has {len(header)}")
            if cells:
                yield reader.line_num, dict(zip(header, cells, strict=True))
    except csv.Error as error:
        refuse(name, f"line {reader.line_num}: cannot be read as CSV ({error}); look for a quote without its end")


def _json_rows(lines: Iterator[str], name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row: Any = json.loads(line)
        except (ValueError, RecursionError):
            refuse(name, f"line {number} is not JSON; wanted one object a line")
        if not isinstance(row, dict):
            refuse(name, f"line {number} is no object; wanted one object a line")
        yield number, cast(dict[str, Any], row)
