"""What whole periods do to terms and tax years that do not fit into them."""

from __future__ import annotations

from collections.abc import Iterator

from tco.result import Alert, FleetResult, Result
from tco.scenario.schema import Scenario
from tco.wording import plain

TERMS = {
    "service_life": "life", "contract_term": "lease", "warranty": "warranty", "lead_time": "lead time",
    "loan_term": "loan", "depreciation_life": "depreciation",
}  # fmt: skip
"""Times that count in whole periods, rounded up."""


def rounded_terms(result: Result, fleet: FleetResult) -> Iterator[Alert]:
    """A term that ends within a period counts to the period's end, which a finer step would not do."""
    step = result.timeline.months_per_period / 12
    terms = {word: fleet.inputs[name] for name, word in TERMS.items() if name in fleet.inputs}
    held = {word: figure.number for word, figure in terms.items() if figure.is_one}
    told = [
        f"{word} of {plain(years)} yr counts as {plain(-(-years // step) * step)}"
        for word, years in held.items()
        if abs(years / step - round(years / step)) > 1e-9 and years < result.timeline.periods * step
    ]
    if told:
        why = f"terms count in whole periods, here of a {result.timeline.step}"
        yield Alert("rounded-up", fleet.id, f"{why}: {', '.join(told)}; a shorter `step` comes nearer")


def split_tax_years(result: Result, scenario: Scenario) -> Iterator[Alert]:
    """A period that lies in two tax years counts in the one in which it closes."""
    months, finance = result.timeline.months_per_period, scenario.finance
    by_year = finance.tax_losses == "carry_forward" or (
        finance.depreciation and (finance.depreciation.method in ("macrs", "table") or _at_once(scenario))
    )
    begins = result.timeline.fiscal_start
    off = (result.timeline.start[1] - begins) % months
    if finance.basis == "after_tax" and by_year and off:
        told = f"a {result.timeline.step} from month {result.timeline.start[1]} on lies across tax years from month"
        told += f" {begins} on, or their quarters; each counts where it closes"
        yield Alert("tax-year", "", f"{told}; state `step: month`, another `start` or `fiscal_year_start`")


def _at_once(scenario: Scenario) -> bool:
    stated = scenario.finance.depreciation
    return stated is not None and (stated.expensing is not None or stated.bonus is not None)
