"""What may vary and what may stand there is told before anything runs, all at once, with its place."""

from typing import Any

import numpy as np
import openpyxl
import pytest

from tco.errors import ScenarioError
from tco.session import loads
from tco.sweep.asked import grid
from tco.sweep.axes import values_of
from tco.sweep.cases import cases
from tco.sweep.places import Refused
from tco.sweep.run import sweep
from tco.sweep.stated import of_scenario, on_command_line

BASE = """format: 1
title: two fleets
as_of: 2026-11-01
currency: USD
timeline: {start: 2027-01, horizon: 2 yr, step: year}
workload: {kind: inference, model: llama-3.3-70b, requests: 2 Mrequest/month, input: 1500 token/request,
  output: 350 token/request, peak_to_mean: 4}
electricity: {price: 0.12 USD/kWh}
cooling: {kind: air, pue: 1.4}
finance: {discount_rate: 8 %}
fleets:
  - {id: own, buy: {system: hgx-h200-srv}, precision: fp8}
  - {id: api, api: {offer: together-llama-3.3-70b}}
"""


@pytest.fixture(scope="module")
def base():
    return loads(BASE, "two.yaml")


def told(call, *arguments):
    with pytest.raises(ScenarioError) as raised:
        call(*arguments)
    return [str(problem) for problem in raised.value.problems]


def axes(base, *texts):
    return grid(base, on_command_line(texts), {})


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("0.05 USD/kWh, 0.1 USD/kWh", ["0.05 USD/kWh", "0.1 USD/kWh"]),
        ("0.05 USD/kWh .. 0.20 USD/kWh in 4 steps", ["0.05 USD/kWh", "0.1 USD/kWh", "0.15 USD/kWh", "0.2 USD/kWh"]),
        ("1 .. 3 USD/gpu/h in 3 steps", ["1.0 USD/gpu/h", "2.0 USD/gpu/h", "3.0 USD/gpu/h"]),
        ("50 % .. 90% in 2 steps", ["50.0 %", "90.0 %"]),
    ],
)
def test_values_and_ranges(base, text, values):
    leaf = axes(base, "electricity.price = 1 USD/kWh").columns[0].leaf
    assert values_of(text, leaf) == values


def test_the_first_axis_changes_slowest(base):
    asked = axes(base, "fleets.own.precision = fp8, bf16", "electricity.price = 0.1 .. 0.3 USD/kWh in 3 steps")
    words, prices = asked.block(0, asked.count)
    assert [words.raw(at) for at in range(6)] == ["fp8"] * 3 + ["bf16"] * 3
    assert prices.numbers.tolist() == [0.1, 0.2, 0.3] * 2
    assert [one.raw(0) for one in asked.block(4, 5)] == ["bf16", "0.2 USD/kWh"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("electricity.prise = 1 USD/kWh", "there is no `prise` in `electricity`; did you mean `price`?"),
        ("electricity.price", "wanted `PLACE = VALUE, VALUE`"),
        ("electricity.price = 0.1", "`0.1` has no unit"),
        ("electricity.price = 0.1 USD/kWh, 0.1 USD/kWh", "is stated twice"),
        ("electricity.price = 0.1 USD/kWh .. 0.2 USD/MWh in 3 steps", "state both ends in one unit"),
        ("electricity.price = 0.1 .. 0.2 USD/kWh in many steps", "wanted a whole number from 2"),
        ("electricity.price = 0.1 USD/kWh, ,", "a value is empty"),
        ("fleets.own.buy.system = hgx-h200-srv, hgx-h300", "`hgx-h300` is not among the"),
        ("fleets.own.precision = fp9", "fp9"),
        ("fleets.own.id = other", "names a fleet"),
        ("currency = EUR", "all variants are in one currency"),
        ("cooling.pue = 0.9", "is below 1"),
    ],
)
def test_an_axis_that_cannot_be_taken(base, text, why):
    (one,) = told(axes, base, text)
    assert why in one
    assert one.startswith(f'--axis "{text}": ')


def test_all_axes_are_told_at_once_and_none_may_hold_another(base):
    found = told(
        axes, base, "electricity.price = 1 EUR", "cooling.pue = 1.2", "cooling.pue = 1.3", "fleets.own.buy = x",
        "fleets.own.buy.system = mi300x-srv, nothing",
    )  # fmt: skip
    assert len(found) >= 3
    assert any("`cooling.pue` is stated twice" in one for one in found)


def test_a_sweep_of_the_scenario_names_line_and_column():
    text = BASE + (
        "analysis:\n  sweeps:\n    - name: prices\n      axes:\n        electricity.price: [0.1 USD/kWh, 0.2 USD]\n"
        "        cooling.pu: [1.1]\n      overrides: {near: {cooling.pue: 1.1}, far: {finance.discount_rate: 3 kW}}\n"
        "      fleets: [own, nobody]\n"
    )
    found = told(of_scenario, loads(text, "two.yaml"))
    places = [one.split(": ")[0] for one in found]
    assert places == ["two.yaml:20:51", "two.yaml:18:42", "two.yaml:19:9"]
    assert "there is no `pu` in `cooling`" in found[2]
    good = (
        text.replace("0.2 USD]", "0.2 USD/kWh]").replace("cooling.pu:", "workload.growth:").replace("[1.1]", "5 %/yr")
    )
    assert "`nobody` is not a fleet" in told(of_scenario, loads(good.replace("3 kW", "3 %")))[0]


def test_overrides_are_named_variants_and_leave_other_places_alone():
    text = BASE + (
        "analysis: {sweeps: [{name: sites,"
        " overrides: {here: {}, there: {electricity.price: 0.3 USD/kWh, cooling.pue: 1.1}},"
        " axes: {workload.requests: [1 Mrequest/month, 3 Mrequest/month]}, lines: [energy_cost, total_cost]}]}\n"
    )
    base = loads(text)
    (one,) = of_scenario(base)
    frame = one.frame()
    assert frame["name"].tolist() == ["here"] * 4 + ["there"] * 4
    assert frame["electricity.price [USD/kWh]"].isna().tolist() == [True] * 4 + [False] * 4
    own = frame[(frame.fleet == "own") & (frame["workload.requests [Mrequest/month]"] == 1)]
    plain = loads(BASE.replace("2 Mrequest", "1 Mrequest")).run().by_id["own"]
    assert own["energy_cost, all periods [USD]"].iloc[0] == np.sum(np.asarray(plain.shown("energy_cost")))
    assert own["total_cost [USD]"].iloc[0] == plain.shown("total_cost")


def test_lines_that_are_no_single_number(base):
    asked = axes(base, "cooling.pue = 1.2")
    with pytest.raises(ScenarioError, match="`gpus` has a value for each period"):
        sweep(base, asked, lines=["gpus"])
    with pytest.raises(ScenarioError, match="did you mean `total_cost`"):
        sweep(base, asked, lines=["total_costs"])


# --- tables of cases ---


def csv_of(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def test_a_table_is_its_rows_in_their_order(base, tmp_path):
    table = csv_of(
        tmp_path / "cases.csv",
        "name;electricity.price [USD/kWh];fleets.own.buy.system;cooling.pue\n"
        "a;0.10;;1.2\nb;;mi300x-srv;\nc;0.3;hgx-h200-srv;1.4\n\n",
    )
    asked = cases(base, table)
    frame = sweep(base, asked).frame()
    assert frame.name.tolist() == ["a", "a", "b", "b", "c", "c"]
    assert asked.block(1, 2)[0].raw(0) is None
    assert [one.raw(0) for one in asked.block(2, 3)] == ["0.3 USD/kWh", "hgx-h200-srv", "1.4"]
    second = loads(BASE.replace("hgx-h200-srv", "mi300x-srv")).run()
    assert frame["cost_per_million_useful_tokens [USD/Mtoken]"].iloc[2] == second.by_id["own"].shown(
        "cost_per_million_useful_tokens"
    )


def test_plain_numbers_are_read_as_one_cell_would_be(base, tmp_path):
    rows = ["0.1,1.25", "0.30000000000000004,2", "1e-1,1.3"]
    for some in (rows[:2], rows):
        table = csv_of(tmp_path / "cases.csv", "\n".join(["electricity.price [USD/kWh],cooling.pue []", *some]))
        asked = cases(base, csv_of(table, table.read_text().replace(" []", "")))
        assert asked.block(0, len(some))[0].numbers.tolist() == [float(row.split(",")[0]) for row in some]


def test_every_wrong_cell_is_told_by_its_address(base, tmp_path):
    table = csv_of(
        tmp_path / "cases.csv",
        "electricity.price [USD/kWh],finance.discount_rate [%],fleets.own.precision\n"
        "0.1,8,fp8\n-0.1,8,fp8\n0.1 USD/kWh,eight,fp3\n0.1,9,fp8,12\n=1/10,7,fp8\n",
    )
    found = told(cases, base, table)
    assert [one.split(": ")[0] for one in found] == [
        "cases.csv cell A3", "cases.csv cell A4", "cases.csv cell B4", "cases.csv cell C4", "cases.csv cell D5",
        "cases.csv cell A6",
    ]  # fmt: skip
    assert "12` stands in a column without a head" in found[4]
    assert "the head states the unit" in found[1]


@pytest.mark.parametrize(
    ("head", "why"),
    [
        ("electricity.prices [USD/kWh]", "did you mean `price`"),
        ("electricity.price [USD]", "`[USD]` does not fit"),
        ("fleets.own.precision [%]", "takes a word"),
        ("cooling.pue,cooling.pue", "stated twice"),
        ("cooling.pue,", "without a head"),
        ("name", "no column names a place"),
    ],
)
def test_heads_that_cannot_be_taken(base, tmp_path, head, why):
    found = told(cases, base, csv_of(tmp_path / "cases.csv", f"{head}\n1,1\n"))
    assert why in found[0]
    assert "cell" in found[0]


def book_of(path, *rows, change=None):
    book = openpyxl.Workbook()
    sheet: Any = book.active
    for row in rows:
        sheet.append(row)
    if change:
        change(sheet)
    book.save(path)
    return path


def test_a_workbook_says_the_same_as_text(base, tmp_path):
    heads = ["electricity.price [USD/kWh]", "fleets.own.buy.system", "cooling.pue", "name"]
    table = book_of(tmp_path / "cases.xlsx", heads, [0.1, "mi300x-srv", 1.2, "a"], [0.25, None, "1.3", "b"])
    asked = cases(base, table)
    assert [[one.raw(at) for one in asked.block(0, 2)] for at in (0, 1)] == [
        ["0.1 USD/kWh", "mi300x-srv", 1.2], ["0.25 USD/kWh", None, "1.3"],
    ]  # fmt: skip
    assert asked.names(0, 2) == ["a", "b"]


def test_formulas_dates_errors_and_percentages_of_a_workbook_are_told_by_address(base, tmp_path):
    import datetime

    def change(sheet):
        sheet["A2"], sheet["A3"], sheet["A4"] = "=0.1*2", datetime.date(2027, 1, 1), "#REF!"
        sheet["B2"], sheet["B2"].number_format = 0.08, "0%"

    heads = ["electricity.price [USD/kWh]", "finance.discount_rate [%]"]
    rows = [[0.1, 8], [0.1, 8], [0.1, 8]]
    found = told(cases, base, book_of(tmp_path / "cases.xlsx", heads, *rows, change=change))
    assert [one.split(":")[0].rsplit(" ", 1)[1] for one in found] == ["A2", "B2", "A3", "A4"]
    assert "holds a formula" in found[0]
    assert "shows 8 % and holds 0.08" in found[1]
    merged = book_of(tmp_path / "m.xlsx", heads, *rows, change=lambda sheet: sheet.merge_cells("A2:A3"))
    assert "cells A2:A3 of `Sheet` are merged" in told(cases, base, merged)[0]


def test_files_that_are_no_table(base, tmp_path):
    assert "there is no such file" in told(cases, base, tmp_path / "no.xlsx")[0]
    assert "cannot be read" in told(cases, base, tmp_path / "no.csv")[0]
    assert "ends in .csv or .xlsx" in told(cases, base, csv_of(tmp_path / "a.json", "{}"))[0]
    assert "holds no case" in told(cases, base, csv_of(tmp_path / "a.csv", "cooling.pue\n"))[0]


def test_a_range_states_two_different_ends():
    with pytest.raises(Refused, match="both ends are equal"):
        values_of("1 USD .. 1 USD in 3 steps", None)
