"""Rates of currencies that are stated in another foreign currency: chained into the scenario's."""

from __future__ import annotations

from collections.abc import Mapping

from tco.figures import Figure
from tco.units import CURRENCIES, unit, unit_text

Rates = Mapping[str, Figure]


def priced_in(code: str, rate: Figure) -> str:
    """The currency in which a rate states the price of one `code`; empty where it states something else.

    Only that way round: FX desks write EUR/USD for what a unit calls USD/EUR, so that an inverse may be a slip.
    """
    over, _, under = unit_text(unit(rate.unit)).partition("/")
    return over if under == code and over in CURRENCIES and over != code else ""


def direct_rates(rates: Rates, currency: str) -> dict[str, Figure]:
    """Each rate in the scenario's currency; those that do not lead there are left out."""
    found = {code: _direct(code, rates, currency) for code in rates}
    return {code: rate for code, rate in found.items() if rate is not None}


def _direct(code: str, rates: Rates, currency: str) -> Figure | None:
    rate, passed = rates[code], {code}
    while (through := priced_in(code, rate)) != currency:
        if through in passed or through not in rates:
            return None
        crossed = _times(rate, rates[through], f"{priced_in(through, rates[through])}/{code}")
        if crossed is None:
            return None
        rate, passed = crossed, passed | {through}
    return rate


def _times(rate: Figure, through: Figure, made: str) -> Figure | None:
    """The price in the currency of the second; two tables of moments have no product of their own."""
    if rate.is_one and through.is_one:
        value = rate.number * through.number
    elif rate.is_table or through.is_table:
        return None
    else:
        count = max(len(rate.series), len(through.series))
        first, second = (one.series or (one.number,) * count for one in (rate, through))
        value = tuple(a * b for a, b in zip(first, second, strict=True))
    told = " times ".join(f"{_number(one)} ({one.source})" if one.source else _number(one) for one in (rate, through))
    days = [one.as_of for one in (rate, through) if one.as_of]
    return Figure(value, made, as_of=min(days, default=""), source=told, status="derived", origin="derived")


def _number(rate: Figure) -> str:
    return f"{rate.number:g} {rate.unit}" if rate.is_one else rate.unit
