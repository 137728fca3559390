"""MLPerf inference results: one row, closed and available unless asked, with the conditions the file lacks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tco.importing.measurement import Measurement, precision_of
from tco.importing.numbers import Record, pick
from tco.importing.rows import json_records
from tco.importing.source import refuse

TOKEN_UNITS = ("tokens/s", "tokens/sec", "tokens/second", "completed tokens/second", "completed tokens/s", "token/s")
KEPT_APART = {"Category": "closed", "Availability": "available"}
SHOWN = ("ID", "Submitter", "Model", "Scenario", "Accelerator", "a#", "Nodes", "Suite")


@dataclass(frozen=True)
class Conditions:
    """What a summary does not say of its data set and load."""

    input_tokens: float | None = None
    output_tokens: float | None = None
    concurrency: float | None = None


def from_mlperf(
    path: str | Path,
    where: Mapping[str, str] | None = None,
    conditions: Conditions | None = None,
    precision: str | None = None,
    read_on: str | None = None,
) -> Measurement:
    """One row of a `summary_results.json` as a measurement of one node.

    `where` names columns and values that leave one row; open or preview rows only when it says so. The file holds
    neither lengths nor concurrency: state them, or the row is refused. Raises ImportRefused.
    """
    records, source = json_records(Path(path), read_on)
    known = {key for record in records for key in record.values}
    asked = {**{key: value for key, value in KEPT_APART.items() if key in known}, **(where or {})}
    row = pick(source.name, records, asked, SHOWN)
    lengths, concurrency = _stated(row, conditions or Conditions())
    gpus, nodes, notes = _sizes(row)
    rate = _tokens(row)
    per_node = rate / gpus * row.whole("a#", "accelerators in a node")
    told = ", ".join(row.word(key) for key in ("ID", "Submitter", "System", "Model", "Scenario") if row.word(key))
    state = f"{row.word('Category') or 'category unknown'}, {row.word('Availability') or 'availability unknown'}"
    return Measurement(
        output=per_node,
        input_tokens=lengths[0],
        output_tokens=lengths[1],
        concurrency=concurrency,
        precision=precision_of(row.file, precision, row.word("weight_data_types")),
        source=f"MLPerf inference ({state}): {told}; {source}",
        notes=(f"a system is one of {nodes} node(s), {gpus:g} accelerators in all make {rate:.6g} token/s", *notes),
    )


def _stated(row: Record, given: Conditions) -> tuple[tuple[float, float], float]:
    asked = {"input": given.input_tokens, "output_length": given.output_tokens, "concurrency": given.concurrency}
    missing = [name for name, value in asked.items() if value is None]
    if missing:
        refuse(row.file, f"{row.place}MLPerf rows do not hold {', '.join(missing)}; state them from the rules of "
                         f"{row.word('Model') or 'the benchmark'} and the submitter's log")  # fmt: skip
    first, second, load = (float(value or 0) for value in asked.values())
    if first < 0 or second <= 0 or load <= 0:
        refuse(row.file, f"{row.place}output_length and concurrency must be above 0, input not below")
    return (first, second), load


def _tokens(row: Record) -> float:
    unit = row.word("Performance_Units")
    if unit.lower() not in TOKEN_UNITS:
        refuse(
            row.file, f"{row.place}`Performance_Units` is `{unit}`; wanted Tokens/s: queries and samples are no tokens"
        )
    return row.number("Performance_Result", "token/s")


def _sizes(row: Record) -> tuple[float, int, tuple[str, ...]]:
    """Accelerators of all nodes: as the platform's name says when the total disagrees with it."""
    nodes = row.whole("Nodes", "nodes of the system", 1)
    each = row.whole("a#", "accelerators in a node")
    total = row.optional("Total Accelerators", 0) or nodes * each
    named = _named_count(row.word("Platform") or row.word("System"), total)
    if named and named != total:
        return named, nodes, (f"the name says {named} accelerators, `Total Accelerators` {total:g}: the name counts",)
    if total != nodes * each:
        return total, nodes, (f"`Total Accelerators` {total:g} is not {nodes} x {each}: the total counts",)
    return total, nodes, ()


def _named_count(name: str, total: float) -> int | None:
    """A count such as `87x` in a name, when it is close enough to be the same thing."""
    counts = [int(found) for found in re.findall(r"(?<![\w.])(\d{1,6}) ?x(?![a-z0-9])", name, re.IGNORECASE)]
    counts += [int(found) for found in re.findall(r"(?<![a-z0-9.])x(\d{1,6})(?![\w.])", name, re.IGNORECASE)]
    return next((count for count in counts if abs(count - total) <= 0.1 * total), None)
