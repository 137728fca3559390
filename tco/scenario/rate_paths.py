"""Rates that change over time: a list of yearly rates becomes a level, and the mean rate that leads to it."""

from __future__ import annotations

from typing import Any

from tco.declare import Given, Line
from tco.vocabulary import compound, lag, maximum, one

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
