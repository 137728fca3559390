"""What is stated counts, and counts right: prices in other currencies, contracts, sunk machines, cooling, failures."""

from __future__ import annotations

import numpy as np
import pytest

from tco.result import FleetResult
from tco.session import loads
from tests.cli.conftest import BASE, TRAINING, changed

OWN = "precision: fp8}\n  - {id: cloud"
BUY = "system: hgx-h200-srv"


def fleet(text: str, name: str = "own") -> FleetResult:
    return loads(text).run().by_id[name]


def one(found: FleetResult, line: str) -> float:
    value = found.shown(line)
    assert isinstance(value, float), found.reason(line)
    return value


def own(more: str) -> tuple[str, str]:
    return OWN, OWN.replace("}", f", {more}}}", 1)


def test_a_foreign_price_counts_at_the_rate_of_the_scenario() -> None:
    euros = changed((BUY, f"{BUY}, price: 300000 EUR/system"), ("finance:", "fx: {EUR: 1.1 USD/EUR}\nfinance:"))
    dollars = changed((BUY, f"{BUY}, price: 330000 USD/system"))
    assert one(fleet(euros), "total_cost") == pytest.approx(one(fleet(dollars), "total_cost"), rel=1e-12)
    assert fleet(euros).inputs["eur_rate"].number == 1.1


def test_purchases_and_running_prices_follow_the_rate_path() -> None:
    path = "fx: {EUR: {after: [0 yr, 1 yr], rate: [1.1 USD/EUR, 1.2 USD/EUR]}}\nfinance:"
    euros = fleet(changed(("0.12 USD/kWh", "0.10 EUR/kWh"), ("finance:", path)))
    dollars = fleet(changed(("0.12 USD/kWh", "0.11 USD/kWh")))
    rates, bill, plain = euros.raw("electricity_price"), euros.raw("electricity_cost"), dollars.raw("electricity_cost")
    assert isinstance(rates, np.ndarray)
    assert isinstance(plain, np.ndarray)
    assert rates.tolist() == pytest.approx([0.11] * 4 + [0.12] * 4)
    assert bill == pytest.approx(plain * rates / 0.11)


def test_a_contract_keeps_the_rate_of_its_beginning() -> None:
    path = "fx: {EUR: {after: [0 yr, 1 yr], rate: [1.1 USD/EUR, 1.2 USD/EUR]}}\nfinance:"
    lease = "lease: {system: hgx-h100-srv, rent: 9000 EUR/system/month, term: 2 yr}"
    result = loads(changed((f"buy: {{{BUY}}}", lease), ("finance:", path))).run()
    rent = result.by_id["own"].raw("rent_in_force")
    assert isinstance(rent, np.ndarray)
    assert rent[0] == rent[4] == 9000 * 1.1 * result.by_id["own"].raw("systems")[0]  # type: ignore[index]
    assert "rate-kept" in {alert.code for alert in result.warnings}


def test_a_scenario_in_another_currency_is_the_same_at_its_rate() -> None:
    euros = changed(("currency: USD", "currency: EUR\nfx: {USD: 0.9 EUR/USD}"))
    for name in ("own", "cloud", "api"):
        assert one(fleet(euros, name), "present_cost") == pytest.approx(0.9 * one(fleet(BASE, name), "present_cost"))


def test_a_liquid_machine_in_air_is_no_option_even_when_the_fleet_says_so() -> None:
    for cooling in ("", "cooling: {kind: air, pue: 1.3}", "cooling: {kind: none}"):
        pairs = [(BUY, "system: gb300-nvl72"), *([own(cooling)] if cooling else [])]
        assert fleet(changed(*pairs)).verdict == "limit exceeded"
    for cooling in ("cooling: {kind: liquid, pue: 1.2}", "cooling: {retrofit: 2500 USD/kW}"):
        assert fleet(changed((BUY, "system: gb300-nvl72"), own(cooling))).verdict == "ok"


def test_a_sunk_machine_has_no_share_of_a_price_it_does_not_have() -> None:
    text = changed(
        (BUY, f"{BUY}, sunk: paid"), own("count: 1"), ("finance:", "pricing: {maintenance: 6 %/yr}\nfinance:")
    )
    result = loads(text).run()
    assert one(result.by_id["own"], "total_cost") < one(fleet(BASE), "total_cost") - 300_000
    assert [alert.text for alert in result.warnings if alert.code == "sunk"]


def test_a_pinned_line_needs_no_inputs_of_its_own() -> None:
    text = changed(("electricity: {price: 0.12 USD/kWh}\n", "")) + "pin: {own: {electricity_cost: 1000 USD}}\n"
    found = fleet(text)
    assert found.shown("energy_cost").tolist() == [1000.0] * 8  # type: ignore[union-attr]


def test_no_failures_lose_nothing() -> None:
    rates = "failure_rate: {} 1/gpu/yr, restart_time: 1 h, checkpoint_time: 0.1 h"
    texts = [changed(("goodput: 95 %", rates.format(rate)), text=TRAINING) for rate in ("0", "1e-9")]
    none, few = (one(fleet(text), "present_cost") for text in texts)
    assert none == pytest.approx(few, rel=1e-3)


def test_tax_that_does_not_count_is_told() -> None:
    warnings = loads(changed(("8 %}", "8 %, tax_rate: 25 %}"))).run().warnings
    assert "tax-not-counted" in [alert.code for alert in warnings]


def test_a_machine_that_is_custom_needs_no_catalogue() -> None:
    inputs = (
        "gpus_per_system: 8 gpu/system, gpu_memory: 80 GiB/gpu, gpu_bandwidth: 3 TB/s/gpu, "
        "peak_rate: 1000 TFLOP/s/gpu, gpu_power: 700 W/gpu, gpu_idle_power: 100 W/gpu, "
        "system_power: 8 kW/system, software_supported: 1, "
        "prefill_efficiency: 0.5, decode_bandwidth_efficiency: 0.6, decode_compute_efficiency: 0.4, "
        "layer_overhead: 5 us/layer"
    )
    text = changed((f"{{{BUY}}}", "{price: 100000 USD/system, warranty: 3 yr}"), own(f"inputs: {{{inputs}}}"))
    assert fleet(text).verdict == "ok"
    assert fleet(text.replace("software_supported: 1", "software_supported: 0")).reasons == [
        "not supported: fp8; the scenario says so"
    ]


def test_an_engine_that_a_part_lacks_is_the_reason() -> None:
    reasons = fleet(changed(own("framework: exllama"))).reasons
    assert reasons[0].startswith("not supported: h200-sxm is served by vllm,")
    assert reasons[0].endswith(", not by exllama")


def test_the_engine_decides_how_fast_a_step_is() -> None:
    steps = {name: one(fleet(changed(own(f"framework: {name}"))), "decode_step_time") for name in ("vllm", "llama.cpp")}
    assert one(fleet(BASE), "decode_step_time") == steps["vllm"] < steps["llama.cpp"]


def test_the_usual_engine_is_told_as_a_default() -> None:
    assert fleet(BASE).inputs["one_stream"].status == "default"
    assert fleet(changed(own("framework: vllm"))).inputs["one_stream"].status == "derived"


def test_a_mixture_that_the_scenario_states_has_the_shares_of_one() -> None:
    shapes = ("experts: 1", "experts: 8, active_parameters: 20 Gparameter")
    dense, mixture = (fleet(changed(own(f"inputs: {{{shape}}}"))) for shape in shapes)
    assert "kind-dense" in dense.inputs["prefill_efficiency"].note
    assert "kind-mixture" in mixture.inputs["prefill_efficiency"].note
