"""axe-core finds nothing to object to, on a light and on a dark screen."""

# pyright: basic
from __future__ import annotations

import json
import re
import subprocess
from html import unescape
from pathlib import Path

import pytest

from tco.report import render
from tests.conftest import REQUIRE_ALL
from tests.report.pages import ran

AXE = Path(__file__).parents[2] / ".venv/axe/node_modules/axe-core/axe.min.js"
ASK = """for (const one of document.querySelectorAll("details")) one.open = true;
axe.run(document, {resultTypes: ["violations"]}).then(found => {
  const told = found.violations.map(one => [one.id, one.nodes.length, one.nodes[0].html.slice(0, 200)]);
  document.documentElement.dataset.axe = JSON.stringify([found.passes.length, told]);
});"""


@pytest.fixture(scope="session")
def axe() -> str:
    """The script; a test without it is skipped, or fails where nothing may be skipped."""
    if AXE.is_file():
        return AXE.read_text("utf-8").replace("</script", "<\\/script")
    sentence = "needs axe-core (make .venv/.axe)"
    if REQUIRE_ALL:
        pytest.fail(sentence, pytrace=False)
    pytest.skip(sentence)


def judged(chromium: list[str], axe: str, path: Path, html: str) -> tuple[int, list[list[object]]]:
    """How many rules passed, and every rule that did not."""
    free = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", html)
    path.write_text(free.replace("</body>", f"<script>{axe}</script><script>{ASK}</script></body>"), "utf-8")
    command = [*chromium, "--virtual-time-budget=60000", "--dump-dom", path.as_uri()]
    dumped = subprocess.run(command, capture_output=True, text=True, timeout=240, check=True).stdout
    match = re.search(r'data-axe="([^"]*)"', dumped)
    assert match
    passed, broken = json.loads(unescape(match[1]))
    return passed, broken


@pytest.mark.parametrize(("name", "screen"), [("procurement", "light"), ("pretraining", "dark")])
def test_axe_finds_nothing(chromium: list[str], axe: str, tmp_path: Path, name: str, screen: str) -> None:
    html = render(ran(name))
    assert "(prefers-color-scheme:dark)" in html
    if screen == "dark":
        html = html.replace("(prefers-color-scheme:dark)", "all")
    passed, broken = judged(chromium, axe, tmp_path / "report.html", html)
    assert broken == []
    assert passed > 20


def test_axe_finds_what_is_wrong(chromium: list[str], axe: str, tmp_path: Path) -> None:
    pale = '<p style="color:#ccc;background:#fff">pale</p>'
    html = f'<html><body><main><h1>A</h1>{pale}<img src="data:"></main></body></html>'
    _, broken = judged(chromium, axe, tmp_path / "spoiled.html", html)
    assert {"color-contrast", "html-has-lang", "image-alt"} <= {name for name, *_ in broken}
