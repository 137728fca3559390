"""axe-core finds nothing to object to, on a light and on a dark screen."""

# pyright: basic
from __future__ import annotations

from pathlib import Path

import pytest

from tco.portfolio.page import render as render_portfolio
from tco.report import render
from tests.portfolio import shop
from tests.report.pages import ran
from tests.report.screens import judged, widths

SCREENS = [("procurement", "light"), ("pretraining", "dark"), ("quickstart", "light"), ("quickstart", "dark")]


@pytest.mark.parametrize(("name", "screen"), SCREENS)
def test_axe_finds_nothing(chromium: list[str], axe: str, tmp_path: Path, name: str, screen: str) -> None:
    """With sliders moved, so that what they say of stale choices is judged too."""
    html = render(ran(name))
    assert "(prefers-color-scheme:dark)" in html
    if screen == "dark":
        html = html.replace("(prefers-color-scheme:dark)", "all")
    passed, broken = judged(chromium, axe, tmp_path / "report.html", html, at="#whatif=demand:1300000")
    assert broken == []
    assert passed > 20


@pytest.mark.parametrize("screen", ["light", "dark"])
def test_axe_finds_nothing_on_a_portfolio(chromium: list[str], axe: str, tmp_path: Path, screen: str) -> None:
    html = render_portfolio(shop.ran())
    if screen == "dark":
        html = html.replace("(prefers-color-scheme:dark)", "all")
    passed, broken = judged(chromium, axe, tmp_path / "portfolio.html", html)
    assert broken == []
    assert passed > 20
    for width in (360, 1280):
        found = widths(chromium, tmp_path / "wide.html", html, width)
        assert found["page"] <= found["window"]


def test_axe_finds_what_is_wrong(chromium: list[str], axe: str, tmp_path: Path) -> None:
    pale = '<p style="color:#ccc;background:#fff">pale</p>'
    html = f'<html><body><main><h1>A</h1>{pale}<img src="data:"></main></body></html>'
    _, broken = judged(chromium, axe, tmp_path / "spoiled.html", html)
    assert {"color-contrast", "html-has-lang", "image-alt"} <= {name for name, *_ in broken}
