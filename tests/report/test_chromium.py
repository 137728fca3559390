"""The report as Chromium shows it."""

# pyright: basic
from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from html import escape, unescape
from pathlib import Path

import pytest

from tco.report import render
from tco.result import Result
from tests.report.pages import HOSTILE, poisoned

PROBE = """<script>
for (const one of document.querySelectorAll("details")) one.open = true;
const widths = {window: innerWidth, page: document.documentElement.scrollWidth, body: document.body.scrollWidth};
parent.document.documentElement.dataset.probe = JSON.stringify(widths);
</script>"""


def widths(chromium: list[str], path: Path, html: str, width: int) -> dict[str, int]:
    """Widths of window and content in a frame (a window of Chromium cannot be narrower than 500 px)."""
    probed = re.sub(r"<meta http-equiv[^>]*>", "", html).replace("</body>", f"{PROBE}</body>")
    path.write_text(
        f'<iframe srcdoc="{escape(probed)}" width="{width}" height="900" frameborder="0"></iframe>', "utf-8"
    )
    command = [*chromium, "--window-size=1500,1000", "--dump-dom", path.as_uri()]
    dumped = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    match = re.search(r'data-probe="([^"]*)"', dumped)
    assert match
    return json.loads(unescape(match[1]))


@pytest.mark.parametrize("width", [360, 1440])
def test_the_page_never_scrolls_sideways(chromium: list[str], tmp_path: Path, quickstart: Result, width: int) -> None:
    found = widths(chromium, tmp_path / "frame.html", render(quickstart), width)
    assert found["window"] == width
    assert max(found["page"], found["body"]) <= width


def test_nor_with_the_longest_words(chromium: list[str], tmp_path: Path, cut: Callable[..., Result]) -> None:
    html = render(poisoned(cut("workstation", "api", "one-card", reference="api"), HOSTILE["long"]))
    assert widths(chromium, tmp_path / "frame.html", html, 360)["page"] <= 360


def test_the_console_stays_silent(chromium: list[str], tmp_path: Path, quickstart: Result) -> None:
    path = tmp_path / "report.html"
    path.write_text(render(quickstart), encoding="utf-8")
    command = [*chromium, "--enable-logging=stderr", "--dump-dom", path.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert "CONSOLE" not in done.stderr
