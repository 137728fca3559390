"""Flip points: what a run beside each of them recommends, and every driver answered."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tco.analysis.sensitivity import drivers
from tco.cli import main
from tco.decisions.confirm import confirmed
from tco.decisions.flips import by_strength, flips
from tco.decisions.tornado import text_of, to_dict
from tco.result import NULLING, VERDICTS
from tco.scenario.schema import Scenario as Schema
from tco.session import load, loads
from tco.variants.patch import patched
from tco.variants.places import place_of
from tests.decisions.shop import shop

QUICKSTART = Path(__file__).parents[2] / "scenarios" / "quickstart.yaml"
PATHS = {
    ("", "per_token_target"): ("workload.target.per_token", "ms/token"),
    ("cloud-ondemand", "gpu_hour_price"): ("fleets.cloud-ondemand.rent.price", "USD/gpu/h"),
    ("", "requests"): ("workload.requests", "request/month"),
    ("", "peak_to_mean"): ("workload.peak_to_mean", ""),
    ("", "input_tokens"): ("workload.input", "token/request"),
    ("workstation", "system_price"): ("fleets.workstation.buy.price", "USD/system"),
    ("", "demand_growth"): ("workload.growth", "1/yr"),
}


@pytest.fixture(scope="module")
def quick():
    scenario = load(QUICKSTART)
    result = scenario.run()
    return scenario, result, confirmed(scenario, result)


def test_the_price_at_which_the_rent_takes_the_lead() -> None:
    """At 8,100 requests the API asks 56.70 USD a month, the replica 100 p + 30."""
    result = shop().run()
    found = {(one.fleet, one.name): one for one in flips(result)}
    price, requests = found["rent", "gpu_hour_price"], found["", "requests"].above
    assert price.above is None
    assert price.below
    assert requests
    assert (price.below.to, price.below.equal) == ("rent", True)
    assert price.below.value == pytest.approx(0.267, rel=1e-12)
    assert requests.value == pytest.approx(330 / 0.007, rel=1e-12)


def test_what_follows_in_proportion_moves_too() -> None:
    """Cached input costs what input costs where nothing else is stated: both make up 0.004 p of a request."""
    text = shop().document.text.replace("peak_to_mean: 14.6,", "peak_to_mean: 14.6, prefix_cache_hit: 50 %,")
    scenario = loads(text)
    price = next(one for one in confirmed(scenario, scenario.run()) if one.name == "input_price")
    assert price.above
    assert price.above.value == pytest.approx((130 / 8100 - 0.003) / 0.004, rel=1e-9)
    assert (price.above.to, price.above.doubt, price.follows) == ("rent", "", False)


def test_a_run_beside_each_flip_point_recommends_what_it_says(quick) -> None:
    """With the deployments kept: today's on the near side, the other on the far side; else the doubt is told."""
    scenario, result, found = quick
    kept = {one.id: {**one.choices.get("values", {}), "precision": one.precision} for one in result.fleets}
    seen = 0
    for one in found:
        if (one.fleet, one.name) not in PATHS:
            continue
        text, unit = PATHS[one.fleet, one.name]
        path = place_of(Schema, scenario.document.data, text).path
        for beyond, sign in ((one.below, -1), (one.above, 1)):
            if beyond and not beyond.doubt:
                values = (beyond.value * (1 - sign * 1e-9), beyond.value * (1 + sign * 1e-9))
                runs = [patched(scenario, {path: f"{value!r} {unit}".strip()}).run(kept) for value in values]
                assert [run.recommended for run in runs] == [result.recommended, beyond.to], one.name
                seen += 1
    assert seen >= 7


def test_what_a_run_does_not_confirm_is_in_doubt(quick) -> None:
    """All demand inside a window of the day needs a higher peak than the flip point would leave."""
    peak = next(one for one in quick[2] if one.name == "peak_to_mean")
    assert "cannot be run there" in peak.below.doubt
    told = text_of(quick[1], quick[2], "api")
    assert "in doubt, see below (2.311)" in told


def test_every_driver_of_every_fleet_that_can_do_the_work_is_answered(quick) -> None:
    _, result, found = quick
    flags = [flag for flag, _ in VERDICTS]
    asked = {
        ("" if name in fleet.shared else fleet.id, name)
        for fleet in result.fleets
        if fleet.verdict not in NULLING
        for name in drivers(fleet, [result.headline, *flags])
    }
    assert {(one.fleet, one.name) for one in found} == asked
    assert all(one.low < one.now <= one.high or one.low <= one.now < one.high for one in found)


def test_the_nearest_change_comes_first(quick) -> None:
    found = by_strength(quick[2])
    turning = [bool(one.below or one.above) for one in found]
    assert turning == sorted(turning, reverse=True)


def test_the_text_names_both_ends_where_nothing_changes(quick) -> None:
    told = text_of(quick[1], quick[2], "cloud-ondemand")
    assert "none down to 0.273 USD/gpu/h" in told
    assert "± 10 %" in told


def test_drivers_of_every_fleet_in_json(quick) -> None:
    told = json.loads(json.dumps(to_dict(quick[1], quick[2]), allow_nan=False))
    assert set(told["fleets"]) == {fleet.id for fleet in quick[1].fleets}
    assert told["fleets"]["one-card"]["cost"] is None
    price = next(one for one in told["fleets"]["mi300x"]["drivers"] if one["input"] == "warranty")
    assert (price["low"], price["high"], price["ends"]) == (1, 5, "range")


def test_an_unknown_fleet_is_a_mistake_of_use() -> None:
    done = CliRunner().invoke(main, ["tornado", str(QUICKSTART), "--fleet", "hgx-h20"])
    assert done.exit_code == 2
    assert "did you mean `hgx-h200`" in done.output
