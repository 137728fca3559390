"""The long table as Parquet: the columns of the CSV, texts as texts, values as numbers with nulls."""

from __future__ import annotations

import importlib
import io
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from tco.export import COLUMNS

ROWS = 20_000
"""Rows that are held at once: one row group."""


def write(file: BinaryIO, bodies: Iterable[bytes]) -> None:
    """Write rows of the CSV, as they come. Raises ModuleNotFoundError without fastparquet."""
    writer: Any = importlib.import_module("fastparquet.writer")
    about = writer.make_metadata(_frame(b""), has_nulls=True, object_encoding="utf8", index_cols=[])
    writer.write_simple(file, _frames(bodies), about, compression="ZSTD")


def _frames(bodies: Iterable[bytes]) -> Iterator[Any]:
    held, count = list[bytes](), 0
    for body in bodies:
        held.append(body)
        count += body.count(b"\n")
        if count >= ROWS:
            yield _frame(b"".join(held))
            held, count = [], 0
    if held:
        yield _frame(b"".join(held))


def _frame(body: bytes) -> Any:
    """Numbers are read by Python, to the last digit."""
    import pandas  # pyright: ignore[reportMissingTypeStubs]

    read: Any = pandas.read_csv  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    frame = read(io.BytesIO(body), names=list(COLUMNS), dtype=str, keep_default_na=False)
    values = [float(text) if text else None for text in frame["value"]]
    frame["value"] = pandas.array(values, dtype="Float64")  # pyright: ignore[reportUnknownMemberType]
    return frame
