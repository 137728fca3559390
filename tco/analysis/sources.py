"""Which share of a headline rests on recalled or stale prices."""

from __future__ import annotations

import math

import numpy as np

from tco.catalogue.dates import price_date_is_stale
from tco.figures import Figure
from tco.result import FleetResult
from tco.units import currencies_in

MOMENTS = {
    "paid_at_start": "discount_factor_opening",
    "paid_through": "discount_factor_through",
    "paid_at_end": "discount_factor_closing",
}


def doubtful(figure: Figure, as_of: str, stale_days: float) -> str:
    """`recalled`, `stale`, or empty when a price can be relied on."""
    if figure.status == "recalled":
        return "recalled"
    dated = figure.origin.startswith(("catalogue", "scenario"))
    if dated and price_date_is_stale(figure.as_of, as_of, stale_days):
        return "stale"
    return ""


def doubtful_prices(fleet: FleetResult, as_of: str, stale_days: float) -> dict[str, str]:
    """Price inputs of the fleet that are recalled or stale."""
    found = {name: doubtful(figure, as_of, stale_days) for name, figure in fleet.inputs.items() if _is_price(figure)}
    return {name: word for name, word in found.items() if word}


def _is_price(figure: Figure) -> bool:
    return "money" in figure.unit or bool(currencies_in(figure.unit))


def recalled_or_stale_share(fleet: FleetResult, as_of: str, stale_days: float) -> float:
    """Present value of the costs behind which such a price stands, over all costs; both without sign.

    0 where a cost is not defined, since then no headline rests on anything.
    """
    prices = set(doubtful_prices(fleet, as_of, stale_days))
    shaky = whole = 0.0
    for item in fleet.model.lines.values():
        moment = next((name for name in item.part_of if name in MOMENTS), None)
        if moment is None or item.chapter in ("tax", "loan"):
            continue
        amount = abs(float(np.sum(fleet.values[item.name] * fleet.values[MOMENTS[moment]])))
        behind = {parent for name in fleet.model.needed_for([item.name]) for parent in fleet.model.lines[name].parents}
        whole += amount
        shaky += amount if behind & prices else 0.0
    return shaky / whole if 0 < whole < math.inf else 0.0
