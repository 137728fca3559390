"""Charts: native, with alternative text and values linked to cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tco.palette import COLOURS, HATCHED
from tco.result import NULLING, FleetResult
from tco.workbook.book import Book, Sheet, at, clean, span
from tco.workbook.places import FIRST, PERIOD_END, TIME, sheet_of
from tco.workbook.plan import Plan
from tco.workbook.styles import PALETTE

HEIGHT = 380
FONT = {"name": "Arial", "size": 9, "color": "#333333"}
DASHES = ("solid", "dash", "round_dot")
GRID = {"visible": True, "line": {"color": "#E0E0E0", "width": 0.75}}
NUMBERS = "#,##0.###;-#,##0.###;0"


@dataclass(frozen=True)
class Caption:
    """What a chart says: its title, the unit of its values, and words for those who cannot see it."""

    title: str
    unit: str
    words: str


@dataclass(frozen=True)
class Spot:
    """Where a chart stands and how wide it is, in pixels from the left."""

    row: int
    left: int
    width: int
    column: int = 0
    height: int = HEIGHT


def stacked(book: Book, sheet: Sheet, data: tuple[int, int, int, list[str]], caption: Caption, spot: Spot) -> None:
    """One bar a fleet, one layer a category; `data` is first row, last row, first column, categories."""
    first, last, column, names = data
    chart: Any = book.raw.add_chart({"type": "bar", "subtype": "stacked"})
    for index, name in enumerate(names):
        chart.add_series(
            {
                "name": f"={at(column + index, first - 1, sheet.name)}",
                "categories": f"={span(1, 1, first, last, sheet.name)}",
                "values": f"={span(column + index, column + index, first, last, sheet.name)}",
                **_layer(name),
                "border": {"color": "#FFFFFF", "width": 0.75},
                "gap": 45,
            }
        )
    chart.set_y_axis({"num_font": FONT, "label_position": "low", "reverse": True, "crossing": "max"})
    chart.set_x_axis({**_values(caption), "line": {"none": True}})
    _insert(sheet, chart, caption, spot)


def _layer(name: str) -> dict[str, Any]:
    """A receipt is hatched, as in the report."""
    colour = COLOURS[name].light.upper()
    if name != HATCHED:
        return {"fill": {"color": colour}}
    return {"pattern": {"pattern": "wide_upward_diagonal", "fg_color": colour, "bg_color": "#FFFFFF"}}


def cumulative(
    book: Book, sheet: Sheet, plan: Plan, fleets: list[FleetResult], caption: Caption, spot: Spot
) -> None:  # fmt: skip
    """One line for each fleet that could run when this was issued."""
    chart: Any = book.raw.add_chart({"type": "line"})
    shown = [fleet for fleet in fleets if fleet.verdict not in NULLING and not fleet.unit_cost_only]
    row = plan.results["cumulative_cash"]
    for index, fleet in enumerate(shown):
        dash = DASHES[index // 7 % len(DASHES)]
        chart.add_series(
            {
                "name": fleet.id,
                "categories": f"={span(FIRST, plan.last, PERIOD_END + 1, sheet=TIME)}",
                "values": f"={span(FIRST, plan.last, row, sheet=sheet_of(fleet.id))}",
                "line": {"color": PALETTE[index % 7], "width": 2, "dash_type": dash},
                "smooth": False,
            }
        )
    if shown:
        every = max(1, -(-plan.periods // 6))
        chart.set_x_axis({"num_font": FONT, "label_position": "low", "interval_unit": every, "interval_tick": every})
        chart.set_y_axis({**_values(caption), "line": {"none": True}})
        _insert(sheet, chart, caption, spot)


def tornado(book: Book, sheet: Sheet, data: tuple[int, int, int, int], caption: Caption, spot: Spot) -> None:
    """Two bars a driver from today's value, one over the other; `data` is heads' row, first, last, column of lows."""
    head, first, last, column = data
    chart: Any = book.raw.add_chart({"type": "bar"})
    for side, colour in enumerate((PALETTE[1], PALETTE[3])):
        chart.add_series(
            {
                "name": f"={at(column + side, head, sheet.name)}",
                "categories": f"={span(0, 0, first, last, sheet.name)}",
                "values": f"={span(column + side, column + side, first, last, sheet.name)}",
                "fill": {"color": colour},
                "overlap": 100,
                "gap": 40,
            }
        )
    chart.set_y_axis({"num_font": FONT, "label_position": "low", "reverse": True, "crossing": "max"})
    chart.set_x_axis(_values(caption))
    _insert(sheet, chart, caption, spot)


def waterfall(book: Book, sheet: Sheet, data: tuple[int, int, int, int], caption: Caption, spot: Spot) -> None:
    """Stacked columns on a base without colour; `data` is heads' row, first, last, column of the base."""
    head, first, last, column = data
    chart: Any = book.raw.add_chart({"type": "column", "subtype": "stacked"})
    for place, colour in enumerate(("", PALETTE[0], PALETTE[6], PALETTE[5])):
        chart.add_series(
            {
                "name": f"={at(column + place, head, sheet.name)}",
                "categories": f"={span(0, 0, first, last, sheet.name)}",
                "values": f"={span(column + place, column + place, first, last, sheet.name)}",
                "fill": {"color": colour} if colour else {"none": True},
                "border": {"none": True},
                "gap": 40,
            }
        )
    chart.set_x_axis({"num_font": FONT, "label_position": "low"})
    chart.set_y_axis({**_values(caption), "line": {"none": True}})
    _insert(sheet, chart, caption, spot, hidden=[0])


def _values(caption: Caption) -> dict[str, Any]:
    return {
        "name": caption.unit,
        "name_font": {**FONT, "bold": False},
        "num_font": FONT,
        "num_format": NUMBERS,
        "major_gridlines": GRID,
    }


def _insert(sheet: Sheet, chart: Any, caption: Caption, spot: Spot, hidden: Sequence[int] = ()) -> None:
    """Title, legend without the hidden series, size, alternative text."""
    chart.set_title({"name": caption.title, "name_font": {**FONT, "size": 11, "bold": True}, "overlay": False})
    chart.set_legend({"position": "bottom", "font": FONT, "delete_series": list(hidden)})
    chart.set_size({"width": spot.width, "height": spot.height})
    options = {"description": clean(caption.words, 1000), "object_position": 2, "x_offset": spot.left}
    sheet.raw.insert_chart(spot.row - 1, spot.column, chart, options)
