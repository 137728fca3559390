"""The report as Chromium shows it."""

# pyright: basic
from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tco.report import render
from tco.result import Result
from tco.session import loads
from tests.report.pages import HOSTILE, defaced, poisoned
from tests.report.screens import widths


@pytest.mark.parametrize("width", [360, 1440])
def test_the_page_never_scrolls_sideways(chromium: list[str], tmp_path: Path, quickstart: Result, width: int) -> None:
    found = widths(chromium, tmp_path / "frame.html", render(quickstart), width)
    assert found["window"] == width
    assert max(found["page"], found["body"]) <= width


def test_nor_with_the_longest_words(chromium: list[str], tmp_path: Path, cut: Callable[..., Result]) -> None:
    html = render(poisoned(cut("workstation", "api", "one-card", reference="api"), HOSTILE["long"]))
    assert widths(chromium, tmp_path / "frame.html", html, 360)["page"] <= 360


@pytest.mark.parametrize("width", [360, 1440])
@pytest.mark.parametrize("text", ["long", "script"])
def test_nor_with_hostile_text_in_every_field(chromium: list[str], tmp_path: Path, text: str, width: int) -> None:
    html = render(loads(defaced(HOSTILE[text])).run())
    assert widths(chromium, tmp_path / "frame.html", html, width)["page"] <= width


def test_the_console_stays_silent(chromium: list[str], tmp_path: Path, quickstart: Result) -> None:
    path = tmp_path / "report.html"
    path.write_text(render(quickstart), encoding="utf-8")
    command = [*chromium, "--enable-logging=stderr", "--dump-dom", path.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert "CONSOLE" not in done.stderr
