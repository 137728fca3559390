"""Outputs are whole or not there: no room, no permission, interrupted, two at once, edited by hand."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from click.testing import Result

from tests.cli.conftest import BASE, ENVIRONMENT, changed, process

Tco = Callable[..., Result]
Write = Callable[..., Path]
RUN = ("run", "a.yaml", "--only", "json,csv", "--out", "out")


def names(folder: Path) -> list[str]:
    return sorted(item.name for item in folder.iterdir())


@pytest.mark.parametrize(
    ("owner", "name"), [(os, "replace"), (tempfile, "mkstemp"), (os, "fdopen"), (os, "chmod"), (Path, "mkdir")]
)
@pytest.mark.parametrize("number", [errno.EACCES, errno.ENOSPC, errno.EROFS])
def test_a_refused_write_leaves_the_old_files_whole(
    tco: Tco, scenario: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, number: int
) -> None:
    scenario()
    assert tco(*RUN).exit_code == 0
    before = {item.name: item.read_bytes() for item in (tmp_path / "out").iterdir()}
    scenario(changed(("0.12 USD/kWh", "0.13 USD/kWh")))

    def refuse(*_: Any, **__: Any) -> None:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patched:
        patched.setattr(owner, name, refuse)
        told = tco(*RUN)
    assert (told.exit_code, told.stdout) == (4, "")
    assert told.stderr == f"out/a.json: cannot be written: {os.strerror(number).lower()}\n"
    assert {item.name: item.read_bytes() for item in (tmp_path / "out").iterdir()} == before


def test_a_file_where_the_folder_should_be(tco: Tco, scenario: Write, tmp_path: Path) -> None:
    scenario()
    (tmp_path / "out").write_text("mine")
    told = tco(*RUN)
    assert told.exit_code == 4
    assert told.stderr == "out/a.json: cannot be written: file exists\n"
    assert (tmp_path / "out").read_text() == "mine"
    assert tco("run", "a.yaml", "--only", "json", "--out", "out/deeper").exit_code == 4
    assert tco("run", "a.yaml", "--only", "xlsx", "--out", "out").exit_code == 4


def test_a_folder_where_a_file_should_be(tco: Tco, scenario: Write, tmp_path: Path) -> None:
    scenario()
    (tmp_path / "out" / "a.json").mkdir(parents=True)
    assert tco(*RUN).exit_code == 4
    assert names(tmp_path / "out") == ["a.json"]


@pytest.mark.skipif(not os.geteuid(), reason="root may write everywhere")
def test_a_folder_without_permission(tco: Tco, scenario: Write, tmp_path: Path) -> None:
    scenario()
    (tmp_path / "out").mkdir(mode=0o500)
    told = tco(*RUN)
    assert told.exit_code == 4
    assert "permission denied" in told.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_or_closed_standard_output(scenario: Write, tmp_path: Path) -> None:
    scenario()
    shell = f"{sys.executable} -m tco {{}}"
    full = subprocess.run(["sh", "-c", shell.format("schema") + " > /dev/full"], cwd=tmp_path, env=ENVIRONMENT,
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert (full.returncode, full.stderr) == (4, "the output cannot be written: no space left on device\n")
    closed = subprocess.run(["sh", "-c", shell.format(" ".join(RUN)) + " >&-"], cwd=tmp_path, env=ENVIRONMENT,
                            capture_output=True, text=True, check=False)  # fmt: skip
    assert (closed.returncode, closed.stderr) == (0, "")


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    command, pipe = [sys.executable, "-m", "tco", "schema"], subprocess.PIPE
    with subprocess.Popen(command, cwd=tmp_path, env=ENVIRONMENT, stdout=pipe, stderr=pipe) as running:
        assert running.stdout
        running.stdout.close()
        assert running.stderr
        assert running.stderr.read() == b""
        assert running.wait(30) == 0


def test_an_interrupt_exits_130_and_leaves_old_files_whole(
    tco: Tco, scenario: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenario()
    assert tco(*RUN).exit_code == 0
    before = (tmp_path / "out" / "a.json").read_bytes()
    scenario(changed(("0.12 USD/kWh", "0.13 USD/kWh")))

    def interrupt(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    told = tco(*RUN)
    assert (told.exit_code, told.stderr) == (130, "interrupted; files already written are whole\n")
    assert (tmp_path / "out" / "a.json").read_bytes() == before
    assert names(tmp_path / "out") == ["a.csv", "a.json"]


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_a_signal_in_the_middle_of_many_runs(tmp_path: Path) -> None:
    for number in range(40):
        (tmp_path / f"s{number:02d}.yaml").write_text(BASE)
    command = [sys.executable, "-m", "tco", "run", ".", "--only", "json", "--out", "out"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        deadline = time.monotonic() + 30
        while not list((tmp_path / "out").glob("*.json")) and time.monotonic() < deadline:
            time.sleep(0.02)
        running.send_signal(signal.SIGINT)
        _, told = running.communicate(timeout=30)
    assert (running.returncode, told) == (130, "interrupted; files already written are whole\n")
    for item in (tmp_path / "out").iterdir():
        assert item.suffix == ".json"
        json.loads(item.read_text())


def test_runs_at_once_into_one_folder(tmp_path: Path) -> None:
    for name in "abcd":
        (tmp_path / f"{name}.yaml").write_text(BASE)
    command = [sys.executable, "-m", "tco", "run", "--out", "out", "--only", "xlsx,json"]
    for _ in range(2):
        running = [
            subprocess.Popen([*command, f"{name}.yaml"], cwd=tmp_path, env=ENVIRONMENT, stdout=subprocess.DEVNULL)
            for name in "aabcd"
        ]
        assert [one.wait(60) for one in running] == [0] * 5
    assert names(tmp_path / "out") == sorted(
        [f"{n}.{s}" for n in "abcd" for s in ("xlsx", "json")] + [f".{n}.tco" for n in "abcd"]
    )


def test_an_edited_workbook_is_kept_unless_forced(tco: Tco, scenario: Write, tmp_path: Path) -> None:
    scenario()
    run = ("run", "a.yaml", "--only", "xlsx", "--out", "out")
    path = tmp_path / "out" / "a.xlsx"
    assert tco(*run).exit_code == 0
    assert tco(*run).exit_code == 0
    book = openpyxl.load_workbook(path)
    book.worksheets[0]["A1"] = "mine"
    book.save(path)
    edited = path.read_bytes()
    told = tco(*run)
    assert told.exit_code == 4
    assert "out/a.xlsx: was changed since tco wrote it" in told.stderr
    assert path.read_bytes() == edited
    assert tco(*run, "--force").exit_code == 0
    assert path.read_bytes() != edited
    assert tco(*run).exit_code == 0


def test_frozen_needs_an_earlier_run_and_reproduces_it(tco: Tco, scenario: Write, tmp_path: Path) -> None:
    scenario()
    told = tco(*RUN, "--frozen")
    assert told.exit_code == 1
    assert "run once without --frozen" in told.stderr
    assert not (tmp_path / "out").exists()
    tco(*RUN)
    before = (tmp_path / "out" / "a.csv").read_bytes()
    assert tco(*RUN, "--frozen").exit_code == 0
    assert (tmp_path / "out" / "a.csv").read_bytes() == before


def test_frozen_keeps_the_choice_when_the_best_one_changes(tco: Tco, scenario: Write, tmp_path: Path) -> None:
    def choices() -> Any:
        held = json.loads((tmp_path / "out" / "a.json").read_text())
        return [fleet["choices"].get("values") for fleet in held["fleets"]]

    scenario()
    tco(*RUN)
    first = choices()
    scenario(changed(("output: 350 token/request", "output: 350 token/request\n  target: {per_token: 9 ms/token}")))
    tco(*RUN, "--frozen")
    assert choices() == first
    tco(*RUN)
    assert choices() != first


OF_OWN = '{"fleets": [{"id": "own"%s}]}'


@pytest.mark.parametrize(
    "content",
    ["", "{}", "[]", '{"fleets": []}', OF_OWN % "", OF_OWN % ', "choices": {"values": {"concurrency": "x"}}',
     OF_OWN % ', "choices": {"values": {"concurrency": NaN}}'],
)  # fmt: skip
def test_frozen_refuses_a_file_without_choices(tco: Tco, scenario: Write, tmp_path: Path, content: str) -> None:
    scenario()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a.json").write_text(content)
    told = tco(*RUN, "--frozen")
    assert told.exit_code == 1
    assert "run once without --frozen" in told.stderr
    assert (tmp_path / "out" / "a.json").read_text() == content


def test_the_same_bytes_over_hash_seeds_time_zones_and_locales(tmp_path: Path) -> None:
    pins = "pin: {own: {repair_cost: 90 USD, network_cost: 80 USD, management_cost: 70 USD, storage_cost: 60 USD}}\n"
    (tmp_path / "a.yaml").write_text(BASE + pins)
    outputs = set[tuple[bytes, bytes]]()
    for number, variables in enumerate(
        [{"PYTHONHASHSEED": "1", "TZ": "UTC"}, {"PYTHONHASHSEED": "2", "TZ": "Asia/Tokyo", "LC_ALL": "de_DE.UTF-8"},
         {"PYTHONHASHSEED": "3", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii:replace"}]
    ):  # fmt: skip
        out = f"out{number}"
        done = process("run", "a.yaml", "--only", "json,csv", "--out", out, folder=tmp_path, **variables)
        assert done.returncode == 0, done.stderr
        outputs.add(((tmp_path / out / "a.json").read_bytes(), (tmp_path / out / "a.csv").read_bytes()))
    assert len(outputs) == 1
