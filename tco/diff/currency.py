"""The old scenario told in the new one's currency, at a rate that either of them states."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tco.analysis.run import run
from tco.diff.sides import Side
from tco.errors import TcoError
from tco.figures import Figure
from tco.result import Result
from tco.scenario.cross_rates import direct_rates, priced_in
from tco.scenario.schema import Scenario

NEAR = 1e-9


@dataclass(frozen=True)
class Restated:
    """The same scenario in another currency, and the rate in words."""

    scenario: Scenario
    result: Result
    note: str


def restated(side: Side, old: Scenario, new: Scenario) -> Restated | str:
    """The old scenario in the new currency, or why that cannot be."""
    pair = f"{old.currency} before, {new.currency} after"
    rate = _rate(old, new)
    if rate is None:
        return f"two currencies, {pair}, and no single rate between them under `fx`"
    fx = {
        code: _through(figure, rate, new.currency, code) if priced_in(code, figure) == old.currency else figure
        for code, figure in old.fx.items()
        if code != new.currency
    }
    fx[old.currency] = rate
    scenario = old.model_copy(update={"currency": new.currency, "fx": fx})
    try:
        result = run(side.scenario.document, scenario, data=side.scenario.catalogue)
    except TcoError as error:
        return f"two currencies, {pair}; the old scenario cannot be told in {new.currency}: {error}"
    for fleet in result.fleets:
        before, after = (one.by_id[fleet.id].shown(one.headline or "") for one in (side.result, result))
        if not isinstance(before, float) or not isinstance(after, float):
            continue
        if abs(after - before * rate.number) > NEAR * abs(after):
            return f"two currencies, {pair}; at one rate the old scenario is not the same in both"
    told = f"{rate.number:g} {new.currency}/{old.currency}"
    return Restated(
        scenario, result, f"{side.file}: told in {new.currency} at {told}, so that both are in one currency"
    )


def _rate(old: Scenario, new: Scenario) -> Figure | None:
    """What one of the old currency costs in the new."""
    stated = direct_rates(new.fx, new.currency).get(old.currency)
    inverse = direct_rates(old.fx, old.currency).get(new.currency)
    if stated and stated.is_one:
        return stated
    if inverse and inverse.is_one:
        return replace(inverse, value=1 / inverse.number, unit=f"{new.currency}/{old.currency}", low=None, high=None)
    return None


def _through(figure: Figure, rate: Figure, currency: str, code: str) -> Figure:
    """A rate of a third currency, by the rate of the old one."""
    unit = f"{currency}/{code}"
    if figure.is_table:
        return replace(figure, value=tuple((start, number * rate.number) for start, number in figure.rows), unit=unit)
    if figure.is_one:
        return replace(figure, value=figure.number * rate.number, unit=unit, low=None, high=None)
    return replace(figure, value=tuple(number * rate.number for number in figure.series), unit=unit)
