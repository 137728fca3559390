"""The plan as a scenario costs what the optimiser says, keeps the limits, and says what they cost."""

# pyright: basic, reportArgumentType=false, reportCallIssue=false, reportOptionalSubscript=false

from __future__ import annotations

import ctypes
import os
import re

import numpy as np
import pytest

from tco.errors import ScenarioError
from tco.mix import Mixed, plan
from tco.mix.highs import apart
from tco.mix.infeasible import Infeasible
from tco.session import loads
from tests.mix.conftest import SMALL, changed, with_mix

OWN = "buy: {system: hgx-h200-srv}"
LEASE = "lease: {system: hgx-h200-srv, rent: 9500 USD/system/month, term: 15 month}"
LOAN = "buy: {system: hgx-h200-srv, loan: {share: 80 %, rate: 7 %, term: 2 yr, fee: 1 %}}"
TAXED = "{discount_rate: 8 %, basis: after_tax, tax_rate: 25 %, depreciation: {method: straight_line, life: 3 yr}}"
RENTED = "rent: {offer: runpod-h100-sxm-ondemand, gpus: 8}"
RESERVED = "rent: {gpu: h100-sxm, gpus: 8, price: 2.2 USD/gpu/h, term: 1 yr, upfront: 50 %}"
FIXED = "costs:\n  - {name: Rack places, amount: 900 USD/month, part_of: site_cost}\nfleets:"

VARIANTS = {
    "as it is": (),
    "lease, shorter than the horizon": ((OWN, LEASE),),
    "loan": ((OWN, LOAN),),
    "after tax": (("{discount_rate: 8 %}", TAXED),),
    "a life that ends": ((OWN, "buy: {system: hgx-h200-srv, life: 2 yr}"),),
    "a life that ends inside a year": ((OWN, "buy: {system: hgx-h200-srv, life: 18 month}"),),
    "lead time": ((OWN, "buy: {system: hgx-h200-srv, lead_time: 1 yr}"),),
    "a machine's first months": ((OWN, f"{OWN}, ramp: {{after: [0 month, 3 month], share: [50 %, 100 %]}}"),),
    "demand that arrives": (("growth: 40 %", "ramp: {after: [0 yr, 1 yr], share: [30 %, 100 %]}"),),
    "demand that falls": (("growth: 40 %", "growth: -30 %"),),
    "reserved": ((RENTED, RESERVED),),
    "paid while busy": (
        (RENTED, "rent: {gpu: h100-sxm, gpus: 8, price: 2.2 USD/gpu/h, billing: {scale_to_zero: true}}"),
    ),
    "costs of being there": (("fleets:", FIXED),),
    "a year a period": (("step: quarter", "step: year"),),
    "half a year at the end": (("horizon: 3 yr", "horizon: 2.5 yr"),),
    "an API that takes so many a minute": (("output: 5 USD", "requests_per_minute: 250 request/min, output: 5 USD"),),
    "lost and reasoning": (("peak_to_mean: 4", "peak_to_mean: 4\n  lost: {failed: 1 %, retried: 5 %}"),),
}


@pytest.mark.parametrize("name", VARIANTS)
def test_the_engine_says_what_the_optimiser_says(name: str) -> None:
    found = plan(loads(changed(*VARIANTS[name])), worth=False)
    agrees(found)


def agrees(found: Mixed) -> None:
    """Not only the sum: the scenario, read anew, does the work within its limits at that cost."""
    result = loads(found.plan.text).run()
    assert {fleet.verdict for fleet in result.fleets} == {"ok"}
    total = sum(float(fleet.raw("present_cost")) for fleet in result.fleets)
    assert total == pytest.approx(found.plan.cost, rel=1e-9)
    for name in found.plan.asked.classes:
        whole = np.sum([part.shares[name] for part in found.plan.parts], axis=0)
        assert whole == pytest.approx(np.ones(len(found.plan.asked.moments)), abs=1e-12)
    served = sum(fleet.raw("served_load") for fleet in result.fleets)
    asked = sum(fleet.raw("mean_load") for fleet in result.fleets)
    assert served == pytest.approx(asked, rel=1e-12)


def test_a_fleet_alone_costs_what_the_engine_says_of_it() -> None:
    """With a step of a year the engine adds systems when the plan does; each fleet with measured rates, no search."""
    text = changed(("step: quarter", "step: year"))
    found, result = plan(loads(text), worth=False), loads(text).run()
    assert len(found.alone) == 4
    for one in found.alone:
        assert one.cost == pytest.approx(result.by_id[one.fleet].raw("present_cost"), rel=1e-9), one.fleet


def test_prices_in_another_currency() -> None:
    rates = "EUR\nfx: {USD: {after: [0 yr, 1 yr], rate: [0.92 EUR/USD, 0.95 EUR/USD]}}"
    pairs = (("currency: USD\n", f"currency: {rates}\n"), ("0.12 USD/kWh", "0.12 EUR/kWh"), ("900 USD", "900 EUR"))
    found = plan(loads(with_mix("{yearly_budget: 0.3 MEUR/yr}", *pairs)), worth=False)
    agrees(found)


def test_a_period_at_a_time_is_never_dearer() -> None:
    yearly = plan(loads(changed()), worth=False)
    finer = plan(loads(with_mix("{decide: period}")), worth=False)
    agrees(finer)
    assert finer.plan.cost < yearly.plan.cost


def test_machines_that_are_there_are_used_up_to_their_number() -> None:
    found = plan(loads(changed((OWN, 'count: 2, buy: {system: hgx-h200-srv, sunk: "bought in 2025"}'))), worth=False)
    agrees(found)
    own = next(part for part in found.plan.parts if part.id == "own")
    assert list(own.standing) == [2.0] * 12


def test_the_same_plan_every_time() -> None:
    assert plan(loads(changed()), worth=False).plan.text == plan(loads(changed()), worth=False).plan.text


LIMITS = {
    "power": ("power: 40 kW", "nameplate_power", 40.0),
    "racks": ("racks: 1 rack, fleets: [pro, cloud, api]", "racks", 1.0),
    "supply of own": ("supply: {own: 1 system}, fleets: [own, cloud, api]", "purchases", 1.0),
}


@pytest.mark.parametrize("limit", LIMITS)
def test_a_limit_is_kept_and_its_worth_is_a_difference(limit: str) -> None:
    stated, line, most = LIMITS[limit]
    found = plan(loads(with_mix(f"{{{stated}}}")))
    agrees(found)
    assert found.plan.result is not None
    rows = [
        fleet.raw(line) for fleet in found.plan.result.fleets if fleet.raw(line) is not None and fleet.payment == "buy"
    ]
    assert np.max(np.sum(rows, axis=0)) <= most * (1 + 1e-9)
    worth = next(one for one in found.worths if one.limit == limit)
    free = plan(loads(with_mix(f"{{{stated.partition(': ')[2].partition(', ')[2]}}}")), worth=False)
    assert worth.without == pytest.approx(found.plan.cost - free.plan.cost, rel=1e-6)
    more = re.sub(r"(?<=\W)(\d+)(?= (kW|rack|system))", lambda number: str(int(number[0]) + 1), stated)
    assert worth.unit_saving == pytest.approx(
        found.plan.cost - plan(loads(with_mix(f"{{{more}}}")), worth=False).plan.cost
    )


def test_supply_holds_for_a_year_whatever_is_decided_when() -> None:
    found = plan(loads(with_mix("{decide: period, supply: {own: [2, 0, 1], pro: 0}, fleets: [own, pro, cloud, api]}")))
    agrees(found)
    own = next(part for part in found.plan.parts if part.id == "own")
    assert np.all(np.reshape(own.added, (3, 4)).sum(axis=1) <= [2, 0, 1])
    assert {part.id for part in found.plan.parts} <= {"own", "cloud", "api"}


def test_from_where_more_of_a_limit_pays() -> None:
    """A kilowatt alone buys no system; what is told is the least that does, and a little less changes nothing."""
    found = plan(loads(with_mix("{power: 40 kW, fleets: [own, cloud, api]}")))
    (worth,) = found.worths
    assert worth.unit_saving == 0
    assert worth.from_here > 1

    def cost(power: float) -> float:
        return plan(loads(with_mix(f"{{power: {power!r} kW, fleets: [own, cloud, api]}}")), worth=False).plan.cost

    assert cost(40 + worth.from_here) == pytest.approx(found.plan.cost - worth.saving)
    assert cost(40 + worth.from_here * 0.999) == pytest.approx(found.plan.cost)


def test_money_and_carbon_and_the_largest_share() -> None:
    yearly = "[0.4 MUSD/yr, 0.2 MUSD/yr, 0.4 MUSD/yr]"
    mix = f"budget: 0.7 MUSD, yearly_budget: {yearly}, carbon: 150 tCO2e, largest_share: 60 %"
    found = plan(loads(with_mix(f"{{{mix}}}")))
    agrees(found)
    assert found.plan.result is not None
    capital = sum(fleet.raw("capital_cost") for fleet in found.plan.result.fleets if fleet.payment == "buy")
    each = np.reshape(capital, (3, 4)).sum(axis=1)
    assert np.all(each <= np.array([400_000, 200_000, 400_000]) * (1 + 1e-9))
    assert np.sum(capital) <= 700_000
    carbon = sum(np.sum(fleet.raw("carbon_footprint")) for fleet in found.plan.result.fleets if fleet.payment == "buy")
    assert carbon <= 150
    for part in found.plan.parts:
        for index in range(3):
            assert 0.7 * part.shares["chat"][index] + 0.3 * part.shares["code"][index] <= 0.6 + 1e-9
    assert [one.limit for one in found.worths] == ["budget", "yearly budget", "carbon", "largest share"]


def test_limits_of_the_site_hold_for_all_fleets_together() -> None:
    found = plan(loads(changed(("\nfleets:", "\nsite: {power_limit: 40 kW}\nfleets:"))), worth=False)
    same = plan(loads(with_mix("{power: 40 kW}")), worth=False)
    assert found.plan.cost == pytest.approx(same.plan.cost)


@pytest.mark.parametrize(
    ("mix", "pairs", "told"),
    [
        ("{power: 30 kW, fleets: [own]}", (), r"this would do:\n  power: [\d.]+ kW more \(of 30 kW\)"),
        ("{power: 30 kW, budget: 0.4 MUSD, fleets: [own]}", (), r"all of these together .*:\n  power: .*\n  budget: "),
        ("{fleets: [own]}", ((OWN, "buy: {system: hgx-h200-srv, lead_time: 1 yr}"),), r"chat: 100 % of it .* in 2027"),
    ],
)  # fmt: skip
def test_what_is_in_the_way_is_said(mix: str, pairs: tuple[tuple[str, str], ...], told: str) -> None:
    with pytest.raises(Infeasible, match=told):
        plan(loads(with_mix(mix, *pairs)))


def test_more_of_the_limit_as_told_suffices() -> None:
    with pytest.raises(Infeasible) as caught:
        plan(loads(with_mix("{power: 30 kW, fleets: [own]}")))
    more = float(re.search(r"power: ([\d.]+) kW more", str(caught.value))[1])
    plan(loads(with_mix(f"{{power: {30 + more} kW, fleets: [own]}}")), worth=False)
    with pytest.raises(Infeasible):
        plan(loads(with_mix(f"{{power: {30 + more - 0.1} kW, fleets: [own]}}")), worth=False)


def test_costs_that_are_not_in_proportion_are_named() -> None:
    pairs = (("demand_charge: 12 USD/kW/month", "minimum_charge: 9000 USD/month"),)
    with pytest.raises(
        ScenarioError, match=r":\d+:\d+: fleets.own: not in proportion .*: Electricity, up to the least bill; leave out"
    ):
        plan(loads(changed(*pairs)))


@pytest.mark.parametrize(
    ("mix", "pairs", "told"),
    [
        ("{fleets: [owm]}", (), r":\d+:\d+: mix.fleets\[?\.?0?.*`owm` is no fleet; did you mean `own`"),
        ("{supply: {clod: 2}}", (), "`clod` is no fleet; did you mean `cloud`"),
        ("{budget: 2 MEUR}", (), "is in EUR, the scenario in USD"),
        ("{split: true}", (("precision: fp8, @17", "precision: fp8, count: 2, @17"),), "how many systems there are"),
        ("{split: true}", (("precision: fp8, @17", "precision: fp8, serves: {chat: 1 %}, @17"),), "a fleet serves"),
        ("{split: true}", (("id: code", "id: chat"),), "names an earlier class too"),
        ("{power: 40}", (), "kW"),
        ("{power: 30 to 50 kW}", (), r":\d+:\d+: mix.power: is a range; a plan keeps one limit"),
        ("{carbon: {low: 1 tCO2e, typ: 2 tCO2e, high: 3 tCO2e}}", (), "mix.carbon: is a range"),
        ("{carbon: 0 tCO2e}", ((", carbon_intensity: 300 gCO2e/kWh", ""),), "carbon of own is not known.*_intensity"),
        ("{power: [40 kW, 50 kW]}", (), "2 values for 3 years; state one for each, or for each period"),
        ("{supply: {own: [1, 2, 3, 4]}}", (), "mix.supply.own: 4 values for 3 years; state one for each"),
    ],
)  # fmt: skip
def test_a_mix_that_cannot_be_meant_is_refused(mix: str, pairs: tuple[tuple[str, str], ...], told: str) -> None:
    with pytest.raises(ScenarioError, match=told):
        plan(loads(with_mix(mix, *pairs)))


def test_a_class_that_nothing_serves_is_told_with_the_reasons() -> None:
    long = SMALL.replace("input: 6000", "input: 200000").replace("requests: 6", "model: llama-3.3-70b\n  requests: 6")
    text = re.sub(r", @[^@]*@", "", long).replace(
        "{input: 0.9 USD/Mtoken, output: 5 USD/Mtoken}", "{offer: together-llama-3.3-70b}"
    )
    with pytest.raises(Infeasible, match=r"no fleet can serve code:\n  own: not supported: requests of 200,900 tokens"):
        plan(loads(text))
    found = plan(loads(text.replace("input: 200000", "input: 6000")), worth=False)
    agrees(found)


QUOTES = """
quotes:
  offers:
    - supplier: Both Ltd
      number: N1
      date: 2026-10-16
      valid_until: 2027-02-15
      items:
        - {item: server, quantity: 1, price: 60000 USD, carries: system, fleet: own}
        - {item: server, quantity: 1, price: 90000 USD, carries: system, fleet: pro}
  award: {own: {to: N1, reason: price}, pro: {to: N1, reason: price}}
analysis:
  uncertainty: {samples: 64, ranges: {fleets.pro.buy.price: 80000 to 90000 USD/system}}
  tables: [{rows: electricity.price, fleets: [pro]}]
fleets:"""


def test_what_concerns_fleets_that_take_no_part_is_not_in_the_plan() -> None:
    """Lines of an offer for several fleets are kept one by one; what compares fleets goes with them."""
    money = ("finance: {discount_rate: 8 %}", "finance: {discount_rate: 8 %, reference: api, reinvestment_rate: 5 %}")
    found = plan(loads(changed(money, ("\nfleets:", QUOTES))), worth=False)
    assert [part.id for part in found.plan.parts] == ["own"]
    held = loads(found.plan.text, "plan.yaml").content
    assert held.quotes is not None
    assert [item.fleet for item in held.quotes.offers[0].items] == ["own"]
    assert list(held.quotes.award) == ["own"]
    assert (held.analysis, held.finance.reference, held.finance.reinvestment_rate) == (None, None, None)
    assert found.plan.engine_cost == pytest.approx(found.plan.cost, rel=1e-9)


def test_classes_that_add_up_to_more_than_all_by_round_off() -> None:
    """A fleet that serves every class whole serves all requests, not one and a bit."""
    shares = ("59 %", "33 %", "8 %")
    classes = [f"{{id: c{at}, share: {share}, input: 300 token/request, output: 20 token/request}}"
               for at, share in enumerate(shares)]  # fmt: skip
    text = SMALL.split("  classes:")[0] + "  classes:\n" + "".join(f"    - {one}\n" for one in classes)
    text += "finance: {discount_rate: 8 %}\nfleets:\n"
    text += (
        "  - {id: api, api: {input: 0.9 USD/Mtoken, output: 5 USD/Mtoken}, serves: {c0: 100 %, c1: 100 %, c2: 100 %}}\n"
    )
    assert max(np.ravel(loads(text).run().by_id["api"].inputs["demand_share"].value)) == 1.0


def test_what_the_solver_prints_does_not_stand_in_our_output(capfd: pytest.CaptureFixture[str]) -> None:
    """HiGHS prints on some programs though it is told not to, through C's own buffer: `--json` would be no JSON."""
    library = ctypes.CDLL(None)
    print("before")

    def task() -> int:
        library.printf(b"in C's own buffer")
        os.write(1, b"at once")
        return 7

    assert apart(task) == 7
    library.fflush(None)
    print("after")
    assert capfd.readouterr().out == "before\nafter\n"
