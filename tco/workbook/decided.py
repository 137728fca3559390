"""The sheet Decisions: what the scenario asks under `analysis`, as issued, with an alert when that may be stale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tco.decisions import words
from tco.decisions.decisions import Decisions
from tco.decisions.flips import Beyond, Flip
from tco.decisions.solve import Solved
from tco.decisions.tables import Axis, Values
from tco.decisions.tornado import KEPT, RANGE, doubts
from tco.workbook.book import Book, Sheet, quoted
from tco.workbook.checks import Alerts
from tco.workbook.furniture import alarm, heading, page
from tco.workbook.plan import Plan
from tco.workbook.styles import SHARE, number_format

FRESH, STALE = "As issued: costs are what they were then.", "May be stale: costs changed since issue."
FIRST, WIDTHS = 6, (60, 18, 16, 16, 22, 16, 22, 16, 16, 16)
Cell = float | str
Rows = list[list[Cell]]


def write_decisions(book: Book, sheet: Sheet, plan: Plan, found: Decisions, alerts: Alerts) -> None:
    """Numbers only: a sheet repeats no search. The base of each is what was issued."""
    told = "Goal seek, tables over inputs and flip points that the scenario asks for: figures of the engine, not live."
    heading(sheet, "Decisions", told, at_column=3)
    sheet.formula(4, 0, f"IF(SUM({alerts.changed})=0,{quoted(FRESH)},{quoted(STALE)})", FRESH, "left")
    alarm(sheet, 4, 0, STALE)
    row = FIRST
    for title, heads, rows, notes, *look in _parts(plan, found):
        row = _part(sheet, row, title, heads, rows, notes, *look)
    sheet.widths(WIDTHS)
    sheet.raw.freeze_panes(2, 1)
    page(book, sheet, plan, repeat=(1, 2))


Part = tuple[str, Sequence[Cell], Rows, list[str]] | tuple[str, Sequence[Cell], Rows, list[str], str]


def _part(
    sheet: Sheet, row: int, title: str, heads: Sequence[Cell], rows: Rows, notes: list[str], look: str = ""
) -> int:
    """A titled table with its notes; the row after it. Words stand left, numbers right, these in one look if given."""
    sheet.text(row, 0, title, "section")
    wordy = [all(isinstance(cells[column], str) for cells in rows) for column in range(len(heads))]
    for column, head in enumerate(heads):
        style = "heading inside" if wordy[column] else "heading right"
        _cell(sheet, row + 1, column, head, style if column else "heading", "")
    for cells in rows:
        for column, cell in enumerate(cells):
            style = "wrapped" if wordy[column] else "wrapped right"
            _cell(sheet, row + 2, column, cell, style if column else "label wrapped", look)
        row += 1
    for note in notes:
        sheet.text(row + 2, 0, note, "quiet")
        row += 1
    return row + 4


def _cell(sheet: Sheet, row: int, column: int, cell: Cell, style: str, look: str) -> None:
    if isinstance(cell, str):
        sheet.text(row, column, cell, style)
    else:
        sheet.number(row, column, cell, ("issued", look or number_format("", "", [cell])))


def _parts(plan: Plan, found: Decisions) -> Iterator[Part]:
    for one in found.solved:
        yield _solved(plan, one)
    for table in found.tables:
        yield _values(table)
    if found.flips is not None:
        yield _flips(plan, found.flips)
    if found.spider:
        legs = found.spider.legs
        rows: Rows = [[leg.label, *(_end(leg.up[at]) for at in (0, -1)), leg.across[0], leg.across[-1]] for leg in legs]
        heads = ("Number", "Unit cost at low end", "At high end", "Low end", "High end")
        yield f"Relative change of the unit cost of {found.spider.fleet}", heads, rows, [KEPT], SHARE


def _end(value: float | None) -> Cell:
    return "cannot do the work" if value is None else value


def _solved(plan: Plan, one: Solved) -> Part:
    turns = one.answer.turns[: words.MOST]
    told = words.rows(one, plan.result)
    rows: Rows = [[text, one.one.unit, turn.value] for turn, (_, text) in zip(turns, told, strict=True)]
    notes = [words.verdict(one), f"{words.now(one)}; looked for {words.ends(one, one.answer)}", words.how(one)]
    return words.title(one), ("What changes there", "Unit", "Value"), rows, notes


def _values(one: Values) -> Part:
    heads: list[Cell] = [_named(one.rows), "Unit"]
    heads += list(one.columns.values) if one.columns else [one.unit or "Value"]
    rows: Rows = [
        [f"{value:g} {one.rows.one.unit}".strip(), one.unit, *cells]
        for value, cells in zip(one.rows.values, one.cells, strict=True)
    ]
    line = f"{one.line} of {one.fleet}" if one.fleet else "Which fleet is recommended"
    across = f" and, across, {_named(one.columns)}" if one.columns else ""
    base = f"{one.now:g}" if isinstance(one.now, float) else one.now
    kept = "deployments kept as they were chosen" if one.kept else "deployments chosen anew in each cell"
    return f"{line} over {_named(one.rows)}{across}", heads, rows, [f"base as issued: {base} {one.unit}".strip(), kept]


def _named(axis: Axis) -> str:
    return f"{axis.one.text}, {axis.one.unit}" if axis.one.unit else axis.one.text


def _flips(plan: Plan, found: Sequence[Flip]) -> Part:
    heads = ("Number", "Unit", "Now", "Changes below", "To", "Changes above", "To", "Looked from", "Looked to")
    rows: Rows = [
        [
            f"{one.label} of {one.fleet}" if one.fleet else one.label,
            plan.unit_words(one.unit) if one.single else "factor",
            one.now, *_side(one.below), *_side(one.above), one.low, one.high,
        ]
        for one in found
    ]  # fmt: skip
    notes = [f"{KEPT}; looked for {RANGE}", *(f"{one.label}: {text}" for one in found for text in doubts(one))]
    return f"Where another fleet than {plan.result.recommended} is recommended", heads, rows, notes


def _side(side: Beyond | None) -> tuple[Cell, Cell]:
    if side is None:
        return "none", ""
    return side.value, f"{side.to or 'no fleet'}{' (in doubt)' if side.doubt else '' if side.equal else ' (a jump)'}"
