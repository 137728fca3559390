"""The report as Chromium shows it."""

# pyright: basic
from __future__ import annotations

import json
import re
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


def asked(chromium: list[str], folder: Path, html: str) -> list[str]:
    """Addresses that the page asked for, with its sliders moved; what Chromium asks by itself has no origin."""
    path, log = folder / "report.html", folder / "net.json"
    path.write_text(html, encoding="utf-8")
    command = [*chromium, f"--log-net-log={log}", "--dump-dom", f"{path.as_uri()}#whatif=discount:5"]
    subprocess.run(command, capture_output=True, timeout=120, check=True)
    events = [event.get("params", {}) for event in json.loads(log.read_text("utf-8"))["events"]]
    return [one["url"] for one in events if one.get("initiator", "not an origin") != "not an origin"]


def test_no_request_leaves_the_page(chromium: list[str], tmp_path: Path, quickstart: Result) -> None:
    html = render(quickstart)
    assert asked(chromium, tmp_path, html) == []
    spoiled = re.sub(r"<meta http-equiv[^>]*>", "", html).replace(
        "</body>", '<img src="http://127.0.0.1:9/x.png"></body>'
    )
    assert asked(chromium, tmp_path, spoiled) == ["http://127.0.0.1:9/x.png"]


def test_the_console_stays_silent(chromium: list[str], tmp_path: Path, quickstart: Result) -> None:
    path = tmp_path / "report.html"
    path.write_text(render(quickstart), encoding="utf-8")
    command = [*chromium, "--enable-logging=stderr", "--dump-dom", path.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert "CONSOLE" not in done.stderr
