"""Hostile workbooks are refused before any reader sees them: in a sentence, within a second and 200 MB."""

# pyright: basic
from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tco.errors import ScenarioError
from tco.workbook.safety import check_safe
from tests.workbook.hostile import corpus

MEGABYTES, SECONDS, GENEROUS = 200, 1.0, 3.0
WATCH = """
import json, resource, sys, time
resource.setrlimit(resource.RLIMIT_DATA, (1_000_000_000, 1_000_000_000))
resource.setrlimit(resource.RLIMIT_CPU, (120, 120))
from pathlib import Path
from tco.errors import ScenarioError
from tco.workbook.safety import check_safe
for name in json.load(sys.stdin):
    before, told = time.process_time(), ""
    try:
        check_safe(Path(name))
    except ScenarioError as error:
        told = str(error)
    peak = int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]) / 1000
    print(json.dumps([name, told, time.process_time() - before, peak]), flush=True)
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, Path, str]]:
    return corpus(tmp_path_factory.mktemp("hostile"))


@pytest.fixture(scope="module")
def seen(files: list[tuple[str, Path, str]]) -> dict[str, tuple[str, float, float]]:
    """What a process of its own said of each file, its seconds, and the most memory so far."""
    paths = [str(path) for _, path, _ in files]
    done = subprocess.run(
        [sys.executable, "-c", WATCH], input=json.dumps(paths), capture_output=True, text=True, check=False
    )
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) == len(files), f"{[row[0] for row in rows][-1:]} was the last: {done.stderr[-500:]}"
    return {name: (told, seconds, peak) for name, told, seconds, peak in rows}


def test_each_is_refused_by_name_and_what_is_harmless_is_not(
    files: list[tuple[str, Path, str]], seen: dict[str, Any]
) -> None:
    wrong = []
    for name, path, word in files:
        told = seen[str(path)][0].removeprefix(f"{path}: ")
        if (word not in told) if word else told:
            wrong.append(f"{name}: {word!r} expected, {told!r} said")
        assert "\n" not in told
    assert not wrong, "\n".join(wrong)


def test_within_a_second_and_200_megabytes(files: list[tuple[str, Path, str]], seen: dict[str, Any]) -> None:
    slow = [(name, seen[str(path)][1]) for name, path, _ in files if seen[str(path)][1] > SECONDS * GENEROUS]
    assert not slow
    assert max(peak for _, _, peak in seen.values()) < MEGABYTES


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.xlsx")
    (tmp_path / "folder.xlsx").mkdir()
    (tmp_path / "gone.xlsx").symlink_to(tmp_path / "nowhere")
    for name, word in {
        "pipe.xlsx": "a pipe",
        "folder.xlsx": "a folder",
        "gone.xlsx": "no such file",
        "none.xlsx": "no such file",
        "x" * 300: "cannot be read",
    }.items():
        with pytest.raises(ScenarioError, match=word):
            check_safe(tmp_path / name)


def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may read all, so the system's answer is given here."""

    def refuse(*_: Any) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(ScenarioError, match="cannot be read: permission denied"):
        check_safe(tmp_path / "secret.xlsx")
