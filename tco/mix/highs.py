"""SciPy, which holds HiGHS: the extra `analysis`, loaded when it is called, in a thread that Ctrl-C leaves behind."""

from __future__ import annotations

import atexit
import ctypes
import os
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any

from tco.errors import TcoError

INTERRUPTED = 130
"""The exit code of what was interrupted."""


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
    """The task in a thread that dies with the program: HiGHS does not hear Ctrl-C, and prints though told not to."""
    held: list[Any] = []
    failed: list[BaseException] = []
    ended = threading.Event()

    def work() -> None:
        try:
            held.append(task(*arguments, **options))
        except BaseException as error:
            failed.append(error)
        finally:
            ended.set()

    thread = threading.Thread(target=work, daemon=True)
    with _unheard():
        try:
            thread.start()
            while thread.is_alive():
                thread.join(0.1)
        except BaseException:
            atexit.register(_leave, ended)
            raise
    if failed:
        raise failed[0]
    return held[0]


def _leave(ended: threading.Event) -> None:
    """End at once where HiGHS still works for nobody: on its way back to Python it would abort the program.

    Asked of an event: a `join` that was interrupted says that its thread has ended.
    """
    if not ended.is_set():
        for stream in (sys.stdout, sys.stderr):
            with suppress(AttributeError, OSError, ValueError):
                stream.flush()
        os._exit(INTERRUPTED)


@contextmanager
def _unheard() -> Generator[None]:
    """What compiled code prints meanwhile goes nowhere: it would stand in the middle of `--json`."""
    with suppress(AttributeError, ValueError):  # closed, or none
        sys.stdout.flush()
    try:
        kept = os.dup(1)
    except OSError:  # there is no standard output
        yield
        return
    _flush()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    try:
        yield
    finally:
        _flush()
        os.dup2(kept, 1)
        os.close(kept)


def _flush() -> None:
    """What compiled code has printed and still holds is written where standard output goes now."""
    with suppress(OSError, TypeError, AttributeError):  # Windows has no library by no name
        ctypes.CDLL(None).fflush(None)
