"""The part of the scenario that says which fleets may be combined, and what all of them together may take."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from tco.figures import Figure
from tco.scenario.fields import FigureLeaf, FleetId, Section, Several, figure

Supply = Annotated[Figure, FigureLeaf("system", minimum=0, maximum=1e7, whole=True, series=True, example="8 system")]


class Mix(Section):
    """Which fleets may share the requests, and what they may take together; `tco mix` finds the cheapest plan."""

    fleets: Several[FleetId] = ()
    decide: Literal["year", "period"] = "year"
    split: bool = True
    largest_share: Figure | None = figure("%", above=0, maximum=100, description="of all requests that one fleet takes")
    power: Figure | None = figure("kW", minimum=0, series=True, example="400 kW")
    racks: Figure | None = figure("rack", minimum=0, series=True, example="12 rack")
    budget: Figure | None = figure("money", above=0, example="5 MUSD")
    yearly_budget: Figure | None = figure("money/yr", minimum=0, series=True, example="2 MUSD/yr")
    carbon: Figure | None = figure("tCO2e", minimum=0, example="900 tCO2e")
    supply: dict[str, Supply] = Field(default_factory=dict)
