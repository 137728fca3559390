"""Figures of plants that nobody stated: each with its unit and where it is from.

`recalled` figures were written down without the source at hand. COP falls as 1 / (1 + slope x kelvin).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Default:
    """A usual figure; `unit` is that of the scenario's key."""

    value: float
    unit: str
    source: str


_AIR = "ASHRAE TC 9.9: 18 to 27 degrees recommended at the inlet of servers (seen)"
_USUAL = "usual design of plants (recalled)"
_LEI = "mid-point of Lei & Masanet 2022 as run in robVerce/datacenter_pue (seen in its parameters)"
_CURVE = "regression of catalogue chillers in robVerce/datacenter_pue: 6.7 at 25 degrees and half load (seen)"

LOSSES = Default(0.08, "", "UPS of 94 %, distribution 1 %, lights and the rest 1 % of IT (recalled)")

_ROOM = {
    "power_losses": LOSSES,
    "fan_power": Default(
        0.05, "", "350 Pa over an air rise of 10 K, fans of 60 % (recalled): about half of Lei & Masanet"
    ),
}
_PUMPS = {"pump_power": Default(0.012, "", "two loops of 144 kPa over 7.5 K, pumps of 70 % (as Lei & Masanet)")}
_AIR_COOLED = {
    "chiller_cop": Default(3.0, "", "about the least that ASHRAE 90.1 allows at full load (recalled)"),
    "chiller_rated": Default(
        35.0, "degC", "outdoor air at which chillers cooled by air are rated, AHRI 550/590 (recalled)"
    ),
    "chiller_slope": Default(
        0.03, "1/K", "that of the reference's air-cooled chiller between 15 and 35 degrees (seen)"
    ),
}
_IN_THE_COLD = {"chiller_best": Default(11.0, "", "about the most of the reference's air-cooled chiller (seen)")}
_WATER_COOLED = {
    "chiller_cop": Default(6.7, "", _CURVE),
    "chiller_rated": Default(25.0, "degC", "water of the tower at which that figure holds"),
    "chiller_slope": Default(0.02, "1/K", "that of the same regression between 15 and 35 degrees (seen)"),
    "chiller_best": Default(8.4, "", "the same regression at 10 degrees and half load (seen)"),
}
_TOWER = {
    "tower_approach": Default(4.75, "K", _LEI),
    "exchanger_approach": Default(2.25, "K", _LEI),
    "tower_range": Default(5.0, "K", _LEI),
    "tower_power": Default(0.03, "", "pump of 209 kPa and fans of 300 Pa over a range of 5 K (as Lei & Masanet)"),
    "drift": Default(0.00005, "", "drift eliminators of present towers, of the flow (recalled)"),
    "cycles": Default(5.0, "", "usual with treated water, 3 to 7 (recalled)"),
}
_LOOP = {"supply_water": Default(20.0, "degC", _USUAL), "water_rise": Default(7.5, "K", _LEI)}

DEFAULTS: dict[str, dict[str, Default]] = {
    "airside_economiser": {
        **_ROOM,
        **_AIR_COOLED,
        "supply_air": Default(27.0, "degC", _AIR),
        "air_rise": Default(12.0, "K", _USUAL),
        "wetting": Default(0.85, "", "saturation effectiveness of wetted media (recalled)"),
    },
    "waterside_economiser": {**_ROOM, **_PUMPS, **_WATER_COOLED, **_TOWER, **_LOOP},
    "air_cooled_chiller": {**_ROOM, **_PUMPS, **_AIR_COOLED, **_IN_THE_COLD},
    "dry_cooler": {
        **_ROOM, **_PUMPS, **_AIR_COOLED, **_IN_THE_COLD,
        "liquid_share": Default(0.8, "", "cold plates on GPUs and CPUs take 70 to 85 % of the heat (recalled)"),
        "supply_water": Default(40.0, "degC", "liquid class W40 (recalled)"),
        "water_rise": Default(10.0, "K", _USUAL),
        "dry_approach": Default(8.0, "K", _USUAL),
        "dry_power": Default(0.02, "", "fans of dry coolers over the heat they move (recalled)"),
    },
    "cooling_tower": {
        **_ROOM, **_PUMPS, **_WATER_COOLED, **_TOWER,
        "liquid_share": Default(0.8, "", "cold plates on GPUs and CPUs take 70 to 85 % of the heat (recalled)"),
        "supply_water": Default(32.0, "degC", "liquid class W32 (recalled)"),
        "water_rise": Default(10.0, "K", _USUAL),
        "room_water": Default(20.0, "degC", _USUAL),
    },
}  # fmt: skip
