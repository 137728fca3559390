"""A table of cases as scenarios of a batch: each row is the file that one would have written by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest
from click.testing import Result

from tests.batch.conftest import written
from tests.cli.conftest import BASE, changed

Batch = Callable[..., Result]
HEADS = "name,electricity.price [USD/kWh],fleets.own.precision\n"


@pytest.fixture
def table(batch: Batch, tmp_path: Path) -> Callable[..., Result]:
    """`table(text)` runs the rows on mine.yaml."""

    def call(text: str, *arguments: str, only: str = "json", out: str = "out") -> Result:
        (tmp_path / "mine.yaml").write_text(BASE, encoding="utf-8")
        (tmp_path / "cases.csv").write_text(text, encoding="utf-8")
        return batch("mine.yaml", *arguments, "--table", "cases.csv", only=only, out=out)

    return call


def test_a_row_is_the_file_that_one_would_have_written(table: Callable[..., Result], batch: Batch) -> None:
    done = table(HEADS + "cheap,0.05,\neu dear,0.3,bf16\n,,\n,0.2,\n", only="xlsx,html,json")
    assert done.stdout.startswith("4 of 4 scenarios done\n"), done.output
    by_hand = {
        "cheap": [("0.12 USD/kWh", "0.05 USD/kWh")],
        "eu dear": [("0.12 USD/kWh", "0.3 USD/kWh"), ("srv}, precision: fp8", "srv}, precision: bf16")],
        "mine-5": [("0.12 USD/kWh", "0.2 USD/kWh")],
    }
    for name, pairs in by_hand.items():
        Path("in", name).mkdir(parents=True)
        text = changed(("title: small", f'title: "small: {name}"'), *pairs)
        Path("in", name, "mine.yaml").write_text(text, encoding="utf-8")
    batch("in", only="xlsx,html,json", out="files")
    ours, theirs = written(Path("out")), written(Path("files"))
    for name in by_hand:
        for kind in ("xlsx", "html", "json"):
            assert ours[f"{name}.{kind}"] == theirs[f"{name}/mine.{kind}"], (name, kind)


def test_a_changed_row_is_computed_and_no_other(table: Callable[..., Result]) -> None:
    table(HEADS + "a,0.05,\nb,0.3,bf16\n")
    before = written(Path("out"))
    assert table(HEADS + "a,0.05,\nb,0.3,bf16\n").stdout.startswith("2 of 2 scenarios done; 2 of them before\n")
    told = table(HEADS + "b,0.3,bf16\na,0.06,\n")
    assert told.stdout.startswith("2 of 2 scenarios done; 1 of them before\n")
    after = written(Path("out"))
    assert after["b.json"] == before["b.json"]
    assert after["a.json"] != before["a.json"]


def test_a_workbook_holds_the_same_cases(table: Callable[..., Result], batch: Batch, tmp_path: Path) -> None:
    table(HEADS + "a,0.05,\nb,0.3,bf16\n")
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (HEADS.strip().split(","), ["a", 0.05, None], ["b", 0.3, "bf16"]):
        sheet.append(row)
    book.save(tmp_path / "cases.xlsx")
    assert batch("mine.yaml", "--table", "cases.xlsx", out="book").exit_code == 0
    ours, theirs = written(Path("out")), written(Path("book"))
    assert ours["a.json"] == theirs["a.json"]
    assert ours["results.csv"] == theirs["results.csv"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            HEADS + "a,0.05,fp9\nb,cheap,\n",
            [
                "cases.csv cell C2: fleets.own.precision: read `fp9`",
                "cases.csv cell B3: electricity.price: `cheap` is no plain number",
            ],
        ),
        (
            HEADS + "a,0.05,\nA,0.06,\nindex,0.07,\n../b,0.08,\n",
            [
                "cases.csv cell A3: name: `A` is the name of row 2 too",
                "cases.csv cell A4: name: `index` is the name of a table",
                "cases.csv cell A5: name: `../b` cannot name files",
            ],
        ),
        (
            "electricity.price [USD/kWh],workload.lost.failed,workload.lost.aborted\n0.1,60 %,1 %\n0.1,60 %,60 %\n",
            ["cases.csv cell A3: workload.lost: failed and aborted requests are all"],
        ),
    ],
)
def test_every_row_is_checked_before_anything_runs(
    table: Callable[..., Result], tmp_path: Path, text: str, told: list[str]
) -> None:
    done = table(text)
    assert done.exit_code == 1
    lines = done.stderr.splitlines()
    assert len(lines) == len(told), lines
    for line, start in zip(lines, told, strict=True):
        assert line.startswith(start)
    assert not (tmp_path / "out").exists()


def test_a_table_varies_one_file(table: Callable[..., Result]) -> None:
    done = table(HEADS, "other.yaml")
    assert done.exit_code == 2
    assert "--table varies one scenario; name one file" in done.stderr
