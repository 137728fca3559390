"""Functions that workers run: importable by a process that begins anew."""

from __future__ import annotations

import os
import signal
import time

from tco.batch.task import Done, Task, computed


def doubled(number: int) -> int:
    return 2 * number


def slow_when_even(number: int) -> int:
    time.sleep(0.05 if number % 2 == 0 else 0)
    return number


def fails_on_three(number: int) -> int:
    if number == 3:
        raise ValueError("three")
    return number


def dies_on_three(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def late(task: Task) -> Done:
    """The scenario, a moment later: a test has time to end somebody."""
    time.sleep(0.2)
    return computed(task)
