"""What a run yields: every line of every fleet, verdicts, ranking, and the story of each input."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from tco.errors import did_you_mean
from tco.figures import Figure
from tco.model import Model
from tco.timeline import DayCount, Timeline

if TYPE_CHECKING:
    from tco.analysis.breakeven import BreakEven
    from tco.analysis.sensitivity import Sensitivity
    from tco.decisions.decisions import Decisions
    from tco.scenario.quotes import Procurement
    from tco.scenario.request_schema import Request
    from tco.session import Scenario
    from tco.sweep.outcome import Outcome
    from tco.uncertainty.found import Simulation

Verdict = Literal["ok", "not supported", "does not fit", "too slow", "too small", "limit exceeded"]

VERDICTS: tuple[tuple[str, Verdict], ...] = (
    ("supported", "not supported"),
    ("fits", "does not fit"),
    ("fast_enough", "too slow"),
    ("large_enough", "too small"),
    ("within_limits", "limit exceeded"),
)
"""Flag lines in the order in which the first that is 0 becomes the verdict."""

NULLING: tuple[Verdict, ...] = ("not supported", "does not fit", "too slow")
"""Verdicts under which headline and category lines have no value."""

CATEGORIES = (
    "capital_cost", "energy_cost", "site_cost", "maintenance_cost", "software_cost", "people_cost", "rent_cost",
    "api_cost", "finance_cost", "tax_cost", "residual_cost",
)  # fmt: skip
HEADLINES = (
    "total_cost", "present_cost", "useful_tokens", "present_useful_tokens", "cost_per_million_useful_tokens",
    "cost_per_million_total_tokens", "undiscounted_cost_per_million_useful_tokens", "input_cost", "output_cost",
    "useful_training_steps", "present_useful_training_steps", "cost_per_useful_training_step", "cost_per_gpu_hour",
)  # fmt: skip
PER_PERIOD = ("energy", "carbon", "gpus", "systems", "peak_facility_power")

Number = float | NDArray[np.float64] | None


@dataclass(frozen=True)
class Alert:
    """Something a reader must know; `fleet` is empty when it concerns the scenario."""

    code: str
    fleet: str
    text: str


@dataclass
class FleetResult:
    """One option, computed. `values` are raw numbers of every line; `shown` is what may be reported.

    `inputs` holds a Figure in the model's own unit for each input; those in `shared` are the scenario's and
    equal for all fleets. `choices` are what was searched or scaled, with the inputs they were made for. `runs` are the
    precisions that the part computes in or holds weights in, as far as that is known. `rivals` are deployments of the
    search that other inputs might prefer, by input; `others` is the fleet in the precisions that lost.
    """

    id: str
    name: str
    tier: str
    payment: str
    model_id: str
    precision: str
    model: Model
    inputs: dict[str, Figure]
    shared: set[str]
    values: dict[str, Any]
    verdict: Verdict = "ok"
    reasons: list[str] = field(default_factory=list[str])
    choices: dict[str, Any] = field(default_factory=dict[str, Any])
    recalled_or_stale_share: float = 0.0
    left_out: list[str] = field(default_factory=list[str])
    unit_cost_only: bool = False
    runs: tuple[str, ...] = ()
    rivals: dict[str, NDArray[np.float64]] = field(default_factory=dict[str, NDArray[np.float64]], repr=False)
    others: list[FleetResult] = field(default_factory=list["FleetResult"], repr=False)
    _defined: dict[str, bool] = field(default_factory=dict[str, bool], repr=False)

    def __getitem__(self, name: str) -> Number:
        """`shown`, but a name that is no line of any fleet is a KeyError with the nearest one."""
        known = (*self.model.lines, *self.model.absent, *CATEGORIES, *HEADLINES, *PER_PERIOD)
        if name not in known:
            raise KeyError(f"`{name}` is not a line{did_you_mean(name, known)}")
        return self.shown(name)

    def shown(self, name: str) -> Number:
        """The line's value: a float, an array of shape (periods,), or None with `reason(name)`."""
        return None if self.reason(name) else self.raw(name)

    def raw(self, name: str) -> Number:
        """The number as computed, whatever the verdict."""
        value = self.values.get(name)
        if value is None:
            return None
        return value if self.model.lines[name].series else float(np.reshape(value, -1)[0])

    def reason(self, name: str) -> str:
        """Why a line has no value; empty when it has one."""
        if self.verdict in NULLING and name in (*CATEGORIES, *HEADLINES):
            return f"{self.verdict}: no cost is shown for work that cannot run"
        if name not in self.model.lines:
            return self.model.absent.get(name, "does not apply to this fleet")
        return "" if self._is_defined(name) else "not defined: it divides by zero"

    def _is_defined(self, name: str) -> bool:
        """Whether every number is finite; every output asks, and values never change."""
        if name not in self._defined:
            self._defined[name] = bool(np.isfinite(self.values[name]).all())
        return self._defined[name]


@dataclass
class Result:
    """All fleets of one scenario, with what was asked and what answers it.

    `scenario` holds title, file, sha256, as_of, currency and text; `headline` is the line that ranks.
    `comparison` maps fleets to figures against the reference fleet: {name: {unit, value, reason}}. `quotes` are the
    offers and awards, `request` who asks and must sign, where the scenario has them. With a `reinvestment_rate`, a
    year, savings earn it to the end. `session` is the scenario itself where it asks for analyses.
    """

    scenario: dict[str, str]
    engine: dict[str, str]
    timeline: Timeline
    fleets: list[FleetResult]
    headline: str | None
    basis: str
    discounting: str
    reference: str | None = None
    recommended: str | None = None
    ranking: list[str] = field(default_factory=list[str])
    comparison: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict[str, dict[str, dict[str, Any]]])
    left_out: list[str] = field(default_factory=list[str])
    warnings: list[Alert] = field(default_factory=list[Alert])
    quotes: Procurement | None = None
    request: Request | None = None
    reinvestment_rate: float | None = None
    day_count: DayCount = "periods"
    session: Scenario | None = field(default=None, repr=False, compare=False)

    @property
    def by_id(self) -> Mapping[str, FleetResult]:
        """Fleets by their id."""
        return {fleet.id: fleet for fleet in self.fleets}

    def __getitem__(self, line: str) -> dict[str, Number]:
        """The line's value for every fleet."""
        known = {name for fleet in self.fleets for name in (*fleet.model.lines, *fleet.model.absent)}
        if line not in known | {*CATEGORIES, *HEADLINES, *PER_PERIOD}:
            raise KeyError(f"`{line}` is not a line{did_you_mean(line, known)}")
        return {fleet.id: fleet.shown(line) for fleet in self.fleets}

    @functools.cached_property
    def break_even(self) -> BreakEven:
        """Where the recommended fleet and the reference (or the next) cost the same; computed when asked for."""
        from tco.analysis.breakeven import break_even

        return break_even(self)

    @functools.cached_property
    def sensitivity(self) -> Sensitivity | None:
        """What moves the recommended fleet's headline; computed when asked for."""
        from tco.analysis.sensitivity import sensitivity

        return sensitivity(self)

    @functools.cached_property
    def decisions(self) -> Decisions | None:
        """What the scenario asks under `analysis`; computed when asked for. Raises ScenarioError."""
        if self.session is None:
            return None
        from tco.decisions.decisions import decisions

        return decisions(self.session, self)

    @functools.cached_property
    def uncertainty(self) -> Simulation | None:
        """What the ranges may do, where the scenario has `analysis: {uncertainty: …}`; computed when asked for."""
        if self.session is None or self.session.content.analysis is None:
            return None
        if self.session.content.analysis.uncertainty is None:
            return None
        from tco.uncertainty.simulate import simulate

        return simulate(self.session, self)

    @functools.cached_property
    def sweeps(self) -> list[Outcome]:
        """The sweeps that the scenario states under `analysis`; computed when asked for. Raises ScenarioError."""
        if self.session is None:
            return []
        from tco.sweep.outcome import outcomes

        return outcomes(self.session)

    def table(self) -> Any:
        """One row a fleet, headline lines as columns, in a pandas DataFrame."""
        import pandas  # pyright: ignore[reportMissingTypeStubs]

        told = ["name", "tier", "payment", "model_id", "precision", "verdict"]
        rows = [
            {
                "fleet": fleet.id,
                **{key: getattr(fleet, key) for key in told},
                **{name: fleet.shown(name) for name in HEADLINES},
            }
            for fleet in self.fleets
        ]
        return pandas.DataFrame(rows).set_index("fleet")  # pyright: ignore[reportUnknownMemberType]

    def workbook(self, path: str | PathLike[str]) -> None:
        """Write the workbook. Raises OutputError."""
        from tco.files import write_atomically
        from tco.workbook import build

        write_atomically(Path(path), build(self))

    def report(self, path: str | PathLike[str]) -> None:
        """Write the HTML report. Raises OutputError."""
        from tco.files import write_atomically
        from tco.report import render

        write_atomically(Path(path), render(self).encode())

    def _repr_html_(self) -> str:
        """The comparison as a table, for a notebook."""
        return str(self.table().to_html())
