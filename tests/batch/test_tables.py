"""What stands over all scenarios: the long table twice, the summary with its links, the index page."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import openpyxl
import pandas
import pytest
from click.testing import CliRunner, Result

from tco.cli import main
from tco.portfolio import load as load_portfolio
from tco.session import load
from tests.batch.conftest import fill, written
from tests.cli.conftest import TRAINING, changed, process
from tests.portfolio.shop import TEXT as PORTFOLIO

pytestmark = pytest.mark.filterwarnings("ignore:Sparkline Group:UserWarning")  # of openpyxl, which only reads here

Batch = Callable[..., Result]

NONE_CAN = changed(("buy: {system: hgx-h200-srv}", "buy: {system: ws-1x5090}"))
NONE_CAN = NONE_CAN[: NONE_CAN.index("  - {id: cloud")]


@dataclass(frozen=True)
class Mixed:
    """A batch that was run, and its folders."""

    told: subprocess.CompletedProcess[str]
    folder: Path

    @property
    def out(self) -> Path:
        return self.folder / "out"


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Mixed:
    """Nine scenarios: one empty, one with a wrong unit, one that no fleet can do, one of training, five plain ones."""
    folder = tmp_path_factory.mktemp("mixed")
    fill(folder / "in", 5)
    for name, text in {
        "a-empty": "", "b-unit": changed(("0.12 USD/kWh", "0.12")), "eu/c none": NONE_CAN, "eu/d#1": TRAINING,
    }.items():  # fmt: skip
        path = folder / "in" / f"{name}.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    only = "json,xlsx,html,csv"
    return Mixed(process("batch", "in", "--only", only, "--out", "out", "--jobs", "1", folder=folder), folder)


def test_one_bad_scenario_among_many(mixed: Mixed) -> None:
    """`ba01` of the users' cases, with nine instead of nine hundred: an impossible scenario is a result, no failure."""
    assert mixed.told.returncode == 3
    assert mixed.told.stdout.splitlines()[0] == ("7 of 9 scenarios done; 1 in which no fleet can do the work; 2 failed")
    assert mixed.told.stderr.splitlines() == [
        "in/a-empty.yaml: is empty; `tco new` writes a scenario to start from",
        "in/b-unit.yaml:13:22: electricity.price: `0.12` has no unit; wanted money/kWh, such as `0.12 USD/kWh`",
    ]


def test_the_long_table_is_that_of_each_scenario(mixed: Mixed) -> None:
    out = mixed.out
    whole = (out / "results.csv").read_text().splitlines()
    parts = ["eu/c none", "eu/d#1", *(f"s{number}" for number in range(10, 15))]
    single = [(out / f"{name}.csv").read_text().splitlines() for name in parts]
    assert whole == [single[0][0], *(row for rows in single for row in rows[1:])]


def test_parquet_holds_the_same_rows(mixed: Mixed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fastparquet: Any = pytest.importorskip("fastparquet", reason="needs fastparquet (pip install 'tco-engine[batch]')")
    held = fastparquet.ParquetFile(io.BytesIO((mixed.out / "results.parquet").read_bytes()))
    read = pandas.read_csv(mixed.out / "results.csv", keep_default_na=False, dtype=str)
    frame = held.to_pandas()
    assert list(frame.columns) == list(read.columns)
    assert frame.drop(columns="value").astype(str).equals(read.drop(columns="value").astype(str))
    wanted = [float(text) if text else None for text in read["value"]]
    got = [None if pandas.isna(value) else float(value) for value in frame["value"]]
    assert got == wanted
    assert None in got
    from tco.batch import parquet

    monkeypatch.setattr(parquet, "ROWS", 1000)
    with open(tmp_path / "small.parquet", "wb") as file:
        bodies = [b"\n".join(part) + b"\n" for part in _parts(mixed.out / "results.csv")]
        parquet.write(file, bodies)
    small = fastparquet.ParquetFile(io.BytesIO((tmp_path / "small.parquet").read_bytes()))
    assert len(small.row_groups) > 1
    assert small.to_pandas()["value"].equals(frame["value"])


def _parts(path: Path) -> list[list[bytes]]:
    rows = path.read_bytes().splitlines()[1:]
    return [rows[at : at + 700] for at in range(0, len(rows), 700)]


def test_without_fastparquet_there_is_no_parquet_and_no_failure(
    batch: Batch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fastparquet", None)
    monkeypatch.delitem(sys.modules, "fastparquet.writer", raising=False)
    fill(tmp_path / "in", 1)
    told = batch("in")
    assert told.exit_code == 0
    assert told.stderr == "no results.parquet: it needs fastparquet (pip install 'tco-engine[batch]')\n"
    assert not (tmp_path / "out" / "results.parquet").exists()
    (tmp_path / "out" / "results.parquet").write_bytes(b"old")
    assert batch("in").stderr.endswith("; out/results.parquet is of an earlier batch\n")


def test_the_summary_has_a_row_a_scenario(mixed: Mixed) -> None:
    out = mixed.out
    book = openpyxl.load_workbook(out / "summary.xlsx")
    sheet = book["Scenarios"]
    heads = [cell.value for cell in sheet[1]]
    rows = {row[0].value: dict(zip(heads, row, strict=True)) for row in sheet.iter_rows(min_row=2)}
    assert list(rows) == ["a-empty", "b-unit", "eu/c none", "eu/d#1", *(f"s{number}" for number in range(10, 15))]
    states = [row["State"].value for row in rows.values()]
    assert states == ["failed", "failed", "no fleet can do the work", *["done"] * 6]
    result = load(mixed.folder / "in" / "s11.yaml").run()
    best = result.by_id[result.recommended or ""]
    assert rows["s11"]["Recommended"].value == best.id
    assert rows["s11"]["Unit cost"].value == best.shown("cost_per_million_useful_tokens")
    assert rows["s11"]["Total cost"].value == best.shown("total_cost")
    assert rows["s11"]["Next best"].value == result.ranking[1]
    assert rows["a-empty"]["Unit cost"].value is rows["eu/c none"]["Unit cost"].value is None
    assert rows["eu/d#1"]["Unit"].value == "USD/step"
    cash = {
        row[0]: [value for value in row[3:] if value is not None]
        for row in book["Cash"].iter_rows(min_row=2, values_only=True)
    }
    assert cash["s11"] == list(best.shown("cash_cost"))  # pyright: ignore[reportArgumentType]
    assert [row[0] for row in book["Problems"].iter_rows(min_row=2, values_only=True)] == [
        "a-empty",
        "b-unit",
        "eu/c none",
    ]


def test_links_of_the_summary_lead_to_the_files_and_sparklines_to_the_cash(mixed: Mixed) -> None:
    out = mixed.out
    with zipfile.ZipFile(out / "summary.xlsx") as book:
        relations = book.read("xl/worksheets/_rels/sheet1.xml.rels").decode()
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
    targets = [found.replace("\\", "/") for found in re.findall(r'Target="([^"]+)"', relations)]  # as Excel writes them
    assert len(targets) == 7 * 4
    assert all((out / unquote(target)).is_file() for target in targets), targets
    ranges = dict(re.findall(r"<xm:f>Cash!(.*?)</xm:f><xm:sqref>(\w+)</xm:sqref>", sheet))
    assert len(ranges) == 6
    assert ranges == {f"D{row}:K{row}": f"P{row}" for row in range(5, 11)}


class Page(HTMLParser):
    """Links and text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.links, self.text = list[str](), ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.links += [value or "" for name, value in attrs if tag == "a" and name == "href"]

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_index_lists_every_scenario_and_what_failed(mixed: Mixed) -> None:
    page = Page((mixed.out / "index.html").read_text())
    files = [unquote(link) for link in page.links if not link.startswith("#")]
    assert len(files) >= 7 * 4 + 2
    assert all((mixed.out / file).is_file() for file in files)
    for words in ("in/b-unit.yaml:13:22: electricity.price", "is empty", "own: ", "GiB", "eu/c none", "eu/d#1"):
        assert words in page.text
    assert "Done: 7" in page.text
    assert "No fleet can do the work: 1" in page.text
    assert "Failed: 2" in page.text


def test_hostile_texts_are_texts(batch: Batch, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    evil = "=HYPERLINK(1)<script>alert(1)</script>"
    (tmp_path / "in" / "=1+1<b>.yaml").write_text(changed(("title: small", f'title: "{evil}"')))
    assert batch("in", only="json,html,xlsx").exit_code == 0
    page = (tmp_path / "out" / "index.html").read_text()
    assert "<script" not in page
    assert "<b>.yaml" not in page
    sheet = openpyxl.load_workbook(tmp_path / "out" / "summary.xlsx")["Scenarios"]
    assert [(cell.value, cell.data_type) for cell in (sheet["A2"], sheet["C2"])] == [("=1+1<b>", "s"), (evil, "s")]
    assert (tmp_path / "out" / "results.csv").read_text().splitlines()[1].startswith("'=1+1<b>,")


def test_a_long_page_says_what_it_leaves_out(batch: Batch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path / "in", 3)
    monkeypatch.setattr("tco.batch.index.SHOWN", 2)
    monkeypatch.setattr("tco.batch.summary.LINKS", 12)
    batch("in")
    assert "1 more stand in the summary" in (tmp_path / "out" / "index.html").read_text()
    sheet = openpyxl.load_workbook(tmp_path / "out" / "summary.xlsx")["Scenarios"]
    json_column = next(cell.column for cell in sheet[1] if cell.value == "JSON")
    cells = [sheet.cell(row, json_column) for row in (2, 3, 4)]
    assert [(cell.value, cell.hyperlink is not None) for cell in cells] == [
        ("JSON", True), ("JSON", True), ("s12.json", False),
    ]  # fmt: skip
    assert "index.html" in written(tmp_path / "out")


def test_a_portfolio_is_a_row_of_summary_and_index(batch: Batch, tmp_path: Path) -> None:
    """It has no unit cost: the index page leaves that open, where it ended the batch with a traceback."""
    (tmp_path / "shop.yaml").write_text(PORTFOLIO, encoding="utf-8")
    done = batch("shop.yaml")
    assert done.exit_code == 0, done.output
    page = (tmp_path / "out/index.html").read_text(encoding="utf-8")
    row = re.search(r'<tr><th scope="row">shop<small>.*?</tr>', page, re.DOTALL)
    assert row
    assert '<td class="n">–</td>' in row[0]
    total = load_portfolio(tmp_path / "shop.yaml").run().ways[0].cost("total_cost")
    assert f"{total:,.0f}" in row[0]


@pytest.mark.parametrize("name", ["shop.chat", "Shop.Tuning", "shop.focus", "shop.chat.focus"])
@pytest.mark.parametrize("command", ["batch", "run"])
def test_names_that_would_overwrite_outputs_of_a_portfolio_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    fill(tmp_path, 1)
    (tmp_path / "shop.yaml").write_text(PORTFOLIO, encoding="utf-8")
    (tmp_path / "s10.yaml").rename(tmp_path / f"{name}.yaml")
    done = CliRunner().invoke(main, [command, ".", "--out", "out"])
    assert done.exit_code == 1, done.output
    assert done.stderr == (
        f"{name}.yaml: its outputs would overwrite some of shop.yaml; rename it, or run it into another --out\n"
    )
    assert not list(tmp_path.glob("out/*.json"))
