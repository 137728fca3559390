"""One fleet's column on the sheet Reference: formulas with the values that they give."""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray

from tco.analysis.compare import flow_signs, modified_rate, rate_of_return
from tco.result import FleetResult
from tco.workbook.book import Value, at, letters, span
from tco.workbook.flows import Flow, Short
from tco.workbook.places import FIRST, FRAME, TIME
from tco.workbook.plan import Plan
from tco.workbook.reference_days import modified_of, step_of, steps, time_of
from tco.workbook.reference_rows import MOMENT, NOT_SHOWN, RUNS, STEPS, YEARS, Layout
from tco.workbook.verdicts import shown_as

Made = tuple[str, Value]
STEP = at(FIRST, FRAME["period"], TIME)


class Against:
    """Where everything stands on the sheet Reference, and the columns of its fleets."""

    def __init__(self, plan: Plan) -> None:
        self.layout = Layout(plan)
        self.columns = {fleet.id: Column(plan, self.layout, fleet) for fleet in self.layout.fleets}


class Column:
    """A fleet that is set against the reference."""

    def __init__(self, plan: Plan, layout: Layout, fleet: FleetResult) -> None:
        self.plan, self.layout, self.fleet = plan, layout, fleet
        self.column = layout.columns[fleet.id]
        base, grid = layout.base, layout.grid
        self.shown = min(shown_as(one).shown for one in (base, fleet))
        saved = grid.paid(base) - grid.paid(fleet)
        self.flow = Flow(saved, grid.factors(layout.rate, layout.timing), layout.timing, grid.runs)
        self.irr, _ = rate_of_return(grid.years, self.flow.solved)
        self.moments, self.count = layout.all_of("paid", MOMENT), f"ROWS({layout.all_of('paid', MOMENT)})"

    @functools.cached_property
    def made(self) -> dict[str, Made]:
        """All rows above the flows."""
        worth = self.flow.present[-1]
        flags = {f"{kind}_compared": self._both_shown() for kind in ("irr", "simple", "discounted")}
        told = at(self.layout.words, self.layout.rows["irr_compared"])
        npv = f"IF({self.cell('irr_compared')}=1,{self._at('present', self.layout.grid.count - 1)},{told})"
        return {
            "npv": (npv, float(worth) if self.shown == 1 else NOT_SHOWN),
            **flags, **self._amounts(), **self._sums("sum", "solved_sum", self.flow.solved_sum), **self._rate(),
            **self._payback("simple", "so_far", self.flow.so_far),
            **self._payback("discounted", "present", self.flow.present),
        }  # fmt: skip

    def cell(self, name: str) -> str:
        """The cell of a row, on the sheet itself."""
        return f"{letters(self.column)}{self.layout.rows[name]}"

    def _at(self, block: str, moment: int) -> str:
        return f"{letters(self.column)}{self.layout.rows[self.layout.block(block)] + moment}"

    def _all(self, block: str) -> str:
        return self.layout.all_of(block, self.column)

    def _both_shown(self) -> Made:
        flags = (self.plan.result_cell(one, "costs_shown") for one in (self.layout.base, self.fleet))
        return "*".join(flags), self.shown

    def _figure(self, kind: str, formula: str, value: float | None, flags: dict[str, float]) -> Made:
        """A figure where all its flags are 1, else what the first that is 0 tells."""
        rows = [self.layout.rows[name] for name in self.layout.flags[kind]]
        cells = span(self.column, self.column, rows[0], rows[-1]).replace("$", "")
        words = f"INDEX({span(self.layout.words, self.layout.words, rows[0], rows[-1])},MATCH(0,{cells},0))"
        told = next((word for name, word in self.layout.flags[kind].items() if flags[name] == 0), "")
        return f"IF(MIN({cells})=1,{formula},{words})", told or float(value or 0.0)

    def _noise(self, block: str, value: float) -> Made:
        cells = self._all(block)
        return f"{self.plan.tolerance}*MAX(MAX({cells}),-MIN({cells}))", value

    # --- IRR ---

    def _amounts(self) -> dict[str, Made]:
        """Where the flow costs and where it saves."""
        row, first_saving = Short(self.flow.solved), self._first_saving
        flow, small, backwards = self._all("solved"), self.cell("noise"), f"({self.count}+1-{self.moments})"
        first = f"{self.count}+1-SUMPRODUCT(MAX(({flow}>{small})*{backwards}))"
        return {
            "noise": self._noise("solved", row.noise),
            "last_cost": (f"SUMPRODUCT(MAX(({flow}<-{small})*{self.moments}))", float(row.last)),
            "first_saving": (first, first_saving),
        }

    @property
    def _first_saving(self) -> float:
        """The first moment that saves, counted from 1; one after the last for none."""
        row = Short(self.flow.solved)
        over = np.flatnonzero(row.row > row.noise)
        return float(over[0] + 1 if over.size else row.row.size + 1)

    def _rate(self) -> dict[str, Made]:
        signs, sums = flow_signs(self.flow.solved), Short(self.flow.solved_sum)
        noise, last, all_sums = self.cell("sum_noise"), self.cell("sum_last"), self._all("solved_sum")
        end = self._at("solved_sum", self.layout.grid.count - 1)
        once = f"({self.cell('last_cost')}<{self.cell('first_saving')})*1"
        later = f"({last}>0)*({self.cell('sum_early')}=0)*{self.cell('sum_over')}"
        both = float(signs.both)
        turns = Short(self.flow.solved).last < self._first_saving
        one = float(turns or signs.pays_back_once or self.irr is not None)
        flags = {"irr_compared": self.shown, "as_issued": 1.0, "both": both, "one": one}
        flags["found"] = float(min(both, one) == 0 or self.irr is not None)
        timing = self.plan.input_cell(self.layout.base, "timing")
        saves = f"({self.cell('first_saving')}<={self.count})"
        solvable = min(both, one) == 1
        rate, right, rows = self._by_steps(solvable=solvable) if self.layout.grid.by_days else self._by_irr()
        return {
            "sum_early": (f"SUMPRODUCT(({all_sums}>{noise})*({self.moments}<{last}))", float(sums.early)),
            "sum_over": (f"({end}>{noise})*1", float(sums.over)),
            "as_issued": (f"IF({timing}={self.cell('timing')},1,0)", 1.0),
            "both": (f"({self.cell('last_cost')}>0)*{saves}", both),
            "one": (f"MAX({once},{later},{self.cell('alone')})", one),
            "found": (f"IF({self.cell('both')}*{self.cell('one')}=0,1,{right})", flags["found"]),
            "irr": self._figure("irr", rate, self.irr, flags),
            **rows, **self._modified(flags),
        }  # fmt: skip

    def _by_irr(self) -> tuple[str, str, dict[str, Made]]:
        """The yearly rate, the flag whether it is one that is told, and rows of their own: none."""
        rate = f"IRR({self._all('solved')},{self.cell('guess')})"
        return f"(1+{rate})^(1/(half*{STEP}))-1", f"N(ISNUMBER(1/({rate}<={self.cell('most')})))", {}

    def _by_steps(self, *, solvable: bool) -> tuple[str, str, dict[str, Made]]:
        """The same in days: what is left at the last step must be nothing."""
        flow, years = self._all("solved"), self.layout.all_of("paid", YEARS)
        cells = [f"(1+{self.cell('guess')})", *(self.cell(f"step_{step}") for step in range(1, STEPS + 1))]
        asked = f"{self.cell('both')}*{self.cell('one')}"
        start = 1 + float(self.layout.issued("guess", self.irr) or 0)
        values = steps(self.flow.solved, self.layout.grid.years, start, solvable=solvable)
        formulas = [step_of(flow, years, before, asked) for before in cells[:-1]]
        rows: dict[str, Made] = {
            f"step_{step}": pair for step, pair in enumerate(zip(formulas, values, strict=True), 1)
        }
        left = f"(ABS(SUMPRODUCT({flow}*{cells[-1]}^-{years}))<={self.cell('noise')})"
        told = f"({cells[-1]}-1<={self.cell('most')})*({cells[-1]}-1>={self.cell('least')})"
        return f"{cells[-1]}-1", f"{left}*{told}", rows

    def _modified(self, flags: dict[str, float]) -> dict[str, Made]:
        """As spreadsheets take it, of half periods: what is spent costs the discount rate."""
        earned, layout = self.layout.reinvested, self.layout
        if earned is None:
            return {}
        years, end = layout.grid.years, float(layout.grid.years[-1])
        value, _ = modified_rate(years, self.flow.solved, finance=layout.rate, reinvestment=earned, end=end)
        if layout.grid.by_days:
            flow, times = self._all("solved"), layout.all_of("paid", YEARS)
            text = modified_of(flow, times, self.plan.input_cell(layout.base, "discount_rate"), self.cell("reinvested"))
            return {"mirr": self._figure("mirr", text, value, flags)}
        finance = f"(1+{self.plan.input_cell(layout.base, 'discount_rate')})^(half*{STEP})-1"
        rate = f"MIRR({self._all('solved')},{finance},{self.cell('reinvested')})"
        return {"mirr": self._figure("mirr", f"(1+{rate})^(1/(half*{STEP}))-1", value, flags)}

    # --- sums and paybacks ---

    def _sums(self, kind: str, block: str, row: NDArray[np.float64]) -> dict[str, Made]:
        sums, below = Short(row), f"({self._all(block)}<-{self.cell(f'{kind}_noise')})"
        return {
            f"{kind}_noise": self._noise(block, sums.noise),
            f"{kind}_last": (f"SUMPRODUCT(MAX({below}*{self.moments}))", float(sums.last)),
        }

    def _payback(self, kind: str, block: str, row: NDArray[np.float64]) -> dict[str, Made]:
        sums, grid = Short(row), self.layout.grid
        flags = {f"{kind}_compared": self.shown, f"{kind}_spent": float(sums.last > 0)}
        flags[f"{kind}_reached"] = float(sums.last < grid.count)
        in_period = 0 < sums.last < grid.count and grid.runs[sums.last] > 0
        part = -sums.missing / sums.gain if in_period else 0.5
        last, part_cell = (self.cell(f"{kind}_{name}") for name in ("last", "part"))
        missing, gain = (self.cell(f"{kind}_{name}") for name in ("missing", "gain"))
        here, after = f"MAX({last},1)", f"MIN({last}+1,{self.count})"
        runs, years = self.layout.all_of("paid", RUNS), self.layout.all_of("paid", YEARS)
        in_time = f"INDEX({years},{here})+{part_cell}*{STEP}"
        before = grid.years[max(sums.last, 1) - 1]
        value = before + part * grid.step
        if grid.by_days:
            in_time = time_of(last, part_cell, self.count, runs, years)
            reached = min(sums.last, grid.count - 1)
            value = before + part * float(grid.lengths[reached]) if in_period else grid.years[reached]
        both = f"{self.cell(f'{kind}_spent')}*{self.cell(f'{kind}_reached')}*(INDEX({runs},{after})>1)"
        return {
            **self._sums(kind, block, row),
            f"{kind}_spent": (f"({last}>0)*1", flags[f"{kind}_spent"]),
            f"{kind}_reached": (f"({last}<{self.count})*1", flags[f"{kind}_reached"]),
            f"{kind}_missing": (f"INDEX({self._all(block)},{here})", sums.missing),
            f"{kind}_gain": (f"INDEX({self._all(block)},{after})-{missing}", sums.gain),
            f"{kind}_part": (f"IF({both}=1,-{missing}/{gain},half)", float(part)),
            f"{kind}_payback": self._figure(kind, in_time, value, flags),
        }
