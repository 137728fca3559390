"""A value of an input as a reader sees it: with its unit, a rate in per cent, of a series the factor."""

from __future__ import annotations

from tco.export import shown_unit
from tco.result import FleetResult
from tco.wording import plain


def written(fleet: FleetResult, name: str, value: float, currency: str) -> str:
    """A value of a fleet's input, or the factor on its series."""
    figure = fleet.inputs[name]
    return amount(value, figure.unit, currency) if figure.is_one else f"× {plain(value)}"


def amount(value: float, unit: str, currency: str) -> str:
    """A number with its unit."""
    if unit == "1/yr":
        return f"{plain(value * 100)} %/yr"
    return f"{plain(value)} {shown_unit(unit, currency)}".strip()
