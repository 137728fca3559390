"""The report: whole, offline, the same bytes, and the numbers of the JSON."""

# pyright: basic
from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from html import unescape
from pathlib import Path

import numpy as np
import pytest

from tco.export import to_json
from tco.palette import COLOURS
from tco.report import records, render
from tco.report.answer import decision
from tco.report.cautions import ASSUMPTIONS
from tco.report.facts import LABELS, Facts
from tco.report.leftout import omitted
from tco.report.pareto import frontier, spots
from tco.result import Result
from tco.session import load
from tests.report.pages import SCENARIOS, Page

LIMIT = 400_000
LINES = ("total_cost", "present_cost", "cost_per_gpu_hour")
SECTIONS = (
    "decision", "options", "what-if", "time", "moves", "suitability", "site", "risks", "warnings", "inputs", "method",
    "checks", "approvals",
)  # fmt: skip


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


def test_charts_have_title_numbers_and_a_finding(committed: Result, page: Page) -> None:
    charts = [attributes for attributes in page.named("svg") if attributes.get("aria-hidden") != "true"]
    kinds = [attributes["aria-labelledby"].removesuffix("-title") for attributes in charts]
    known = [fleet for fleet in committed.fleets if fleet.id in committed.ranking and "energy" in fleet.model.lines]
    asked = {question.quantity for question in committed.break_even.questions}
    wanted = ["bars", *(["pareto"] if "Cost against speed" in page.source else []), "lines", "tornado"]
    wanted += [*(["curve"] if "demand" in asked else []), *(["footprint"] if len(known) > 1 else [])]
    assert kinds == wanted
    identities = {found.get("id") for _, found in page.elements}
    for attributes in charts:
        assert attributes["role"] == "img"
        assert {attributes["aria-labelledby"], attributes["aria-describedby"]} <= identities
    assert all(re.search(r"\d", text) for text in (*page.text("desc"), *page.text("figcaption")))


def test_nothing_is_loaded_and_one_script_is_allowed(page: Page) -> None:
    tags = {name for name, _ in page.elements}
    assert len(page.named("script")) == 1
    assert not tags & {"link", "img", "iframe", "object", "embed", "form", "base", "video", "use", "image"}
    attributes = [(name, value) for _, found in page.elements for name, value in found.items()]
    assert not {name for name, _ in attributes} & {"src", "srcset", "style", "xlink:href", "action"}
    assert not [name for name, _ in attributes if name.startswith("on")]
    assert all(value.startswith("#") for name, value in attributes if name == "href")
    policy = next(a["content"] for a in page.named("meta") if a.get("http-equiv") == "Content-Security-Policy")
    allowed = r"default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-[A-Za-z0-9+/]{43}='"
    assert re.fullmatch(allowed, policy)
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
    heads = [text for text, _ in page.rows("all-fleets")[0]]
    rows, code = page.rows("all-fleets")[1:], committed.scenario["currency"]
    columns = [heads[5], f"Total cost, {code}", f"Present cost, {code}", f"{code} per GPU-hour"]
    assert len(rows) == len(fleets)
    for row in rows:
        identity = next(name for name in sorted(fleets, key=len, reverse=True) if row[1][0].startswith(name))
        wanted = [fleets[identity][name]["value"] for name in (told["headline"], *LINES)]
        shown = [row[heads.index(words)][1].get("data-value") for words in columns]
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


def test_every_fleet_is_told_by_category_and_year(committed: Result, page: Page) -> None:
    told = json.loads(to_json(committed))
    totals = {fleet["id"]: fleet["lines"]["total_cost"]["value"] for fleet in told["fleets"]}
    fleet, parts, found = "", list[list[int]](), dict[str, int]()
    for row in page.rows("by-fleet")[1:]:
        if not row[1][0]:
            fleet = next(name for name in sorted(totals, key=len, reverse=True) if row[0][0].startswith(name))
            parts = []
        elif row[0][0] == "Total":
            found[fleet] = whole(row[-1][0])
            sums = [sum(column) for column in zip(*parts, strict=True)]
            shown = [whole(text) for text, _ in row[1:]]
            assert all(abs(left - right) <= len(parts) for left, right in zip(sums, shown, strict=True))
        else:
            parts.append([whole(text) for text, _ in row[1:]])
    assert found == {name: round(totals[name]) for name in told["ranking"]}


def test_a_run_costs_its_steps(committed: Result, page: Page) -> None:
    heads = [text for text, _ in page.rows("all-fleets")[0]]
    place = next((index for index, text in enumerate(heads) if text.endswith((" run", " job"))), None)
    assert (place is None) == (committed.headline == "cost_per_million_useful_tokens")
    if place is not None:
        for row, name in zip(page.rows("all-fleets")[1:], committed.ranking, strict=False):
            fleet = committed.by_id[name]
            runs = fleet.values["present_useful_training_steps"] / fleet.values["steps_per_run"]
            wanted = np.max(fleet.values["present_cost"] / runs)
            assert float(row[place][0].replace(",", "")) == pytest.approx(wanted, rel=1e-3)


def test_warnings_of_the_leaders_and_of_all_stand_before_the_signature(committed: Result, page: Page) -> None:
    start = page.source.index("Read this before signing")
    words = unescape(re.sub(r"<[^>]+>", "", page.source[start : page.source.index('id="key-figures"')]))
    best, second = committed.ranking[:2]
    for alert in committed.warnings:
        if alert.fleet in ("", best, second):
            assert alert.text[1:].replace("`", "") in words


def test_a_winner_by_an_assumption_is_told_with_it(quickstart: Result) -> None:
    told = Page(render(quickstart)).source.partition("Read this before signing")[0]
    assert f"{quickstart.recommended} comes first on an assumption: all demand" in told
    granted = {alert.fleet for alert in quickstart.warnings if alert.code in ASSUMPTIONS}
    cheapest = next(name for name in quickstart.ranking if name not in granted)
    assert f"is {cheapest}, at " in told


def test_sentences_name_their_fleets(quickstart: Result) -> None:
    told = decision(Facts(quickstart))
    best, second = quickstart.ranking[:2]
    assert re.search(rf"The next best, {second}, costs .* more than {best}\.", told[1])
    assert f"Against the reference {quickstart.reference}, {best} saves" in told[1]
    assert " it " not in f"{told[0]} {told[1]}"


def test_a_fleet_that_cannot_run_shows_dashes_with_the_reason(quickstart: Result) -> None:
    page = Page(render(quickstart))
    row = next(row for row in page.rows("all-fleets") if row[1][0].startswith("one-card"))
    assert {text for text, attributes in row[4:-1]} == {"–"}
    assert all("does not fit" in attributes["title"] for _, attributes in row[4:-1])


def test_settlements_are_told_in_words_and_amount(tmp_path: Path) -> None:
    scenario = (Path(__file__).parents[1] / "workbook/scenarios/payments.yaml").read_text("utf-8")
    path = tmp_path / "lease.yaml"
    path.write_text(scenario.replace("reference: reserved", "reference: leased"), encoding="utf-8")
    result = load(path).run()
    page = render(result)
    amount = f"{np.sum(result.by_id['leased'].values['settlement_cost']):,.0f} USD"
    assert f"pays contracts that outlast the horizon to their end: leased ({amount})." in page
    assert amount in page.partition("key-figures")[0]


def test_a_reference_that_cannot_run_shows_dashes(cut: Callable[..., Result]) -> None:
    rows = Page(render(cut("workstation", "api", "one-card", reference="one-card"))).rows("key-figures")
    assert rows[0][-1][0] == "Reference: one-card"
    assert {row[-1][0] for row in rows[1:]} == {"–"}


def test_costs_of_a_column_have_equal_decimals(committed: Result, page: Page) -> None:
    for column in (5, 8):
        shown = [row[column][0] for row in page.rows("all-fleets")[1:] if row[column][0] != "–"]
        assert len({len(text.partition(".")[2]) for text in shown}) == 1


def test_every_input_of_every_fleet_is_told_once(committed: Result) -> None:
    names = [fleet.id for fleet in committed.fleets]
    figures = {(name, figure) for fleet in committed.fleets for name, figure in fleet.inputs.items()}
    found, told = {name: list[str]() for name in names}, 0
    for group in records.inputs(Facts(committed), records.Notes()):
        for row in group.table.rows:
            told += 1
            for fleet in holders(committed, group.title, row[0].small, row[-1].text):
                found[fleet].append(row[0].small)
    assert told == len(figures)
    assert {name: sorted(inputs) for name, inputs in found.items()} == {
        fleet.id: sorted(fleet.inputs) for fleet in committed.fleets
    }


def holders(result: Result, title: str, name: str, whose: str) -> list[str]:
    if title.startswith("Equal for every"):
        return [fleet.id for fleet in result.fleets if name in fleet.inputs]
    if title == "Equal for several fleets":
        ids = re.split(", | and ", whose.removeprefix("all but "))
        others = [fleet.id for fleet in result.fleets if fleet.id not in ids]
        return others if whose.startswith("all but ") else ids
    return [title.partition(":")[0]]


def test_what_is_left_out_stands_under_its_chapter() -> None:
    found = omitted(["Network", "Colocation", "a cost of tomorrow"])
    assert [[label for label, _ in chapter.costs] for chapter in found] == [
        ["Network"], ["Colocation"], ["a cost of tomorrow"],
    ]  # fmt: skip
    assert found[0].costs[0][1] == "Switches, optics and cables beyond the system."


def test_the_line_of_cost_and_speed_holds_whom_nobody_beats(quickstart: Result) -> None:
    found = spots(Facts(quickstart))
    front = frontier(found)
    for spot in found:
        beaten = any(other.cost < spot.cost and other.time < spot.time for other in found)
        assert beaten or spot in front or any(o.cost <= spot.cost and o.time <= spot.time for o in front)
    assert not any(a.cost <= b.cost and a.time <= b.time for a in front for b in front if a is not b)


def test_every_category_has_its_colours(page: Page) -> None:
    assert set(COLOURS) == set(LABELS)
    style = page.text("style")[0]
    assert all(f"--{name}:{colour.light}" in style for name, colour in COLOURS.items())
    assert all(re.fullmatch("#[0-9a-f]{6}", tone) for c in COLOURS.values() for tone in (c.light, c.dark, c.grey))


def test_the_price_of_carbon_says_whose_it_is(quickstart: Result) -> None:
    page = render(quickstart)
    assert ("Price of carbon (internal or paid)" in page) == ("carbon_price" in page)


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
    assert "The scenario names no reference fleet, so no saving is stated." in page
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
