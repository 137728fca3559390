"""The colours of cost categories: one place for the report, the workbook and whoever draws next.

`COLOURS["capital_cost"].light` is the hex of a bar on white paper, `.dark` that on a dark screen, `.grey` that in a
print without colours; `.letters_dark` says that letters on the bar are dark. The order is that of the stacked bars.
The residual is a receipt: the report hatches it, and who cannot hatch takes its plain colour.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Colour:
    """One category on white, on dark, and in grey."""

    light: str
    dark: str
    grey: str
    letters_dark: bool = False


COLOURS: dict[str, Colour] = {
    "capital_cost": Colour("#1f3864", "#6f8fd0", "#262626"),
    "energy_cost": Colour("#bf8f00", "#d9a920", "#c4c4c4", letters_dark=True),
    "site_cost": Colour("#c9ced6", "#5d6675", "#d8d8d8", letters_dark=True),
    "maintenance_cost": Colour("#737a85", "#8d95a3", "#8c8c8c"),
    "software_cost": Colour("#3f7f7a", "#4fa39c", "#707070"),
    "people_cost": Colour("#9dc3e6", "#9dc3e6", "#e6e6e6", letters_dark=True),
    "rent_cost": Colour("#2e75b6", "#3f8ad0", "#5c5c5c"),
    "api_cost": Colour("#5b4a8a", "#9d8bd0", "#4a4a4a"),
    "finance_cost": Colour("#8a5a2b", "#b57f49", "#9c9c9c"),
    "tax_cost": Colour("#a9a08c", "#a9a08c", "#b0b0b0", letters_dark=True),
    "residual_cost": Colour("#8795ab", "#aab2c0", "#555555", letters_dark=True),
    "other_cost": Colour("#888888", "#888888", "#888888"),
}
HATCHED = "residual_cost"


def stylesheet() -> str:
    """The colours as CSS: a variable and a fill for each category, in light, dark and print."""
    fills = "".join(f".{name}{{fill:var(--{name})}}" for name in COLOURS if name != HATCHED)
    dark = [name for name, colour in COLOURS.items() if colour.letters_dark and name != HATCHED]
    letters = f"{','.join(f'svg text.on.{name}' for name in dark)}{{fill:var(--on-light)}}"
    schemes = {
        "": {name: colour.light for name, colour in COLOURS.items()},
        "@media (prefers-color-scheme:dark)": {name: colour.dark for name, colour in COLOURS.items()},
        "@media print": {name: colour.grey for name, colour in COLOURS.items()},
    }
    return "".join(_scheme(media, colours) for media, colours in schemes.items()) + fills + letters


def _scheme(media: str, colours: dict[str, str]) -> str:
    root = f":root{{{';'.join(f'--{name}:{colour}' for name, colour in colours.items())}}}"
    return f"{media}{{{root}}}" if media else root
