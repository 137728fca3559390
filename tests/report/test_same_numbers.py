"""The four outputs show equal numbers: headline, categories and totals of every fleet, as a reader finds them."""

# pyright: basic
from __future__ import annotations

import csv
import functools
import io
import json
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from tco.export import to_csv, to_json
from tco.report import render
from tco.report.facts import LABELS, Facts
from tco.result import CATEGORIES, NULLING, Result
from tco.session import load
from tco.wording import NOTHING, money
from tco.workbook import build
from tco.workbook.places import FIRST
from tco.workbook.plan import Plan
from tests.report.pages import Page, ran

PAYMENTS = Path(__file__).parents[1] / "workbook/scenarios/payments.yaml"
NAMES = ["quickstart", "pretraining", "finetune_lora", "procurement", "payments"]
TOTALS = {"total_cost": "Total cost", "present_cost": "Present cost"}
Numbers = dict[str, dict[str, float | None]]
"""By fleet and line; a series as its sum."""


@functools.cache
def result_of(name: str) -> Result:
    return load(PAYMENTS).run() if name == "payments" else ran(name)


def lines_of(result: Result) -> list[str]:
    return [Facts(result).measure, *TOTALS, *CATEGORIES]


def of_json(result: Result) -> Numbers:
    told = json.loads(to_json(result))
    return {
        fleet["id"]: {name: summed(fleet["lines"][name]["value"]) for name in lines_of(result)}
        for fleet in told["fleets"]
    }


def summed(value: Any) -> float | None:
    return sum(value) if isinstance(value, list) else value


def of_csv(result: Result) -> Numbers:
    found: Numbers = {fleet.id: dict.fromkeys(lines_of(result)) for fleet in result.fleets}
    for row in csv.DictReader(io.StringIO(to_csv([("one", result)]))):
        if row["line"] in lines_of(result) and row["value"]:
            found[row["fleet"]][row["line"]] = (found[row["fleet"]][row["line"]] or 0.0) + float(row["value"])
    return found


def of_workbook(result: Result, path: Path) -> Numbers:
    """From the cached cells: headline and totals as Summary shows them, categories from the calculation sheets."""
    path.write_bytes(build(result))
    book, plan = openpyxl.load_workbook(path, data_only=True), Plan(result)
    rows = list(book["Summary"].iter_rows(values_only=True))
    start = next(index for index, row in enumerate(rows) if "Fleet" in row and "Verdict" in row)
    heads = [str(text) for text in rows[start]]
    label = result.fleets[0].model.lines[Facts(result).measure].label
    places = {
        name: next(index for index, text in enumerate(heads) if text.startswith(f"{words} ("))
        for name, words in {Facts(result).measure: label, **TOTALS}.items()
    }
    summary = {row[heads.index("Fleet")]: row for row in rows[start + 1 : start + 1 + len(result.fleets)]}
    found: Numbers = {}
    for fleet in result.fleets:
        sheet, own = book[f"Calc_{fleet.id.replace('-', '_')}"], plan.rows[fleet.id]
        told = {name: summary[fleet.id][place] for name, place in places.items()}
        for name in CATEGORIES:
            cells = [sheet.cell(own[name], FIRST + 1 + at).value for at in range(plan.periods)] if name in own else []
            told[name] = sum(float(str(value)) for value in cells) if cells and fleet.verdict not in NULLING else "n/a"
        found[fleet.id] = {
            name: None if value in ("n/a", fleet.verdict) else float(str(value)) for name, value in told.items()
        }
    return found


def differences(found: Numbers, wanted: Numbers) -> list[tuple[str, str, float | None, float | None]]:
    """Numbers that are not equal to round-off; a number that is not there equals no number only."""
    pairs = [(fleet, name, found[fleet][name], value) for fleet, told in wanted.items() for name, value in told.items()]
    return [
        (fleet, name, one, other)
        for fleet, name, one, other in pairs
        if (one is None) != (other is None)
        or (one is not None and other is not None and abs(one - other) > 1e-12 * abs(other) + 1e-9)
    ]


def of_page(page: Page, result: Result) -> tuple[dict[str, dict[str, str]], Numbers]:
    """The texts that a reader sees, and the numbers that machines find beside them."""
    heads, *rows = page.rows("all-fleets")
    words = [text for text, _ in heads]
    measure, code = Facts(result).measure, result.scenario["currency"]
    places = {measure: 5, **{name: words.index(f"{text}, {code}") for name, text in TOTALS.items()}}
    names = sorted((fleet.id for fleet in result.fleets), key=len, reverse=True)
    texts, values = dict[str, dict[str, str]](), Numbers()
    for row in rows:
        fleet = next(name for name in names if row[1][0].startswith(name))
        texts[fleet] = {name: row[place][0] for name, place in places.items()}
        told = {name: row[place][1].get("data-value") for name, place in places.items()}
        values[fleet] = {name: float(text) if text else None for name, text in told.items()}
    fleet, by_label = "", {label: name for name, label in LABELS.items()}
    for row in page.rows("by-fleet")[1:]:
        if not row[1][0]:
            fleet = next(name for name in names if row[0][0].startswith(name))
        elif row[0][0] in by_label:
            texts[fleet][by_label[row[0][0]]] = row[-1][0]
    return texts, values


@pytest.mark.parametrize("name", NAMES)
def test_all_outputs_agree(name: str, tmp_path: Path) -> None:
    result = result_of(name)
    wanted, form = of_json(result), Facts(result).form
    texts, values = of_page(Page(render(result)), result)
    assert differences(of_csv(result), wanted) == []
    assert differences(of_workbook(result, tmp_path / "book.xlsx"), wanted) == []
    seen = 0
    for fleet, told in wanted.items():
        assert values[fleet] == {line: told[line] for line in values[fleet]}
        for line, text in texts[fleet].items():
            number, shown = told[line], form if line == Facts(result).measure else money
            assert text == (NOTHING if number is None else shown(number)), (fleet, line)
            seen += number is not None
    assert seen >= 5 * len(result.ranking)
    assert {fleet for fleet, told in wanted.items() if told["total_cost"] is None} == {
        fleet.id for fleet in result.fleets if fleet.verdict in NULLING
    }


def test_a_number_that_differs_is_found_out() -> None:
    result = result_of("procurement")
    wanted, spoiled = of_json(result), of_csv(result)
    spoiled["servers"]["total_cost"] = (spoiled["servers"]["total_cost"] or 0.0) * (1 + 1e-6)
    spoiled["cloud"]["energy_cost"] = 0.0
    assert [found[:2] for found in differences(spoiled, wanted)] == [
        ("servers", "total_cost"),
        ("cloud", "energy_cost"),
    ]
