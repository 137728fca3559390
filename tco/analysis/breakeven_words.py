"""Break-evens in words: what report and workbook say alike."""

from __future__ import annotations

from tco.analysis.breakeven import BreakEven, Crossing, Question
from tco.wording import listed, percent

MOST = 8
"""Crossings of one quantity that are printed; the JSON holds all."""

FROZEN = "One quantity at a time, all else equal. The deployment stays as it was chosen, also at another demand"
SAME, LOST = "equal", "not comparable"


def caption(found: BreakEven) -> str:
    """Which two."""
    return f"Where {' and '.join(found.fleets)} cost the same"


def named(question: Question) -> str:
    """`System price of workstation`."""
    words = f"{question.quantity[0].upper()}{question.quantity[1:]}"
    return f"{words} of {question.fleet}" if question.fleet else words


def not_reached_words(question: Question) -> str:
    """The same without the ends."""
    whole = not question.crossings and question.start not in (SAME, LOST)
    return f"{question.reason}: {question.start} costs less throughout" if whole else question.reason


def cheaper(word: str) -> str:
    """Who costs less, in words."""
    return {SAME: "both cost the same", LOST: "one cannot do the work"}.get(word, f"{word} costs less")


def remark(crossing: Crossing) -> str:
    """A step, and how busy each fleet is there."""
    busy = [f"{name} {percent(share)}" for name, share in crossing.utilization.items() if share is not None]
    told = ["at the step of a whole unit"] if crossing.at_step else []
    told += ["they cost the same only there"] if crossing.below == crossing.above else []
    return "; ".join([*told, f"busy on average: {listed(busy)}"] if busy else told)
