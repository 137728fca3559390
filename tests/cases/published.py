"""Published cost cases: read from the YAML files beside, computed from their scenarios, judged by each figure's rule.

A case names a scenario and its figures. Each figure has an expression over lines and inputs of the scenario's fleets
(`owned.total_cost / cloud.total_cost`, series by index), the printed number with its last printed place, and the
arithmetic by hand, which must equal ours to 1e-9. Rules:

- `rounds`: ours rounds to the print;
- `one_place`: the source cut a number or added rounded ones: at most one unit of the last place off;
- `one_percent`: the source hides an assumption;
- `at_least`: the source says "more than";
- `wrong_in_print` (the source is wrong) and `differs` (the model lacks something): ours must be the arithmetic and must
  not be the print, so that the day on which it is reproduced is noticed.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from ruamel.yaml import YAML

from tco.result import FleetResult, Result
from tco.session import load

FOLDER = Path(__file__).parent
FILES = ("inference", "apis", "ownership", "training", "carbon", "memory", "finance", "electricity")
NEAR = 1e-9
SLACK = 1 + 1e-9  # a print of 1,013,447 for 1,013,447.5 is a rounding, whichever way the half goes
RULES = {
    "rounds": "rounds to the print",
    "one_place": "one unit of the last printed place",
    "one_percent": "within 1 %",
    "at_least": "not below the print",
    "wrong_in_print": "the print is wrong",
    "differs": "not reproduced",
}


@dataclass(frozen=True)
class Value:
    """One printed figure of a case. `place` is the unit of its last printed place."""

    case: str
    scenario: str
    what: str
    ours: str
    printed: float | str
    unit: str = ""
    place: float = 0.0
    rule: str = "rounds"
    arithmetic: str = ""
    why: str = ""

    def __str__(self) -> str:
        return f"{self.case}: {self.what}"

    def computed(self) -> float | str:
        """What the engine says."""
        value = eval(self.ours, {"__builtins__": {}}, _names(self.scenario))
        return value if isinstance(value, str) else float(value)

    def by_hand(self) -> float:
        """The arithmetic beside it, on numbers alone."""
        known = {"ceil": math.ceil, "sqrt": math.sqrt, "log": math.log, "irr": rate_of, "round": round}
        return float(eval(self.arithmetic, {"__builtins__": {}}, known))

    def differs(self) -> str:
        """What is wrong, or nothing."""
        ours = self.computed()
        if isinstance(ours, str) or isinstance(self.printed, str):
            return "" if ours == self.printed else f"{self}: expected {self.printed!r}, found {ours!r}"
        if self.arithmetic and not math.isclose(ours, self.by_hand(), rel_tol=NEAR, abs_tol=1e-12):
            return f"{self}: by hand {self.by_hand()!r}, found {ours!r}"
        told = f"{self}: {self.rule} {self.printed!r} ± {self.place}, found {ours!r}"
        return "" if self._agrees(ours, self.printed) else told

    def _agrees(self, ours: float, printed: float) -> bool:
        off = abs(ours - printed)
        if self.rule in ("wrong_in_print", "differs"):
            return bool(self.arithmetic) and off > self.place
        if self.rule == "at_least":
            return ours >= printed
        allowed = {"rounds": self.place / 2, "one_place": self.place * 1.5, "one_percent": 0.01 * abs(printed)}
        return off <= allowed[self.rule] * SLACK


def rate_of(flows: list[float]) -> float:
    """The rate a step at which flows at steps 0, 1, 2 … are worth nothing, by bisection."""
    low, high = -0.5, 1.0

    def worth(rate: float) -> float:
        return sum(flow / (1 + rate) ** step for step, flow in enumerate(flows))

    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if worth(low) * worth(middle) <= 0 else (middle, high)
    return (low + high) / 2


@dataclass(frozen=True)
class Case:
    """What a source says, the scenario that says the same, and the figures."""

    case: str
    title: str
    source: str
    scenario: str
    how: str
    values: tuple[Value, ...]


@functools.cache
def cases() -> tuple[Case, ...]:
    """All cases, file by file."""
    return tuple(_case(row) for name in FILES for row in _rows(name))


@functools.cache
def absent() -> tuple[Mapping[str, str], ...]:
    """Cases that no scenario can say yet: case, source, why."""
    return tuple(_rows("not_yet"))


def _rows(name: str) -> Iterator[Any]:
    return iter(YAML(typ="safe").load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8")))


def _case(row: dict[str, Any]) -> Case:
    scenario = row["scenario"]
    values = tuple(Value(row["case"], scenario, **{**value, "ours": str(value["ours"])}) for value in row["values"])
    return Case(row["case"], row["title"], row["source"], scenario, row["how"], values)


@functools.cache
def result_of(scenario: str) -> Result:
    """The scenario, computed once."""
    return load(FOLDER / "scenarios" / f"{scenario}.yaml").run()


class Fleet:
    """Lines, inputs, the comparison with the reference and the verdict of a fleet, by name."""

    def __init__(self, fleet: FleetResult, compared: Mapping[str, Mapping[str, Any]]) -> None:
        self._fleet, self._compared = fleet, compared

    def __getattr__(self, name: str) -> Any:
        if name in ("verdict", "tier", "precision"):
            return getattr(self._fleet, name)
        if name in self._compared:
            return self._compared[name]["value"]
        if name in self._fleet.model.lines:
            shown = self._fleet.shown(name)
            assert shown is not None, f"{self._fleet.id}.{name}: {self._fleet.reason(name)}"
            return shown.tolist() if isinstance(shown, np.ndarray) else shown
        return self._fleet.inputs[name].value


def _names(scenario: str) -> dict[str, Any]:
    result = result_of(scenario)
    fleets = {fleet.id.replace("-", "_"): Fleet(fleet, result.comparison.get(fleet.id, {})) for fleet in result.fleets}
    return {"sum": sum, "round": round, "ceil": math.ceil, **fleets}
