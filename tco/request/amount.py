"""What is asked for, part by part, each tied to a line of the model or of an offer.

What the buyer commits to by signing: bought, the capital of the first order and what its offers bind for their term;
leased and reserved, the rents of the stated term and fixed fees, however long the horizon is. On demand and by API
nothing is committed: the amount is what the first year is expected to cost, and is called so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tco.report.facts import LABELS, Array, duration, one
from tco.result import CATEGORIES, FleetResult, Result
from tco.scenario.quotes import BY_TIME, KINDS, amount
from tco.wording import counted, plain

SMALLEST = 0.005
"""Less than a cent is not shown."""
MONTHS_A_YEAR = 12
RENTS = ("upfront_rent", "running_rent", "rented_storage_cost", "egress_cost", "lease_rent_in_advance",
         "lease_rent_in_arrears", "return_cost", "buyout_cost", "settlement_cost")  # fmt: skip
"""Lines of rent that run with a contract or its use; other rent that is paid at the start is a fee of the order."""

TIMED = {"support": "maintenance_cost", "licences": "software_cost"}
"""Categories of what offers bind for a time."""


@dataclass(frozen=True)
class Part:
    """A part of the amount: words, money, the line and the category of cost it comes from, and for when it is."""

    label: str
    value: float
    line: str
    when: str
    category: str


@dataclass(frozen=True)
class Amount:
    """The sum of its parts, and what stands beside it in the report's total cost.

    `bound` says whether signing commits it; `time` is the time of what is not. `later` is capital of orders after the
    first. `total` is the report's total cost, None where it has none; `beside` is the rest of it by category, below
    zero where the amount holds what the total does not: receipts, and what falls after the horizon.
    """

    parts: list[Part]
    period: str
    later: float
    bound: bool
    time: float
    total: float | None
    beside: dict[str, float]

    @property
    def value(self) -> float:
        """The sum, to the cent."""
        return round(sum((part.value for part in self.parts), 0.0), 2)

    @property
    def called(self) -> str:
        """Its name, wherever it stands."""
        if self.bound:
            return "Amount, committed by signing"
        months = f"first {counted(self.time * MONTHS_A_YEAR, 'month')}"
        return f"Expected spend of the {'first year' if self.time == 1 else months}, not committed"


def amount_of(result: Result, fleet: FleetResult) -> Amount:
    """What a fleet asks for."""
    made, months = _Order(result, fleet), result.timeline.months_per_period
    first, bound = made.first, _bound(fleet)
    periods = max(MONTHS_A_YEAR // months, 1)
    span = slice(first, first + periods)
    parts = [part for part in (made.committed() if bound else made.planned(span)) if abs(part.value) >= SMALLEST]
    capital = _series(fleet, "capital_cost")
    later = float(capital[first + 1 :].sum())
    total = None if fleet.unit_cost_only else one(fleet, "total_cost")
    time = len(result.timeline.labels[span]) * months / MONTHS_A_YEAR
    return Amount(
        parts, result.timeline.labels[first], later if abs(later) >= SMALLEST else 0.0, bound, time, total,
        {} if total is None else _beside(fleet, parts, total),
    )  # fmt: skip


def _bound(fleet: FleetResult) -> bool:
    """Rent is bound by the term of a reservation; on demand its length follows from the period, and nothing binds."""
    life = fleet.inputs.get("service_life")
    reserved = life is not None and life.origin != "derived"
    return fleet.payment in ("buy", "lease") or (fleet.payment == "rent" and reserved)


def _series(fleet: FleetResult, name: str) -> Array:
    """A line by period; nothing in one period where the fleet has no such line."""
    return np.atleast_1d(np.asarray(fleet.values.get(name, 0.0), dtype=float))


def _beside(fleet: FleetResult, parts: list[Part], total: float) -> dict[str, float]:
    """The report's total cost less the amount, category by category: together with the amount they are the total."""
    left = {name: float(_series(fleet, name).sum()) for name in CATEGORIES if name in fleet.model.lines}
    left["other_cost"] = total - sum(left.values())
    for part in parts:
        left[part.category] = left.get(part.category, 0.0) - part.value
    return {name: left[name] for name in LABELS if abs(left.get(name, 0.0)) >= SMALLEST}


@dataclass(frozen=True)
class _Order:
    """The first order of a fleet."""

    result: Result
    fleet: FleetResult

    @property
    def first(self) -> int:
        """The period in which the first systems come; for an API that of its first bill."""
        line = "api_cost" if self.fleet.payment == "api" else "purchases"
        placed = np.flatnonzero(_series(self.fleet, line))
        return int(placed[0]) if placed.size else 0

    def planned(self, span: slice) -> Iterator[Part]:
        """Every payment to the provider within a time."""
        for name in ("rent_cost", "api_cost"):
            yield from self._lines(name, name, span, "expected")

    def committed(self) -> Iterator[Part]:
        """Capital up to the first order, software bought with it, rents and fees, and what offers bind."""
        capital = self.fleet.model.lines.get("capital_cost")
        made = self._line if capital and capital.pinned else self._lines
        yield from made("capital_cost", "capital_cost", self._order, "first order")
        if self.fleet.payment != "rent":
            yield from self._line("bought_software_cost", "software_cost", self._order, "first order")
        yield from self._contracts()
        yield from self._by_quote()

    @property
    def _order(self) -> slice:
        return slice(0, self.first + 1)

    def _lines(self, whole: str, category: str, span: slice, when: str) -> Iterator[Part]:
        """The lines that add up to a subtotal."""
        lines = self.fleet.model.lines.values()
        for item in lines:
            if whole not in item.part_of:
                continue
            if not item.pinned and any(item.name in other.part_of for other in lines):
                yield from self._lines(item.name, category, span, when)
            else:
                yield from self._line(item.name, category, span, when)

    def _line(self, name: str, category: str, span: slice, when: str) -> Iterator[Part]:
        item = self.fleet.model.lines.get(name)
        if item is not None:
            yield Part(item.label, float(_series(self.fleet, name)[span].sum()), name, when, category)

    def _contracts(self) -> Iterator[Part]:
        """Rents of the contracts that begin with the first order, for their whole stated term, and their fixed fees."""
        term = self.fleet.inputs.get("contract_term") or self.fleet.inputs.get("service_life")
        lines = self.fleet.model.lines
        if "rent_cost" not in lines or term is None:
            return
        if any(name in lines and lines[name].pinned for name in (*RENTS, "rent_in_force", "rent_due")):
            yield from self._lines("rent_cost", "rent_cost", slice(None), "all periods, as pinned")
            return
        told = f"term of {duration(term.number)}"
        rent = float(_series(self.fleet, "rent_begun")[self.first]) * term.number * MONTHS_A_YEAR
        if self.fleet.payment == "lease":
            yield Part("Rent of the lease", rent, "rent_due", told, "rent_cost")
        else:
            upfront = self._given("upfront_share")
            yield Part("Rent paid upfront", rent * upfront, "upfront_rent", told, "rent_cost")
            yield Part("Rent paid as it runs", rent * (1 - upfront), "running_rent", told, "rent_cost")
        yield from self._fees()

    def _fees(self) -> Iterator[Part]:
        systems = float(_series(self.fleet, "purchases")[self.first])
        for item in self.fleet.model.lines.values():
            if {"rent_cost", "paid_at_start"} <= set(item.part_of) and item.name not in RENTS:
                yield from self._line(item.name, "rent_cost", self._order, "first order")
        for name, price in (("return_cost", "lease_return_price"), ("buyout_cost", "buyout_price")):
            if name in self.fleet.model.lines:
                label = self.fleet.model.lines[name].label
                yield Part(label, systems * self._given(price), name, "end of the lease", "rent_cost")

    def _by_quote(self) -> Iterator[Part]:
        """Support and licences of awarded offers for their whole term, as far as they are for the first order."""
        quotes = self.result.quotes
        if quotes is None or self.fleet.payment != "buy":
            return
        systems = float(_series(self.fleet, "purchases")[self.first])
        for price in quotes.prices.get(self.fleet.id, []):
            for part in price.parts:
                offer = quotes.quotes.offers[part.offer]
                item = offer.items[part.item]
                if item.carries in BY_TIME:
                    whole = amount(item, price.currency) * quotes.rates[price.currency] * part.share
                    term = f"{plain(item.term.number)} {item.term.unit}" if item.term else "no term"
                    told = f"quote {offer.number}, term of {term}"
                    value, category = whole * systems / price.systems, TIMED[item.carries]
                    yield Part(item.item, value, KINDS[item.carries].cost, told, category)

    def _given(self, name: str) -> float:
        figure = self.fleet.inputs.get(name)
        return figure.number if figure else 0.0
