"""The catalogue: folders of files, read one by one when they are asked for."""

from __future__ import annotations

import copy
import csv
import functools
import hashlib
import importlib.resources
from collections.abc import Mapping
from dataclasses import replace
from importlib.resources.abc import Traversable
from pathlib import Path

from tco.catalogue.rows import Entry, read
from tco.catalogue.schema import KINDS
from tco.errors import CatalogueError, did_you_mean


class Catalogue:
    """Entries by kind and id, read from the CSV files of one folder, and of a folder of the user's own over it."""

    def __init__(self, folder: Traversable, own: Traversable | None = None) -> None:
        self._folder, self._own = folder, own
        self._tables: dict[str, dict[str, Entry]] = {}

    @classmethod
    def from_folder(cls, path: str | Path) -> Catalogue:
        """A catalogue of the CSV files in a folder of your own."""
        return cls(Path(path))

    def with_own(self, path: str | Path) -> Catalogue:
        """The same with the entries of another folder over it; that folder needs only the kinds it adds to.

        Raises CatalogueError when there is no such folder.
        """
        if not Path(path).is_dir():
            raise CatalogueError(f"{path} is not a folder; it holds files such as models.csv in the catalogue's form")
        return Catalogue(self._folder, Path(path))

    def with_values(self, values: Mapping[tuple[str, str, str], float]) -> Catalogue:
        """The same with other numbers, by kind, id and figure; what is not named is shared."""
        other = copy.copy(self)
        other._tables = dict(self._tables)
        for (kind, entry_id, name), number in values.items():
            entry = other.find(kind, entry_id)
            row = entry.rows[name]._replace(value=repr(number), low="", high="")
            other._tables[kind] = {**other._table(kind), entry_id: replace(entry, rows={**entry.rows, name: row})}
        return other

    def find(self, kind: str, entry_id: str) -> Entry:
        """The entry under an id. Raises CatalogueError with the nearest id."""
        table = self._table(kind)
        if entry_id not in table:
            where = f"{kind} of the catalogue"
            raise CatalogueError(f"`{entry_id}` is not among the {len(table)} {where}{did_you_mean(entry_id, table)}")
        return table[entry_id]

    def get(self, kind: str, entry_id: str) -> Entry | None:
        """The entry under an id, or None."""
        return self._table(kind).get(entry_id)

    def entries(self, kind: str) -> list[Entry]:
        """Every entry of a kind, in the order of its file."""
        return list(self._table(kind).values())

    @functools.cached_property
    def version(self) -> str:
        """A short fingerprint of all files: results that name it can be repeated."""
        digest = hashlib.sha256()
        for folder in (self._folder, self._own):
            files = sorted(folder.iterdir(), key=lambda entry: entry.name) if folder else []
            for file in files:
                if file.name.endswith(".csv"):
                    digest.update(file.name.encode() + b"\0" + file.read_bytes())
        return digest.hexdigest()[:12]

    def _table(self, kind: str) -> dict[str, Entry]:
        if kind not in self._tables:
            if kind not in KINDS:
                hint = did_you_mean(kind, KINDS)
                raise CatalogueError(f"`{kind}` is not a kind of the catalogue{hint or ': it has ' + ', '.join(KINDS)}")
            own = self._own if self._own and self._own.joinpath(f"{kind}.csv").is_file() else None
            self._tables[kind] = {**self._read(self._folder, kind), **(self._read(own, kind) if own else {})}
        return self._tables[kind]

    def _read(self, folder: Traversable, kind: str) -> dict[str, Entry]:
        file = folder.joinpath(f"{kind}.csv")
        try:
            entries, problems = read(kind, file.read_bytes().decode("utf-8-sig"))
        except FileNotFoundError:
            raise CatalogueError(f"the catalogue has no file {kind}.csv: add one") from None
        except UnicodeDecodeError as error:
            raise CatalogueError(f"{kind}.csv is not UTF-8 at byte {error.start}: save it as UTF-8") from None
        except csv.Error as error:
            raise CatalogueError(
                f"{kind}.csv cannot be read as CSV ({error}): look for a quote without its end"
            ) from None
        if problems:
            raise CatalogueError("\n".join(problems))
        return entries


@functools.cache
def catalogue() -> Catalogue:
    """The catalogue that ships with tco, shared by all callers."""
    return Catalogue(importlib.resources.files("tco.catalogue"))
