"""Generated tariffs and loads, billed by tco and by SAM's `Utilityrate5`.

Each tariff is a file of the Utility Rate Database, read by tco's reader here and by SAM's converter there; the year is
2029, which begins on a Monday as every year of SAM. Both add up doubles in another order: amounts agree to 1e-9, and
where one is a difference (what is missing to the least bill) to 1e-6 USD.

Where conventions differ, the generator does not go; tests at the end show what is cheap to show:

- Energy steps under hours of use: SAM grants the first step once a month, tco once in every period (as the file says
  it, and `ratebook`). Generated: several periods of one step each, or one period a month with several steps.
- Limits of steps that differ between the periods of a month: SAM refuses them. Steps of demand by hours share theirs.
- A ratchet looks one month too far into SAM's year before. Generated: no peak before, or a year of rising ones, whose
  oldest never counts.
- A ratchet beside demand by hours: SAM bills those periods by it too, or forgets the month's own peak; in tco it is for
  the month's peak alone. Generated: ratchets beside prices of the month's peak.
- Fixed charges a day: SAM takes 365/12 days a month. Their year is compared, without a least bill of a month.
- The least bill of a year: SAM adds what is missing in December, tco over the months. The year is compared.
"""

# pyright: basic
from __future__ import annotations

import calendar
import json
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tco.tariff.bill import Bill, bill
from tco.tariff.load import month_of
from tco.tariff.urdb import read_urdb
from tests.oracles.sam import bill_of

YEAR = 2029
HOURS_OF_MONTH = [24 * calendar.monthrange(YEAR, month)[1] for month in range(1, 13)]
TYPICAL = {"kWh": 80_000, "kWh daily": 2_500, "kWh/kW": 150, "kWh/kW daily": 6}
"""Limits of steps of energy at which loads of the generator arrive."""


@dataclass(frozen=True)
class Case:
    """A file, a year of hourly power, and for a ratchet the peaks of the year before and the least power billed."""

    rate: dict[str, Any]
    seed: int
    earlier: tuple[float, ...] = ()
    least: float = 0.0

    def load(self) -> np.ndarray:
        """Months of different size, noise, hours without any power."""
        random = np.random.default_rng(self.seed)
        size = np.repeat(random.uniform(0.05, 1, 12), HOURS_OF_MONTH)
        return size * random.uniform(0, 1000, 8760) * (random.random(8760) > random.uniform(0, 0.3))


prices = st.integers(1, 400).map(lambda thousandths: thousandths / 1000)
powers = st.integers(1, 40).map(lambda tens: 25 * tens)
seeds = st.integers(0, 2**32 - 1)


def schedules(seed: int, periods: int) -> tuple[list[list[int]], list[list[int]]]:
    """Any period in any hour of workdays and of weekends."""
    workday, weekend = np.random.default_rng(seed).integers(0, periods, (2, 12, 24)).tolist()
    return workday, weekend


@st.composite
def steps(draw: st.DrawFn, limits: list[float], unit: str = "", scale: float = 1.0) -> list[dict[str, Any]]:
    """Prices of one period, up to each limit and above the last."""
    made = list[dict[str, Any]]()
    for limit in [*limits, None]:
        step: dict[str, Any] = {"rate": scale * draw(prices)}
        step |= {"max": limit} if limit else {}
        step |= {"unit": unit} if unit else {}
        step |= {"adj": draw(prices) / 10} if draw(st.booleans()) else {}
        made.append(step)
    return made


@st.composite
def energies(draw: st.DrawFn) -> dict[str, Any]:
    """Periods by the hour at one price each, or seasons with steps."""
    if draw(st.booleans()):
        count = draw(st.integers(1, 4))
        workday, weekend = schedules(draw(seeds), count)
        periods = [draw(steps([])) for _ in range(count)]
    else:
        count, unit = draw(st.integers(1, 3)), draw(st.sampled_from(list(TYPICAL)))
        season = [[draw(st.integers(0, count - 1))] * 24 for _ in range(12)]
        workday = weekend = season
        limits = st.lists(st.integers(1, 20), max_size=3, unique=True).map(sorted)
        periods = [draw(steps([TYPICAL[unit] * n / 5 for n in draw(limits)], unit)) for _ in range(count)]
    return {"energyratestructure": periods, "energyweekdayschedule": workday, "energyweekendschedule": weekend}


@st.composite
def limits_of_power(draw: st.DrawFn) -> list[float]:
    return sorted(draw(st.lists(powers, max_size=2, unique=True)))


@st.composite
def demands(draw: st.DrawFn, flat: bool, by_hours: bool) -> dict[str, Any]:
    """A price of the month's peak by season, prices of the peaks of periods, or both."""
    made = dict[str, Any]()
    if flat:
        count = draw(st.integers(1, 3))
        made["flatdemandstructure"] = [draw(steps(draw(limits_of_power()), scale=60)) for _ in range(count)]
        made["flatdemandmonths"] = draw(st.lists(st.integers(0, count - 1), min_size=12, max_size=12))
    if by_hours:
        count, limits = draw(st.integers(1, 3)), draw(limits_of_power())
        made["demandratestructure"] = [draw(steps(limits, scale=60)) for _ in range(count)]
        made["demandweekdayschedule"], made["demandweekendschedule"] = schedules(draw(seeds), count)
    return made


@st.composite
def charges(draw: st.DrawFn) -> dict[str, Any]:
    """What is paid whatever is drawn, and the least that is paid at all."""
    made = dict[str, Any]()
    if fixed := draw(st.sampled_from(["", "$/month", "$/day", "$/year"])):
        made |= {"fixedchargefirstmeter": draw(st.integers(1, 5000)), "fixedchargeunits": fixed}
    if least := draw(st.sampled_from(["", "$/year"] if fixed == "$/day" else ["", "$/month", "$/year"])):
        made |= {"mincharge": draw(st.integers(1, 40)) * (60_000 if least == "$/year" else 5000)}
        made |= {"minchargeunits": least}
    return made


KINDS = ["no demand", "flat", "by hours", "both", "ratchet", "ratchet of a year"]


@st.composite
def cases(draw: st.DrawFn, kind: str) -> Case:
    """A whole tariff, with this kind of demand."""
    rate = draw(energies()) | draw(charges())
    ratchet = kind.startswith("ratchet")
    rate |= draw(demands(flat=kind in ("flat", "both") or ratchet, by_hours=kind in ("by hours", "both")))
    if not ratchet:
        return Case(rate, draw(seeds))
    rate |= {"lookbackpercent": draw(st.integers(20, 100)) / 100, "lookbackmonths": [1] * 12, "lookbackrange": 12}
    earlier = tuple(draw(st.lists(powers, min_size=12, max_size=12).map(sorted)))
    if kind == "ratchet":
        counted = draw(st.lists(st.integers(0, 1), min_size=12, max_size=12))
        rate |= {"lookbackmonths": counted, "lookbackrange": draw(st.integers(1, 11))}
        earlier = (0.0,) * 12
    return Case(rate, draw(seeds), earlier, draw(st.sampled_from([0.0, 0.0, 150.0, 600.0])))


def billed(case: Case, path: Path, load: np.ndarray) -> Bill:
    """By tco, through the file."""
    path.write_text(json.dumps(case.rate), encoding="utf-8")
    ends = np.cumsum([0, *HOURS_OF_MONTH])
    months = [month_of(YEAR, number, load[a:b]) for number, (a, b) in enumerate(pairwise(ends), 1)]
    return bill(replace(read_urdb(path), minimum_demand=case.least), months, case.earlier)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_tariff_is_billed_alike(kind: str, data: st.DataObject, tmp_path: Path) -> None:
    case = data.draw(cases(kind))
    load = case.load()
    ours = billed(case, tmp_path / "rate.json", load)
    theirs = bill_of(case.rate, load.tolist(), case.earlier, case.least)
    assert ours.energy == pytest.approx(np.array(theirs.energy), rel=1e-9)
    assert ours.demand == pytest.approx(np.array(theirs.demand), rel=1e-9)
    daily, yearly = case.rate.get("fixedchargeunits") == "$/day", case.rate.get("minchargeunits") == "$/year"
    if not daily:
        assert ours.fixed == pytest.approx(np.array(theirs.fixed), rel=1e-9)
    if not daily and not yearly:
        assert ours.minimum == pytest.approx(np.array(theirs.minimum), rel=1e-9, abs=1e-6)
        assert ours.total == pytest.approx(np.array(theirs.total), rel=1e-9)
    assert ours.fixed.sum() == pytest.approx(sum(theirs.fixed), rel=1e-9)
    assert ours.minimum.sum() == pytest.approx(sum(theirs.minimum), rel=1e-9, abs=1e-6)
    assert ours.total.sum() == pytest.approx(sum(theirs.total), rel=1e-9)


# --- where they differ, and why ---

ALWAYS = [[0] * 24] * 12
FLAT = np.full(8760, 100.0)


def test_sam_grants_the_first_step_once_a_month_and_tco_in_every_period(tmp_path: Path) -> None:
    """Two halves of the day, in each 0.1 up to 1,000 kWh and 0.3 above: tco's bill is 200 USD lower every month."""
    both = [{"rate": 0.1, "max": 1000}, {"rate": 0.3}]
    halves = [[0] * 12 + [1] * 12] * 12
    rate = {"energyratestructure": [both, both], "energyweekdayschedule": halves, "energyweekendschedule": halves}
    ours, theirs = billed(Case(rate, 0), tmp_path / "rate.json", FLAT).energy, bill_of(rate, FLAT.tolist()).energy
    assert theirs == pytest.approx([100 * hours * 0.3 - 1000 * 0.2 for hours in HOURS_OF_MONTH])
    assert ours.tolist() == pytest.approx([100 * hours * 0.3 - 2000 * 0.2 for hours in HOURS_OF_MONTH])


def test_sam_refuses_limits_that_differ_within_a_month(tmp_path: Path) -> None:
    halves = [[0] * 12 + [1] * 12] * 12
    steps = [[{"rate": 0.1, "max": limit}, {"rate": 0.3}] for limit in (1000, 2000)]
    rate = {"energyratestructure": steps, "energyweekdayschedule": halves, "energyweekendschedule": halves}
    with pytest.raises(Exception, match="Tiers should have the same"):
        bill_of(rate, FLAT.tolist())
    assert billed(Case(rate, 0), tmp_path / "rate.json", FLAT).energy[0] == pytest.approx(7440 * 0.3 * 10 - 3000 * 0.2)


def test_sam_looks_one_month_further_into_the_year_before(tmp_path: Path) -> None:
    """Six months before January begin in July. SAM's begin in June, whose 1,000 kW it bills in January at 75 %."""
    rate = {
        "energyratestructure": [[{"rate": 0.1}]], "energyweekdayschedule": ALWAYS, "energyweekendschedule": ALWAYS,
        "flatdemandstructure": [[{"rate": 1}]], "flatdemandmonths": [0] * 12,
        "lookbackpercent": 0.75, "lookbackrange": 6, "lookbackmonths": [1] * 12,
    }  # fmt: skip
    earlier = (100.0,) * 5 + (1000.0,) + (100.0,) * 6
    ours = billed(Case(rate, 0, earlier), tmp_path / "rate.json", FLAT).demand
    assert ours.tolist() == pytest.approx([100.0] * 12)
    assert bill_of(rate, FLAT.tolist(), earlier).demand == pytest.approx([750.0] + [100.0] * 11)


def test_a_charge_a_day_is_a_twelfth_of_the_year_for_sam(tmp_path: Path) -> None:
    rate = {
        "energyratestructure": [[{"rate": 0.1}]], "energyweekdayschedule": ALWAYS, "energyweekendschedule": ALWAYS,
        "fixedchargefirstmeter": 12, "fixedchargeunits": "$/day",
    }  # fmt: skip
    ours = billed(Case(rate, 0), tmp_path / "rate.json", FLAT).fixed
    assert ours.tolist() == [hours / 2 for hours in HOURS_OF_MONTH]
    assert bill_of(rate, FLAT.tolist()).fixed == pytest.approx([365.0] * 12)
