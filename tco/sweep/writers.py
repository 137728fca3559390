"""The tidy table as CSV, Parquet and workbook, written part by part; a file has its name only when it is whole."""

from __future__ import annotations

import contextlib
import importlib
import itertools
import os
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from tco.errors import OutputError
from tco.sweep.rows import Cells

MOST_ROWS = 1_048_575
"""Rows below the heads of a worksheet."""

PARTIAL = ".partial"
"""Stands in the name of a file that was left off before its end."""


class Writer(Protocol):
    """Takes parts; `close` makes the file whole."""

    def write(self, columns: Sequence[Cells]) -> None:
        """Add rows."""
        ...

    def close(self) -> None:
        """End the file."""
        ...


@contextlib.contextmanager
def opened(path: Path, heads: Sequence[str]) -> Generator[Writer]:
    """A writer for the file's kind. What ends early keeps its rows as NAME.partial.KIND. Raises OutputError."""
    kinds = {".csv": CsvWriter, ".parquet": ParquetWriter, ".xlsx": BookWriter}
    part = path.with_name(f".tco-{os.getpid()}-{path.name}")
    with _told(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        writer = kinds[path.suffix](part, heads)
    whole = False
    try:
        yield writer
        whole = True
    finally:
        target = path if whole else partial(path)
        with _told(target):
            writer.close()
            os.replace(part, target)


def partial(path: Path) -> Path:
    """The name of the file when it was left off."""
    return path.with_name(f"{path.stem}{PARTIAL}{path.suffix}")


@contextlib.contextmanager
def _told(path: Path) -> Generator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {(error.strerror or str(error)).lower()}") from error


class CsvWriter:
    """Numbers in full; nothing for what is not there."""

    def __init__(self, path: Path, heads: Sequence[str]) -> None:
        self._file = open(path, "w", encoding="utf-8", newline="")  # noqa: SIM115
        self._file.write(",".join(map(quoted, heads)) + "\n")

    def write(self, columns: Sequence[Cells]) -> None:
        """Add rows."""
        texts = list[list[str]]()
        for repeated, group in itertools.groupby(columns, key=lambda one: one.row is not None):
            some = list(group)
            joined = list(map(",".join, zip(*map(_texts, some), strict=True)))
            texts.append(np.array(joined, dtype=object)[some[0].row].tolist() if repeated else joined)
        rows = map(",".join, zip(*texts, strict=True))
        self._file.write("\n".join([*rows, ""]))
        self._file.flush()

    def close(self) -> None:
        """End the file."""
        self._file.close()


def _texts(one: Cells) -> list[str]:
    if one.codes is not None:
        words = np.array([*map(quoted, one.words), ""], dtype=object)
        return words[one.codes].tolist()
    assert one.numbers is not None
    texts = list(map(repr, one.numbers.tolist()))
    if one.numbers.dtype.kind == "f":
        for at in np.flatnonzero(np.isnan(one.numbers)).tolist():
            texts[at] = ""
    return texts


def quoted(text: str) -> str:
    """A word as CSV holds it, and no spreadsheet takes for a formula."""
    safe = f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
    return '"' + safe.replace('"', '""') + '"' if any(sign in safe for sign in ',"\n\r') else safe


class ParquetWriter:
    """One group of rows a part; words as text."""

    def __init__(self, path: Path, heads: Sequence[str]) -> None:
        del heads
        try:
            self._writer: Any = importlib.import_module("fastparquet.writer")
            self._pandas: Any = importlib.import_module("pandas")
        except ImportError:
            raise OutputError("Parquet needs fastparquet: install tco-engine[batch], or leave `parquet` out") from None
        self._path, self._about = path, None
        path.touch()

    def write(self, columns: Sequence[Cells]) -> None:
        """Add rows."""
        frame = self._pandas.DataFrame({one.head: self._array(one.spread()) for one in columns})
        first = self._about is None
        if first:
            plain = frame.iloc[:0].astype({one.head: object for one in columns if one.codes is not None})
            self._about = self._writer.make_metadata(plain, has_nulls=True, object_encoding="utf8", index_cols=[])
        self._writer.write_simple(str(self._path), [frame], self._about, compression="SNAPPY", append=not first)

    def _array(self, one: Cells) -> Any:
        """Words by code: the file holds each once a group of rows, and readers see text."""
        if one.codes is None:
            return one.numbers
        places = {word: at for at, word in enumerate(dict.fromkeys(one.words))}
        codes = np.array([*map(places.__getitem__, one.words), -1])[one.codes]
        return self._pandas.Categorical.from_codes(codes, categories=list(places))

    def close(self) -> None:
        """The file is whole after each part."""


class BookWriter:
    """One sheet with the heads held in place and filters; rows are not kept in memory."""

    def __init__(self, path: Path, heads: Sequence[str]) -> None:
        xlsxwriter: Any = importlib.import_module("xlsxwriter")
        self._book = xlsxwriter.Workbook(str(path), {"constant_memory": True, "strings_to_formulas": False})
        self._sheet = self._book.add_worksheet("Sweep")
        bold = self._book.add_format({"bold": True, "text_wrap": True, "valign": "top", "bottom": 1})
        self._sheet.freeze_panes(1, 1)
        self._sheet.set_column(0, len(heads) - 1, 18)
        self._sheet.write_row(0, 0, heads, bold)
        self._row, self._width = 1, len(heads)

    def write(self, columns: Sequence[Cells]) -> None:
        """Add rows. Raises OutputError for more than a sheet holds."""
        cells = [_values(one.spread()) for one in columns]
        if self._row + len(cells[0]) > MOST_ROWS + 1:
            raise OutputError(f"a sheet holds {MOST_ROWS:,} rows, fewer than there are; write csv or parquet instead")
        for row in zip(*cells, strict=True):
            for place, value in enumerate(row):
                if isinstance(value, str):
                    self._sheet.write_string(self._row, place, value)
                elif value is not None:
                    self._sheet.write_number(self._row, place, value)
            self._row += 1

    def close(self) -> None:
        """End the file."""
        self._sheet.autofilter(0, 0, max(self._row - 1, 1), self._width - 1)
        self._book.close()


def _values(one: Cells) -> list[Any]:
    if one.codes is not None:
        return [word or None for word in np.array([*one.words, None], dtype=object)[one.codes].tolist()]
    assert one.numbers is not None
    return [None if number != number else number for number in one.numbers.tolist()]
