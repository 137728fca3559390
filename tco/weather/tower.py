"""Cooling tower and waterside economiser."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tco.weather.psychrometrics import Floats

WATER_HEAT = 4.184
"""kJ/kg K: heat capacity of water."""


@dataclass(frozen=True)
class Tower:
    """kg/s of water for each part of what a tower loses."""

    evaporated: Floats
    drift: Floats
    blowdown: Floats

    @property
    def makeup(self) -> Floats:
        """What is filled up: the three together."""
        return self.evaporated + self.drift + self.blowdown


def latent_heat(celsius: Floats) -> Floats:
    """kJ/kg; the fit of Lei & Masanet 2022."""
    return -0.0013 * celsius**2 - 2.3097 * celsius + 2500.5


def tower(heat: Floats, supply: Floats, span: float, drift_share: float, cycles: float) -> Tower:
    """Losses for `heat` in kW at this temperature of water supplied, cooled over `span` kelvin.

    Salts that evaporation leaves behind are flushed out; drift flushes some of them already.
    """
    evaporated = heat / latent_heat(supply + span / 2)
    drift = heat / (WATER_HEAT * span) * drift_share
    return Tower(evaporated, drift, np.maximum(evaporated / (cycles - 1) - drift, 0))


def free_share(reached: Floats, supply: float, rise: float) -> Floats:
    """Share of the heat that leaves without a chiller: all up to the supply temperature, none at return."""
    return np.clip((supply + rise - reached) / rise, 0, 1)
