"""Keys of workload and deployment that lay a training job out: what they do, what is refused, and the way out."""

from __future__ import annotations

import pytest

from tco.errors import ScenarioError
from tco.result import FleetResult
from tco.session import loads

HEAD = """\
format: 1
title: A job
as_of: 2026-11-01
currency: USD
timeline: {{start: 2027-01, horizon: 1 yr, step: year}}
workload: {{kind: {kind}, model: llama-3.1-8b, batch: 1 Mtoken/step, {work}}}
finance: {{discount_rate: 8 %}}
fleets:
  - id: one
    rent: {{gpu: h100-sxm, gpus: 8, price: 2 USD/gpu/h}}
    precision: bf16
    {fleet}
"""
TRAINING = "sequence: 8192 token, tokens: 1 Gtoken, runs: 1 run/yr"
TUNING = "sequence: 8192 token, dataset: 10 Mtoken, epochs: 2, jobs: 1 job/month"


def fleet(deployment: str = "", *, kind: str = "training", work: str = TRAINING, inputs: str = "") -> FleetResult:
    """The fleet of eight cards, computed."""
    keys = [f"deployment: {{{deployment}}}"] if deployment else []
    keys += [f"inputs: {{{inputs}}}"] if inputs else []
    return loads(HEAD.format(kind=kind, work=work, fleet="\n    ".join(keys))).run().fleets[0]


def number(one: FleetResult, name: str) -> float:
    """A line that is one number, or an input."""
    value = one.raw(name) if name in one.model.lines else one.inputs[name].value
    return float(value)  # type: ignore[arg-type]


def refused(deployment: str = "", **options: str) -> str:
    """What the scenario is refused with."""
    with pytest.raises(ScenarioError) as caught:
        fleet(deployment, **options)
    return str(caught.value)


def test_what_nobody_states_is_listed_as_a_default() -> None:
    found = fleet().inputs
    assert (found["weight_bytes"].value, found["gradient_bytes"].value) == (2, 4)
    for name in (
        "weight_bytes",
        "weights_sharded",
        "logit_bytes",
        "optimizer_offloaded",
        "tensor_parallel",
    ):
        assert found[name].status == "default", name
        assert found[name].source, name


def test_what_is_stated_is_derived_from_its_word() -> None:
    figure = fleet("recompute: none").inputs["kept_hidden"]
    assert (figure.value, figure.status, figure.note) == (4, "derived", "recompute: none")


@pytest.mark.parametrize(
    "more",
    [
        "optimizer: adamw_8bit", "recompute: full", "loss: fused", "tensor_parallel: 2, shard_gpus: 8",
        "context_parallel: 2", "pipeline_parallel: 2, shard_gpus: 8",
    ],
)  # fmt: skip
def test_what_needs_less_memory(more: str) -> None:
    """Against no recomputation on one system."""
    base = "" if more.startswith("recompute") else "recompute: none, "
    assert number(fleet(base + more), "memory_per_gpu") < number(fleet("recompute: none"), "memory_per_gpu")


def test_less_recomputation_keeps_more() -> None:
    kept = [number(fleet(f"recompute: {word}"), "kept_activations") for word in ("full", "operators", "selective")]
    assert kept == sorted(kept)
    standard = "attention: standard, recompute:"
    assert number(fleet(f"{standard} none"), "kept_activations") > kept[2]
    assert number(fleet(f"{standard} selective"), "kept_activations") == kept[2]


def test_each_stage_of_zero_divides_more() -> None:
    states = [
        number(fleet(f"zero: {stage}, shard_gpus: 8, tensor_parallel: 1, pipeline_parallel: 1"), "states_per_gpu")
        for stage in (3, 2, 1, 0)
    ]
    assert states == sorted(states)
    assert len(set(states)) == 4


def test_what_is_offloaded_fills_the_host() -> None:
    """8.03 billion parameters x 16 byte x 1.5, over eight GPUs of one system."""
    found = fleet("offload: optimizer, shard_gpus: 8", inputs="host_memory: 2000 GB/system")
    assert number(found, "host_used") == pytest.approx(8.03 * 16 * 1.5)
    assert number(found, "gradient_part") == number(found, "optimizer_part") == 0
    small = fleet("offload: optimizer, shard_gpus: 8", inputs="host_memory: 100 GB/system")
    assert small.verdict == "does not fit"
    assert "the host lacks 103 GB" in small.reasons[0]


def test_adapters_on_all_matrices_have_more_parameters() -> None:
    """Rank 32 on 8B: 32 x 32 x (2 x 8192 + 2 x 5120) = 27.3 million; with 3 x (4096 + 14,336) more 83.9 million."""
    some, every = (
        fleet(kind="finetune", work=f"{TUNING}, method: lora, rank: 32{more}") for more in ("", ", adapters: all")
    )
    assert number(some, "adapter_parameters") == pytest.approx(0.0272630, rel=1e-5)
    assert number(every, "adapter_parameters") == pytest.approx(0.0838861, rel=0.01)


def test_a_quantised_base_keeps_its_embeddings_in_16_bit() -> None:
    """Two tables of 128,256 x 4096 in 16 bit; the rest at 0.5625 byte."""
    found = fleet(kind="finetune", work=f"{TUNING}, method: qlora, rank: 16")
    tables = 2 * 128256 * 4096 / 1e9
    assert number(found, "frozen_weights") * 2**30 / 1e9 == pytest.approx((8.03 - tables) * 0.5625 + tables * 2)


def test_the_search_takes_whole_copies_of_the_model() -> None:
    assert number(fleet("tensor_parallel: 8, pipeline_parallel: 3"), "shard_gpus") == 24


@pytest.mark.parametrize(
    ("deployment", "told"),
    [
        ("tensor_parallel: 16", "state a divisor of 8"),
        ("tensor_parallel: 8, shard_gpus: 12", "12 is no multiple of the 8 GPUs"),
        ("offload: all", "host_memory: … GB/system"),
        ("zero: 4", "wanted"),
        ("optimizer: lion", "adamw_8bit"),
    ],
)
def test_what_cannot_be_is_refused(deployment: str, told: str) -> None:
    assert told in refused(deployment)


@pytest.mark.parametrize("deployment", ["zero: 3", "recompute: full", "tensor_parallel: 2", "loss: fused"])
def test_words_of_training_are_refused_for_inference(deployment: str) -> None:
    work = "requests: 1 Mrequest/month, input: 1000 token/request, output: 100 token/request"
    assert "has no meaning" in refused(deployment, kind="inference", work=work)


def test_adapters_without_a_method_are_refused() -> None:
    assert "`method: lora`" in refused(kind="finetune", work=f"{TUNING}, adapters: all")


# --- the way out ---


def test_the_gentlest_change_is_named_with_its_amount() -> None:
    """Three sequences hold 35 GiB of logits and 47 GiB of activations: a third of that is little enough."""
    found = fleet("recompute: operators, micro_batch: 3, shard_gpus: 8")
    assert found.verdict == "does not fit"
    assert "it would fit with one sequence at a time (" in found.reasons[0]
    assert "GiB less on each GPU)" in found.reasons[0]
    assert number(fleet("recompute: operators, micro_batch: 1, shard_gpus: 8"), "fits") == 1


def test_more_gpus_are_counted_in_whole_systems() -> None:
    """70.6 billion x 18 byte over 8, 16, 24 cards: 148, 74 and 49 GiB of states each."""
    found = fleet(
        "shard_gpus: 8", inputs="parameters: 70.6 Gparameter, active_parameters: 70.6 Gparameter, layers: 80 layer"
    )
    assert "or 24 GPUs (3 systems) instead of 8" in found.reasons[0]


def test_a_full_fine_tune_is_offered_adapters() -> None:
    big = "parameters: 100 Gparameter, active_parameters: 100 Gparameter, layers: 100 layer"
    found = fleet("shard_gpus: 8", kind="finetune", work=TUNING, inputs=big)
    assert "it would fit with LoRA (" in found.reasons[0]


def test_how_much_of_all_cards_can_hold_states() -> None:
    """Eight cards are not one: each keeps its own working memory."""
    found = fleet("shard_gpus: 8")
    room = number(found, "usable_memory") - number(found, "working_memory")
    assert number(found, "shared_room") == pytest.approx(8 * room)
    assert 0 < number(found, "shared_room_share") < 0.9


def test_a_stated_feed_forward_width_counts() -> None:
    """Llama 3.1 8B: 14,336; from its parameters within 2 %."""
    stated = fleet(inputs="feed_forward_width: 14336 element/token")
    assert number(stated, "feed_forward_size") == 14336
    assert number(fleet(), "feed_forward_size") == pytest.approx(14336, rel=0.02)


def test_active_experts_count_for_activations_and_all_for_states() -> None:
    """Mixtral 8x7B: two experts of eight, each 14,336 wide; its states are those of 46.7 billion parameters."""
    text = HEAD.replace("llama-3.1-8b", "mixtral-8x7b").format(kind="training", work=TRAINING, fleet="count: 8")
    found = loads(text).run().fleets[0]
    assert number(found, "feed_forward_size") == pytest.approx(2 * 14336, rel=0.02)
    assert number(found, "state_memory") * 2**30 / 1e9 == pytest.approx(46.7 * 18, rel=0.01)
