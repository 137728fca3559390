"""On paper nothing is cut: every cell is in the PDF, inside the margins, and no table is wider than the page."""

# pyright: basic
from __future__ import annotations

import copy
import json
import re
import subprocess
from collections.abc import Callable
from html import escape, unescape
from pathlib import Path

import pytest

from tco.report import render
from tco.result import Result
from tco.session import loads
from tests.report.pages import HOSTILE, Page, defaced, poisoned, ran

PAPERS = {"A4": (210.0, 297.0), "Letter": (215.9, 279.4)}
TOP, SIDE, BOTTOM = 17.0, 13.0, 16.0
"""Margins of the stylesheet, in mm."""

POINT, PIXEL = 72 / 25.4, 96 / 25.4
PROBE = """<script>
const wide = document.documentElement.clientWidth, told = [];
const say = (one, why) => told.push(`${why}: ${one.tagName} ${one.textContent.trim().slice(0, 40)}`);
for (const one of document.querySelectorAll("table, svg, td, th, p, li, pre, small")) {
  const box = one.getBoundingClientRect();
  if (box.right > wide + 0.5 || box.left < -0.5) say(one, `${box.right} of ${wide}`);
  if (/^T[DH]$/.test(one.tagName) && one.scrollWidth > one.clientWidth + 1) say(one, "runs over");
}
for (const row of document.querySelectorAll("tr")) {
  if (getComputedStyle(row).breakInside !== "avoid") say(row, "may break");
  if (row.getBoundingClientRect().height > HIGH) say(row, "higher than a page");
}
for (const one of document.querySelectorAll("thead"))
  if (getComputedStyle(one).display !== "table-header-group") say(one, "not repeated");
for (const one of document.querySelectorAll("figure, .whole, .decision"))
  if (getComputedStyle(one).breakInside !== "avoid") say(one, "may break");
const seen = {tables: document.querySelectorAll("table").length, wide, told: told.slice(0, 20)};
parent.document.documentElement.dataset.probe = JSON.stringify(seen);
</script>"""


def as_printed(chromium: list[str], path: Path, html: str, paper: str) -> dict[str, object]:
    """What does not fit the paper, in a frame as wide as it between its margins, with the styles of print."""
    width, height = ((size - cut) * PIXEL for size, cut in zip(PAPERS[paper], (2 * SIDE, TOP + BOTTOM), strict=True))
    probed = re.sub(r"<meta http-equiv[^>]*>", "", html).replace("@media print{", "@media all{")
    probed = probed.replace("(prefers-color-scheme:dark)", "print").replace(
        "</body>", f"{PROBE.replace('HIGH', f'{height}')}</body>"
    )
    frame = f'<iframe srcdoc="{escape(probed)}" width="{int(width)}" height="900" frameborder="0"></iframe>'
    path.write_text(frame, encoding="utf-8")
    command = [*chromium, "--window-size=1500,1000", "--hide-scrollbars", "--dump-dom", path.as_uri()]
    dumped = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    match = re.search(r'data-probe="([^"]*)"', dumped)
    assert match
    return json.loads(unescape(match[1]))


@pytest.fixture
def printed(chromium: list[str], tmp_path: Path) -> Callable[[str, str], Path]:
    """`printed(html, paper)`: the PDF."""

    def make(html: str, paper: str) -> Path:
        page, made = tmp_path / "report.html", tmp_path / "report.pdf"
        page.write_text(html.replace("</style>", f"@page{{size:{paper}}}</style>", 1), encoding="utf-8")
        command = [*chromium, "--no-pdf-header-footer", f"--print-to-pdf={made}", page.as_uri()]
        subprocess.run(command, capture_output=True, timeout=180, check=True)
        return made

    return make


def lost_cells(html: str, text: str) -> list[str]:
    """Cells of the page, in order, that the text of the PDF lacks."""
    visible = re.sub(r'<div id="whatif-panel" hidden>.*?</table>', "", html, flags=re.DOTALL)
    page, place, lost = Page(visible), 0, list[str]()
    squeezed = re.sub(r"\s", "", text)
    for index, (tag, _) in enumerate(page.elements):
        wanted = re.sub(r"\s", "", page.texts.get(index, "")) if tag in ("td", "th") else ""
        found = squeezed.find(wanted, place)
        lost += [wanted] if found < 0 else []
        place = max(found, place) + (len(wanted) if found >= 0 else 0)
    return lost


def told(pdf: Path, how: str) -> str:
    """What pdftotext reads."""
    command = ["pdftotext", how, str(pdf), "-"]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout


def boxes(pdf: Path) -> list[tuple[float, float, list[tuple[float, ...]]]]:
    """Width and height of each page, and where its words stand, in mm."""
    found, pages = [], told(pdf, "-bbox")
    for wide, high, words in re.findall(r'<page width="([\d.]+)" height="([\d.]+)">(.*?)</page>', pages, re.DOTALL):
        spots = re.findall(r'xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)"', words)
        found.append(
            (float(wide) / POINT, float(high) / POINT, [tuple(float(x) / POINT for x in one) for one in spots])
        )
    return found


@pytest.mark.pdftotext
@pytest.mark.parametrize(("name", "paper"), [("quickstart", "A4"), ("procurement", "Letter")])
def test_every_cell_is_on_paper(printed: Callable[[str, str], Path], name: str, paper: str) -> None:
    html = render(ran(name))
    pdf = printed(html, paper)
    assert lost_cells(html, told(pdf, "-raw")) == []
    pages = boxes(pdf)
    assert len(pages) > 10
    for wide, high, words in pages:
        assert (wide, high) == pytest.approx(PAPERS[paper], abs=0.2)
        assert min(one[0] for one in words) >= SIDE - 0.5
        assert max(one[2] for one in words) <= wide - SIDE + 0.5
        assert min(one[1] for one in words) > 0
        assert max(one[3] for one in words) < high


@pytest.mark.pdftotext
def test_a_lost_cell_is_found_out(printed: Callable[[str, str], Path]) -> None:
    html = render(ran("local_assistant"))
    spoiled = html.replace("</style>", "#key-figures tr:nth-child(3) td:last-child{display:none}</style>", 1)
    pdf = printed(spoiled, "A4")
    assert lost_cells(html, told(pdf, "-raw"))


@pytest.mark.parametrize(
    ("name", "paper"), [("quickstart", "A4"), ("quickstart", "Letter"), ("procurement", "A4"), ("pretraining", "A4")]
)
def test_no_table_is_wider_than_the_paper(chromium: list[str], tmp_path: Path, name: str, paper: str) -> None:
    html = render(ran(name))
    found = as_printed(chromium, tmp_path / "frame.html", html, paper)
    assert found["told"] == []
    assert found["tables"] == html.count("<table") > 20


@pytest.mark.parametrize("text", ["long", "script"])
def test_nor_with_hostile_text(chromium: list[str], tmp_path: Path, cut: Callable[..., Result], text: str) -> None:
    result = poisoned(copy.deepcopy(cut("workstation", "api", "one-card", reference="api")), HOSTILE[text][:400])
    for html in (render(result), render(loads(defaced(HOSTILE[text][:400])).run())):
        assert as_printed(chromium, tmp_path / "frame.html", html, "A4")["told"] == []
