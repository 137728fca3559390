"""The what-if panel against a run of the scenario with the moved inputs: kept choices agree, changed ones are told."""

# pyright: basic
from __future__ import annotations

import copy
import functools
import random
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from tco.analysis.run import STALE_DAYS, _fleet
from tco.report import render
from tco.report.sliders import sliders
from tco.report.stale import stale
from tco.result import NULLING, FleetResult, Result
from tco.scenario.assembly import assemble
from tco.scenario.plan import Plan
from tco.session import Scenario, load, loads
from tests.report.pages import SCENARIOS
from tests.report.test_whatif import drawn, frozen, held, made

LEASE = Path(__file__).parents[1] / "workbook/scenarios/payments.yaml"
SEARCHES = 8

TWO_PRECISIONS = """format: 1
title: two precisions, of which the one that holds more requests wins only under load
as_of: 2026-11-01
currency: USD
timeline: {start: 2027-01, horizon: 2 yr}
workload:
  kind: inference
  model: llama-3.3-70b
  requests: {value: 400000 request/month, low: 100000, high: 9000000}
  peak_to_mean: 4
  input: 1500 token/request
  output: 350 token/request
electricity: {price: 0.12 USD/kWh}
cooling: {kind: air, pue: 1.4}
finance: {discount_rate: 9 %}
fleets:
  - {id: server, buy: hgx-h200-srv, precision: [fp8, bf16]}
  - {id: cloud, rent: {offer: runpod-h100-sxm-ondemand, gpus: 4}, precision: [bf16, fp8]}
  - id: fixed
    rent: {offer: runpod-h100-sxm-ondemand, gpus: 8}
    precision: fp8
    deployment: {gpus_per_replica: 4, concurrency: 16, pipeline_stages: 1}
"""


def scenario_of(name: str) -> Scenario:
    return loads(TWO_PRECISIONS) if name == "precisions" else load(LEASE if name == "lease" else SCENARIOS / name)


@functools.cache
def found(name: str) -> tuple[Scenario, Result]:
    scenario = scenario_of(name)
    return scenario, scenario.run()


def searched(scenario: Scenario, result: Result, at: Mapping[str, float]) -> dict[str, FleetResult]:
    """Every fleet, searched by the engine as if the scenario gave what the sliders show."""
    plans, timeline = assemble(scenario.document, scenario.content, scenario.catalogue)
    for plan in (one for each in plans for one in (each, *each.others)):
        _move(plan, result, at)
    fleets = [
        _fleet(plan, timeline, result.headline or "", result.scenario["as_of"], STALE_DAYS, None) for plan in plans
    ]
    return {fleet.id: fleet for _, fleet in fleets}


def _move(plan: Plan, result: Result, at: Mapping[str, float]) -> None:
    for slider in sliders(result):
        for name in slider.inputs.get(plan.id, ()):
            figure = plan.figures[name]
            moved = slider.value(at[slider.key], figure.value)
            plan.figures[name] = replace(figure, value=tuple(moved) if isinstance(moved, list) else moved)


def choice(fleet: FleetResult) -> tuple[str, dict[str, float]]:
    return fleet.precision, fleet.choices.get("values", {})


NAMES = ["quickstart.yaml", "procurement.yaml", "pretraining.yaml", "local_assistant.yaml", "lease", "precisions"]


@pytest.mark.parametrize("name", NAMES)
def test_where_a_run_would_choose_otherwise_the_panel_says_so(name: str) -> None:
    scenario, result = found(name)
    generator, changed = random.Random(name), set()
    marks = {fleet.id: set(stale(result, fleet, sliders(result))) for fleet in result.fleets}
    for _ in range(SEARCHES):
        at = drawn(sliders(result), generator)
        moved = {slider.key for slider in sliders(result) if at[slider.key] != slider.base}
        for identity, fleet in searched(scenario, result, at).items():
            if choice(fleet) != choice(result.by_id[identity]):
                assert marks[identity] & moved, (identity, at, choice(fleet))
                changed |= {identity, *(["precision"] if fleet.precision != result.by_id[identity].precision else [])}
    if name in ("quickstart.yaml", "procurement.yaml", "precisions"):
        assert changed
    if name == "precisions":
        assert "precision" in changed


def test_what_is_rented_by_the_hour_depends_on_demand_and_what_is_owned_does_not() -> None:
    _, result = found("quickstart.yaml")
    marks = {fleet["id"]: fleet["stale"] for fleet in held(made(result))["fleets"]}
    assert {name: mark for name, mark in marks.items() if mark} == {
        "cloud-ondemand": ["demand"], "cloud-reserved": ["demand"],
    }  # fmt: skip


def test_what_was_stated_is_never_stale() -> None:
    _, result = found("precisions")
    assert stale(result, result.by_id["fixed"], sliders(result)) == []


def test_an_input_by_name_of_a_choice_makes_it_stale(cut: Callable[..., Result]) -> None:
    result = copy.deepcopy(cut("hgx-h200", "api"))
    result.by_id["hgx-h200"].choices["for"]["requests"] = 900_000.0
    assert [stale(result, result.by_id[name], sliders(result)) for name in ("hgx-h200", "api")] == [["demand"], []]


def test_choices_of_an_earlier_run_may_be_stale_by_any_slider() -> None:
    scenario, result = found("precisions")
    kept = {fleet.id: {**fleet.choices.get("values", {}), "precision": fleet.precision} for fleet in result.fleets}
    again = scenario.run(kept)
    marks = {fleet.id: stale(again, fleet, sliders(again)) for fleet in again.fleets}
    assert marks == {
        "server": ["demand", "electricity", "discount", "purchase"],
        "cloud": ["demand", "discount", "rent"],
        "fixed": [],
    }


EDITS = [
    ("quickstart.yaml", "demand", r"requests: ([\d.]+)"),
    ("quickstart.yaml", "electricity", r"electricity:\s*\{?\s*price: ([\d.]+)"),
    ("pretraining.yaml", "discount", r"discount_rate: ([\d.]+)"),
]


@pytest.mark.parametrize(("name", "key", "pattern"), EDITS)
def test_a_frozen_run_of_the_edited_scenario_has_the_same_costs(name: str, key: str, pattern: str) -> None:
    scenario, result = found(name)
    slider = next(one for one in sliders(result) if one.key == key)
    match = re.search(pattern, scenario.document.text)
    assert match
    written = float(match[1]) * slider.high / slider.base
    edited = f"{scenario.document.text[: match.start(1)]}{written!r}{scenario.document.text[match.end(1) :]}"
    kept = {fleet.id: {**fleet.choices.get("values", {}), "precision": fleet.precision} for fleet in result.fleets}
    again = loads(edited).run(kept)
    wanted = frozen(result, {**{one.key: one.base for one in sliders(result)}, key: slider.high})
    for fleet in again.fleets:
        assert wanted[fleet.id][0] == fleet.verdict
        assert wanted[fleet.id][1][-1] == pytest.approx(fleet.raw(again.headline or ""), rel=1e-9)


def test_a_cost_of_work_that_cannot_run_is_not_in_the_page(committed: Result) -> None:
    unable = [fleet for fleet in committed.fleets if fleet.verdict in NULLING]
    page = render(committed)
    for fleet in unable:
        raw = fleet.raw(committed.headline or "")
        assert isinstance(raw, float)
        assert repr(raw) not in page
    if committed.scenario["file"] != "finetune_lora.yaml":
        assert unable
