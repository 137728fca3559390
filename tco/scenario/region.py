"""What the catalogue knows of a region's grid, by id: a price of electricity, and what it emits."""

from __future__ import annotations

from dataclasses import replace

from tco.catalogue import Catalogue
from tco.errors import CatalogueError
from tco.scenario.gather import Found
from tco.scenario.paths import Path
from tco.scenario.problems import Problems
from tco.scenario.schema import Electricity

KEYS = {"rate": ("price", "electricity_price", "price"), "grid": ("carbon", "carbon_intensity", "carbon_intensity")}
"""Key of the scenario: the kind of its entry, the input that it feeds, the key that says the same by hand."""


def of_region(
    data: Catalogue, section: Electricity | None, found: Found, problems: Problems, path: Path, *, shared: bool = False
) -> None:
    """Put the figures of the entries that a section names; what is wrong becomes problems."""
    named = {key: getattr(section, key) for key in KEYS if section and getattr(section, key)}
    for key, identity in named.items():
        kind, name, by_hand = KEYS[key]
        if getattr(section, by_hand) is not None:
            problems.add((*path, key), f"`{by_hand}` and `{key}` say the same; keep one", key=True)
            continue
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
        note = "; ".join(filter(None, (region, figure.note)))
        found.put(name, replace(figure, note=note), shared=shared)
