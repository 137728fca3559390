"""Keys that say how a model is served: partitions, drafts, percentiles; what they do, what is refused, the way out."""

from __future__ import annotations

import pytest

from tco.errors import ScenarioError
from tco.result import FleetResult
from tco.session import loads

HEAD = """\
format: 1
title: A service
as_of: 2026-11-01
currency: USD
timeline: {{start: 2027-01, horizon: 1 yr, step: year}}
workload:
  {{kind: inference, model: {model}, requests: 4 Mrequest/month, peak_to_mean: 2, input: 800 token/request,
   output: 300 token/request{work}}}
electricity: {{price: 0.12 USD/kWh}}
cooling: {{kind: air, pue: 1.4}}
finance: {{discount_rate: 8 %}}
fleets:
  - id: one
"""
HGX, L40S, CLOUD = "buy: hgx-h200-srv", "buy: srv-8xl40s", "rent: {offer: runpod-h100-sxm-ondemand, gpus: 8}"


def text(fleet: str, work: str = "", model: str = "llama-3.1-8b") -> str:
    return HEAD.format(model=model, work=f", {work}" if work else "") + f"    precision: fp8\n    {fleet}\n"


def ran(fleet: str, work: str = "", model: str = "llama-3.1-8b", hardware: str = HGX) -> FleetResult:
    return loads(text(f"{hardware}\n    {fleet}" if fleet else hardware, work, model)).run().fleets[0]


def one(fleet: FleetResult, name: str) -> float:
    value = fleet.raw(name)
    assert isinstance(value, float), name
    return value


def refused(fleet: str, work: str = "", hardware: str = HGX, model: str = "llama-3.1-8b") -> str:
    with pytest.raises(ScenarioError) as caught:
        loads(text(f"{hardware}\n    {fleet}", work, model)).run()
    return "\n".join(str(problem) for problem in caught.value.problems)


# --- partitions ---


def parted(count: int, more: str = "") -> str:
    return f"deployment: {{partitions: {count}{more}}}"


@pytest.mark.parametrize("hardware", [HGX, CLOUD])
@pytest.mark.parametrize(
    ("count", "memory", "arithmetic"), [(1, 8, 7), (2, 4, 3), (3, 2, 2), (4, 2, 1), (5, 1, 1), (7, 1, 1)]
)
def test_partitions_are_the_profiles_of_the_vendor(hardware: str, count: int, memory: int, arithmetic: int) -> None:
    """3g.71gb twice, 2g.35gb three times, 1g.35gb four times, 1g.18gb seven times (MIG user guide)."""
    found = ran(parted(count), hardware=hardware)
    size, rate = found.inputs["gpu_memory"].number, found.inputs["peak_rate"].number
    assert one(found, "device_memory") == pytest.approx(size * memory / 8)
    assert one(found, "device_bandwidth") == pytest.approx(found.inputs["gpu_bandwidth"].number * memory / 8)
    assert one(found, "device_rate") == pytest.approx(rate * arithmetic / 7)
    if count > 1:
        assert one(found, "replicas_per_system") == 8 * count
        assert found.inputs["gpus_per_replica"].number == 1


def test_a_partitioned_system_costs_and_draws_as_a_whole_one() -> None:
    whole, seven = ran("count: 1\n    utilization: 60 %"), ran(f"count: 1\n    utilization: 60 %\n    {parted(7)}")
    for name in ("systems_power", "capital_cost", "energy_cost"):
        assert seven.raw(name) == pytest.approx(whole.raw(name)), name
    assert one(seven, "replica_output_rate") < one(whole, "replica_output_rate") / 4
    assert one(seven, "system_output_rate") != one(whole, "system_output_rate")


def test_what_does_not_fit_a_partition_is_told_to_take_the_gpu_whole() -> None:
    found = ran(parted(7), model="qwen2.5-32b")
    assert found.verdict == "does not fit"
    assert "GiB are needed on each partition, " in found.reasons[0]
    assert "GPUs that are not partitioned" in found.reasons[0]
    assert "GPUs instead of" not in found.reasons[0]


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (7, "1/7 of a GPU's arithmetic and 1/8 of its memory and bandwidth; 1/8 of the memory lies idle"),
        (3, "1/7 of the arithmetic and 2/8 of the memory lie idle"),
    ],
)
def test_what_no_partition_gets_is_told(count: int, words: str) -> None:
    alerts = loads(text(f"{HGX}\n    {parted(count)}")).run().warnings
    assert [alert.text for alert in alerts if alert.code == "partitioned" and words in alert.text]


@pytest.mark.parametrize(
    ("fleet", "hardware", "words"),
    [
        (parted(2), L40S, "l40s is not known to divide; leave `partitions` out, or state its slices"),
        (parted(8), HGX, "h200-sxm divides into 7 at most; state `partitions` up to 7"),
        (parted(2, ", gpus_per_replica: 2"), HGX, "a replica of 2 GPUs spans partitions"),
        ("deployment: {partitions: 1.5}", HGX, "is not a whole number"),
    ],
)
def test_partitions_that_cannot_be_are_refused(fleet: str, hardware: str, words: str) -> None:
    assert words in refused(fleet, hardware=hardware)


def test_slices_that_are_stated_let_any_part_divide() -> None:
    found = ran(f"{parted(2)}\n    inputs: {{compute_slices: 4, memory_slices: 4}}", hardware=L40S)
    assert one(found, "device_memory") == pytest.approx(found.inputs["gpu_memory"].number / 2)


# --- drafts ---


def drafts(words: str) -> str:
    return f"deployment: {{gpus_per_replica: 1, concurrency: 4, speculation: {{{words}}}}}"


PLAIN = "deployment: {gpus_per_replica: 1, concurrency: 4}"
HEAD_OF_MODEL = "parameters: 1 Gparameter, layers: 1"


def test_without_drafts_no_line_of_them_is_there() -> None:
    lines = ran("").model.lines
    assert not [name for name in lines if "draft" in name or name in ("verified_tokens", "step_output")]


def test_drafts_are_verified_in_one_step_and_only_accepted_ones_are_output() -> None:
    plain, drafted = ran(PLAIN), ran(drafts(f"tokens: 3, accepted: 70 %, {HEAD_OF_MODEL}"))
    assert one(drafted, "step_output") == pytest.approx(1 + 0.7 + 0.49 + 0.343)
    assert one(drafted, "step_tokens") == 4 * one(plain, "step_tokens") == 16
    assert one(drafted, "cache_time") == one(plain, "cache_time")
    assert one(drafted, "matrix_work") == pytest.approx(4 * one(plain, "matrix_work"))
    assert one(drafted, "decode_step_time") > one(plain, "decode_step_time")
    assert one(drafted, "decoding_time") < one(plain, "decoding_time")
    assert one(drafted, "useful_tokens") == pytest.approx(one(plain, "useful_tokens"))


def test_drafts_that_are_never_accepted_only_cost() -> None:
    plain, drafted = ran(PLAIN), ran(drafts(f"tokens: 3, accepted: 0 %, {HEAD_OF_MODEL}"))
    assert one(drafted, "decoding_time") > one(plain, "decoding_time")


def test_chance_and_the_share_of_an_engine_are_two_ways_to_say_one_thing() -> None:
    """0.7 + 0.49 + 0.343 of three drafted tokens are accepted on average."""
    chance = ran(drafts(f"tokens: 3, accepted: 70 %, {HEAD_OF_MODEL}"))
    share = ran(drafts(f"tokens: 3, accepted_of_drafted: {1.533 / 3}, {HEAD_OF_MODEL}"))
    assert one(share, "decoding_time") == pytest.approx(one(chance, "decoding_time"))


def test_a_draft_takes_memory_beside_the_model() -> None:
    plain, drafted = ran(PLAIN), ran(drafts("tokens: 3, accepted: 70 %, draft: llama-3.2-1b"))
    weights = one(drafted, "weights_memory") - one(plain, "weights_memory")
    assert weights == pytest.approx(drafted.inputs["draft_parameters"].number * 1e9 / 2**30)
    assert one(drafted, "kv_cache_memory") > one(plain, "kv_cache_memory")
    assert one(drafted, "max_concurrency") < one(plain, "max_concurrency")


def test_heads_keep_the_cache_of_their_layers() -> None:
    drafted = ran(drafts(f"tokens: 1, accepted: 80 %, {HEAD_OF_MODEL}"))
    assert one(drafted, "draft_cache_memory") == pytest.approx(one(drafted, "model_cache_memory") / 32)


def test_the_workload_may_say_how_many_drafts_are_accepted() -> None:
    drafted = ran(drafts(f"tokens: 3, {HEAD_OF_MODEL}"), "accepted_drafts: 60 %")
    assert one(drafted, "step_output") == pytest.approx(1 + 0.6 + 0.36 + 0.216)
    own = ran(drafts(f"tokens: 3, accepted: 50 %, {HEAD_OF_MODEL}"), "accepted_drafts: 60 %")
    assert one(own, "step_output") == pytest.approx(1.875)


@pytest.mark.parametrize(
    ("fleet", "work", "words"),
    [
        (drafts(f"tokens: 3, {HEAD_OF_MODEL}"), "", "how many drafts are accepted is not known"),
        (drafts("tokens: 3, accepted: 70 %"), "", "what drafts is not known; state `draft`"),
        (drafts("tokens: 3, accepted: 70 %, parameters: 1 Gparameter"), "", "what drafts is not known"),
        (drafts("tokens: 3, accepted: 70 %, draft: llama-3.2-1b, layers: 4"), "", "`draft` and `layers` say the same"),
        (drafts("tokens: 3, accepted: 70 %, draft: qwen3-0.6b"), "", "name a draft of the model's own family"),
        (drafts("tokens: 3, accepted: 70 %, draft: llama-3.1-70b"), "", "`llama-3.1-70b` is no smaller than"),
        (drafts("tokens: 3, accepted: 70 %, draft: llama-3.2-2b"), "", "did you mean `llama-3.2-"),
        (drafts(f"tokens: 3, accepted: 70 %, accepted_of_drafted: 50 %, {HEAD_OF_MODEL}"), "", "keep one"),
        (drafts(f"accepted: 70 %, {HEAD_OF_MODEL}"), "", "speculation.tokens: is missing"),
        (drafts(f"tokens: 3, accepted: 100 %, {HEAD_OF_MODEL}"), "", "is above 99 %"),
        ("inputs: {drafted_tokens: 3}", "", "state `deployment.speculation` instead"),
        (PLAIN, "accepted_drafts: 70 %", "cannot count: no fleet drafts"),
    ],
)
def test_drafts_that_cannot_count_are_refused(fleet: str, work: str, words: str) -> None:
    assert words in refused(fleet, work)


def test_training_has_no_drafts_and_no_partitions() -> None:
    training = """\
format: 1
title: A job
as_of: 2026-11-01
currency: USD
timeline: {start: 2027-01, horizon: 1 yr, step: year}
workload:
  {kind: training, model: llama-3.1-8b, batch: 1 Mtoken/step, tokens: 1 Gtoken, sequence: 8192 token, runs: 1 run/yr,
   target: {percentile: 99}}
finance: {discount_rate: 8 %}
fleets:
  - {id: one, buy: hgx-h200-srv, precision: bf16,
     deployment: {partitions: 7, speculation: {tokens: 3, accepted: 70 %, parameters: 1 Gparameter, layers: 1}}}
"""
    with pytest.raises(ScenarioError) as caught:
        loads(training).run()
    assert "a target belongs to inference" in str(caught.value.problems[0])
    with pytest.raises(ScenarioError) as caught:
        loads(training.replace(",\n   target: {percentile: 99}", "")).run()
    told = "\n".join(map(str, caught.value.problems))
    assert "`partitions` has no meaning" in told
    assert "`tokens` has no meaning" in told


# --- percentiles ---

TARGET = "target: {{first_token: 2 s, per_token: {} ms/token{}}}"


def test_a_target_is_for_the_mean_unless_it_says_otherwise() -> None:
    found = ran(PLAIN, TARGET.format(30, ""))
    assert found.inputs["target_share"].status == "default"
    assert one(found, "per_token_limit") == 30


def test_under_a_99th_percentile_means_stay_below_and_output_is_less() -> None:
    mean, slowest = ran(PLAIN, TARGET.format(30, "")), ran(PLAIN, TARGET.format(30, ", percentile: 99"))
    share, output = (slowest.inputs[name].number for name in ("target_share", "target_output_share"))
    assert share < 1
    assert one(slowest, "per_token_limit") == pytest.approx(30 * share)
    assert one(slowest, "first_token_limit") == pytest.approx(2 * share)
    assert one(slowest, "system_output_rate") == pytest.approx(output * one(mean, "system_output_rate"))


def test_the_search_chooses_smaller_batches_under_a_99th_percentile() -> None:
    mean, slowest = ran("", TARGET.format(12, "")), ran("", TARGET.format(12, ", percentile: 99"))
    assert mean.verdict == slowest.verdict == "ok"
    assert slowest.inputs["concurrency"].number < mean.inputs["concurrency"].number


def test_a_mean_between_share_and_target_is_too_slow_and_the_reason_says_both() -> None:
    time = one(ran(PLAIN), "per_token_time")
    assert ran(PLAIN, TARGET.format(time * 1.1, "")).verdict == "ok"
    found = ran(PLAIN, TARGET.format(time * 1.1, ", percentile: 99"))
    assert found.verdict == "too slow"
    assert ", for the mean " in found.reasons[0]


@pytest.mark.parametrize(
    ("work", "words"),
    [
        (TARGET.format(30, ", percentile: 95"), "read 95; the calibration knows means and the 99th percentile only"),
        ("target: {percentile: 99}", "state one of them"),
    ],
)
def test_other_percentiles_are_refused(work: str, words: str) -> None:
    assert words in refused(PLAIN, work)


BESIDE = """\
format: 1
title: A use that is given beside the work
as_of: 2026-11-01
currency: USD
timeline: {start: 2027-01, horizon: 3 yr, step: quarter}
workload: {kind: inference, model: llama-3.1-8b, requests: 400000 request/month, peak_to_mean: 3,
           input: 900 token/request, output: 260 token/request}
electricity: {price: 0.12 USD/kWh}
cooling: {kind: air, pue: 1.4}
finance: {discount_rate: 8 %}
fleets:
  - {id: busy, buy: {system: ws-1x5090, price: 5500 USD/system}, precision: fp8, utilization: 90 %, count: 1}
  - {id: whole, buy: {system: ws-1x5090, price: 5500 USD/system}, precision: fp8}
"""


def test_a_fleet_whose_use_is_given_is_not_recommended_before_one_that_does_the_work() -> None:
    result = loads(BESIDE).run()
    assert result.ranking == ["busy", "whole"]
    assert result.recommended == "whole"
    alone = loads("".join(line for line in BESIDE.splitlines(keepends=True) if "id: whole" not in line)).run()
    assert alone.recommended == "busy"
