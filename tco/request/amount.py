"""What is asked to be committed, part by part, each tied to a line of the model or of an offer.

Bought: the capital of the first order, with freight, duty and sales tax as far as the scenario states them, and what
awarded offers bind beyond it (support, licences, for their whole term). Leased and rented: all rent of the horizon,
with what settles contracts that outlast it. API: the bills of the horizon.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tco.report.facts import Array, series
from tco.result import FleetResult, Result
from tco.scenario.quotes import BY_TIME, KINDS, amount, currency_of, items_of, systems_of, taken
from tco.wording import plain

SMALLEST = 0.005
"""Less than a cent is not shown."""


@dataclass(frozen=True)
class Part:
    """A part of the amount: words, money, and where it comes from."""

    label: str
    value: float
    line: str
    when: str


@dataclass(frozen=True)
class Amount:
    """The sum of its parts; `later` is capital of orders after the first, which is not asked for here.

    `bound` says whether it is committed by contract: on demand and by API it is planned and may stop at any time.
    """

    parts: list[Part]
    period: str
    later: float
    bound: bool

    @property
    def value(self) -> float:
        """The sum, to the cent."""
        return round(sum(part.value for part in self.parts), 2)

    @property
    def exact(self) -> bool:
        """Whether the parts as shown, in cents, add up to the sum as shown."""
        return abs(sum(round(part.value, 2) for part in self.parts) - self.value) < SMALLEST


def amount_of(result: Result, fleet: FleetResult) -> Amount:
    """What a fleet asks for."""
    capital = series(fleet, "capital_cost")
    first = _first(capital)
    parts = [
        *(_parts(fleet, "capital_cost", first) if capital is not None else ()),
        *_parts(fleet, "rent_cost", None),
        *_parts(fleet, "api_cost", None),
        *_by_contract(result, fleet),
    ]
    later = float(capital.sum() - capital[first]) if capital is not None else 0.0
    return Amount(parts, result.timeline.labels[first], later if abs(later) >= SMALLEST else 0.0, _bound(fleet))


def _first(capital: Array | None) -> int:
    """The period of the first order."""
    placed = np.flatnonzero(capital) if capital is not None else np.array([], dtype=int)
    return int(placed[0]) if placed.size else 0


def _parts(fleet: FleetResult, whole: str, period: int | None) -> Iterator[Part]:
    """The lines that add up to a subtotal, in one period or in all."""
    for item in fleet.model.lines.values():
        if whole not in item.part_of:
            continue
        if any(item.name in other.part_of for other in fleet.model.lines.values()):
            yield from _parts(fleet, item.name, period)
            continue
        values = np.atleast_1d(np.asarray(fleet.values[item.name], dtype=float))
        value = float(values.sum() if period is None else values[min(period, values.size - 1)])
        if abs(value) >= SMALLEST:
            when = "all periods" if period is None else "first order"
            yield Part(item.label, value, item.name, when)


def _by_contract(result: Result, fleet: FleetResult) -> Iterator[Part]:
    """What awarded offers hold beyond capital: it is ordered with them, whenever it is paid."""
    quotes = result.quotes
    if quotes is None or fleet.payment != "buy":
        return
    for index, number in taken(quotes.quotes, fleet.id).items():
        offer = quotes.quotes.offers[index]
        share = number / systems_of(offer, fleet.id)
        for _, item in items_of(offer, fleet.id):
            if item.carries in BY_TIME or KINDS[item.carries].input == "bought_software_price":
                value = amount(item, currency_of(offer)) * share * quotes.rates[currency_of(offer)]
                term = f"{plain(item.term.number)} {item.term.unit}" if item.term else "once"
                yield Part(item.item, value, KINDS[item.carries].cost, f"quote {offer.number}, {term}")


def _bound(fleet: FleetResult) -> bool:
    """Rent is bound by the term of a reservation; on demand its length follows from the period, and nothing binds."""
    life = fleet.inputs.get("service_life")
    reserved = life is not None and life.origin != "derived"
    return fleet.payment in ("buy", "lease") or (fleet.payment == "rent" and reserved)
