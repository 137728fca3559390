"""A native waterfall: stacked bars of which the first is unseen, over columns that say what each bar is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tco.workbook.book import Book, Sheet, at, clean, span
from tco.workbook.charts import FONT, GRID, Caption
from tco.workbook.styles import NAVY

LABEL, EFFECT, PART, AFTER = range(4)
FIRST_HELPER = 5
RISE, FALL = "#C55A11", "#2E75B6"
COLOURS = {"Was and is": NAVY, "Rises": RISE, "Falls": FALL, "Rises below 0": RISE, "Falls below 0": FALL}
LARGE = 1e5
ABOVE = ("Unseen", "Was and is", "Rises", "Falls")
BELOW = ("Rises below 0", "Falls below 0")
WIDTH, HEIGHT_OF_BAR, HEIGHT_ROUND = 830, 27, 110
NEAR_ENOUGH = 0.5
"""Where all bars end above this share of the highest, the axis begins higher than at 0, and says so."""


@dataclass(frozen=True)
class Running:
    """Where the number stands after each effect."""

    start: float
    effects: Sequence[float]
    after: tuple[float, ...]

    @classmethod
    def of(cls, start: float, effects: Sequence[float]) -> Running:
        """Added in order, as the cells do."""
        found = list[float]()
        for effect in effects:
            found.append((found[-1] if found else start) + effect)
        return cls(start, effects, tuple(found))

    @property
    def end(self) -> float:
        """The start with the sum of all effects."""
        return self.start + sum(self.effects)

    @property
    def places(self) -> tuple[float, ...]:
        """Everywhere the number stands."""
        return (self.start, *self.after)

    @property
    def names(self) -> tuple[str, ...]:
        """The columns behind the chart."""
        return (*ABOVE, *BELOW) if min(self.places) < 0 else ABOVE

    @property
    def axis_start(self) -> float | None:
        """Where the axis begins, if not at 0."""
        low, high = min(self.places), max(self.places)
        if low <= NEAR_ENOUGH * high or low <= 0 or high == low:
            return None
        rough = low - (high - low) / 4
        unit = 10.0 ** (int(f"{high - low:e}".split("e")[1]) - 1)
        return int(rough / unit) * unit


def _parts(before: float, after: float) -> dict[str, float]:
    """What a step's bar is made of, as the formulas of `helpers` say."""
    up = after >= before
    above, below = max(after, 0) - max(before, 0), min(before, 0) - min(after, 0)
    return {
        "Unseen": max(min(before, after), 0) + min(max(before, after), 0),
        "Rises": above if up else 0.0,
        "Falls": 0.0 if up else -above,
        "Rises below 0": below if up else 0.0,
        "Falls below 0": 0.0 if up else -below,
    }


def helpers(sheet: Sheet, running: Running, labels: Sequence[str], first: int, decimals: int, look: str) -> None:
    """The columns behind the chart, beside the table whose columns are label, effect, share and running number."""
    heads = ("label", *(name.lower() for name in running.names))
    sheet.texts(first - 1, FIRST_HELPER, [f"Chart: {name}" for name in heads], "heading right")
    sheet.text(first - 2, FIRST_HELPER, "Decimals of labels", "wrapped right")
    sheet.number(first - 2, FIRST_HELPER + 1, float(decimals), ("structure", "0"))
    end, style = first + len(running.effects) + 1, ("step", look)
    for row, number, label in ((first, running.start, labels[0]), (end, running.end, labels[-1])):
        _label(sheet, row, AFTER, (label, number, decimals), first)
        sheet.formula(row, FIRST_HELPER + 1 + ABOVE.index("Was and is"), at(AFTER, row), number, style)
    pairs = zip(running.places, running.after, labels[1:], running.effects, strict=False)
    for row, (before, now, label, effect) in enumerate(pairs, first + 1):
        _label(sheet, row, EFFECT, (label, effect, decimals), first)
        parts, formulas = _parts(before, now), _formulas(at(AFTER, row - 1), at(AFTER, row))
        for column, name in enumerate(running.names, FIRST_HELPER + 1):
            if name in formulas:
                sheet.formula(row, column, formulas[name], parts[name], style)
    sheet.widths([40, *[13] * len(running.names)], FIRST_HELPER)


def _formulas(one: str, two: str) -> dict[str, str]:
    """What a step's bar is made of, from the cells before and after it."""
    return {
        "Unseen": f"MAX(MIN({one},{two}),0)+MIN(MAX({one},{two}),0)",
        "Rises": f"IF({two}>={one},MAX({two},0)-MAX({one},0),0)",
        "Falls": f"IF({two}>={one},0,MAX({one},0)-MAX({two},0))",
        "Rises below 0": f"IF({two}>={one},MIN({one},0)-MIN({two},0),0)",
        "Falls below 0": f"IF({two}>={one},0,MIN({two},0)-MIN({one},0))",
    }


def _label(sheet: Sheet, row: int, column: int, told: tuple[str, float, int], first: int) -> None:
    """The bar's name with its number, so that small bars can be read too."""
    label, number, decimals = told
    cell, plus = at(column, row), f'IF({at(column, row)}>0,"+","")&' if column == EFFECT else ""
    sign = "+" if plus and number > 0 else ""
    formula = f'{plus}FIXED({cell},{at(FIRST_HELPER + 1, first - 2)})&"  "&{at(LABEL, row)}'
    sheet.formula(row, FIRST_HELPER, formula, f"{sign}{number:,.{decimals}f}  {label}", "wrapped right")


def waterfall(
    book: Book, sheet: Sheet, running: Running, caption: Caption, rows: tuple[int, int, int]
) -> None:  # fmt: skip
    """The chart; `rows` are those of the start, of the end, and where it stands."""
    first, end, place = rows
    chart: Any = book.raw.add_chart({"type": "bar", "subtype": "stacked"})
    for column, name in enumerate(running.names, FIRST_HELPER + 1):
        chart.add_series(
            {
                "name": name,
                "categories": f"={span(FIRST_HELPER, FIRST_HELPER, first, end, sheet.name)}",
                "values": f"={span(column, column, first, end, sheet.name)}",
                "fill": {"color": COLOURS[name]} if name in COLOURS else {"none": True},
                "border": {"none": True},
                "gap": 40,
            }
        )
    _axes(chart, running, caption.unit)
    chart.set_title({"name": caption.title, "name_font": {**FONT, "size": 11, "bold": True}, "overlay": False})
    chart.set_legend({"none": True})
    chart.set_size({"width": WIDTH, "height": height(running)})
    sheet.raw.insert_chart(place - 1, 0, chart, {"description": clean(caption.words, 1000), "object_position": 2})


def _axes(chart: Any, running: Running, unit: str) -> None:
    """Bars from the top, and numbers below; where the axis begins is said."""
    start = running.axis_start
    told = f"{unit}: orange rises, blue falls"
    told += "" if start is None else f"; the axis begins at {start:,.6g}, not at 0"
    chart.set_y_axis({"num_font": FONT, "label_position": "low", "reverse": True, "crossing": "max"})
    limits = {} if start is None else {"min": start}
    axis = {"name": told, "name_font": {**FONT, "bold": False}, "num_font": FONT, "major_gridlines": GRID}
    large = max(abs(place) for place in running.places) >= LARGE
    chart.set_x_axis({**axis, **limits, "num_format": "#,##0" if large else "General", "line": {"none": True}})


def height(running: Running) -> int:
    """Of the chart, in pixels."""
    return HEIGHT_ROUND + HEIGHT_OF_BAR * (len(running.effects) + 2)
