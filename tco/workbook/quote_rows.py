"""Where offers, the lines of the bill of materials and the prices made of them stand on the sheet Quotes."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass, field

from tco.result import Result
from tco.scenario.quote_schema import Offer, QuotedItem
from tco.scenario.quotes import Price, Procurement, award_words, offers_for, taken
from tco.wording import plain
from tco.workbook.book import Sheet, at, clean, letters
from tco.workbook.places import QUOTES

AS_OF_ROW, OFFERS_HEAD = 3, 6
(FLEET, ITEM, PART, CARRIES, QUANTITY, UNIT_PRICE, AMOUNT, CURRENCY, SHARE, COUNTED, SUPPLIER, NUMBER, VALID, LEFT,
 STATE, TERM) = range(16)  # fmt: skip
"""Columns; offers and prices stand in the same ones, each under heads of its own."""
DATE = CARRIES
AWARDED = NUMBER
WIDTHS = (15, 36, 18, 14, 10, 14, 15.5, 9.5, 10, 15.5, 25, 15, 11.5, 8, 11, 8)
ROOM = 250
"""Characters of a sentence that runs across the sheet."""


@dataclass(frozen=True)
class OfferRow:
    """An offer as far as it is for one fleet."""

    fleet: str
    index: int
    offer: Offer
    row: int
    awarded: float


@dataclass(frozen=True)
class LineRow:
    """A line of an offer."""

    fleet: str
    offer: int
    place: int
    item: QuotedItem
    row: int


@dataclass
class QuoteRows:
    """Rows of the sheet, decided before Inputs is written, which links to it."""

    quotes: Procurement
    offers: list[OfferRow] = field(default_factory=list[OfferRow])
    lines: list[LineRow] = field(default_factory=list[LineRow])
    prices: list[tuple[Price, int]] = field(default_factory=list[tuple[Price, int]])
    words: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    lines_head: int = 0
    prices_head: int = 0
    terms: int = 0
    end: int = 0

    def say(self, row: int, text: str) -> int:
        """Words that run across the sheet below a row, in lines that fit; the last row."""
        for line in textwrap.wrap(clean(text, 4000), ROOM):
            row += 1
            self.words.append((row, line))
        return row

    @property
    def last(self) -> int:
        """The last column that is printed."""
        return TERM if any(line.item.term for line in self.lines) else STATE

    def line(self, offer: int, place: int) -> LineRow:
        """The row of a line of an offer."""
        return next(one for one in self.lines if (one.offer, one.place) == (offer, place))

    def offer(self, fleet: str, index: int) -> OfferRow:
        """The row of an offer for a fleet."""
        return next(one for one in self.offers if (one.fleet, one.index) == (fleet, index))

    def link(self, fleet: str, name: str) -> str:
        """The cell that holds an input of a fleet, or nothing when no offer carries it."""
        found = (row for price, row in self.prices if (price.fleet, self.quotes.input_of(price)) == (fleet, name))
        row = next(found, 0)
        return at(UNIT_PRICE, row, QUOTES) if row else ""


def place_quotes(result: Result) -> QuoteRows | None:
    """Offers by fleet, the awards in words; lines; prices; terms."""
    quotes = result.quotes
    if quotes is None or not quotes.quotes.offers:
        return None
    rows, row = QuoteRows(quotes), OFFERS_HEAD
    for fleet in quotes.fleets():
        held = taken(quotes.quotes, fleet)
        for index, offer in offers_for(quotes.quotes, fleet).items():
            row += 1
            rows.offers.append(OfferRow(fleet, index, offer, row, held.get(index, 0.0)))
    row += 1
    for fleet in quotes.fleets():
        row = rows.say(row, f"{fleet}: {award_words(quotes, fleet)}")
    rows.lines_head = row = row + 3
    for index, offer in enumerate(quotes.quotes.offers):
        for place, item in enumerate(offer.items):
            row += 1
            rows.lines.append(LineRow(item.fleet or offer.fleet or "", index, place, item, row))
    rows.prices_head = row = row + 3
    for price in itertools.chain.from_iterable(quotes.prices.values()):
        row += 1
        rows.prices.append((price, row))
    rows.terms = row = row + 2
    for offer in quotes.quotes.offers:
        row = rows.say(row, f"{offer.number}, {offer.supplier}: {terms_words(offer)}")
    rows.end = row
    return rows


def terms_words(offer: Offer) -> str:
    """Lead time, warranty, delivery and terms in a line."""
    told = [
        f"lead time {plain(offer.lead_time.number)} {offer.lead_time.unit}" if offer.lead_time else "",
        f"warranty {plain(offer.warranty.number)} {offer.warranty.unit}" if offer.warranty else "",
        offer.incoterm or "",
        " ".join((offer.terms or "").split()),
        *(f"{item.item}: {' '.join(item.note.split())}" for item in offer.items if item.note),
    ]
    return "; ".join(filter(None, told)) or "no lead time, warranty or terms are stated"


def runs(rows: Iterable[int]) -> list[tuple[int, int]]:
    """Rows as runs of neighbours, first and last."""
    found: list[tuple[int, int]] = []
    for row in sorted(rows):
        if found and found[-1][1] == row - 1:
            found[-1] = (found[-1][0], row)
        else:
            found.append((row, row))
    return found


def summed(column: int, rows: Iterable[int]) -> str:
    """A sum of cells of one column: `SUM(G20:G22,G25)`."""
    name = letters(column)
    cells = (f"{name}{first}" if first == last else f"{name}{first}:{name}{last}" for first, last in runs(rows))
    return f"SUM({','.join(cells)})"


def beside(column: int, row: int) -> str:
    """A cell of the same sheet, such as `E20`."""
    return f"{letters(column)}{row}"


def section(sheet: Sheet, row: int, title: str) -> None:
    """A title across the sheet."""
    sheet.text(row, 0, title, "section")
    sheet.blank(row, range(1, TERM + 1), "section")


def heads(sheet: Sheet, row: int, words: dict[int, str], right: Iterable[int]) -> None:
    """A row of heads; those of numbers stand right."""
    numbers = set(right)
    for column in range(TERM + 1):
        look = "heading" if column == FLEET else "heading right" if column in numbers else "heading inside"
        sheet.text(row, column, words.get(column, ""), look)
