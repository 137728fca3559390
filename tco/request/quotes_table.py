"""The quotes as a CSV: a row a line of an offer, with what makes offers comparable."""

from __future__ import annotations

import csv
import io

from tco.analysis.offers import days_left
from tco.request.asked import Asked
from tco.scenario.quote_schema import Offer, QuotedItem
from tco.scenario.quotes import amount, currency_of, systems_of, taken
from tco.wording import clean

COLUMNS = (
    "fleet", "supplier", "quote", "date", "valid_until", "days_left", "lead_time", "warranty", "incoterm", "terms",
    "item", "part", "carries", "term", "quantity", "unit_price", "amount", "currency", "rate", "amount_converted",
    "awarded_share", "note",
)  # fmt: skip
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A text that begins so would be computed by a spreadsheet: an apostrophe before it keeps it text."""


def quotes_csv(asked: Asked) -> str:
    """All offers of the scenario, awarded or not; empty where it has none."""
    quotes = asked.result.quotes
    if quotes is None:
        return ""
    held = io.StringIO(newline="")
    writer = csv.writer(held, lineterminator="\n")
    writer.writerow(COLUMNS)
    for index, offer in enumerate(quotes.quotes.offers):
        for item in offer.items:
            fleet = item.fleet or offer.fleet or ""
            given = taken(quotes.quotes, fleet).get(index, 0.0)
            share = given / systems_of(offer, fleet) if given and item.carries != "nothing" else 0.0
            rate = quotes.rates[currency_of(offer)]
            writer.writerow([*_offer(asked, offer, fleet), *_item(offer, item, rate), repr(share), _text(item.note)])
    return held.getvalue()


def _offer(asked: Asked, offer: Offer, fleet: str) -> list[str]:
    left = days_left(offer, asked.scenario.as_of)
    times = [f"{one.number:g} {one.unit}" if one else "" for one in (offer.lead_time, offer.warranty)]
    return [
        fleet, _text(offer.supplier), _text(offer.number), offer.date, offer.valid_until or "",
        "" if left is None else str(left), *times, _text(offer.incoterm), _text(offer.terms),
    ]  # fmt: skip


def _item(offer: Offer, item: QuotedItem, rate: float) -> list[str]:
    code = currency_of(offer)
    whole = amount(item, code)
    term = f"{item.term.number:g} {item.term.unit}" if item.term else ""
    return [
        _text(item.item), _text(item.part), item.carries, term, repr(item.quantity.number),
        repr(item.price.to(code).number), repr(whole), code, repr(rate), repr(whole * rate),
    ]  # fmt: skip


def _text(value: str | None) -> str:
    text = " ".join(str(clean(value or "")).split())
    return f"'{text}" if text.startswith(FORMULA) else text
