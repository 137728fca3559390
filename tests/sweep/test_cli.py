"""`tco sweep` as it is called: files, exit codes, and what an interrupt leaves."""

import csv
import dataclasses
import os
import re
import signal
from typing import Any

import openpyxl
import pytest
from click.testing import CliRunner

from tco.cli import main
from tco.report import render
from tco.session import loads
from tco.sweep import run as running
from tests.sweep.test_asked import BASE

AXES = ("--axis", "electricity.price = 0.1 .. 0.3 USD/kWh in 3 steps", "--axis", "fleets.own.precision = fp8, bf16")
MANY = [f"workload.lost.{name}" for name in ("failed", "retried", "aborted")] + [
    "finance.discount_rate", "utilization.planning_ceiling",
]  # fmt: skip


@pytest.fixture
def scenario(tmp_path):
    path = tmp_path / "two.yaml"
    path.write_text(BASE, encoding="utf-8")
    return path


def called(*arguments):
    return CliRunner().invoke(main, ["sweep", *map(str, arguments)])


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_one_table_in_each_format(scenario, tmp_path):
    out = tmp_path / "out"
    done = called(scenario, *AXES, "--line", "total_cost", "--fleet", "own", "--out", out, "--only", "csv,xlsx")
    assert done.exit_code == 0, done.output
    assert "6 variants, 1 fleets" in done.output
    assert sorted(path.name for path in out.iterdir()) == ["two-sweep.csv", "two-sweep.xlsx"]
    rows = rows_of(out / "two-sweep.csv")
    book = openpyxl.load_workbook(out / "two-sweep.xlsx")
    sheet: Any = book.active
    assert sheet.freeze_panes == "B2"
    assert sheet.auto_filter.ref == "A1:K7"
    head, *cells = sheet.iter_rows(values_only=True)
    assert list(head) == list(rows[0])
    for row, values in zip(rows, cells, strict=True):
        for text, value in zip(row.values(), values, strict=True):
            same = (
                float(text) == pytest.approx(value, rel=1e-15) if isinstance(value, float) else text == str(value or "")
            )
            assert same, (text, value)
    plain = loads(BASE.replace("0.12 USD/kWh", "0.3 USD/kWh").replace("precision: fp8", "precision: bf16")).run()
    assert rows[5]["choice"] == "kept"
    assert float(rows[5]["total_cost [USD]"]) == plain.by_id["own"].shown("total_cost")


def test_parquet_holds_the_same(scenario, tmp_path):
    fastparquet = pytest.importorskip("fastparquet")
    assert called(scenario, *AXES, "--out", tmp_path, "--only", "csv,parquet").exit_code == 0
    with (tmp_path / "two-sweep.parquet").open("rb") as file:
        frame = fastparquet.ParquetFile(file).to_pandas()
    table = frame.astype(object).where(frame.notna(), None).to_dict("records")
    rows = rows_of(tmp_path / "two-sweep.csv")
    assert [{key: "" if value is None else str(value) for key, value in row.items()} for row in table] == rows


def test_a_page_of_its_own_holds_what_the_report_of_the_scenario_would(scenario, tmp_path):
    out = tmp_path / "out"
    assert called(scenario, *AXES, "--out", out, "--only", "html").exit_code == 0
    assert [path.name for path in out.iterdir()] == ["two-sweep.html"]
    page = (out / "two-sweep.html").read_text()
    asked = "analysis: {sweeps: [{name: sweep, axes: {electricity.price: 0.1 .. 0.3 USD/kWh in 3 steps, "
    whole = render(loads(f"{BASE}{asked}fleets.own.precision: [fp8, bf16]}}}}]}}\n").run())
    section = re.compile(r'<h2 id="sweeps">.*?</section>', re.S)
    assert section.findall(page) == section.findall(whole)
    assert not re.search(r"<script|https?:", page)
    table = tmp_path / "cases.csv"
    table.write_text("fleets.own.precision\nfp8\n", encoding="utf-8")
    refused = called(scenario, "--table", table, "--out", out, "--only", "html,csv")
    assert refused.exit_code == 4
    assert "a page draws axes" in refused.output
    assert not (out / "two-cases.csv").exists()


def test_words_that_look_alike_are_one_in_parquet(scenario, tmp_path):
    fastparquet = pytest.importorskip("fastparquet")
    table = tmp_path / "cases.csv"
    table.write_text("name,fleets.own.precision\na,fp8\na,bf16\n,fp8\n", encoding="utf-8")
    assert called(scenario, "--table", table, "--out", tmp_path, "--only", "parquet").exit_code == 0
    with (tmp_path / "two-cases.parquet").open("rb") as file:
        frame = fastparquet.ParquetFile(file).to_pandas()
    assert [*frame["name"].astype(object).where(frame["name"].notna(), None)] == ["a"] * 4 + [""] * 2


def test_workers_change_no_digit(scenario, tmp_path, monkeypatch):
    """Blocks of five variants, some of which are refused and some searched, on one, two and three workers."""
    axes = (
        "--axis", "workload.lost.failed = 1 .. 60 % in 6 steps",
        "--axis", "workload.lost.aborted = 1 .. 60 % in 5 steps", "--axis", "fleets.own.precision = fp8, bf16",
    )  # fmt: skip
    monkeypatch.setattr(running.Sweep.parts, "__defaults__", (5, 1))
    texts = list[bytes]()
    for jobs in (1, 2, 3):
        done = called(scenario, *axes, "--jobs", jobs, "--out", tmp_path / str(jobs))
        assert done.exit_code == 0, done.output
        texts.append((tmp_path / str(jobs) / "two-sweep.csv").read_bytes())
    assert texts[0].count(b"refused") > 5
    assert texts[1:] == texts[:1] * 2


def test_a_worker_that_is_killed_ends_the_sweep_with_a_sentence(scenario, tmp_path, monkeypatch):
    monkeypatch.setattr(running.Sweep.parts, "__defaults__", (2, 1))
    here, whole = os.getpid(), running._Block.part

    def part(block, start):
        if os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        return whole(block, start)

    monkeypatch.setattr(running._Block, "part", part)
    axis = ("--axis", "electricity.price = 0.1 .. 0.3 USD/kWh in 20 steps")
    done = called(scenario, *axis, "--jobs", 2, "--out", tmp_path)
    assert done.exit_code == 4
    assert "a worker was ended from outside" in done.output
    assert len(rows_of(tmp_path / "two-sweep.partial.csv")) == 4


def test_a_refused_variant_is_a_row_with_its_reason(scenario, tmp_path):
    done = called(
        scenario, "--axis", "workload.lost.failed = 1 %, 60 %", "--axis", "workload.lost.aborted = 1 %, 60 %",
        "--out", tmp_path,
    )  # fmt: skip
    assert done.exit_code == 0
    assert "1 variants are refused" in done.output
    last = rows_of(tmp_path / "two-sweep.csv")[-1]
    assert (last["variant"], last["verdict"], last["fleet"]) == ("4", "refused", "")
    assert "no useful token is left" in last["reason"]


@pytest.mark.parametrize(
    ("more", "code", "why"),
    [
        ((), 1, "states no sweeps; give --axis or --table"),
        (("--axis", "x = 1"), 1, '--axis "x = 1": there is no `x`'),
        (("--axis", "cooling.pue = 1.2", "--table", "a.csv"), 2, "exclude each other"),
        (("--axis", "cooling.pue = 1.2", "--only", "pdf"), 2, "`pdf` is not one of"),
        (("--axis", "cooling.pue = 1.2", "--line", "gpu"), 1, "`gpu` is not a line"),
        ([word for place in MANY for word in ("--axis", f"{place} = 1 % .. 2 % in 30 steps")],
         1, "at most 20,000,000"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said(scenario, tmp_path, more, code, why):
    done = called(scenario, *more, "--out", tmp_path / "out")
    assert (done.exit_code, why in done.output + str(done.exception)) == (code, True), done.output
    assert not (tmp_path / "out").exists()


def test_sweeps_of_the_scenario_have_their_names(scenario, tmp_path):
    text = BASE + "analysis: {sweeps: [{name: prices, axes: {electricity.price: 0.1 .. 0.2 USD/kWh in 2 steps}}]}\n"
    scenario.write_text(text, encoding="utf-8")
    assert called(scenario, "--out", tmp_path).exit_code == 0
    assert len(rows_of(tmp_path / "two-prices.csv")) == 4


def test_a_workbook_that_is_there_is_kept(scenario, tmp_path):
    (tmp_path / "two-sweep.xlsx").write_text("mine")
    done = called(scenario, *AXES, "--out", tmp_path, "--only", "xlsx")
    assert done.exit_code == 4
    assert (tmp_path / "two-sweep.xlsx").read_text() == "mine"
    assert called(scenario, *AXES, "--out", tmp_path, "--only", "xlsx", "--force").exit_code == 0


def test_an_interrupt_keeps_what_was_written_and_says_where(scenario, tmp_path, monkeypatch):
    every = running.Sweep.parts

    def parts(sweep, size=3, jobs=1):
        yield next(every(sweep, 4))
        raise KeyboardInterrupt

    monkeypatch.setattr(running.Sweep, "parts", parts)
    done = called(scenario, *AXES, "--out", tmp_path)
    assert done.exit_code == 130
    assert "two-sweep.partial.csv" in done.output
    assert [row["variant"] for row in rows_of(tmp_path / "two-sweep.partial.csv")] == [*"11223344"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["two-sweep.partial.csv", "two.yaml"]
    monkeypatch.undo()
    assert called(scenario, *AXES, "--out", tmp_path).exit_code == 0
    assert not (tmp_path / "two-sweep.partial.csv").exists()


def test_parts_of_any_size_give_the_same_rows(scenario, tmp_path):
    base = loads(BASE)
    from tco.sweep.asked import grid
    from tco.sweep.rows import columns_of
    from tco.sweep.stated import on_command_line

    asked = running.sweep(base, grid(base, on_command_line(AXES[1::2]), {}))
    told = []
    for size in (1, 4, 100):
        columns = [columns_of(asked, part) for part in asked.parts(size)]
        told.append([[cell for part in columns for cell in part[at].cells().tolist()] for at in range(len(columns[0]))])
    assert repr(told[0]) == repr(told[1]) == repr(told[2])
    assert dataclasses.is_dataclass(asked)
