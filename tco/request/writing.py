"""Several files that appear together or not at all."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Generator, Iterable, Mapping
from pathlib import Path

from tco.errors import OutputError

INTERRUPTS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


def write_together(folder: Path, contents: Mapping[str, bytes], gone: Iterable[str] = ()) -> None:
    """Write beside the targets, then rename; what fails midway is undone. `gone` are files to take away.

    The last file is taken away first and comes last: while it is there, all are. Raises OutputError; then the folder
    is as it was.
    """
    new = _missing(folder)
    room = ""
    with _uninterrupted():
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
            for made in new:
                with contextlib.suppress(OSError):
                    made.rmdir()  # only when nothing came


def _missing(folder: Path) -> list[Path]:
    """The folders that writing makes, the innermost first."""
    return [one for one in (folder, *folder.parents) if not os.path.lexists(one)]


@contextlib.contextmanager
def _uninterrupted() -> Generator[None]:
    """Who asks to stop waits until all files are there or none; a thread is never asked."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    asked: list[int] = []
    before = {one: signal.signal(one, lambda number, _: asked.append(number)) for one in INTERRUPTS}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler if handler is not None else signal.SIG_DFL)
        if asked:
            signal.raise_signal(asked[0])


def _exchange(folder: Path, room: Path, names: list[str], gone: list[str]) -> None:
    """Old files step aside, new ones take their places; back in reverse when one cannot."""
    aside = room / "before"
    aside.mkdir()
    moved: list[tuple[Path, Path]] = []
    try:
        for name in [*reversed(names), *gone]:
            if os.path.lexists(folder / name):
                _move(folder / name, aside / name, moved)
        for name in names:
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
