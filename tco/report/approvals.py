"""Who signs: the approvers that the scenario names, in their order; without any, lines to be filled in."""

from __future__ import annotations

from dataclasses import dataclass

from tco.figures import Figure
from tco.report.facts import Facts
from tco.units import currencies_in
from tco.wording import NOTHING, fixed, shortened

SIGNERS = ("Prepared by", "Reviewed by", "Approved by (finance)", "Approved by (budget)")
"""Roles of a report whose scenario names nobody."""


@dataclass(frozen=True)
class Signer:
    """One line: role, and what is known of who signs."""

    role: str
    name: str = ""
    limit: str = ""


def signers(facts: Facts) -> list[Signer]:
    """One line each, in order; a limit in the currency in which it is stated."""
    request = facts.result.request
    if request is None or not request.approvers:
        return [Signer(role) for role in SIGNERS]
    currency = facts.currency
    return [Signer(shortened(one.role, 100), shortened(one.name or "", 100), _limit(one.limit, currency))
            for one in request.approvers]  # fmt: skip


def signed_how(facts: Facts) -> str:
    """The caption of the lines."""
    request = facts.result.request
    if request is None or not request.approvers:
        return "To sign by hand"
    return "To sign by hand, in this order, up to the first whose limit covers the amount"


def _limit(limit: Figure | None, currency: str) -> str:
    if limit is None:
        return NOTHING
    code = min(currencies_in(limit.unit), default=currency)
    return f"{fixed(limit.to(code).number, 2)} {code}"
