"""Bill of materials and quotes: who offered what, until when, and who gets the order."""

from __future__ import annotations

from dataclasses import dataclass

from tco.analysis.offers import days_left
from tco.report.facts import Facts
from tco.report.tables import Cell, Table, head, number, table
from tco.scenario.quote_schema import Offer
from tco.scenario.quotes import (
    Procurement,
    amount,
    award_words,
    currency_of,
    items_of,
    offers_for,
    systems_of,
    taken,
    total,
)
from tco.wording import NOTHING, counted, fixed, money, plain


@dataclass(frozen=True)
class Quoted:
    """The offers compared, the awards in words, and the lines of the awarded offers."""

    offers: Table
    awards: list[tuple[str, str]]
    lines: Table | None


def quoted(facts: Facts) -> Quoted | None:
    """None where the scenario has no offers."""
    quotes = facts.result.quotes
    if quotes is None:
        return None
    awards = [(fleet, award_words(quotes, fleet)) for fleet in quotes.fleets()]
    return Quoted(_offers(facts, quotes), awards, _lines(facts, quotes))


def validity(offer: Offer, as_of: str) -> str:
    """`2026-12-31, 26 days left`, or how long ago it ended; in words, not by colour alone."""
    left = days_left(offer, as_of)
    if left is None:
        return "not stated"
    told = f"EXPIRED {counted(-left, 'day')} before {as_of}" if left < 0 else f"{counted(left, 'day')} left"
    return f"{offer.valid_until}, {told}"


def _offers(facts: Facts, quotes: Procurement) -> Table:
    rows: list[list[Cell]] = []
    for fleet in quotes.fleets():
        held = taken(quotes.quotes, fleet)
        for index, offer in offers_for(quotes.quotes, fleet).items():
            systems, rate = systems_of(offer, fleet), quotes.rates[currency_of(offer)]
            whole = total(offer, fleet) * rate
            rows.append(
                [
                    head(fleet), Cell(offer.supplier), Cell(offer.number), Cell(offer.date),
                    Cell(validity(offer, facts.result.scenario["as_of"])), Cell(_stated(offer, "lead_time")),
                    Cell(_stated(offer, "warranty")), number(systems, plain), number(whole, money),
                    number(whole / systems, money), number(held.get(index, 0.0), plain),
                ]
            )  # fmt: skip
    heads = ("Fleet", "Supplier", "Quote", "Date", "Valid until", "Lead time", "Warranty", "Systems",
             f"Total, {facts.currency}", f"A system, {facts.currency}", "Systems awarded")  # fmt: skip
    return table("Offers, compared at the rates of the start", heads, rows, style="offers")


def _stated(offer: Offer, key: str) -> str:
    figure = getattr(offer, key)
    return f"{plain(figure.number)} {figure.unit}" if figure else NOTHING


def _lines(facts: Facts, quotes: Procurement) -> Table | None:
    rows: list[list[Cell]] = []
    for fleet in quotes.fleets():
        for index in taken(quotes.quotes, fleet):
            offer = quotes.quotes.offers[index]
            code = currency_of(offer)
            for _, item in items_of(offer, fleet):
                each = item.price.to(code).number
                rows.append(
                    [
                        head(item.item), Cell(item.part or NOTHING), Cell(item.carries.replace("_", " ")),
                        number(item.quantity.number, plain), number(each, _cents), number(amount(item, code), _cents),
                        Cell(code), Cell(offer.supplier), Cell(offer.number), Cell(fleet),
                    ]
                )  # fmt: skip
    heads = ("Item", "Part no.", "Carries", "Quantity", "Unit price", "Amount", "Currency", "Supplier", "Quote",
             "Fleet")  # fmt: skip
    note = "Amounts of the whole offers. The capital lines charge the same prices, to the cent."
    return table("Bill of materials of the awarded offers", heads, rows, note=note, style="offers") if rows else None


def _cents(value: float) -> str:
    return fixed(value, 2)
