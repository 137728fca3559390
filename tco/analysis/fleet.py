"""One fleet, computed: searched, evaluated, judged, with the story of its numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from tco.analysis.axes import is_open
from tco.analysis.billing import as_figures, made_for, settle, tell
from tco.analysis.reasons import reasons
from tco.analysis.search import LOADS, Searched, search
from tco.analysis.sources import recalled_or_stale_share
from tco.errors import Problem, ScenarioError
from tco.evaluate import Value, program
from tco.figures import Figure
from tco.model import Model
from tco.result import VERDICTS, FleetResult, Verdict
from tco.scenario.plan import Plan
from tco.timeline import Timeline


def value_of(figure: Figure) -> Value:
    """What the engine takes for a figure: a float, an array of periods, or the two columns of a table."""
    if not isinstance(figure.value, tuple):
        return float(figure.value)
    if figure.value and isinstance(figure.value[0], tuple):
        rows = np.array(figure.value, dtype=float)
        return rows[:, 0], rows[:, 1]
    return np.array(figure.value, dtype=float)


def engine_inputs(figures: dict[str, Figure], timeline: Timeline) -> dict[str, Value]:
    """Values of all figures and of the time axis."""
    return {**{name: value_of(figure) for name, figure in figures.items()}, **timeline.frame()}


def compute(
    plan: Plan,
    model: Model,
    timeline: Timeline,
    headline: str,
    as_of: str,
    stale_days: float,
    frozen: dict[str, Any] | None = None,
) -> FleetResult:
    """Search what is open (or take the frozen choices), evaluate every line, and judge."""
    figures = plan.given
    inputs = engine_inputs(figures, timeline)
    choices: dict[str, Any] = {}
    found = Searched()

    def choose(known: Mapping[str, Value]) -> dict[str, float]:
        nonlocal found
        choices.clear()
        if frozen is None:
            found = search(model, figures, known, timeline.periods, headline, plan.words)
            choices.update(_chosen(found, known if plan.payment == "rent" else {}))
        else:
            choices.update(_kept(plan, model, figures, frozen, {*known}))
        return choices.get("values", {})

    if plan.asked is None:
        inputs.update(choose(inputs))
    else:
        billed = settle(plan, model, timeline, inputs, choose)
        as_figures(plan, figures, billed)
        tell(plan, billed)
        choices["bill"] = made_for(plan, billed)
    values = choices.get("values", {})
    for name, figure in _stories(plan, model, choices, as_of, frozen is None).items():
        figures[name], inputs[name] = figure, figure.number
    choices = _with_scaled(plan, figures, choices)
    numbers = program(model)(inputs, timeline.periods)
    used = {name: figures[name] for name, item in model.inputs.items() if not item.frame and name in figures}
    fleet = FleetResult(
        plan.id, plan.texts["name"], plan.texts["tier"], plan.payment, plan.texts["model"], plan.texts["precision"],
        model, used, plan.found.shared & set(used) - set(values), dict(numbers), choices=choices,
        unit_cost_only=plan.unit_cost_only or plan.serves_part, runs=plan.runs, rivals=found.rivals,
    )  # fmt: skip
    fleet.reasons = [*plan.refused.values(), *reasons(fleet)]
    fleet.verdict = next(iter(plan.refused), None) or _verdict(fleet)
    fleet.left_out = _left_out(plan, model)
    fleet.recalled_or_stale_share = recalled_or_stale_share(fleet, as_of, stale_days)
    return fleet


def _chosen(found: Searched, hired: Mapping[str, Value]) -> dict[str, Any]:
    """What the result says of a search; nothing when nothing was open. `hired` holds inputs of a rented fleet."""
    if not found.values:
        return {}
    loads = {name: value for name in LOADS if isinstance(value := hired.get(name), float)}
    told = {"values": found.values, "tried": found.tried, "for": dict(sorted({**found.made_for, **loads}.items()))}
    more = {"words": found.words, "bound": found.bound, "front": found.front}
    return {**told, **{name: value for name, value in more.items() if value}}


def _with_scaled(plan: Plan, figures: dict[str, Figure], choices: dict[str, Any]) -> dict[str, Any]:
    """A scaled measurement is a choice too; its inputs are told unless an earlier run is repeated."""
    if not plan.scaled_for:
        return choices
    made_for = {} if choices.get("tried") == 0 else {**plan.scaled_for, **choices.get("for", {})}
    values = {**choices.get("values", {}), "measured_output": figures["measured_output"].number}
    return {"tried": 0, **choices, "values": values, "for": made_for}


def _stories(plan: Plan, model: Model, choices: dict[str, Any], as_of: str, searched: bool) -> dict[str, Figure]:
    """Chosen inputs as figures: with the word that sets them, the last with what bounds the choice."""
    values, words = choices.get("values", {}), choices.get("words", {})
    source = f"search of {choices.get('tried', 0)}" if searched else "frozen choice of an earlier run"
    story = Figure(0.0, "", as_of=as_of, source=source, status="derived", origin="choice")
    told = {
        name: "; ".join(f"{key}: {word}" for key, word in words.items() if name in plan.words[key][word])
        for name in values
    }
    if values and choices.get("bound"):
        told[list(values)[-1]] = choices["bound"]
    return {
        name: replace(story, value=value, unit=model.inputs[name].unit, note=told[name])
        for name, value in values.items()
    }


def _kept(
    plan: Plan, model: Model, figures: Mapping[str, Figure], frozen: dict[str, Any], known: set[str]
) -> dict[str, Any]:
    """Choices of an earlier run for what the scenario leaves open; every one must be there. Raises ScenarioError."""
    values = {name: value for name, value in frozen.items() if name in model.inputs and is_open(figures, name)}
    missing = [name for name in model.inputs if name not in known | set(values)]
    for name, most in (("gpus_per_replica", "gpus_per_system"), ("concurrency", "batch_limit")):
        limit = figures[most].number if most in figures and figures[most].is_one else np.inf
        if values.get(name, 0) > limit:
            told = f"{plan.id}: the earlier run chose {name} {values[name]:g}, at most {limit:g} are possible now"
            raise ScenarioError([Problem(f"{told}; run once without --frozen")])
    if missing:
        told = f"{plan.id}: the earlier run holds no {' and no '.join(missing)}; run once without --frozen"
        raise ScenarioError([Problem(told)])
    return {"values": values, "tried": 0, "for": {}} if values else {}


def _verdict(fleet: FleetResult) -> Verdict:
    for name, verdict in VERDICTS:
        if fleet.raw(name) == 0:
            return verdict
    return "ok"


BY_CONTRACT = (
    "lease", "rental", "loan", "agreed payment", "loan fee", "loan's exit fee", "interim rent", "buy-out",
    "resale after buy-out", "finance lease", "resale price", "resale at retirement", "income", "expensing", "bonus",
    "depreciation", "depreciation by tax year", "declining balance", "mid-quarter convention", "minimum charge",
    "cache writes", "long requests", "long cache writes", "batch prices", "batch discount",
)  # fmt: skip
"""Scopes that a way to pay, an offer or a tax law brings or does not have; their absence is nothing left out."""


def _left_out(plan: Plan, model: Model) -> list[str]:
    """Costs that nobody stated, by their labels."""
    lines = {name: item for part in plan.chapters for name, item in part.lines.items()}
    scopes = {
        name: reason[3:-9]
        for name, reason in model.absent.items()
        if reason.startswith("no ") and reason.endswith(" is given")
    }
    return sorted(
        {
            lines[name].label
            for name, scope in scopes.items()
            if lines[name].unit == "money" and scope not in BY_CONTRACT
        }
    )
