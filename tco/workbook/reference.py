"""The sheet Reference: live NPV, IRR and paybacks of each fleet against the reference, and the flows they read."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tco.analysis.compare import MOMENTS
from tco.result import FleetResult
from tco.workbook.book import Book, Sheet, letters, span
from tco.workbook.flows import Array
from tco.workbook.furniture import heading, page
from tco.workbook.places import OPENING, REFERENCE, sheet_of
from tco.workbook.plan import Plan
from tco.workbook.reference_column import STEP, Against
from tco.workbook.reference_days import factor_of, years_of
from tco.workbook.reference_rows import BLOCKS, CLOSES, FACTOR, HEAD, MOMENT, OPENS, RUNS, YEARS, Layout, Line
from tco.workbook.styles import TABS

Formula = Callable[[int], str]
"""Of a moment, counted from 0."""
LOOKS = {"timing": "0.00", "alone": "0"}
TOLD = "Told when the flag is 0"


def write_reference(book: Book, plan: Plan, against: Against) -> None:
    """Figures first, then what decides them, then the flows."""
    layout = against.layout
    if not layout.fleets:
        return
    sheet = book.sheet(REFERENCE, TABS["presentation"])
    about = "What a fleet saves against the reference, at each moment; positive saves. Live: it follows your edits."
    heading(sheet, f"Against the reference {layout.base.id}", about, at_column=MOMENT + 4)
    sheet.texts(HEAD, 0, ["Figure", "Unit", "", "", "", ""], "heading")
    sheet.texts(HEAD, FACTOR + 1, layout.columns, "heading right")
    sheet.text(HEAD, layout.words, TOLD, "heading inside")
    _figures(sheet, plan, against)
    flows = _Flows(sheet, plan, against)
    for name in layout.blocks:
        flows.write(name)
    width = max(12.0, plan.number_width)
    sheet.widths([52, 9, 9, 9, 9, 10, *[width] * len(layout.columns), 60])
    sheet.raw.freeze_panes(HEAD, FACTOR + 1)
    page(book, sheet, plan, repeat=(1, HEAD))


def _figures(sheet: Sheet, plan: Plan, against: Against) -> None:
    layout, made = against.layout, {name: column.made for name, column in against.columns.items()}
    for title, lines in layout.sections.items():
        _section(sheet, layout, layout.titles[title], title)
        for item in lines:
            row = layout.rows[item.name]
            unit = plan.unit_words(item.unit)
            sheet.text(row, 0, item.label.replace(" (flag)", ""), "label wrapped")
            sheet.text(row, YEARS, unit, "unit")
            sheet.text(row, layout.words, item.told, "wrapped quiet")
            cells = {name: made[name][item.name] for name in made if item.name in made[name]}
            look = plan.look(item.name, item.unit, [value for _, value in cells.values()])
            for name, (formula, value) in cells.items():
                role = "headline wrapped" if item.name in plan.result.comparison[name] else "right"
                sheet.formula(row, layout.columns[name], formula, value, (role, look))
            _given(sheet, plan, against, item)


def _given(sheet: Sheet, plan: Plan, against: Against, item: Line) -> None:
    """Numbers as issued, and why a fleet has none."""
    layout = against.layout
    for fleet in plan.result.fleets:
        row, column = layout.rows[item.name], layout.columns[fleet.id]
        told = plan.result.comparison.get(fleet.id, {})
        column_of = against.columns.get(fleet.id)
        number = layout.issued(item.name, column_of.irr) if column_of else None
        if number is not None:
            sheet.number(row, column, number, ("structure", LOOKS.get(item.name, "0.0000%")))
        elif column_of is None and item.name in told:
            sheet.text(row, column, str(told[item.name]["reason"]), "wrapped right")


def _section(sheet: Sheet, layout: Layout, row: int, title: str) -> None:
    sheet.text(row, 0, title, "section")
    sheet.blank(row, range(1, layout.words + 1), "section")


class _Flows:
    """Blocks with a row a moment and a column a fleet; one formula a column."""

    def __init__(self, sheet: Sheet, plan: Plan, against: Against) -> None:
        layout = against.layout
        self.sheet, self.plan, self.layout, self.columns = sheet, plan, layout, against.columns
        self.paid = {fleet.id: layout.grid.paid(fleet) for fleet in (layout.base, *layout.fleets)}

    def write(self, name: str) -> None:
        """A title, an opening row of zeros, and the moments."""
        title, first = self.layout.titles[name], self.layout.rows[name]
        _section(self.sheet, self.layout, title, f"{BLOCKS[name]}, in {self.plan.unit_words('money')}")
        self._axis(name, title, first)
        fleets = (self.layout.base, *self.layout.fleets) if name == "paid" else self.layout.fleets
        numbers = {fleet.id: self._values(name, fleet) for fleet in fleets}
        look = self.plan.look("", "money", [])
        for fleet in fleets:
            column = self.layout.columns[fleet.id]
            self.sheet.number(first - 1, column, 0.0, ("structure", look))
            for moment, value in enumerate(numbers[fleet.id].tolist()):
                formula = self._formula(name, fleet, moment)
                self.sheet.formula(
                    first + moment, column, formula, value, ("link" if name == "paid" else "number", look)
                )

    def _axis(self, name: str, title: int, first: int) -> None:
        grid, rate = self.layout.grid, self.plan.input_cell(self.layout.base, "discount_rate")
        timing = self.plan.input_cell(self.layout.base, "timing")
        self.sheet.texts(title, MOMENT + 1, ["Years"], "section")
        self.sheet.text(first - 1, MOMENT, "Before the first moment", "quiet")
        if name == "paid":
            self.sheet.texts(title, OPENS, ["Opens", "Runs", "Closes", "Factor"], "section")
        factors = grid.factors(self.layout.rate, self.layout.timing)
        for moment in range(grid.count):
            row = first + moment
            self.sheet.number(row, MOMENT, moment + 1.0, "line number")
            years = years_of(self.plan, self.layout, row, moment) if grid.by_days else f"(A{row}-1)*half*{STEP}"
            self.sheet.formula(row, YEARS, years, float(grid.years[moment]), ("number", "0.000"))
            if name == "paid":
                for column, places in ((OPENS, grid.opens), (RUNS, grid.runs), (CLOSES, grid.closes)):
                    self.sheet.number(row, column, float(places[moment] + 1), ("structure", "0"))
                moved = f"(1+{rate})^-(B{row}+(D{row}>1)*(half-{timing})*{STEP})"
                if grid.by_days:
                    moved = factor_of(rate, timing, row, runs=bool(grid.runs[moment]))
                self.sheet.formula(row, FACTOR, moved, float(factors[moment]), ("number", "0.0000"))

    def _values(self, name: str, fleet: FleetResult) -> Array:
        return self.paid[fleet.id] if name == "paid" else getattr(self.columns[fleet.id].flow, name)

    def _formula(self, name: str, fleet: FleetResult, moment: int) -> str:
        column = letters(self.layout.columns[fleet.id])
        row = {block: self.layout.rows[block] + moment for block in self.layout.blocks}
        if name == "paid":
            return "+".join(self._looked_up(fleet, row["paid"]))
        if name == "saved":
            return f"{letters(self.layout.columns[self.layout.base.id])}{row['paid']}-{column}{row['paid']}"
        before = f"{column}{row[name] - 1}"
        if name == "solved":
            return self._solved(column, row["saved"], row["paid"])
        if name == "solved_sum":
            return f"{before}+{column}{row['solved']}"
        factor = f"*$F{row['paid']}" if name == "present" else ""
        return f"{before}+{column}{row['saved']}{factor}"

    def _solved(self, column: str, saved: int, paid: int) -> str:
        """What is saved through a period stands beside it; in days not beside a moment of another period."""
        by = 1 if self.layout.timing else -1
        beside = f"{column}{saved + by}"
        if self.layout.grid.by_days:
            beside = f"($D{paid + by}>1)*{beside}" if paid + by > self.layout.rows["paid"] else "0"
        return f"IF($D{paid}=1,{column}{saved}+{beside},0)"

    def _looked_up(self, fleet: FleetResult, row: int) -> Iterator[str]:
        """What is paid when the period opens, through it and when it closes; place 1 is the empty opening column."""
        for moment, place in zip(MOMENTS, "CDE", strict=True):
            if moment in fleet.model.lines:
                cells = span(OPENING, self.plan.last, self.plan.rows[fleet.id][moment], sheet=sheet_of(fleet.id))
                yield f"INDEX({cells},${place}{row})"
