"""The workbook is read by people who did not write the model: labels, formats, words, colours, print."""

# pyright: basic
from __future__ import annotations

import re
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from tco.lines.library import ALL, load
from tco.palette import COLOURS
from tco.result import NULLING, PER_PERIOD, Result
from tco.session import load as load_scenario
from tco.units import CONSTANTS
from tco.workbook import write
from tco.workbook.foundation import MEANINGS
from tco.workbook.plan import Plan, label_of
from tco.workbook.styles import number_format

ROOT = Path(__file__).resolve().parents[2]
FILES = [
    *sorted(set((ROOT / "scenarios").glob("*.yaml")) - {ROOT / "scenarios" / "portfolio.yaml"}),
    Path(__file__).parent / "scenarios" / "payments.yaml",
]
MEASURES = r"\b(kWh?|MWh?|GiB|GB|TFLOP|ms|yr|USD|EUR|money|a (month|year|day|hour))\b"
INFORMING = {
    "added_power", "billed_demand", "billed_demand_of_month", "busy_gpus", "cache_copies", "cache_elements",
    "cache_room", "departing_after_life", "departing_systems", "departing_with_horizon", "design_pue",
    "design_pue_as_stated", "discount_factor_closing", "discount_factor_opening", "downtime",
    "electricity_charges", "failure_downtime", "failures", "first_token_time_high", "first_token_time_low",
    "gpu_failures", "highest_nameplate_power", "highest_request_rate", "highest_token_rate", "host_failures",
    "job_gpus", "job_gpus_needed", "later_life_periods", "longest_in_cache", "longest_request",
    "max_concurrency", "midpoint", "month_peak_gpu_draw", "month_peak_growth", "month_peak_load",
    "month_peak_power", "month_peak_utilization", "month_peak_utilization_from_demand", "most_racks",
    "most_systems", "nameplate_it_power", "nameplate_power", "nameplate_systems_power", "new_systems",
    "other_downtime", "peak_growth", "peak_load", "peak_utilization", "peak_utilization_from_demand",
    "per_token_time_high", "per_token_time_low", "prefill_time_high", "prefill_time_low", "racks",
    "replica_room", "replicas_needed", "request_rate", "run_time", "running_factor", "system_output_high",
    "system_output_low", "systems_by_height", "systems_for_load", "systems_for_training", "systems_for_work",
    "systems_per_rack", "systems_per_rack_by_height", "systems_with_spares", "token_rate",
    "unwarranted_systems", "utilization", "wage_factor", "warranted_systems", "warranty_periods",
}  # fmt: skip
"""Lines on which, for some fleet, no result rests; those of training and of the footprint may join them."""


@pytest.fixture(scope="module", params=FILES, ids=lambda path: path.stem)
def scenario(request: Any) -> Result:
    return load_scenario(request.param).run()


@pytest.fixture(scope="module")
def payments_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The workbook of every way to pay."""
    target = tmp_path_factory.mktemp("reading") / "payments.xlsx"
    write(load_scenario(FILES[-1]).run(), target)
    return target


@pytest.fixture(scope="module")
def payments(payments_path: Path) -> Any:
    """Its values."""
    return openpyxl.load_workbook(payments_path, data_only=True)


def texts(sheet: Any) -> str:
    return "\n".join(str(cell.value) for row in sheet.iter_rows() for cell in row if cell.value is not None)


# --- labels ---


def test_labels_of_a_fleet_are_unique(scenario: Result) -> None:
    for fleet in scenario.fleets:
        items = {**fleet.model.inputs, **fleet.model.lines}
        found = Counter(label_of(item).lower() for item in items.values())
        assert not [label for label, count in found.items() if count > 1], fleet.id


def test_no_label_holds_a_unit() -> None:
    items = [(name, item.label) for part in ALL for name, item in {**load(part).givens, **load(part).lines}.items()]
    assert not [(name, label) for name, label in items if re.search(MEASURES, label)]


def test_lines_that_only_inform_say_so(scenario: Result) -> None:
    plan = Plan(scenario)
    training = {name for part in ALL if part.startswith(("training_", "footprint")) for name in load(part).lines}
    for fleet in scenario.fleets:
        assert plan.informing[fleet.id] - training <= INFORMING, fleet.id


def test_a_line_for_information_is_marked_in_its_label(payments: Any) -> None:
    sheet = payments["Calc_on_demand"]
    labels = {row[-1].value: row[1].value for row in sheet.iter_rows(min_row=60)}
    assert labels["departing_systems"].endswith("(for information)")
    assert labels["running_rent"] == "Rent paid as it runs"


# --- formats ---


@pytest.mark.parametrize(
    ("name", "unit", "values", "wanted"),
    [
        ("failed_share", "", [0.3], "0.0%"),
        ("prefix_cache_hit", "", [0.08], "0.0%"),
        ("decode_bandwidth_efficiency", "", [0.91], "0.0%"),
        ("macrs_share", "", [0.2, 0.1152], "0.00%"),
        ("resale_share", "", [0.925, 0.4625], "0.00%"),
        ("resale_share", "", [0.925, 0.85], "0.0%"),
        ("discount_rate", "1/yr", [0.09], "0.0%"),
        ("irr", "1/yr", [0.85, 436.25], "#,##0.0%"),
        ("failures", "1/yr", [0.05], "#,##0.00000;[Red]-#,##0.00000"),
        ("peak_to_mean", "", [4.0], "#,##0;[Red]-#,##0;0"),
    ],
)
def test_shares_are_per_cent(name: str, unit: str, values: list[float], wanted: str) -> None:
    assert number_format(name, unit, values) == wanted


def test_amounts_of_money_have_equal_decimals(payments: Any) -> None:
    sheet = payments["Compare"]
    money = [row for row in sheet.iter_rows(min_row=5) if row[1].value == "USD"]
    assert len(money) > 8
    assert len({cell.number_format for row in money for cell in row[2:] if cell.data_type == "n" and cell.value}) == 1


# --- words ---


def test_words_of_the_engine_are_words_of_the_reader(payments: Any) -> None:
    for name in ("Cover", "Summary", "Compare"):
        assert not re.search(r"after_tax|pre_tax|discounting: middle|\bNpv\b|\bIrr\b", texts(payments[name])), name
    assert "NPV" in texts(payments["Compare"])
    assert "after tax" in texts(payments["Summary"])


def test_the_words_of_units_are_written_out(book: Any) -> None:
    assert set(MEANINGS) == set(CONSTANTS)
    assert "1 bytes" not in texts(book["Units"])


def test_a_default_tells_its_reason_once(payments: Any) -> None:
    for row in payments["Inputs"].iter_rows(min_row=5):
        if row[9].value == "default":
            assert not row[10].value or row[10].value not in row[6].value, row[0].value
            assert "· default" not in row[6].value


def test_tables_say_what_their_columns_are(payments: Any) -> None:
    told = texts(payments["Inputs"])
    assert "IRS publication 946, table A-1: 5-year property, half-year: 0 is the tax year of the purchase." in told
    assert "straight between the stated ages, 100 % at purchase" in told
    assert "Age at opening, periods" in told
    assert "Step: the change from the row above" in told


def test_warnings_as_issued_stand_apart_from_live_alerts(path: Path) -> None:
    told = texts(openpyxl.load_workbook(path, data_only=True)["Summary"]).split("\n")
    live, issued = (next(i for i, text in enumerate(told) if text.startswith(word)) for word in ("Alerts", "Warnings"))
    assert live < issued
    assert "as issued" in told[issued]


# --- fleets that cannot run ---


def test_a_fleet_that_cannot_run_shows_its_verdict_in_place_of_every_result(result: Result, path: Path) -> None:
    book = openpyxl.load_workbook(path, data_only=True)
    (unfit,) = [fleet for fleet in result.fleets if fleet.verdict in NULLING]
    sheet, plan = book[f"Calc_{unfit.id.replace('-', '_')}"], Plan(result)
    for name in PER_PERIOD:
        if name in unfit.model.lines:
            assert {sheet.cell(plan.results[name], column).value for column in range(7, 10)} == {unfit.verdict}  # pyright: ignore[reportUnhashable]
    rows = [row for row in book["Data"].iter_rows(values_only=True) if row[0] == unfit.id]
    assert not rows


# --- colours and print ---


def test_a_category_has_the_colour_of_the_report(payments_path: Path) -> None:
    with zipfile.ZipFile(payments_path) as parts:
        chart = parts.read("xl/charts/chart1.xml").decode()
    drawn = set(re.findall(r'srgbClr val="([0-9A-F]{6})"', chart))
    for name in ("capital_cost", "rent_cost", "api_cost", "energy_cost", "residual_cost"):
        assert COLOURS[name].light.upper().lstrip("#") in drawn, name
    assert "wdUpDiag" in chart


def test_only_the_recommended_fleet_prints_in_full(result: Result, book: Any) -> None:
    plan = Plan(result)
    for fleet in result.fleets:
        sheet = book[f"Calc_{fleet.id.replace('-', '_')}"]
        last = plan.end[fleet.id] if fleet.id == result.recommended else plan.results_end
        assert sheet.print_area.endswith(f"${last}")
    assert book["Data"].print_area.endswith("$O$2")


def test_a_flag_is_chosen_from_a_list(payments_path: Path) -> None:
    book = openpyxl.load_workbook(payments_path)
    ((sheet, cell),) = book.defined_names["in_software_supported_bought"].destinations
    rules = [one for one in book[sheet].data_validations.dataValidation if cell.replace("$", "") in one.sqref]
    assert [(rule.type, rule.formula1) for rule in rules] == [("list", '"0,1"')]
