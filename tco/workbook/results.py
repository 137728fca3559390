"""The results block: the same rows on every calculation sheet, first because then their numbers are equal."""

from __future__ import annotations

from collections.abc import Callable

from tco.model import TracedLine
from tco.result import CATEGORIES, HEADLINES, PER_PERIOD, VERDICTS, FleetResult
from tco.workbook.book import Book, Sheet, Value, at, letters, quoted, span
from tco.workbook.places import CONSTANT, FIRST, LABEL, TOTAL, UNIT
from tco.workbook.plan import Plan, label_of
from tco.workbook.styles import Style
from tco.workbook.values import FleetValues, added
from tco.workbook.verdicts import shown_as

ABSENT, UNDEFINED = "n/a", "not defined"
AMOUNTS = ("energy", "carbon")
"""Physical lines with a total over the periods."""
LABELS = {
    "all_flags": ("All of these hold", "flag"),
    "costs_shown": ("Costs are shown (the first three hold)", "flag"),
    "verdict": ("Verdict", "word"),
    "ranked": ("Takes part in the ranking", "flag"),
    "cash": ("All categories", "money"),
    "cumulative_cash": ("All categories, summed so far", "money"),
}


def write_results(book: Book, sheet: Sheet, plan: Plan, fleet: FleetResult, values: FleetValues) -> None:
    """Links to the lines below, guarded: a fleet that cannot run shows its verdict instead of costs."""
    block = _Results(book, sheet, plan, fleet, values)
    block.title(min(plan.results.values()) - 1, "Results: verdict (links to the blocks below)")
    block.verdict()
    block.title(plan.results[HEADLINES[0]] - 1, "Results: headline")
    for name in HEADLINES:
        block.headline(name)
    block.title(plan.results[CATEGORIES[0]] - 1, "Results: cost by category")
    for name in CATEGORIES:
        block.series(name, total=True)
    block.cash()
    block.title(plan.results[PER_PERIOD[0]] - 1, "Results: by period")
    for name in PER_PERIOD:
        block.series(name, total=name in AMOUNTS)


def spoken(name: str) -> str:
    """A name as a label: for a line that no fleet has."""
    return name.replace("_", " ").capitalize()


class _Results:
    def __init__(self, book: Book, sheet: Sheet, plan: Plan, fleet: FleetResult, values: FleetValues) -> None:
        self.book, self.sheet, self.plan, self.fleet, self.values = book, sheet, plan, fleet, values
        self.flags, self.all, self.shown, self.word = shown_as(fleet)
        self.guard = f"IF({at(CONSTANT, plan.results['costs_shown'])}=1,{{}},{at(CONSTANT, plan.results['verdict'])})"
        self.categories = dict[str, list[Value]]()

    def title(self, row: int, text: str) -> None:
        self.sheet.text(row, 0, text, "section")
        self.sheet.blank(row, range(1, self.plan.last + 2), "section")

    def row(self, name: str, label: str, unit: str) -> int:
        row = self.plan.results[name]
        self.sheet.text(row, LABEL, label, "label wrapped")
        self.sheet.text(row, UNIT, unit, "unit")
        self.sheet.text(row, self.plan.last + 1, name, "quiet")
        return row

    def own(self, name: str, formula: str, value: Value, style: Style = "flag") -> None:
        label, unit = LABELS[name]
        self.sheet.formula(self.row(name, label, unit), CONSTANT, formula, value, style)

    def verdict(self) -> None:
        first, places = min(self.plan.results.values()), self.plan.rows[self.fleet.id]
        for name, word in VERDICTS:
            item = self.fleet.model.lines.get(name)
            row = self.row(name, label_of(item) if item else spoken(name), "flag")
            if item:
                place = f"MIN({self.plan.periods_of(places[name])})" if item.series else at(CONSTANT, places[name])
                self.sheet.formula(row, CONSTANT, place, self.flags[name], "flag")
            elif self.flags[name] == 0:
                self.sheet.number(row, CONSTANT, 0.0, "flag")
                self.sheet.text(row, FIRST, f"{word}: found before any line was computed", "quiet")
            else:
                self.absent(row, CONSTANT, name)
        flags = span(CONSTANT, CONSTANT, first, first + len(VERDICTS) - 1)
        self.own("all_flags", f"MIN(1,{flags})", self.all)
        self.own("costs_shown", f"MIN(1,{span(CONSTANT, CONSTANT, first, first + 2)})", self.shown)
        words = f"INDEX({self.plan.verdict_words},MATCH(0,{flags},0))"
        self.own("verdict", f'IF({at(CONSTANT, self.plan.results["all_flags"])}=1,"ok",{words})', self.word, "words")
        alone = self.fleet.unit_cost_only and not self.plan.result.headline
        self.own("ranked", "0" if alone else at(CONSTANT, self.plan.results["all_flags"]), 0.0 if alone else self.all)

    def absent(self, row: int, column: int, name: str) -> None:
        self.sheet.text(row, column, ABSENT, "absent")
        reason = self.fleet.model.absent.get(name, "does not apply to this fleet")
        self.sheet.text(row, FIRST, reason, "quiet")

    def item(self, name: str) -> TracedLine | None:
        return self.fleet.model.lines.get(name)

    def label(self, name: str, find: Callable[[FleetResult], TracedLine | None]) -> tuple[str, str]:
        """Label and unit, from another fleet where this one has no such line."""
        items = [find(self.fleet), *(find(other) for other in self.plan.result.fleets)]
        item = next((item for item in items if item), None)
        return (label_of(item), self.plan.line_unit(item)) if item else (spoken(name), ABSENT)

    def headline(self, name: str) -> None:
        label, unit = self.label(name, lambda fleet: fleet.model.lines.get(name))
        row, item = self.row(name, label, unit), self.item(name)
        if item is None:
            self.absent(row, CONSTANT, name)
            return
        place = self.plan.rows[self.fleet.id][name]
        source = at(CONSTANT, place) if not item.series else f"SUM({self.plan.periods_of(place)})"
        raw = self.values.one(name) if not item.series else added(self.values.series(name))
        told = UNDEFINED if self.shown == 1 else self.word
        value = raw if self.shown == 1 and isinstance(raw, float) else told
        shown, verdict = (at(CONSTANT, self.plan.results[one]) for one in ("costs_shown", "verdict"))
        text = f"IF({shown}*ISNUMBER({source})=1,{source},CHOOSE({shown}+1,{verdict},{quoted(UNDEFINED)}))"
        self.sheet.formula(row, CONSTANT, text, value, ("link", self.plan.look(name, unit, [raw])))
        self.book.name(f"out_{name}_{self.fleet.id.replace('-', '_')}", self.plan.result_cell(self.fleet, name))

    def series(self, name: str, *, total: bool) -> None:
        label, unit = self.label(name, lambda fleet: fleet.model.lines.get(name))
        row, item = self.row(name, label, unit), self.item(name)
        if item is None:
            self.absent(row, TOTAL, name)
            return
        place = self.plan.rows[self.fleet.id][name]
        numbers = self.values.series(name)
        source = f"{{c}}{place}" if item.series else at(CONSTANT, place)
        self.across(row, source, numbers, ("link", self.plan.look(name, unit, numbers)))
        if name in CATEGORIES:
            self.categories[name] = numbers
        if total:
            self.total(row, numbers, unit)

    def across(self, row: int, source: str, numbers: list[Value], look: Style) -> None:
        shown = numbers if self.shown == 1 else [self.word] * len(numbers)
        self.sheet.across(row, FIRST, self.guard.replace("{}", source), shown, look)

    def total(self, row: int, numbers: list[Value], unit: str) -> None:
        text = self.guard.format(f"SUM({self.plan.periods_of(row)})")
        shown = added(numbers) if self.shown == 1 else self.word
        role = "total" if row == self.plan.results["cash"] else "row total"
        self.sheet.formula(row, TOTAL, text, shown, (role, self.plan.look("", unit, [added(numbers)])))

    def cash(self) -> None:
        first, last = (self.plan.results[name] for name in (CATEGORIES[0], CATEGORIES[-1]))
        columns = [
            added([numbers[index] for numbers in self.categories.values()]) for index in range(self.plan.periods)
        ]
        so_far = [added(columns[: index + 1]) for index in range(self.plan.periods)]
        unit = self.plan.unit_words("money")
        row = self.row("cash", LABELS["cash"][0], unit)
        self.across(row, f"SUM({{c}}{first}:{{c}}{last})", columns, ("total", self.plan.look("", unit, columns)))
        self.total(row, columns, unit)
        below = self.row("cumulative_cash", LABELS["cumulative_cash"][0], unit)
        text = f"SUM(${letters(FIRST)}{row}:{{c}}{row})"
        self.across(below, text, so_far, ("number", self.plan.look("", unit, so_far)))
