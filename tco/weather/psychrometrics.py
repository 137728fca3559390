"""Moist air: the wet bulb of many hours at once.

Equations 3, 5, 6, 20, 33 and 35 of the ASHRAE Handbook Fundamentals 2017, chapter 1, as PsychroLib 2.5.0 (MIT) has
them; both branches of the saturation pressure meet at the triple point.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

ZERO = 273.15
TRIPLE_POINT = 0.01
WATER_OVER_AIR = 0.621945
HALVINGS = 50


def saturation_pressure(celsius: Floats) -> Floats:
    """Pa, over ice below the triple point and over water above."""
    t = celsius + ZERO
    ice = (
        -5.6745359e3 / t + 6.3925247 - 9.677843e-3 * t + 6.2215701e-7 * t**2 + 2.0747825e-9 * t**3
        - 9.484024e-13 * t**4 + 4.1635019 * np.log(t)
    )  # fmt: skip
    water = (
        -5.8002206e3 / t + 1.3914993 - 4.8640239e-2 * t + 4.1764768e-5 * t**2 - 1.4452093e-8 * t**3
        + 6.5459673 * np.log(t)
    )  # fmt: skip
    return np.exp(np.where(celsius <= TRIPLE_POINT, ice, water))


def wet_bulb(dry_bulb: Floats, humidity: Floats, pressure: Floats) -> Floats:
    """Degrees Celsius, from dry bulb, relative humidity (0 to 1) and pressure in Pa."""
    vapour = humidity * saturation_pressure(dry_bulb)
    held = _ratio(vapour, pressure)

    def too_warm(guess: Floats) -> NDArray[np.bool_]:
        return _held_at(dry_bulb, guess, pressure) > held

    return _halved(dry_bulb - 60, dry_bulb, too_warm)


def _ratio(vapour: Floats, pressure: Floats) -> Floats:
    return WATER_OVER_AIR * vapour / (pressure - vapour)


def _held_at(dry_bulb: Floats, wet: Floats, pressure: Floats) -> Floats:
    """Water over dry air, by mass, of air with this wet bulb."""
    full, apart = _ratio(saturation_pressure(wet), pressure), dry_bulb - wet
    over_water = ((2501 - 2.326 * wet) * full - 1.006 * apart) / (2501 + 1.86 * dry_bulb - 4.186 * wet)
    over_ice = ((2830 - 0.24 * wet) * full - 1.006 * apart) / (2830 + 1.86 * dry_bulb - 2.1 * wet)
    return np.where(wet >= 0, over_water, over_ice)


def _halved(low: Floats, high: Floats, above: Callable[[Floats], NDArray[np.bool_]]) -> Floats:
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        beyond = above(middle)
        low, high = np.where(beyond, low, middle), np.where(beyond, middle, high)
    return (low + high) / 2
