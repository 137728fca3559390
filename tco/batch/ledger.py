"""What is done and true: for each scenario its content hash, the digests of its outputs, its rows; in one SQLite file.

A scenario is entered in one transaction after its files are written, so a batch that is killed has every scenario
either whole or not at all. No write-ahead log: it needs memory that processes share, which network folders lack.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tco.batch.outputs import path_of
from tco.errors import OutputError

NAME = ".tco-batch.sqlite"
FORMAT = 1
"""A ledger of another form is begun anew."""
TABLES = """
CREATE TABLE IF NOT EXISTS scenarios
  (name TEXT PRIMARY KEY, file TEXT, key TEXT, outputs TEXT, row TEXT, problem TEXT, rows BLOB);
"""


@dataclass(frozen=True)
class Entry:
    """A scenario as the ledger knows it: digests of its outputs by suffix, its row in the summary, or a problem."""

    name: str
    file: str
    key: str
    outputs: Mapping[str, str] = field(default_factory=dict[str, str])
    row: Mapping[str, Any] = field(default_factory=dict[str, Any])
    problem: str = ""


class Ledger:
    """The ledger of an output folder, which the caller has locked. Every method raises OutputError."""

    def __init__(self, out: Path, *, fresh: bool) -> None:
        self._out, self._path = out, out / NAME
        with self._told():
            if fresh:
                for path in (self._path, out / f"{NAME}-journal"):
                    path.unlink(missing_ok=True)
            self._base = sqlite3.connect(self._path, isolation_level=None)
            self._base.execute("PRAGMA journal_mode=TRUNCATE")
            self._base.execute("PRAGMA synchronous=NORMAL")
            (form,) = self._base.execute("PRAGMA user_version").fetchone()
            if form not in (0, FORMAT):
                self._base.execute("DROP TABLE IF EXISTS scenarios")
            self._base.executescript(TABLES + f"PRAGMA user_version={FORMAT};")

    def close(self) -> None:
        """Let the file go."""
        self._base.close()

    def holds(self, name: str, key: str, formats: Sequence[str]) -> bool:
        """Whether the scenario is done with this content, and every asked output is there as it was written."""
        known = self._outputs(name, key)
        return all(suffix in known and self._is(name, suffix, known[suffix]) for suffix in formats) and bool(known)

    def kept(self, name: str, key: str) -> dict[str, str]:
        """Outputs of an earlier batch with the same content that are there as they were written."""
        return {suffix: told for suffix, told in self._outputs(name, key).items() if self._is(name, suffix, told)}

    def _outputs(self, name: str, key: str) -> Mapping[str, str]:
        entry = self.entry(name)
        return entry.outputs if entry and entry.key == key and not entry.problem else {}

    def _is(self, name: str, suffix: str, digest: str) -> bool:
        return _digest(path_of(self._out, name, suffix)) == digest

    def enter(self, entry: Entry, rows: bytes = b"") -> None:
        """Remember a scenario, in place of what was known of it."""
        outputs, row = json.dumps(entry.outputs), json.dumps(entry.row, ensure_ascii=False)
        with self._told():
            self._base.execute(
                "INSERT OR REPLACE INTO scenarios VALUES (?, ?, ?, ?, ?, ?, ?)",
                (entry.name, entry.file, entry.key, outputs, row, entry.problem, rows),
            )

    def entry(self, name: str) -> Entry | None:
        """What is known of a scenario."""
        query = "SELECT name, file, key, outputs, row, problem FROM scenarios WHERE name = ?"
        with self._told():
            found = self._base.execute(query, (name,)).fetchone()
        if not found:
            return None
        one, file, key, outputs, row, problem = found
        return Entry(one, file, key, json.loads(outputs), json.loads(row), problem)

    def entries(self, names: Iterable[str]) -> Iterator[Entry]:
        """Scenarios in this order; those that were never reached are left out."""
        for name in names:
            if (found := self.entry(name)) is not None:
                yield found

    def rows(self, names: Iterable[str]) -> Iterator[bytes]:
        """Compressed rows of the scenarios that are done, in this order."""
        for name in names:
            with self._told():
                found = self._base.execute("SELECT rows FROM scenarios WHERE name = ?", (name,)).fetchone()
            if found and found[0]:
                yield found[0]

    @contextlib.contextmanager
    def _told(self) -> Generator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
                told = f"is not a ledger of tco, or damaged ({error}); --fresh begins a new one"
                raise OutputError(f"{self._path}: {told}") from error
            raise OutputError(f"{self._path}: cannot be written: {error}") from error
        except OSError as error:
            raise OutputError(f"{self._path}: cannot be written: {(error.strerror or str(error)).lower()}") from error


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""
