"""A fleet that serves classes is rated for each of them after it is assembled: rows are still the runs."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from click.testing import CliRunner

from tco.cli import main
from tco.scenario.schema import Scenario as Schema
from tco.session import loads
from tco.variants.patch import patched
from tco.variants.places import place_of

TEXT = """format: 1
title: Two classes
as_of: 2026-11-01
currency: USD
timeline: {start: 2027-01, horizon: 2 yr, step: year}
workload:
  kind: inference
  model: llama-3.3-70b
  requests: 3 Mrequest/month
  peak_to_mean: 4
  classes: [{id: chat, share: 70 %, input: 1200 token/request, output: 300 token/request},
            {id: code, share: 30 %, input: 5000 token/request, output: 900 token/request}]
  target: {first_token: 4 s, per_token: 60 ms/token}
electricity: {price: 0.12 USD/kWh}
cooling: {kind: air, pue: 1.4}
finance: {discount_rate: 9 %}
fleets:
  - {id: own, buy: {system: hgx-h200-srv}, precision: fp8, serves: {chat: 100 %, code: 50 %}}
  - {id: api, api: {offer: together-llama-3.3-70b}, serves: {code: 50 %}}
"""

MEASURED = TEXT.replace(
    "serves: {chat: 100 %, code: 50 %}",
    "serves: {chat: 100 %, code: 50 %}, measured: {classes: {chat: 20 request/s/system, code: 4 request/s/system}, "
    "precision: fp8, source: bench}",
)
PRECISIONS = TEXT.replace("precision: fp8, serves", "precision: [fp8, bf16], serves")


@pytest.mark.parametrize(
    ("place", "values"),
    [
        ("workload.target.per_token", ("30 ms/token", "60 ms/token")),
        ("workload.prefix_cache_hit", ("0 %", "60 %")),
        ("workload.classes.chat.input", ("500 token/request", "3000 token/request")),
        ("electricity.price", ("0.05 USD/kWh", "0.3 USD/kWh")),
        ("fleets.own.buy.price", ("280000 USD/system", "400000 USD/system")),
    ],
)
@pytest.mark.parametrize("choices", ["stale", "search"])
@pytest.mark.parametrize("text", [TEXT, MEASURED, PRECISIONS], ids=["estimated", "measured", "precisions"])
def test_rows_are_the_runs(tmp_path: Path, place: str, values: tuple[str, str], choices: str, text: str) -> None:
    file = tmp_path / "two.yaml"
    file.write_text(text)
    axis = f"{place} = {', '.join(values)}"
    asked = ["sweep", str(file), "--axis", axis, "--choices", choices, "--out", str(tmp_path), "--only", "csv"]
    done = CliRunner().invoke(main, asked)
    assert done.exit_code == 0, done.output
    rows = list(csv.DictReader((tmp_path / "two-sweep.csv").read_text().splitlines()))
    base = loads(text)
    path = place_of(Schema, base.document.data, place).path
    for number, value in enumerate(values, 1):
        run = patched(base, {path: value}).run()
        for fleet in run.fleets:
            row = next(one for one in rows if (one["variant"], one["fleet"]) == (str(number), fleet.id))
            cost = fleet.shown("cost_per_million_useful_tokens")
            assert isinstance(cost, float)
            told = float(row["cost_per_million_useful_tokens [USD/Mtoken]"])
            assert (row["verdict"], told) == (fleet.verdict, cost)
