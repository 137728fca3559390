"""Outputs of a portfolio: every one tells the same numbers, and the workbook's formulas give them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tco.cli import main
from tco.portfolio.console import comparison
from tco.portfolio.export import to_csv, to_json
from tco.portfolio.page import render
from tco.portfolio.workbook import build
from tco.workbook.opened import read
from tco.workbook.verify import verified
from tests.portfolio.shop import TEXT, ran
from tests.workbook import lint


def test_the_json_has_no_headline_and_ranks_by_present_cost() -> None:
    told = json.loads(to_json(ran()))
    assert told["headline"] is None
    assert told["portfolio"]["ranked_by"] == "present_cost"
    costs = {way["id"]: way["present_cost"] for way in told["portfolio"]["ways"]}
    assert told["ranking"] == sorted(told["ranking"], key=lambda name: costs[name])
    assert set(told["runs"]) == {"chat", "tuning"}
    assert [fleet["id"] for fleet in told["fleets"]] == ["server"]
    lines = told["fleets"][0]["lines"]
    assert lines["cost_per_million_useful_tokens"]["value"] is None
    assert "several workloads share this fleet" in lines["cost_per_million_useful_tokens"]["reason"]


def test_the_csv_holds_both_bases() -> None:
    found = {
        (one["fleet"], one["line"]): float(one["value"])
        for one in csv.DictReader(io.StringIO(to_csv(ran(), "shop")))
        if one["scenario"] == "shop" and not one["period"] and one["value"]
    }
    fleet = "chat+tuning@server"
    bill = ran().by_id["server"].present_cost
    reserved = sum(found[fleet, f"{work}.reservation.present_cost"] for work in ("chat", "tuning"))
    used = sum(found[fleet, f"{work}.usage.present_cost"] for work in ("chat", "tuning"))
    assert reserved == pytest.approx(bill)
    assert used + found[fleet, "idle.present_cost"] == pytest.approx(bill)


def test_the_table_and_the_page_tell_both_bases() -> None:
    text, page = comparison(ran()), render(ran())
    for words in ("reservation USD", "usage USD", "idle", "bill"):
        assert words in text
    for words in ("Reservation: unit cost", "Usage: unit cost", "idle", "bill", 'href="shop/chat.html"'):
        assert words in page
    assert render(ran(("title: Chat and tuning", "title: <script>alert(1)</script>"))).count("<script") == 0


def test_the_workbook_gives_its_numbers_and_is_verified(tmp_path: Path) -> None:
    pytest.importorskip("formualizer")
    (tmp_path / "shop.yaml").write_text(TEXT)
    (tmp_path / "shop.json").write_text(to_json(ran()))
    (tmp_path / "shop.xlsx").write_bytes(build(ran()))
    text, good = verified(tmp_path / "shop.xlsx")
    assert good, text
    book = read(tmp_path / "shop.xlsx")
    assert {"Allocation", "Ways"} <= set(book.sheets)
    assert sum(key[0] == "Allocation" for key in book.formulas) > 30
    rules = (lint.one_formula_a_row, lint.formulas, lint.labels_and_units, lint.names, lint.errors)
    assert [wrong for rule in rules for wrong in rule(book)] == []


def test_a_portfolio_that_no_fleet_does_alone_has_its_ways(tmp_path: Path) -> None:
    changes = ("workloads: {chat: {precision: fp8}, tuning: {precision: bf16}}", "precision: fp8, workloads: [chat]")
    result = ran(changes)
    assert (result.together, result.shared) == (None, {})
    (tmp_path / "ways.xlsx").write_bytes(build(result))
    assert "no way together does all the work" in result.reason
    assert render(result).count('id="bills"') == 0


def test_the_command_writes_the_portfolio_and_each_workload(tmp_path: Path) -> None:
    file = tmp_path / "shop.yaml"
    file.write_text(TEXT)
    out = tmp_path / "out"
    done = CliRunner().invoke(main, ["run", str(file), "--out", str(out), "--only", "json,html"])
    assert done.exit_code == 0, done.output
    assert sorted(str(one.relative_to(out)) for one in out.rglob("*.*") if one.is_file()) == [
        "shop.chat.html", "shop.chat.json", "shop.html", "shop.json", "shop.tuning.html", "shop.tuning.json",
    ]  # fmt: skip
    assert "who bears its cost" in done.output
    assert CliRunner().invoke(main, ["check", str(file)]).exit_code == 0
    frozen = CliRunner().invoke(main, ["run", str(file), "--out", str(out), "--frozen"])
    assert (frozen.exit_code, "leave --frozen out" in frozen.output) == (1, True)
    assert CliRunner().invoke(main, ["explain", str(file)]).exit_code == 1


def test_among_several_scenarios_a_portfolio_is_one_line_and_counts_once(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.yaml").write_text(TEXT)
    out = tmp_path / "out"
    done = CliRunner().invoke(main, ["run", str(tmp_path), "--out", str(out), "--only", "json"])
    assert done.exit_code == 0, done.output
    assert "2 of 2 scenarios done" in done.output
    assert len(done.output.splitlines()) == 3
    found = {one["scenario"] for one in csv.DictReader((out / "results.csv").read_text().splitlines())}
    assert found == {"a.chat", "a.tuning", "b.chat", "b.tuning"}
