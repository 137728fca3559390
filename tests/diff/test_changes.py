"""What differs: units that only look different, stories, places, fleets, sections."""

from __future__ import annotations

import re

import pytest

from tco.diff.words import path_of, text_of
from tests.cli.conftest import BASE, changed
from tests.diff.conftest import compared


def kinds(old: str, new: str) -> dict[str, str]:
    return {f"{one.fleet}/{path_of(one.change)}": one.change.kind for one in compared(old, new).found}


SAME = {
    "price in another unit": ("0.12 USD/kWh", "120 USD/MWh"),
    "rate a year": ("discount_rate: 8 %", "discount_rate: 8 %/yr"),
    "horizon in months": ("horizon: 2 yr", "horizon: 24 month"),
    "requests in another unit": ("100000 request/month", "0.1 Mrequest/month"),
    "a comment": ("cooling:", "# as measured\ncooling:"),
    "written out": ("buy: {system: hgx-h200-srv}", "buy: hgx-h200-srv"),
    "quotes": ("as_of: 2026-11-01", 'as_of: "2026-11-01"'),
    "an empty section": ("finance:", "site: {}\nfinance:"),
}


@pytest.mark.parametrize("pair", SAME.values(), ids=SAME.keys())
def test_what_is_no_change(pair: tuple[str, str]) -> None:
    found = compared(BASE, changed(pair))
    assert found.is_empty
    assert not found.bridges
    assert "no input differs" in text_of(found)


def test_a_value_with_its_places_units_and_share() -> None:
    found = compared(BASE, "# one line more\n" + changed(("0.12 USD/kWh", "85 USD/MWh")))
    (one,) = found.found
    assert one.change.share == pytest.approx(0.085 / 0.12 - 1)
    number = BASE.splitlines().index("electricity: {price: 0.12 USD/kWh}") + 1
    assert (one.old, one.new) == (("a.yaml", number), ("b.yaml", number + 1))
    assert "0.085 USD/kWh" in text_of(found)


def test_a_story_is_told_apart_from_a_value() -> None:
    told = "{value: 0.12 USD/kWh, source: contract 7, as_of: 2026-10-01}"
    new = changed(("price: 0.12 USD/kWh", f"price: {told}"), ("pue: 1.4", "pue: 1.3"))
    found = compared(BASE, new)
    assert kinds(BASE, new) == {"/electricity.price": "story", "/cooling.pue": "value"}
    text = text_of(found)
    assert "same value, told otherwise" in text
    assert "contract 7" in text
    assert [step.label for step in found.bridges[0].steps] == ["cooling.pue"]


def test_what_a_fleet_takes_where_it_states_nothing_is_told() -> None:
    old = changed(("buy: {system: hgx-h200-srv}", "buy: {system: hgx-h200-srv, price: 300000 USD/system}"))
    (one,) = compared(old, BASE).found
    assert one.texts[0] == "300,000 USD/system"
    assert re.fullmatch(r"not stated \([\d,]+ USD/system, catalogue systems/hgx-h200-srv\)", one.texts[1])


def test_only_stories_move_nothing() -> None:
    found = compared(BASE, changed(("price: 0.12 USD/kWh", "price: {value: 0.12 USD/kWh, source: a bill}")))
    assert [bridge.move for bridge in found.bridges] == [0, 0, 0]
    assert not any(bridge.steps for bridge in found.bridges)


def test_fleets_added_and_removed() -> None:
    new = changed(("id: cloud", "id: elsewhere")) + "  - {id: more, api: {offer: together-llama-3.3-70b}}\n"
    found = compared(BASE, new)
    assert (found.added, found.removed) == (["elsewhere", "more"], ["cloud"])
    assert [bridge.fleet for bridge in found.bridges] == ["own", "api"]
    assert "fleets added: elsewhere and more" in text_of(found)


def test_sections_stated_on_one_side_only() -> None:
    new = changed(
        ("finance:", "pricing: {staff: {cost: 100000 USD/person/yr, systems_per_person: 20 system/person}}\nfinance:")
    )
    found = compared(BASE, new)
    assert {path_of(one.change): one.change.step for one in found.found} == {
        "pricing.staff.cost": ("pricing", "staff"),
        "pricing.staff.systems_per_person": ("pricing", "staff"),
    }
    assert {one.old[1] for one in found.found} == {0}
    (step,) = found.bridges[0].steps
    assert step.label == "pricing.staff"
    assert len(step.changes) == 2


def test_items_of_a_list_go_by_their_name() -> None:
    costs = "costs: [{name: audit, amount: 1000 USD/month, part_of: people_cost}%s]\nfinance:"
    old = changed(("finance:", costs % ""))
    more = ", {name: legal, amount: 500 USD/month, part_of: people_cost}"
    new = changed(("finance:", (costs % more).replace("1000 USD", "2000 USD")))
    found = compared(old, new)
    assert {path_of(one.change) for one in found.found} == {
        "costs.audit.amount", "costs.legal.name", "costs.legal.amount", "costs.legal.part_of",
    }  # fmt: skip
    assert {one.change.step for one in found.found} == {("costs",)}


def test_hostile_text_is_shown_as_text() -> None:
    hostile = "\"=cmd|'/c calc'!A1 {{7*7}} <script>\""
    told = f"{{value: 0.12 USD/kWh, source: {hostile}}}"
    new = changed(("price: 0.12 USD/kWh", f"price: {told}"), ("title: small", f"title: {hostile}"))
    text = text_of(compared(BASE, new))
    assert "source =cmd|'/c calc'!A1 {{7*7}} <script>" in text
