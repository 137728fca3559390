"""Offers, awards and bills of materials as plain Python, for the JSON of a run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tco.scenario.quotes import Procurement, amount, award_words, currency_of, items_of, offers_for, systems_of, taken
from tco.scenario.quotes import total as total_of


def plain(quotes: Procurement) -> dict[str, Any]:
    """Each offer once a fleet that it is for, with its lines; and the awards in words."""
    return {
        "offers": list(_offers(quotes)),
        "awards": {fleet: award_words(quotes, fleet) for fleet in quotes.fleets()},
    }


def _offers(quotes: Procurement) -> Iterator[dict[str, Any]]:
    for fleet in quotes.fleets():
        held = taken(quotes.quotes, fleet)
        for index, offer in offers_for(quotes.quotes, fleet).items():
            code, total = currency_of(offer), total_of(offer, fleet)
            yield {
                "fleet": fleet,
                "supplier": offer.supplier,
                "number": offer.number,
                "date": offer.date,
                "valid_until": offer.valid_until or None,
                "currency": code,
                "systems": systems_of(offer, fleet),
                "awarded": held.get(index, 0.0),
                "total": total,
                "total_converted": total * quotes.rates[code],
                "items": [
                    {
                        "item": item.item,
                        "part": item.part or None,
                        "carries": item.carries,
                        "quantity": item.quantity.number,
                        "price": item.price.to(code).number,
                        "amount": amount(item, code),
                    }
                    for _, item in items_of(offer, fleet)
                ],
            }
