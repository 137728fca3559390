"""The prices that the model takes of awarded offers, tied to the capital lines; and what Checks says of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tco.analysis.offers import bought, days_left, expected
from tco.result import FleetResult
from tco.scenario.quotes import Price
from tco.workbook.book import Sheet, Value, at, span
from tco.workbook.places import QUOTES, sheet_of
from tco.workbook.plan import Plan, label_of
from tco.workbook.quote_rows import (
    AMOUNT,
    AWARDED,
    COUNTED,
    CURRENCY,
    FLEET,
    ITEM,
    LEFT,
    PART,
    QUANTITY,
    SHARE,
    SUPPLIER,
    UNIT_PRICE,
    QuoteRows,
    beside,
    heads,
    section,
    summed,
)
from tco.workbook.rows import Row
from tco.workbook.styles import CENTS, COUNT
from tco.workbook.values import FleetValues

HEADS = {
    FLEET: "Fleet", ITEM: "Price in the model", PART: "Unit", QUANTITY: "Systems", UNIT_PRICE: "Price",
    AMOUNT: "Quoted", CURRENCY: "Currency", SHARE: "GPUs a system", COUNTED: "Capital line",
    SUPPLIER: "Cost that holds it",
}  # fmt: skip
NUMBERS = (QUANTITY, UNIT_PRICE, AMOUNT, SHARE, COUNTED)


def write_prices(sheet: Sheet, plan: Plan, rows: QuoteRows, values: dict[str, FleetValues]) -> None:
    """What is quoted, over the systems it is for; beside it what the capital line charges for as many systems."""
    section(sheet, rows.prices_head - 1, "Prices that the model takes, and what its lines charge for as many systems")
    heads(sheet, rows.prices_head, HEADS, NUMBERS)
    for price, row in rows.prices:
        fleet = plan.result.by_id[price.fleet]
        name = rows.quotes.input_of(price)
        given = fleet.model.inputs.get(name)
        sheet.text(row, FLEET, price.fleet, "label")
        sheet.text(row, ITEM, label_of(given) if given else name, "wrapped")
        sheet.text(row, PART, plan.line_unit(given, name) if given else price.kind.unit, "wrapped quiet")
        cells = [rows.line(part.offer, part.item).row for part in price.parts]
        among = [rows.offer(price.fleet, index).row for index in price.among]
        sheet.formula(row, QUANTITY, summed(AWARDED, among), price.systems, ("number", COUNT))
        sheet.formula(row, AMOUNT, summed(COUNTED, cells), price.amount, ("number", CENTS))
        sheet.text(row, CURRENCY, price.currency, "wrapped quiet")
        _each(sheet, plan, fleet, price, row)
        tie = tied(plan, price, row, values[fleet.id])
        item = fleet.model.lines.get(price.kind.cost)
        sheet.text(row, SUPPLIER, label_of(item) if item else "", "wrapped")
        if tie:
            sheet.formula(row, COUNTED, tie.text, tie.value, ("link", CENTS))
        else:
            told = "nothing is bought" if price.kind.drivers else "through the years"
            sheet.text(row, COUNTED, told, "wrapped right")


def _each(sheet: Sheet, plan: Plan, fleet: FleetResult, price: Price, row: int) -> None:
    """The price of a system, or of a GPU in it."""
    text, gpus = f"{beside(AMOUNT, row)}/{beside(QUANTITY, row)}", 1.0
    if price.by_gpu:
        gpus = fleet.inputs["gpus_per_system"].number
        sheet.formula(row, SHARE, plan.input_cell(fleet, "gpus_per_system"), gpus, ("link", COUNT))
        text = f"{text}/{beside(SHARE, row)}"
    sheet.formula(row, UNIT_PRICE, text, price.value(gpus), ("number", CENTS))


@dataclass(frozen=True)
class Tie:
    """What a capital line charges for the systems quoted, in the currency of the offers."""

    text: str
    value: float


def tied(plan: Plan, price: Price, row: int, values: FleetValues) -> Tie | None:
    """None where the cost is paid through the years, or where nothing can be computed."""
    fleet, kind = plan.result.by_id[price.fleet], price.kind
    rate = f"{price.currency.lower()}_rate" if price.currency != plan.currency else ""
    lines = (kind.cost, *kind.drivers) if kind.drivers else ()
    if not lines or any(name not in fleet.model.lines or not fleet.model.lines[name].series for name in lines):
        return None
    given = fleet.model.inputs.get(rate)
    moving = [rate] if given is not None and given.shape == "series" else []
    numbers = {name: values.series(name) for name in (*lines, *moving)}
    if any(isinstance(value, str) for found in numbers.values() for value in found):
        return None
    sheet = sheet_of(fleet.id)
    cost, bought_in, *_ = cells = [plan.periods_of(plan.rows[fleet.id][name], sheet) for name in numbers]
    fixed = given is not None and not moving
    text = f"SUM({cost})/SUMPRODUCT({','.join(cells[1:])})*{beside(QUANTITY, row)}"
    text += f"/{plan.input_cell(fleet, rate)}" if fixed else ""
    weights = [_product(parts) for parts in zip(*(numbers[name] for name in [*lines[1:], *moving]), strict=True)]
    if not sum(weights):
        return None
    value = sum(_number(one) for one in numbers[kind.cost]) / sum(weights) * price.systems
    value /= fleet.inputs[rate].number if fixed else 1.0
    return Tie(f"IF(SUM({bought_in})=0,{beside(AMOUNT, row)},{text})", value)


def _number(value: Value) -> float:
    return value if isinstance(value, float) else 0.0


def _product(parts: tuple[Value, ...]) -> float:
    found = 1.0
    for part in parts:
        found *= _number(part)
    return found


# --- Checks ---


def quote_errors(plan: Plan, values: dict[str, FleetValues]) -> Iterator[Row]:
    """Unit prices are numbers, and amounts are those of the capital lines."""
    rows = plan.quotes
    if rows is None:
        return
    first, last = rows.lines[0].row, rows.lines[-1].row
    cells, count = span(UNIT_PRICE, UNIT_PRICE, first, last, QUOTES), float(last - first + 1)
    yield Row("Inputs are numbers: unit prices", QUOTES, (f"COUNT({cells})", count), (f"ROWS({cells})", count), "cells")
    for price, row in rows.prices:
        tie = tied(plan, price, row, values[price.fleet])
        if tie:
            label = label_of(plan.result.by_id[price.fleet].model.lines[price.kind.cost])
            line, quoted = (at(COUNTED, row, QUOTES), tie.value), (at(AMOUNT, row, QUOTES), price.amount)
            yield Row(f"The bill of materials ties to the line: {label}", price.fleet, line, quoted, price.currency)


def quote_alerts(plan: Plan) -> Iterator[Row]:
    """Awarded offers that have ended; systems that are quoted against those that are bought."""
    rows = plan.quotes
    if rows is None:
        return
    for one in rows.offers:
        left = days_left(one.offer, plan.result.scenario["as_of"])
        if one.awarded and left is not None:
            ended = (f"IF({at(LEFT, one.row, QUOTES)}<0,1,0)", float(left < 0))
            label = f"Quote {one.offer.number} of {one.offer.supplier}: expired"
            yield Row(label, one.fleet, ended, 0.0, "flag", exact=True)
    seen = set[tuple[str, float]]()
    for price, row in rows.prices:
        key = (price.fleet, price.systems)
        if price.kind.drivers and key not in seen and bought(plan.result.by_id[price.fleet]).all:
            seen.add(key)
            quoted = (at(QUANTITY, row, QUOTES), price.systems)
            ties = _ties(plan, plan.result.by_id[price.fleet], row, price.systems)
            yield Row(
                "Systems quoted: from the first order to all that are bought", price.fleet, quoted, ties, "system"
            )


def _ties(plan: Plan, fleet: FleetResult, row: int, systems: float) -> tuple[str, Value]:
    """The number nearest to the quoted one that lies from the first order to all orders."""
    sheet, places = sheet_of(fleet.id), plan.rows[fleet.id]
    orders, standing = (plan.periods_of(places[name], sheet) for name in ("purchases", "systems"))
    first = f"INDEX({orders},MIN(COUNTIF({standing},0)+1,COLUMNS({standing})))"
    order = bought(fleet)
    return f"MIN(MAX({at(QUANTITY, row, QUOTES)},{first}),SUM({orders}))", expected(systems, order)
