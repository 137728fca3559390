"""What Chromium and axe-core say of a page."""

# pyright: basic
from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterable
from html import escape, unescape
from pathlib import Path

ASK = """for (const one of document.querySelectorAll("details")) one.open = true;
const style = document.querySelector("style"), dark = "(prefers-color-scheme:dark)";
const ask = () => axe.run(document, {resultTypes: ["violations"]});
const told = found => found.violations.map(one => [one.id, one.nodes.length, one.nodes[0].html.slice(0, 200)]);
const finish = (passed, broken) => { document.documentElement.dataset.axe = JSON.stringify([passed, broken]); };
ask().then(light => {
  if (!BOTH) return finish(light.passes.length, told(light));
  if (!style.textContent.includes(dark)) throw new Error("no dark screen");
  style.textContent = style.textContent.replaceAll(dark, "all");
  return ask().then(found => finish(light.passes.length + found.passes.length, [...told(light), ...told(found)]));
});"""
PROBE = """<script>
for (const one of document.querySelectorAll("details")) one.open = true;
const widths = {window: innerWidth, page: document.documentElement.scrollWidth, body: document.body.scrollWidth};
const held = parent.document.body.dataset;
held.probe = `${held.probe || ""}NUMBER=${JSON.stringify(widths)};`;
</script>"""

Widths = dict[str, int]


def judged(
    chromium: list[str], axe: str, path: Path, html: str, *, dark: bool = False, at: str = ""
) -> tuple[int, list[list[object]]]:
    """How many rules passed, and every rule that did not; with `dark` on a dark screen too, `at` a fragment."""
    free = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", html)
    ask = ASK.replace("BOTH", str(dark).lower())
    path.write_text(free.replace("</body>", f"<script>{axe}</script><script>{ask}</script></body>"), "utf-8")
    command = [*chromium, "--virtual-time-budget=60000", "--dump-dom", f"{path.as_uri()}{at}"]
    dumped = subprocess.run(command, capture_output=True, text=True, timeout=240, check=True).stdout
    match = re.search(r'data-axe="([^"]*)"', dumped)
    assert match
    passed, broken = json.loads(unescape(match[1]))
    return passed, broken


def widths(chromium: list[str], path: Path, html: str, width: int) -> Widths:
    """Widths of window and content in a frame (a window of Chromium cannot be narrower than 500 px)."""
    return all_widths(chromium, path, [html], [width])[0][0]


def all_widths(
    chromium: list[str], path: Path, pages: Iterable[str], wanted: Iterable[int]
) -> list[tuple[Widths, int]]:
    """The widths of every page in frames of every width, and the width of the frame."""
    frames = list[str]()
    asked = [(html, width) for html in pages for width in wanted]
    for number, (html, width) in enumerate(asked):
        probe = PROBE.replace("NUMBER", str(number))
        probed = re.sub(r"<meta http-equiv[^>]*>", "", html).replace("</body>", f"{probe}</body>")
        frames.append(f'<iframe srcdoc="{escape(probed)}" width="{width}" height="900" frameborder="0"></iframe>')
    path.write_text("".join(frames), "utf-8")
    command = [*chromium, "--window-size=1500,1000", "--dump-dom", path.as_uri()]
    dumped = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    match = re.search(r'data-probe="([^"]*)"', dumped)
    assert match
    found = {number: json.loads(told) for number, told in re.findall(r"(\d+)=([^;]*);", unescape(match[1]))}
    return [(found[str(number)], width) for number, (_, width) in enumerate(asked)]
