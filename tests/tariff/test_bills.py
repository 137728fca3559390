"""Bills as other programs compute them, and as a slow loop over the hours of the calendar does."""

from __future__ import annotations

import calendar
import json
from collections.abc import Callable
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray
from ruamel.yaml import YAML

from tco.tariff.bill import bill
from tco.tariff.load import Month, month_of, shaped
from tco.tariff.rates import ALWAYS, Band, Charge, Ratchet, Step, Tariff
from tco.tariff.urdb import read_urdb

FOLDER = Path(__file__).parent
FILES = sorted((FOLDER / "files").glob("*.json"))
UNBILLED = ["demandreactivepowercharge"]
MONDAY = 2029
"""A year that begins on a Monday, as the other programs take every year."""

Array = NDArray[np.float64]
Load = Callable[[datetime], float]

LOADS: dict[str, Load] = {
    "flat_1MW": lambda at: 1000.0,
    "10 kW flat": lambda at: 10.0,
    "diurnal_0.8_1.2MW": lambda at: 1000 + 200 * float(np.sin(2 * np.pi * (at.hour - 9) / 24)),
    "weekday_1MW_weekend_0.5MW": lambda at: 1000.0 if at.weekday() < 5 else 500.0,
    "curtail_16_21h": lambda at: 600.0 if 16 <= at.hour < 21 else 1080.0,
    "one_hour_spike": lambda at: 2000.0 if at.timetuple().tm_yday == 196 and at.hour == 17 else 1000.0,
    "ramp_0.5_to_1.5MW": lambda at: 500 + 1000 * (at.month - 1) / 11,
}
CASES: list[dict[str, Any]] = YAML(typ="safe").load((FOLDER / "bills.yaml").read_text("utf-8"))


def tariff_of(path: Path) -> Tariff:
    """The file, without charges that nobody bills here."""
    held = json.loads(path.read_text("utf-8"))
    return read_urdb(path, [key for key in UNBILLED if key in held])


def hours(year: int, month: int) -> list[datetime]:
    """Every hour of a month."""
    first, days = datetime(year, month, 1), calendar.monthrange(year, month)[1]
    return [first + timedelta(hours=count) for count in range(24 * days)]


def year_of(load: Load, year: int = MONDAY) -> list[Month]:
    """Twelve months of a load."""
    return [month_of(year, month, np.array([load(at) for at in hours(year, month)])) for month in range(1, 13)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['file']}, {case['load']}")
def test_other_programs_send_the_same_bill(case: dict[str, Any]) -> None:
    made = bill(tariff_of(FOLDER / "files" / f"{case['file']}.json"), year_of(LOADS[case["load"]]))
    found = {
        "total": made.total.sum(),
        "energy": made.energy.sum(),
        "demand": made.demand.sum(),
        "minimum": made.minimum.sum(),
        "energy_and_fixed": made.energy.sum() + made.fixed.sum(),
    }
    for name in found.keys() & case.keys():
        assert found[name] == pytest.approx(case[name], rel=1e-9), name
    if "months" in case:
        assert made.total == pytest.approx(np.array(case["months"]), rel=1e-9)


# --- the same by a loop over the file itself ---


def by_hand(rate: dict[str, Any], load: Load, year: int) -> float:
    """Hour by hour, period by period, step by step, straight from the file."""
    return sum(month_by_hand(rate, load, year, month) for month in range(1, 13))


def month_by_hand(rate: dict[str, Any], load: Load, year: int, month: int) -> float:
    """Energy, demand by hours, demand by months, fixed charge, least bill."""
    used: dict[int, float] = {}
    highest: dict[int, float] = {}
    peak = 0.0
    for at in hours(year, month):
        kind = "weekend" if date(at.year, at.month, at.day).isoweekday() > 5 else "weekday"
        power = load(at)
        peak = max(peak, power)
        period = int(rate[f"energy{kind}schedule"][month - 1][at.hour])
        used[period] = used.get(period, 0.0) + power
        if "demandratestructure" in rate:
            period = int(rate[f"demand{kind}schedule"][month - 1][at.hour])
            highest[period] = max(highest.get(period, 0.0), power)
    paid = sum(steps_by_hand(rate["energyratestructure"][period], kwh, peak) for period, kwh in used.items())
    paid += sum(steps_by_hand(rate["demandratestructure"][period], power, peak) for period, power in highest.items())
    if "flatdemandstructure" in rate:
        paid += steps_by_hand(rate["flatdemandstructure"][int(rate["flatdemandmonths"][month - 1])], peak, peak)
    fixed = float(rate.get("fixedchargefirstmeter", 0))
    paid += fixed * (calendar.monthrange(year, month)[1] if rate.get("fixedchargeunits") == "$/day" else 1)
    return max(paid, float(rate.get("mincharge", 0)))


def steps_by_hand(steps: list[dict[str, Any]], amount: float, peak: float) -> float:
    """Taken from the bottom until nothing is left."""
    paid, below, left = 0.0, 0.0, amount
    for step in steps:
        top = float(step.get("max", 1e38)) * (peak if step.get("unit") == "kWh/kW" else 1)
        part = min(left, top - below)
        paid += part * (float(step.get("rate", 0)) + float(step.get("adj", 0)))
        left, below = left - part, top
        if left <= 0:
            break
    return paid


OFFICE = (4.0,) * 8 + (10.0, 14, 18, 20, 16, 18, 20, 18, 14) + (8.0,) * 7


@pytest.mark.parametrize("year", [2027, 2028])
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_file_bills_a_flat_load_and_a_day(path: Path, year: int) -> None:
    rate = cast("dict[str, Any]", json.loads(path.read_text("utf-8")))
    flat: Load = lambda at: 250.0  # noqa: E731
    made = bill(tariff_of(path), year_of(flat, year))
    assert float(made.total.sum()) == pytest.approx(by_hand(rate, flat, year), rel=1e-12)
    mean, top = sum(OFFICE) / 24, max(OFFICE)
    day: Load = lambda at: 200 + 100 * (OFFICE[at.hour] - mean) / (top - mean)  # noqa: E731
    months = [shaped(year, month, 200, 300, 300, OFFICE) for month in range(1, 13)]
    assert float(bill(tariff_of(path), months).total.sum()) == pytest.approx(by_hand(rate, day, year), rel=1e-12)


# --- what the files do not hold ---


def flat(price: float, **more: Any) -> Tariff:
    """One price of the month's peak."""
    return Tariff("", "USD", demand=(Charge(((Step(price),),), ALWAYS),), floored=1, **more)


def peaks(*powers: float, first: int = 1) -> list[Month]:
    """Months whose only power is one hour of the given peak."""
    found = list[Month]()
    for index, power in enumerate(powers):
        year, month = MONDAY + (first - 1 + index) // 12, (first - 1 + index) % 12 + 1
        found.append(month_of(year, month, np.eye(1, len(hours(year, month)))[0] * power))
    return found


def test_a_ratchet_of_35_per_cent_over_a_year() -> None:
    """REopt.jl, tests of lookback demand charges: 1 kW, one hour of 100 kW in January; 5,302.50 USD."""
    prices = [10.5] * 5 + [11.5] * 6 + [10.5]
    months = peaks(100, *[1.0] * 11)
    billed = bill(flat(1, ratchet=Ratchet(0.35, 12)), months, [100, *[1.0] * 11]).demand
    assert billed.tolist() == pytest.approx([100, *[35.0] * 11])
    assert sum(billed * np.array(prices)) == pytest.approx(5302.5)


def test_a_ratchet_of_75_per_cent_over_six_months() -> None:
    """REopt.jl, the same, 3: the year before is equal; 79,375 USD."""
    year = [200.0, 100, 100, 400, 100, 500, 100, 100, 100, 100, 100, 300]
    billed = bill(flat(1, ratchet=Ratchet(0.75, 6)), peaks(*year), year).demand
    assert billed.tolist() == pytest.approx([225, 225, 225, 400, 300, 500, *[375] * 6])
    assert float(billed @ np.array([10, 10, 20, 50, 20, 10, 20, 20, 20, 20, 20, 5])) == pytest.approx(79375)


def test_a_ratchet_widens_steps_by_the_kilowatt() -> None:
    """100 kWh for each of the 500 kW billed at 0.10, the other 24,400 kWh at 0.05 (as SAM: tests/oracles)."""
    steps = Charge(((Step(0.10, 100, per_kw=True), Step(0.05)),), ALWAYS)
    january = [month_of(MONDAY, 1, np.full(744, 100.0))]
    made = bill(flat(1, energy=(steps,), ratchet=Ratchet(0.5, 12)), january, [1000])
    assert made.energy.tolist() == pytest.approx([50_000 * 0.10 + 24_400 * 0.05])


def test_a_ratchet_may_look_at_summer_only() -> None:
    summer = Ratchet(0.5, 12, tuple(month in (6, 7, 8) for month in range(1, 13)))
    billed = bill(flat(1, ratchet=summer), peaks(800, 10, 600, 10, first=4)).demand
    assert billed.tolist() == [800, 10, 600, 300]  # April's 800 kW are forgotten; half of June's 600 kW in July


def test_a_weekend_is_a_weekend_in_its_own_year() -> None:
    schedule = np.stack([np.zeros((12, 24), int), np.ones((12, 24), int)])
    tariff = Tariff("", "USD", energy=(Charge(((Step(1),), (Step(2),)), schedule),))
    months = [month_of(year, 1, np.ones(744)) for year in (2027, 2028)]
    # Januaries of 2027 and 2028 have ten days of weekends, that of 2029 eight: their hours count twice.
    assert bill(tariff, months).energy.tolist() == [744 + 240, 744 + 240]
    assert bill(tariff, [month_of(2029, 1, np.ones(744))]).energy.tolist() == [744 + 192]


def test_bands_take_part_of_a_year_for_its_part() -> None:
    tariff = Tariff("", "EUR", bands=(Band(2500, 0.0179, 9.81), Band(np.inf, 0.0062, 39.18)))
    half = [month_of(2029, month, np.full(len(hours(2029, month)), 100.0)) for month in range(1, 7)]
    made = bill(tariff, half)
    assert made.demand.sum() == pytest.approx(100 * 39.18 / 2)
    assert made.energy.sum() == pytest.approx(181 * 24 * 100 * 0.0062)


def test_without_a_profile_the_peak_may_fall_into_every_period() -> None:
    tariff = tariff_of(FOLDER / "files" / "fpl_gsldt1.json")
    made = bill(tariff, [shaped(2029, 1, 100, 300, 300, ())])
    assert made.demand.tolist() == pytest.approx([300 * (0.79 + 2.06) + 300 * (12.81 + 2.06)])
    assert made.energy.sum() == pytest.approx(bill(tariff, [month_of(2029, 1, np.full(744, 100.0))]).energy.sum())


@pytest.mark.parametrize("profile", [OFFICE, tuple(float(hour % 24 + hour // 24) for hour in range(168))])
@pytest.mark.parametrize("month", [2, 7])
def test_a_profile_keeps_mean_and_peak_in_every_month(profile: tuple[float, ...], month: int) -> None:
    made = shaped(2028, month, 120, 200, 200, profile)
    assert made.energy == pytest.approx(120 * 24 * made.days, rel=1e-12)
    assert made.top == pytest.approx(200, rel=1e-12)
