"""A precision or an engine that a part lacks is a verdict, the rate it really runs at, or a port with its cost."""

from __future__ import annotations

import pytest

from tco.errors import ScenarioError
from tco.result import FleetResult, Result
from tco.session import loads
from tests.cli.conftest import BASE, TRAINING, changed

OWN = "{id: own, buy: {system: hgx-h200-srv}, precision: fp8}"


def run(fleet: str) -> Result:
    return loads(changed((OWN, f"{{id: own, {fleet}}}"))).run()


def own(fleet: str) -> FleetResult:
    return run(fleet).by_id["own"]


def told(result: Result, code: str) -> list[str]:
    return [alert.text for alert in result.warnings if alert.code == code]


@pytest.mark.parametrize(
    ("gpus", "precision"),
    [("a100-sxm-80", "fp8"), ("a100-sxm-80", "fp4"), ("h100-sxm", "fp4"), ("h100-sxm", "int4"), ("mi300x", "int4")],
)
def test_weights_alone_run_at_the_16_bit_rate_and_it_is_told(gpus: str, precision: str) -> None:
    found = run(f"rent: {{gpu: {gpus}, gpus: 8, price: 2 USD/gpu/h}}, precision: {precision}")
    fleet = found.by_id["own"]
    assert fleet.verdict == "ok"
    assert fleet.inputs["peak_rate"].number == fleet.inputs["rate_16_bit"].number
    assert told(found, "weights-only") == [fleet.inputs["peak_rate"].note]
    assert f"{precision} holds the weights only: {gpus} computes them in 16 bit" in told(found, "weights-only")[0]


@pytest.mark.parametrize(("precision", "times"), [("fp8", 2), ("int8", 2), ("bf16", 1)])
def test_what_a_part_computes_in_has_its_own_rate(precision: str, times: float) -> None:
    found = run(f"buy: {{system: hgx-h200-srv}}, precision: {precision}")
    figures = found.by_id["own"].inputs
    assert figures["peak_rate"].number == pytest.approx(times * figures["rate_16_bit"].number, rel=1e-3)
    assert not told(found, "weights-only")


@pytest.mark.parametrize(
    ("fleet", "reason"),
    [
        ("rent: {gpu: a100-sxm-80, gpus: 8, price: 2 USD/gpu/h}, precision: fp8, framework: tensorrt-llm",
         "a100-sxm-80 runs fp32, tf32, bf16, fp16, int8; weights alone may be int4"),
        ("rent: {gpu: rx-7900-xtx, gpus: 8, price: 1 USD/gpu/h}, precision: fp4", "weights alone may be int4"),
        ("rent: {gpu: gaudi3, gpus: 8, price: 2 USD/gpu/h}, precision: int4", "gaudi3 runs fp32, bf16, fp16, fp8"),
    ],
)  # fmt: skip
def test_what_a_part_neither_computes_nor_holds_is_refused(fleet: str, reason: str) -> None:
    found = own(fleet)
    assert found.verdict == "not supported"
    assert reason in found.reasons[0]
    assert found.shown("total_cost") is None


def test_nothing_is_trained_in_weights_alone() -> None:
    text = changed(
        ("buy: {system: hgx-h200-srv}, precision: bf16", "buy: {system: hgx-h200-srv}, precision: fp4"), text=TRAINING
    )
    found = loads(text).run().by_id["own"]
    assert found.verdict == "not supported"
    assert "nothing is trained in a precision that holds weights only" in found.reasons[0]


CHIP = "rent: {gpu: gaudi3, gpus: 8, price: 2 USD/gpu/h}, precision: bf16, framework: sglang"
PORT = "pricing: {porting: {framework: sglang, once: 90000 USD}}"


def test_a_port_that_makes_the_engine_run_counts_and_is_told() -> None:
    assert own(CHIP).verdict == "not supported"
    assert own(f"{CHIP}, pricing: {{porting: {{once: 90000 USD}}}}").verdict == "not supported"
    found = run(f"{CHIP}, {PORT}")
    fleet = found.by_id["own"]
    assert fleet.verdict == "ok"
    assert fleet.raw("porting_cost").sum() == 90000  # type: ignore[union-attr]
    assert told(found, "ported")[0].startswith("sglang does not run on gaudi3 by itself: the port under")


def test_a_port_that_is_not_needed_is_told() -> None:
    found = run(f"buy: {{system: hgx-h200-srv}}, precision: fp8, framework: sglang, {PORT}")
    assert told(found, "ported") == ["sglang runs on h200-sxm without the port whose cost is counted"]


@pytest.mark.parametrize(
    ("fleet", "problem"),
    [
        (f"{CHIP.replace('sglang', 'tgi')}, {PORT}", "the port makes sglang run, the fleet's `framework` is tgi"),
        (f"{CHIP}, pricing: {{porting: {{framework: sglang}}}}", "a port has a price; state `once`, `yearly` or both"),
    ],
)
def test_a_port_that_says_too_little_is_an_error(fleet: str, problem: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        run(fleet)
    assert problem in str(caught.value)


def test_a_port_belongs_to_one_fleet() -> None:
    text = BASE.replace("finance:", "pricing: {porting: {framework: sglang, once: 1 USD}}\nfinance:")
    with pytest.raises(ScenarioError) as caught:
        loads(text).run()
    assert "an engine is ported to one fleet's parts" in str(caught.value)
