"""`tco quote import` on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tco.cli import main
from tco.session import load
from tests.quotes.shop import TEXT
from tests.quotes.supplier import german, workbook

AWARD = "award: {own: N-118}"


def call(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["quote", "import", *map(str, arguments)])


def test_it_prints_a_section_and_tells_its_choices_aside(tmp_path: Path) -> None:
    done = call(german(tmp_path), "--supplier", "Muster GmbH", "--fleet", "own")
    assert done.exit_code == 0
    assert done.stdout.startswith('quotes:\n  offers:\n    - supplier: "Muster GmbH"\n      number: "A-2026-118"\n')
    assert "read as Windows-1252" in done.stderr
    assert "Windows" not in done.stdout


def test_it_adds_to_a_scenario_and_tells_what_expired(tmp_path: Path) -> None:
    scenario = tmp_path / "mine.yaml"
    scenario.write_text(TEXT)
    done = call(german(tmp_path), "--supplier", "Muster", "--fleet", "own", "--write", scenario)
    assert done.exit_code == 0
    assert "645081" in done.stdout
    assert "expired: valid until 2026-11-30, 5 days before 2026-12-05" in done.stderr
    quotes = load(scenario).content.quotes
    assert quotes
    assert quotes.offers[-1].number == "A-2026-118"


def test_a_cheaper_offer_asks_for_the_reason_of_the_award_before_it_is_written(tmp_path: Path) -> None:
    scenario = tmp_path / "mine.yaml"
    scenario.write_text(TEXT)
    stated = ("--supplier", "Muster", "--fleet", "own", "--number", "C-1", "--write", scenario)
    done = call(workbook(tmp_path), *stated)
    assert done.exit_code == 1
    assert "N-118 asks 330,918.82 USD a system, C-1 313,947.52: say why in `reason`" in done.stderr
    assert scenario.read_text() == TEXT
    scenario.write_text(TEXT.replace(AWARD, "award: {own: {to: N-118, reason: asked first}}"))
    assert call(workbook(tmp_path), *stated).exit_code == 0


def test_an_unknown_fleet_writes_nothing(tmp_path: Path) -> None:
    scenario = tmp_path / "mine.yaml"
    scenario.write_text(TEXT)
    done = call(german(tmp_path), "--supplier", "Muster", "--fleet", "oven", "--write", scenario)
    assert done.exit_code == 1
    assert "`oven` is not a fleet" in done.stderr
    assert scenario.read_text() == TEXT


def test_a_map_file_states_what_the_file_leaves_open(tmp_path: Path) -> None:
    def change(sheet: object) -> None:
        sheet["E6"], sheet["E8"], sheet["B8"] = "Ours", "1.234", "Blue box"  # type: ignore[index]

    path, mapped = workbook(tmp_path, change), tmp_path / "map.yaml"
    mapped.write_text("decimal: ','\ncolumns: {price: Ours, amount: A}\ncarries: {Blue: storage}\nsupplier: Nordrack\n")
    done = call(path, "--map", mapped, "--map", "amount=C")
    assert done.exit_code == 0, done.stderr
    assert "price: 1234 EUR, carries: storage" in done.stdout


@pytest.mark.parametrize(
    ("text", "told"),
    [("colums: {price: Ours}", "`colums` is not known here; did you mean `columns`?"), ("columns: Ours", "a mapping"),
     ("header: six", "wanted a row, such as 12")],
)  # fmt: skip
def test_a_map_that_cannot_be_read_is_refused_at_its_place(text: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "map.yaml").write_text(text)
    done = call(workbook(tmp_path), "--map", tmp_path / "map.yaml")
    assert done.exit_code == 1
    assert "map.yaml:1:" in done.stderr
    assert told in done.stderr


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("none.csv", None, "is not a file"),
        ("offer.pdf", b"%PDF", "is neither .xlsx nor .csv"),
        ("offer.csv", b"a\x00b", "holds binary data"),
        ("offer.csv", b"only words", "has one column only"),
        ("offer.csv", b'a;b\n"c;d', "cannot be read as CSV"),
        ("offer.csv", b"Pos;Menge\n1;2\n", "no row has heads for item and price"),
        ("offer.xlsx", b"PK\x03\x04nothing", "is not a workbook"),
    ],
)
def test_what_is_no_quote_is_refused_in_a_sentence(name: str, content: bytes | None, told: str, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    done = call(tmp_path / name, "--supplier", "x")
    assert done.exit_code == 1
    assert told in done.stderr
    assert "Traceback" not in done.stderr
