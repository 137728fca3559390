"""What tests share: LibreOffice, Chromium and Node.js where they are installed, and a loud word where they are not.

A test asks for a tool by its fixture (`libreoffice`, `recalculated`, `chromium`, `node` …) or its marker. A missing
tool skips the test and says so at the end of the run; with CI=true or TCO_REQUIRE_ALL=1 it fails the test instead.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import settings

REQUIRE_ALL = os.environ.get("TCO_REQUIRE_ALL") == "1" or os.environ.get("CI") == "true"

# marker: what it is called, the commands that start it, the Debian package
TOOLS = {
    "libreoffice": ("LibreOffice", ("soffice", "libreoffice"), "libreoffice-calc"),
    "chromium": ("Chromium", ("chromium", "chromium-browser", "google-chrome"), "chromium"),
    "node": ("Node.js", ("node", "nodejs"), "nodejs"),
    "pdftotext": ("pdftotext", ("pdftotext",), "poppler-utils"),
}

# Recalculate every workbook on load: by default LibreOffice trusts the cached values that the tests want to check.
RECALCULATE_ALWAYS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>
"""

AXE = Path(__file__).parents[1] / ".venv/axe/node_modules/axe-core/axe.min.js"

CHROMIUM_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

settings.register_profile("tco", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if REQUIRE_ALL else "tco")

Cells = dict[tuple[str, str], Any]


def find_tool(marker: str) -> Path:
    """The program behind a marker; without it the test is skipped, or fails where everything is required."""
    name, commands, package = TOOLS[marker]
    found = next(filter(None, map(shutil.which, commands)), None)
    if found:
        return Path(found)
    sentence = f"needs {name} (apt-get install {package})"
    if REQUIRE_ALL:
        pytest.fail(f"{sentence}; nothing may be skipped with CI=true or TCO_REQUIRE_ALL=1", pytrace=False)
    pytest.skip(sentence)


def pytest_runtest_setup(item: pytest.Item) -> None:
    for marker in TOOLS:
        if item.get_closest_marker(marker):
            find_tool(marker)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test that uses a tool's fixture carries its marker, so that `-m "not libreoffice"` finds it."""
    for item in items:
        for marker in set(TOOLS).intersection(getattr(item, "fixturenames", ())):
            item.add_marker(marker)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ")
        for report in terminalreporter.stats.get("skipped", ())
        if isinstance(report.longrepr, tuple)
    )
    for reason, count in sorted(reasons.items()):
        if reason.startswith("needs "):
            tests = "1 test " if count == 1 else f"{count} tests "
            sentence = tests + (reason if count == 1 else reason.replace("needs ", "need ", 1))
            terminalreporter.write_line(f"NOT RUN: {sentence}", red=True, bold=True)


@pytest.fixture(scope="session")
def node() -> Path:
    """The path of Node.js."""
    return find_tool("node")


@pytest.fixture(scope="session")
def libreoffice() -> Path:
    """The path of LibreOffice."""
    return find_tool("libreoffice")


@pytest.fixture(scope="session")
def office_profile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A LibreOffice profile of this worker's own that recalculates on load."""
    profile = tmp_path_factory.mktemp("libreoffice")
    (profile / "user").mkdir()
    (profile / "user" / "registrymodifications.xcu").write_text(RECALCULATE_ALWAYS, encoding="utf-8")
    return profile


@pytest.fixture
def office_convert(libreoffice: Path, office_profile: Path, tmp_path: Path) -> Callable[[Path, str], Path]:
    """`office_convert(path, "pdf")`: the file as LibreOffice writes it, after it recalculated."""

    def convert(path: Path, target: str) -> Path:
        folder = tmp_path / "converted"
        command: list[str | Path] = [
            libreoffice,
            "--headless",
            "--norestore",
            f"-env:UserInstallation={office_profile.as_uri()}",
        ]
        done = subprocess.run(
            [*command, "--convert-to", target, "--outdir", folder, path],
            capture_output=True,
            text=True,
            timeout=180,
            check=False,
        )
        written = folder / f"{Path(path).stem}.{target.split(':')[0]}"
        assert written.is_file(), f"LibreOffice wrote no {written.name}: {done.stdout} {done.stderr}"
        return written

    return convert


@pytest.fixture
def recalculated(office_convert: Callable[[Path, str], Path]) -> Callable[[Path], Cells]:
    """`recalculated(path)`: every filled cell of a workbook as LibreOffice computes it, by (sheet, "A1")."""

    def read(path: Path) -> Cells:
        workbook = openpyxl.load_workbook(office_convert(path, "xlsx"), data_only=True)
        return {
            (sheet.title, cell.coordinate): cell.value
            for sheet in workbook.worksheets
            for row in sheet.iter_rows()
            for cell in row
            if cell.value is not None
        }

    return read


@pytest.fixture
def chromium(tmp_path: Path) -> list[str]:
    """The command that starts Chromium headless with an empty profile; add what it should do and an address."""
    return [str(find_tool("chromium")), *CHROMIUM_FLAGS, f"--user-data-dir={tmp_path / 'chromium'}"]


@pytest.fixture(scope="session")
def axe() -> str:
    """The script of axe-core; a test without it is skipped, or fails where nothing may be skipped."""
    if AXE.is_file():
        return AXE.read_text("utf-8").replace("</script", "<\\/script")
    sentence = "needs axe-core (make .venv/.axe)"
    if REQUIRE_ALL:
        pytest.fail(sentence, pytrace=False)
    pytest.skip(sentence)


@pytest.fixture
def page_text(chromium: list[str]) -> Callable[[Path], str]:
    """`page_text(path)`: an HTML file's document after its scripts ran."""

    def dump(path: Path) -> str:
        command = [*chromium, "--virtual-time-budget=5000", "--dump-dom", Path(path).as_uri()]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout

    return dump
