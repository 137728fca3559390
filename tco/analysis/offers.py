"""What a reader must know of awarded offers: whether they hold, and whether they are for what the model buys."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tco.catalogue.dates import first_day
from tco.result import Alert, FleetResult, Result
from tco.scenario.quote_schema import Offer
from tco.scenario.quotes import Price, Procurement, taken
from tco.scenario.schema import Scenario
from tco.wording import counted, plain


@dataclass(frozen=True)
class Bought:
    """Systems that a fleet buys: with its first order, and over the horizon."""

    first: float
    all: float


def bought(fleet: FleetResult, line: str = "purchases") -> Bought:
    """The first order is that of the first period in which systems stand."""
    found = np.atleast_1d(np.asarray(fleet.values.get(line, 0.0), dtype=float))
    placed = found[found > 0]
    return Bought(float(placed[0]) if placed.size else 0.0, float(found.sum()))


def expected(systems: float, order: Bought) -> float:
    """The number nearest to the offered one that ties: from the first order to all that is bought."""
    return min(max(systems, order.first), order.all)


def quoted_inputs(quotes: Procurement | None, fleet: str) -> set[str]:
    """Inputs of a fleet that hold prices of offers; their alerts are those of the offers."""
    return {quotes.input_of(price) for price in quotes.prices.get(fleet, [])} if quotes else set()


def days_left(offer: Offer, as_of: str) -> int | None:
    """Days until an offer ends, below zero when it has; None when it states no end."""
    end, today = first_day(offer.valid_until or ""), first_day(as_of)
    return (end - today).days if end and today else None


def of_offers(result: Result, fleet: FleetResult, scenario: Scenario) -> Iterator[Alert]:
    """Alerts about the awarded offers of a fleet."""
    if result.quotes is None:
        return
    for index in taken(result.quotes.quotes, fleet.id):
        yield from _of_offer(fleet, result.quotes.quotes.offers[index], scenario)
    for systems, prices in _by_systems(result.quotes.prices.get(fleet.id, [])):
        yield from _quantity(fleet, systems, prices)


def _of_offer(fleet: FleetResult, offer: Offer, scenario: Scenario) -> Iterator[Alert]:
    named, left = f"quote {offer.number} of {offer.supplier}", days_left(offer, scenario.as_of)
    start, today = first_day(scenario.timeline.start), first_day(scenario.as_of)
    ends = first_day(offer.valid_until or "")
    days = round(offer.lead_time.to("day").number) if offer.lead_time else 0
    order = start - datetime.timedelta(days=days) if start else None
    if left is not None and left < 0:
        told = f"{named} was valid until {offer.valid_until}, {counted(-left, 'day')} before {scenario.as_of}"
        yield Alert("quote-expired", fleet.id, told)
    elif ends and order and ends < order:
        told = f"{named} is valid until {offer.valid_until}; for {scenario.timeline.start} it is ordered by {order}"
        yield Alert("quote-ends-early", fleet.id, told)
    if days and today and start:
        comes = today + datetime.timedelta(days=days)
        planned = fleet.inputs.get("lead_time")
        if comes > start and planned is None:
            told = f"{named}: ordered on {scenario.as_of}, systems come on {comes}, after the start in"
            yield Alert("quote-terms", fleet.id, f"{told} {scenario.timeline.start}; state `lead_time`, or start later")
    counts = fleet.inputs.get("warranty")
    if offer.warranty and counts and counts.number != offer.warranty.to("yr").number:
        told = f"{named} offers a warranty of {plain(offer.warranty.to('yr').number)} yr"
        yield Alert("quote-terms", fleet.id, f"{told}, the model counts {plain(counts.number)} yr; state `warranty`")


def _by_systems(prices: list[Price]) -> list[tuple[float, list[Price]]]:
    """Prices paid once, together with those that are for as many systems."""
    once = [price for price in prices if price.kind.drivers]
    return [(number, [one for one in once if one.systems == number]) for number in {one.systems: 0 for one in once}]


def _quantity(fleet: FleetResult, systems: float, prices: list[Price]) -> Iterator[Alert]:
    order = bought(fleet)
    ties = expected(systems, order)
    if ties == systems or not order.all:
        return
    few = "too few" if systems < ties else "too many"
    whole = f", {plain(order.all)} over the horizon" if order.all != order.first else ""
    what = ", ".join(dict.fromkeys(_words(price) for price in prices))
    told = f"{few}: quoted for {counted(systems, 'system')} ({what}), the model buys {plain(order.first)} first{whole}"
    yield Alert("quote-quantity", fleet.id, f"{told}; each is counted at the quoted price")


def _words(price: Price) -> str:
    return price.kind.cost.removeprefix("quoted_").removesuffix("_cost").replace("_", " ")
