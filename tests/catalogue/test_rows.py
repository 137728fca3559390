"""Malformed rows: each gets its sentence with file and line, all of them at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tco.catalogue import Catalogue
from tco.catalogue.schema import COLUMNS
from tco.errors import CatalogueError

GOOD = "box,system_price,100,90,120,USD/system,2026-09,quote,list,"


def folder(path: Path, *rows: str, kind: str = "systems") -> Catalogue:
    (path / f"{kind}.csv").write_text("\n".join([",".join(COLUMNS), *rows]) + "\n", encoding="utf-8")
    return Catalogue.from_folder(path)


def complaint(path: Path, *rows: str, kind: str = "systems") -> str:
    with pytest.raises(CatalogueError) as caught:
        folder(path, *rows, kind=kind).entries(kind)
    return str(caught.value)


def test_a_sound_row_becomes_a_figure(tmp_path: Path):
    entry = folder(tmp_path, "box,name,A box,,,,,,,big", GOOD).find("systems", "box")
    price = entry.figures["system_price"]
    assert entry.texts == {"name": "A box"}
    assert (price.value, price.low, price.high, price.unit) == (100, 90, 120, "USD/system")
    assert (price.as_of, price.source, price.status) == ("2026-09", "quote", "list")
    assert price.origin == "catalogue systems/box"


def test_a_file_saved_with_a_byte_order_mark_loads(tmp_path: Path):
    text = ",".join(COLUMNS) + "\n" + GOOD + "\n"
    (tmp_path / "systems.csv").write_text(text, encoding="utf-8-sig")
    assert Catalogue.from_folder(tmp_path).find("systems", "box").figures["system_price"].value == 100


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        (GOOD.replace("list", "lst"), "status `lst` is not one of quote, list"),
        (GOOD.replace("list", "lst"), "did you mean `list`?"),
        (GOOD.replace("100", "cheap"), "value `cheap` is not a number: write it plainly"),
        (GOOD.replace("100", "1_00"), "value `1_00` is not a number"),
        (GOOD.replace("100", "nan"), "value `nan` is not a number"),
        (GOOD.replace("90", "9O"), "low `9O` is not a number"),
        (GOOD.replace("90", "101"), "low 101 is above value 100: low <= value <= high is wanted"),
        (GOOD.replace("120", "99"), "value 100 is above high 99"),
        (GOOD.replace("USD/system", "USD/sistem"), "`sistem` is not a unit; did you mean `system`?"),
        (GOOD.replace("USD/system", "USD/gpu"), "`system_price` is in USD/gpu, which cannot become USD/system"),
        (GOOD.replace("USD/system", ""), "`system_price` is in no unit, which cannot become USD/system"),
        (GOOD.replace("2026-09", "Sept 2026"), "as_of `Sept 2026` is not a date: write 2026, 2026-09 or 2026-09-27"),
        (GOOD.replace("2026-09", "2026-13"), "as_of `2026-13` is not a date"),
        (GOOD.replace("2026-09", ""), "`system_price` has no as_of"),
        (GOOD.replace("quote", ""), "`system_price` has no source: every figure says its source"),
        (GOOD.replace(",list", ","), "`system_price` has no status"),
        (GOOD.replace("100", ""), "`value` is empty: fill it, or leave out the row of what is unknown"),
        (GOOD.replace("box", ""), "`id` is empty"),
        (
            GOOD.replace("system_price", "sytem_price"),
            "no figure `sytem_price`; did you mean `system_price`?",
        ),
        (GOOD.replace("system_price", "zzz"), "systems have no figure `zzz`; the figures are gpus_per_system"),
        ("box,name,A box,,,kg,,,,", "`name` is a text and has no unit: empty that cell"),
        (GOOD + ",more", "11 cells where 10 are wanted: quote a cell that holds a comma"),
    ],
)
def test_a_malformed_row_gets_its_sentence(tmp_path: Path, row: str, sentence: str):
    said = complaint(tmp_path, row)
    assert said.startswith("systems.csv:2: ")
    assert sentence in said


def test_a_second_row_for_a_figure_is_refused(tmp_path: Path):
    said = complaint(tmp_path, GOOD, GOOD)
    assert said == (
        "systems.csv:3: `box` has a second row for `system_price`: keep the newest, put the older into its note"
    )


def test_all_problems_are_told_at_once(tmp_path: Path):
    said = complaint(tmp_path, GOOD.replace("100", "x"), GOOD, GOOD.replace("list", "lst"))
    assert [line.split(" ")[0] for line in said.splitlines()] == ["systems.csv:2:", "systems.csv:4:"]


def test_other_columns_are_refused(tmp_path: Path):
    (tmp_path / "systems.csv").write_text("id,value\nbox,1\n", encoding="utf-8")
    with pytest.raises(CatalogueError, match=r"systems.csv:1: the columns must be `id,figure,value,low"):
        Catalogue.from_folder(tmp_path).entries("systems")


def test_a_missing_file_is_told(tmp_path: Path):
    with pytest.raises(CatalogueError, match=r"the catalogue has no file systems.csv: add one"):
        Catalogue.from_folder(tmp_path).entries("systems")


def test_a_file_that_is_not_text_is_told(tmp_path: Path):
    (tmp_path / "systems.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CatalogueError, match=r"systems.csv is not UTF-8 at byte 0: save it as UTF-8"):
        Catalogue.from_folder(tmp_path).entries("systems")


def test_a_cell_without_end_is_told(tmp_path: Path):
    assert "systems.csv cannot be read as CSV" in complaint(tmp_path, GOOD + '"' + "x" * 200_000)


def test_general_figures_may_have_any_unit(tmp_path: Path):
    rows = folder(tmp_path, "F1,value,2,,,MUSD/MW,2026,survey,list,", kind="facility")
    assert rows.find("facility", "F1").figures["value"].unit == "MUSD/MW"
    assert "`acre` is not a unit" in complaint(tmp_path, "F1,value,2,,,USD/acre,2026,survey,list,", kind="facility")


def test_another_unit_of_the_same_kind_is_kept(tmp_path: Path):
    price = folder(tmp_path, GOOD.replace("USD/system", "kUSD/system")).find("systems", "box").figures["system_price"]
    assert price.to("USD/system").value == 100_000


def test_only_the_file_asked_for_is_read(tmp_path: Path):
    (tmp_path / "models.csv").write_text("broken", encoding="utf-8")
    assert len(folder(tmp_path, GOOD).entries("systems")) == 1


def test_the_version_changes_with_a_file(tmp_path: Path):
    before = folder(tmp_path, GOOD).version
    assert folder(tmp_path, GOOD.replace("100", "101")).version != before
