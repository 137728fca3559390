"""The bridge on Compare: from the reference to the cheapest fleet, category by category, as a table and a waterfall."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tco.result import CATEGORIES
from tco.workbook.book import Book, Value, at, letters, quoted, span
from tco.workbook.charts import Caption, Spot, waterfall
from tco.workbook.checks import Row
from tco.workbook.compared import FIRST_FLEET, HEAD, Compared
from tco.workbook.places import COMPARE
from tco.workbook.ranking import ranking_line

FROM, TO, STEP, ORDER = range(FIRST_FLEET, FIRST_FLEET + 4)
LEVEL, BASE, TOTAL, MORE, LESS = range(FIRST_FLEET, FIRST_FLEET + 5)
COLUMNS = 5
NOBODY = "No bridge: there are no two fleets that can do the work."
CHART_HEIGHT, CHART_ROWS = 400, 22


@dataclass
class Bridge:
    """What a bridge joins: rows of Compare, places of its two fleets, and numbers as the cells show them."""

    table: Compared
    names: list[str]
    whole: str
    start: int
    end: int
    first: int

    def __post_init__(self) -> None:
        self.unit, self.look = self.table.units[self.whole], self.table.looks[self.whole]
        self.before, self.after = ([_number(self.table.shown[name][at]) for name in self.names] for at in self.ends)
        self.steps = [after - before for before, after in zip(self.before, self.after, strict=True)]
        self.order = sorted(range(len(self.names)), key=lambda index: -self.steps[index])

    @property
    def ends(self) -> tuple[int, int]:
        """Places of the two fleets."""
        return self.start, self.end

    @property
    def last(self) -> int:
        """The row of the last category."""
        return self.first + len(self.names) - 1

    @property
    def sums(self) -> int:
        """The row of the totals, below the categories."""
        return self.last + 1

    @property
    def drawn(self) -> int:
        """The row of the start in the table that the chart draws."""
        return self.sums + 3


def write_bridge(book: Book, table: Compared) -> Bridge | None:
    """Only where two fleets can do the work; more first, less after, so that no bar ends below zero."""
    table.title("Bridge: what the cheapest fleet spends more and less on, undiscounted")
    bridge = _bridge(table)
    if bridge is None:
        table.sheet.text(table.next, 0, NOBODY, "quiet")
        table.next += 1
        return None
    _ends(bridge)
    _categories(bridge)
    _levels(bridge)
    _chart(book, bridge)
    return bridge


def _bridge(table: Compared) -> Bridge | None:
    places, result = table.shown.get("position"), table.plan.result
    ranked = [value for value in table.shown.get("value", []) if isinstance(value, float)]
    if places is None or len(ranked) < 2 or ranking_line(table.plan) not in table.rows:
        return None
    best, second = places.index(1.0), places.index(2.0)
    ids = [fleet.id for fleet in result.fleets]
    start = ids.index(result.reference) if result.reference in ids else best
    prefix, whole = ("unit_", "unit_cost") if "unit_cost" in table.rows else ("", "cash")
    names = [f"{prefix}{name}" for name in CATEGORIES if f"{prefix}{name}" in table.rows]
    return Bridge(table, names, whole, second if start == best else start, best, table.next + 2) if names else None


def _number(value: Value) -> float:
    return value if isinstance(value, float) else 0.0


def _ends(bridge: Bridge) -> None:
    """Which columns of Compare are joined, live: the reference (the second where it leads itself), the first."""
    table, row = bridge.table, bridge.first - 2
    result, places = table.plan.result, table.range("position")
    second = f"MATCH(1+1,{places},0)"
    start = second
    if result.reference in result.by_id:
        mine = f"MATCH({quoted(result.reference or '')},{span(FIRST_FLEET, table.last, HEAD)},0)"
        start = f"IF(INDEX({places},{mine})=1,{second},{mine})"
    table.sheet.text(row, 0, "Fleets, by their place in the columns above", "label")
    table.sheet.text(row, 1, "1", "unit")
    for column, text, place in ((FROM, start, bridge.start), (TO, f"MATCH(1,{places},0)", bridge.end)):
        table.sheet.formula(row, column, text, place + 1.0, "place")
    table.sheet.texts(row + 1, 0, ["Category", "Unit"], "heading")
    for column, place in zip((FROM, TO), bridge.ends, strict=True):
        _picked(bridge, row + 1, column, span(FIRST_FLEET, table.last, HEAD), result.fleets[place].id, "heading right")
    table.sheet.texts(row + 1, STEP, ["Step", "Order"], "heading right")


def _picked(
    bridge: Bridge, row: int, column: int, cells: str, value: Value, style: str, *, number: bool = False
) -> None:
    """What stands in the column of the fleet; text counts as nothing."""
    found = f"INDEX({cells},{letters(column)}${bridge.first - 2})"
    text = f"N({found})" if number else found
    bridge.table.sheet.formula(row, column, text, value, (style, bridge.look) if number else style)


def _categories(bridge: Bridge) -> None:
    sheet, steps = bridge.table.sheet, span(STEP, STEP, bridge.first, bridge.last)
    labels = [bridge.table.labels[name].removesuffix(", unit cost") for name in bridge.names]
    for index, (name, row) in enumerate(zip(bridge.names, range(bridge.first, bridge.sums), strict=True)):
        sheet.text(row, 0, labels[index], "label")
        sheet.text(row, 1, bridge.unit, "unit")
        for column, value in ((FROM, bridge.before[index]), (TO, bridge.after[index])):
            _picked(bridge, row, column, bridge.table.range(name), value, "right", number=True)
        _step(bridge, row, bridge.steps[index])
        mine, top = f"{letters(STEP)}{row}", at(STEP, bridge.first)
        text = f"RANK({mine},{steps},0)+COUNTIF({top}:{mine},{mine})-1"
        sheet.formula(row, ORDER, text, bridge.order.index(index) + 1.0, ("right", "0"))
    sheet.text(bridge.sums, 0, "All categories", "label")
    sheet.text(bridge.sums, 1, bridge.unit, "unit")
    for column, numbers in ((FROM, bridge.before), (TO, bridge.after), (STEP, bridge.steps)):
        text = f"SUM({letters(column)}{bridge.first}:{letters(column)}{bridge.last})"
        sheet.formula(bridge.sums, column, text, float(sum(numbers)), ("total right", bridge.look))


def _step(bridge: Bridge, row: int, value: float) -> None:
    text = f"{letters(TO)}{row}-{letters(FROM)}{row}"
    bridge.table.sheet.formula(row, STEP, text, value, ("right", bridge.look))


def _levels(bridge: Bridge) -> None:
    """Start, steps from the most expensive more to the largest saving, end: what the chart draws."""
    sheet, row = bridge.table.sheet, bridge.drawn - 1
    sheet.texts(row, 0, ["Waterfall", "Unit"], "heading")
    sheet.texts(row, LEVEL, ["Level", "Hidden base", "Total", "More", "Less"], "heading right")
    level = float(sum(bridge.before))
    _level(bridge, bridge.drawn, (f"{letters(FROM)}{bridge.first - 1}", _id(bridge, bridge.start)),
           (f"{letters(FROM)}{bridge.sums}", level))  # fmt: skip
    orders = span(ORDER, ORDER, bridge.first, bridge.last)
    for row, index in enumerate(bridge.order, bridge.drawn + 1):
        place = f"MATCH(ROWS($B${bridge.drawn + 1}:$B{row}),{orders},0)"
        label = bridge.table.labels[bridge.names[index]].removesuffix(", unit cost")
        sheet.formula(row, 0, f"INDEX({span(0, 0, bridge.first, bridge.last)},{place})", label, "left")
        before, level = level, level + bridge.steps[index]
        mine, above = f"{letters(LEVEL)}{row}", f"{letters(LEVEL)}{row - 1}"
        cells = (
            (LEVEL, f"{above}+INDEX({span(STEP, STEP, bridge.first, bridge.last)},{place})", level),
            (BASE, f"MIN({above},{mine})", min(before, level)),
            (MORE, f"MAX({mine}-{above},0)", max(level - before, 0.0)),
            (LESS, f"MAX({above}-{mine},0)", max(before - level, 0.0)),
        )
        sheet.text(row, 1, bridge.unit, "unit")
        for column, text, value in cells:
            sheet.formula(row, column, text, value, ("right", bridge.look))
    end = bridge.drawn + len(bridge.names) + 1
    _level(bridge, end, (f"{letters(TO)}{bridge.first - 1}", _id(bridge, bridge.end)),
           (f"{letters(TO)}{bridge.sums}", float(sum(bridge.after))))  # fmt: skip
    bridge.table.next = end + 2


def _id(bridge: Bridge, place: int) -> str:
    return bridge.table.plan.result.fleets[place].id


def _level(bridge: Bridge, row: int, name: tuple[str, Value], total: tuple[str, Value]) -> None:
    """A bar that stands on the ground."""
    sheet = bridge.table.sheet
    sheet.formula(row, 0, *name, "left")
    sheet.text(row, 1, bridge.unit, "unit")
    for column in (LEVEL, TOTAL):
        sheet.formula(row, column, *total, ("right", bridge.look))


def _chart(book: Book, bridge: Bridge) -> None:
    kind = "unit cost" if bridge.whole == "unit_cost" else "cost over the horizon"
    title = f"Bridge to the cheapest fleet: {kind} by category, undiscounted"
    words = f"{title}, in {bridge.unit}: from {_id(bridge, bridge.start)} as issued, more first, then less, to the end."
    first, last = bridge.drawn, bridge.drawn + len(bridge.names) + 1
    caption, spot = Caption(title, bridge.unit, words), Spot(bridge.table.next, 8, 860, height=CHART_HEIGHT)
    waterfall(book, bridge.table.sheet, (first - 1, first, last, BASE), caption, spot)
    bridge.table.next += CHART_ROWS


def bridge_ties(bridge: Bridge | None) -> Iterator[Row]:
    """The steps lead from one fleet's sum to the other's."""
    if bridge is not None:
        last = bridge.drawn + len(bridge.names)
        found = at(LEVEL, last, COMPARE), float(sum([sum(bridge.before), *(bridge.steps[i] for i in bridge.order)]))
        expected = at(TO, bridge.sums, COMPARE), float(sum(bridge.after))
        yield Row("Steps of the bridge lead to the cheapest", COMPARE, found, expected, bridge.unit)
