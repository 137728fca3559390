"""An imported entry in a catalogue folder of one's own."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from tco.catalogue.rows import Row, read
from tco.catalogue.schema import COLUMNS
from tco.files import write_atomically
from tco.importing.source import MEGABYTE, read_text, refuse


def write_entry(rows: Sequence[Row], folder: str | Path, kind: str = "models") -> Path:
    """Add an entry to `<kind>.csv` of a folder, or replace the one of the same id; other entries stay as they are.

    The file is made when it is missing and never written when a row in it is wrong. Raises ImportRefused, OutputError.
    """
    path = Path(folder) / f"{kind}.csv"
    entries = {}
    if path.exists():
        entries, problems = read(kind, read_text(path, 50 * MEGABYTE)[0])
        if problems:
            refuse(path.name, [*problems[:20], "nothing was written; correct these first"])
    added, problems = read(kind, _csv(rows))
    if problems or not added:
        refuse(path.name, problems or ["no rows were given"])
    lines = [row for entry in {**entries, **added}.values() for row in entry.rows.values()]
    write_atomically(path, _csv(lines).encode())
    return path


def _csv(rows: Sequence[Row]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(rows)
    return text.getvalue()
