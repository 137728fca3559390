"""Why the number moved: effects that tie, one step for what belongs together, the search's own bar."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tco.diff import bridge as bridging
from tco.diff.bridge import SEARCHED
from tco.diff.states import States
from tco.diff.words import text_of
from tco.session import loads
from tests.cli.conftest import BASE, TRAINING, changed
from tests.diff.conftest import compared, effects, ties

OWN = "precision: fp8}\n  - {id: cloud"
FIXED = changed((OWN, f"deployment: {{gpus_per_replica: 4, concurrency: 16}}, count: 1, {OWN}"))
"""The search has no say: what moves is what was changed."""


def total(text: str, fleet: str = "own") -> float:
    result = loads(text).run()
    value = result.by_id[fleet].shown(result.headline or "")
    assert isinstance(value, float)
    return value


def test_two_changes_by_hand() -> None:
    """Each effect is the mean of coming first and coming last, from four runs of the engine."""
    price, pue = ("0.12 USD/kWh", "0.30 USD/kWh"), ("pue: 1.4", "pue: 1.1")
    none, one, other, both = (total(changed(*pairs, text=FIXED)) for pairs in ((), (price,), (pue,), (price, pue)))
    found = effects(compared(FIXED, changed(price, pue, text=FIXED)), "own")
    assert found == pytest.approx(
        {
            "electricity.price": ((one - none) + (both - other)) / 2,
            "cooling.pue": ((other - none) + (both - one)) / 2,
        },
        rel=1e-9,
    )


def test_the_order_in_the_file_is_no_matter() -> None:
    one = changed(("0.12 USD", "0.2 USD"), ("8 %", "5 %"), ("350 token", "400 token"))
    sections = {line.split(":")[0]: line for line in one.splitlines() if line.startswith(("electricity", "finance"))}
    other = one.replace(sections["electricity"], "E").replace(sections["finance"], sections["electricity"])
    other = other.replace("E", sections["finance"], 1)
    assert loads(other).content == loads(one).content
    assert effects(compared(BASE, one), "own") == effects(compared(BASE, other), "own")


CHANGES = {
    "price": ("0.12 USD/kWh", "0.3 USD/kWh"),
    "pue": ("pue: 1.4", "pue: 1.15"),
    "rate": ("discount_rate: 8 %", "discount_rate: 12 %"),
    "output": ("output: 350", "output: 500"),
    "input": ("input: 1500", "input: 800"),
    "peak": ("peak_to_mean: 4", "peak_to_mean: 2"),
    "demand": ("100000 request", "2000000 request"),
    "horizon": ("horizon: 2 yr, step: quarter", "horizon: 3 yr, step: year"),
    "system": ("system: hgx-h200-srv", "system: hgx-b200-srv"),
    "precision": ("precision: fp8}\n  - {id: cloud", "precision: bf16}\n  - {id: cloud"),
    "gpus": ("gpus: 8", "gpus: 2"),
    "currency": ("price: 0.12 USD/kWh}", "price: 0.1 EUR/kWh}\nfx: {EUR: 1.1 USD/EUR}"),
    "staff": (
        "finance:",
        "pricing: {staff: {cost: 100000 USD/person/yr, systems_per_person: 20 system/person}}\nfinance:",
    ),
    "start": ("start: 2027-01", "start: 2027-04"),
}


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sets(st.sampled_from(sorted(CHANGES)), min_size=1, max_size=5), st.booleans())
def test_effects_add_up_whatever_is_changed(names: set[str], back: bool) -> None:
    kept = sorted(names - ({"price"} if "currency" in names else set()))
    pair = (BASE, changed(*(CHANGES[name] for name in kept)))
    found = compared(*(pair[::-1] if back else pair))
    assert len(found.bridges) == 3
    for bridge in found.bridges:
        assert bridging.REST not in [step.label for step in bridge.steps]
        if not bridge.reason:
            ties(bridge)
            known = {change.path for step in bridge.steps for change in step.changes} | {
                change.path for change in bridge.idle
            }
            assert {one.change.path for one in found.found if one.fleet in ("", bridge.fleet)} <= known


def test_another_system_is_one_step_with_all_its_figures() -> None:
    found = compared(FIXED, changed(("hgx-h200-srv", "hgx-b200-srv"), ("0.12 USD", "0.2 USD"), text=FIXED))
    assert set(effects(found, "own")) == {"buy.system", "electricity.price"}
    assert set(effects(found, "cloud")) == set()


def test_another_way_to_pay_is_one_step() -> None:
    new = changed(("buy: {system: hgx-h200-srv}", "rent: {offer: aws-p5en-1yr}"), ("350 token", "400 token"))
    found = effects(compared(BASE, new), "own")
    assert {"payment: buy -> rent", "workload.output"} <= set(found)


def test_another_horizon_is_one_step() -> None:
    new = changed(("horizon: 2 yr, step: quarter", "horizon: 3 yr, step: year"), ("0.12 USD", "0.2 USD"), text=FIXED)
    found = compared(FIXED, new)
    assert set(effects(found, "own")) == {"timeline", "electricity.price"}
    assert "horizon" in text_of(found)


def test_a_series_that_needs_its_horizon_is_moved_with_it_or_after_it() -> None:
    """Twelve quarters of prices fit no horizon of two years: the price waits for the timeline."""
    series = f"[{', '.join(['0.2 USD/kWh'] * 12)}]"
    new = changed(("horizon: 2 yr", "horizon: 3 yr"), ("0.12 USD/kWh", series), text=FIXED)
    bridge = compared(FIXED, new).bridges[0]
    ties(bridge)
    assert {step.label for step in bridge.steps} == {"timeline", "electricity.price"}
    assert "1 of 2 orders" in bridge.method


def test_what_runs_only_together_is_one_bar() -> None:
    """From two years by the quarter to three by the quarter, prices of each period on both sides."""
    old, new = (f"[{', '.join([price] * count)}]" for price, count in (("0.12 USD/kWh", 8), ("0.2 USD/kWh", 12)))
    first = changed(("0.12 USD/kWh", old), text=FIXED)
    second = changed(("horizon: 2 yr", "horizon: 3 yr"), ("0.12 USD/kWh", new), ("pue: 1.4", "pue: 1.2"), text=FIXED)
    bridge = compared(first, second).bridges[0]
    ties(bridge)
    assert {step.label for step in bridge.steps} == {"timeline with electricity.price", "cooling.pue"}
    assert "one bar" in bridge.method


def test_orders_in_which_the_fleet_cannot_run_do_not_count() -> None:
    """Two cards hold the model at int4, not at fp8; four do. The fleet moves to four before it moves to fp8."""
    old = changed(("buy: {system: hgx-h200-srv}, precision: fp8", "buy: {system: ws-2x5090}, precision: int4"))
    new = changed(("buy: {system: hgx-h200-srv}, precision: fp8", "buy: {system: hgx-h200-srv}, precision: fp8"))
    assert loads(old.replace("int4", "fp8")).run().by_id["own"].verdict == "does not fit"
    bridge = compared(old, new).bridges[0]
    ties(bridge)
    assert {step.label for step in bridge.steps if step.label != SEARCHED} == {"buy.system", "precision"}
    assert "in which the fleet can run" in bridge.method or "one bar" in bridge.method


def test_a_fleet_that_cannot_run_at_an_end_says_so() -> None:
    old = changed(("buy: {system: hgx-h200-srv}, precision: fp8", "buy: {system: ws-1x5090}, precision: fp8"))
    bridge = compared(old, BASE).bridges[0]
    assert bridge.reason.startswith("before: does not fit")
    assert not bridge.steps
    text = text_of(compared(old, BASE))
    assert "own: no bridge; before: does not fit" in text
    assert "note: own: does not fit before, ok after" in text
    assert (
        compared(old, old.replace("0.12 USD", "0.2 USD")).bridges[0].reason.startswith("before and after: does not fit")
    )


def test_what_the_search_does_is_a_bar_of_its_own() -> None:
    """The sum without that bar is the new scenario run with the old choices."""
    new = changed(("100000 request", "3000000 request"), ("350 token", "400 token"))
    first = loads(BASE).run()
    kept = {fleet.id: {**fleet.choices.get("values", {}), "precision": fleet.precision} for fleet in first.fleets}
    frozen = loads(new).run(kept).by_id["cloud"].shown(first.headline or "")
    found = compared(BASE, new)
    told = effects(found, "cloud")
    assert set(told) == {"workload.requests", "workload.output", SEARCHED}
    old = total(BASE, "cloud")
    assert sum(value for label, value in told.items() if label != SEARCHED) == pytest.approx(frozen - old, rel=1e-9)  # type: ignore[operator]
    assert "comes last" in found.bridges[1].method
    assert "concurrency 1 -> " in next(step.note for step in found.bridges[1].steps if step.label == SEARCHED)


def test_old_choices_that_cannot_run_after_the_changes_move_with_them() -> None:
    found = compared(BASE, changed(("350 token", "1200 token"), ("100000 request", "3000000 request")))
    assert {"workload.requests", "workload.output", SEARCHED} == set(effects(found, "own"))
    assert "the search's are one of the changes" in found.bridges[0].method


def test_another_currency_at_a_stated_rate() -> None:
    new = changed(("currency: USD", "currency: EUR\nfx: {USD: 0.9 EUR/USD}"), ("0.12 USD/kWh", "0.2 EUR/kWh"))
    found = compared(BASE, new)
    bridge = found.bridges[0]
    assert bridge.unit == "EUR/Mtoken"
    assert bridge.old == pytest.approx(0.9 * total(BASE))
    assert set(effects(found, "own")) == {"electricity.price"}
    assert any("0.9 EUR/USD" in note for note in found.notes)


def test_another_currency_without_a_rate_has_no_bridge() -> None:
    text = changed(
        ("currency: USD", "currency: EUR"),
        ("0.12 USD", "0.12 EUR"),
        ("id: own, buy: {", "id: own, buy: {price: 1 EUR/system, "),
    )
    api = "\n".join(line for line in text.splitlines() if "id: cloud" not in line and "id: api" not in line)
    bridge = compared(BASE, api).bridges[0]
    assert "two currencies" in bridge.reason


def test_another_kind_of_work_has_no_bridge() -> None:
    bridge = compared(BASE, TRAINING).bridges[0]
    assert "inference before, training after" in bridge.reason


def test_training_has_bridges_too() -> None:
    found = compared(TRAINING, changed(("0.12 USD", "0.3 USD"), ("20 Gtoken", "30 Gtoken"), text=TRAINING))
    assert {"electricity.price", "workload.tokens"} <= set(effects(found, "own"))


def test_any_line_has_a_bridge() -> None:
    new = changed(("0.12 USD", "0.24 USD"), text=FIXED)
    found = compared(FIXED, new, "energy_cost")
    bridge = found.bridges[0]
    assert bridge.measure == "over the horizon"
    assert bridge.new == pytest.approx(2 * bridge.old)  # type: ignore[operator]
    assert set(effects(found, "own")) == {"electricity.price"}
    assert compared(FIXED, new, "capital_cost").bridges[0].move == 0
    assert compared(FIXED, new, "capital_cost").bridges[2].reason


def test_many_changes_are_sampled_and_still_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridging, "EXACT", 2)
    pairs = [CHANGES[name] for name in ("price", "pue", "rate", "output", "peak", "horizon")]
    found = compared(FIXED, changed(*pairs, text=FIXED))
    told = effects(found, "own")
    assert "mean over 512 of the orders" in found.bridges[0].method
    monkeypatch.undo()
    exact = effects(compared(FIXED, changed(*pairs, text=FIXED)), "own")
    assert {name: told[name] for name in exact} == pytest.approx(exact, rel=0.1, abs=0.01 * abs(sum(exact.values())))


# --- a loan by term or by payment, days, what savings earn ---

SYSTEM = "system: hgx-h200-srv"


def borrowed(*pairs: tuple[str, str], terms: str) -> str:
    return changed((SYSTEM, f"{SYSTEM}, loan: {{share: 80 %, rate: 7 %, {terms}}}"), *pairs, text=FIXED)


def test_a_term_and_an_agreed_payment_are_exchanged_in_one_step() -> None:
    """Neither alone is a loan."""
    one, other = borrowed(terms="term: 2 yr"), borrowed(terms="payment: 20000 USD/month")
    assert list(effects(compared(one, other), "own")) == ["buy.loan"]


def test_another_agreed_payment_is_named_by_its_place() -> None:
    one, other = borrowed(terms="payment: 9000 USD/month"), borrowed(terms="payment: 20000 USD/month")
    assert list(effects(compared(one, other), "own")) == ["buy.loan.payment"]


def test_what_savings_earn_moves_no_cost_beside_the_day_count() -> None:
    """`reinvestment_rate` needs a reference, which a fleet alone has not."""
    asked = ("8 %}", "8 %, reference: cloud, day_count: act365f, reinvestment_rate: 5 %}")
    assert list(effects(compared(FIXED, changed(asked, text=FIXED)), "own")) == ["finance.day_count"]


@pytest.mark.parametrize("many", [False, True])
@pytest.mark.parametrize(("lost", "word"), [(0, "before"), (1, "after")])
def test_an_end_that_cannot_be_computed_alone_is_told(
    monkeypatch: pytest.MonkeyPatch, lost: int, word: str, many: bool
) -> None:
    """Neither a search without end nor a traceback: the numbers stand, and why there is no bridge."""
    if many:
        monkeypatch.setattr(bridging, "EXACT", 0)
    whole = States.values

    def values(self: States, states: Sequence[int], chosen: bool = False) -> list[float]:
        gone = (1 << len(self.steps)) - 1 if lost else 0
        found = whole(self, states, chosen)
        return [math.nan if state == gone else value for state, value in zip(states, found, strict=True)]

    monkeypatch.setattr(States, "values", values)
    found = compared(FIXED, changed(("0.12 USD/kWh", "0.3 USD/kWh"), ("pue: 1.4", "pue: 1.1"), text=FIXED))
    bridge = next(one for one in found.bridges if one.fleet == "own")
    assert bridge.reason == bridging.NO_END.format(word)
    assert bridge.old is not None
    assert bridge.new is not None
    assert bridge.reason in text_of(found)
