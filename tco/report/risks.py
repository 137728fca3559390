"""Risks of the recommended fleet: what could happen and what it would cost, computed; the reader names the owners."""

from __future__ import annotations

from collections.abc import Iterator

from tco.report.cautions import alerts, sentence
from tco.report.drivers import Driver, drivers, written
from tco.report.facts import Facts, one, settlement
from tco.report.records import label
from tco.report.tables import Cell, Table, head, table
from tco.result import FleetResult
from tco.wording import money, percent

MOST = 8
UNKNOWN = "not computed"


def risks(facts: Facts) -> Table | None:
    """The dearer end of each strong driver, contracts beyond the horizon, doubtful prices, the engine's warnings."""
    best = facts.best
    if best is None:
        return None
    rows = [[head(what), Cell(effect), Cell("")] for what, effect in _rows(facts, best)]
    note = (
        "Money effects are present values over the horizon, all else equal; they do not add up. Owners are written in."
    )
    return (
        table(f"Risks of {best.id}", ("Risk", "Effect in money", "Owner"), rows, note=note, style="risks")
        if rows
        else None
    )


def _rows(facts: Facts, best: FleetResult) -> Iterator[tuple[str, str]]:
    told = 0
    for item in drivers(facts):
        row = _driver(facts, best, item)
        if row and told < MOST:
            told += 1
            yield row
    if settlement(best) > 0:
        yield (
            "A contract outlasts the horizon and is paid to its end",
            f"{money(settlement(best))} {facts.currency}, included",
        )
    doubtful, whole = best.recalled_or_stale_share, one(best, "present_cost")
    if doubtful > 0 and whole is not None:
        rests = f"{money(doubtful * whole)} {facts.currency} ({percent(doubtful)}) of the present cost rest on them"
        yield "Prices that are recalled or stale turn out otherwise", rests
    yield from ((sentence(alert.text), UNKNOWN) for alert in alerts(facts, best))


def _driver(facts: Facts, best: FleetResult, item: Driver) -> tuple[str, str] | None:
    """The end at which the fleet costs most, or cannot do the work any more."""
    base, whole = facts.cost(best), one(best, "present_cost")
    ends = list(zip((item.low, item.high), item.found, strict=True))
    lost = next(((value, found) for value, found in ends if isinstance(found, str)), None)
    if lost:
        return f"{label(best, item.name)} is {written(facts, best, item.name, lost[0])}", f"the work is lost: {lost[1]}"
    value, cost = max(((value, found) for value, found in ends if isinstance(found, float)), key=lambda pair: pair[1])
    if not base or whole is None or cost <= base:
        return None
    share = cost / base - 1
    effect = f"unit cost +{percent(share)}: {money(share * whole)} {facts.currency} for the same work"
    return f"{label(best, item.name)} is {written(facts, best, item.name, value)}", effect
