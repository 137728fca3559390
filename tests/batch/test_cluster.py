"""A Dask cluster over loopback: the same bytes, and nothing lost with a worker."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tco.batch.cluster import Cluster, difference
from tco.batch.identity import engine, references
from tco.batch.task import Task, computed
from tco.errors import TcoError
from tests.batch.conftest import fill, written
from tests.cli.conftest import ENVIRONMENT, changed, process
from tests.conftest import REQUIRE_ALL

pytestmark = [
    pytest.mark.skipif(
        importlib.util.find_spec("distributed") is None and not REQUIRE_ALL,
        reason="needs Dask (pip install 'tco-engine[cluster]')",
    ),
    pytest.mark.skipif(os.name != "posix", reason="needs signals"),
    pytest.mark.xdist_group("dask"),
]


class Dask:
    """A scheduler and workers, each a process."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder, self._stack = folder, stack
        self._start(
            "scheduler",
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--no-dashboard",
            "--no-show",
            "--scheduler-file",
            "s.json",
        )
        self.address = until(lambda: address(folder / "s.json"))
        self.workers = list[subprocess.Popen[bytes]]()

    def add(self, threads: int = 1, **environment: str) -> subprocess.Popen[bytes]:
        options = ("--no-nanny", "--no-dashboard", "--nthreads", str(threads), "--memory-limit", "0")
        self.workers.append(self._start("worker", self.address, "--host", "127.0.0.1", *options, **environment))
        return self.workers[-1]

    def _start(self, what: str, *arguments: str, **environment: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", what, *arguments]
        with open(self._folder / "dask.log", "ab") as log:
            variables = {**ENVIRONMENT, **environment}
            started = subprocess.Popen(command, cwd=self._folder, env=variables, stdout=log, stderr=log)
        self._stack.callback(started.wait)
        self._stack.callback(started.kill)
        return started


def address(file: Path) -> str:
    try:
        return json.loads(file.read_text())["address"]
    except (OSError, ValueError):
        return ""


def until(true: Callable[[], Any], seconds: float = 60) -> Any:
    end = time.monotonic() + seconds
    while not (found := true()):
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.05)
    return found


@pytest.fixture
def dask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dask]:
    with ExitStack() as stack:
        yield Dask(tmp_path_factory.mktemp("dask"), stack)


def test_a_cluster_gives_the_same_bytes_and_loses_nothing_with_a_worker(dask: Dask, tmp_path: Path) -> None:
    fill(tmp_path / "in", 8)
    own = tmp_path / "in" / "own"
    own.mkdir()
    (tmp_path / "in" / "z.yaml").write_text(changed(("currency: USD", "currency: USD\ncatalogue: own")))
    (tmp_path / "in" / "bad.yaml").write_text(changed(("hgx-h200-srv", "hgx-h200-srw")))
    here = process("batch", "in", "--out", "here", "--jobs", "1", "--only", "json,xlsx", folder=tmp_path)
    dask.add()
    first = dask.add(threads=2)
    command = [
        sys.executable,
        "-m",
        "tco",
        "batch",
        "in",
        "--out",
        "there",
        "--only",
        "json,xlsx",
        "--cluster",
        dask.address,
    ]
    with subprocess.Popen(
        command, cwd=tmp_path, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        until(lambda: len(list((tmp_path / "there").glob("*.json"))) >= 2)
        first.send_signal(signal.SIGKILL)
        said, told = running.communicate(timeout=120)
    assert told.decode() == here.stderr, said
    assert running.returncode == here.returncode == 3
    assert written(tmp_path / "there") == written(tmp_path / "here")


def test_a_worker_without_this_tco_is_refused(dask: Dask, tmp_path: Path) -> None:
    fill(tmp_path / "in", 1)
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "tco").mkdir(parents=True)
    (elsewhere / "tco" / "__init__.py").write_text("")
    dask.add(PYTHONPATH=str(elsewhere))
    told = process("batch", "in", "--out", "out", "--cluster", dask.address, folder=tmp_path)
    assert told.returncode == 1
    assert "cannot import this tco (" in told.stderr
    assert "No module named" in told.stderr
    assert "install the same there" in told.stderr


def test_a_worker_with_other_versions_is_named() -> None:
    assert difference(engine()) == ""
    assert difference({**engine(), "numpy": "1.0"}).startswith("computes with numpy 1.0 instead of ")


def test_a_worker_that_does_not_see_the_files_of_a_scenario_says_so(tmp_path: Path) -> None:
    raw = changed(("currency: USD", "currency: USD\ncatalogue: own")).encode()
    (tmp_path / "own").mkdir()
    place = str(tmp_path / "a.yaml")
    task = Task("a", "a.yaml", raw, ("json",), beside=references(raw, place), place=place)
    assert not computed(task).problem
    (tmp_path / "own" / "models.csv").write_text("id,figure\n")
    assert computed(task).problem.startswith("a.yaml: refers to own, which its worker does not see as it is here")


def test_no_scheduler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tco.batch.cluster.CONNECTING", 1)
    for wrong in ("tcp://127.0.0.1:9", "nonsense"):
        with pytest.raises(TcoError, match=f"^{wrong}: no Dask scheduler answers there "):
            Cluster(wrong)


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(TcoError, match=r"--cluster needs the extra `cluster`: pip install 'tco-engine\[cluster\]'"):
        Cluster("tcp://127.0.0.1:8786")
