"""A rate of OpenEI's utility rate database (URDB, form 7 or 8), read strictly: what cannot be billed is named.

The form is described at https://openei.org/services/doc/rest/util_rates/ (recalled).
"""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, cast

import numpy as np

from tco.errors import Problem, ScenarioError, did_you_mean
from tco.tariff.json_file import single, text_of
from tco.tariff.rates import Charge, Ratchet, Schedule, Step, Steps, Tariff

NO_LIMIT = 1e30
"""Tools write 1e38 where a step has no limit."""

TOLD = (
    "label", "uri", "utility", "eiaid", "name", "sector", "servicetype", "country", "approved", "is_default",
    "description", "source", "sourceparent", "basicinformationcomments", "energycomments", "demandcomments",
    "phasewiring", "voltagecategory", "voltageminimum", "voltagemaximum", "revisions", "supersedes",
    "usenetmetering", "dgrules", "demandwindow",
)  # fmt: skip
"""Keys that say whose rate it is; those of generation (`dgrules`, and `sell` of a step) do not concern a load."""

PRICED = (
    "energyratestructure", "energyweekdayschedule", "energyweekendschedule", "demandratestructure", "demandrateunit",
    "demandweekdayschedule", "demandweekendschedule", "flatdemandstructure", "flatdemandmonths", "flatdemandunit",
    "demandunits", "fixedchargefirstmeter", "fixedchargeunits", "mincharge", "minchargeunits", "startdate", "enddate",
    "peakkwcapacitymin", "peakkwcapacitymax", "lookbackpercent", "lookbackmonths", "lookbackrange",
)  # fmt: skip

NAMED = {
    "demandreactivepowercharge": "a charge for reactive power",
    "coincidentratestructure": "a charge on the power at the supplier's own peak",
    "coincidentrateschedule": "the hours of the supplier's own peak",
    "coincidentrateunit": "the unit of a charge at the supplier's own peak",
    "demandratchetpercentage": "a ratchet by month",
    "fueladjustmentsmonthly": "a fuel adjustment by month",
    "fixedchargeeaaddl": "a charge for each further meter",
}

ENERGY_UNITS = {
    "kwh": (False, False),
    "kwh daily": (False, True),
    "kwh/kw": (True, False),
    "kwh/kw daily": (True, True),
}


def read_urdb(path: Path, leave_out: Collection[str] = ()) -> Tariff:
    """The one rate of the file. Raises ScenarioError with every problem; keys in `leave_out` do not count."""
    text = text_of(path)
    return _Rate(str(path), text, single(str(path), text), leave_out).tariff()


class _Rate:
    """One rate while it is read; `problems` collects what is wrong."""

    def __init__(self, file: str, text: str, data: dict[str, Any], leave_out: Collection[str]) -> None:
        self.file, self.text, self.leave_out = file, text, set(leave_out)
        self.problems: list[Problem] = []
        self.data: dict[str, Any] = {}
        for key, value in data.items():
            if key.startswith("_") or value in (None, "", [], {}):
                continue
            self.data[key.lower()] = value
        self._check_keys({key.lower(): key for key in data})

    def problem(self, path: str, text: str) -> None:
        """Note a problem at a path like `energyratestructure[1][0].unit`."""
        key = re.split(r"[.\[]", path)[0]
        found = re.search(rf'"{re.escape(key)}"\s*:', self.text, re.IGNORECASE)
        before = self.text[: found.start()] if found else ""
        line, column = (before.count("\n") + 1, found.start() - before.rfind("\n")) if found else (0, 0)
        self.problems.append(Problem(text, path, self.file, line, column))

    def _check_keys(self, written: dict[str, str]) -> None:
        for key, value in list(self.data.items()):
            if key in TOLD or key in PRICED:
                continue
            nothing = value == 0 or (isinstance(value, list) and not any(cast("list[Any]", value)))
            if written[key] in self.leave_out or nothing:
                del self.data[key]
                continue
            what = f"is {NAMED[key]}, which is not billed here" if key in NAMED else "is a key that is not known here"
            self.problem(written[key], f"{what}; state `leave_out: [{written[key]}]` beside `file` to go on without it")
        for key in sorted(self.leave_out - set(written.values())):
            told = f"`{key}` is to be left out and is not in the file{did_you_mean(key, written.values())}"
            self.problems.append(Problem(told, file=self.file))
        for key in sorted(key for key in self.leave_out if key.lower() in PRICED):
            self.problem(key, "counts in the bill; it cannot be left out")

    # --- the whole ---

    def tariff(self) -> Tariff:
        """The tariff. Raises ScenarioError with every problem."""
        energy = tuple(self._energy())
        flat, used = self._flat_demand(), self._demand_by_time()
        effective, expires = self._day("startdate"), self._day("enddate")
        monthly, daily = self._fixed()
        least, least_yearly = self._minimum()
        ratchet = self._ratchet()
        powers = self._number("peakkwcapacitymin", 0.0), self._number("peakkwcapacitymax", math.inf)
        if self.problems:
            raise ScenarioError(self.problems)
        name = ", ".join(str(self.data[key]) for key in ("utility", "name") if key in self.data)
        source = " ".join(str(self.data[key]) for key in ("uri",) if key in self.data)
        return Tariff(
            name or Path(self.file).name, "USD", energy, (*flat, *used), len(flat), ratchet, 0.0, (), monthly, daily,
            least, least_yearly, effective, expires, source or Path(self.file).name, *powers,
        )  # fmt: skip

    # --- prices ---

    def _energy(self) -> Iterator[Charge]:
        periods = self._periods("energyratestructure", self._energy_step)
        if not periods:
            if not self.problems:
                self.problem("energyratestructure", "is missing: what energy costs is not known")
            return
        schedule = self._schedule("energyweekdayschedule", "energyweekendschedule", len(periods))
        if schedule is not None:
            yield Charge(periods, schedule)

    def _flat_demand(self) -> tuple[Charge, ...]:
        """Prices of the month's highest power, whatever the hour."""
        periods = self._periods("flatdemandstructure", self._power_step)
        if not periods:
            return ()
        months = self.data.get("flatdemandmonths")
        row = self._row("flatdemandmonths", months, 12, len(periods))
        if row is None:
            return ()
        return (Charge(periods, np.broadcast_to(np.array(row)[None, :, None], (2, 12, 24)).copy()),)

    def _demand_by_time(self) -> tuple[Charge, ...]:
        periods = self._periods("demandratestructure", self._power_step)
        if not periods:
            return ()
        schedule = self._schedule("demandweekdayschedule", "demandweekendschedule", len(periods))
        return () if schedule is None else (Charge(periods, schedule),)

    def _periods(self, key: str, step: Any) -> tuple[Steps, ...]:
        rows = self.data.get(key)
        if rows is None:
            return ()
        if not isinstance(rows, list):
            self.problem(key, "is no list of periods")
            return ()
        found = list[Steps]()
        for number, row in enumerate(cast("list[Any]", rows)):
            place = f"{key}[{number}]"
            if not isinstance(row, list) or not row:
                self.problem(place, 'is no list of steps; wanted such as `[{"rate": 0.12}]`')
                continue
            steps = [step(f"{place}[{index}]", item) for index, item in enumerate(cast("list[Any]", row))]
            if None not in steps:
                found.append(self._ascending(place, tuple(steps)))
        return tuple(found)

    def _ascending(self, place: str, steps: Steps) -> Steps:
        limits = [one.up_to for one in steps]
        if limits != sorted(limits) or len({(one.per_kw, one.daily) for one in steps}) > 1:
            self.problem(
                place, "has steps that do not rise, or limits of different units; wanted ascending `max` of one unit"
            )
        elif not math.isinf(limits[-1]):
            self.problem(
                place, f"ends at {limits[-1]:g}: what lies above has no price; leave out `max` of its last step"
            )
        return steps

    def _energy_step(self, place: str, item: Any) -> Step | None:
        step = self._step(place, item, ("max", "rate", "adj", "unit", "sell"))
        if step is None:
            return None
        word = str(item.get("unit", "kWh"))
        kind = ENERGY_UNITS.get(word.lower())
        if kind is None:
            self.problem(f"{place}.unit", f"is `{word}`; wanted kWh, kWh daily, kWh/kW or kWh/kW daily")
            return None
        return Step(step.price, step.up_to, *kind)

    def _power_step(self, place: str, item: Any) -> Step | None:
        step = self._step(place, item, ("max", "rate", "adj", "unit"))
        if step is not None and str(item.get("unit", "kW")).lower() != "kw":
            self.problem(f"{place}.unit", f"is `{item['unit']}`; only kW is billed here")
            return None
        return step

    def _step(self, place: str, item: Any, known: tuple[str, ...]) -> Step | None:
        if not isinstance(item, dict):
            self.problem(place, 'is no step; wanted such as `{"rate": 0.12}`')
            return None
        step = cast("dict[str, Any]", item)
        for key in sorted(set(step) - set(known)):
            self.problem(f"{place}.{key}", f"is a key that is not known here; wanted {', '.join(known)}")
        numbers: dict[str, Any] = {key: step[key] for key in ("rate", "adj", "max") if step.get(key) is not None}
        for key, value in numbers.items():
            if not _is_number(value):
                self.problem(f"{place}.{key}", f"is {value!r}; wanted a number")
                return None
        if "rate" not in numbers and "adj" not in numbers:
            self.problem(place, "has no `rate`: a missing price is not zero")
            return None
        limit = float(numbers.get("max", math.inf))
        price = float(numbers.get("rate", 0)) + float(numbers.get("adj", 0))
        return Step(price, math.inf if limit >= NO_LIMIT else limit)

    # --- schedules ---

    def _schedule(self, workday: str, weekend: str, count: int) -> Schedule | None:
        rows: list[Any] = [self._months(key, count) for key in (workday, weekend)]
        return None if None in rows else np.array(rows, dtype=np.int64)

    def _months(self, key: str, count: int) -> list[list[int]] | None:
        rows = self.data.get(key)
        if not isinstance(rows, list) or len(cast("list[Any]", rows)) != 12:
            self.problem(key, "is missing, or has not 12 months; wanted 12 lists of 24 hours")
            return None
        found = [self._row(f"{key}[{month}]", row, 24, count) for month, row in enumerate(cast("list[Any]", rows))]
        return None if None in found else cast("list[list[int]]", found)

    def _row(self, place: str, row: Any, length: int, count: int) -> list[int] | None:
        items = cast("list[Any]", row) if isinstance(row, list) else []
        good = len(items) == length and all(_is_number(one) and one == int(one) and 0 <= one < count for one in items)
        if not good:
            self.problem(place, f"is missing, or not {length} numbers of periods from 0 to {count - 1}")
            return None
        return [int(one) for one in items]

    # --- fixed, minimum, ratchet, dates ---

    def _fixed(self) -> tuple[float, float]:
        amount = self._number("fixedchargefirstmeter", 0.0)
        word = self._word("fixedchargeunits", "$/month", ("$/month", "$/day", "$/year"))
        return {"$/month": (amount, 0.0), "$/day": (0.0, amount), "$/year": (amount / 12, 0.0)}.get(word, (0.0, 0.0))

    def _minimum(self) -> tuple[float, float]:
        amount = self._number("mincharge", 0.0)
        word = self._word("minchargeunits", "$/month", ("$/month", "$/year"))
        return (0.0, amount) if word == "$/year" else (amount, 0.0)

    def _ratchet(self) -> Ratchet | None:
        """A share (0.75, or 75 for per cent) of the highest peak of the months before, of those that count."""
        for key in ("demandunits", "flatdemandunit", "demandrateunit"):
            self._word(key, "kW", ("kW",))
        share = self._number("lookbackpercent", 0.0)
        share = share / 100 if share > 1 else share
        if not share:
            return None
        months = int(self._number("lookbackrange", 0.0)) or 12
        flags = self.data.get("lookbackmonths")
        counted = self._row("lookbackmonths", flags, 12, 2) if flags is not None else [1] * 12
        return Ratchet(share, months, tuple(bool(flag) for flag in counted or [1] * 12))

    def _number(self, key: str, missing: float) -> float:
        value = self.data.get(key)
        if value is None:
            return missing
        if not _is_number(value) or value < 0:
            self.problem(key, f"is {value!r}; wanted a number from 0")
            return missing
        return float(value)

    def _word(self, key: str, missing: str, known: tuple[str, ...]) -> str:
        word = str(self.data.get(key, missing))
        for one in known:
            if word.lower() == one.lower():
                return one
        self.problem(key, f"is `{word}`; only {' or '.join(known)} is billed here")
        return ""

    def _day(self, key: str) -> str:
        """Dates are seconds since 1970."""
        value = self.data.get(key)
        if value is None:
            return ""
        if not _is_number(value) or not 0 <= value < 1e11:
            self.problem(key, f"is {value!r}; wanted seconds since 1970")
            return ""
        return datetime.datetime.fromtimestamp(float(value), datetime.UTC).date().isoformat()


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
