"""Text stays text, bytes stay the same, and a file is written whole or not at all."""

# pyright: basic
from __future__ import annotations

import itertools
import os
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import openpyxl
import pytest

from tco.errors import OutputError
from tco.result import Alert, Result
from tco.workbook import build, write
from tests.workbook import toy

HOSTILE = [
    "=1+1",
    "=cmd|' /C calc'!A0",
    "{=1+1}",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1+1",
    "\r=1+1",
    "http://example.com",
    "mailto:a@example.com",
    "internal:Inputs!A1",
    "external:\\\\host\\share",
    "file:///etc/passwd",
    "#N/A",
    "<b>&amp;</b>",
    "\x00\x0b\x1f",
    "\ud800",
    "\ufffe",
    "x" * 40_000,
    "😀" * 20_000,
    '"&HYPERLINK("x")&"',
    "a\u202eb",
    "&P&D&[File]",
    "_x000B_",
    "'",
    "]]>",
    "%s {0} {c} {p}",
    "<r>a & b</r>",
]


def hostile_result(text: str) -> Result:
    """Every free text is hostile, each in its own way, and the title is `text`."""
    made = toy.result(text=text)
    texts = itertools.cycle(HOSTILE)
    for fleet in made.fleets:
        fleet.name, fleet.model_id, fleet.precision, fleet.tier = (next(texts) for _ in range(4))
        fleet.reasons, fleet.left_out = [next(texts)], [next(texts)]
        for name, figure in fleet.inputs.items():
            fleet.inputs[name] = replace(
                figure, source=next(texts), note=next(texts), as_of=next(texts), valid_until=next(texts)
            )
    made.warnings, made.left_out = [Alert(text, text, text) for text in HOSTILE], list(HOSTILE)
    made.scenario.update(file=text, text="\n".join(HOSTILE))
    return made


@pytest.mark.parametrize("text", [HOSTILE[0], HOSTILE[15], HOSTILE[18], HOSTILE[22]], ids=lambda text: ascii(text[:12]))
def test_hostile_text_is_only_text(text: str, tmp_path: Path, path: Path) -> None:
    target = tmp_path / "hostile.xlsx"
    write(hostile_result(text), target)
    book = openpyxl.load_workbook(target)
    assert formulas_of(book) == formulas_of(openpyxl.load_workbook(path))
    links = [cell.hyperlink for sheet in book.worksheets for row in sheet.iter_rows() for cell in row if cell.hyperlink]
    assert all(link.location and not link.target for link in links)
    with zipfile.ZipFile(target) as parts:
        for name in parts.namelist():
            if name.endswith((".xml", ".rels")):
                ElementTree.fromstring(parts.read(name))


def formulas_of(book: Any) -> dict[tuple[str, str], str]:
    """Where formulas stand and what they say."""
    return {
        (sheet.title, cell.coordinate): cell.value
        for sheet in book.worksheets
        for row in sheet.iter_rows()
        for cell in row
        if cell.data_type == "f"
    }


def test_long_text_is_cut_in_words(tmp_path: Path) -> None:
    write(toy.result(text="x" * 40_000), tmp_path / "long.xlsx")
    text = openpyxl.load_workbook(tmp_path / "long.xlsx")["Log"]["B5"].value
    assert len(text) <= 32_767
    assert text.endswith("[cut]")


def test_the_same_result_gives_the_same_bytes() -> None:
    imports = "import hashlib; from tests.workbook import toy; from tco.workbook import build"
    code = f"{imports}; print(hashlib.sha256(build(toy.result())).hexdigest())"
    root = Path(__file__).parent.parent.parent
    seen = set()
    for seed, zone in (("0", "UTC"), ("1", "Asia/Tokyo"), ("77", "America/Lima")):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "TZ": zone, "PYTHONPATH": str(root)}
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, cwd=root, capture_output=True, text=True, check=True
        )
        seen.add(done.stdout)
    assert len(seen) == 1


def test_the_date_is_the_scenarios_own(path: Path) -> None:
    with zipfile.ZipFile(path) as parts:
        core = parts.read("docProps/core.xml").decode()
    assert core.count("2026-11-01T00:00:00Z") == 2


def test_a_failed_write_is_one_sentence_and_leaves_the_old_file_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "stall.xlsx"
    target.write_bytes(b"old")

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OutputError, match=r"(?i)no space left on device"):
        write(toy.result(), target)
    assert [file.name for file in tmp_path.iterdir()] == ["stall.xlsx"]
    assert target.read_bytes() == b"old"


def test_two_fleets_whose_names_meet_get_two_names() -> None:
    """An input `a_b` of all fleets and an input `a` of the fleet `b` would both be in_a_b."""
    assert build(toy.result([toy.fleet("tiers"), toy.fleet("energy")]))
