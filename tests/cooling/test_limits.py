"""Limits of site, money and market: the verdict, and both sizes among the reasons."""

from __future__ import annotations

import pytest

from tco.result import FleetResult
from tco.session import loads
from tests.cli.conftest import BASE, TRAINING, changed

OWN, CLOUD = "{system: hgx-h200-srv}, precision: fp8}", "gpus: 8}, precision: fp8}"
WEIGHT = (OWN, OWN.replace("fp8}", "fp8, inputs: {system_weight: 130 kg/system}}"))


def fleet(site: str, *pairs: tuple[str, str], name: str = "own", text: str = BASE) -> FleetResult:
    return loads(changed(("finance:", f"site: {{{site}}}\nfinance:"), *pairs, text=text)).run().by_id[name]


@pytest.mark.parametrize(
    ("site", "told"),
    [
        ("rack_power: 8 kW/rack", "a system draws 10.2 kW, a rack gets 8.0 kW"),
        ("budget: 100000 USD", ", the budget is 100,000"),
        ("supply: 4 gpu", "8 GPUs, 4 can be had"),
        ("rack_power: 10.199 kW/rack", "a system draws 10.200 kW, a rack gets 10.199 kW"),
        ("floor_load: 150 kg/m2", "181 kg/m2 under a rack, the floor bears 150 kg/m2"),
        ("floor_load: 300 kg/m2, rack_weight: 140 kg/rack", "375 kg/m2 under a rack, the floor bears 300 kg/m2"),
    ],
)
def test_what_is_beyond_a_limit_says_by_how_much(site: str, told: str) -> None:
    found = fleet(site, *([WEIGHT] if "floor" in site else []))
    assert found.verdict == "limit exceeded"
    assert any(told in reason for reason in found.reasons), found.reasons


@pytest.mark.parametrize(
    "site",
    ["rack_power: 11 kW/rack", "budget: 1 MUSD", "supply: 8 gpu", "floor_load: 182 kg/m2", "rack_power: 40 kW/rack"],
)
def test_what_is_within_its_limits_is_ok(site: str) -> None:
    assert fleet(site, *([WEIGHT] if "floor" in site else [])).verdict == "ok"


def test_the_power_of_a_rack_takes_more_racks() -> None:
    four = ("precision: fp8}\n  - {id: cloud", "precision: fp8, count: 8}\n  - {id: cloud")
    by_height, by_power = fleet("rack_limit: 4", four), fleet("rack_limit: 4, rack_power: 21 kW/rack", four)
    assert (by_height.raw("most_racks"), by_power.raw("most_racks")) == (2, 4)
    assert by_height.verdict == by_power.verdict == "ok"
    assert fleet("rack_limit: 3, rack_power: 21 kW/rack", four).verdict == "limit exceeded"


def test_the_market_limits_rented_and_training_fleets_too() -> None:
    assert fleet("supply: 4 gpu", name="cloud").verdict == "limit exceeded"
    own = ("gpus: 8}, precision: fp8}", "gpus: 8}, precision: fp8, inputs: {gpu_supply: 64 gpu}}")
    assert fleet("supply: 4 gpu", own, name="cloud").verdict == "ok"
    assert fleet("supply: 4 gpu", text=TRAINING).verdict == "limit exceeded"
    assert fleet("rack_power: 1 kW/rack, budget: 1 USD", name="cloud").verdict == "ok"


def test_a_limit_that_cannot_be_checked_is_told() -> None:
    text = changed(("finance:", "site: {floor_load: 1 kg/m2}\nfinance:"), ("hgx-h200-srv", "gb300-nvl72"))
    result = loads(text).run()
    told = "the load of the floor is not checked: system_weight not known; state under `inputs`"
    assert [one.text for one in result.warnings if one.code == "not-checked" and one.fleet == "own"] == [told]
