"""What every section needs to know about a result: the ranking measure, the fleets of interest, present costs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tco.analysis.sources import MOMENTS
from tco.export import shown_unit, unit_of
from tco.result import CATEGORIES, NULLING, Alert, FleetResult, Result
from tco.wording import even, fixed, plain

Array = NDArray[np.float64]

LABELS = {
    "capital_cost": "Capital",
    "energy_cost": "Energy and carbon",
    "site_cost": "Site",
    "maintenance_cost": "Maintenance",
    "software_cost": "Software",
    "people_cost": "People",
    "rent_cost": "Rent",
    "api_cost": "API",
    "finance_cost": "Financing",
    "tax_cost": "Tax",
    "residual_cost": "Residual",
    "other_cost": "Other",
}
LETTERS = dict(zip(LABELS, "CESMWPRAFTVO", strict=True))
PHRASES = {
    "cost_per_million_useful_tokens": "per million useful tokens",
    "cost_per_useful_training_step": "per useful training step",
    "present_cost": "of present cost",
}
WHOLE = {
    "cost_per_million_useful_tokens": "The whole cost on useful output tokens: they pay for input and failures too.",
    "cost_per_useful_training_step": "The whole cost on useful training steps: they also pay for lost work and trials.",
    "present_cost": "The present cost of all work together.",
}
PAYMENTS = {"buy": "bought", "lease": "leased", "rent": "rented", "api": "API"}
KINDS = {"inference": "Inference", "training": "Training", "finetune": "Fine-tuning"}
JOBS = {"training": "training run", "finetune": "fine-tuning job"}
TIMINGS = {"start": "at the start", "middle": "in the middle", "end": "at the end"}


@dataclass(frozen=True)
class Facts:
    """A result, seen by a reader."""

    result: Result

    @cached_property
    def currency(self) -> str:
        """The scenario's currency."""
        return self.result.scenario["currency"]

    @cached_property
    def measure(self) -> str:
        """The line that ranks."""
        return self.result.headline or "present_cost"

    @cached_property
    def unit(self) -> str:
        """The unit of the measure, with the currency."""
        return shown_unit(unit_of(self.result.fleets[0], self.measure), self.currency)

    @cached_property
    def phrase(self) -> str:
        """`USD per million useful tokens`."""
        return f"{self.currency} {PHRASES.get(self.measure, self.unit)}"

    @cached_property
    def ranked(self) -> list[FleetResult]:
        """Fleets that can do the work, cheapest first."""
        return [self.result.by_id[name] for name in self.result.ranking]

    @cached_property
    def ordered(self) -> list[FleetResult]:
        """The ranked ones, then the others as the scenario lists them."""
        return [*self.ranked, *(fleet for fleet in self.result.fleets if fleet.id not in self.result.ranking)]

    @cached_property
    def best(self) -> FleetResult | None:
        """The recommended fleet."""
        return self.result.by_id[self.result.recommended] if self.result.recommended else None

    @cached_property
    def second(self) -> FleetResult | None:
        """The next best."""
        return next((fleet for fleet in self.ranked if fleet is not self.best), None)

    @cached_property
    def reference(self) -> FleetResult | None:
        """What savings are measured against."""
        return self.result.by_id[self.result.reference] if self.result.reference else None

    @cached_property
    def years(self) -> float:
        """The horizon."""
        return self.result.timeline.periods * self.result.timeline.months_per_period / 12

    @cached_property
    def basis(self) -> str:
        """Before or after tax, and how it is discounted."""
        rate = self.rate
        at = f" at {plain(rate * 100)} % a year" if rate is not None else ""
        timing = f"{TIMINGS.get(self.result.discounting, self.result.discounting)} of each {self.result.timeline.step}"
        days = " by days over 365" if self.result.day_count == "act365f" else ""
        return f"{self.result.basis.replace('_', '-')}, discounted{at}{days}, running costs {timing}"

    @cached_property
    def rate(self) -> float | None:
        """The discount rate, when all fleets share it."""
        rates = (given(fleet, "discount_rate") or one(fleet, "discount_rate") for fleet in self.result.fleets)
        found = {rate for rate in rates if rate is not None}
        return found.pop() if len(found) == 1 else None

    def cost(self, fleet: FleetResult) -> float | None:
        """The fleet's measure."""
        return one(fleet, self.measure)

    @cached_property
    def present(self) -> dict[str, dict[str, float]]:
        """Present cost by category of each fleet that has costs."""
        return {fleet.id: by_category(fleet) for fleet in self.result.fleets if one(fleet, "present_cost") is not None}

    @cached_property
    def parts(self) -> dict[str, dict[str, float]]:
        """The measure by category: present cost by category over the same output."""
        found: dict[str, dict[str, float]] = {}
        for name, parts in self.present.items():
            fleet = self.result.by_id[name]
            cost, whole = self.cost(fleet), one(fleet, "present_cost")
            if cost is not None and whole:
                found[name] = {category: value * cost / whole for category, value in parts.items()}
        return found

    @cached_property
    def categories(self) -> list[str]:
        """Categories that some fleet has, in the model's order."""
        used = {category for parts in self.present.values() for category, value in parts.items() if value}
        return [name for name in LABELS if name in used]

    def per(self, value: float) -> str:
        """A cost of the measure with its words."""
        return f"{self.form(value)} {self.phrase}"

    @cached_property
    def form(self) -> Callable[[float], str]:
        """A cost of the measure as text: the same decimals wherever it stands."""
        return even(self.cost(fleet) for fleet in self.ranked)

    @cached_property
    def kind(self) -> str:
        """What the fleets do: inference, training or finetune."""
        return self.result.scenario.get("kind", "inference")

    @cached_property
    def warnings(self) -> list[Alert]:
        """All alerts, of the engine and of the scenario."""
        return self.result.warnings

    def role(self, fleet: FleetResult) -> str:
        """What the fleet is in the comparison; empty for most."""
        roles = {"recommended": self.best, "next best": self.second, "reference": self.reference}
        return ", ".join(name for name, other in roles.items() if other is fleet)


def given(fleet: FleetResult, name: str) -> float | None:
    """An input's single number."""
    figure = fleet.inputs.get(name)
    return None if figure is None or isinstance(figure.value, tuple) else float(figure.value)


def unfit(fleet: FleetResult) -> bool:
    """Whether the work cannot run there, so that no number of the fleet means anything."""
    return fleet.verdict in NULLING


def why(fleet: FleetResult, name: str) -> str:
    """Why a line is not shown."""
    return f"{fleet.verdict}: nothing is shown for work that cannot run" if unfit(fleet) else fleet.reason(name)


def one(fleet: FleetResult, name: str) -> float | None:
    """A line's single number, where it may be shown."""
    value = None if unfit(fleet) else fleet.shown(name)
    return value if isinstance(value, float) else None


def series(fleet: FleetResult, name: str) -> Array | None:
    """A line's numbers by period, where they may be shown."""
    value = None if unfit(fleet) else fleet.shown(name)
    return value if isinstance(value, np.ndarray) else None


def most(fleet: FleetResult, name: str) -> float | None:
    """The highest of any period."""
    values = series(fleet, name)
    return one(fleet, name) if values is None else float(np.max(values))


def settlement(fleet: FleetResult) -> float:
    """What contracts that outlast the horizon still cost at its end."""
    values = series(fleet, "settlement_cost")
    return 0.0 if values is None else float(np.sum(values))


def run_cost(fleet: FleetResult) -> float | None:
    """The cost of a whole training run or fine-tuning job: that of a useful step, times the steps of a run."""
    step, steps = one(fleet, "cost_per_useful_training_step"), one(fleet, "steps_per_run")
    return None if step is None or steps is None else step * steps


def by_category(fleet: FleetResult) -> dict[str, float]:
    """Present cost by category: what is paid, at the factor of its moment."""
    found: dict[str, float] = {}
    for item in fleet.model.lines.values():
        moment = next((name for name in item.part_of if name in MOMENTS), None)
        if moment is None:
            continue
        category = _category(fleet, item.name)
        amount = _present(fleet.values[item.name], fleet.values[MOMENTS[moment]])
        found[category] = found.get(category, 0.0) + amount
    return {name: found[name] for name in LABELS if name in found}


def _category(fleet: FleetResult, name: str) -> str:
    """The category that a line belongs to, through the subtotals above it."""
    if name in CATEGORIES:
        return name
    above = fleet.model.lines[name].part_of if name in fleet.model.lines else ()
    return next((found for part in above if (found := _category(fleet, part)) != "other_cost"), "other_cost")


def _present(values: Any, factors: Any) -> float:
    return float(np.sum(np.asarray(values, dtype=float) * np.asarray(factors, dtype=float)))


def duration(years: float) -> str:
    """A horizon or payback in words."""
    if years >= 1:
        told = f"{years:.2f}".rstrip("0").rstrip(".")
        return f"{told} year{'' if told == '1' else 's'}"
    return f"{fixed(years * 12, 1)} months"


def lowered(category: str) -> str:
    """A category's label inside a sentence."""
    return {"api_cost": "API", "energy_cost": "energy"}.get(category, LABELS[category].lower())
