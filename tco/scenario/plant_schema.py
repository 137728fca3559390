"""A cooling plant as a user writes it: its type, and what is known of it; the rest are usual figures."""

from typing import Any, ClassVar, Literal

from tco.figures import Figure
from tco.scenario.fields import Section, figure


def _share(description: str, maximum: float = 100) -> Any:
    return figure("%", minimum=0, maximum=maximum, description=description)


def _celsius(description: str) -> Any:
    return figure("degC", minimum=-20, maximum=70, description=description, example="20 degC")


def _kelvin(description: str) -> Any:
    return figure("K", above=0, maximum=40, description=description, example="5 K")


class Plant(Section):
    """How heat leaves the building, for PUE and water from `weather`. What is left out is a usual figure, and told."""

    shorthand: ClassVar = "type"
    type: Literal["airside_economiser", "waterside_economiser", "air_cooled_chiller", "dry_cooler", "cooling_tower"]
    power_losses: Figure | None = _share("UPS, distribution, lights and the rest, over IT power")
    fan_power: Figure | None = _share("fans of the room, over the heat of IT and losses")
    pump_power: Figure | None = _share("pumps of the water loops, over their heat")
    supply_air: Figure | None = _celsius("air to the servers")
    air_rise: Figure | None = _kelvin("by which servers warm it")
    wetting: Figure | None = _share("of the way to the wet bulb that wetted air goes")
    supply_water: Figure | None = _celsius("water, or liquid, to the room")
    water_rise: Figure | None = _kelvin("by which the room warms it")
    room_water: Figure | None = _celsius("water for what liquid does not reach, with a `cooling_tower`")
    liquid_share: Figure | None = _share("of IT's heat that liquid takes, with `dry_cooler` or `cooling_tower`")
    tower_approach: Figure | None = _kelvin("water of the tower above the wet bulb")
    exchanger_approach: Figure | None = _kelvin("water of the room above that of the tower")
    tower_range: Figure | None = _kelvin("by which the tower cools its water")
    tower_power: Figure | None = _share("pump and fans of the tower, over its heat")
    drift: Figure | None = _share("of the tower's flow that leaves as droplets", 1)
    cycles: Figure | None = figure("1", above=1, maximum=50, description="salts in the tower over those filled up")
    dry_approach: Figure | None = _kelvin("liquid of a dry cooler above the air")
    dry_power: Figure | None = _share("fans of a dry cooler, over its heat")
    chiller_cop: Figure | None = figure("1", above=0, maximum=30, description="heat moved over power, as rated")
    chiller_rated: Figure | None = _celsius("outdoor air, or water of the tower, at which that holds")
    chiller_slope: Figure | None = figure("1/K", minimum=0, maximum=0.1, description="power over heat, a kelvin",
                                          example="0.02 1/K")  # fmt: skip
    chiller_best: Figure | None = figure("1", above=0, maximum=50, description="most that it reaches in the cold")
