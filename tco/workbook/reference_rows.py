"""Rows of the sheet Reference: figures against the reference, the flags that decide them, and the flows they read."""

from __future__ import annotations

from typing import NamedTuple

from tco.analysis.compare import NO_SIGN, NOT_REACHED, NOTHING_SPENT, SEVERAL, UNSOLVED
from tco.analysis.returns import HIGHEST_RATE, LOWEST_RATE
from tco.result import FleetResult
from tco.workbook.book import at, letters
from tco.workbook.flows import Grid, compared_fleets
from tco.workbook.places import REFERENCE
from tco.workbook.plan import Plan

HEAD, FIRST_FLEET = 4, 6
MOMENT, YEARS, OPENS, RUNS, CLOSES, FACTOR = range(6)
FIGURES = {
    "npv": "NPV (net present value)",
    "irr": "IRR (internal rate of return)",
    "mirr": "MIRR (modified internal rate of return)",
    "simple_payback": "Simple payback",
    "discounted_payback": "Discounted payback",
}
UNITS = {"npv": "money", "irr": "1/yr", "mirr": "1/yr", "simple_payback": "yr", "discounted_payback": "yr"}
NOT_SHOWN = "not compared: no cost is shown for one of the two"
OTHER_TIMING = "not computed for another discounting convention: run the scenario again"
NOT_NEAR = "not found from the rate as issued on: none solves it, or it lies far; run the scenario again"
STEPS = 12
"""Of Newton, in days: from the rate as issued each moves 1 + rate by at most a factor of e."""


class Line(NamedTuple):
    """A row above the flows: its name, label and unit, and what is told when it is a flag that is 0."""

    name: str
    label: str
    unit: str
    told: str = ""


def _payback_lines(kind: str) -> list[Line]:
    return [
        Line(f"{kind}_compared", "Costs of both are shown (flag)", "flag", NOT_SHOWN),
        Line(f"{kind}_spent", "More is spent at some moment (flag)", "flag", NOTHING_SPENT),
        Line(f"{kind}_reached", "It is back at the end (flag)", "flag", NOT_REACHED.format(kind)),
        Line(f"{kind}_noise", "Noise: smaller sums count as 0", "money"),
        Line(f"{kind}_last", "Last moment at which money is missing, counted from 1; 0 for none", "moment"),
        Line(f"{kind}_missing", "Missing then", "money"),
        Line(f"{kind}_gain", "Saved at the next moment", "money"),
        Line(f"{kind}_part", "Part of the period that pays the rest", "1"),
    ]


SECTIONS: dict[str, list[Line]] = {
    "Results": [Line(name, label, UNITS[name]) for name, label in FIGURES.items()],
    "IRR: the first flag that is 0 is told in its place": [
        Line("irr_compared", "Costs of both are shown (flag)", "flag", NOT_SHOWN),
        Line("as_issued", "Discounting convention as issued (flag)", "flag", OTHER_TIMING),
        Line("both", "The flow costs and saves (flag)", "flag", NO_SIGN),
        Line("one", "One rate solves it (flag)", "flag", SEVERAL),
        Line("found", "The rate is found (flag)", "flag", UNSOLVED),
        Line("noise", "Noise: smaller amounts count as 0", "money"),
        Line("last_cost", "Last moment that costs, counted from 1", "moment"),
        Line("first_saving", "First moment that saves, counted from 1", "moment"),
        Line("sum_noise", "Noise of what is saved so far", "money"),
        Line("sum_last", "Last moment at which money is missing, counted from 1", "moment"),
        Line("sum_early", "Moments before it with money over", "moment"),
        Line("sum_over", "Money is over at the end (flag)", "flag"),
        Line("alone", "One rate alone solved it as issued (flag)", "flag"),
        Line("timing", "Convention as issued: part of a period from a running amount to its end", "1"),
        Line("guess", "Rate a half period at which the search begins, as issued", "1"),
        Line("most", "Highest rate a half period that is told", "1"),
        Line("reinvested", "MIRR: what savings earn to the end, a half period, as issued", "1"),
    ],
    "Simple payback: the first flag that is 0 is told in its place": _payback_lines("simple"),
    "Discounted payback: the first flag that is 0 is told in its place": _payback_lines("discounted"),
}
STEP_LINES = [
    Line("least", "Lowest rate a year that is told", "1"),
    *(Line(f"step_{step}", f"1 + rate, step {step} of Newton", "1") for step in range(1, STEPS + 1)),
]


def sections_of(*, by_days: bool, modified: bool) -> dict[str, list[Line]]:
    """Rows above the flows: in days the rate is found by steps of Newton, of a year in place of a half period."""
    found = {title: lines if modified else _plain(lines) for title, lines in SECTIONS.items()}
    return {title: _in_days(lines) for title, lines in found.items()} if by_days else found


def _in_days(lines: list[Line]) -> list[Line]:
    yearly = [item._replace(label=item.label.replace("a half period", "a year")) for item in lines]
    told = [item._replace(told=NOT_NEAR) if item.name == "found" else item for item in yearly]
    return [*told, *STEP_LINES] if any(item.name == "found" for item in lines) else told


def flags_of(sections: dict[str, list[Line]]) -> dict[str, dict[str, str]]:
    """Flags that decide a figure, in order, with what is told where one is 0."""
    decided = zip(("irr", "simple", "discounted"), list(sections.values())[1:], strict=True)
    flags = {kind: {item.name: item.told for item in lines if item.told} for kind, lines in decided}
    flags["mirr"] = {name: told for name, told in flags["irr"].items() if name not in ("one", "found")}
    return flags


BLOCKS = {
    "paid": "Paid at each moment",
    "saved": "Saved against the reference: positive where the fleet pays less",
    "solved": "The same where the convention of discounting puts it: what IRR reads",
    "solved_sum": "Summed so far, as IRR reads it",
    "so_far": "Saved so far",
    "present": "Saved so far, discounted",
}


def _plain(lines: list[Line]) -> list[Line]:
    """Rows of a scenario that does not say what savings earn."""
    return [item for item in lines if item.name not in ("mirr", "reinvested")]


class Layout:
    """Rows by name, known before the sheet is written, so that Compare can link to it."""

    def __init__(self, plan: Plan) -> None:
        self.fleets = compared_fleets(plan.result)
        self.rows, self.titles = dict[str, int](), dict[str, int]()
        self.columns = {fleet.id: FIRST_FLEET + index for index, fleet in enumerate(plan.result.fleets)}
        self.words = FIRST_FLEET + len(plan.result.fleets)
        if not self.fleets:
            return
        base = plan.result.by_id[plan.result.reference or ""]
        self.base, self.grid = base, Grid(plan.result)
        self.timing, self.rate = (float(base.inputs[name].value) for name in ("timing", "discount_rate"))  # pyright: ignore
        modified = plan.result.reinvestment_rate is not None
        self.sections = sections_of(by_days=self.grid.by_days, modified=modified)
        self.flags = flags_of(self.sections)
        self.reinvested = plan.result.reinvestment_rate
        row = HEAD + 1
        for title, lines in self.sections.items():
            self.titles[title] = row
            for index, item in enumerate(lines, row + 1):
                self.rows[item.name] = index
            row += len(lines) + 1
        for name in self.blocks:
            self.titles[name] = row
            self.rows[name] = row + 2
            row += self.grid.count + 3

    @property
    def blocks(self) -> list[str]:
        """Flows of their own for IRR only where the convention moves what is paid through a period."""
        return [name for name in BLOCKS if self.timing != 0.5 or not name.startswith("solved")]

    def issued(self, name: str, rate: float | None) -> float | None:
        """Numbers of the rows that are no formula: where the search for a rate begins and ends, the convention."""
        if name in ("timing", "alone"):
            return self.timing if name == "timing" else float(rate is not None)
        yearly = {
            "guess": self.rate if rate is None else rate, "most": HIGHEST_RATE, "least": LOWEST_RATE,
            "reinvested": self.reinvested,
        }.get(name)  # fmt: skip
        power = 1.0 if self.grid.by_days else self.grid.step / 2
        return None if yearly is None else float((1 + yearly) ** power - 1)

    def block(self, name: str) -> str:
        """A block that stands for another where the two are the same."""
        return name if name in self.blocks else {"solved": "saved", "solved_sum": "so_far"}[name]

    def cell(self, fleet: FleetResult, name: str) -> str:
        """A fleet's cell of a row, from another sheet."""
        return at(self.columns[fleet.id], self.rows[name], REFERENCE)

    def all_of(self, block: str, column: int) -> str:
        """A column of a block."""
        first = self.rows[self.block(block)]
        name = letters(column)
        return f"{name}${first}:{name}${first + self.grid.count - 1}"
