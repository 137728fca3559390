"""Which sliders may make the deployment stale that the engine searched: found by searching again at other settings."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from typing import Any

from tco.analysis.again import Change, chosen_anew
from tco.evaluate import Value
from tco.report.sliders import Slider
from tco.result import FleetResult, Result

JOINT = 4
"""How often all sliders are moved together."""


def stale(result: Result, fleet: FleetResult, sliders: list[Slider]) -> list[str]:
    """Keys of the sliders that can change what the engine chose; all that move the fleet where only several do."""
    own = [slider for slider in sliders if fleet.id in slider.inputs]
    if _kept(fleet):
        return [slider.key for slider in own]
    made_for = {slider.key for slider in own if _made_for(fleet, slider.inputs[fleet.id])}
    alone = [(slider.key, {slider.key: at}) for slider in own if slider.key not in made_for for at in _places(slider)]
    joint = [("", at) for at in _together(own)]
    asked = [*alone, *joint]
    anew = chosen_anew(result, fleet, [_change(own, at) for _, at in asked])
    found = made_for | {key for (key, _), changed in zip(asked, anew, strict=True) if changed and key}
    if not found and any(anew):
        return [slider.key for slider in own]
    return [slider.key for slider in own if slider.key in found]


def _kept(fleet: FleetResult) -> bool:
    """Whether an earlier run made the choices, so that nobody knows what a search would find."""
    choices: Any = fleet.choices
    return bool(choices.get("values")) and not fleet.rivals and not choices.get("for")


def _places(slider: Slider) -> list[float]:
    """Both ends; of demand, which whole units follow in steps, half way to them too: costs are straight in prices."""
    parts = (0.5, 1.0) if slider.key == "demand" else (1.0,)
    ends = (end for end in (slider.low, slider.high) if end != slider.base)
    return [slider.base + (end - slider.base) * part for end in ends for part in parts]


def _together(sliders: list[Slider]) -> list[dict[str, float]]:
    """Settings of all sliders; always the same ones."""
    generator = random.Random(0)
    return [{one.key: generator.uniform(one.low, one.high) for one in sliders} for _ in range(JOINT)] if sliders else []


def _change(sliders: list[Slider], at: Mapping[str, float]) -> Change:
    def given(fleet: FleetResult) -> dict[str, Value]:
        moved = dict[str, Value]()
        for slider in sliders:
            for name in slider.inputs[fleet.id]:
                if slider.key in at and name in fleet.inputs:
                    moved[name] = slider.value(at[slider.key], fleet.inputs[name].value)
        return moved

    return given


def _made_for(fleet: FleetResult, inputs: Iterable[str]) -> bool:
    """Whether a choice was made for one of the inputs by name, or for a load that follows from them."""
    choices: Any = fleet.choices
    loads = [name for name in choices.get("bill", {}).get("for", {}) if name in fleet.model.lines]
    behind: set[str] = {*(choices.get("for") or {}), *(fleet.model.inputs_of(loads) if loads else ())}
    return not behind.isdisjoint(inputs)
