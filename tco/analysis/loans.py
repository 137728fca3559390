"""Loans with an agreed payment: one that leaves a debt for ever is no loan."""

from __future__ import annotations

import numpy as np

from tco.result import FleetResult, Result
from tco.scenario.plan import Plan
from tco.scenario.problems import Problems
from tco.scenario.reading import Document


def check_loans(result: Result, plans: list[Plan], document: Document) -> None:
    """The agreed payment is above the interest on what is owed, in every period. Raises ScenarioError."""
    problems = Problems(document)
    for fleet, plan in zip(result.fleets, plans, strict=True):
        if "agreed_payment" in fleet.model.lines and (told := _never_repaid(result, fleet)):
            problems.add((*plan.path, "buy", "loan", "payment"), told)
    problems.stop()


def _never_repaid(result: Result, fleet: FleetResult) -> str:
    paid, interest, owed = (
        np.reshape(fleet.values[name], -1) for name in ("agreed_payment", "loan_interest", "loan_owed")
    )
    short = np.flatnonzero((interest >= paid) & (owed > 0))
    if not short.size:
        return ""
    at, currency = int(short[0]), result.scenario["currency"]
    monthly = result.timeline.months_per_period
    return (
        f"pays {paid[at] / monthly:,.2f} {currency}/month, and the interest on the {owed[at]:,.2f} {currency} owed in"
        f" {result.timeline.labels[at]} is {interest[at] / monthly:,.2f} {currency}/month, so that the debt is never"
        " repaid; state more than that, or a `term`"
    )
