"""`serves:`: a fleet that takes a share of the requests, class by class."""

from __future__ import annotations

import pytest

from tco.errors import ScenarioError
from tco.result import FleetResult
from tco.session import loads
from tests.cli.conftest import BASE, TRAINING

LENGTHS = "  input: 1500 token/request\n  output: 350 token/request\n"
CLASSES = """  classes:
    - {id: chat, share: 75 %, input: 1000 token/request, output: 200 token/request}
    - {id: code, share: 25 %, input: 5000 token/request, output: 800 token/request}
"""
RATES = "measured: {classes: {chat: 4 request/s/system, code: 1 request/s/system}, precision: fp8, source: test}"


def with_fleets(*fleets: str, classes: str = CLASSES) -> str:
    head = BASE.split("fleets:\n")[0].replace(LENGTHS, classes or LENGTHS)
    return head + "fleets:\n" + "".join(f"  - {{{fleet}}}\n" for fleet in fleets)


def fleet(text: str, name: str = "own") -> FleetResult:
    return loads(text).run().by_id[name]


def series(found: FleetResult, name: str) -> list[float]:
    return [float(number) for number in found.raw(name)]  # type: ignore[union-attr]


def test_the_whole_in_a_fixed_deployment_is_the_fleet_itself() -> None:
    laid = "deployment: {gpus_per_replica: 4, concurrency: 64}"
    own = f"id: own, buy: {{system: hgx-h200-srv}}, precision: fp8, {laid}"
    text = with_fleets(own, f"{own.replace('own', 'same')}, serves: {{requests: 100 %}}", classes="")
    result = loads(text).run()
    for line in ("present_cost", "useful_tokens", "energy", "systems", "cost_per_million_useful_tokens"):
        assert result.by_id["same"].raw(line) == pytest.approx(result.by_id["own"].raw(line), rel=1e-12)
    assert not [alert for alert in result.warnings if alert.code == "serves-share"]


def test_shares_of_an_api_add_up_to_the_bill() -> None:
    api = "api: {offer: together-llama-3.3-70b}"
    text = with_fleets(
        f"id: whole, {api}", f"id: some, {api}, serves: {{chat: 30 %, code: 100 %}}",
        f"id: rest, {api}, serves: {{chat: 70 %}}",
    )  # fmt: skip
    found = loads(text).run().by_id
    cost = {name: float(one.raw("present_cost")) for name, one in found.items()}  # type: ignore[arg-type]
    assert cost["some"] + cost["rest"] == pytest.approx(cost["whole"], rel=1e-12)
    tokens = {name: float(one.raw("useful_tokens")) for name, one in found.items()}  # type: ignore[arg-type]
    assert tokens["some"] + tokens["rest"] == pytest.approx(tokens["whole"], rel=1e-12)


def test_the_time_of_a_system_is_shared_by_what_it_serves() -> None:
    rented = "rent: {offer: runpod-h100-sxm-ondemand, gpus: 8}, precision: fp8"
    shares = "serves: {chat: 60 %, code: [20 %, 100 %]}, count: 3"
    found = fleet(with_fleets(f"id: own, {rented}, {RATES}, {shares}"))
    load = series(found, "mean_load")
    arriving = 100_000 * 12 / (8760 * 3600)
    assert load[0] == pytest.approx(arriving * (0.75 * 0.6 + 0.25 * 0.2))
    busy = [arriving * (0.75 * 0.6 / 4 + 0.25 * share / 1) / 3 for share in (0.2, 1.0)]
    assert series(found, "utilization") == pytest.approx([busy[0]] * 4 + [busy[1]] * 4)
    output = (0.45 * 200 + 0.25 * 800) / 0.7
    assert series(found, "period_useful_tokens")[-1] == pytest.approx(0.1 * 3 * 0.7 * output)  # Mrequest x tokens
    assert found.unit_cost_only
    assert found.verdict == "ok"


def test_more_than_its_systems_answer_is_too_small() -> None:
    rented = "rent: {offer: runpod-h100-sxm-ondemand, gpus: 8}, precision: fp8"
    slow = RATES.replace("4 request", "0.01 request")
    found = fleet(with_fleets(f"id: own, {rented}, {slow}, serves: {{chat: 60 %}}, count: 3"))
    assert found.verdict == "too small"
    free = fleet(with_fleets(f"id: own, {rented}, {slow}, serves: {{chat: 60 %}}"))
    peak = 100_000 * 12 / (8760 * 3600) * 4 * 0.75 * 0.6
    assert series(free, "systems") == [float(-(-peak // (0.01 * 0.9)))] * 8


def test_measured_classes_alone_serve_everything() -> None:
    rented = "rent: {offer: runpod-h100-sxm-ondemand, gpus: 8}, precision: fp8"
    found = fleet(with_fleets(f"id: own, {rented}, {RATES}"))
    assert not found.unit_cost_only
    assert series(found, "demand_share" if "demand_share" in found.model.lines else "systems") == [1.0] * 8


def test_a_class_that_cannot_run_refuses_the_fleet() -> None:
    long = CLASSES.replace("input: 5000", "input: 200000")
    found = fleet(with_fleets("id: own, buy: hgx-h200-srv, precision: fp8, serves: {code: 10 %}", classes=long))
    assert found.verdict == "not supported"
    assert found.shown("present_cost") is None
    assert found.reasons[0].startswith("code: not supported: requests of 200,800 tokens")
    kept = fleet(with_fleets("id: own, buy: hgx-h200-srv, precision: fp8, serves: {chat: 10 %}", classes=long))
    assert kept.verdict == "ok"


def test_long_requests_pay_their_price_where_they_are_served() -> None:
    api = "input: 1 USD/Mtoken, output: 2 USD/Mtoken, long_context: 4000 token, long_input: 3 USD/Mtoken"
    offer = f"api: {{{api}, long_output: 4 USD/Mtoken}}"
    text = with_fleets(f"id: chat, {offer}, serves: {{chat: 100 %}}", f"id: code, {offer}, serves: {{code: 100 %}}")
    found = loads(text.replace("finance: {discount_rate: 8 %}", "finance: {discount_rate: 0 %}")).run().by_id
    assert found["chat"].raw("present_cost") == pytest.approx(2.4 * 0.75 * (1000 * 1 + 200 * 2))
    assert found["code"].raw("present_cost") == pytest.approx(2.4 * 0.25 * (5000 * 3 + 800 * 4))


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ("serves: {chta: 10 %}", r":\d+:\d+: fleets.own.serves.chta: `chta` is no class of requests; did you"),
        ("serves: {chat: [10 %, 20 %, 30 %]}", "3 values for 8 periods; state one for each, or for each year"),
        ("serves: {chat: 120 %}", "120"),
        ("serves: {chat: 10 %}, utilization: 50 %", "contradict each other; leave one out"),
    ],
)  # fmt: skip
def test_what_cannot_be_served_is_refused(wrong: str, sentence: str) -> None:
    with pytest.raises(ScenarioError, match=sentence):
        loads(with_fleets(f"id: own, buy: hgx-h200-srv, precision: fp8, {wrong}")).run()


def test_the_cheapest_of_the_allowed_precisions_serves() -> None:
    found = fleet(with_fleets("id: own, buy: hgx-h200-srv, precision: [bf16, fp8], serves: {chat: 10 %}"))
    assert found.precision == "fp8"
    assert found.verdict == "ok"


def test_training_has_no_requests_to_share() -> None:
    text = TRAINING.replace("precision: bf16", "precision: bf16, serves: {requests: 10 %}")
    with pytest.raises(ScenarioError, match="is for requests, and this workload has none"):
        loads(text).run()
