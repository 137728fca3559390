"""The what-if panel: the lines behind the headline as JavaScript, for the inputs that a reader may move.

Only what depends on a slider is printed, once for all fleets that share it; all else stays the engine's number.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
from collections.abc import Collection
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import numpy as np

from tco.figures import Figure
from tco.printers import javascript
from tco.report.facts import Facts
from tco.report.sliders import Slider, sliders
from tco.report.stale import stale
from tco.result import NULLING, VERDICTS, FleetResult, Result
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
    """The lines that the panel computes: the flags of the verdict and the measure."""
    return [name for name in (*(flag for flag, _ in VERDICTS), measure) if name in fleet.model.lines]


def reads(fleet: FleetResult, measure: str, moved: Collection[str]) -> list[str]:
    """The same; only the flags where the work cannot run and nothing that moves would change that."""
    found = measured(fleet, measure)
    gates = [flag for flag, verdict in VERDICTS if verdict in NULLING and flag in found]
    if fleet.verdict in NULLING and set(fleet.model.inputs_of(gates)).isdisjoint(moved):
        return [name for name in found if name != measure]
    return found


def issued(fleet: FleetResult, measure: str, moved: Collection[str]) -> list[float]:
    """The engine's numbers that the page checks its own against; a cost only where one may be shown."""
    names = reads(fleet, measure, moved)
    return [_number(fleet.raw(name)) for name in names if name != measure or fleet.verdict not in NULLING]


def _program(facts: Facts, found: list[Slider]) -> tuple[list[str], dict[str, Any]]:
    steps, kinds = dict[str, int](), dict[str, int]()
    told, constants, pool = list[dict[str, Any]](), list[dict[str, Any]](), _Pool()
    for fleet in facts.ordered:
        moves = {slider.key: list(names) for slider in found if (names := slider.inputs.get(fleet.id))}
        moved = [name for names in moves.values() for name in names]
        read = reads(fleet, facts.measure, moved)
        part = javascript.moving(fleet.model, read, moved)
        run = _ranges([steps.setdefault(text, len(steps)) for text in part.steps])
        kind = json.dumps({"run": run, "moves": moves if run else {}, "reads": read})
        told.append({
            "id": clean(fleet.id), "kind": kinds.setdefault(kind, len(kinds)),
            "issued": issued(fleet, facts.measure, moved), "stale": stale(facts.result, fleet, found) if run else [],
        })  # fmt: skip
        names = (part.read | {*moved, *read}) - part.computed if run else read
        values = _known(facts.result, fleet)
        constants.append({name: pool.held(values[name], _wide(fleet, name)) for name in sorted(names)})
    common, names, rows = _shared(constants)
    return list(steps), {
        "n": facts.result.timeline.periods, "measure": facts.measure, "flags": VERDICTS, "unusable": NULLING,
        "digits": _digits(facts), "sliders": [slider.told() for slider in found], "series": pool.rows,
        "common": common, "names": names, "kinds": [json.loads(kind) for kind in kinds],
        "fleets": [{**one, "own": row} for one, row in zip(told, rows, strict=True)],
    }  # fmt: skip


def _ranges(places: list[int]) -> list[int]:
    """Places as pairs of a start and how many follow one another from there."""
    found = list[int]()
    for place in places:
        if found and place == found[-2] + found[-1]:
            found[-1] += 1
        else:
            found += [place, 1]
    return found


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
