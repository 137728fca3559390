"""Lines of a supplier's table: items with quantity and price, sums that must tie, and what is neither."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Decimal

from tco.importing.quotes.cells import Asked, Cell, Findings, Grid, clean, words
from tco.importing.quotes.numbers import number_of

CENT = Decimal("0.0051")
"""What rounding to the cent may leave between an amount and quantity x price."""

_SUMS: tuple[tuple[str, str], ...] = (
    ("gross", r"\bincl|\binkl|brutto|\bgross|grand total|\bttc\b|gesamtbetrag|invoice total"),
    ("subtotal", r"sub ?total|zwischensumme|sous total|übertrag|carried forward"),
    ("net", r"\bexcl|\bex vat|netto|\bnet\b|zzgl|before tax|\bht\b"),
    ("vat", r"\bvat\b|\bust\b|mwst|umsatzsteuer|\btva\b|\bgst\b|sales tax|\btax\b"),
    ("total", r"\btotal\b|\bsumme?\b|\bgesamt|\bsum\b"),
)
_DISCOUNT = re.compile(r"discount|rabatt|nachlass|remise|rebate", re.IGNORECASE)


@dataclass(frozen=True)
class Line:
    """One item of the offer."""

    row: int
    place: str
    item: str
    part: str
    quantity: Decimal
    price: Decimal
    stated: str = ""

    @property
    def amount(self) -> Decimal:
        """Quantity times price."""
        return self.quantity * self.price


@dataclass
class Table:
    """What was read of a table so far."""

    grid: Grid
    columns: dict[str, int]
    mark: str
    found: Findings
    lines: list[Line] = field(default_factory=list[Line])
    since: Decimal = Decimal(0)
    total: Decimal = Decimal(0)
    net_at: str = ""
    vat: Decimal | None = None
    trailing: list[str] = field(default_factory=list[str])

    def cell(self, row: int, name: str) -> Cell:
        """The cell of a field."""
        return self.grid.cell(row, self.columns.get(name))


def read_lines(grid: Grid, head: int, columns: dict[str, int], mark: str, asked: Asked, found: Findings) -> Table:
    """Every row below the heads, each as an item, a sum, or words."""
    table = Table(grid, columns, mark, found)
    _check_merged(grid, head, columns, found)
    for row in range(head + 1, len(grid.rows)):
        if not any(True for _ in grid.filled(row)):
            continue
        if row in grid.hidden_rows:
            if not asked.hidden:
                place = f"{grid.prefix}{row + 1}:{row + 1}"
                found.wrong(place, "the row is hidden; show it in the file, or state `--hidden read` or `skip`")
            if asked.hidden != "read":
                continue
        _row(table, row, [cell.text for _, cell in grid.filled(head)])
    _finish(table, asked)
    return table


def _check_merged(grid: Grid, head: int, columns: dict[str, int], found: Findings) -> None:
    """A range merged over several rows hides whether its value counts once or in each; a hidden column is not seen."""
    for area in grid.merged:
        inside = [name for name, column in columns.items() if area.left <= column <= area.right]
        if area.bottom > max(head, area.top) and inside:
            found.wrong(area.place, f"cells are merged over {' and '.join(inside)}; unmerge and fill each of them")
    for name in (name for name, column in columns.items() if column in grid.hidden_columns):
        found.wrong(grid.cell(head, columns[name]).place, f"the column of the {name} is hidden; show it in the file")


def _merged_over(grid: Grid, row: int, column: int) -> str:
    """That a cell is part of a merged range, in words."""
    around = (one for one in grid.merged if one.top <= row <= one.bottom and one.left <= column <= one.right)
    area = next(around, None)
    return f" ({area.place.rpartition('!')[2]} is merged)" if area else ""


def _row(table: Table, row: int, heads: list[str]) -> None:
    found, filled = table.found, [cell for _, cell in table.grid.filled(row)]
    read = [table.cell(row, name) for name in ("item", "part", "quantity", "price", "amount")]
    wrong = [cell for cell in filled if cell.problem and cell in read]
    for cell in wrong:
        found.wrong(cell.place, cell.problem)
    if wrong or [cell.text for cell in filled] == heads:
        return
    numbers = {name: number_of(table.cell(row, name), table.mark) for name in ("quantity", "price", "amount")}
    item = table.cell(row, "item").text
    label = item or next((cell.text for cell in filled if number_of(cell, table.mark) is None), "")
    kind = next((kind for kind, pattern in _SUMS if re.search(pattern, words(label) if label else "")), "")
    if numbers["quantity"] is None and numbers["price"] is None and numbers["amount"] is not None and kind:
        _sum(table, row, kind, label, numbers["amount"])
    elif all(number is None for number in numbers.values()) and not _half_numbers(table, row):
        _words(table, row, filled)
    else:
        _item(table, row, item, numbers)


def _half_numbers(table: Table, row: int) -> bool:
    """Whether a column of numbers holds something that is none."""
    return any(not table.cell(row, name).empty for name in ("quantity", "price"))


def _words(table: Table, row: int, filled: list[Cell]) -> None:
    text = " ".join(cell.text for cell in filled)
    table.found.note(f"{filled[0].place}: words only, not counted: `{text[:120]}`")
    table.trailing += [text]


def _item(table: Table, row: int, item: str, numbers: dict[str, Decimal | None]) -> None:
    found, quantity, price, amount = table.found, numbers["quantity"], numbers["price"], numbers["amount"]
    place = table.cell(row, "item").place
    if quantity is None and price is None and amount is not None and _DISCOUNT.search(item):
        quantity, price = Decimal(1), amount
        found.note(f"{table.cell(row, 'amount').place}: `{item[:60]}` has an amount only: taken as one piece")
    for name, value in (("quantity", quantity), ("price", price)):
        cell = table.cell(row, name)
        if value is None:
            told = f"`{cell.text}` is no {name}" if cell.text else f"the {name} is missing"
            told += _merged_over(table.grid, row, table.columns[name])
            found.wrong(cell.place, f"{told}; wanted a number for `{item[:60] or 'this row'}`")
    if not item:
        found.wrong(place, "the item is missing; wanted words that say what is offered")
    if quantity is None or price is None or not item:
        return
    if quantity <= 0:
        found.wrong(table.cell(row, "quantity").place, f"the quantity is {quantity}; wanted one above 0")
    if amount is not None and abs(quantity * price - amount) > CENT:
        told = f"{amount} is not {quantity} x {price} = {quantity * price}; correct the file, or state net unit prices"
        found.wrong(table.cell(row, "amount").place, told)
    if table.net_at:
        found.wrong(place, f"an item stands below the total of {table.net_at}; remove it if it is an option")
    stated = table.cell(row, "carries").text if "carries" in table.columns else ""
    part = table.cell(row, "part").text if "part" in table.columns else ""
    table.lines.append(Line(row, place, item, part, quantity, price, stated))
    counted = amount if amount is not None else quantity * price
    table.since, table.total = table.since + counted, table.total + counted


def _sum(table: Table, row: int, kind: str, label: str, amount: Decimal) -> None:
    """A stated sum is never counted; it must be that of the lines."""
    place, found = table.cell(row, "amount").place, table.found
    if kind == "vat":
        table.vat = amount
        rate = re.search(r"([0-9]+(?:[.,][0-9]+)?) ?%", label)
        wanted = table.total * Decimal(rate[1].replace(",", ".")) / 100 if rate else amount
    elif kind == "subtotal":
        wanted = table.since if abs(table.since - amount) <= abs(table.total - amount) else table.total
        table.since = Decimal(0)
    elif kind == "gross" or (kind == "total" and table.vat is not None):
        wanted, table.net_at = table.total + (table.vat or 0), table.net_at or place
    else:
        wanted, table.net_at = table.total, place
    if abs(wanted - amount) > CENT * max(1, len(table.lines)):
        found.wrong(place, f"`{label[:40]}` is {amount}, the lines above give {wanted}; correct the file")
    elif kind == "vat":
        found.note(f"{place}: VAT of {amount} is recoverable and not taken over; prices are net")
    else:
        found.note(f"{place}: `{label[:40]}` {amount} ties")


def _finish(table: Table, asked: Asked) -> None:
    found = table.found
    if not table.lines and not found.problems:
        found.wrong(table.grid.name, "no line with item, quantity and unit price stands below the heads")
    if not table.net_at:
        found.note(f"no total is stated; the lines add up to {table.total}")
    seen: dict[str, Line] = {}
    for line in table.lines:
        before = seen.setdefault(line.part.lower(), line) if line.part else line
        if before is not line:
            told = f"part `{line.part}` stands at {before.place} too; remove one, or state `--keep-duplicates`"
            if asked.keep_duplicates:
                found.note(f"{line.place}: part `{line.part}` stands at {before.place} too; both are kept")
            else:
                found.wrong(line.place, told)
    if table.trailing:
        table.trailing[:] = [clean(text, 300) for text in table.trailing]
