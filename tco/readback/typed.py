"""What was typed into the cells of inputs: taken as a number, or refused by name with what is wanted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tco.readback.align import Alignment
from tco.readback.altered import EQUAL
from tco.readback.edited import Day, Edited, Held, Place, Wrong, cell_text, outside
from tco.readback.formulas import cells_of
from tco.readback.issued import SOURCE_COLUMN, Issued, input_name, value_places
from tco.readback.offered import follows_offers, offer_prices, price_cell
from tco.scenario.gather import COUNTS
from tco.scenario.paths import Path
from tco.wording import shortened
from tco.workbook.book import Formula
from tco.workbook.places import INPUTS, InputPlace
from tco.workbook.plan import label_of

_PERCENT = re.compile(r"\s*([-+]?[0-9]+(?:[.,][0-9]+)?)\s*%\s*")
_COMMA = re.compile(r"\s*([-+]?[0-9]+),([0-9]+)\s*")
_THOUSAND = re.compile(r"\s*([-+]?[0-9]+(?:[.,][0-9]+)?)\s*([kKM])\s*")
_BEGINNING = re.compile(r"\s*([-+]?[0-9]+(?:\.[0-9]+)?)(?![0-9,.])")


@dataclass
class Change:
    """One value that was typed. `refused` says why it cannot be used; `where` where the old one stands.

    `path` is that of a unit price in an offer, which feeds no input by itself.
    """

    place: InputPlace
    cell: str
    old: float
    new: float | None
    unit: str
    label: str
    index: int = 0
    period: str = ""
    refused: str = ""
    notes: list[str] = field(default_factory=list[str])
    source: str = ""
    where: str = ""
    path: Path = ()

    @property
    def owner(self) -> str:
        """The fleet, or all of them."""
        return self.place.owner or "all fleets"

    @property
    def name(self) -> str:
        """The input's name, with the period or the row of a table where it has several values."""
        return f"{self.place.name} {self.period}".strip()


def typed_cells(issued: Issued) -> set[Place]:
    """All cells of inputs in the issued workbook, and beside them those that are free to write into."""
    periods = issued.result.timeline.periods
    own = _own(issued)
    found = {cell for place in own for cell in value_places(place, periods)}
    found |= {price_cell(place) for place, _, _ in offer_prices(issued)}
    return found | {(INPUTS, place.row, 8) for place in issued.plan.inputs.values()}


def changes(edited: Edited, issued: Issued, alignment: Alignment) -> list[Change]:
    """Every input whose cell does not hold what was issued."""
    typed = [change for place in _own(issued) for change in _of_input(place, edited, issued, alignment)]
    return [*typed, *_offered(edited, issued, alignment)]


def _own(issued: Issued) -> list[InputPlace]:
    """Inputs that hold their own number: the others are formulas, which follow the offers on Quotes."""
    return [place for place in issued.plan.inputs.values() if not follows_offers(issued, place.owner, place.name)]


def _offered(edited: Edited, issued: Issued, alignment: Alignment) -> Iterator[Change]:
    """Unit prices of offers that are not those of the scenario."""
    for place, path, currency in offer_prices(issued):
        cell = price_cell(place)
        here = alignment.edited(cell) or _by_name(edited, input_name(place.name, ""))
        change = Change(place, cell_text(here or cell), place.figure.number, None, currency, place.given.label)
        change.path = path
        _take(change, edited.value(here), edited.computed(here), here)
        if change.new is None or not _equal(change.new, change.old):
            yield change


def _of_input(place: InputPlace, edited: Edited, issued: Issued, alignment: Alignment) -> Iterator[Change]:
    numbers = _numbers(place)
    unit = issued.plan.line_unit(place.given, place.name)
    labels = issued.result.timeline.labels
    name = input_name(place.name, place.owner)
    for index, cell in enumerate(value_places(place, len(numbers))):
        here = alignment.edited(cell) or (_by_name(edited, name) if index == 0 else None)
        held, told = edited.value(here), cell_text(here or cell)
        if isinstance(held, float) and not isinstance(held, Day) and _equal(held, numbers[index]):
            continue
        change = Change(place, told, numbers[index], None, unit, label_of(place.given), index)
        if place.given.shape != "one":
            change.period = labels[index] if place.given.shape == "series" else f"row {index + 1}"
        change.source = _own_source(cell, edited, issued, alignment)
        _take(change, held, edited.computed(here), here)
        if change.new is None or not _equal(change.new, change.old):
            yield change


def _numbers(place: InputPlace) -> list[float]:
    value = place.figure.value
    if not isinstance(value, tuple):
        return [float(value)]
    return [float(item[1] if isinstance(item, tuple) else item) for item in value]


def _equal(one: float, two: float) -> bool:
    return abs(one - two) <= EQUAL * max(abs(one), abs(two))


def _by_name(edited: Edited, name: str) -> Place | None:
    refers = edited.names.get(name)
    return cells_of(refers) if refers else None


def _own_source(cell: Place, edited: Edited, issued: Issued, alignment: Alignment) -> str:
    """What was written over the source of the row."""
    place = (INPUTS, cell[1], SOURCE_COLUMN)
    now, before = edited.value(alignment.edited(place)), issued.cells[INPUTS].get(place[1:])
    written = isinstance(now, str) and not isinstance(now, Formula | Wrong)
    return " ".join(str(now).split()) if written and now != before and str(now).strip() else ""


def _take(change: Change, held: Held | None, computed: Held | None, here: Place | None) -> None:
    """The number that counts, or why there is none."""
    if isinstance(held, Formula):
        held = _of_formula(change, held, computed)
        if change.refused:
            return
    if here is None:
        change.refused = "the cell is gone: neither its row nor its name is there"
    elif held is None:
        change.refused = f"is empty; wanted {wanted(change)}"
    elif isinstance(held, Wrong):
        change.refused = f"read {held}; wanted {wanted(change)}"
    elif isinstance(held, Day):
        change.refused = f"read a date; wanted {wanted(change)}"
    elif isinstance(held, str):
        change.refused = f"read the text `{shortened(held, 40)}`; {_hint(change, held)}wanted {wanted(change)}"
    else:
        _bounded(change, held)


def _of_formula(change: Change, formula: Formula, computed: Held | None) -> Held | None:
    told = f"`={shortened(formula, 60)}`"
    if outside(formula):
        change.refused = f"holds {told}, which reads another workbook; type the number"
    elif not isinstance(computed, float):
        stored = "no value is stored" if computed is None else f"gives `{shortened(str(computed), 30)}`"
        change.refused = f"holds {told}, for which {stored}; type the number"
    else:
        change.notes.append(f"holds {told}; the stored value is taken")
    return computed


def wanted(change: Change) -> str:
    """A number in the unit of the row, with an example: the issued one."""
    unit = "" if change.unit in ("1", "flag") else f" in {change.unit}"
    return f"a number{unit}, such as {change.old:.6g}"


def _hint(change: Change, text: str) -> str:
    """What the text may have meant, where there is only one reading."""
    percent, comma, thousand = _PERCENT.fullmatch(text), _COMMA.fullmatch(text), _THOUSAND.fullmatch(text)
    if percent:
        number = float(percent[1].replace(",", "."))
        return f"did you mean {number if '%' in change.unit else number / 100:g}? "
    if comma and len(comma[2]) != 3:
        return f"did you mean {float(f'{comma[1]}.{comma[2]}'):g}? "
    if thousand:
        return f"did you mean {float(thousand[1].replace(',', '.')) * (1e6 if thousand[2] == 'M' else 1e3):.12g}? "
    begins = _BEGINNING.match(text)
    return f"did you mean {float(begins[1]):g}? " if begins else ""


def _bounded(change: Change, number: float) -> None:
    """Refuse what is beyond what the input can be; tell what is beyond its range."""
    given, figure = change.place.given, change.place.figure
    change.new = number
    low, high = given.minimum, given.maximum
    told = f"{change.old:g}" if given.unit == "" else f"{change.old:g} {change.unit}"
    if (high is not None and number > high) or (low is not None and number < low):
        share = high == 1 and 1 < number <= 100
        hint = f"; did you mean {number / 100:g} ({number:g} %)?" if share else f" (issued: {told})"
        bound = f"above {high:g}" if high is not None and number > high else f"below {low:g}"
        change.refused = f"{number:g}{f' ({100 * number:,.6g} %)' if share else ''} is {bound}{hint}"
    elif change.place.name in COUNTS and number != round(number):
        change.refused = f"{number:g} is not a whole number; wanted {wanted(change)}"
    elif figure.low is not None and figure.high is not None and not figure.low <= number <= figure.high:
        change.notes.append(f"outside its stated range {figure.low:g} to {figure.high:g}")
    elif figure.low is not None and number < figure.low:
        change.notes.append(f"below its stated low {figure.low:g}")
    elif figure.high is not None and number > figure.high:
        change.notes.append(f"above its stated high {figure.high:g}")
    if change.old and not change.refused and abs(number) > 30 * abs(change.old):
        change.notes.append(f"more than 30 times what was issued; the unit is {change.unit}")
