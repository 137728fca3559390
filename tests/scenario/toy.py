"""A small schema with every kind of field, to test the tools without the real one."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from tco.figures import Figure
from tco.scenario.fields import (
    CatalogueId,
    Date,
    Day,
    FigureLeaf,
    FleetId,
    Month,
    Section,
    Several,
    Text,
    figure,
    series,
    table,
)


class Electricity(Section):
    price: Figure = figure(
        "money/kWh", "electricity_price", above=0, required=True, description="the tariff", example="0.12 USD/kWh"
    )
    escalation: Figure | None = figure("1/yr", "electricity_escalation", minimum=-1)
    monthly: Figure | None = figure("money/kWh", "monthly_price", series=True)


class Buy(Section):
    shorthand: ClassVar = "system"
    system: CatalogueId
    price: Figure | None = figure("money/system", "system_price", minimum=0)
    warranty: Figure | None = figure("yr", "warranty", minimum=0, maximum=20)


class Rent(Section):
    offer: CatalogueId
    gpus: Figure | None = figure("gpu", "gpus", above=0, whole=True)


class Cooling(Section):
    shorthand: ClassVar = "kind"
    kind: Literal["air", "liquid"] = "air"
    pue: Figure | None = figure("1", "pue", minimum=1)


class Dry(Section):
    kind: Literal["dry"]


class Wet(Section):
    kind: Literal["wet"]
    water: Figure = figure("l/kWh", "water", required=True)


class Fleet(Section):
    one_of: ClassVar = (("buy", "rent"),)
    id: FleetId
    buy: Buy | None = None
    rent: Rent | None = None
    cooling: Cooling | None = None
    active: bool = True

    @model_validator(mode="after")
    def _rented_out(self) -> Fleet:
        if self.rent and not self.active:
            raise ValueError("is rented and not active; remove one of the two")
        return self


class Scenario(Section):
    format: Literal[1]
    title: Text
    as_of: Date
    until: Day | None = None
    start: Month | None = None
    electricity: Electricity | None = None
    utilization: Figure | None = figure("%", "utilization")
    residual: Figure | None = table("%", "residual")
    ramp: Figure | None = series("%", "ramp")
    cooling: Cooling | None = None
    tower: Annotated[Dry | Wet, Field(discriminator="kind")] | None = None
    either: Wet | Text | None = None
    fleets: Several[Fleet] = ()
    pin: dict[str, dict[str, Annotated[Figure, FigureLeaf(None)]]] = Field(default_factory=dict)


HEAD = "format: 1\ntitle: Toy\nas_of: 2026-11-01\n"
