"""Speed of training by the size of the run: closed form, fixed fleets, pipelines, offload, and what cannot run."""

from __future__ import annotations

import pytest

from tco.catalogue import catalogue
from tco.result import FleetResult
from tco.session import loads
from tests.work.training_runs import Run, number

HEAD = """\
format: 1
title: A run
as_of: 2026-11-01
currency: USD
timeline: {{start: 2027-01, horizon: 1 yr, step: year}}
workload: {{kind: training, model: llama-3.1-8b, sequence: 8192 token, batch: {batch!r} token/step,
           tokens: {tokens!r} Gtoken, runs: {runs} run/yr{deadline}}}
reliability: {{failure_rate: 0.06 1/gpu/yr, restart_time: 0.5 h, checkpoint_time: 0.02 h, repair_time: 24 h}}
finance: {{discount_rate: 8 %}}
fleets:
  - id: run
    rent: {{gpu: h100-sxm, gpus: 8, price: 2 USD/gpu/h}}
    precision: bf16
    {more}
"""


def sized(
    tokens: float, *, batch: float = 4e6, runs: int = 1, deadline: str = "", framework: str = "", more: str = ""
) -> FleetResult:
    """A rented fleet as large as its work needs."""
    keys = [f"framework: {framework}"] * bool(framework) + [more] * bool(more)
    until = f", deadline: {deadline}" if deadline else ""
    text = HEAD.format(batch=batch, tokens=tokens, runs=runs, deadline=until, more="\n    ".join(keys))
    return loads(text).run().fleets[0]


# --- as many GPUs as needed ---


@pytest.mark.parametrize("framework", ["", "megatron", "torchtitan", "llm-foundry", "maxtext"])
@pytest.mark.parametrize("tokens", [10.0, 500.0, 15_000.0, 300_000.0])
def test_the_run_is_large_enough_at_its_own_speed(tokens: float, framework: str) -> None:
    """The speed is that of as many GPUs as the run is given, and as many do the work at that speed."""
    fleet = sized(tokens, batch=16e6, framework=framework)
    size, needed = number(fleet, "run_size"), number(fleet, "required_gpus")
    assert needed <= size * (1 + 1e-12)
    assert number(fleet, "systems_for_training") * 8 <= size
    assert fleet.verdict in ("ok", "does not fit")


@pytest.mark.parametrize("framework", ["", "megatron", "torchtitan"])
def test_the_closed_form_is_exact_but_for_whole_systems(framework: str) -> None:
    """Put back into the formula of the speed, the size before rounding gives itself: N x time(G) = G."""
    fleet = sized(15_000.0, batch=16e6, framework=framework)
    size = number(fleet, "scaled_run_size")
    factor = (size / 8) ** float(fleet.inputs["training_scale_exponent"].number)
    time = number(fleet, "training_work_time") / factor + number(fleet, "step_wait") * 1e6 * size / 16e6
    assert size > 64
    kept = number(fleet, "goodput") * number(fleet, "availability")
    whole = number(fleet, "work_rate") / kept * time / 1e6
    assert whole <= size * (1 + 1e-12)  # the time that stands still is scaled as if it were arithmetic
    assert whole == pytest.approx(size, rel=5e-3)


def test_without_a_fixed_part_of_a_step_it_is_exact() -> None:
    fleet = sized(15_000.0, more="inputs: {training_step_overhead: 0 s/step}")
    size = number(fleet, "scaled_run_size")
    factor = (size / 8) ** float(fleet.inputs["training_scale_exponent"].number)
    kept = number(fleet, "goodput") * number(fleet, "availability")
    assert number(fleet, "work_rate") / kept * number(fleet, "training_work_time") / 1e6 / factor == pytest.approx(size)


def test_twice_the_work_takes_more_than_twice_the_gpus() -> None:
    one, two = (number(sized(tokens), "required_gpus") for tokens in (15_000.0, 30_000.0))
    assert 2 * one < two < 2.2 * one


def test_a_deadline_that_steps_alone_exceed_cannot_be_met() -> None:
    """200 Gtoken in batches of 8,192 are 24.4 million steps of 55 ms and more: two weeks at least."""
    fleet = sized(200.0, batch=8192.0, deadline="10 day")
    assert number(fleet, "stop_share") > 1
    assert fleet.verdict == "too small"
    assert sized(200.0, batch=4e6, deadline="10 day").verdict == "ok"


def test_without_a_deadline_runs_are_side_by_side() -> None:
    """A hundred such runs a year do not fit one after another; each then waits for half of its time."""
    fleet = sized(20.0, batch=8192.0, runs=800)
    assert number(fleet, "stop_share") > 1
    assert number(fleet, "required_gpus") > number(fleet, "scaled_run_size")
    assert fleet.verdict == "ok"


def test_a_stated_share_or_a_measurement_knows_no_size() -> None:
    """They are what was reached, on whatever it was reached."""
    rates = [
        number(sized(tokens, more=more), "gpu_token_rate")
        for tokens in (10.0, 15_000.0)
        for more in (
            "inputs: {training_efficiency: 40 %}",
            "measured: {tokens: 9000 token/s/gpu, precision: bf16, source: ours}",
        )
    ]
    assert rates[0] == rates[2] != rates[1] == rates[3] == 9000


# --- fixed fleets, and what slows them ---

LARGE = {"gpu": "h100-sxm", "precision": "bf16", "sequence": 8192, "batch": 4e6, "model": "llama-3.1-70b"}


def large(gpus: int = 512, **deployment: str) -> Run:
    """A run of 70 billion parameters."""
    return Run(**LARGE, gpus=gpus, deployment=deployment)  # type: ignore[arg-type]


def test_a_fixed_fleet_is_as_slow_as_all_of_it() -> None:
    rates = [large(gpus).rate() for gpus in (8, 64, 1024)]
    assert rates[0] > rates[1] > rates[2] > 0.8 * rates[0]


def test_a_pipeline_is_slower_by_its_bubble() -> None:
    """Four stages; 4e6 tokens on 512 GPUs of 8 x 4 are 30.5 micro-batches a copy: 3 / 30.5 less 1 % that is tuned."""
    plain, piped = large(tensor_parallel="8").fleet(), large(tensor_parallel="8", pipeline_parallel="4").fleet()
    assert number(plain, "bubble_time") == 0
    micro_batches = 4e6 / (8192 * 512 / 32)
    expected = 3 / micro_batches - 0.01
    assert number(piped, "bubble_time") / number(piped, "training_work_time") == pytest.approx(expected)
    assert number(piped, "gpu_token_rate") < number(plain, "gpu_token_rate")


def test_interleaving_fills_the_bubble() -> None:
    plain, cut = (large(tensor_parallel="8", pipeline_parallel="8") for _ in range(2))
    cut.inputs = {"interleave": 4.0}
    assert number(cut.fleet(), "pipeline_bubble") == pytest.approx(number(plain.fleet(), "pipeline_bubble") / 4)
    assert cut.rate() > plain.rate()


@pytest.mark.parametrize("offload", ["optimizer", "parameters", "activations", "all"])
@pytest.mark.parametrize("gpu", ["h100-sxm", "l40s"])
def test_what_rests_in_the_host_costs_time(gpu: str, offload: str) -> None:
    words = {"recompute": "full", "micro_batch": "1"}
    run = Run(gpu, 8, "bf16", 8192, 1e6, model="llama-3.1-8b", inputs={"host_memory": 2000.0}, deployment=words)
    plain = run.rate()
    run.deployment = {**words, "offload": offload}
    assert run.rate() < plain


def test_divided_weights_wait_for_pcie_and_not_for_nvlink() -> None:
    def waits(gpu: str, gpus: int, zero: str) -> float:
        words = {"zero": zero, "shard_gpus": str(gpus)}
        return number(Run(gpu, gpus, "bf16", 4096, 1e6, "llama-3.1-8b", deployment=words).fleet(), "gather_wait")

    assert waits("l40s", 8, "3") > 100
    assert waits("l40s", 8, "1") == waits("l40s", 1, "3") == waits("h100-sxm", 8, "3") == 0


def test_the_band_is_around_the_estimate() -> None:
    fleet = large().fleet()
    low, rate, high = (number(fleet, f"gpu_token_rate{end}") for end in ("_low", "", "_high"))
    band = catalogue().find("efficiency", "band-dense-training").figures
    ends = [band[f"training_rate_error_{end}"].number for end in ("low", "high")]
    assert [low / rate, high / rate] == pytest.approx(ends)
    assert ends[0] < 1 < ends[1]


def test_a_framework_that_needs_pytorch_runs_where_it_runs() -> None:
    run = large()
    run.framework = "megatron"
    assert run.fleet().verdict != "not supported"
    run.framework = "maxtext"
    assert run.fleet().verdict != "not supported"
    run.framework = "vllm-trainer"
    assert run.fleet().verdict == "not supported"
