"""From a validated scenario to one plan a fleet: figures, ways to compute, and what to tell the reader."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass, field

from tco.catalogue import Catalogue, Entry
from tco.declare import Chapter, Given, Line
from tco.errors import CatalogueError
from tco.figures import Figure
from tco.lines.library import Kind, Payment
from tco.model import Model
from tco.result import Alert, Verdict
from tco.scenario.calibrated import calibrated
from tco.scenario.gather import Found, of_scenario
from tco.scenario.paths import Path
from tco.scenario.problems import Problems
from tco.scenario.region import of_region
from tco.scenario.schema import Buy, Fleet, Lease, Rent, Scenario
from tco.tariff.rates import Asked
from tco.timeline import Timeline

ALMOST = 1 - 1e-9


@dataclass(frozen=True)
class Served:
    """A class of requests: its share of all requests, its lengths, and the share of it that a fleet takes by period."""

    name: str
    weight: float
    lengths: dict[str, float]
    shares: tuple[float, ...] = ()


@dataclass
class Plan:
    """A fleet ready to be computed.

    `figures` are in model units. `without` names lines that do not apply. `ways` picks among lines
    with `choice_of`. `texts` are what a reader is shown (name, tier, model, precision). `words` are those the
    search may choose from, by key of the deployment, with the inputs that each sets. `others` are the same fleet in
    the other precisions that are allowed. `runs` are those that the part computes in or holds weights in.
    `measured_at` are the conditions of a measurement that must be scaled to those of the work, `scaled_for` the
    inputs for which it was. `asked` is a tariff that is billed hour by hour. `served` are the classes of requests of
    which the fleet takes a share, of a demand that is there by `ramp`; `by_class` is the same fleet with each of them
    alone, `class_rates` what was measured, `refused` what cannot run; `long_above` the input that an API calls long.
    """

    id: str
    kind: Kind
    payment: Payment
    path: Path
    found: Found = field(default_factory=Found)
    figures: dict[str, Figure] = field(default_factory=dict[str, Figure])
    chapters: list[Chapter] = field(default_factory=list[Chapter])
    ways: dict[str, str] = field(default_factory=dict[str, str])
    pins: dict[str, Figure] = field(default_factory=dict[str, Figure])
    extra: list[Line] = field(default_factory=list[Line])
    extra_givens: dict[str, Given] = field(default_factory=dict[str, Given])
    texts: dict[str, str] = field(default_factory=dict[str, str])
    alerts: list[Alert] = field(default_factory=list[Alert])
    left_out: list[str] = field(default_factory=list[str])
    words: dict[str, dict[str, dict[str, float]]] = field(default_factory=dict[str, dict[str, dict[str, float]]])
    others: list[Plan] = field(default_factory=list["Plan"])
    model: Model | None = None
    without: set[str] = field(default_factory=set[str])
    measured: bool = False
    measured_at: dict[str, float] = field(default_factory=dict[str, float])
    scaled_for: dict[str, float] = field(default_factory=dict[str, float])
    asked: Asked | None = None
    unit_cost_only: bool = False
    runs: tuple[str, ...] = ()
    served: list[Served] = field(default_factory=list[Served])
    by_class: dict[str, Plan] = field(default_factory=dict[str, "Plan"])
    class_rates: dict[str, float] = field(default_factory=dict[str, float])
    ramp: tuple[float, ...] = ()
    long_above: float | None = None
    refused: dict[Verdict, str] = field(default_factory=dict[Verdict, str])

    @property
    def given(self) -> dict[str, Figure]:
        """Figures and pins by the names of the inputs of its model."""
        return {**self.figures, **{f"{name}_pinned": figure for name, figure in self.pins.items()}}

    @property
    def serves_part(self) -> bool:
        """Whether it takes less than all requests."""
        weight = sum(one.weight for one in self.served)
        return bool(self.served) and (weight < ALMOST or any(share < 1 for one in self.served for share in one.shares))

    def tell(self, code: str, text: str) -> None:
        """Add an alert about this fleet."""
        self.alerts.append(Alert(code, self.id, text))


@dataclass(frozen=True)
class Parts:
    """Catalogue entries behind a fleet, None where it has none; and the constants of its speed."""

    system: Entry | None = None
    gpu: Entry | None = None
    model: Entry | None = None
    offer: Entry | None = None
    speed: dict[str, Figure] = field(default_factory=dict[str, Figure])

    def entries(self) -> Iterable[Entry]:
        """Those there are, the most particular last."""
        return (item for item in (self.model, self.gpu, self.system, self.offer) if item)


@dataclass(frozen=True)
class Context:
    """What all fleets of a run share."""

    scenario: Scenario
    catalogue: Catalogue
    timeline: Timeline
    problems: Problems

    @functools.cached_property
    def stated(self) -> Found:
        """What the scenario states for all fleets; each takes a copy."""
        found = of_scenario(self.scenario)
        of_region(self.catalogue, self.scenario.electricity, found, self.problems, ("electricity",), shared=True)
        return found


def payment_of(fleet: Fleet) -> tuple[Payment, Buy | Lease | Rent | None]:
    """How the fleet is paid, and the section that says so."""
    if fleet.buy:
        return "buy", fleet.buy
    if fleet.lease:
        return "lease", fleet.lease
    return ("rent", fleet.rent) if fleet.rent else ("api", None)


def find_parts(context: Context, fleet: Fleet, path: Path) -> Parts:
    """Look up system, GPU, model, offer and efficiency; an unknown id is a problem."""
    payment, section = payment_of(fleet)

    def find(kind: str, identity: str | None, *inside: str) -> Entry | None:
        if not identity:
            return None
        try:
            return context.catalogue.find(kind, identity)
        except CatalogueError as error:
            context.problems.add((*path, *inside), str(error))
            return None

    system = find("systems", section.system, payment, "system") if isinstance(section, Buy | Lease) else None
    offer = None
    if fleet.rent:
        offer = find("rentals", fleet.rent.offer, "rent", "offer")
    elif fleet.api:
        offer = find("apis", fleet.api.offer, "api", "offer")
    held = (system or offer or _NOTHING).texts.get("gpu")
    if section and section.gpu and held and section.gpu != held:
        told = f"`{section.gpu}` is not the GPU of {(system or offer or _NOTHING).id}, which is {held}; leave it out"
        context.problems.add((*path, payment, "gpu"), told)
    gpu_id = (section.gpu if section else None) or (system or offer or _NOTHING).texts.get("gpu")
    gpu = find("accelerators", gpu_id, payment, "gpu") if payment != "api" else None
    model = _find_model(context, fleet, path, offer)
    if payment == "api":
        return Parts(None, None, model, offer)
    mixture = _mixture(context.scenario, fleet, model)
    speed = calibrated(context.catalogue, gpu or _NOTHING, fleet, _method(context.scenario), mixture=mixture)
    return Parts(system, gpu, model, offer, speed)


def _method(scenario: Scenario) -> str | None:
    """How weights are trained; None for inference."""
    return None if scenario.workload.kind == "inference" else scenario.workload.method or "full"


def _mixture(scenario: Scenario, fleet: Fleet, model: Entry | None) -> bool:
    """Whether the model has experts: as the scenario states, else as the catalogue knows."""
    known = model.figures.get("experts") if model else None
    stated = fleet.inputs.get("experts") or scenario.inputs.get("experts") or known
    return stated is not None and stated.is_one and stated.number > 1


_NOTHING = Entry("", "")


def _find_model(context: Context, fleet: Fleet, path: Path, offer: Entry | None) -> Entry | None:
    """The fleet's own model, or the API offer's, or the workload's."""
    served = offer.texts.get("model") if offer else None
    if fleet.api and served and fleet.model and fleet.model != served:
        context.problems.add((*path, "model"), f"the offer serves {served}, not {fleet.model}; leave `model` out")
    if fleet.api and not fleet.model:
        identity = served if offer else context.scenario.workload.model
        place: Path = (*path, "api")
    else:
        identity = fleet.model or context.scenario.workload.model
        place = (*path, "model") if fleet.model else ("workload", "model")
    if not identity:
        return None
    try:
        return context.catalogue.find("models", identity)
    except CatalogueError as error:
        if not context.problems.below(place):
            context.problems.add(place, str(error))
        return None
