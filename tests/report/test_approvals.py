"""The lines to be signed: those whom the scenario names, in order, and blank ones without."""

# pyright: basic
from __future__ import annotations

import copy

import pytest

from tco.report import render
from tco.report.approvals import SIGNERS
from tco.result import Result
from tco.scenario.request_schema import Approver, Request
from tests.report.pages import HOSTILE, Page, ran
from tests.request.shop import REQUEST, changed, request


def rows(result: Result) -> list[list[str]]:
    return [[cell[0] for cell in row] for row in Page(render(result)).rows("signatures")[1:]]


def test_named_approvers_stand_in_order_with_their_limits_as_stated() -> None:
    pairs = ("limit: 2 MUSD", "limit: 1.5 MEUR")
    assert rows(request(pairs).result) == [
        ["Lead", "One", "1,000.00 USD", "", "", ""],
        ["Head", "Two", "–", "", "", ""],
        ["Director", "Three", "1,500,000.00 EUR", "", "", ""],
        ["Board", "Four", "9,000,000.00 USD", "", "", ""],
    ]


@pytest.mark.parametrize("section", ["", "request: {id: PR-7}\n"], ids=["no request", "nobody named"])
def test_without_names_the_lines_are_blank(section: str) -> None:
    result = request(text=changed((REQUEST, section))).result
    assert rows(result) == [[role, "", "", "", "", ""] for role in SIGNERS]


def test_what_they_are_called_stays_text() -> None:
    result, told = copy.copy(ran("local_assistant")), HOSTILE["script"] + HOSTILE["controls"] + HOSTILE["long"]
    result.request = Request.model_construct(approvers=(Approver.model_construct(role=told, name=told, limit=None),))
    page = Page(render(result))
    assert not page.strays
    assert "<script>alert" not in page.source
    role, name, *_ = (cell[0] for cell in page.rows("signatures")[1])
    assert role == name
    assert role.startswith(HOSTILE["script"])
    assert len(role) == 100
