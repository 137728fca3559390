"""What a mix yields: the plan, each fleet alone, and what the limits cost."""

from __future__ import annotations

from dataclasses import dataclass, field

from tco.mix.plan import Plan
from tco.mix.worth import Worth


@dataclass(frozen=True)
class Alternative:
    """One fleet alone under the same limits: its present cost, or why it cannot."""

    fleet: str
    cost: float | None
    reason: str


@dataclass(frozen=True)
class Mixed:
    """The plan with what stands beside it."""

    plan: Plan
    alone: list[Alternative] = field(default_factory=list[Alternative])
    worths: list[Worth] = field(default_factory=list[Worth])
