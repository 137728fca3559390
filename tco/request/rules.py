"""Rules that a request is held against: each is met, not met, or cannot be checked since something is not stated."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from tco.analysis.offers import days_left
from tco.report.answer import why_lost
from tco.report.checks import checks
from tco.request.approvals import chain, chain_words
from tco.request.asked import Asked
from tco.result import Alert
from tco.scenario.quote_checks import rivals_of
from tco.scenario.quote_schema import Offer
from tco.scenario.quotes import offers_for, taken
from tco.wording import counted, listed, shortened

State = Literal["met", "not met", "not stated"]
MOST = 3
"""Names in a sentence; a cover has one page."""


@dataclass(frozen=True)
class Finding:
    """One rule with its outcome in words; what stops makes the numbers themselves unfit to sign."""

    rule: str
    state: State
    text: str
    stops: bool = False


def findings(asked: Asked) -> list[Finding]:
    """Every rule, in the order in which a signer asks."""
    return [rule(asked) for rule in RULES]


def status(found: list[Finding]) -> str:
    """Whether it may be signed, in words."""
    failed = [one for one in found if one.state == "not met"]
    stops = [one.rule for one in failed if one.stops]
    unknown = [one.rule for one in found if one.state == "not stated"]
    if stops:
        return f"Do not sign: {listed([name.lower() for name in stops])}"
    if failed:
        return f"Not ready to sign: {listed([one.rule.lower() for one in failed])}"
    if unknown:
        return f"Every rule that could be checked is met; not stated: {listed([name.lower() for name in unknown])}"
    return "Ready to sign: every rule is met"


def told(asked: Asked, found: list[Finding]) -> Iterator[Alert]:
    """What is not met and what is not stated, as alerts for report, workbook and JSON."""
    for one in found:
        words = f"{one.rule}: {one.text}"
        if one.state == "not met":
            yield Alert("request-rule", asked.fleet.id, words)
        elif one.state == "not stated":
            yield Alert("request-open", asked.fleet.id, words)


def _checks(asked: Asked) -> Finding:
    found = checks(asked.facts)
    failed = [check.rule for check in found if check.failed]
    if failed:
        return Finding(
            "Checks", "not met", f"{counted(len(failed), 'check')} of the report failed: {listed(failed)}", True
        )
    return Finding("Checks", "met", f"all {len(found)} checks of the report pass")


def _fleet(asked: Asked) -> Finding:
    fleet, best = asked.fleet, asked.facts.best
    if fleet.verdict != "ok":
        why = "; ".join(fleet.reasons) or fleet.verdict
        return Finding("Fleet", "not met", f"{fleet.id} is not ranked ({fleet.verdict}): {why}", True)
    if fleet is not best:
        told = f"{fleet.id} is not the recommended fleet: {why_lost(asked.facts, fleet)}"
        return Finding("Fleet", "not met", told)
    others = len(asked.facts.ranked) - 1
    beside = f"the cheapest of {others + 1} that can do the work" if others else "the only one that can do the work"
    return Finding("Fleet", "met", f"{fleet.id} is recommended: {beside}")


def _budget(asked: Asked) -> Finding:
    budget = asked.request.budget
    if budget is None or budget.amount is None:
        return Finding("Budget", "not stated", "`request.budget.amount` is not stated, so that nothing is compared")
    held, value = asked.money(budget.amount), asked.amount.value
    left = round(held - value, 2)
    if left < 0:
        return Finding(
            "Budget", "not met", f"the amount is {asked.shown(-left)} above the budget of {asked.shown(held)}"
        )
    return Finding("Budget", "met", f"{asked.shown(left)} of {asked.shown(held)} are left after it")


def _approvers(asked: Asked) -> Finding:
    signers = chain(asked)
    if not signers:
        return Finding(
            "Approvers", "not stated", "`request.approvers` names nobody, so that nobody is known to be entitled"
        )
    covered = any(one.covers for one in signers)
    return Finding("Approvers", "met" if covered else "not met", chain_words(asked, signers))


def _dates(asked: Asked) -> Finding:
    needed, days = asked.needed, asked.lead_days
    if needed is None:
        return Finding("Date", "not stated", "`request.needed_by` is not stated")
    if days is None:
        return Finding("Date", "not stated", f"no lead time is stated, so whether it comes by {needed} is not known")
    comes = asked.today + datetime.timedelta(days=days)
    if comes > needed:
        late = counted((comes - needed).days, "day")
        text = (
            f"ordered on {asked.today} it comes on {comes}, {late} after {needed} ({counted(days, 'day')} of lead time)"
        )
        return Finding("Date", "not met", text)
    order = needed - datetime.timedelta(days=days)
    ends = [end for offer in asked.offers if (end := offer.valid_until) and end < order.isoformat()]
    until = f"; the quote ends before that, on {min(ends)}" if ends else ""
    return Finding(
        "Date", "met", f"to be ordered by {order}, {counted(days, 'day')} of lead time before {needed}{until}"
    )


def _quotes(asked: Asked) -> Finding:
    rule = asked.request.quote_rule
    if not rule:
        return Finding("Quotes", "not stated", "`request.quote_rule` states no threshold, so that none is checked")
    steps = [(asked.money(step.starts), step.quotes) for step in rule]
    applies = [step for step in steps if step[0] <= asked.amount.value]
    start, wanted = max(applies, default=(0.0, 0))
    held, ended = _competing(asked)
    names = [shortened(name, 40) for name in held]
    have = f"{len(names)} valid of {_few(names)}" if names else "no valid quote"
    asks = f"{counted(wanted, 'quote')} from {asked.shown(start)}" if applies else "no quote at this amount"
    gone = f"; expired or not yet dated: {_few([shortened(name, 40) for name in ended])}" if ended else ""
    return Finding("Quotes", "met" if len(names) >= wanted else "not met", f"the rule asks for {asks}; {have}{gone}")


def _few(names: list[str]) -> str:
    return listed(names if len(names) <= MOST else [*names[: MOST - 1], f"{len(names) - MOST + 1} more"])


def _competing(asked: Asked) -> tuple[list[str], list[str]]:
    """Suppliers with a quote that holds on the day, and those without; two quotes of one supplier do not compete."""
    quotes = asked.scenario.quotes
    mine = offers_for(quotes, asked.fleet.id) if quotes else {}
    if quotes is None or not mine:
        return [], []
    first = next(iter(taken(quotes, asked.fleet.id)), next(iter(mine)))
    rivals = rivals_of(quotes, asked.fleet.id, first).values()
    held = {_same(offer): offer.supplier for offer in rivals if _holds(offer, asked.scenario.as_of)}
    ended = {_same(offer): offer.supplier for offer in rivals if _same(offer) not in held}
    return list(held.values()), list(ended.values())


def _same(offer: Offer) -> str:
    return " ".join(offer.supplier.casefold().split())


def _holds(offer: Offer, as_of: str) -> bool:
    left = days_left(offer, as_of)
    return offer.date <= as_of and (left is None or left >= 0)


def _award(asked: Asked) -> Finding:
    if asked.fleet.payment != "buy":
        return Finding("Prices", "met", "prices are those of the scenario and the catalogue; it is not bought by quote")
    if not asked.offers:
        return Finding(
            "Prices", "not stated", "no quote is awarded: prices are those of the scenario and the catalogue"
        )
    bad = [one for one in asked.offers if not _holds(one, asked.scenario.as_of)]
    if bad:
        names = _few([f"{shortened(one.number, 40)} (until {one.valid_until or 'not stated'})" for one in bad])
        return Finding("Prices", "not met", f"awarded and not valid on {asked.scenario.as_of}: {names}")
    names = [f"{shortened(one.number, 40)} of {shortened(one.supplier, 40)}" for one in asked.offers]
    return Finding("Prices", "met", f"those of {_few(names)}, {_until(asked.offers)}")


def _until(offers: list[Offer]) -> str:
    ends = [offer.valid_until for offer in offers if offer.valid_until]
    return f"valid until {min(ends)}" if ends else "no end of validity stated"


RULES: tuple[Callable[[Asked], Finding], ...] = (_checks, _fleet, _budget, _dates, _quotes, _award, _approvers)
