"""A batch that was stopped goes on: nothing missing, nothing twice, the bytes of one that was not."""

from __future__ import annotations

import errno
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from tco.batch import job
from tco.batch.ledger import NAME
from tests.batch.conftest import fill, priced, written
from tests.cli.conftest import ENVIRONMENT, changed

ROOT = Path(__file__).parents[2]
Batch = Callable[..., Result]


def test_a_second_run_computes_nothing_and_leaves_the_same_bytes(batch: Batch, tmp_path: Path) -> None:
    fill(tmp_path / "in", 3)
    assert batch("in", only="json,xlsx").exit_code == 0
    before = written(tmp_path / "out")
    told = batch("in", only="json,xlsx")
    assert told.exit_code == 0
    assert told.stdout.startswith("3 of 3 scenarios done; 3 of them before\n")
    assert written(tmp_path / "out") == before
    assert "of them before" not in batch("in", "--fresh", only="json,xlsx").stdout
    assert written(tmp_path / "out") == before


def _edit(folder: Path) -> None:
    (folder / "in" / "s10.yaml").write_text(priced(50))


def _remove(folder: Path) -> None:
    (folder / "out" / "s10.json").unlink()


def _overwrite(folder: Path) -> None:
    (folder / "out" / "s10.json").write_text("mine")


@pytest.mark.parametrize("change", [_edit, _remove, _overwrite])
def test_what_is_no_longer_done_or_true_is_computed_again(
    batch: Batch, tmp_path: Path, change: Callable[[Path], None]
) -> None:
    fill(tmp_path / "in", 3)
    batch("in")
    change(tmp_path)
    assert "2 of them before" in batch("in").stdout
    assert batch("in", out="anew").exit_code == 0
    assert written(tmp_path / "out") == written(tmp_path / "anew")


def test_another_output_another_engine_another_catalogue_are_new_work(
    batch: Batch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path / "in", 1)
    batch("in", only="json")
    assert "before" not in batch("in", only="json,csv").stdout
    assert "before" in batch("in", only="csv").stdout
    assert "before" not in batch("in", only="html").stdout
    assert "before" in batch("in", only="json,csv,html").stdout
    (tmp_path / "in" / "own").mkdir()
    (tmp_path / "in" / "s10.yaml").write_text(changed(("currency: USD", "currency: USD\ncatalogue: own")))
    assert "before" not in batch("in").stdout
    assert "before" in batch("in").stdout
    models = "id,figure,value,low,high,unit,as_of,source,status,note\nmine,name,Mine,,,,2026-10-01,us,estimate,\n"
    (tmp_path / "in" / "own" / "models.csv").write_text(models)
    assert "before" not in batch("in").stdout
    monkeypatch.setattr("tco.batch.identity.engine", lambda: {"tco": "another"})
    assert "before" not in batch("in").stdout


def test_a_file_beside_the_scenario_counts(tmp_path: Path) -> None:
    from tco.batch.identity import references

    raw = b"format: 1\nelectricity: {tariff: rates/a.json, meter: {file: 'load 1.csv'}}\ntitle: no file.txt\n"
    (tmp_path / "rates").mkdir()
    (tmp_path / "rates" / "a.json").write_text("1")
    (tmp_path / "load 1.csv").write_text("2")
    found = references(raw, str(tmp_path / "a.yaml"))
    assert set(found) == {"rates/a.json", "load 1.csv"}
    (tmp_path / "load 1.csv").write_text("3")
    assert references(raw, str(tmp_path / "a.yaml")) != found


def test_every_key_that_names_a_file_is_known() -> None:
    from tco.batch.identity import KEYS

    text = "\n".join(path.read_text() for path in (ROOT / "tco" / "scenario").glob("*schema.py"))
    keys = set(re.findall(r"^    (\w+): FileName", text, re.MULTILINE))
    for name in re.findall(r'class (\w+)\(.*?\n.*?\n\n    shorthand: .*= "file"', text):
        keys |= set(re.findall(rf"^    (\w+): .*\b{name}\b", text, re.MULTILINE))
    assert {"catalogue", "file", "tariff"} <= keys
    assert {key.encode() for key in keys} == set(KEYS)


def children(process: int) -> list[int]:
    """Processes that a process started, and theirs."""
    found = Path(f"/proc/{process}/task/{process}/children")
    direct = [int(one) for one in found.read_text().split()] if found.exists() else []
    return [one for child in direct for one in (child, *children(child))]


def ended(process: int) -> bool:
    """Gone, or dead and not yet fetched by its parent."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def until(true: Callable[[], object], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.02)


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_kill_9_in_the_middle(batch: Batch, tmp_path: Path) -> None:
    fill(tmp_path / "in", 9)
    command = [sys.executable, "-m", "tco", "batch", "in", "--only", "json,xlsx", "--out", "out", "--jobs", "2"]
    with subprocess.Popen(command, cwd=tmp_path, env=ENVIRONMENT, stdout=subprocess.PIPE) as running:
        until(lambda: len(list((tmp_path / "out").glob("*.json"))) >= 2)
        workers = children(running.pid)
        running.send_signal(signal.SIGKILL)
    until(lambda: all(map(ended, workers)))
    base = sqlite3.connect(tmp_path / "out" / NAME)
    (done,) = base.execute("SELECT count(*) FROM scenarios").fetchone()
    base.close()
    assert 1 <= done < 9
    assert not (tmp_path / "out" / "results.csv").exists()
    told = batch("in", only="json,xlsx", jobs="2")
    assert (told.exit_code, told.stderr) == (0, "")
    assert told.stdout.startswith(f"9 of 9 scenarios done; {done} of them before\n")
    assert batch("in", only="json,xlsx", out="whole", jobs="1").exit_code == 0
    left = {name: content for name, content in written(tmp_path / "out").items() if not name.endswith(".part")}
    assert left == written(tmp_path / "whole")


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_an_interrupt_ends_all_and_the_batch_goes_on_later(batch: Batch, tmp_path: Path) -> None:
    """As from a terminal: every process of the group gets the signal."""
    fill(tmp_path / "in", 12)
    command = [sys.executable, "-m", "tco", "batch", "in", "--only", "json", "--out", "out", "--jobs", "2"]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, cwd=tmp_path, env=ENVIRONMENT, stdout=pipe, stderr=pipe, text=True, start_new_session=True
    ) as running:
        until(lambda: list((tmp_path / "out").glob("*.json")))
        workers = children(running.pid)
        os.killpg(running.pid, signal.SIGINT)
        _, told = running.communicate(timeout=60)
    assert (running.returncode, told) == (130, "interrupted; files already written are whole\n")
    until(lambda: all(map(ended, workers)))
    told = batch("in")
    assert told.exit_code == 0
    assert "of them before" in told.stdout


@pytest.mark.skipif(os.name != "posix", reason="needs a terminal")
def test_a_bar_stands_on_a_terminal_and_nowhere_else(batch: Batch, tmp_path: Path) -> None:
    import pty

    fill(tmp_path / "in", 3)
    (tmp_path / "in" / "bad.yaml").write_text("")
    assert "[#" not in batch("in").stderr
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "tco", "batch", "in", "--fresh", "--only", "json", "--out", "out", "--jobs", "1"]
    done = subprocess.run(command, cwd=tmp_path, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=theirs, check=False)
    os.close(theirs)
    shown = os.read(ours, 65536).decode()
    os.close(ours)
    assert done.returncode == 3
    assert "1 of 4, 1 failed" in shown
    assert "4 of 4, 1 failed" in shown
    assert "in/bad.yaml: is empty" in shown
    assert shown.endswith("\r\033[K")


def test_two_batches_at_once_are_refused_by_name(batch: Batch, tmp_path: Path) -> None:
    fill(tmp_path / "in", 8)
    command = [sys.executable, "-m", "tco", "batch", "in", "--only", "json", "--out", "out", "--jobs", "1"]
    with subprocess.Popen(command, cwd=tmp_path, env=ENVIRONMENT, stdout=subprocess.PIPE) as running:
        until(lambda: list((tmp_path / "out").glob("*.json")))
        told = batch("in")
        assert told.exit_code == 4
        assert told.stderr.startswith(f"out: process {running.pid} on ")
        assert "is writing a batch into this folder" in told.stderr
        assert running.wait(60) == 0
    assert batch("in").exit_code == 0


def test_the_lock_of_a_dead_process_is_no_lock(batch: Batch, tmp_path: Path) -> None:
    fill(tmp_path / "in", 1)
    (tmp_path / "out").mkdir()
    with subprocess.Popen([sys.executable, "-c", ""]) as dead:
        pass
    (tmp_path / "out" / ".tco-batch.lock").write_text(f"{dead.pid} {os.uname().nodename}\n")
    assert batch("in").exit_code == 0


@pytest.mark.parametrize(("signed", "code"), [("{} {}", 4), ("1 elsewhere", 4), ("999999999 {1}", 0), ("", 0)])
def test_where_the_file_system_has_no_locks_the_signature_counts(
    batch: Batch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, signed: str, code: int
) -> None:
    def none(_: int) -> None:
        raise OSError(errno.ENOLCK, "no locks")

    fill(tmp_path / "in", 1)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / ".tco-batch.lock").write_text(signed.format(os.getppid(), os.uname().nodename))
    monkeypatch.setattr("tco.batch.lock._lock", none)
    assert batch("in").exit_code == code


def failing_after(count: int, number: int, write: Callable[..., None]) -> Callable[..., None]:
    """The writing function, with an operating system that refuses from some call on."""
    calls = 0

    def limited(path: Path, content: bytes) -> None:
        nonlocal calls
        calls += 1
        if calls > count:
            from tco.errors import OutputError

            error = OSError(number, os.strerror(number))
            raise OutputError(f"{path}: cannot be written: {os.strerror(number).lower()}") from error
        write(path, content)

    return limited


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EIO])
def test_a_full_disk_stops_the_batch_and_loses_nothing(
    batch: Batch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    from tco.batch import outputs

    fill(tmp_path / "in", 5)
    with monkeypatch.context() as patched:
        patched.setattr(outputs, "write_atomically", failing_after(2, number, outputs.write_atomically))
        told = batch("in")
    assert (told.exit_code, told.stdout) == (4, "")
    first, second = told.stderr.splitlines()
    assert first == f"out/s12.json: cannot be written: {os.strerror(number).lower()}"
    assert second.startswith("stopped at 2 of 5 scenarios; nothing that is done is lost: ")
    assert "2 of them before" in batch("in").stdout
    batch("in", out="whole")
    assert written(tmp_path / "out") == written(tmp_path / "whole")


def test_one_output_that_cannot_be_written_stops_no_other(batch: Batch, tmp_path: Path) -> None:
    fill(tmp_path / "in", 3)
    (tmp_path / "out" / "s11.json").mkdir(parents=True)
    told = batch("in")
    assert told.exit_code == 3
    assert told.stderr == "out/s11.json: cannot be written: is a directory\n"
    (tmp_path / "out" / "s11.json").rmdir()
    assert batch("in").exit_code == 0


def test_a_folder_that_cannot_be_written(batch: Batch, tmp_path: Path) -> None:
    fill(tmp_path / "in", 1)
    (tmp_path / "out").write_text("mine")
    told = batch("in")
    assert (told.exit_code, told.stdout) == (4, "")
    assert told.stderr == "out/.tco-batch.lock: cannot be written: file exists\n"


@pytest.mark.skipif(not os.geteuid(), reason="root may write everywhere")
def test_a_folder_without_permission(batch: Batch, tmp_path: Path) -> None:
    fill(tmp_path / "in", 1)
    (tmp_path / "out").mkdir(mode=0o500)
    told = batch("in")
    assert told.exit_code == 4
    assert "permission denied" in told.stderr


def test_a_table_that_is_open_elsewhere(batch: Batch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace = os.replace

    def held(source: Any, target: Any) -> None:
        if Path(target).name == "results.csv":
            raise PermissionError(errno.EACCES, "Permission denied")
        replace(source, target)

    fill(tmp_path / "in", 2)
    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", held)
        told = batch("in")
    assert told.exit_code == 4
    assert told.stdout.startswith("2 of 2 scenarios done\n")
    assert "out/results.csv: cannot be written: permission denied; the scenarios are done: close it" in told.stderr
    told = batch("in")
    assert told.exit_code == 0
    assert told.stdout.startswith("2 of 2 scenarios done; 2 of them before\n")
    assert (tmp_path / "out" / "results.csv").exists()


def test_a_scenario_that_is_deleted_while_running(
    batch: Batch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path / "in", 3)
    compute = job.computed

    def deleting(task: Any) -> Any:
        for name in ("s10.yaml", "s12.yaml"):
            (tmp_path / "in" / name).unlink(missing_ok=True)
        return compute(task)

    monkeypatch.setattr(job, "computed", deleting)
    told = batch("in")
    assert told.exit_code == 3
    assert told.stderr == "in/s12.yaml: there is no such file\n"
    assert {"s10.json", "s11.json"} < set(written(tmp_path / "out"))


@pytest.mark.parametrize("content", [b"no ledger at all, but long enough to be taken for one" * 40])
def test_a_damaged_ledger_is_told_and_begun_anew(batch: Batch, tmp_path: Path, content: bytes) -> None:
    fill(tmp_path / "in", 1)
    batch("in")
    (tmp_path / "out" / NAME).write_bytes(content)
    told = batch("in")
    assert told.exit_code == 4
    assert "is not a ledger of tco, or damaged" in told.stderr
    assert batch("in", "--fresh").exit_code == 0


def test_an_edited_workbook_is_kept_and_not_computed(
    batch: Batch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path / "in", 2)
    batch("in", only="xlsx")
    (tmp_path / "out" / "s10.xlsx").write_bytes(b"mine")
    computed_names = list[str]()
    compute = job.computed

    def counting(task: Any) -> Any:
        computed_names.extend([] if task.problem else [task.name])
        return compute(task)

    monkeypatch.setattr(job, "computed", counting)
    told = batch("in", only="xlsx")
    assert told.exit_code == 3
    assert "out/s10.xlsx: was changed since tco wrote it" in told.stderr
    assert (tmp_path / "out" / "s10.xlsx").read_bytes() == b"mine"
    assert computed_names == []
    assert batch("in", "--force", only="xlsx").exit_code == 0
    assert computed_names == ["s10"]


def test_results_do_not_depend_on_the_number_of_workers(batch: Batch, tmp_path: Path) -> None:
    fill(tmp_path / "in", 3)
    (tmp_path / "in" / "bad.yaml").write_text(changed(("0.12 USD/kWh", "0.12")))
    told = [batch("in", only="json,xlsx,html", jobs=str(jobs), out=f"out{jobs}") for jobs in (1, 2)]
    assert {(one.exit_code, one.stderr) for one in told} == {(3, told[0].stderr)}
    folders: Sequence[dict[str, bytes]] = [written(tmp_path / f"out{jobs}") for jobs in (1, 2)]
    assert folders[0] == folders[1]
    assert "s12.xlsx" in folders[0]
