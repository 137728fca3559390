"""An offer added to a scenario's text: everything else stays as it was written."""

from __future__ import annotations

import copy
from typing import Any, NoReturn, cast

from tco.errors import ScenarioError
from tco.importing.quotes.offer import ReadOffer
from tco.scenario.paths import Path, child
from tco.scenario.reading import Document, read_text
from tco.scenario.scalars import written
from tco.scenario.writing import end_of

OFFERS: Path = ("quotes", "offers")


def add_offer(document: Document, offer: ReadOffer) -> str:
    """The text of the scenario with the offer at the end of its list. Raises ScenarioError."""
    numbers = [written(child(one, "number")) for one in _offers(document)]
    if offer.fields["number"] in numbers:
        _refuse(document, OFFERS, f"an offer with the number `{offer.fields['number']}` stands here already")
    newline = "\r\n" if "\r\n" in document.text else "\n"
    if OFFERS in document.nodes and _offers(document):
        edited = _appended(document, offer, newline)
    elif ("quotes",) in document.nodes:
        _refuse(document, ("quotes",), "holds no list of offers in block form; paste the offer by hand")
    else:
        edited = document.text.rstrip() + newline * 2 + offer.yaml.replace("\n", newline)
    return ("\ufeff" if document.byte_order_mark else "") + _verified(document, edited, offer)


def _offers(document: Document) -> list[Any]:
    found = child(child(document.data, "quotes"), "offers")
    return cast("list[Any]", found) if isinstance(found, list) else []


def _appended(document: Document, offer: ReadOffer, newline: str) -> str:
    """Behind the last line of the last offer, with the dashes in one column."""
    if document.nodes[OFFERS].flow:
        _refuse(document, OFFERS, "is written in brackets; paste the offer by hand")
    last = (*OFFERS, len(_offers(document)) - 1)
    source, at = document.text, end_of(document, last)
    start = document.nodes[(*OFFERS, 0)].start.index
    line = source[source.rfind("\n", 0, start) + 1 : start]
    indent = " " * (len(line) - len(line.lstrip()))
    end = source.find("\n", at)
    end = len(source) if end < 0 else end + 1
    before = source[:end] if source[:end].endswith("\n") else source[:end] + newline
    return before + offer.block(indent).replace("\n", newline) + source[end:]


def _verified(document: Document, edited: str, offer: ReadOffer) -> str:
    """The edited text read again: everything else must be as before, and the offer what was read."""
    new = read_text(edited, document.file)
    added = read_text(offer.yaml, "offer").data["quotes"]["offers"][0]
    wanted = copy.deepcopy(document.data)
    wanted.setdefault("quotes", {}).setdefault("offers", []).append(added)
    if new.data != wanted:
        _refuse(document, ("quotes",), "cannot be written here; paste the offer by hand")
    return edited


def _refuse(document: Document, path: Path, text: str) -> NoReturn:
    raise ScenarioError([document.problem(path, text)])


def fits(text: str, file: str, offer: ReadOffer) -> list[str]:
    """What a reader must know of the offer in its scenario. Raises ScenarioError where it contradicts the scenario."""
    from tco.analysis.offers import days_left
    from tco.session import loads

    scenario = loads(text, file)
    scenario.check()
    quotes = scenario.content.quotes
    added = quotes.offers[-1] if quotes else None
    left = days_left(added, scenario.content.as_of) if added else None
    if left is None:
        return ["until when the offer holds is not told"]
    ended = f"expired: valid until {offer.fields['valid_until']}, {-left} days before {scenario.content.as_of}"
    return [ended] if left < 0 else []
