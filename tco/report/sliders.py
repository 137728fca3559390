"""What a reader may move in the what-if panel: which inputs of which fleet, in which unit, between which ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tco.export import shown_unit, unit_text_of
from tco.figures import Figure
from tco.result import VERDICTS, FleetResult, Result
from tco.wording import plain

CHANGE = 0.5
SLIDERS = {
    "demand": ("Demand", ("requests", "runs")),
    "electricity": ("Electricity price", ("electricity_price",)),
    "discount": ("Discount rate", ("discount_rate",)),
    "purchase": ("Price of bought systems", ("system_price",)),
    "rent": ("Price of rented GPUs", ("gpu_hour_price",)),
    "api": ("Prices of the API", ("input_price", "cached_input_price", "output_price")),
}
"""By key in the address of the page: the label, and the inputs that move together, also in a currency quoted."""


@dataclass(frozen=True)
class Slider:
    """One slider. `times` moves issued values by a factor; otherwise all fleets have one value, shown times `scale`.

    `inputs` names what it sets, by fleet. `range` says where the ends come from.
    """

    key: str
    label: str
    unit: str
    base: float
    low: float
    high: float
    scale: float
    times: bool
    range: str
    inputs: dict[str, tuple[str, ...]]

    def told(self) -> dict[str, Any]:
        """What the script needs of it."""
        return {
            "key": self.key, "label": self.label, "unit": self.unit, "base": self.base, "low": self.low,
            "high": self.high, "scale": self.scale, "times": self.times,
        }  # fmt: skip

    def value(self, shown: float, issued: Any) -> Any:
        """The input for what the slider shows; the issued one, untouched, where it has not moved."""
        if shown == self.base:
            return issued
        if not self.times:
            return shown / self.scale
        return [one * shown for one in issued] if hasattr(issued, "__iter__") else issued * shown


def sliders(result: Result) -> list[Slider]:
    """Those that move the headline of some fleet."""
    wanted = [result.headline or "present_cost", *(flag for flag, _ in VERDICTS)]
    read = {fleet.id: fleet.model.inputs_of(wanted) for fleet in result.fleets}
    found = list[Slider]()
    for key, (label, names) in SLIDERS.items():
        inputs = {fleet.id: _moved(fleet, read[fleet.id], names) for fleet in result.fleets}
        inputs = {fleet: moved for fleet, moved in inputs.items() if moved}
        figures = [result.by_id[fleet].inputs[name] for fleet, moved in inputs.items() for name in moved]
        if inputs:
            made = _slider(key, label, figures, inputs, result)
            found += [made] if made.low < made.high else []
    return found


def _moved(fleet: FleetResult, read: list[str], names: tuple[str, ...]) -> tuple[str, ...]:
    """The inputs behind the measure or the verdict that bear one of the names and are not a table or 0."""
    asked = {*names, *(f"{name}_quoted" for name in names)}
    given = {name: fleet.inputs[name] for name in read if name in asked and name in fleet.inputs}
    return tuple(name for name, figure in given.items() if not figure.is_table and _some(figure))


def _some(figure: Figure) -> bool:
    return any([figure.number] if figure.is_one else figure.series)


def _slider(key: str, label: str, figures: list[Figure], inputs: dict[str, tuple[str, ...]], result: Result) -> Slider:
    same = key != "api" and len({(figure.value, figure.unit) for figure in figures}) == 1 and figures[0].is_one
    ranged = [figure for figure in figures if figure.is_one and (figure.low is not None or figure.high is not None)]
    below = min((_ratio(figure, figure.low) for figure in ranged), default=1 - CHANGE)
    above = max((_ratio(figure, figure.high) for figure in ranged), default=1 + CHANGE)
    told = "lowest and highest stated" if ranged else "50 % to both sides, as no range is stated"
    if not same:
        return Slider(key, label, "× as issued", 1.0, _round(below, 4), _round(above, 4), 1.0, True, told, inputs)
    figure = figures[0]
    rate = key == "discount"
    scale = 100.0 if rate else 1.0
    unit = "% a year" if rate else shown_unit(unit_text_of(figure.unit), result.scenario["currency"])
    base = _round(figure.number * scale)
    return Slider(key, label, unit, base, _round(below * base), _round(above * base), scale, False, told, inputs)


def _ratio(figure: Figure, end: float | None) -> float:
    return 1.0 if end is None else end / figure.number


def _round(number: float, digits: int = 12) -> float:
    """Without the last digits of a product."""
    return float(f"{number:.{digits}g}")


def ends(slider: Slider) -> str:
    """The ends and where they come from."""
    return f"{plain(slider.low)} to {plain(slider.high)}: {slider.range}"
