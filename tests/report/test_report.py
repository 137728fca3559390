"""The report: whole, offline, the same bytes, and the numbers of the JSON."""

# pyright: basic
from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable

import pytest

from tco.export import to_json
from tco.report import render
from tco.result import Result
from tests.report.pages import SCENARIOS, Page

LIMIT = 400_000
LINES = ("total_cost", "present_cost", "cost_per_gpu_hour")
SECTIONS = ("decision", "options", "time", "suitability", "site", "warnings", "inputs", "method", "checks", "approvals")


@pytest.fixture(scope="module")
def page(committed: Result) -> Page:
    return Page(render(committed))


def test_the_page_is_well_formed_and_small(page: Page) -> None:
    assert not page.strays
    assert not page.open
    assert len(page.source.encode()) <= LIMIT


def test_the_page_has_every_section_in_order(page: Page) -> None:
    places = [page.source.index(f'<h2 id="{name}"') for name in (*SECTIONS, "glossary")]
    assert places == sorted(places)


def test_the_page_is_readable_by_machines_for_people(page: Page) -> None:
    assert page.named("html") == [{"lang": "en"}]
    assert len(page.text("h1")) == len(page.text("title")[:1]) == 1
    assert 'class="skip" href="#decision"' in page.source
    assert all(attributes.get("scope") in ("col", "row") for attributes in page.named("th"))
    assert len(page.text("caption")) == len(page.text("table"))
    identities = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(identities) == len(set(identities))
    targets = {attributes["href"][1:] for attributes in page.named("a")}
    assert targets <= set(identities)


def test_charts_have_title_numbers_and_a_finding(page: Page) -> None:
    charts = [attributes for attributes in page.named("svg") if attributes.get("aria-hidden") != "true"]
    assert len(charts) == 2
    identities = {found.get("id") for _, found in page.elements}
    for attributes in charts:
        assert attributes["role"] == "img"
        assert {attributes["aria-labelledby"], attributes["aria-describedby"]} <= identities
    assert all(re.search(r"\d", text) for text in (*page.text("desc"), *page.text("figcaption")))


def test_nothing_is_loaded_or_run(page: Page) -> None:
    tags = {name for name, _ in page.elements}
    assert not tags & {"script", "link", "img", "iframe", "object", "embed", "form", "base", "video", "use", "image"}
    attributes = [(name, value) for _, found in page.elements for name, value in found.items()]
    assert not {name for name, _ in attributes} & {"src", "srcset", "style", "xlink:href", "action"}
    assert not [name for name, _ in attributes if name.startswith("on")]
    assert all(value.startswith("#") for name, value in attributes if name == "href")
    policy = next(a["content"] for a in page.named("meta") if a.get("http-equiv") == "Content-Security-Policy")
    assert policy == "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    style = "".join(page.text("style"))
    assert "@import" not in style
    assert not [address for address in re.findall(r"url\(([^)]*)\)", style) if not address.startswith("#")]


def test_printed_pages_name_the_scenario(committed: Result, page: Page) -> None:
    style = page.text("style")[0]
    assert "counter(page)" in style
    assert "counter(pages)" in style
    assert committed.scenario["sha256"][:12] in style


def test_headline_numbers_equal_the_json(committed: Result, page: Page) -> None:
    told = json.loads(to_json(committed))
    fleets = {fleet["id"]: fleet["lines"] for fleet in told["fleets"]}
    rows = page.rows("all-fleets")[1:]
    assert len(rows) == len(fleets)
    for row in rows:
        identity = next(name for name in sorted(fleets, key=len, reverse=True) if row[1][0].startswith(name))
        wanted = [fleets[identity][name]["value"] for name in (told["headline"], *LINES)]
        shown = [attributes.get("data-value") for _, attributes in row[5:9]]
        assert shown == [None if value is None else repr(value) for value in wanted]
    ranked = [row[1][0] for row in rows if row[0][0].isdigit()]
    assert all(text.startswith(name) for text, name in zip(ranked, told["ranking"], strict=True))


def test_totals_are_the_sums_of_what_is_shown_or_say_so(committed: Result, page: Page) -> None:
    rows = [[whole(text) for text, _ in row[1:]] for row in page.rows("annual")[1:]]
    sums = [sum(column) for column in zip(*rows[:-1], strict=True)]
    exact = sums == rows[-1] and all(sum(row[:-1]) == row[-1] for row in rows)
    assert ("Every total is the sum of the parts shown." in page.source) == exact
    assert ("Totals are rounded by themselves" in page.source) != exact
    assert all(abs(left - right) <= len(rows) for left, right in zip(sums, rows[-1], strict=True))


def whole(text: str) -> int:
    return int(text.replace(",", "").replace("−", "-"))


def test_parts_of_the_unit_cost_add_up(page: Page) -> None:
    for row in page.rows("unit-costs")[1:]:
        *parts, total = [float(text.replace(",", "").replace("−", "-")) for text, _ in row[1:] if text != "–"]
        digit = 10.0 ** -len(row[-1][0].partition(".")[2])
        assert abs(sum(parts) - total) <= digit * len(parts)


def test_every_check_passes_and_the_header_says_so(page: Page) -> None:
    assert {row[-1][0] for row in page.rows("check-table")[1:]} == {"pass"}
    assert re.search(r"all \d checks pass", page.source)


def test_basis_and_meaning_stand_at_each_unit_cost(committed: Result, page: Page) -> None:
    basis = committed.basis.replace("_", "-")
    notes = [text for text in page.text("p") if text.startswith(("The whole cost", "Asked:"))]
    assert len(notes) >= 4
    assert all(basis in text and "The whole cost on useful" in text for text in notes)


def test_each_fleet_that_lost_is_told_why(quickstart: Result) -> None:
    told = render(quickstart)
    dearer = [name for name in quickstart.ranking if name != quickstart.recommended]
    assert told.count(f"dearer than {quickstart.recommended}, because") == len(dearer)
    assert "does not fit: " in told


def test_the_same_result_gives_the_same_bytes(quickstart: Result) -> None:
    script = (
        "import sys, tco; from tco.report import render;"
        "sys.stdout.buffer.write(render(tco.load(sys.argv[1]).run()).encode())"
    )
    command = [sys.executable, "-c", script, str(SCENARIOS / "local_assistant.yaml")]
    places = ({"PYTHONHASHSEED": "1", "TZ": "UTC"}, {"PYTHONHASHSEED": "2", "TZ": "Asia/Tokyo"})
    pages = [subprocess.check_output(command, env={**os.environ, **place}) for place in places]
    assert pages[0] == pages[1]
    assert render(quickstart) == render(quickstart)


def test_the_page_works_without_reference(cut: Callable[..., Result]) -> None:
    page = render(cut("workstation", "api"))
    assert "no reference fleet is named" in page
    assert "names no reference fleet" in page


def test_the_page_works_with_one_fleet(cut: Callable[..., Result]) -> None:
    page = Page(render(cut("api", reference="api")))
    assert "No other fleet of this scenario can do the work" in page.source
    assert "itself the reference" in page.source
    assert not page.strays


def test_without_a_fleet_that_can_do_the_work_nothing_is_recommended(cut: Callable[..., Result]) -> None:
    page = Page(render(cut("one-card")))
    assert "No fleet of this scenario can do the work" in page.source
    assert "key-figures" not in page.source
    assert page.rows("all-fleets")[1][-1][0] == "does not fit"


def test_failed_checks_are_said_in_the_header(cut: Callable[..., Result]) -> None:
    result = cut("workstation", "api")
    fleet = result.by_id["workstation"]
    fleet.values = {**fleet.values, "total_cost": fleet.values["total_cost"] * 1.01}
    page = render(result)
    assert "2 checks failed: do not use" in page
    assert "fail: workstation" in page
