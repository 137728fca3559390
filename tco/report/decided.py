"""What the scenario asks under `analysis`: goal seek, flip points, tables over inputs, the spider."""

from __future__ import annotations

from typing import Any

from tco.decisions import words
from tco.decisions.amounts import amount
from tco.decisions.decisions import Decisions
from tco.decisions.flips import Beyond, Flip
from tco.decisions.solve import Solved
from tco.decisions.spider import Leg, Spider
from tco.decisions.tables import Axis, Cell, Values, place_now
from tco.decisions.tornado import KEPT, RANGE, doubts
from tco.report.charts import Chart
from tco.report.curve import HEIGHT, PLOT, WIDTH
from tco.report.facts import Facts
from tco.report.tables import Cell as Shown
from tco.report.tables import Table, head, number, table
from tco.wording import even, percent, plain, shortened


def decided(facts: Facts) -> dict[str, Any] | None:
    """All answers as tables and a chart; None where nothing is asked."""
    found = facts.result.decisions
    if found is None or not found.any:
        return None
    return {
        "solved": [_solved(facts, one) for one in found.solved],
        "flips": _flips(facts, found),
        "still": _still(facts, found),
        "tables": [_values(facts, one) for one in found.tables],
        "spider": chart(facts, found.spider) if found.spider else None,
        "legs": _legs(found.spider) if found.spider else None,
    }


def _solved(facts: Facts, found: Solved) -> Table:
    rows = [[head(value), Shown(told)] for value, told in words.rows(found, facts.result)]
    rows = rows or [[head("–"), Shown(words.verdict(found))]]
    more = len(found.answer.turns) - words.MOST
    cut = f" {more} more places: see the JSON." if more > 0 else ""
    note = f"{_sentence(words.verdict(found))} Looked for {words.ends(found, found.answer)}; {words.now(found)}."
    return table(words.title(found), (found.one.text, "What changes there"), rows,
                 note=f"{note}{cut} {_sentence(words.how(found))}", style="prose", point=False)  # fmt: skip


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _flips(facts: Facts, found: Decisions) -> Table | None:
    if found.flips is None:
        return None
    turning = [one for one in found.flips if one.below or one.above]
    rows = [
        [
            head(one.label, one.fleet or "all that share it"),
            Shown(_amount(facts, one, one.now), "n"),
            Shown(_side(facts, one, one.below)),
            Shown(_side(facts, one, one.above)),
        ]
        for one in turning
    ]
    note = f"{_sentence(KEPT)} Looked for {RANGE}; a dash: nothing changes on that side."
    told = [f" {one.label}: {text}." for one in turning for text in doubts(one)]
    heads = ("Number", "Now", "Below this value", "Above this value")
    caption = f"Where another fleet than {facts.result.recommended} is recommended"
    return table(caption, heads, rows, note=note + "".join(told), style="prose", point=False)


def _still(facts: Facts, found: Decisions) -> Table | None:
    """Numbers that change nothing, and between which values that was looked at."""
    still = [one for one in found.flips or () if not (one.below or one.above)]
    rows = [
        [
            head(one.label, one.fleet or "all that share it"),
            *(Shown(_amount(facts, one, value), "n") for value in (one.now, one.low, one.high)),
        ]
        for one in still
    ]
    caption = f"Between these values {facts.result.recommended} stays recommended"
    return table(caption, ("Number", "Now", "From", "To"), rows, point=False) if rows else None


def _amount(facts: Facts, one: Flip, value: float) -> str:
    return amount(value, one.unit, facts.currency) if one.single else f"× {plain(value)}"


def _side(facts: Facts, one: Flip, side: Beyond | None) -> str:
    if side is None:
        return "–"
    if side.doubt:
        return f"in doubt: {_amount(facts, one, side.value)}"
    to = f"{side.to} costs less" if side.to else "no fleet can do the work"
    why = "" if side.equal else "; today's cannot do the work" if side.lost else "; a jump"
    return f"{_amount(facts, one, side.value)}: {to}{why}"


def _values(facts: Facts, found: Values) -> Table:
    """Rows and columns as they are asked, today's in bold."""
    numbers = [cell for row in found.cells for cell in row if isinstance(cell, float)]
    form = even(numbers)
    across = found.columns
    heads = [_named(found.rows), *(_at(across, value) for value in across.values)] if across else [
        _named(found.rows), caption_of(found)]  # fmt: skip
    rows = [
        [head(_at(found.rows, value)), *(_cell(cell, form, found.unit) for cell in cells)]
        for value, cells in zip(found.rows.values, found.cells, strict=True)
    ]
    over = f" over {found.rows.one.text}" + (f" (down) and {across.one.text} (across)" if across else "")
    marks = ["best" if place_now(found.rows) == at else "" for at in range(len(rows))]
    kept = "Deployments kept as they were chosen" if found.kept else "Deployments chosen anew in each cell"
    note = f"{kept}; every cell is a run of the scenario. Today: {_told(found)}."
    return table(f"{caption_of(found)}{over}", heads, rows, note=note, marks=marks)


def caption_of(found: Values) -> str:
    """The line with its fleet and unit."""
    if not found.fleet:
        return "Which fleet is recommended"
    unit = f", {found.unit}" if found.unit else ""
    return f"{found.line} of {found.fleet}{unit}"


def _named(axis: Axis) -> str:
    return f"{axis.one.text}, {axis.one.unit}" if axis.one.unit else axis.one.text


def _at(axis: Axis, value: float) -> str:
    return plain(value) + (" (today)" if value == axis.now else "")


def _cell(cell: Cell, form: Any, unit: str) -> Shown:
    return number(cell, form, unit) if isinstance(cell, float) else Shown(str(cell))


def _told(found: Values) -> str:
    return f"{plain(found.now)} {found.unit}".strip() if isinstance(found.now, float) else str(found.now)


# --- the spider ---


def chart(facts: Facts, found: Spider) -> Chart:
    """A line a driver through today."""
    ups = [value for leg in found.legs for value in leg.up if value is not None]
    low, high = min([*ups, 0.0]), max([*ups, 0.0])
    wide = max(abs(value) for leg in found.legs for value in leg.across)
    plot = {**PLOT, "right": PLOT["right"] - 170}

    def x(value: float) -> float:
        return plot["left"] + (value + wide) / (2 * wide) * (plot["right"] - plot["left"])

    def y(value: float) -> float:
        return plot["bottom"] - (value - low) / ((high - low) or 1.0) * (plot["bottom"] - plot["top"])

    lines = [_line(leg, at, x, y) for at, leg in enumerate(found.legs)]
    _spread(lines, plot["top"], plot["bottom"])
    data: dict[str, Any] = {
        "lines": lines, "plot": plot, "zero": (x(0.0), y(0.0)),
        "widths": [{"at": x(part * wide), "label": percent(part * wide)} for part in (-1, -0.5, 0, 0.5, 1)],
        "heights": [{"at": y(one), "label": percent(one)} for one in _marks(low, high)],
    }  # fmt: skip
    told = "; ".join(f"{leg.label}: {_leg_told(leg)}" for leg in found.legs)
    title = f"Change of the unit cost of {found.fleet} against the change of each number"
    finding = f"In bold: what moves it most in the tornado, {found.legs[0].label}."
    finding += f" A line breaks off where {found.fleet} cannot do the work as asked."
    return Chart("spider", title, told, finding, WIDTH, HEIGHT, data)


def _legs(found: Spider) -> Table:
    """What is drawn, at the ends and half way."""
    rows = list[list[Shown]]()
    for leg in found.legs:
        middle = len(leg.across) // 2
        cells = [Shown(_reached(leg, at), "n") for at in (0, middle // 2, middle + middle // 2, -1)]
        rows.append([head(leg.label), *cells])
    heads = ("Number", "At the low end", "Half way down", "Half way up", "At the high end")
    note = f"Change of the unit cost of {found.fleet}, in brackets that of the number."
    return table(f"How the unit cost of {found.fleet} follows", heads, rows, note=note, point=False)


def _reached(leg: Leg, at: int) -> str:
    up = leg.up[at]
    return f"{'cannot do the work' if up is None else percent(up)} ({percent(leg.across[at])})"


def _line(leg: Leg, at: int, x: Any, y: Any) -> dict[str, Any]:
    where = {"path": _path(leg, x, y), "y": _end(leg, y), "from": _end(leg, y), "at": x(_last(leg))}
    return {"label": shortened(leg.label, 38), "dash": at % 4, "told": _leg_told(leg), **where}


def _marks(low: float, high: float) -> list[float]:
    """Heights that are labelled; those too near to zero are not."""
    tall = (high - low) or 1.0
    return [0.0, *(one for one in (low, low / 2, high / 2, high) if abs(one) > tall / 12)]


def _path(leg: Leg, x: Any, y: Any) -> str:
    told, pen = list[str](), "M"
    for across, up in zip(leg.across, leg.up, strict=True):
        if up is not None:
            told.append(f"{pen}{x(across):.1f} {y(up):.1f}")
        pen = "M" if up is None else "L"
    return "".join(told)


def _end(leg: Leg, y: Any) -> float:
    return float(y(next((value for value in reversed(leg.up) if value is not None), 0.0)))


def _last(leg: Leg) -> float:
    """How far it goes."""
    pairs = zip(leg.across, leg.up, strict=True)
    return max((across for across, up in pairs if up is not None), default=0.0)


def _leg_told(leg: Leg) -> str:
    ends = ((leg.across[0], leg.up[0]), (leg.across[-1], leg.up[-1]))
    return ", ".join(
        f"{'cannot do the work' if up is None else percent(up)} at {percent(across)}" for across, up in ends
    )


def _spread(lines: list[dict[str, Any]], top: float, bottom: float) -> None:
    """Names that would lie on each other move apart, from the top down, then back above the floor."""
    ordered = sorted(lines, key=lambda line: float(line["y"]))
    least = top
    for line in ordered:
        line["y"] = max(line["y"], least)
        least = line["y"] + 15
    most = bottom
    for line in reversed(ordered):
        line["y"] = min(line["y"], most)
        most = line["y"] - 15
