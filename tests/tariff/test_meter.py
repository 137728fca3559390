"""The meter of a site: quarter-hours, the change of clocks, gaps, and what a fleet adds to the bill."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from tco.errors import ScenarioError
from tco.tariff.meter import Meter, read_meter
from tests.tariff.test_scenarios import DAY, Writer, row

STEP = timedelta(minutes=15)
SPRING, AUTUMN = datetime(2027, 3, 28, 2), datetime(2027, 10, 31, 3)
"""European clocks: the hour from two is left out, and comes twice."""

Power = Callable[[datetime], float]


def times(first: datetime = datetime(2027, 1, 1), last: datetime = datetime(2028, 1, 1)) -> list[datetime]:
    """A year of quarter-hours as clocks show them."""
    found, at = list[datetime](), first
    while at < last:
        found.append(at)
        at += STEP
        if at == SPRING:
            at += timedelta(hours=1)
        if at == AUTUMN and found.count(AUTUMN - timedelta(hours=1)) < 2:
            at -= timedelta(hours=1)
    return found


def write(path: Path, power: Power, *, head: str = "time,power_kW", skip: tuple[datetime, ...] = ()) -> Path:
    lines = [f"{at:%Y-%m-%d %H:%M},{power(at):g}" for at in times() if at not in skip]
    path.write_text("\n".join([head, *lines, ""]), encoding="utf-8")
    return path


def refused(path: Path, gaps: str = "refuse") -> str:
    with pytest.raises(ScenarioError) as caught:
        read_meter(path, None, gaps)
    return str(caught.value)


def energy(meter: Meter, month: int) -> float:
    base = meter.months[month]
    return float(base.power.sum()) * base.length


def test_the_hour_that_clocks_leave_out_and_the_one_that_comes_twice(tmp_path: Path) -> None:
    meter = read_meter(write(tmp_path / "m.csv", lambda at: 100.0), None, "refuse")
    assert "the clock changes at 2027-03-28, 2027-10-31" in meter.notes
    assert "35,040 readings of 15 minutes" in meter.notes
    assert energy(meter, 3) == pytest.approx(100 * (31 * 24 - 1))
    assert energy(meter, 10) == pytest.approx(100 * (31 * 24 + 1))
    assert sorted(meter.months) == list(range(1, 13))


def test_energy_in_kwh_and_a_european_sheet(tmp_path: Path) -> None:
    ends = [at + STEP for at in times(datetime(2027, 1, 1), datetime(2027, 2, 1))]
    lines = [f"{at:%d.%m.%Y %H:%M};12,5" for at in ends]
    path = tmp_path / "m.csv"
    path.write_text("\n".join(["Zeitstempel;Verbrauch [kWh]", *lines]), encoding="utf-8")
    assert "state `stamps: end`, or `stamps: start`" in refused(path)
    meter = read_meter(path, "end", "refuse")
    assert energy(meter, 1) == pytest.approx(31 * 96 * 12.5)
    assert set(meter.months[1].power.tolist()) == {50.0}


def test_times_with_an_offset_need_no_guess(tmp_path: Path) -> None:
    path, lines = tmp_path / "m.csv", ["timestamp,kW"]
    for count in range(31 * 24 - 1):
        offset = "+01:00" if count < 27 * 24 + 2 else "+02:00"
        local = datetime(2027, 3, 1) + timedelta(hours=count + (offset == "+02:00"))
        lines.append(f"{local:%Y-%m-%dT%H:%M:%S}{offset},10")
    path.write_text("\n".join(lines), encoding="utf-8")
    meter = read_meter(path, None, "refuse")
    assert energy(meter, 3) == 10 * (31 * 24 - 1)
    assert "clock" not in meter.notes


def test_gaps_are_named_and_refused_or_filled_from_a_week_before(tmp_path: Path) -> None:
    gone = tuple(datetime(2027, 5, 12, 10) + count * STEP for count in range(8))
    path = write(tmp_path / "m.csv", lambda at: 50.0 + at.hour, skip=gone)
    told = "8 readings are missing: 2027-05-12 10:00 to 2027-05-12 11:45; state `gaps: week_before`"
    assert told in refused(path)
    filled, whole = (
        read_meter(path, None, "week_before"),
        read_meter(write(tmp_path / "w.csv", lambda at: 50.0 + at.hour), None, "refuse"),
    )
    assert filled.months[5].power.tolist() == whole.months[5].power.tolist()
    assert "8 missing readings are those of the week before: 2027-05-12 10:00 to 2027-05-12 11:45" in filled.notes
    early = write(tmp_path / "e.csv", lambda at: 1.0, skip=(datetime(2027, 1, 2),))
    assert "nothing is known a week before 2027-01-02 00:00" in refused(early, "week_before")


def clock(*minutes: int) -> str:
    """A reading at each minute of an hour."""
    return "time,kW\n" + "".join(f"2027-01-01 00:{minute:02d},1\n" for minute in minutes)


WRONG = {
    "no unit": ("time,power\n2027-01-01 00:00,1\n", ":1:1: has none as columns of a unit"),
    "two units": ("time,kW,kWh\n2027-01-01 00:00,1,1\n", "has kW, kWh as columns of a unit"),
    "no time": ("time,kW\nsoon,1\n2027-01-01 00:15,1\n", ":2:1: `soon` is no time"),
    "negative": ("time,kW\n2027-01-01 00:00,-3\n2027-01-01 00:15,1\n", ":2:1: `-3` is no power or energy from 0"),
    "back": (clock(0, 15, 30, 15), ":5:1: 2027-01-01 00:15 comes after"),
    "steps": (clock(0, 7), "has readings 7 minutes apart"),
    "odd": (clock(0, 15, 30, 50), ":5:1: is 0:20:00 after"),
    "one": (clock(0), "has fewer than two readings"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_meter_file_is_read_strictly(name: str, tmp_path: Path) -> None:
    text, told = WRONG[name]
    (tmp_path / "m.csv").write_text(text, encoding="utf-8")
    assert told in refused(tmp_path / "m.csv")


@pytest.fixture
def writer(tmp_path: Path) -> Writer:
    return Writer(tmp_path)


STEPS = "{energy: [{price: 0.2 USD/kWh, up_to: 50000 kWh}, {price: 0.1 USD/kWh}], fixed: 99 USD/month, "
STEPS += "demand: [{price: 10 USD/kW/month}]}"


def test_a_fleet_pays_what_it_adds(writer: Writer) -> None:
    """The site is through the dear step already and pays the fixed charge; it peaks at noon, the fleet at night."""
    write(writer.folder / "meter.csv", lambda at: 300.0 if at.hour == 12 else 100.0)
    night = "profile: [20, 20, 20, 20, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4]"
    result = writer.run(f"{{tariff: {STEPS}, meter: meter.csv}}", peak=night)
    site = result.by_id["site"]
    mean = row(site, "facility_power")
    assert row(site, "electricity_cost")[0] == pytest.approx(0.1 * mean[0] * 744, rel=1e-9)
    assert row(site, "electricity_cost")[9] == pytest.approx(0.1 * mean[9] * 745, rel=1e-3)
    peak = row(site, "month_peak_power")[0]
    low = mean[0] - (peak - mean[0]) * (mean_of(night) - 4) / (20 - mean_of(night))
    assert row(site, "demand_cost")[0] == pytest.approx(10 * low, rel=1e-9)
    assert row(site, "fixed_electricity_cost") == pytest.approx(np.zeros(12), abs=1e-9)
    told = next(alert.text for alert in result.warnings if alert.code == "meter-read")
    assert "meter.csv: 35,040 readings of 15 minutes" in told
    assert "the clock changes at 2027-03-28, 2027-10-31" in told


def mean_of(profile: str) -> float:
    numbers = [float(number) for number in profile[10:-1].split(",")]
    return sum(numbers) / len(numbers)


def test_without_a_profile_the_peaks_may_meet(writer: Writer) -> None:
    write(writer.folder / "meter.csv", lambda at: 300.0 if at.hour == 12 else 100.0)
    site = writer.site(f"{{tariff: {STEPS}, meter: meter.csv}}")
    assert row(site, "demand_cost") == pytest.approx(10 * row(site, "month_peak_power"), rel=1e-9)


def test_what_a_meter_needs(writer: Writer) -> None:
    lines = [f"{at:%Y-%m-%d %H:%M},5" for at in times(datetime(2027, 1, 1), datetime(2027, 12, 9))]
    (writer.folder / "meter.csv").write_text("\n".join(["time,kW", *lines]), encoding="utf-8")
    assert "meter.csv holds no whole December, which the timeline has" in writer.refused(
        f"{{tariff: {STEPS}, meter: meter.csv}}", peak=DAY
    )
    assert "`meter` is for the bill of a `tariff`" in writer.refused("{price: 0.1 USD/kWh, meter: meter.csv}")
    assert "/none.csv: there is no such file" in writer.refused(f"{{tariff: {STEPS}, meter: none.csv}}")
