"""The part of the scenario that says who asks for the money, by when, from which budget, and who must sign."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from tco.figures import Figure
from tco.scenario.fields import Day, FigureLeaf, LongText, Section, Several, Text, figure

From = Annotated[
    Figure,
    FigureLeaf("money", minimum=0, description="amount from which the rule holds", example="10000 USD"),
    Field(alias="from"),
]


class RequestBudget(Section):
    """What the budget holds for this request, and its code."""

    amount: Figure | None = figure("money", minimum=0, description="what is left in it", example="250000 USD")
    code: Text | None = None


class Approver(Section):
    """One signature; approvers sign in the order of the list."""

    role: Text
    name: Text | None = None
    limit: Figure | None = figure("money", minimum=0, description="the amount up to which the signature suffices",
                                  example="250000 USD")  # fmt: skip


class QuoteStep(Section):
    """From this amount so many valid quotes of different suppliers are asked for; the highest that applies counts."""

    starts: From
    quotes: Annotated[int, Field(ge=0, le=100)]


class Request(Section):
    """Who asks, for what purpose, by when, from which budget, and who must sign; `tco request` prints it."""

    id: Text | None = None
    requester: Text | None = None
    department: Text | None = None
    cost_centre: Text | None = None
    purpose: LongText | None = None
    needed_by: Day | None = None
    budget: RequestBudget | None = None
    approvers: Several[Approver] = ()
    quote_rule: Several[QuoteStep] = ()
