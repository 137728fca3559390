"""SciPy, which holds HiGHS: the extra `analysis`, loaded when it is called, in a thread that Ctrl-C leaves behind."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import threading
from collections.abc import Generator
from importlib import import_module
from typing import Any

from tco.errors import TcoError


def optimize() -> Any:
    """`scipy.optimize`. Raises TcoError where the extra is not installed."""
    return _part("scipy.optimize")


def sparse() -> Any:
    """`scipy.sparse`. Raises TcoError where the extra is not installed."""
    return _part("scipy.sparse")


def _part(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        told = "tco mix needs SciPy: install the extra `analysis` (pip install 'tco-engine[analysis]')"
        raise TcoError(told) from None


def apart(task: Any, *arguments: Any, **options: Any) -> Any:
    """The task in a thread that dies with the program: HiGHS itself does not hear Ctrl-C."""
    held: list[Any] = []
    failed: list[BaseException] = []

    def work() -> None:
        try:
            held.append(task(*arguments, **options))
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=work, daemon=True)
    with _silent():
        thread.start()
        while thread.is_alive():
            thread.join(0.1)
    if failed:
        raise failed[0]
    return held[0]


@contextlib.contextmanager
def _silent() -> Generator[None]:
    """HiGHS writes remarks to the standard output, past Python and past its own option, between what others read."""
    sys.stdout.flush()
    try:
        kept = os.dup(1)
    except OSError:  # there is none
        yield
        return
    try:
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.close(nothing)
        yield
    finally:
        with contextlib.suppress(OSError, TypeError):  # what C still holds; other systems have no such name
            ctypes.CDLL(None).fflush(None)
        os.dup2(kept, 1)
        os.close(kept)
