"""The cover: one page, text stays text, the numbers of the other files."""

# pyright: basic
from __future__ import annotations

import copy
import functools
import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tco.report import render
from tco.report.facts import Facts
from tco.request.asked import Asked
from tco.request.cover import FLEETS, PARTS, ROOMY, Tied, cover
from tco.result import Result
from tco.scenario.request_schema import Approver, RequestBudget
from tco.scenario.schema import Scenario
from tco.session import load
from tco.wording import fixed
from tests.report.pages import HOSTILE, SCENARIOS, Page, poisoned, ran
from tests.report.screens import all_widths, judged
from tests.request.shop import REQUEST, changed, request

TIED = [Tied(f"file-{number}.html", "a file", f"{number:064x}", 9) for number in range(5)]

WORDS = "hardware and services for the north " * 50


def copied(result: Result) -> Result:
    """A result whose fields and whose fleets' fields may be exchanged."""
    found = copy.copy(result)
    found.fleets = [copy.copy(fleet) for fleet in result.fleets]
    return found


def hostile(text: str) -> Asked:
    """Twelve fleets, eight approvers, and the text in every field that somebody writes."""
    found = poisoned(copied(ran("quickstart")), text)
    section = request().request.model_copy(
        update={
            "id": text, "requester": text, "department": text, "cost_centre": text, "purpose": text,
            "budget": RequestBudget.model_construct(amount=None, code=text),
            "approvers": tuple(
                Approver.model_construct(role=f"{number}{text}", name=text, limit=None) for number in range(8)
            ),
        }
    )  # fmt: skip
    content = quickstart().model_copy(update={"title": text, "request": section})
    return Asked(content, found, found.by_id["hgx-h200"])


@functools.cache
def quickstart() -> Scenario:
    return load(SCENARIOS / "quickstart.yaml").content


def offers(text: str) -> Asked:
    """The text in every field of the offers."""
    asked = request()
    quotes, found = asked.scenario.quotes, copied(asked.result)
    assert quotes
    assert found.quotes
    told = {"supplier": text, "terms": text, "incoterm": text}
    made = [
        offer.model_copy(update={**told, "items": tuple(
            item.model_copy(update={"item": text, "part": text, "note": text}) for item in offer.items)})
        for offer in quotes.offers
    ]  # fmt: skip
    held = quotes.model_copy(update={"offers": tuple(made)})
    found.quotes = replace(found.quotes, quotes=held)
    update = {"title": text, "quotes": held, "request": hostile(text).request}
    return Asked(asked.scenario.model_copy(update=update), found, found.by_id[asked.fleet.id])


def full(asked: Asked, *, parts: int, fleets: int, approvers: int) -> Asked:
    """The same with so many rows in each table."""
    section = asked.request.model_copy(update={"approvers": hostile(WORDS).request.approvers[:approvers]})
    result = copied(asked.result)
    result.fleets = [asked.fleet, *(copy.copy(result.fleets[-1]) for _ in range(fleets - 1))]
    for number, fleet in enumerate(result.fleets[1:]):
        fleet.id, fleet.name = f"{fleet.id}-{number}", WORDS
    result.ranking = [fleet.id for fleet in reversed(result.fleets)]
    result.recommended = result.ranking[0]
    found = Asked(asked.scenario.model_copy(update={"request": section}), result, asked.fleet)
    part = replace(asked.amount.parts[0], label=WORDS, when=WORDS)
    found.__dict__["amount"] = replace(asked.amount, parts=[part] * parts)
    return found


@functools.cache
def harmless(make: Callable[[str], Asked]) -> list[tuple[str, list[str]]]:
    """Elements with the names of their attributes, when nobody means harm."""
    page = Page(cover(make("harmless words"), TIED))
    return [(name, sorted(attributes)) for name, attributes in page.elements]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_is_shown_as_text(text: str) -> None:
    for make in (hostile, offers):
        page = Page(cover(make(text), TIED))
        assert not page.strays
        assert [(name, sorted(attributes)) for name, attributes in page.elements] == harmless(make)
        assert not re.search(
            "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ud800-\udfff]", page.source
        )
        page.source.encode()


def test_nothing_runs_and_nothing_is_loaded() -> None:
    page = Page(cover(request(), TIED))
    assert not {"script", "img", "link", "iframe", "svg"} & {name for name, _ in page.elements}
    policy = next(one["content"] for one in page.named("meta") if "http-equiv" in one)
    assert policy == "default-src 'none'; style-src 'unsafe-inline'"
    assert not re.search(r"url\((?!#hatch)|@import|https?:", page.source)


def test_it_says_what_a_signer_asks() -> None:
    asked = request()
    page = Page(cover(asked, TIED))
    assert dict(zip(page.text("dt"), page.text("dd"), strict=True)) == {
        "Amount, committed by signing": f"{fixed(asked.amount.value, 2)} USD",
        "What": "4 × HGX H200 8-GPU server, bought (own)",
        "Needed by": "2027-03-01",
        "Budget": "B-1, 2,000,000.00 USD",
    }
    signed = [[cell[0] for cell in row] for row in page.rows("approvals")[1:]]
    assert signed[2] == ["Director", "Three", "2,000,000.00 USD", "must sign", "", ""]
    assert signed[3] == ["Board", "Four", "9,000,000.00 USD", "not needed", "", ""]
    shown = [[cell[0] for cell in row] for row in page.rows("files")[1:]]
    assert shown == [[one.name, one.what, one.sha256] for one in TIED]


def test_parts_add_up_to_the_amount_as_shown() -> None:
    asked = request()
    rows = Page(cover(asked, TIED)).rows("amount")[1:]
    shown = [float(row[1][0].replace(",", "").replace("−", "-")) for row in rows]
    assert sum(shown[:-1]) == pytest.approx(shown[-1], abs=1e-6)
    assert shown[-1] == asked.amount.value


def test_unit_costs_are_those_of_the_report() -> None:
    asked = request()
    report, facts = render(asked.result), Facts(asked.result)
    for row in Page(cover(asked, TIED)).rows("alternatives")[1:]:
        fleet = next(one for one in asked.result.fleets if row[0][0] == f"{one.id}{one.name}")
        cost = facts.cost(fleet)
        assert cost is not None
        assert row[1][0] == facts.form(cost)
        assert float(row[1][1]["data-value"]) == cost
        assert facts.form(cost) in report


def test_what_is_missing_is_told_and_never_invented() -> None:
    page = Page(cover(request(text=changed((REQUEST, ""))), TIED))
    for name in ("Request", "Requester", "Department", "Cost centre"):
        assert f"{name}: not stated" in page.text("ul")[0]
    assert page.text("dd")[2:] == ["not stated", "not stated"]
    assert [row[0][0] for row in page.rows("approvals")[1:]] == ["to be named"] * 3


def test_what_has_no_room_is_counted() -> None:
    page = Page(cover(hostile("words"), TIED))
    assert len(page.rows("alternatives")) == FLEETS  # one less for many approvers
    assert "8 more fleets in the report." in page.source
    assert len(page.rows("approvals")) == 1 + 8  # nobody who must sign is left out


SIZES = {"A4": (595, 842), "letter": (612, 792)}
"""In points."""


def pages(cases: list[Asked]) -> str:
    """One document with each cover once a size, each from a new page on."""
    style, bodies = "", list[str]()
    for size in SIZES:
        for asked in cases:
            head, body = cover(asked, TIED).split("<body")
            style = head[head.index("<style>") + len("<style>") : head.index("</style>")]
            bodies.append(f'<div style="page:{size}"{body[: body.index("</body>")]}</div>')
    sized = "".join(f"@page {size}{{size:{size}}}" for size in SIZES)
    return (
        f"<!DOCTYPE html><meta charset=utf-8><style>{style}{sized}.request{{break-after:page}}</style>{''.join(bodies)}"
    )


def test_it_prints_on_one_page(chromium: list[str], tmp_path: Path) -> None:
    """The page is set wider where few rows stand; both have their fullest case."""
    wide = full(offers(WORDS), **ROOMY)
    close = full(offers(WORDS), parts=PARTS, fleets=FLEETS + 1, approvers=8)
    cases = [request(), wide, close, hostile(HOSTILE["long"])]
    assert ["dense" in cover(one, TIED).split("<body", 1)[1][:30] for one in cases[:3]] == [False, False, True]
    path, printed = tmp_path / "cover.html", tmp_path / "cover.pdf"
    path.write_text(pages(cases), encoding="utf-8")
    command = [*chromium, "--no-pdf-header-footer", f"--print-to-pdf={printed}", path.as_uri()]
    subprocess.run(command, capture_output=True, timeout=120, check=True)
    boxes = re.findall(rb"/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]", printed.read_bytes())
    sizes = [(round(float(across)), round(float(down))) for across, down in boxes]
    assert sizes == [size for size in SIZES.values() for _ in cases]


def test_it_never_scrolls_sideways(chromium: list[str], tmp_path: Path) -> None:
    html = [cover(asked, TIED) for asked in (request(), hostile(HOSTILE["long"]))]
    for found, width in all_widths(chromium, tmp_path / "frame.html", html, (360, 1440)):
        assert max(found["page"], found["body"]) <= width


def test_axe_finds_nothing_in_light_or_dark(chromium: list[str], axe: str, tmp_path: Path) -> None:
    passed, broken = judged(chromium, axe, tmp_path / "cover.html", cover(request(), TIED), dark=True)
    assert broken == []
    assert passed > 40
