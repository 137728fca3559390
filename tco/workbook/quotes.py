"""The sheet Quotes: competing offers with the award, the bill of materials, and the prices that are made of it."""

from __future__ import annotations

from dataclasses import dataclass

from tco.analysis.offers import days_left
from tco.scenario.quote_checks import rivals_of
from tco.scenario.quotes import amount, currency_of, systems_of
from tco.workbook.book import Book, Sheet, at
from tco.workbook.foundation import serial
from tco.workbook.furniture import alarm, heading, page
from tco.workbook.places import INPUTS, QUOTES, VALUE_COLUMN
from tco.workbook.plan import Plan
from tco.workbook.quote_prices import write_prices
from tco.workbook.quote_rows import (
    AMOUNT,
    AS_OF_ROW,
    AWARDED,
    CARRIES,
    COUNTED,
    CURRENCY,
    DATE,
    FLEET,
    ITEM,
    LEFT,
    NUMBER,
    OFFERS_HEAD,
    PART,
    QUANTITY,
    SHARE,
    STATE,
    SUPPLIER,
    TERM,
    UNIT_PRICE,
    VALID,
    WIDTHS,
    LineRow,
    OfferRow,
    QuoteRows,
    beside,
    heads,
    section,
    summed,
)
from tco.workbook.styles import CENTS, COUNT, TABS
from tco.workbook.styles import DATE as DATES
from tco.workbook.styles import SHARE as SHARES
from tco.workbook.values import FleetValues

EXPIRED, VALID_WORD, OPEN = "expired", "valid", "not stated"
DAYS, RATE = "0;[Red]-0;0", "#,##0.0000"
NOTE = "Unit prices are entered here, once; Inputs takes the prices that are made of them. Expired on this day is red."
OFFER_HEADS = {
    FLEET: "Fleet", ITEM: "Supplier", PART: "Quote no.", DATE: "Date", QUANTITY: "Systems", UNIT_PRICE: "Total",
    AMOUNT: "Total, {}", CURRENCY: "Currency", SHARE: "{} for one", COUNTED: "A system, {}",
    SUPPLIER: "Above the cheapest", AWARDED: "Systems awarded", VALID: "Valid until", LEFT: "Days left", STATE: "State",
}  # fmt: skip
OFFER_NUMBERS = (DATE, QUANTITY, UNIT_PRICE, AMOUNT, SHARE, COUNTED, SUPPLIER, AWARDED, VALID, LEFT)
LINE_HEADS = {
    FLEET: "Fleet", ITEM: "Item", PART: "Part no.", CARRIES: "Carries", QUANTITY: "Quantity", UNIT_PRICE: "Unit price",
    AMOUNT: "Amount", CURRENCY: "Currency", SHARE: "Share awarded", COUNTED: "Counted", SUPPLIER: "Supplier",
    NUMBER: "Quote no.", VALID: "Valid until", LEFT: "Days left", STATE: "State",
}  # fmt: skip
LINE_NUMBERS = (QUANTITY, UNIT_PRICE, AMOUNT, SHARE, COUNTED, VALID, LEFT, TERM)


def write_quotes(book: Book, plan: Plan, values: dict[str, FleetValues]) -> None:
    """The sheet, where the scenario has offers."""
    if plan.quotes is None:
        return
    sheet, rows = book.sheet(QUOTES, TABS["foundation"]), plan.quotes
    heading(sheet, "Quotes", NOTE, at_column=AMOUNT)
    sheet.text(AS_OF_ROW, FLEET, "Judged on", "label")
    sheet.number(AS_OF_ROW, ITEM, serial(plan.result.scenario["as_of"]), ("structure left", DATES))
    made = _Sheet(book, sheet, plan, rows)
    made.offers()
    made.lines()
    write_prices(sheet, plan, rows, values)
    section(sheet, rows.terms, "Terms")
    for row, text in rows.words:
        sheet.text(row, 0, text, "text")
    sheet.widths(WIDTHS)
    sheet.raw.freeze_panes(AS_OF_ROW, 0)
    page(book, sheet, plan, repeat=(1, AS_OF_ROW))
    sheet.raw.print_area(0, 0, rows.end - 1, rows.last)


@dataclass
class _Sheet:
    """The sheet while it is written."""

    book: Book
    sheet: Sheet
    plan: Plan
    rows: QuoteRows

    # --- offers ---

    def offers(self) -> None:
        """One row an offer and fleet, compared in the scenario's currency."""
        section(self.sheet, OFFERS_HEAD - 1, "Competing offers, and who gets the order")
        named = {column: word.format(self.plan.currency) for column, word in OFFER_HEADS.items()}
        heads(self.sheet, OFFERS_HEAD, named, OFFER_NUMBERS)
        asked = {one.row: self._asked(one) for one in self.rows.offers}
        for one in self.rows.offers:
            self._offer(one)
            self._compared(one, asked)
            self._validity(one)
        alarm(self.sheet, OFFERS_HEAD + 1, STATE, EXPIRED, self.rows.offers[-1].row)

    def _carried(self, one: OfferRow) -> list[LineRow]:
        """Lines of an offer that carry a price of the fleet."""
        mine = (line for line in self.rows.lines if (line.fleet, line.offer) == (one.fleet, one.index))
        return [line for line in mine if line.item.carries != "nothing"]

    def _total(self, one: OfferRow) -> float:
        return sum(amount(line.item, currency_of(one.offer)) for line in self._carried(one))

    def _asked(self, one: OfferRow) -> float:
        """What an offer asks for a system, in the scenario's currency."""
        rate = self.rows.quotes.rates[currency_of(one.offer)]
        return self._total(one) * rate / systems_of(one.offer, one.fleet)

    def _offer(self, one: OfferRow) -> None:
        row, sheet = one.row, self.sheet
        sheet.text(row, FLEET, one.fleet, "label")
        sheet.text(row, ITEM, one.offer.supplier, "wrapped names")
        sheet.text(row, PART, one.offer.number, "wrapped names")
        sheet.number(row, DATE, serial(one.offer.date), ("structure", DATES))
        sheet.text(row, CURRENCY, currency_of(one.offer), "wrapped quiet")
        sheet.number(row, AWARDED, one.awarded, ("structure", COUNT))
        number, lines = systems_of(one.offer, one.fleet), self._carried(one)
        counted = [line.row for line in lines if line.item.carries == "system" and line.item.price.number > 0]
        if one.offer.systems or not counted:
            sheet.number(row, QUANTITY, number, ("structure", COUNT))
        else:
            sheet.formula(row, QUANTITY, summed(QUANTITY, counted), number, ("number", COUNT))
        total = summed(AMOUNT, [line.row for line in lines])
        sheet.formula(row, UNIT_PRICE, total, self._total(one), ("number", CENTS))

    def _compared(self, one: OfferRow, asked: dict[int, float]) -> None:
        row, rate = one.row, self._rate(one)
        whole = f"{beside(UNIT_PRICE, row)}*{beside(SHARE, row)}"
        self.sheet.formula(row, AMOUNT, whole, self._total(one) * rate, ("number", CENTS))
        each = f"{beside(AMOUNT, row)}/{beside(QUANTITY, row)}"
        self.sheet.formula(row, COUNTED, each, asked[row], ("number", CENTS))
        places = rivals_of(self.rows.quotes.quotes, one.fleet, one.index)
        rivals = [self.rows.offer(one.fleet, index).row for index in places]
        lowest = summed(COUNTED, rivals).replace("SUM(", "MIN(")
        above = asked[row] / min(asked[rival] for rival in rivals) - 1
        self.sheet.formula(row, SUPPLIER, f"{beside(COUNTED, row)}/{lowest}-1", above, ("number", SHARES))

    def _rate(self, one: OfferRow) -> float:
        """The rate stands on Inputs where a price of the model needs it; here where it only serves to compare."""
        code = currency_of(one.offer)
        rate, name = self.rows.quotes.rates[code], f"{code.lower()}_rate"
        place = next((place for (_, known), place in self.plan.inputs.items() if known == name), None)
        if place is not None and place.given.shape == "one":
            self.sheet.formula(one.row, SHARE, at(VALUE_COLUMN, place.row, INPUTS), rate, ("link", RATE))
        else:
            self.sheet.number(one.row, SHARE, rate, ("structure", RATE if code != self.plan.currency else "0"))
        return rate

    def _validity(self, one: OfferRow) -> None:
        row, left = one.row, days_left(one.offer, self.plan.result.scenario["as_of"])
        if left is None:
            self.sheet.text(row, VALID, OPEN, "wrapped right")
            return
        self.sheet.number(row, VALID, serial(one.offer.valid_until or ""), ("structure", DATES))
        self.sheet.formula(row, LEFT, f"{beside(VALID, row)}-{at(ITEM, AS_OF_ROW)}", float(left), ("number", DAYS))
        ended = f'IF({beside(LEFT, row)}<0,"{EXPIRED}","{VALID_WORD}")'
        self.sheet.formula(row, STATE, ended, EXPIRED if left < 0 else VALID_WORD, "state")

    # --- lines ---

    def lines(self) -> None:
        """One row a line of an offer; the unit prices are inputs."""
        section(self.sheet, self.rows.lines_head - 1, "Bill of materials")
        more = {TERM: "For years"} if self.rows.last == TERM else {}
        heads(self.sheet, self.rows.lines_head, {**LINE_HEADS, **more}, LINE_NUMBERS)
        for line in self.rows.lines:
            self._line(line)
        alarm(self.sheet, self.rows.lines_head + 1, STATE, EXPIRED, self.rows.lines[-1].row)

    def _line(self, line: LineRow) -> None:
        row, item, one, sheet = line.row, line.item, self.rows.offer(line.fleet, line.offer), self.sheet
        code = currency_of(one.offer)
        sheet.text(row, FLEET, line.fleet, "label")
        words = (item.item, item.part or "", item.carries.replace("_", " "))
        sheet.texts(row, ITEM, words, "wrapped names")
        sheet.number(row, QUANTITY, item.quantity.number, ("structure", _plain(item.quantity.number)))
        sheet.number(row, UNIT_PRICE, item.price.to(code).number, ("input", CENTS))
        _validate(sheet, row)
        self.book.name(f"in_offer_{line.offer + 1}_{line.place + 1}", at(UNIT_PRICE, row, QUOTES))
        product = f"{beside(QUANTITY, row)}*{beside(UNIT_PRICE, row)}"
        sheet.formula(row, AMOUNT, product, amount(item, code), ("number", CENTS))
        sheet.text(row, CURRENCY, code, "wrapped quiet")
        sheet.texts(row, SUPPLIER, (one.offer.supplier, one.offer.number), "wrapped names")
        if item.carries != "nothing":
            self._counted(line, one)
        self._as_above(row, one)

    def _counted(self, line: LineRow, one: OfferRow) -> None:
        """The share of the line that is awarded; of what is paid for a time, that of a year."""
        share, row = one.awarded / systems_of(one.offer, one.fleet), line.row
        part = f"{beside(AWARDED, one.row)}/{beside(QUANTITY, one.row)}"
        self.sheet.formula(row, SHARE, part, share, ("number", SHARES))
        found, text = amount(line.item, currency_of(one.offer)) * share, f"{beside(AMOUNT, row)}*{beside(SHARE, row)}"
        if line.item.term is not None:
            years = line.item.term.to("yr").number
            self.sheet.number(row, TERM, years, ("structure", _plain(years)))
            found, text = found / years, f"{text}/{beside(TERM, row)}"
        self.sheet.formula(row, COUNTED, text, found, ("number", CENTS))

    def _as_above(self, row: int, one: OfferRow) -> None:
        """Until when the line's offer holds."""
        left = days_left(one.offer, self.plan.result.scenario["as_of"])
        if left is None:
            self.sheet.text(row, VALID, OPEN, "wrapped right")
            return
        end = serial(one.offer.valid_until or "")
        self.sheet.formula(row, VALID, beside(VALID, one.row), end, ("number", DATES))
        self.sheet.formula(row, LEFT, beside(LEFT, one.row), float(left), ("number", DAYS))
        self.sheet.formula(row, STATE, beside(STATE, one.row), EXPIRED if left < 0 else VALID_WORD, "state")


def _plain(number: float) -> str:
    return "#,##0" if number == round(number) else "#,##0.00"


def _validate(sheet: Sheet, row: int) -> None:
    rule = {
        "validate": "decimal", "criteria": "between", "minimum": -1e300, "maximum": 1e300, "ignore_blank": False,
        "input_title": "Unit price", "input_message": "A number, in the currency of the offer.",
        "error_title": "Not a number", "error_message": "Enter a number, without unit.",
    }  # fmt: skip
    sheet.raw.data_validation(beside(UNIT_PRICE, row), rule)
