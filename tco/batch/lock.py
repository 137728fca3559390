"""One batch at a time in a folder: the operating system's lock on a file, which no dead process keeps."""

from __future__ import annotations

import contextlib
import errno
import os
import socket
import sys
from collections.abc import Generator
from pathlib import Path

from tco.errors import OutputError

NAME = ".tco-batch.lock"
HELD = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)
FAR = 2**30
"""Where Windows locks: beyond what others read."""


@contextlib.contextmanager
def locked(out: Path) -> Generator[None]:
    """Hold the folder, which is made if it is not there. Raises OutputError when another batch holds it."""
    path = out / NAME
    try:
        out.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {(error.strerror or str(error)).lower()}") from error
    try:
        _take(handle, path)
        _sign(handle, path)
        yield
    finally:
        os.close(handle)


def _take(handle: int, path: Path) -> None:
    try:
        _lock(handle)
    except OSError as error:
        if error.errno in HELD:
            raise _busy(path) from None
        # This file system knows no locks: who signed the file is asked for instead.
        if _lives(_signed(path)):
            raise _busy(path) from None


def _lock(handle: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        os.lseek(handle, FAR, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _sign(handle: int, path: Path) -> None:
    try:
        os.ftruncate(handle, 0)
        os.lseek(handle, 0, os.SEEK_SET)
        os.write(handle, f"{os.getpid()} {socket.gethostname()}\n".encode())
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {(error.strerror or str(error)).lower()}") from error


def _signed(path: Path) -> tuple[int, str]:
    """Process and machine that hold the folder, as they signed; 0 when nobody did."""
    try:
        number, host = path.read_text(encoding="utf-8", errors="replace").split()
        return int(number), host
    except (OSError, ValueError):
        return 0, ""


def _lives(signed: tuple[int, str]) -> bool:
    """Whether the process that signed may still run; on another machine it may."""
    number, host = signed
    if not number or number == os.getpid():
        return False
    if host != socket.gethostname():
        return True
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _busy(path: Path) -> OutputError:
    number, host = _signed(path)
    who = f"process {number} on {host}" if number else "another process"
    told = f"{who} is writing a batch into this folder; wait until it ends, stop it, or choose another --out"
    return OutputError(f"{path.parent}: {told}")
