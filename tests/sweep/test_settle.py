"""Every row of a sweep is the run of its variant, to the last digit, however it was computed."""

import itertools
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tco.analysis.run import HEADLINE
from tco.errors import ScenarioError
from tco.scenario.schema import Scenario as Schema
from tco.session import load, loads
from tco.sweep.columns import Column, listed
from tco.sweep.extents import Extents
from tco.sweep.found import CHOICES, WORDS
from tco.sweep.settle import Choices, Settler
from tco.variants.patch import patched
from tco.variants.places import place_of

TEXT = """format: 1
title: three fleets
as_of: 2026-11-01
currency: USD
timeline: {start: 2027-01, horizon: 4 yr, step: quarter}
workload:
  kind: inference
  model: llama-3.3-70b
  requests: 2 Mrequest/month
  growth: 10 %/yr
  peak_to_mean: 4
  input: 1500 token/request
  output: 350 token/request
  target: {first_token: 2 s, per_token: 50 ms/token}
  lost: {failed: 1 %, retried: 1 %, aborted: 1 %}
utilization: {planning_ceiling: 90 %}
electricity: {price: 0.12 USD/kWh, demand_charge: 14 USD/kW/month}
cooling: {kind: air, pue: 1.4}
fx: {EUR: 1.1 USD/EUR}
pricing: {maintenance: 6 %/yr, residual: {after: [1 yr, 2 yr, 3 yr, 4 yr], share: [70 %, 50 %, 35 %, 25 %]}}
finance: {discount_rate: 8 %, reference: cloud}
fleets:
  - {id: own, buy: {system: hgx-h200-srv, warranty: 3 yr}, precision: fp8}
  - {id: cloud, rent: {offer: runpod-h100-sxm-ondemand, gpus: 8, price: 2.5 USD/gpu/h}, precision: [fp8, bf16]}
  - {id: api, api: {offer: together-llama-3.3-70b}}
"""
AXES = {
    "electricity.price": ["0.05 USD/kWh", "0.12 USD/kWh", "0.31 USD/kWh"],
    "electricity.escalation": ["0 %/yr", "3 %/yr"],
    "utilization.planning_ceiling": ["90 %", "0.55", "70 %"],
    "workload.requests": ["2 Mrequest/month", "0.3 Mrequest/month", "9 Mrequest/month"],
    "workload.growth": ["-5 %/yr", "0 %/yr", "10 %/yr", "35 %/yr"],
    "workload.input": ["1500 token/request", "4000 token/request"],
    "workload.target.per_token": ["50 ms/token", "20 ms/token", "1 ms/token"],
    "workload.lost.failed": ["1 %", "40 %", "60 %"],
    "workload.lost.aborted": ["1 %", "45 %"],
    "timeline.horizon": ["4 yr", "2 yr"],
    "finance.discount_rate": ["8 %", "0 %", "12.5 %"],
    "fx.EUR": ["1.1 USD/EUR", "1.31 USD/EUR"],
    "fleets.cloud.rent.price": ["2.5 USD/gpu/h", "1.9 EUR/gpu/h", "2.2 USD/gpu/h"],
    "fleets.own.buy.price": ["250000 USD/system", "310 kUSD/system"],
    "fleets.own.buy.system": ["hgx-h200-srv", "mi300x-srv", "srv-8xl40s"],
    "fleets.own.buy.warranty": ["1 yr", "2 yr", "3 yr"],
    "fleets.own.precision": ["fp8", "bf16"],
    "cooling.pue": ["1.4", "1.13"],
    "pricing.maintenance": ["6 %/yr", "9.9 %/yr"],
}
LINES = ("cost_per_million_useful_tokens", "total_cost", "energy_cost", "present_cost")


def sweep(names, choices: Choices = "stale", base=None):
    base = base or loads(TEXT)
    places = [place_of(Schema, base.document.data, name) for name in names]
    columns = [Column(name, place.path, place.leaf) for name, place in zip(names, places, strict=True)]
    sizes = [len(AXES[name]) for name in names]
    codes = np.unravel_index(np.arange(np.prod(sizes)), sizes)
    values = [
        listed(column, AXES[column.text], code.astype(np.int64)) for column, code in zip(columns, codes, strict=True)
    ]
    fleets = [fleet.id for fleet in base.content.fleets]
    frozen = choices_of(base.run()) if choices == "keep" else None
    lines = (HEADLINE[base.content.workload.kind], *LINES[1:])
    settler = Settler(base, columns, lines, fleets, choices, frozen)
    return base, columns, values, settler.settle(values, len(codes[0]), Extents(values))


def choices_of(result):
    return {
        fleet.id: {**fleet.choices.get("values", {}), "precision": fleet.precision, "kept": 1.0}
        for fleet in result.fleets
    }


def ran(base, changes, frozen=None):
    try:
        return patched(base, changes).run(frozen), ""
    except ScenarioError as error:
        return None, str(error)


def row_equals(found, at, place, fleet):
    shown = [None if fleet.shown(name) is None else float(np.sum(fleet.shown(name))) for name in LINES]
    numbers = [None if np.isnan(value) else float(value) for value in found.values[at, place]]
    assert (WORDS[found.verdicts[at, place]], numbers) == (fleet.verdict, shown), (at, fleet.id)


@pytest.mark.parametrize("seed", range(10))
def test_rows_are_the_runs_of_their_variants(seed):
    draw = random.Random(seed)
    names = draw.sample(sorted(AXES), draw.choice([1, 2, 3, 4]))
    base, columns, values, found = sweep(names, "search" if seed % 2 else "stale")
    count = len(found.best)
    for at in draw.sample(range(count), min(count, 5)):
        changes = {column.path: value.raw(at) for column, value in zip(columns, values, strict=True)}
        plain, why = ran(base, changes)
        assert (at in found.refused) == (plain is None), (changes, why)
        if plain is None:
            continue
        for place, fleet in enumerate(plain.fleets):
            if CHOICES[found.choices[at, place]] != "kept":
                row_equals(found, at, place, fleet)
            else:
                assert fleet.choices, "only a choice can be kept"
                assert seed % 2 == 0
        if "kept" not in [CHOICES[one] for one in found.choices[at]]:
            assert plain.recommended == (found.fleets[found.best[at]] if found.best[at] >= 0 else None)


def test_a_kept_choice_is_that_of_the_same_variant_without_the_values_that_do_not_touch_it():
    names = ["fleets.own.buy.system", "electricity.price", "workload.requests"]
    base, columns, values, found = sweep(names)
    seen = set()
    for at in range(0, len(found.best), 3):
        changes = {column.path: value.raw(at) for column, value in zip(columns, values, strict=True)}
        chosen, _ = ran(base, {columns[0].path: changes[columns[0].path]})
        again, _ = ran(base, changes, choices_of(chosen))
        assert again is not None
        for place, fleet in enumerate(again.fleets):
            seen.add(CHOICES[found.choices[at, place]])
            row_equals(found, at, place, fleet)
    assert seen == {"kept", "searched", ""}


def test_searching_always_is_the_plain_run_and_keeping_always_the_frozen_one():
    names = ["electricity.price", "workload.target.per_token", "workload.requests", "fleets.cloud.rent.price"]
    modes: list[tuple[Choices, Any]] = [("search", None), ("keep", choices_of(loads(TEXT).run()))]
    for choices, frozen in modes:
        base, columns, values, found = sweep(names, choices)
        assert {CHOICES[one] for one in found.choices.ravel()} == {"", "kept" if frozen else "searched"}
        for at in range(0, len(found.best), 23):
            changes = {column.path: value.raw(at) for column, value in zip(columns, values, strict=True)}
            plain, _ = ran(base, changes, frozen)
            assert plain is not None
            for place, fleet in enumerate(plain.fleets):
                row_equals(found, at, place, fleet)


def test_a_place_that_nobody_states_varies_as_an_input_beside_its_default():
    base = loads(TEXT)
    place = place_of(Schema, base.document.data, "electricity.escalation")
    column = Column("electricity.escalation", place.path, place.leaf)
    values = [listed(column, [f"{at} %/yr" for at in range(1, 30)], np.arange(29, dtype=np.int64))]
    settler = Settler(base, [column], LINES, ["own"])
    found = settler.settle(values, 29, Extents(values))
    assert len(settler.known) == 2
    moved = patched(base, {column.path: "7 %/yr"}).run(choices_of(base.run())).by_id["own"]
    assert found.values[6, 0, 0] == moved.shown(LINES[0])


def test_values_that_are_refused_only_together_are_rows_with_the_reason():
    base, columns, values, found = sweep(["workload.lost.failed", "workload.lost.aborted", "electricity.price"])
    asked = list(itertools.product(*(AXES[column.text] for column in columns)))
    over = {at for at, (failed, aborted, _) in enumerate(asked) if (failed, aborted) == ("60 %", "45 %")}
    assert set(found.refused) == over
    assert all("no useful token is left" in found.refused[at] for at in over)
    assert all(np.isnan(found.values[at]).all() and found.best[at] == -1 for at in over)
    assert np.isfinite(found.values[[at for at in range(len(asked)) if at not in over], :, 0]).all()
    del base, values


@pytest.mark.parametrize("name", ["pretraining.yaml", "procurement.yaml"])
def test_other_kinds_of_work_and_quotes_are_searched_as_in_a_run(name):
    base = load(Path(__file__).parents[2] / "scenarios" / name)
    base, columns, values, found = sweep(["electricity.price", "finance.discount_rate"], "search", base)
    for at in (1, 8):
        changes = {column.path: value.raw(at) for column, value in zip(columns, values, strict=True)}
        plain = patched(base, changes).run()
        shown = [fleet.shown(plain.headline or "") for fleet in plain.fleets]
        numbers = [None if np.isnan(value) else float(value) for value in found.values[at, :, 0]]
        assert (numbers, found.fleets[found.best[at]]) == (shown, plain.recommended)
