"""What the catalogue knows of a region's grid, by id: a price of electricity, and what it emits."""

from __future__ import annotations

from dataclasses import replace

from tco.catalogue import Catalogue
from tco.errors import CatalogueError
from tco.scenario.gather import Found
from tco.scenario.paths import Path
from tco.scenario.problems import Problems
from tco.scenario.schema import Electricity

KEYS = {"rate": ("price", "electricity_price"), "grid": ("carbon", "carbon_intensity")}
"""Key of the scenario: the kind of its entry, and the input that it feeds."""


def of_region(
    data: Catalogue, section: Electricity | None, found: Found, problems: Problems, path: Path, *, shared: bool = False
) -> None:
    """Put the figures of the entries that a section names; what is wrong becomes problems.

    Those for all fleets give way to what the scenario states by hand; a fleet's are put before its own statements.
    """
    named = {key: getattr(section, key) for key in KEYS if section and getattr(section, key)}
    for key, identity in named.items():
        kind, name = KEYS[key]
        try:
            entry = data.find("electricity", identity)
        except CatalogueError as error:
            problems.add((*path, key), str(error))
            continue
        region = ", ".join(entry.texts[word] for word in ("region", "sector") if word in entry.texts)
        if entry.texts.get("kind") != kind:
            held = entry.texts.get("kind", "").replace("_", " ")
            told = f"`{identity}` is of the kind {held} ({region}); wanted the kind {kind}"
            problems.add((*path, key), f"{told}, see `tco catalogue list electricity`")
            continue
        figure = entry.figures["value"]
        figure = replace(figure, note="; ".join(filter(None, (region, figure.note))))
        if shared:
            found.put_new(name, figure, shared=True)
        else:
            found.put(name, figure)
