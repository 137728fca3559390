"""PDF: pages that load nothing, one for the cover, drawings in the colours of print; loud where it cannot be made."""

# pyright: basic
from __future__ import annotations

import functools
import hashlib
import re
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tco.cli import main
from tco.report import render
from tco.request.cover import FLEETS, PARTS, cover
from tco.request.drawn import drawn
from tco.request.pdf import printer
from tests.conftest import REQUIRE_ALL
from tests.report.pages import ran
from tests.request.shop import TEXT, request
from tests.request.test_cover import TIED, WORDS, full, offers

Call = Callable[..., Result]


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Call:
    monkeypatch.chdir(tmp_path)
    Path("a.yaml").write_text(TEXT, encoding="utf-8")
    return lambda *arguments: CliRunner().invoke(
        main, ["request", "a.yaml", "--fleet", "own", "--out", "out", *arguments]
    )


@pytest.fixture(scope="session")
def weasyprint() -> Any:
    """The package; a test without it is skipped, or fails where nothing may be skipped."""
    try:
        import weasyprint  # pyright: ignore[reportMissingImports]
    except (ImportError, OSError):
        sentence = "needs WeasyPrint (make .venv/.pdf)"
        if REQUIRE_ALL:
            pytest.fail(sentence, pytrace=False)
        pytest.skip(sentence)
    return weasyprint


def test_without_weasyprint_it_says_what_to_install_and_writes_nothing(
    ask: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "weasyprint", None)
    done = ask("--pdf")
    assert done.exit_code == 4
    assert "tco-engine[pdf]" in done.stderr
    assert not Path("out").exists()


def test_a_printer_makes_cover_and_report(ask: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """What WeasyPrint is given: pages that load nothing."""
    given: list[str] = []

    class Html:
        def __init__(self, string: str, url_fetcher: Callable[[str], object]) -> None:
            with pytest.raises(ValueError, match="loads nothing"):
                url_fetcher("https://example.org/x.png")
            given.append(string)

        def write_pdf(self) -> bytes:
            return b"%PDF " + str(len(given)).encode()

    monkeypatch.setitem(sys.modules, "weasyprint", types.SimpleNamespace(HTML=Html))
    assert ask("--pdf").exit_code == 0
    written = {path.name for path in Path("out").iterdir()}
    assert {"a.pdf", "a-request.pdf"} <= written
    assert given == [drawn(Path(f"out/{name}.html").read_text("utf-8")) for name in ("a", "a-request")]
    assert hashlib.sha256(Path("out/a.pdf").read_bytes()).hexdigest() in given[1]
    assert ask().exit_code == 0
    assert {path.name for path in Path("out").iterdir()} == written - {"a.pdf", "a-request.pdf"}


@functools.cache
def report() -> str:
    return render(ran("local_assistant"))


def test_every_drawing_holds_its_rules_in_the_colours_of_print() -> None:
    drawings = re.findall(r"<svg.*?</svg>", drawn(report()), re.DOTALL)
    assert len(drawings) == report().count("<svg") > 5
    for one in drawings:
        rules = re.search(r"<style>(.*?)</style>", one, re.DOTALL)
        assert rules
        assert "var(" not in rules[1]
        assert ".capital_cost{fill:#262626}" in rules[1]  # grey: a print without colours
        assert "paint-order" not in rules[1]
        assert re.search(r"\.line\{fill:none;[^}]*stroke:#333", rules[1])
        assert "residual_cost" not in one.replace(rules[0], "") or 'id="hatch"' in one


def test_all_else_of_a_page_stays_as_it_is() -> None:
    assert cover(request(), TIED) == drawn(cover(request(), TIED))
    bare = re.sub(r"<svg.*?</svg>", "", report(), flags=re.DOTALL)
    assert re.sub(r"<svg.*?</svg>", "", drawn(report()), flags=re.DOTALL) == bare


def test_weasyprint_prints_the_fullest_cover_on_one_page(weasyprint: Any) -> None:
    html = cover(full(offers(WORDS), parts=PARTS, fleets=FLEETS + 1, approvers=8), TIED)
    assert len(weasyprint.HTML(string=html).render().pages) == 1


def test_a_printed_page_is_the_same_bytes_every_time(weasyprint: Any) -> None:
    """Its digest stands on the cover."""
    page = report()[: report().index("</head>")] + re.findall(r"<svg.*?</svg>", report(), re.DOTALL)[-1]
    assert printer()(page).startswith(b"%PDF")
    assert printer()(page) == printer()(page)
