"""What stands over all scenarios of a batch, made from the ledger: the long table, the summary, the index page."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tco.batch.ledger import Ledger
from tco.batch.record import Record, record
from tco.errors import OutputError
from tco.files import beside

CSV, PARQUET, SUMMARY, INDEX = "results.csv", "results.parquet", "summary.xlsx", "index.html"
TABLES = (CSV, PARQUET, SUMMARY, INDEX)
WORDS = {SUMMARY: "Summary, a workbook", CSV: "All lines, CSV", PARQUET: "All lines, Parquet"}

Names = Sequence[str]


def write_all(out: Path, ledger: Ledger, names: Names) -> tuple[list[str], list[str]]:
    """Write every table, each whole or not at all; returns what could not be written, and what needs an extra."""
    problems, missing = list[str](), list[str]()
    for file, write in WRITERS.items():
        try:
            write(out / file, ledger, names)
        except OutputError as error:
            told = "the scenarios are done: close it if a program holds it, and give the same command again"
            problems.append(f"{error}; {told}")
        except ModuleNotFoundError as error:
            older = f"; {out / file} is of an earlier batch" if (out / file).exists() else ""
            package = str(error.name).partition(".")[0]
            missing.append(f"no {file}: it needs {package} (pip install 'tco-engine[batch]'){older}")
    return problems, missing


def _bodies(ledger: Ledger, names: Names) -> Iterator[bytes]:
    return (zlib.decompress(rows) for rows in ledger.rows(names))


def _records(ledger: Ledger, names: Names) -> Iterator[Record]:
    return map(record, ledger.entries(names))


def _csv(path: Path, ledger: Ledger, names: Names) -> None:
    from tco.export import COLUMNS

    with beside(path) as file:
        file.write((",".join(COLUMNS) + "\n").encode())
        for body in _bodies(ledger, names):
            file.write(body)


def _parquet(path: Path, ledger: Ledger, names: Names) -> None:
    from tco.batch.parquet import write

    with beside(path) as file:
        write(file, _bodies(ledger, names))


def _summary(path: Path, ledger: Ledger, names: Names) -> None:
    from tco.batch.summary import write

    with beside(path) as file:
        write(file, _records(ledger, names))


def _index(path: Path, ledger: Ledger, names: Names) -> None:
    from tco.batch.index import write

    links = [(words, name) for name, words in WORDS.items() if path.with_name(name).exists()]
    with beside(path) as file:
        write(file, _records(ledger, names), links)


WRITERS: dict[str, Callable[[Path, Ledger, Names], None]] = {
    CSV: _csv, PARQUET: _parquet, SUMMARY: _summary, INDEX: _index,
}  # fmt: skip
