"""The what-if panel: the lines behind the headline as JavaScript, for the inputs that a reader may move.

Only what depends on a slider is printed, once for all fleets that share it; all else stays the engine's number.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import numpy as np

from tco.figures import Figure
from tco.printers import javascript
from tco.report.facts import Facts
from tco.report.sliders import Slider, sliders
from tco.result import VERDICTS, FleetResult, Result
from tco.wording import clean


@dataclass(frozen=True)
class Panel:
    """The sliders, the script and its hash for the page's policy."""

    sliders: list[Slider]
    script: str
    phrase: str

    @property
    def digest(self) -> str:
        """What the Content-Security-Policy allows: this script and no other."""
        return "sha256-" + base64.b64encode(hashlib.sha256(self.script.encode()).digest()).decode()


def panel(facts: Facts) -> Panel | None:
    """The panel; None where no fleet has a cost or nothing can be moved."""
    found = sliders(facts.result)
    if not found or not facts.ranked:
        return None
    template = files("tco").joinpath("templates", "whatif.js").read_text("utf-8")
    steps, data = _program(facts, found)
    parts = {"/*RUNTIME*/": javascript.RUNTIME, "/*STEPS*/": ",\n".join(steps), "/*DATA*/": _json(data)}
    for place, text in parts.items():
        template = template.replace(place, text)
    return Panel(found, template, facts.phrase)


def measured(fleet: FleetResult, measure: str) -> list[str]:
    """The lines that the panel computes: the measure and the flags of the verdict."""
    return [name for name in (measure, *(flag for flag, _ in VERDICTS)) if name in fleet.model.lines]


def _program(facts: Facts, found: list[Slider]) -> tuple[list[str], dict[str, Any]]:
    steps = dict[str, int]()
    told = list[dict[str, Any]]()
    constants = list[dict[str, Any]]()
    pool = _Pool()
    for fleet in facts.ordered:
        moved = [name for slider in found for name in slider.inputs.get(fleet.id, ())]
        part = javascript.moving(fleet.model, measured(fleet, facts.measure), moved)
        run = [steps.setdefault(text, len(steps)) for text in part.steps]
        names = part.read | set(moved) | set(measured(fleet, facts.measure))
        values = _known(facts.result, fleet)
        constants.append({name: pool.held(values[name], _wide(fleet, name)) for name in sorted(names)})
        told.append(_fleet(facts, fleet, found, run))
    common, names, rows = _shared(constants)
    for one, row in zip(told, rows, strict=True):
        one["own"] = row
    return list(steps), {
        "n": facts.result.timeline.periods, "measure": facts.measure, "flags": VERDICTS, "digits": _digits(facts),
        "sliders": [slider.told() for slider in found], "series": pool.rows, "common": common, "names": names,
        "fleets": told,
    }  # fmt: skip


def _fleet(facts: Facts, fleet: FleetResult, found: list[Slider], run: list[int]) -> dict[str, Any]:
    issued = [_number(fleet.raw(name)) for name in measured(fleet, facts.measure)]
    moves = {slider.key: list(names) for slider in found if (names := slider.inputs.get(fleet.id))}
    stale = [slider.key for slider in found if _made_for(fleet, slider.inputs.get(fleet.id, ()))]
    return {
        "id": clean(fleet.id), "run": run, "issued": issued, "moves": moves, "stale": stale,
        "reads": measured(fleet, facts.measure), "verdict": fleet.verdict,
    }  # fmt: skip


def _made_for(fleet: FleetResult, inputs: Iterable[str]) -> bool:
    """Whether a choice of the engine was made for one of the inputs, or for a load that follows from them."""
    choices: Any = fleet.choices
    loads = [name for name in choices.get("bill", {}).get("for", {}) if name in fleet.model.lines]
    behind: set[str] = {*(choices.get("for") or {}), *(fleet.model.inputs_of(loads) if loads else ())}
    return not behind.isdisjoint(inputs)


def _digits(facts: Facts) -> int:
    """Decimals of a cost, as everywhere on the page."""
    costs = [cost for fleet in facts.ranked if (cost := facts.cost(fleet)) is not None]
    return len(facts.form(costs[0]).partition(".")[2])


def _known(result: Result, fleet: FleetResult) -> dict[str, Any]:
    """Every name of the fleet's model with the number that the engine read or computed."""
    given = {name: _raw(figure) for name, figure in fleet.inputs.items()}
    return {**result.timeline.frame(), **given, **fleet.values}


def _raw(figure: Figure) -> Any:
    return [list(column) for column in zip(*figure.rows, strict=True)] if figure.is_table else figure.value


def _wide(fleet: FleetResult, name: str) -> bool:
    model = fleet.model
    return model.lines[name].series if name in model.lines else model.inputs[name].shape == "series"


class _Pool:
    """Rows that fleets share, written once: `s3` is the fourth of them; `u5` is a row of fives, `fNaN` no number."""

    def __init__(self) -> None:
        self.rows = list[list[Any]]()
        self.places = dict[str, str]()

    def held(self, value: Any, series: bool) -> Any:
        """The value as the data holds it."""
        if isinstance(value, list):  # the columns of a table
            return value  # pyright: ignore[reportUnknownVariableType]
        numbers = [_constant(one) for one in np.reshape(np.asarray(value, dtype=float), -1)]
        if not series:
            return f"f{numbers[0]}" if isinstance(numbers[0], str) else numbers[0]
        if len({str(one) for one in numbers}) == 1:
            return f"u{numbers[0]}"
        key = json.dumps(numbers)
        if key not in self.places:
            self.places[key] = f"s{len(self.rows)}"
            self.rows.append(numbers)
        return self.places[key]


def _number(value: Any) -> Any:
    """A number as JSON writes it; what is not finite has no value there."""
    number = float(value)
    return None if not math.isfinite(number) else int(number) if number.is_integer() and abs(number) < 1e15 else number


def _constant(value: Any) -> Any:
    """The same, in the words of JavaScript where it is not finite."""
    number = _number(value)
    return number if number is not None else "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def _shared(constants: list[dict[str, Any]]) -> tuple[dict[str, Any], list[str], list[list[Any]]]:
    """Constants on which all fleets that read them agree, the names of the others, and their row for each fleet."""
    names = sorted({name for one in constants for name in one})
    held = {name: [one[name] for one in constants if name in one] for name in names}
    common = {name: values[0] for name, values in held.items() if all(value == values[0] for value in values)}
    others = [name for name in names if name not in common]
    return common, others, [[one.get(name) for name in others] for one in constants]


def _json(data: Any) -> str:
    """Data inside a script: no text of it can end the script or start a comment."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
