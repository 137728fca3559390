"""docs/validation.md from the cases, so that it cannot be stale. Write it: python -m tests.cases.validation"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ruamel.yaml import YAML

from tests.cases.published import RULES, Case, Value, absent, cases
from tests.money.finance_cases import CASES as FINANCIAL
from tests.work.published_runs import published

PAGE = Path(__file__).parents[2] / "docs" / "validation.md"
HEAD = """\
# Published cases, and what tco says

Each case is a scenario in `tests/cases/scenarios/`; the figures stand in `tests/cases/*.yaml` with the arithmetic by
hand, which the engine must meet to 1e-9. "Printed" is what the source prints, "ours" what the engine computes.
This page is generated: `python -m tests.cases.validation`; a test compares it.

"""


def page() -> str:
    """The whole page."""
    figures = [value for case in cases() for value in case.values]
    wrong, differs = (sum(value.rule == rule for value in figures) for rule in ("wrong_in_print", "differs"))
    count = (
        f"{len(cases())} cases with {len(figures)} figures. In {wrong} the source is wrong; not reproduced: {differs}; "
        f"the others agree. {len(absent())} rows at the end name what cannot be said yet.\n"
    )
    return HEAD + count + "".join(_section(case) for case in cases()) + _finance() + _runs() + _absent()


RUNS = """
## Speed of published training runs, without their MFU

Each run is given as its authors do (GPUs, precision, batch, sequence, parallelism and framework where known), not the
share of the peak that it reached; `tests/work/training_published.yaml` holds them, `test_training_published.py` there
the bounds. Printed and ours are tokens a second and GPU. None is a row of the fit, relatives of some are. GPU-hours
hold lost time too, which ours do not. "Band": whether the print lies in our 80 % band. `recalled`: written from
memory, to be checked against the source.

| run | printed | ours | error | band | status | source |
| --- | ---: | ---: | ---: | --- | --- | --- |
"""


def _runs() -> str:
    """Tokens a second and GPU."""
    rows = [
        f"| `{run.id}` | {_shown(round(run.printed, 1))} | {_shown(round(run.ours, 1))} | {100 * run.error:+.0f} % "
        f"| {'inside' if run.in_band else 'outside'} | {run.status} | {run.source} |\n"
        for run in published()
    ]
    return RUNS + "".join(rows)


FINANCE = """
## Finance, as libraries and spreadsheets compute it

Each case is a scenario of flows, loans and prices in `tests/money/finance_cases.py`; ours is the tool's number to 1e-9.
Bills of nine real tariffs, as PySAM prices them, are in `tests/tariff/bills.yaml`.

| case | tool | printed | ours |
| --- | --- | ---: | ---: |
"""
LEFT_OUT = """
Not reproduced, because the convention is another one or the inputs are not stated:

| case | why |
| --- | --- |
"""


ORACLES = """
## Generated cases, beside NREL's System Advisor Model

`make oracle` installs NREL-PySAM (a package of tests alone, with a lock file of its own) and runs `tests/oracles/`, as
continuous integration does. Hypothesis generates the cases; each file names what the generator avoids, and why.

- `Utilityrate5`: 120 tariffs, as files of the Utility Rate Database, with a year of hourly power. Prices by hours or by
  steps of energy (kWh a month or day, kWh/kW), demand of the month and by hours, ratchets, contracted power, fixed
  charges, least bills. Energy, demand, fixed and least bill of each month agree to 1e-9.
- `Singleowner`: 40 purchases. MACRS, straight line or a table, bonus, loans in level or equal repayments, resale,
  falling output, inflation. Flow, write-off, tax, interest and repayment of each year, net present value and cost of a
  unit agree to 1e-9; the rate of return to 1e-5, since SAM's search ends there.

SAM differs by convention in: energy steps under hours of use (the first once a month, here once in every period),
ratchets over the year's end (a month more), charges a day (365/12 a month), the least bill of a year (in December),
write-offs beyond the horizon (lost, here deducted at disposal), inflation beside escalation (added, here compound).
"""


def _finance() -> str:
    """What tools of finance say, beside the engine."""
    rows = [
        f"| `{case.case}` | {case.tools} | {_listed(case.printed)} | {_listed(case.ours())} |\n" for case in FINANCIAL
    ]
    left = YAML(typ="safe").load((PAGE.parents[1] / "tests" / "money" / "left_out.yaml").read_text(encoding="utf-8"))
    absences = (f"| {row['case']} | {row['why']} |\n" for row in left)
    return "".join([FINANCE, *rows, LEFT_OUT, *absences, ORACLES])


def _listed(values: Sequence[float]) -> str:
    return "; ".join(_shown(value) for value in values)


COLUMNS = "| figure | unit | printed | ours | how |\n| --- | --- | ---: | ---: | --- |\n"


def _section(case: Case) -> str:
    where = f"`{case.case}`, scenario `{case.scenario}.yaml`. Source: {case.source}"
    rows = "".join(f"{_row(value)}\n" for value in case.values)
    return f"\n## {case.title}\n\n{where}\n\n{case.how.strip()}\n\n{COLUMNS}{rows}"


def _row(value: Value) -> str:
    how = RULES[value.rule] if not isinstance(value.printed, str) else "as stated"
    told = f"{how}: {value.why}" if value.why else how
    return f"| {value.what} | {value.unit} | {_shown(value.printed)} | {_shown(value.computed())} | {told} |"


def _shown(value: float | str) -> str:
    """Seven digits: more than any source prints, fewer than two machines could disagree on; large amounts to 0.01."""
    if isinstance(value, str):
        return value
    if value and not 1e-3 <= abs(value) < 1e12:
        return f"{value:.6e}"
    whole = len(f"{abs(value):.0f}") if abs(value) >= 1 else 0
    text = f"{value:,.{max(7 - whole, 2)}f}"
    return text.rstrip("0").rstrip(".")


def _absent() -> str:
    rows = [f"| `{row['case']}` | {row['source']} | {row['why']} |" for row in absent()]
    return "\n".join(["", "## Not expressible yet", "", "| case | source | why |", "| --- | --- | --- |", *rows, ""])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
