"""Tables on the sheet Inputs: what their columns say, for those who have not read the model."""

from __future__ import annotations

from dataclasses import dataclass

from tco.workbook.book import Sheet, at, span
from tco.workbook.places import INPUTS, VALUE_COLUMN, InputPlace
from tco.workbook.plan import Plan
from tco.workbook.values import every_part

START, STEP, ABOUT = 4, 5, 6


@dataclass(frozen=True)
class Words:
    """What a table is, and the heads of its columns."""

    about: str
    value: str = "Value"
    start: str = "From"


def words_of(plan: Plan, place: InputPlace) -> Words:
    """Tables by age are described by name, others by the unit of their rows."""
    if place.name == "resale_share":
        about = (
            "Table by age, filled in from the scenario's points: straight between the stated ages, 100 % at purchase."
        )
        return Words(about, "At the close", "Age at opening, periods")
    if place.given.from_unit == "yr":
        return Words(f"{_source(place)}: 0 is the tax year of the purchase.", "Written off", "Age, tax years")
    if place.name == "retired_share":
        return Words(
            "Table by age: the share of the price in the last period of a life.", "At the close", "Age, periods"
        )
    if place.name == "bought_out_share":
        return Words("Table by age: as that of the second-hand value, nothing before the buy-out.", "At the close",
                     "Age at opening, periods")  # fmt: skip
    if place.name == "declining_share":
        return Words("Table by age: 0 is the period of the purchase.", "Written off", "Age, periods")
    return Words(f"Table, from in {plan.unit_words(place.given.from_unit)}")


def _source(place: InputPlace) -> str:
    """What table it is: that of a law, or the scenario's own."""
    told = place.figure.source
    return told if told.startswith("IRS") else "Table by tax year"


def table_head(sheet: Sheet, plan: Plan, place: InputPlace) -> None:
    """The row above a table."""
    words, row = words_of(plan, place), place.row - 1
    sheet.text(row, 1, words.about, "wrapped quiet")
    sheet.texts(row, VALUE_COLUMN, [words.value, words.start, "Step"], "heading right")
    sheet.text(row, ABOUT, f"Step: the change from the row above; {_read(plan, place)}", "wrapped quiet")


def _read(plan: Plan, place: InputPlace) -> str:
    clocks = {
        (fleet.id, part.args[2].name): plan.every_age(fleet, place.name, part.args[2].name)
        for fleet in plan.result.fleets
        if place.name in fleet.model.inputs and plan.input(fleet, place.name) is place
        for item in fleet.model.lines.values()
        if place.name in item.parents
        for part in every_part(item.expression)
        if part.op == "by_age" and part.args[1].name == place.name
    }
    if clocks and all(clocks.values()):
        return "for information, formulas read the value"
    return "what formulas read"


def step_formula(place: InputPlace, index: int) -> str:
    """The change from the row above."""
    row = place.row + index
    return f"{at(VALUE_COLUMN, row)}-{at(VALUE_COLUMN, row - 1)}" if index else at(VALUE_COLUMN, row)


def by_age(plan: Plan, place: InputPlace) -> bool:
    """Whether a row of the table is an age, which is not for editing."""
    return any(
        part.op == "by_age" and part.args[1].name == place.name
        for fleet in plan.result.fleets
        for item in fleet.model.lines.values()
        if place.name in item.parents
        for part in every_part(item.expression)
    )


def columns(place: InputPlace) -> dict[str, str]:
    """Ranges of a table by the last word of their names."""
    last = place.row + place.rows - 1
    found = {"value": VALUE_COLUMN, "from": START, "step": STEP}
    return {word: span(column, column, place.row, last, INPUTS) for word, column in found.items()}
