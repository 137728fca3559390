"""PUE and water that follow from a plant and the weather of its place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import TYPE_CHECKING

from tco.errors import ScenarioError
from tco.result import Alert
from tco.scenario.gather import derived
from tco.scenario.paths import Path
from tco.scenario.plan import Context, Plan
from tco.scenario.plant_schema import Plant
from tco.scenario.schema import Cooling, Fleet

if TYPE_CHECKING:
    from tco.weather.defaults import Default
    from tco.weather.plant import Year

LIQUID_TYPES = ("dry_cooler", "cooling_tower")
FEEDS = {"pue": "pue", "water_use": "water_use"}


@dataclass(frozen=True)
class _Chosen:
    """A section on cooling, and where it stands."""

    section: Cooling
    path: Path


def weather(context: Context, fleet: Fleet, plan: Plan) -> None:
    """Put the year's PUE, that of its worst hour, and the year's water in place; or say what is wrong."""
    sections = list(_sections(context, fleet, plan))
    _check(context, sections)
    holder = next((one for one in sections if one.section.weather or one.section.pue), None)
    if holder is None or not holder.section.weather:
        return
    planted = next((one for one in sections if one.section.plant), None)
    if planted is None or planted.section.plant is None:
        told = "the weather needs a plant; state `plant`, such as `plant: waterside_economiser`"
        context.problems.add((*holder.path, "weather"), told, key=True)
        return
    stated = planted.section.plant
    if _suits(context, sections, planted, stated):
        _put(context, plan, holder, planted, stated)


def _sections(context: Context, fleet: Fleet, plan: Plan) -> Iterator[_Chosen]:
    """The fleet's own section before that of all fleets."""
    if fleet.cooling:
        yield _Chosen(fleet.cooling, (*plan.path, "cooling"))
    if context.scenario.cooling:
        yield _Chosen(context.scenario.cooling, ("cooling",))


def _check(context: Context, sections: list[_Chosen]) -> None:
    for one in sections:
        for key in FEEDS if one.section.weather else ():
            if getattr(one.section, key) is not None:
                told = f"`{key}` and `weather` say the same; keep one"
                context.problems.add((*one.path, key), told, key=True)
        if one.section.plant and not any(other.section.weather for other in sections):
            told = "a plant counts with `weather` only, a file in EPW form; state it, or `pue` and `water_use` instead"
            context.problems.add((*one.path, "plant"), told, key=True)


def _suits(context: Context, sections: list[_Chosen], planted: _Chosen, stated: Plant) -> bool:
    """The plant belongs to what is in the room, and each key to the plant."""
    from tco.weather.defaults import DEFAULTS

    place = (*planted.path, "plant")
    kind = next((one.section.kind for one in sections if one.section.kind), "")
    wrong = _unlike(kind, stated.type)
    if wrong:
        context.problems.add(place, wrong)
        return False
    known = DEFAULTS[stated.type]
    foreign = sorted(stated.model_fields_set - {"type"} - set(known))
    for key in foreign:
        told = f"`{key}` means nothing to a plant of type {stated.type}; leave it out"
        context.problems.add((*place, key), f"{told} (known are {', '.join(sorted(known))})", key=True)
    return not foreign


def _unlike(kind: str, plant: str) -> str:
    """A plant of liquid belongs to liquid in the room, and outdoor air to air."""
    liquid = kind in ("liquid", "immersion")
    if kind == "none":
        return "`kind: none` is a machine beside a desk, which has no plant; state another kind"
    if plant in LIQUID_TYPES and not liquid:
        told = f"a {plant} takes liquid from the machines, and `kind` is {kind or 'not stated'}"
        return f"{told}; wanted `kind: liquid`, or another plant"
    if plant == "airside_economiser" and liquid:
        told = f"outdoor air cools no liquid, and `kind` is {kind}"
        return f"{told}; wanted a `dry_cooler`, a `cooling_tower` or a `waterside_economiser`"
    return ""


def _put(context: Context, plan: Plan, holder: _Chosen, planted: _Chosen, stated: Plant) -> None:
    from tco.weather.defaults import DEFAULTS
    from tco.weather.epw import read_epw
    from tco.weather.plant import year

    file, place, day = holder.section.weather or "", (*holder.path, "weather"), context.scenario.as_of
    try:
        found = read_epw(FilePath(context.problems.document.file).parent / file)
    except ScenarioError as error:
        context.problems.take(place, error.problems)
        return
    usual = DEFAULTS[stated.type]
    own = {key: figure.to(usual[key].unit).number for key in usual if (figure := getattr(stated, key)) is not None}
    result = year(stated.type, {**{key: one.value for key, one in usual.items()}, **own}, found)
    words = f"{stated.type.replace('_', ' ')} in the weather of {found.place} ({file}"
    told = f"{words}, {found.source or 'no source named'}): mean of 8,760 hours at steady load"
    plan.found.put("pue", derived(result.pue, "", told, day), place)
    plan.found.put("worst_pue", derived(result.worst_pue, "", f"{words}): the worst hour at steady load", day), place)
    plan.found.put("water_use", derived(result.water_use, "l/kWh", told, day), place)
    shared = holder.path[0] == planted.path[0] == "cooling"
    text = "; ".join([f"{words}): {_results(result)}", *_usual(usual, own)])
    plan.alerts.append(Alert("pue-from-weather", "" if shared else plan.id, text))


def _results(found: Year) -> str:
    told = f"PUE {found.pue:.3f}, in its worst hour {found.worst_pue:.3f}; {found.water_use:.2f} l/kWh"
    return f"{told}; {found.free_share:.0%} of the heat without a chiller" if found.free_share > 0 else told


def _usual(usual: dict[str, Default], own: dict[str, float]) -> Iterator[str]:
    """Figures that nobody stated, by name."""
    missing = [f"{key} {one.value:g} {one.unit}".strip() for key, one in usual.items() if key not in own]
    if missing:
        yield f"usual figures, not this plant's: {', '.join(missing)}"
