"""Rates that need lines of their own: those that change over time, and a discount rate that is stated in real terms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tco.declare import Given, Line
from tco.figures import Figure
from tco.scenario.paths import Path
from tco.scenario.problems import Problems
from tco.scenario.schema import Scenario
from tco.vocabulary import compound, lag, maximum, one

if TYPE_CHECKING:
    from tco.scenario.gather import Fitted

ALONG = ("inflation", "wage_growth", "hardware_trend", "rent_trend", "api_trend", "electricity_escalation")
"""Rates that only compound from the start to the opening of a period."""

ONE_RATE = {
    "demand_growth": "a demand that grows unevenly is a `ramp` of the workload",
    "discount_rate": "one rate discounts the horizon",
    "loan_rate": "a loan has one rate",
    "lease_rate": "a lease has one rate",
}
"""Rates that a list would not chain."""

CHAPTER = "currencies"


def keep(
    name: str, figure: Figure, item: Given, scenario: Scenario, problems: Problems, place: Path, fitted: Fitted
) -> None:
    """A figure as it is; a path of rates, or a real rate, with the lines that make of it what the model reads."""
    if name == "discount_rate" and scenario.finance.discount_rate_is == "real":
        _add(fitted, "real_discount_rate", figure, *_from_real(item))
    elif name in ALONG and not figure.is_one:
        _add(fitted, f"{name}_path", figure, *along_path(name, item))
    else:
        fitted.figures[name] = figure
        if not figure.is_one and (why := ONE_RATE.get(name)):
            problems.add(place, f"{name} ({item.label}) is a list, which would not be chained; {why}; state one number")


def _add(fitted: Fitted, name: str, figure: Figure, lines: list[Line], givens: dict[str, Given]) -> None:
    fitted.extra += lines
    fitted.extra_givens |= givens
    fitted.figures[name] = figure


def _from_real(item: Given) -> tuple[list[Line], dict[str, Given]]:
    """Amounts are nominal, so that a real rate is brought to them by the inflation of the scenario."""
    name = "real_discount_rate"

    def nominal(**operands: Any) -> Any:
        return operands[name] + operands["inflation"] + operands[name] * operands["inflation"] * one("yr")

    line = Line(
        "discount_rate", item.unit, f"{item.label}, nominal", nominal, (name, "inflation"),
        doc="Exactly, by Fisher: both compound.", chapter=CHAPTER, place=CHAPTER,
    )  # fmt: skip
    return [line], {name: Given(item.unit, f"{item.label}, real", name=name, chapter=CHAPTER, scope=item.scope)}


def along_path(name: str, item: Given) -> tuple[list[Line], dict[str, Given]]:
    """The lines that stand in place of an input, and the path that they read: a rate holds through its period."""
    path, level = f"{name}_path", f"{name}_level"

    def reached(**operands: Any) -> Any:
        return lag(operands[level], opening=1) * compound(lag(operands[path]), operands["period"])

    def mean(**operands: Any) -> Any:
        time = one("yr") * one("yr") / maximum(operands["opening_time"], operands["period"])
        return (compound((operands[level] - 1) / one("yr"), time) - 1) / one("yr")

    lines = [
        Line(level, "", f"{item.label}: level over the start's", reached, (level, path, "period"),
             doc="Each period opens where the rates before it have led.", chapter=CHAPTER, place=CHAPTER),
        Line(name, item.unit, f"{item.label}, mean since the start", mean, (level, "opening_time", "period"),
             doc="The one rate that leads to the same level.", chapter=CHAPTER, place=CHAPTER),
    ]  # fmt: skip
    stated = Given(item.unit, f"{item.label}, in the period", name=path, chapter=CHAPTER, scope=item.scope, minimum=-1)
    return lines, {path: stated}
