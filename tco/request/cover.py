"""The cover: what a signer must know, on one page."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from tco.analysis.offers import bought
from tco.pages import environment, template
from tco.report.answer import why_lost
from tco.report.facts import PAYMENTS, duration, most, one
from tco.report.tables import Cell, Table, cells, head, number, table
from tco.request.amount import SMALLEST
from tco.request.amount_words import kind_words, tie_words
from tco.request.approvals import chain
from tco.request.asked import Asked
from tco.request.rules import Finding, findings, status
from tco.result import FleetResult
from tco.wording import NOTHING, counted, fixed, money, plain, shortened

PARTS, FLEETS = 7, 5
"""Rows that one page has room for; what is more is added up or counted."""
ROOMY = {"approvers": 4, "parts": 5, "fleets": 2}
"""Rows above which the page is set closer."""

MARKS = {"met": "✓", "not met": "✗", "not stated": "?"}
TONES = {"met": "good", "not met": "bad", "not stated": "soft"}


@dataclass(frozen=True)
class Tied:
    """A file of the pack with its digest."""

    name: str
    what: str
    sha256: str
    size: int


def cover(asked: Asked, tied: Sequence[Tied]) -> str:
    """The page as one HTML document. Same request, same bytes."""
    return _environment().get_template("request.html.j2").render(_context(asked, tied)) + "\n"


@functools.cache
def _environment() -> Environment:
    return environment(cells=cells)


def _context(asked: Asked, tied: Sequence[Tied]) -> dict[str, Any]:
    found = findings(asked)
    return {
        "style": Markup(template("style.css") + template("request.css")),
        "title": shortened(asked.scenario.title, 80),
        "facts": _facts(asked),
        "status": shortened(status(found), 160),
        "tone": _tone(found),
        "called": asked.amount.called,
        "amount": asked.shown(asked.amount.value),
        "tie": tie_words(asked),
        "what": what(asked),
        "by_when": asked.request.needed_by or "not stated",
        "budget": _budget(asked),
        "purpose": shortened(asked.request.purpose or "", 200),
        "parts": _parts(asked),
        "findings": [
            (MARKS[one.state], TONES[one.state], one.state, one.rule, shortened(one.text, 170)) for one in found
        ],
        "compared": _compared(asked),
        "signers": _signers(asked),
        "dense": _dense(asked),
        "tied": tied,
        "engine": asked.result.engine,
    }


def _dense(asked: Asked) -> bool:
    rows = {
        "approvers": len(asked.request.approvers), "parts": len(asked.amount.parts), "fleets": len(asked.result.fleets)
    }  # fmt: skip
    return any(rows[name] > most for name, most in ROOMY.items())


def _tone(found: list[Finding]) -> str:
    states = {one.state for one in found}
    return "bad" if "not met" in states else "open" if "not stated" in states else "good"


def _facts(asked: Asked) -> list[tuple[str, str]]:
    stated = {
        "Request": asked.request.id,
        "Requester": asked.request.requester,
        "Department": asked.request.department,
        "Cost centre": asked.request.cost_centre,
    }
    told = [(name, shortened(text, 30) if text else "not stated") for name, text in stated.items()]
    return [*told, ("Prices as of", asked.scenario.as_of)]


def what(asked: Asked) -> str:
    """How many of what, and how it is paid."""
    fleet = asked.fleet
    name, paid = shortened(fleet.name, 48), PAYMENTS[fleet.payment]
    if fleet.payment == "api":
        return f"{name}, paid by use ({fleet.id})"
    systems = bought(fleet).first if asked.amount.bound else most(fleet, "systems")
    several = f"{'' if asked.amount.bound else 'up to '}{plain(systems)} × " if systems else ""
    return f"{several}{name}, {paid} ({fleet.id})"


def _budget(asked: Asked) -> str:
    held = asked.request.budget
    if held is None or (held.amount is None and not held.code):
        return "not stated"
    amount = asked.shown(asked.money(held.amount)) if held.amount else "amount not stated"
    return f"{shortened(held.code, 32)}, {amount}" if held.code else amount


def _parts(asked: Asked) -> Table:
    parts = sorted(asked.amount.parts, key=lambda part: -abs(part.value))
    shown, rest = (parts, []) if len(parts) <= PARTS else (parts[: PARTS - 1], parts[PARTS - 1 :])
    rows = [
        [head(shortened(part.label, 44), f"{part.line}, {shortened(part.when, 34)}"), _cents(part.value)]
        for part in shown
    ]
    if rest:
        rows.append([head(counted(len(rest), "smaller part")), _cents(sum(part.value for part in rest))])
    rows.append([head("Amount" if asked.amount.bound else "Expected spend"), _cents(asked.amount.value)])
    shown_sum = sum(round(float(row[1].value), 2) for row in rows[:-1])
    note = "" if abs(shown_sum - asked.amount.value) < SMALLEST else "Parts are rounded; they differ by cents."
    return table(kind_words(asked), ("Part, with its line in the model", asked.currency), rows, total=True, note=note)


def _cents(value: float) -> Cell:
    return number(value, lambda one: fixed(one, 2), raw=True)


def _compared(asked: Asked) -> Table:
    others = [fleet for fleet in asked.facts.ordered if fleet is not asked.fleet]
    room = FLEETS - (len(asked.request.approvers) > ROOMY["approvers"])
    rows = [_option(asked, fleet) for fleet in (asked.fleet, *others[: room - 1])]
    left = len(others) - room + 1
    note = f"{counted(left, 'more fleet')} in the report." if left > 0 else ""
    total = f"Cash, {asked.currency}, {duration(asked.facts.years)}"
    heads = ("Alternative", asked.facts.unit, total, "Why")
    return table(f"Unit cost: {asked.facts.basis}", heads, rows, note=note, marks=["best", *[""] * (len(rows) - 1)])


def _option(asked: Asked, fleet: FleetResult) -> list[Cell]:
    facts = asked.facts
    why = "recommended: the least unit cost" if fleet is facts.best else why_lost(facts, fleet)
    told = f"requested; {why}" if fleet is asked.fleet else why
    total = None if fleet.unit_cost_only else one(fleet, "total_cost")
    shown = number(facts.cost(fleet), facts.form, facts.unit, reason=fleet.reason(facts.measure), raw=True)
    return [
        head(fleet.id, shortened(fleet.name, 52)),
        shown,
        number(total, money, raw=True),
        Cell(shortened(told, 150)),
    ]


def _signers(asked: Asked) -> list[tuple[str, str, str, bool]]:
    """Role, name, limit, and whether the signature is needed; the scenario has no more than there is room for."""
    signers = chain(asked)
    names = [(shortened(one.role, 32), shortened(one.name, 32)) for one in signers]
    limits = [NOTHING if one.limit is None else asked.shown(one.limit) for one in signers]
    return [(*name, limit, one.signs) for name, one, limit in zip(names, signers, limits, strict=True)]
