"""Usual figures of cooling plants, with what they are and where they are from."""

from __future__ import annotations

from tco.scenario.plant_schema import Plant
from tco.scenario.walk import leaf_of
from tco.weather.defaults import DEFAULTS, Default
from tests.docs.tables import table


def usual_figures(_: str) -> str:
    """One row a figure; plants that share its value share the row."""
    found: dict[tuple[str, Default], list[str]] = {}
    for kind, figures in DEFAULTS.items():
        for name, one in figures.items():
            found.setdefault((name, one), []).append(kind.replace("_", " "))
    order = list(Plant.model_fields)
    rows = sorted(found.items(), key=lambda item: order.index(item[0][0]))
    return table(("key", "usual", "plants", "source"), [_row(name, one, kinds) for (name, one), kinds in rows])


def _row(name: str, one: Default, kinds: list[str]) -> tuple[str, ...]:
    leaf = leaf_of(Plant.model_fields[name])
    share = leaf is not None and leaf.is_share
    shown = f"{one.value * 100:g} %" if share else f"{one.value:g} {one.unit}".strip()
    plants = "all" if len(kinds) == len(DEFAULTS) else ", ".join(kinds)
    return f"`{name}`", shown, plants, one.source
