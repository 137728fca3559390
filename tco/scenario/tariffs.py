"""A tariff that is written out, as numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from tco.errors import UnitError, did_you_mean
from tco.figures import Figure
from tco.scenario.paths import Path
from tco.scenario.tariff_schema import DemandPrice, EnergyPrice, Tariff, TariffPeriod
from tco.scenario.tariff_schema import Ratchet as WrittenRatchet
from tco.tariff import rates
from tco.tariff.rates import ALWAYS, Band, Charge, Ratchet, Schedule, Step, Steps
from tco.units import convert, currencies_in, in_money

Say = Callable[[Path, str], None]
"""Notes a problem at a path below the tariff."""

_SPAN = re.compile(r"(\d{1,2})(?:\s*-\s*(\d{1,2}))?")


def written(stated: Tariff, say: Say, currency: str, name: str) -> rates.Tariff:
    """The tariff in its own currency; what is wrong is said, and the rest read on."""
    return _Written(stated, say, currency).tariff(name)


def ratchet_of(stated: WrittenRatchet | None, say: Say) -> Ratchet | None:
    """Share and window of a ratchet, and the months of the year that it looks at."""
    if stated is None:
        return None
    months = set(range(1, 13))
    if stated.counted:
        months = _spans(stated.counted, 1, 12, lambda text: say(("ratchet", "counted"), text))
    counted = tuple(month in months for month in range(1, 13))
    return Ratchet(stated.share.to("").number, round(stated.months.number), counted)


class _Written:
    def __init__(self, stated: Tariff, say: Say, currency: str) -> None:
        self.stated, self.say = stated, say
        self.names = [period.name for period in stated.periods]
        self.currency = self._currency(currency)
        self.schedule = self._schedule()

    def tariff(self, name: str) -> rates.Tariff:
        stated = self.stated
        flat, timed, yearly = self._demand()
        energy = self._energy()
        if not energy and not any(band.energy for band in stated.bands):
            self.say((), "has no price of energy; state `energy: [{price: 0.12 USD/kWh}]`")
        if yearly and stated.bands:
            self.say(("bands",), "and a demand price with `peak: year` say the same; keep one")
        return rates.Tariff(
            stated.name or name, self.currency, energy, (*flat, *timed), len(flat),
            ratchet_of(stated.ratchet, self.say),
            stated.contracted_power.to("kW").number if stated.contracted_power else 0.0,
            yearly or tuple(self._bands()), self._money(stated.fixed, "money/month"), 0.0,
            self._money(stated.minimum, "money/month"), 0.0, stated.effective or "", stated.expires or "",
            stated.source or "",
        )  # fmt: skip

    def _currency(self, fallback: str) -> str:
        """The one currency of all its prices."""
        found: dict[str, Path] = {}
        for path, figure in self._prices():
            for code in currencies_in(figure.unit):
                found.setdefault(code, path)
        for code in list(found)[1:]:
            self.say(found[code], f"is in {code}, a price before it in {next(iter(found))}; a tariff has one currency")
        return next(iter(found), fallback)

    def _prices(self) -> Iterator[tuple[Path, Figure]]:
        stated = self.stated
        for key in ("energy", "demand"):
            yield from (((key, index, "price"), item.price) for index, item in enumerate(getattr(stated, key)))
        for index, band in enumerate(stated.bands):
            for key in ("energy", "demand"):
                if getattr(band, key):
                    yield ("bands", index, key), getattr(band, key)
        for key in ("fixed", "minimum"):
            if getattr(stated, key):
                yield (key,), getattr(stated, key)

    def _money(self, figure: Figure | None, unit: str) -> float:
        return replace(figure, unit=in_money(figure.unit)).to(unit).number if figure else 0.0

    # --- hours ---

    def _schedule(self) -> Schedule:
        """The first period that fits takes an hour; -1 where none does."""
        schedule = np.full((2, 12, 24), -1, dtype=np.int64)
        for index, period in enumerate(self.stated.periods):
            if self.names.index(period.name) != index:
                self.say(("periods", index, "name"), f"`{period.name}` is there already; choose another")
            months, hours = self._conditions(index, period)
            for kind in (0, 1):
                if period.days in (None, ("weekday", "weekend")[kind]):
                    part = schedule[kind][np.ix_(months, hours)]
                    schedule[kind][np.ix_(months, hours)] = np.where(part < 0, index, part)
        return schedule

    def _conditions(self, index: int, period: TariffPeriod) -> tuple[list[int], list[int]]:
        def say(key: str) -> Callable[[str], None]:
            return lambda text: self.say(("periods", index, key), text)

        months = _spans(period.months, 1, 12, say("months")) if period.months else set(range(1, 13))
        hours = _spans(period.hours, 0, 24, say("hours")) if period.hours else set(range(24))
        return [month - 1 for month in sorted(months)], sorted(hours)

    # --- prices ---

    def _energy(self) -> tuple[Charge, ...]:
        """What holds at all hours, then what holds in periods; every hour has a price."""
        always = self._grouped("energy", self.stated.energy, self._energy_step)
        plain, timed = always.pop("", ()), self._timed(always)
        if timed and not plain:
            self._check_covered(timed[0])
        return (*((Charge((plain,), ALWAYS),) if plain else ()), *timed)

    def _check_covered(self, charge: Charge) -> None:
        used = {int(one) for one in np.unique(self.schedule)}
        if -1 in used:
            self.say(("periods",), "leave hours without a period; add one without conditions at the end")
        for index in sorted(used - {-1}):
            if not charge.periods[index]:
                self.say(("energy",), f"there is no price during `{self.names[index]}`: a missing price is not zero")

    def _demand(self) -> tuple[tuple[Charge, ...], tuple[Charge, ...], tuple[Band, ...]]:
        """On the month's peak, on the peaks of periods, on the year's peak."""
        yearly = [(index, one) for index, one in enumerate(self.stated.demand) if one.peak == "year"]
        for index, one in yearly:
            if one.during or one.up_to or len(yearly) > 1:
                self.say(("demand", index), "a price of the year's peak stands alone, without `during` and `up_to`")
        monthly = [one for one in self.stated.demand if one.peak == "month"]
        groups = self._grouped("demand", monthly, self._power_step)
        plain = groups.pop("", ())
        bands = tuple(Band(math.inf, 0.0, 12 * self._money(one.price, "money/kW/month")) for _, one in yearly[:1])
        return ((Charge((plain,), ALWAYS),) if plain else ()), self._timed(groups), bands

    def _timed(self, groups: dict[str, Steps]) -> tuple[Charge, ...]:
        return (Charge(tuple(groups.get(name, ()) for name in self.names), self.schedule),) if groups else ()

    def _grouped(self, key: str, items: Any, step: Callable[[Path, Any], Step]) -> dict[str, Steps]:
        """Steps by period, in the order in which they are written."""
        groups: dict[str, list[Step]] = {}
        for item in items:
            place: Path = (key, next(i for i, one in enumerate(getattr(self.stated, key)) if one is item))
            if item.during and item.during not in self.names:
                hint = did_you_mean(item.during, self.names) or f"; there are {', '.join(self.names) or 'none'}"
                self.say((*place, "during"), f"`{item.during}` is none of the `periods`{hint}")
                continue
            steps = groups.setdefault(item.during or "", [])
            steps.append(step(place, item))
            self._check_step(place, steps)
        for name, steps in groups.items():
            if not math.isinf(steps[-1].up_to):
                told = f"what lies above the last `up_to`{f' during `{name}`' if name else ''} has no price; add it"
                self.say((key,), told)
        return {name: tuple(steps) for name, steps in groups.items()}

    def _check_step(self, place: Path, steps: list[Step]) -> None:
        if len(steps) < 2:
            return
        before, last = steps[-2:]
        alike = math.isinf(last.up_to) or (before.per_kw, before.daily) == (last.per_kw, last.daily)
        if before.up_to >= last.up_to or not alike:
            self.say(place, "does not lie above the price before it: `up_to` of one unit rises, the last has none")

    def _energy_step(self, place: Path, item: EnergyPrice) -> Step:
        price = self._money(item.price, "money/kWh")
        if item.up_to is None:
            return Step(price)
        unit = item.up_to.unit
        for target, per_kw, daily in (("kWh", False, False), ("h", True, False), ("kWh/day", False, True)):
            try:
                limit = item.up_to.to(target).number
            except UnitError:
                continue
            if limit > 0 and daily == ("day" in unit):
                return Step(price, limit, per_kw, daily)
        self.say((*place, "up_to"), f"is in {unit or 'a plain number'}; wanted above 0 in kWh, kWh/kW or kWh/day")
        return Step(price)

    def _power_step(self, place: Path, item: DemandPrice) -> Step:
        limit = item.up_to.to("kW").number if item.up_to else math.inf
        return Step(self._money(item.price, "money/kW/month"), limit)

    def _bands(self) -> Iterator[Band]:
        limits = [
            convert(band.below.number, band.below.unit, "h") if band.below else math.inf for band in self.stated.bands
        ]
        if limits and (limits != sorted(set(limits)) or not math.isinf(limits[-1])):
            self.say(("bands",), "`below` must rise, and the last band has none: it holds all above")
            return
        for limit, band in zip(limits, self.stated.bands, strict=True):
            yield Band(limit, self._money(band.energy, "money/kWh"), self._money(band.demand, "money/kW/yr"))


def _spans(text: str, low: int, high: int, say: Callable[[str], None]) -> set[int]:
    """`6-9` and `11-2` of months; `16-21` and `22-6` of hours, from the first until the last."""
    found, until = set[int](), high == 24
    for part in text.split(","):
        match = _SPAN.fullmatch(part.strip())
        first = int(match[1]) if match else -1
        last = int(match[2]) if match and match[2] else first + until
        if not match or not low <= first <= high - until or not low <= last <= high:
            wanted = "hours such as `16-21` or `22-6`" if until else "months such as `6-9` or `11-2`"
            say(f"read `{part.strip()}`; wanted {wanted}")
            return set(range(low, high + 1 - until))
        count = high - until - low + 1
        length = (last - first) % count + (not until)
        found |= {low + (first - low + step) % count for step in range(length or count)}
    return found
