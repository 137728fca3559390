"""Several workloads in one scenario: shared fleets, ways, and both bases against the bill."""

from __future__ import annotations

import numpy as np
import pytest

from tco.export import to_dict
from tco.portfolio import PortfolioResult, loads
from tco.portfolio.export import portfolio_dict
from tco.portfolio.needs import row
from tco.portfolio.state import Shared, unit_cost
from tco.session import loads as loads_one
from tests.portfolio.shop import TEXT, changed, ran

IDLE = ("jobs: 22 job/month", "jobs: 1 job/month")
SEARCH = """  search: {
    kind: inference, model: llama-3.1-8b, requests: 0.2 Mrequest/month, peak_to_mean: 3, input: 800 token/request,
    output: 60 token/request}
"""
THIRD = (
    ("  tuning: {\n", f"{SEARCH}  tuning: {{\n"),
    ("{chat: {precision: fp8}, tuning", "{chat: {precision: fp8}, search: {precision: fp8}, tuning"),
    ("together-llama-3.3-70b}}", "together-llama-3.3-70b}, workloads: [chat]}"),
)


def bill(held: Shared, line: str) -> float:
    value = held.fleet.raw(line)
    assert isinstance(value, float)
    return value


def parts(result: PortfolioResult) -> list[Shared]:
    return [one for sets in result.shared.values() for one in sets.values()]


@pytest.mark.parametrize("changes", [(), (IDLE,), THIRD], ids=["two", "idle", "three"])
def test_reservation_is_the_bill_and_so_is_usage_with_idle_time(changes: tuple[tuple[str, str], ...]) -> None:
    result = ran(*changes)
    for told in portfolio_dict(result)["portfolio"]["shared"]:
        found, works = told["allocation"], told["allocation"]["workloads"].values()
        for line in ("total_cost", "present_cost"):
            assert sum(one["reservation"][line] for one in works) == pytest.approx(told[line], rel=1e-12)
            usage = sum(one["usage"][line] for one in works) + found["idle"][line]
            assert usage == pytest.approx(told[line], rel=1e-12)
        hours = np.sum([one["reserved_gpu_hours"] for one in works], axis=0)
        assert hours == pytest.approx(np.array(found["gpu_hours"]), rel=1e-12)
    for held in parts(result):
        assert held.allocation is not None
        cash = row(held.fleet, "cash_cost", result.timeline.periods)
        borne = sum(cash * one.reservation_share for one in held.allocation.borne.values())
        assert borne == pytest.approx(cash, rel=1e-12)
        assert cash.sum() == pytest.approx(bill(held, "total_cost"), rel=1e-12)


def test_on_an_idle_fleet_usage_is_not_what_is_allocated() -> None:
    held = ran(IDLE).whole["server"]
    assert held.allocation is not None
    one = held.allocation.borne["tuning"]
    assert one.usage_share < one.reservation_share / 10
    assert held.allocation.idle_share > 0.5
    headline = ran(IDLE).headline("tuning")
    costs = [unit_cost(held, "tuning", headline, usage=usage) for usage in (False, True)]
    assert costs[0] is not None
    assert costs[1] is not None
    assert costs[1] < costs[0] / 10


@pytest.mark.parametrize("changes", [(), THIRD], ids=["two", "three"])
def test_a_shared_fleet_never_has_more_systems_than_fleets_of_their_own(changes: tuple[tuple[str, str], ...]) -> None:
    result = ran(*changes)
    for held in parts(result):
        periods = result.timeline.periods
        apart = sum(row(result.single[work].by_id[held.fleet.id], "systems", periods) for work in held.works)
        assert (row(held.fleet, "systems", periods) <= apart).all()


def test_a_shared_fleet_is_as_busy_as_its_workloads_together() -> None:
    result = ran()
    held, periods = result.whole["server"], result.timeline.periods
    busy = sum(row(one, "utilization", periods) * row(one, "gpus", periods) for one in held.alone.values())
    gpus = row(held.fleet, "gpus", periods)
    assert row(held.fleet, "utilization", periods) == pytest.approx(busy / gpus, rel=1e-12)
    # Idle power stands with the systems, the rest with the work: what is drawn above idle is the sum of both.
    idle, full = (held.fleet.inputs[name].number for name in ("gpu_idle_power", "gpu_power"))
    drawn = row(held.fleet, "gpu_draw", periods) * gpus
    assert drawn == pytest.approx(idle * gpus + (full - idle) * busy, rel=1e-12)


def test_one_workload_is_the_plain_run_to_the_last_digit() -> None:
    head, rest = TEXT.split("workloads:\n")
    chat, after = rest.split("  tuning: {")
    after = "electricity:" + after.split("fleets:")[0].split("electricity:")[1]
    server = "  - {id: server, buy: {system: srv-8xpro6000}, precision: fp8}"
    tail = f"{after}fleets:\n{server}\n  - {{id: api, api: {{offer: together-llama-3.3-70b}}}}\n"
    several = loads(f"{head}workloads:\n{chat}{tail}", "one.yaml").run()
    plain = loads_one(f"{head}workload: {chat.removeprefix('  chat: ')}{tail}", "one.yaml").run()
    assert to_dict(several.single["chat"])["fleets"] == to_dict(plain)["fleets"]
    costs = {way.options[0].fleet: way.present_cost for way in several.ways}
    assert costs == {fleet.id: fleet.shown("present_cost") for fleet in plain.fleets}
    assert several.ranking == plain.ranking


def test_ways_are_sums_ranked_by_present_cost() -> None:
    result = ran()
    costs = [result.by_id[name].present_cost for name in result.ranking]
    assert costs == sorted(cost for cost in costs if cost is not None)
    apart = next(way for way in result.ways if len(way.options) == 2)
    alone = [result.single[one.works[0]].by_id[one.fleet].shown("present_cost") for one in apart.options]
    assert apart.present_cost == sum(cost for cost in alone if isinstance(cost, float))
    for option in apart.options:  # each of them the cheapest that does the workload
        ranked = result.single[option.works[0]]
        able = [fleet.shown("present_cost") for fleet in ranked.fleets if fleet.verdict == "ok"]
        assert option.present_cost == min(cost for cost in able if isinstance(cost, float))
    assert result.recommended == result.ranking[0]


def test_three_workloads_are_divided_in_every_way() -> None:
    ways = {tuple(sorted(tuple(one.works) for one in way.options)) for way in ran(*THIRD).ways}
    assert ways == {
        (("chat", "search", "tuning"),), (("chat",), ("search", "tuning")), (("chat", "search"), ("tuning",)),
        (("chat", "tuning"), ("search",)), (("chat",), ("search",), ("tuning",)),
    }  # fmt: skip


def test_work_that_cannot_run_has_no_cost() -> None:
    result = ran(("{precision: bf16}", "{precision: bf16, deployment: {shard_gpus: 1}}"))
    held = result.whole["server"]
    assert result.single["chat"].by_id["server"].verdict == "ok"
    assert (held.verdict, held.allocation) == ("does not fit", None)
    assert any(why.startswith("tuning: ") for why in held.reasons)
    assert result.together is None
    assert "server" not in result.ranking
    assert result.by_id["server"].present_cost is None
    told = next(one for one in portfolio_dict(result)["portfolio"]["shared"] if one["fleet"] == "server")
    assert (told["present_cost"], told["total_cost"], told["allocation"]) == (None, None, None)


def test_a_stated_number_of_systems_may_be_too_small_for_both() -> None:
    changes = ("tuning: {precision: bf16}", "tuning: {precision: bf16, deployment: {shard_gpus: 8}}")
    result = ran(changes, ("srv-8xpro6000}", "srv-8xpro6000}, count: 1"))
    assert [one.by_id["server"].verdict for one in result.single.values()] == ["ok", "ok"]
    held = result.whole["server"]
    assert held.verdict == "too small"
    assert "together they need 2 systems, 1 more than there are" in held.reasons


def test_fleets_within_the_budget_may_exceed_it_together() -> None:
    alone = ran()
    result = ran(("finance:", "site: {budget: 150000 USD}\nfinance:"), ("- {id: api", "- {id: unused"))
    assert alone.by_id[alone.ranking[0]].verdict == "ok"
    for way in result.ways:
        owned = [one.result for one in way.options if "capital_cost" in one.result.model.lines]
        capital = sum(float(np.sum(row(one, "capital_cost", 2))) for one in owned)
        assert (way.verdict == "ok") == (capital <= 150000)


def test_what_only_one_kind_knows_stands_aside_for_the_others() -> None:
    """`reliability.goodput` has no meaning for inference; in a portfolio it is the fine-tuning's."""
    assert "goodput_share" in ran().single["tuning"].by_id["server"].inputs
    assert "goodput_share" not in ran().single["chat"].by_id["server"].inputs
    with pytest.raises(Exception, match="goodput"):
        loads(changed(("reliability: {goodput: 97 %}", "reliability: {goodput: 970 %}"))).run()


def test_hours_paid_only_while_they_work_leave_nothing_idle_and_sharing_costs_no_more() -> None:
    cloud = "rent: {offer: lambda-h100-sxm-ondemand-8x, billing: {scale_to_zero: true}}"
    result = ran(("buy: {system: srv-8xpro6000}", cloud))
    held = result.whole["server"]
    assert held.allocation is not None
    assert held.allocation.idle_share == 0
    apart = [one.by_id["server"].shown("present_cost") for one in result.single.values()]
    assert bill(held, "present_cost") <= sum(cost for cost in apart if isinstance(cost, float)) * (1 + 1e-9)


def test_systems_bought_for_both_are_fewer_where_both_fit_on_one() -> None:
    result = ran()
    alone = [one.by_id["server"].raw("systems") for one in result.single.values()]
    assert [np.max(np.asarray(one)) for one in alone] == [1, 1]
    assert row(result.whole["server"].fleet, "systems", 2).tolist() == [1, 1]
    apart = [one.by_id["server"].shown("present_cost") for one in result.single.values()]
    assert bill(result.whole["server"], "present_cost") < sum(cost for cost in apart if isinstance(cost, float))


def test_where_no_fleet_does_a_workload_it_is_named() -> None:
    cards = (("srv-8xpro6000", "ws-1x5090"), ("ws-4xpro6000-maxq", "ws-1x5090"))
    result = ran(*cards)
    assert (result.ranking, result.recommended, result.together) == ([], None, None)
    assert result.reason == "no way does all the work; no fleet does tuning as asked"
    assert all(way.present_cost is None for way in result.ways)
    for told in portfolio_dict(result)["portfolio"]["ways"]:
        assert told["reasons"]


@pytest.mark.parametrize(
    "change",
    [
        ("buy: {system: srv-8xpro6000}", "buy: {system: srv-8xpro6000}, purchase: upfront"),
        ("buy: {system: srv-8xpro6000}", "buy: {system: srv-8xpro6000}, count: 3"),
        ("buy: {system: srv-8xpro6000}", "buy: {system: srv-8xpro6000, life: 1 yr}"),
        ("goodput: 97 %", "goodput: 97 %, spares: 1"),
        ("9 %}", "9 %, basis: after_tax, tax_rate: 25 %, depreciation: {method: straight_line, life: 5 yr}}"),
        ("step: year", "step: quarter"),
        ("{price: 0.12 USD/kWh, demand_charge: 14 USD/kW/month}", "{tariff: {energy: [{price: 0.10 USD/kWh}]}}"),
    ],
    ids=["upfront", "count", "life", "spares", "taxed", "quarter", "tariff"],
)
def test_however_a_fleet_is_paid_both_bases_are_its_bill(change: tuple[str, str]) -> None:
    result = ran(change)
    held = result.whole["server"]
    assert (held.verdict, held.reasons) == ("ok", ())
    found = held.allocation
    assert found is not None
    assert sum(one.reservation_share for one in found.borne.values()) == pytest.approx(1, rel=1e-12)
    assert sum(one.usage_share for one in found.borne.values()) + found.idle_share == pytest.approx(1, rel=1e-12)
    assert 0 < found.idle_share < 1
    standing = row(held.fleet, "systems", result.timeline.periods)
    spares = 1 if "spares" in change[1] else 0
    assert standing.tolist() == [3 if "count" in change[1] else 1 + spares] * result.timeline.periods
