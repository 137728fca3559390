"""Tariffs in scenarios: what lines bill, what is a choice, what is refused, what a reader is told."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ruamel.yaml import YAML

from tco.batch import write_outputs
from tco.errors import ScenarioError
from tco.result import FleetResult, Result
from tco.session import load
from tco.tariff.bill import bill
from tco.tariff.load import month_of, shaped
from tco.tariff.rates import Tariff
from tco.tariff.urdb import read_urdb

FOLDER = Path(__file__).parent
FILES = FOLDER / "files"


def rows_of(name: str) -> list[dict[str, Any]]:
    """Rows of a YAML file beside."""
    return YAML(typ="safe").load((FOLDER / name).read_text("utf-8"))


SCENARIO = """\
format: 1
title: A tariff
as_of: 2026-11-01
currency: {currency}
fx: {{{fx}: 0.9 {currency}/{fx}}}
timeline: {{start: 2029-01, horizon: {horizon}, step: {step}}}
workload:
  kind: inference
  model: llama-3.1-8b
  requests: 100 Mrequest/month
  growth: {growth}
  {peak}
  input: 900 token/request
  output: 250 token/request
{electricity}
cooling: {{kind: air, pue: 1.4}}
finance: {{discount_rate: 8 %}}
fleets:
  - {{id: site, buy: srv-8xl40s, precision: fp8{more}}}
{rest}
"""


class Writer:
    """Scenarios in a folder that holds the tariff files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for path in FILES.glob("*.json"):
            shutil.copy(path, folder)

    def write(self, electricity: str, **changes: str) -> Path:
        told = {"currency": "USD", "fx": "EUR", "horizon": "1 yr", "step": "month", "growth": "0 %/yr",
                "peak": "peak_to_mean: 2", "more": "", "rest": ""} | changes  # fmt: skip
        path = self.folder / "scenario.yaml"
        path.write_text(SCENARIO.format(electricity=f"electricity: {electricity}", **told), encoding="utf-8")
        return path

    def run(self, electricity: str, **changes: str) -> Result:
        return load(self.write(electricity, **changes)).run()

    def site(self, electricity: str, **changes: str) -> FleetResult:
        return self.run(electricity, **changes).by_id["site"]

    def refused(self, electricity: str, **changes: str) -> str:
        with pytest.raises(ScenarioError) as caught:
            self.run(electricity, **changes)
        return str(caught.value).replace(str(self.folder), "")


@pytest.fixture
def writer(tmp_path: Path) -> Writer:
    return Writer(tmp_path)


def row(fleet: FleetResult, name: str) -> Any:
    """A line's numbers, one a period."""
    value = fleet.shown(name)
    assert value is not None, name
    return np.asarray(value)


def tariff(name: str) -> Tariff:
    held = json.loads((FILES / f"{name}.json").read_text("utf-8"))
    return read_urdb(FILES / f"{name}.json", [key for key in ("demandreactivepowercharge",) if key in held])


DAY = "profile: [4, 4, 4, 4, 4, 4, 4, 4, 10, 14, 18, 20, 16, 18, 20, 18, 14, 8, 8, 8, 8, 8, 8, 8]"
HOURS = tuple(float(number) for number in DAY[10:-1].split(","))
HOURLY = ["coned_sc9_nyc", "fpl_gsldt1", "south_central_lp1_kwh_per_kw", "tiered_energy_and_demand"]


@pytest.mark.parametrize("name", HOURLY)
def test_lines_give_the_bill_of_the_calendar_month_by_month(name: str, writer: Writer) -> None:
    site = writer.site(f"{{tariff: {name}.json}}", peak=DAY)
    mean, peak = row(site, "facility_power"), row(site, "month_peak_power")
    months = [shaped(2029, at + 1, mean[at], peak[at], peak[at], HOURS) for at in range(12)]
    made = bill(tariff(name), months)
    assert row(site, "electricity_cost") == pytest.approx(made.energy, rel=1e-12)
    assert row(site, "demand_cost") == pytest.approx(made.demand, rel=1e-12)
    assert row(site, "energy_cost") == pytest.approx(made.total, rel=1e-12)
    assert site.inputs["electricity_price"].origin == "choice"
    assert site.choices["bill"]["for"]["energy"] == pytest.approx(row(site, "energy").tolist())


def test_a_year_is_billed_by_its_months(writer: Writer) -> None:
    site = writer.site("{tariff: coned_sc9_nyc.json}", step="year", horizon="2 yr")
    mean, peak = row(site, "facility_power")[0], row(site, "month_peak_power")[0]
    months = [shaped(2029 + at // 12, at % 12 + 1, mean, peak, peak, ()) for at in range(24)]
    totals = bill(tariff("coned_sc9_nyc"), months).total.reshape(2, 12).sum(1)
    assert row(site, "energy_cost") == pytest.approx(totals, rel=1e-12)


def test_a_flat_tariff_is_billed_by_lines(writer: Writer) -> None:
    site = writer.site("{tariff: fpl_gsld1.json}", step="quarter")
    assert "bill" not in site.choices
    assert site.inputs["electricity_price"].value == pytest.approx(0.01958 + 0.03544)
    assert site.inputs["electricity_price"].as_of == "2025-01-01"
    quarter = row(site, "month_peak_power") * (13.59 + 2.06) * 3
    assert row(site, "demand_cost") == pytest.approx(quarter)
    metered = quarter + row(site, "energy") * 0.05502 + 88.67 * 3
    assert row(site, "energy_cost") == pytest.approx(np.maximum(metered, 6833.67 * 3))


WRITTEN = """
  tariff:
    name: Time of use
    effective: 2028-01-01
    expires: 2031-12-31
    periods:
      - {name: summer peak, months: 4-10, days: weekday, hours: 12-21}
      - {name: winter peak, months: 11-3, days: weekday, hours: "6-10, 18-22"}
      - {name: rest}
    energy:
      - {during: summer peak, price: 0.08 USD/kWh}
      - {during: winter peak, price: 0.08 USD/kWh}
      - {during: rest, price: 0.05 USD/kWh}
      - {price: 0.01 USD/kWh, up_to: 100 kWh/kW}
      - {price: 0.005 USD/kWh}
    demand:
      - {price: 10 USD/kW/month}
      - {during: summer peak, price: 5 USD/kW/month, up_to: 1 kW}
      - {during: summer peak, price: 3 USD/kW/month}
    fixed: 88.67 USD/month
"""


def test_a_tariff_of_ones_own(writer: Writer) -> None:
    site = writer.site(WRITTEN, peak=DAY)
    loads = zip(row(site, "facility_power"), row(site, "month_peak_power"), strict=True)
    power = [shaped(2029, at + 1, mean, peak, peak, HOURS) for at, (mean, peak) in enumerate(loads)]
    july, peak = power[6], row(site, "month_peak_power")[6]
    dear = (july.weekend == 0) & (july.hour >= 12) & (july.hour < 21)
    energy = july.power[dear].sum() * 0.08 + july.power[~dear].sum() * 0.05
    energy += min(july.energy, 100 * peak) * 0.01 + max(july.energy - 100 * peak, 0) * 0.005
    top = july.power[dear].max()
    assert row(site, "electricity_cost")[6] == pytest.approx(energy, rel=1e-12)
    assert row(site, "demand_cost")[6] == pytest.approx(10 * peak + 5 + 3 * (top - 1), rel=1e-12)
    dear = (power[0].weekend == 0) & np.isin(power[0].hour, [6, 7, 8, 9, 18, 19, 20, 21])
    january = power[0].power[dear].sum() * 0.08 + power[0].power[~dear].sum() * 0.05
    january += min(power[0].energy, 100 * peak) * 0.01 + max(power[0].energy - 100 * peak, 0) * 0.005
    assert row(site, "electricity_cost")[0] == pytest.approx(january, rel=1e-12)


def test_steps_by_the_day(writer: Writer) -> None:
    """2 kWh a day are 62 in January and 56 in February, in a file as in words."""
    steps = [{"rate": 0.2, "max": 2, "unit": "kWh daily"}, {"rate": 0.1, "unit": "kWh daily"}]
    (writer.folder / "daily.json").write_text(edited("fpl_gsld1", energyratestructure=[steps]), encoding="utf-8")
    there = writer.site("{tariff: daily.json}")
    here = writer.site("{tariff: {energy: [{price: 0.2 USD/kWh, up_to: 2 kWh/day}, {price: 0.1 USD/kWh}]}}")
    mean = row(here, "facility_power")[:2]
    by_hand = mean * np.array([744, 672]) * 0.1 + np.array([62, 56]) * 0.1
    assert row(here, "electricity_cost")[:2] == pytest.approx(by_hand, rel=1e-12)
    assert row(there, "electricity_cost") == pytest.approx(row(here, "electricity_cost"), rel=1e-12)


def test_a_tariff_in_a_file_of_its_own(writer: Writer) -> None:
    inside = WRITTEN.split("\n", 2)[2].replace("\n    ", "\n").removeprefix("    ")
    (writer.folder / "own.yaml").write_text(inside, encoding="utf-8")
    there, here = writer.site("{tariff: own.yaml}"), writer.site(WRITTEN)
    assert row(there, "energy_cost").tolist() == row(here, "energy_cost").tolist()
    (writer.folder / "own.yaml").write_text(inside.replace("4-10", "4-13"), encoding="utf-8")
    told = writer.refused("{tariff: own.yaml}")
    assert "own.yaml:5:33: periods.1.months" in told
    assert "read `4-13`; wanted months such as `6-9` or `11-2`" in told


def test_a_foreign_tariff_keeps_its_rate_live(writer: Writer) -> None:
    home = writer.site("{tariff: coned_sc9_nyc.json}")
    abroad = writer.site("{tariff: coned_sc9_nyc.json}", currency="EUR", fx="USD")
    assert row(abroad, "energy_cost") == pytest.approx(0.9 * row(home, "energy_cost"), rel=1e-12)
    assert abroad.inputs["electricity_price_quoted"].unit == "USD/kWh"
    assert "usd_rate" in abroad.inputs


def test_a_ratchet_and_a_contract_are_lines(writer: Writer) -> None:
    peaks = "[900 kW, 100 kW]"
    pin = f"pin: {{site: {{peak_facility_power: [{', '.join(f'{at} kW' for at in (500, 20, *[100] * 10))}]}}}}"
    stated = (
        "{price: 0.1 USD/kWh, demand_charge: 9 USD/kW/month, contracted_power: 60 kW, ratchet: {share: 50 %, months: 3}"
    )
    site = writer.site(f"{stated}, earlier_peaks: {peaks}}}", rest=pin)
    # 900 kW two months before the start count in its first two months; 500 kW for three more; then each month's own.
    assert row(site, "billed_demand").tolist() == [500, 450, 250, 250, *[100] * 8]
    held = writer.site(f"{stated}}}", rest=pin.replace("20 kW", "0 kW").replace("100 kW", "5 kW"))
    assert row(held, "billed_demand").tolist() == [500, 250, 250, 250, *[60] * 8]


def test_the_demand_charge_takes_each_months_peak_whatever_the_step(writer: Writer) -> None:
    """With so many machines for good, a year's demand charge is that of its months, to what a mean growth leaves."""
    stated = "{price: 0.1 USD/kWh, demand_charge: 10 USD/kW/month}"
    growing = {"horizon": "2 yr", "growth": "30 %/yr", "more": ", count: 8"}
    costs = {
        step: float(row(writer.site(stated, step=step, **growing), "demand_cost").sum())
        for step in ("month", "quarter", "year")
    }
    assert costs["year"] == pytest.approx(costs["month"], rel=1e-3)
    assert costs["quarter"] == pytest.approx(costs["month"], rel=1e-4)


RATCHET = "{price: 0.1 USD/kWh, demand_charge: 9 USD/kW/month, ratchet: {share: 50 %, months: 11}}"
CODES = {
    "{tariff: fpl_gsld1.json}": set[str](),
    "{tariff: coned_sc9_nyc.json}": {"billed-by-tariff"},
    "{tariff: {file: dominion_gs3.json, leave_out: [demandreactivepowercharge]}}": {
        "billed-by-tariff", "tariff-expired", "tariff-left-out", "tariff-for-others",
    },
    RATCHET: {"ratchet-without-history"},
    "{tariff: {energy: [{price: 0.1 USD/kWh}], expires: 2029-06-30}}": {"tariff-ends-early"},
    "{tariff: {energy: [{price: 0.1 USD/kWh}], effective: 2029-01-02}}": {"tariff-not-yet"},
}  # fmt: skip


@pytest.mark.parametrize("electricity", CODES)
def test_a_reader_is_told(electricity: str, writer: Writer) -> None:
    found = {alert.code for alert in writer.run(electricity).warnings}
    assert {code for code in found if "tariff" in code or "ratchet" in code} == CODES[electricity]


REFUSED = {row["electricity"]: row["told"] for row in rows_of("refused.yaml")}


@pytest.mark.parametrize("electricity", REFUSED)
def test_what_cannot_be_billed_is_named(electricity: str, writer: Writer) -> None:
    assert REFUSED[electricity] in writer.refused(electricity)


def test_a_ratchet_needs_months(writer: Writer) -> None:
    told = writer.refused(RATCHET, step="year")
    assert "a ratchet looks at each month's peak; state `step: month`" in told


def test_a_renter_has_no_tariff(writer: Writer) -> None:
    fleet = "  - {id: rented, rent: {offer: runpod-h100-sxm-ondemand, gpus: 2}, precision: fp8, "
    fleet += "electricity: {tariff: fpl_gsld1.json}}"
    assert "`tariff` has no meaning for a fleet that is paid by rent" in writer.refused(
        "{price: 0.1 USD/kWh}", rest=fleet
    )


def test_a_fleet_has_prices_of_its_own(writer: Writer) -> None:
    own = "  - {id: own, buy: srv-8xl40s, precision: fp8, electricity: {price: 0.2 USD/kWh}}"
    result = writer.run("{tariff: coned_sc9_nyc.json}", rest=own)
    assert "bill" in result.by_id["site"].choices
    assert "bill" not in result.by_id["own"].choices
    assert result.by_id["own"].inputs["electricity_price"].value == 0.2
    half = own.replace("price: 0.2 USD/kWh", "demand_charge: 3 USD/kW/month")
    assert "cannot count beside the tariff of all fleets" in writer.refused("{tariff: coned_sc9_nyc.json}", rest=half)


def edited(name: str, **changes: Any) -> str:
    data = json.loads((FILES / f"{name}.json").read_text("utf-8")) | changes
    return json.dumps({key: value for key, value in data.items() if value is not None})


WRONG = {row["name"]: row for row in rows_of("wrong_files.yaml")}


@pytest.mark.parametrize("name", WRONG)
def test_a_file_is_read_strictly(name: str, writer: Writer) -> None:
    wrong = WRONG[name]
    text = wrong.get("text") or edited("fpl_gsld1", **wrong["changes"])
    (writer.folder / "wrong.json").write_text(text, encoding="utf-8")
    found = writer.refused("{tariff: wrong.json}")
    assert wrong["told"] in found
    assert "is not known; state `electricity.price`" not in found


@pytest.mark.parametrize("wrap", ["[%s]", '{"items": [%s]}', "%s"])
def test_a_rate_may_lie_in_a_list(wrap: str, writer: Writer) -> None:
    text = edited("fpl_gsld1", lookbackPercent=40, lookbackRange=5, lookbackMonths=[1] * 12)
    (writer.folder / "wrapped.json").write_text(wrap % text, encoding="utf-8")
    site = writer.site("{tariff: wrapped.json, earlier_peaks: [400 kW]}")
    assert site.inputs["ratchet_share"].value == 0.4
    assert row(site, "billed_demand")[:6].tolist() == [160] * 5 + [row(site, "month_peak_power")[5]]


def test_the_workbook_says_when_a_bill_may_be_stale(writer: Writer) -> None:
    import openpyxl

    result = writer.run("{tariff: coned_sc9_nyc.json}", peak=DAY)
    write_outputs(result, writer.folder, "out", ("xlsx", "json", "html"))
    sheet = openpyxl.load_workbook(writer.folder / "out.xlsx", data_only=True)["Checks"]
    rows = [[cell.value for cell in line] for line in sheet.iter_rows() if "billed by a tariff" in str(line[0].value)]
    assert [line[8] for line in rows] == ["as chosen"] * 3
    told = json.loads((writer.folder / "out.json").read_text("utf-8"))["fleets"][0]["choices"]["bill"]
    assert rows[0][4] == pytest.approx(sum(told["for"]["energy"]))
    assert "Consolidated Edison" in told["tariff"]
    assert "hour by hour over calendar months" in (writer.folder / "out.html").read_text("utf-8")


def test_frozen_choices_are_billed_again(writer: Writer) -> None:
    scenario = load(writer.write("{tariff: coned_sc9_nyc.json}"))
    first = scenario.run()
    held = {fleet.id: fleet.choices["values"] for fleet in first.fleets}
    again = scenario.run(held)
    assert again.by_id["site"].shown("total_cost") == first.by_id["site"].shown("total_cost")


def test_a_month_without_power_still_pays_its_ratchet(writer: Writer) -> None:
    stated = "{tariff: {energy: [{price: 0.1 USD/kWh, up_to: 5 kWh}, {price: 0.2 USD/kWh}], "
    stated += "demand: [{price: 10 USD/kW/month}], ratchet: {share: 50 %, months: 3}}}"
    pin = f"pin: {{site: {{peak_facility_power: [{', '.join(f'{at} kW' for at in (500, *[0] * 11))}], "
    pin += f"energy: [{', '.join(f'{at} kWh' for at in (100, *[0] * 11))}]}}}}"
    site = writer.site(stated, rest=pin)
    assert row(site, "energy_cost")[:6] == pytest.approx(
        [5 * 0.1 + (100 * 744 / 730 - 5) * 0.2 + 5000, 2500, 2500, 2500, 0, 0]
    )


def test_hours_of_a_month() -> None:
    assert month_of(2028, 2, np.ones(29 * 24)).energy == 29 * 24
