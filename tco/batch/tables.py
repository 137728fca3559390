"""What stands over all scenarios of a batch, made from the ledger: the long table, the summary, the index page."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

from tco.batch.ledger import Ledger
from tco.errors import OutputError
from tco.files import beside

CSV, PARQUET, SUMMARY, INDEX = "results.csv", "results.parquet", "summary.xlsx", "index.html"
TABLES = (CSV, PARQUET, SUMMARY, INDEX)

Names = Sequence[str]


def write_all(out: Path, ledger: Ledger, names: Names) -> list[str]:
    """Write every table, each whole or not at all; what could not be written is told, and stops no other."""
    problems = list[str]()
    for file, write in WRITERS.items():
        try:
            write(out / file, ledger, names)
        except OutputError as error:
            told = "the scenarios are done: close it if a program holds it, and give the same command again"
            problems.append(f"{error}; {told}")
    return problems


def _csv(path: Path, ledger: Ledger, names: Names) -> None:
    from tco.export import COLUMNS

    with beside(path) as file:
        file.write((",".join(COLUMNS) + "\n").encode())
        for rows in ledger.rows(names):
            file.write(zlib.decompress(rows))


WRITERS: dict[str, Callable[[Path, Ledger, Names], None]] = {CSV: _csv}
