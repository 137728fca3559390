"""Whether the numbers hold together: computed here again from the parts, never taken on trust."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from tco.report.facts import Facts, by_category, one, series
from tco.report.tables import Cell, Table, head, number, table
from tco.result import CATEGORIES, FleetResult
from tco.wording import listed

TOLERANCE = 1e-9
Sides = tuple[float, float] | None


@dataclass(frozen=True)
class Check:
    """One rule over all fleets: who was checked, who failed, the largest relative difference."""

    rule: str
    checked: int
    failed: list[str]
    difference: float


def _categories(fleet: FleetResult) -> Sides:
    whole = one(fleet, "total_cost")
    parts = [float(np.sum(values)) for name in CATEGORIES if (values := series(fleet, name)) is not None]
    return None if whole is None else (sum(parts), whole)


def _moments(fleet: FleetResult) -> Sides:
    whole = one(fleet, "total_cost")
    parts = [
        float(np.sum(values))
        for name in ("paid_at_start", "paid_through", "paid_at_end")
        if (values := series(fleet, name)) is not None
    ]
    return None if whole is None else (sum(parts), whole)


def _present(fleet: FleetResult) -> Sides:
    whole = one(fleet, "present_cost")
    return None if whole is None else (sum(by_category(fleet).values()), whole)


def _bill(fleet: FleetResult) -> Sides:
    whole, parts = one(fleet, "present_cost"), (one(fleet, "input_cost"), one(fleet, "output_cost"))
    return None if whole is None or parts[0] is None or parts[1] is None else (parts[0] + parts[1], whole)


def _levelled(cost: str, output: str) -> Callable[[FleetResult], Sides]:
    def sides(fleet: FleetResult) -> Sides:
        unit, amount, whole = one(fleet, cost), one(fleet, output), one(fleet, "present_cost")
        return None if unit is None or amount is None or whole is None else (unit * amount, whole)

    return sides


RULES: tuple[tuple[str, Callable[[FleetResult], Sides]], ...] = (
    ("The categories add up to the total cost", _categories),
    ("What is paid at the start, through and at the end of periods adds up to the total cost", _moments),
    ("The present costs of the categories add up to the present cost", _present),
    ("Cost for input and cost for output add up to the bill", _bill),
    (
        "Unit cost times useful tokens is the present cost",
        _levelled("cost_per_million_useful_tokens", "present_useful_tokens"),
    ),
    (
        "Unit cost times useful steps is the present cost",
        _levelled("cost_per_useful_training_step", "present_useful_training_steps"),
    ),
)


def checks(facts: Facts) -> list[Check]:
    """Every rule that applies to some fleet."""
    return list(_checks(facts))


def _checks(facts: Facts) -> Iterator[Check]:
    for rule, sides in RULES:
        found = {fleet.id: pair for fleet in facts.result.fleets if (pair := sides(fleet)) is not None}
        gaps = {name: abs(left - right) / (max(abs(left), abs(right)) or 1.0) for name, (left, right) in found.items()}
        if found:
            yield Check(rule, len(found), [name for name, gap in gaps.items() if gap > TOLERANCE], max(gaps.values()))
    costs = [facts.cost(fleet) or 0.0 for fleet in facts.ranked]
    if costs:
        yield Check(
            "The ranking runs from the cheapest to the dearest",
            len(costs),
            [] if costs == sorted(costs) else ["ranking"],
            0.0,
        )


def check_table(found: list[Check]) -> Table:
    """Each check with pass or fail."""
    rows = [
        [
            head(check.rule),
            number(float(check.checked), lambda value: f"{value:.0f}"),
            number(check.difference, lambda value: "0" if value == 0 else f"{value:.0e}"),
            Cell(f"fail: {listed(check.failed)}" if check.failed else "pass", tone="bad" if check.failed else "good"),
        ]
        for check in found
    ]
    return table(
        "Checks",
        ("Check", "Fleets", "Largest relative difference", "Result"),
        rows,
        note="Tolerance: one part in a billion.",
    )
