"""The result files: keys of the contract, null with a reason, equal numbers in JSON and CSV."""

from __future__ import annotations

import csv
import io
import json
from typing import Any, NoReturn

import pytest

from tco.export import to_csv, to_json
from tco.result import CATEGORIES, HEADLINES, PER_PERIOD
from tco.session import loads
from tests.cli.conftest import BASE, TRAINING, changed

KEYS = ["format", "scenario", "engine", "timeline", "fleets", "basis", "discounting", "day_count", "reference",
        "recommended", "comparison", "break_even", "ranking", "headline", "left_out", "warnings"]  # fmt: skip
FLEET = {"id", "name", "tier", "payment", "model", "precision", "verdict", "reasons", "choices", "lines",
         "recalled_or_stale_share"}  # fmt: skip
OWN = "precision: fp8}\n  - {id: cloud"
DESK = "  - {id: card, buy: {system: ws-1x5090}, precision: int4, count: 1}\n"

SCENARIOS = {
    "plain": BASE,
    "one that does not fit": BASE + DESK,
    "none at all": changed((OWN, OWN.replace("}", ", count: 0}", 1))),
    "1e-9 requests": changed(("100000 request", "1e-9 request")),
    "1e12 requests": changed(("100000 request", "1e12 request")),
    "no input": changed(("1500 token", "0 token")),
    "all cached": changed(("output: 350", "prefix_cache_hit: 100 %\n  output: 350")),
    "one month": changed(("2 yr, step: quarter", "1 month, step: month")),
    "40 years monthly": changed(("2 yr, step: quarter", "40 yr, step: month")),
    "discount of -40 %": changed(("8 %}", "-40 %, reference: cloud}")),
    "no discount": changed(("8 %}", "0 %, reference: own}")),
    "peak 10,000": changed(("peak_to_mean: 4", "peak_to_mean: 1e4")),
    "nearly free": changed(("hgx-h200-srv", "hgx-h200-srv, price: 1e-6 USD/system")),
    "no rack is tall enough": changed(
        ("finance:", "site: {rack_limit: 3, rack_height: 4 U/rack, power_limit: 1 kW}\nfinance:")
    ),
    "after tax": changed(("8 %}", "8 %, basis: after_tax, tax_rate: 25 %, depreciation: {method: macrs, life: 5 yr}}")),
    "foreign prices": changed(("currency: USD", "currency: EUR\nfx: {USD: 0.9 EUR/USD}")),
    "pinned": BASE + "pin: {own: {system_output_rate: 5000 token/s/system}}\n",
    "utilization": changed((OWN, OWN.replace("}", ", utilization: 50 %}", 1)), ("8 %}", "8 %, reference: cloud}")),
    "training": TRAINING,
    "training on one card": TRAINING + DESK.replace("int4", "bf16"),
    "no failures": changed(
        ("goodput: 95 %", "failure_rate: 0 1/gpu/yr, restart_time: 1 h, checkpoint_time: 1 h"), text=TRAINING
    ),
}  # fmt: skip


def no_constant(text: str) -> NoReturn:
    raise AssertionError(f"{text} is not JSON")


@pytest.mark.parametrize("text", SCENARIOS.values(), ids=SCENARIOS.keys())
def test_json_and_csv_keep_the_contract(text: str) -> None:
    result = loads(text).run()
    held = json.loads(to_json(result), parse_constant=no_constant)
    assert list(held) == KEYS
    periods = held["timeline"]["periods"]
    assert len(held["timeline"]["labels"]) == periods == len(set(held["timeline"]["labels"]))
    for fleet in held["fleets"]:
        assert set(fleet) >= FLEET
        assert set(fleet["lines"]) >= {*HEADLINES, *CATEGORIES, *PER_PERIOD}
        assert 0 <= fleet["recalled_or_stale_share"] <= 1
        assert (fleet["verdict"] == "ok") == (not fleet["reasons"])
        for name, line in fleet["lines"].items():
            assert (line["value"] is None) == bool(line.get("reason")), name
            assert not isinstance(line["value"], list) or len(line["value"]) == periods
        if fleet["verdict"] in ("not supported", "does not fit", "too slow"):
            assert all(fleet["lines"][name]["value"] is None for name in (*HEADLINES, *CATEGORIES))
    _ranked(held)
    for compared in held["comparison"].values():
        assert all((entry["value"] is None) == bool(entry["reason"]) for entry in compared.values())
    _same_numbers(held, list(csv.DictReader(io.StringIO(to_csv([("a", result)])))))


def _ranked(held: dict[str, Any]) -> None:
    fleets = {fleet["id"]: fleet for fleet in held["fleets"]}
    costs = [fleets[name]["lines"][held["headline"]]["value"] for name in held["ranking"]]
    assert costs == sorted(costs)
    assert set(held["ranking"]) == {name for name, fleet in fleets.items() if fleet["verdict"] == "ok"}
    whole = [name for name in held["ranking"] if not fleets[name]["unit_cost_only"]]
    assert held["recommended"] == next(iter(whole or held["ranking"]), None)


SHARE = "recalled_or_stale_share"
"""The one row of a fleet in the CSV that is no line."""


def _same_numbers(held: dict[str, Any], rows: list[dict[str, str]]) -> None:
    wanted = list[tuple[str, str, str, str, str]]()
    for fleet in held["fleets"]:
        for name, line in fleet["lines"].items():
            value = line["value"]
            pairs = zip(held["timeline"]["labels"], value, strict=True) if isinstance(value, list) else [("", value)]
            told = ((label, "" if one is None else repr(float(one))) for label, one in pairs)
            wanted += [(fleet["id"], name, label, line["unit"], number) for label, number in told]
    shares = {fleet["id"]: repr(fleet["recalled_or_stale_share"]) for fleet in held["fleets"]}
    assert {row["fleet"]: row["value"] for row in rows if row["line"] == SHARE} == shares
    lines = [row for row in rows if row["line"] != SHARE]
    assert [(row["fleet"], row["line"], row["period"], row["unit"], row["value"]) for row in lines] == wanted


def test_sixty_fleets() -> None:
    more = "".join(f"  - {{id: x{number}, api: {{offer: together-llama-3.3-70b}}}}\n" for number in range(57))
    assert len(loads(BASE + more).run().ranking) == 60
