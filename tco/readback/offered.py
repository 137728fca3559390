"""Unit prices on the sheet Quotes: inputs that stand in offers, and the cells of Inputs that follow them."""

from __future__ import annotations

from collections.abc import Iterator

from tco.declare import Given
from tco.readback.edited import Place
from tco.readback.issued import Issued
from tco.scenario.paths import Path
from tco.scenario.quotes import currency_of
from tco.workbook.places import QUOTES, InputPlace
from tco.workbook.quote_rows import UNIT_PRICE


def offer_prices(issued: Issued) -> Iterator[tuple[InputPlace, Path, str]]:
    """Every unit price as an input, with where it stands in the scenario and its currency."""
    rows = issued.plan.quotes
    for line in rows.lines if rows else ():
        offer = rows.quotes.quotes.offers[line.offer] if rows else None
        if offer is None:
            continue
        code = currency_of(offer)
        label = f"{line.item.item}, {offer.supplier} {offer.number}"
        name = f"offer_{line.offer + 1}_{line.place + 1}"
        place = InputPlace(name, line.fleet, Given(code, label), line.item.price.to(code), line.row)
        yield place, ("quotes", "offers", line.offer, "items", line.place, "price"), code


def price_cell(place: InputPlace) -> Place:
    """The cell of a unit price, with its row from 1."""
    return (QUOTES, place.row, UNIT_PRICE)


def follows_offers(issued: Issued, owner: str, name: str) -> bool:
    """Whether the cell of an input is a formula that reads Quotes."""
    return issued.plan.quotes is not None and bool(issued.plan.quotes.link(owner, name))
