"""Executors: answers in the order of the tasks, few tasks drawn ahead, and no task lost with its worker."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing

import pytest

from tco.batch.executor import Executor, Raised, Serial
from tco.batch.processes import ALLOCATOR, WAITING, Processes
from tests.batch import work


@pytest.fixture(params=["serial", "processes"])
def workers(request: pytest.FixtureRequest) -> Iterator[Executor]:
    with closing(Serial() if request.param == "serial" else Processes(2)) as found:
        yield found


def test_answers_come_in_the_order_of_the_tasks(workers: Executor) -> None:
    assert list(workers.run(work.slow_when_even, range(9))) == list(range(9))
    assert list(workers.run(work.doubled, [5])) == [10]
    assert list(workers.run(work.doubled, [])) == []


def test_what_a_function_does_not_expect_costs_one_answer(workers: Executor) -> None:
    answers = list(workers.run(work.fails_on_three, range(5)))
    failed = answers.pop(3)
    assert answers == [0, 1, 2, 4]
    assert isinstance(failed, Raised)
    assert (failed.told, failed.died) == ("ValueError: three", False)
    assert "fails_on_three" in failed.trace


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_a_worker_that_dies_costs_the_task_that_killed_it_and_no_other() -> None:
    with closing(Processes(2)) as workers:
        answers = list(workers.run(work.dies_on_three, range(12)))
    failed = answers.pop(3)
    assert answers == [number for number in range(12) if number != 3]
    assert isinstance(failed, Raised)
    assert failed.died


def test_tasks_are_drawn_as_workers_need_them() -> None:
    drawn = list[int]()

    def tasks() -> Iterator[int]:
        for number in range(100):
            drawn.append(number)
            yield number

    with closing(Processes(2)) as workers:
        for done, _ in enumerate(workers.run(work.doubled, tasks()), 1):
            assert len(drawn) <= done - 1 + 2 * WAITING
    assert len(drawn) == 100


def test_workers_keep_the_memory_of_large_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MALLOC_TRIM_THRESHOLD_", "65536")
    monkeypatch.setenv("MALLOC_MMAP_THRESHOLD_", "4096")
    with closing(Processes(1)):
        assert os.environ["MALLOC_TRIM_THRESHOLD_"] == ALLOCATOR["MALLOC_TRIM_THRESHOLD_"]
        assert os.environ["MALLOC_MMAP_THRESHOLD_"] == "4096"
