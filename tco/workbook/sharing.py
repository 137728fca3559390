"""What a copy for outsiders withholds, and a sheet that writes values in the place of formulas."""

from __future__ import annotations

import copy
import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tco.catalogue import Catalogue
from tco.figures import Figure
from tco.model import Model
from tco.result import CATEGORIES, HEADLINES, FleetResult, Result
from tco.units import composition, unit
from tco.workbook.book import Sheet, Value
from tco.workbook.opened import SHARED
from tco.workbook.places import INPUTS, sheet_of
from tco.workbook.plan import Plan
from tco.workbook.styles import Style

WITHHELD = "withheld"
HIDES = {
    "prices": "every input in money, and every step of calculation that rests on one",
    "suppliers": "who quoted or sells: sources and notes of prices and of the scenario, providers of offers",
    "costs": "cost by category and by period: unit prices cannot be had by division from them",
}
"""What may be hidden, in words."""


@functools.cache
def is_price(text: str) -> bool:
    """Whether a unit holds money."""
    return "money" in composition(unit(text)).bases


@dataclass
class Share:
    """What is withheld: kinds, words, and the rows and numbers that follow from them for one result."""

    hide: frozenset[str]
    words: tuple[str, ...] = ()
    currency: str = ""
    digest: str = ""
    rows: set[tuple[str, int]] = field(default_factory=set[tuple[str, int]])
    numbers: set[str] = field(default_factory=set[str])
    inputs: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    lines: dict[str, set[str]] = field(default_factory=dict[str, set[str]])

    def hidden(self, value: float) -> bool:
        """Whether a number is one of those withheld, wherever it stands."""
        return key(value) in self.numbers

    def text(self, text: str) -> str:
        """The text without the words, and without amounts of money if prices are hidden."""
        for word in self.words:
            text = re.sub(re.escape(word), WITHHELD, text, flags=re.IGNORECASE)
        if "prices" in self.hide and self.currency:
            amount = rf"-?[0-9][0-9,._]*(?:e[+-]?[0-9]+)?\s*(?:[kMG]|bn)?(?= ?{re.escape(self.currency)}\b)"
            text = re.sub(amount, WITHHELD, text)
            text = re.sub(rf"(?<=\b{re.escape(self.currency)} )-?[0-9][0-9,._]*", WITHHELD, text)
        return text

    def told(self) -> list[tuple[str, str]]:
        """What the Cover says."""
        hidden = [HIDES[name] for name in HIDES if name in self.hide]
        words = [f"{len(self.words)} names, replaced by the word {WITHHELD}"] if self.words else []
        return [
            ("Copy", f"{SHARED} scenario {self.digest}"),
            (
                "It does not calculate",
                "every cell holds a value as issued; ask the sender for the workbook with formulas",
            ),
            ("Withheld", "; ".join([*hidden, *words]) or "nothing"),
            ("What may follow", MAY_FOLLOW if "prices" in self.hide else "nothing more than what stands here"),
        ]


MAY_FOLLOW = "a sum that stands here, divided by a number that stands here, may come near a price that was withheld"


def key(value: float) -> str:
    """Numbers that print alike in ten digits are one; plain small ones are never looked for."""
    text = f"{abs(float(value)):.10g}"
    return "" if len(text.replace(".", "").strip("0")) < 3 and abs(value) < 1000 else text


def withhold(result: Result, share: Share, catalogue: Catalogue) -> Result:
    """The result with its texts cleaned; the share learns which rows and numbers go. The given result stays whole."""
    share.currency, share.digest = result.scenario["currency"], result.scenario["sha256"]
    if "suppliers" in share.hide:
        share.words = tuple(dict.fromkeys((*share.words, *_providers(result, catalogue), *_offered(result))))
    shown = copy.copy(result)
    for computed in ("break_even", "sensitivity"):
        shown.__dict__.pop(computed, None)
    shown.session, shown.__dict__["uncertainty"] = None, None  # its values are prices
    shown.fleets = [_fleet(fleet, share) for fleet in result.fleets]
    shown.scenario = {name: share.text(text) for name, text in result.scenario.items()}
    if share.hide or share.words:
        lines = result.scenario["text"].count("\n") + 1
        shown.scenario["text"] = f"# {WITHHELD}: {lines} lines, which have the digest stated above"
    shown.warnings = [replace(one, text=share.text(one.text)) for one in result.warnings]
    shown.left_out = [share.text(text) for text in result.left_out]
    if share.hide & {"prices", "costs"}:
        shown.__dict__["break_even"] = _no_break_even()
    if share.hide & {"prices", "suppliers"}:
        shown.quotes = None
    if share.hide or share.words:
        shown.session = None
        shown.__dict__["sweeps"] = []
    _find(Plan(shown), share)
    return shown


def _offered(result: Result) -> Iterable[str]:
    """Suppliers, their quotes and part numbers: the sheet Quotes is left out, and no other text may name them."""
    for offer in result.quotes.quotes.offers if result.quotes else ():
        yield from (offer.supplier, offer.number)
        yield from (item.part for item in offer.items if item.part and len(item.part) > 3)


def _no_break_even() -> Any:
    from tco.analysis.breakeven import BreakEven

    return BreakEven(reason=WITHHELD)


def _providers(result: Result, catalogue: Catalogue) -> Iterable[str]:
    """Who sells the offers that the fleets take their prices from."""
    for fleet in result.fleets:
        for figure in fleet.inputs.values():
            kind, _, name = figure.origin.removeprefix("catalogue ").partition("/")
            if kind in ("rentals", "apis") and (entry := catalogue.get(kind, name)):
                yield from (text for text in (entry.texts.get("provider", ""), name) if text)


def _fleet(fleet: FleetResult, share: Share) -> FleetResult:
    shown = copy.copy(fleet)
    shown.name = share.text(fleet.name)
    shown.reasons, shown.left_out = (list(map(share.text, texts)) for texts in (fleet.reasons, fleet.left_out))
    shown.inputs = {name: _figure(figure, share) for name, figure in fleet.inputs.items()}
    return shown


def _figure(figure: Figure, share: Share) -> Figure:
    """Its value stays, because the writers lay out by it; the sheet withholds it."""
    own = figure.status in ("default", "derived") or figure.origin in ("default", "choice", "derived")
    told = is_price(figure.unit) or figure.status == "quote" or figure.origin == "scenario"
    if "suppliers" in share.hide and told and not own:
        return replace(figure, source=WITHHELD, note="", valid_until="", origin="")
    if "prices" in share.hide and is_price(figure.unit):
        return replace(figure, source=share.text(figure.source), note="", origin=share.text(figure.origin))
    texts = {name: share.text(getattr(figure, name)) for name in ("source", "note", "valid_until", "origin")}
    return replace(figure, **texts)


def _find(plan: Plan, share: Share) -> None:
    """Rows of Inputs and of the calculation sheets that go, and the numbers that must not stand anywhere."""
    for (owner, name), place in plan.inputs.items():
        if "prices" in share.hide and is_price(place.given.unit):
            share.inputs.add((owner, name))
            share.rows |= {(INPUTS, row) for row in range(place.row, place.row + place.rows)}
            share.numbers |= {key(number) for number in _numbers(place.figure)}
    for fleet in plan.result.fleets:
        own = {name for name in fleet.inputs if (("" if name in fleet.shared else fleet.id), name) in share.inputs}
        gone = downstream(fleet.model, own) - {*HEADLINES, *CATEGORIES} if own else set[str]()
        if "costs" in share.hide:
            gone |= {name for name, item in fleet.model.lines.items() if is_price(item.unit_text)} - {*HEADLINES}
            _costs(plan, fleet, share)
        share.lines[fleet.id] = gone
        share.rows |= {(sheet_of(fleet.id), plan.rows[fleet.id][name]) for name in gone | own}
    share.numbers.discard("")


def _costs(plan: Plan, fleet: FleetResult, share: Share) -> None:
    """Categories by period, their sums and unit costs; what a headline says stays."""
    names = (*CATEGORIES, "cash", "cumulative_cash")
    share.rows |= {(sheet_of(fleet.id), plan.results[name]) for name in names}
    found = set[str]()
    tokens = np.reshape(fleet.values.get("useful_tokens", fleet.values.get("useful_training_steps", np.nan)), -1)
    for name in CATEGORIES:
        if name in fleet.model.lines:
            row = np.reshape(fleet.values[name], -1).astype(float)
            amounts = [*row, row.sum(), row.sum() / float(tokens[0])]
            found |= {key(number) for number in amounts if np.isfinite(number)}
    kept = {key(value) for name in HEADLINES if isinstance(value := fleet.raw(name), float) and np.isfinite(value)}
    share.numbers |= found - kept


def _numbers(figure: Figure) -> list[float]:
    ends = [number for number in (figure.low, figure.high) if number is not None]
    if figure.is_table:
        return [row[1] for row in figure.rows] + ends
    return [*(figure.series or (figure.number,)), *ends]


def downstream(model: Model, names: set[str]) -> set[str]:
    """Lines that read one of the names, or a line that does."""
    found, before = set[str](), -1
    while len(found) > before:
        before = len(found)
        found |= {name for name, item in model.lines.items() if not (found | names).isdisjoint(item.parents)}
    return found


class SharedSheet(Sheet):
    """A sheet without formulas, and without what is withheld."""

    frozen = True

    def __init__(self, share: Share, *rest: Any) -> None:
        super().__init__(*rest)
        self.share = share

    def text(self, row: int, column: int, text: str, style: Style = "text") -> None:
        """The text without the words that are withheld."""
        super().text(row, column, self.share.text(text), "wrapped" if style == "input text" else style)

    def number(self, row: int, column: int, value: float, style: Style = "number") -> None:
        """The number, or a word in its place."""
        if (self.name, row) in self.share.rows or self.share.hidden(value):
            super().text(row, column, WITHHELD, "absent")
            return
        role, look = style if isinstance(style, tuple) else (style, "")
        locked = "structure" if role == "input" else role
        super().number(row, column, value, (locked, look) if look else locked)

    def formula(self, row: int, column: int, formula: str, value: Value, style: Style = "number") -> None:
        """What the formula gives."""
        if not isinstance(value, str):
            self.number(row, column, float(value), style)
        elif (self.name, row) in self.share.rows:
            super().text(row, column, WITHHELD, "absent")
        else:
            self.text(row, column, value, style)
