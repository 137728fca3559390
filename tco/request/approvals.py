"""Who must sign: in order, up to the first whose limit covers the amount."""

from __future__ import annotations

from dataclasses import dataclass

from tco.request.asked import Asked
from tco.wording import shortened


@dataclass(frozen=True)
class Signer:
    """One approver; `signs` when the signature is needed, `covers` when the limit suffices."""

    role: str
    name: str
    limit: float | None
    signs: bool
    covers: bool


def chain(asked: Asked) -> list[Signer]:
    """Every approver of the scenario; without a limit an approver signs on the way and never suffices."""
    found: list[Signer] = []
    done = False
    for one in asked.request.approvers:
        limit = None if one.limit is None else asked.money(one.limit)
        covers = limit is not None and asked.amount.value <= round(limit, 2)
        found.append(Signer(one.role, one.name or "", limit, not done, covers))
        done = done or covers
    return found


def chain_words(asked: Asked, signers: list[Signer]) -> str:
    """Who signs last, or that nobody may."""
    last = next((one for one in signers if one.covers), None)
    if last is None:
        limits = [one.limit for one in signers if one.limit is not None]
        most = f"the highest is {asked.shown(max(limits))}" if limits else "none states one"
        return f"nobody's limit covers the amount; {most}"
    who = shortened(last.role, 40) + (f", {shortened(last.name, 40)}" if last.name else "")
    number = sum(one.signs for one in signers)
    limit = f" (limit {asked.shown(last.limit)})" if last.limit is not None else ""
    return f"{number} to sign, the last is {who}{limit}"
