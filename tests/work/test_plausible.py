"""What users enter by mistake: rates of all GPUs as those of one, totals as active parameters, rates with sparsity."""

from __future__ import annotations

import pytest

from tco.errors import ScenarioError
from tco.session import loads

HEAD = """\
format: 1
title: A job
as_of: 2026-11-01
currency: USD
timeline: {{start: 2027-01, horizon: 1 yr, step: year}}
workload: {work}
finance: {{discount_rate: 8 %}}
fleets:
  - id: one
    rent: {{gpu: h100-sxm, gpus: 8, price: 2 USD/gpu/h}}
    precision: bf16
    {fleet}
"""
TRAINING = (
    "{kind: training, model: llama-3.1-70b, batch: 4 Mtoken/step, sequence: 8192 token, tokens: 1 Gtoken, "
    "runs: 1 run/yr}"
)
SERVING = (
    "{kind: inference, model: llama-3.1-70b, requests: 1 Mrequest/month, input: 1000 token/request, "
    "output: 200 token/request, peak_to_mean: 2}"
)
MEASURED = (
    "measured: {output: %s token/s/system, input: 1000 token/request, output_length: 200 token/request, "
    "concurrency: 64 request/system, precision: bf16, source: ours}"
)


def refused(work: str, fleet: str) -> str:
    """What the scenario is refused with."""
    with pytest.raises(ScenarioError) as caught:
        loads(HEAD.format(work=work, fleet=fleet)).run()
    return str(caught.value)


def test_a_training_rate_above_the_peak_is_that_of_all_gpus() -> None:
    """15,000 x 6 x 70.55e9 are 6,350 TFLOP/s, and an H100 has 989."""
    told = refused(TRAINING, "measured: {tokens: 15000 token/s/gpu, precision: bf16, source: ours}")
    assert "15,000 token/s/gpu x 6 FLOP x 70.55 Gparameter are 6,350 TFLOP/s" in told
    assert "the dense bf16 peak of a GPU is 989" in told
    assert "tokens of one GPU" in told


def test_a_training_rate_at_half_the_peak_counts() -> None:
    fleet = loads(
        HEAD.format(work=TRAINING, fleet="measured: {tokens: 1100 token/s/gpu, precision: bf16, source: ours}")
    ).run()
    assert fleet.fleets[0].raw("gpu_token_rate") == 1100


def test_an_output_above_the_peak_of_a_system_is_refused() -> None:
    """2 x 70.55e9 x 60,000 are 8,466 TFLOP/s, and eight H100 have 7,915."""
    assert "are 8,466 TFLOP/s, and the dense bf16 peak of 8 GPUs is 7,912" in refused(SERVING, MEASURED % 60000)
    assert loads(HEAD.format(work=SERVING, fleet=MEASURED % 5000)).run().fleets[0].verdict == "ok"


def test_all_parameters_of_a_mixture_are_not_active() -> None:
    work = TRAINING.replace("model: llama-3.1-70b, ", "")
    shape = "parameters: 236 Gparameter, active_parameters: {} Gparameter, layers: 60 layer, experts: 160"
    shape += ", hidden_size: 5120 element/token, vocabulary: 102400 element/token, scale_out: 1"
    told = refused(work, f"inputs: {{{shape.format(236)}}}")
    assert "a mixture of 160 experts, and a token uses 236 of 236 Gparameter" in told
    assert loads(HEAD.format(work=work, fleet=f"inputs: {{{shape.format(21)}}}")).run().fleets[0].model.lines


@pytest.mark.parametrize(("rate", "flagged"), [(1979, True), (989, False), (900, False)])
@pytest.mark.parametrize("name", ["peak_rate", "rate_16_bit"])
def test_the_rate_with_sparsity_is_flagged(name: str, rate: float, flagged: bool) -> None:
    """Case tp03: 1,979 TFLOP/s on the data sheet of the H100, 989 without sparsity."""
    result = loads(HEAD.format(work=TRAINING, fleet=f"inputs: {{{name}: {rate} TFLOP/s/gpu}}")).run()
    told = [alert.text for alert in result.warnings if alert.code == "sparse-rate"]
    assert bool(told) == flagged
    assert all("twice the dense 989" in text for text in told)
