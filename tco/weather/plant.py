"""How a plant gets rid of heat hour by hour, and what power and water that takes for each kW of IT.

Every figure of a plant is named in `defaults`; all of them may be stated in the scenario.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from tco.weather.epw import Weather
from tco.weather.psychrometrics import Floats, wet_bulb
from tco.weather.tower import free_share, latent_heat, tower

Plant = Mapping[str, float]
SECONDS = 3600.0


@dataclass(frozen=True)
class Hours:
    """For each kW of IT: power of cooling in kW, water in l/h, and the share of heat that no chiller moves."""

    power: Floats
    water: Floats
    free: Floats


@dataclass(frozen=True)
class Year:
    """At steady IT load: PUE and WUE of the year, PUE of its worst hour, and the mean share without a chiller."""

    pue: float
    worst_pue: float
    water_use: float
    free_share: float


def year(kind: str, plant: Plant, weather: Weather) -> Year:
    """The mean of hourly PUE, which is that of the year's energy at steady load."""
    found = hours(kind, plant, weather)
    pue = 1 + plant["power_losses"] + found.power
    return Year(float(pue.mean()), float(pue.max()), float(found.water.mean()), float(found.free.mean()))


def hours(kind: str, plant: Plant, weather: Weather) -> Hours:
    """One value an hour."""
    wet = wet_bulb(weather.dry_bulb, weather.humidity, weather.pressure)
    return KINDS[kind](plant, weather.dry_bulb, wet)


def _air_heat(plant: Plant) -> tuple[float, float]:
    """Power of fans, and the heat of a room in kW: IT, losses and the fans themselves."""
    inside = 1 + plant["power_losses"]
    return inside * plant["fan_power"], inside * (1 + plant["fan_power"])


def _room_share(plant: Plant) -> float:
    """Of the heat of a room whose machines are cooled by air, what is left when liquid takes a share of IT."""
    return 1 - plant["liquid_share"] / (1 + plant["power_losses"])


def _chiller(plant: Plant, outside: Floats) -> Floats:
    """Power over heat moved; the colder the side that takes the heat, the less, down to a least."""
    rising = (1 + plant["chiller_slope"] * (outside - plant["chiller_rated"])) / plant["chiller_cop"]
    return np.maximum(rising, 1 / plant.get("chiller_best", np.inf))


def _tower(plant: Plant, heat: Floats, wet: Floats) -> tuple[Floats, Floats]:
    """Power of fans and pump, and water in l/h."""
    lost = tower(heat, wet + plant["tower_approach"], plant["tower_range"], plant["drift"], plant["cycles"])
    return heat * plant["tower_power"], lost.makeup * SECONDS


def _wet(plant: Plant, heat: float, wet: Floats) -> Hours:
    """Water loop with an economiser: the tower takes all heat, a chiller lifts what the tower cannot reach."""
    loop = wet + plant["tower_approach"]
    free = free_share(loop + plant["exchanger_approach"], plant["supply_water"], plant["water_rise"])
    work = (1 - free) * heat * _chiller(plant, loop)
    power, water = _tower(plant, heat + work, wet)
    return Hours(work + power + heat * plant["pump_power"], water, free)


def _waterside_economiser(plant: Plant, dry: Floats, wet: Floats) -> Hours:
    fans, heat = _air_heat(plant)
    found = _wet(plant, heat, wet)
    return Hours(found.power + fans, found.water, found.free)


def _air_cooled_chiller(plant: Plant, dry: Floats, wet: Floats) -> Hours:
    fans, heat = _air_heat(plant)
    nothing = np.zeros_like(dry)
    return Hours(fans + heat * (_chiller(plant, dry) + plant["pump_power"]), nothing, nothing)


def _airside_economiser(plant: Plant, dry: Floats, wet: Floats) -> Hours:
    """Outdoor air, wetted when it is too warm; a chiller cooled by air takes what is left."""
    fans, heat = _air_heat(plant)
    supply, rise = plant["supply_air"], plant["air_rise"]
    wetted = np.maximum(dry - plant["wetting"] * (dry - wet), np.minimum(dry, supply))
    free = free_share(wetted, supply, rise)
    evaporated = heat * np.maximum(dry - wetted, 0) / rise / latent_heat(wet) * SECONDS
    # Air warmer than what comes back from the machines is shut out, and nothing is wetted.
    return Hours(fans + heat * (1 - free) * _chiller(plant, dry), np.where(free > 0, evaporated, 0), free)


def _dry_cooler(plant: Plant, dry: Floats, wet: Floats) -> Hours:
    """Liquid to a dry cooler, the rest of the heat to a chiller cooled by air."""
    room, liquid, left = _air_cooled_chiller(plant, dry, wet), plant["liquid_share"], _room_share(plant)
    free = free_share(dry + plant["dry_approach"], plant["supply_water"], plant["water_rise"])
    power = plant["dry_power"] + plant["pump_power"] + (1 - free) * _chiller(plant, dry)
    return Hours(liquid * power + left * room.power, room.water, liquid * free)


def _cooling_tower(plant: Plant, dry: Floats, wet: Floats) -> Hours:
    """Liquid to a tower, the rest of the heat to the same tower by colder water."""
    room = _waterside_economiser({**plant, "supply_water": plant["room_water"]}, dry, wet)
    loop, liquid, left = _wet(plant, 1.0, wet), plant["liquid_share"], _room_share(plant)
    power, water = liquid * loop.power + left * room.power, liquid * loop.water + left * room.water
    return Hours(power, water, liquid * loop.free + (1 - liquid) * room.free)


KINDS: dict[str, Callable[[Plant, Floats, Floats], Hours]] = {
    "airside_economiser": _airside_economiser,
    "waterside_economiser": _waterside_economiser,
    "air_cooled_chiller": _air_cooled_chiller,
    "dry_cooler": _dry_cooler,
    "cooling_tower": _cooling_tower,
}
