"""Several files that appear together or not at all."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from tco.errors import OutputError


def write_together(folder: Path, contents: Mapping[str, bytes], gone: Iterable[str] = ()) -> None:
    """Write beside the targets, then rename; what fails midway is undone. `gone` are files to take away.

    Raises OutputError; then the folder is as it was.
    """
    new = not folder.exists()
    room = ""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        room = tempfile.mkdtemp(dir=folder, prefix=".tco-")
        for name, content in contents.items():
            Path(room, name).write_bytes(content)
        _exchange(folder, Path(room), list(contents), list(gone))
    except OSError as error:
        raise OutputError(f"{folder}: cannot be written: {(error.strerror or str(error)).lower()}") from error
    finally:
        if room:
            shutil.rmtree(room, ignore_errors=True)
        if new:
            with contextlib.suppress(OSError):
                folder.rmdir()  # only when nothing came


def _exchange(folder: Path, room: Path, names: list[str], gone: list[str]) -> None:
    """Old files step aside, new ones take their places; back in reverse when one cannot."""
    aside = room / "before"
    aside.mkdir()
    moved: list[tuple[Path, Path]] = []
    try:
        for name in [*names, *gone]:
            if os.path.lexists(folder / name):
                _move(folder / name, aside / name, moved)
            if name not in gone:
                _move(room / name, folder / name, moved)
    except BaseException:
        for source, target in reversed(moved):
            os.replace(target, source)
        raise


def _move(source: Path, target: Path, moved: list[tuple[Path, Path]]) -> None:
    if source.is_dir() and not source.is_symlink():
        raise IsADirectoryError(21, f"{source.name} is a folder")
    os.replace(source, target)
    moved.append((source, target))
