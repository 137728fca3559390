"""Verdicts as the sheets compute them, and what a headline divides by."""

from __future__ import annotations

from typing import Any, NamedTuple

from tco.result import NULLING, VERDICTS, FleetResult, Result
from tco.units import conversion, unit


class Standing(NamedTuple):
    """A fleet's flags ("n/a" where it has none), whether all hold, whether costs are shown (1 or 0), its verdict."""

    flags: dict[str, float | str]
    holds: float
    shown: float
    verdict: str


def shown_as(fleet: FleetResult) -> Standing:
    """The verdict block as its formulas compute it."""
    flags: dict[str, float | str] = {}
    for name, word in VERDICTS:
        if name in fleet.model.lines:
            flags[name] = float(min(fleet.values[name].reshape(-1)))
        else:
            flags[name] = 0.0 if fleet.verdict == word else "n/a"
    numbers = {name: flag for name, flag in flags.items() if isinstance(flag, float)}
    deciding = [flag for name, flag in numbers.items() if dict(VERDICTS)[name] in NULLING]
    verdict = next((word for name, word in VERDICTS if flags[name] == 0), "ok")
    return Standing(flags, min([1.0, *numbers.values()]), min([1.0, *deciding]), verdict)


OUTPUTS = {
    "cost_per_million_useful_tokens": "useful_tokens",
    "cost_per_useful_training_step": "useful_training_steps",
}
"""What a headline divides by, undiscounted."""


def unit_cost_factors(result: Result) -> dict[str, int]:
    """Constants that turn money over useful output into the unit of the headline."""
    line = OUTPUTS.get(result.headline or "", "")
    for fleet in result.fleets:
        if result.headline in fleet.model.lines and line in fleet.model.lines:
            money: Any = unit("money")
            return conversion(money / fleet.model.lines[line].unit, fleet.model.lines[result.headline].unit) or {}
    return {}
