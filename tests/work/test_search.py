"""The search for a deployment: against a loop over single runs, what it leaves to the user, and what bounds it."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import numpy as np
import pytest

from tco.analysis import axes, search
from tco.errors import ScenarioError
from tco.explain import overview
from tco.report import render
from tco.result import FleetResult, Result
from tco.session import loads

HEAD = """\
format: 1
title: A service or a job
as_of: 2026-11-01
currency: USD
timeline: {{start: 2027-01, horizon: 1 yr, step: year}}
workload: {{{work}}}
finance: {{discount_rate: 8 %}}
fleets:
  - id: one
    rent: {{gpu: {gpu}, gpus: 4, price: 2 USD/gpu/h}}
    {keys}
"""
SERVING = (
    "kind: inference, model: llama-3.3-70b, requests: 300 Mrequest/month, peak_to_mean: 2, input: 1000 token/request, "
    "output: 200 token/request, target: {first_token: 5 s, per_token: 100 ms/token}"
)
TRAINING = (
    "kind: training, model: llama-3.1-8b, batch: 1 Mtoken/step, sequence: 8192 token, "
    "tokens: 30000 Gtoken, runs: 1 run/yr"
)
COST = "cost_per_million_useful_tokens"


def run(*keys: str, work: str = SERVING, gpu: str = "rtx-5090", precision: str = "int4") -> Result:
    """One fleet of four cards an instance."""
    lines = "\n    ".join([f"precision: {precision}", *keys])
    return loads(HEAD.format(work=work, gpu=gpu, keys=lines)).run()


def fleet(*keys: str, **options: str) -> FleetResult:
    """The only one."""
    return run(*keys, **options).fleets[0]


def refused(*keys: str, **options: str) -> str:
    """What the scenario is refused with."""
    with pytest.raises(ScenarioError) as caught:
        run(*keys, **options)
    return str(caught.value)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few batches, so that a loop over all is short."""
    monkeypatch.setattr(axes, "SIZES", [1, 4, 9, 16, 23, 40])


# --- the choice ---


def test_the_choice_is_that_of_a_loop_over_single_runs(few: None) -> None:
    """Every replica of one, two and four cards in every number of stages, with every batch."""
    costs = dict[tuple[float, float, float], float]()
    for size, stages, batch in product((1, 2, 4), (1, 2, 4), (1, 4, 9, 16, 23, 40)):
        if stages <= size:
            told = f"gpus_per_replica: {size}, pipeline_stages: {stages}, concurrency: {batch}"
            single = fleet(f"deployment: {{{told}}}")
            if single.verdict == "ok":
                costs[float(size), float(stages), float(batch)] = float(single.shown(COST))  # type: ignore[arg-type]
    found = fleet()
    values = found.choices["values"]
    chosen = (values["gpus_per_replica"], values["pipeline_stages"], values["concurrency"])
    assert len(costs) > 6
    assert found.choices["tried"] == 6 * 6
    assert found.shown(COST) == pytest.approx(min(costs.values()), rel=1e-9)
    assert costs[chosen] == pytest.approx(min(costs.values()), rel=1e-9)


def test_stages_pay_where_cards_are_joined_by_pcie() -> None:
    """Without all-reduces a card's link is no longer what a step waits for."""
    found, tensor = fleet(), fleet("deployment: {pipeline_stages: 1}")
    assert found.choices["values"]["pipeline_stages"] > 1
    assert float(found.shown(COST)) < float(tensor.shown(COST))  # type: ignore[arg-type]


def test_what_is_fixed_is_not_searched() -> None:
    found = fleet("deployment: {gpus_per_replica: 4, pipeline_stages: 2}")
    assert set(found.choices["values"]) == {"concurrency"}
    assert (found.inputs["pipeline_stages"].value, found.raw("tensor_gpus")) == (2, 2)
    every = fleet("deployment: {gpus_per_replica: 4, pipeline_stages: 2, concurrency: 8}")
    assert every.choices == {}


def test_fewer_requests_than_stages_leave_stages_idle() -> None:
    """One request in flight reads its cache on one stage of four after the other."""
    one, four = (
        fleet(f"deployment: {{gpus_per_replica: 4, pipeline_stages: 4, concurrency: {count}}}") for count in (1, 4)
    )
    assert (one.raw("busy_stages"), four.raw("busy_stages")) == (1, 4)
    assert one.raw("cache_time") == pytest.approx(four.raw("cache_time"), rel=1e-12)


def test_the_frozen_choice_is_kept_but_for_what_is_fixed_since() -> None:
    kept: dict[str, dict[str, Any]] = {"one": {"gpus_per_replica": 4.0, "pipeline_stages": 4.0, "concurrency": 3.0}}
    text = HEAD.format(work=SERVING, gpu="rtx-5090", keys="precision: int4\n    deployment: {pipeline_stages: 2}")
    found = loads(text).run(kept).fleets[0]
    assert [found.inputs[name].value for name in kept["one"]] == [4, 2, 3]
    assert found.raw("stages") == 2


# --- what bounds it ---


def test_the_batch_is_bounded_by_the_target_that_fails_first() -> None:
    found = fleet()
    batch = found.choices["values"]["concurrency"]
    told = found.choices["bound"]
    assert told.startswith(f"{batch:g} requests in flight: with ")
    assert "each further token would take" in told
    assert "of the 100 ms allowed" in told
    failing = int(told.split("with ")[1].split()[0])
    values = found.choices["values"]
    place = f"gpus_per_replica: {values['gpus_per_replica']:g}, pipeline_stages: {values['pipeline_stages']:g}"
    assert fleet(f"deployment: {{{place}, concurrency: {failing}}}").verdict == "too slow"
    assert fleet(f"deployment: {{{place}, concurrency: {failing - 1}}}").verdict == "ok"


def test_the_batch_is_bounded_by_memory() -> None:
    work = SERVING.replace("first_token: 5 s, per_token: 100 ms/token", "per_token: 100 s/token")
    told = fleet("deployment: {gpus_per_replica: 2}", work=work).choices["bound"]
    assert "GiB of memory would be missing on each GPU" in told


def test_the_batch_is_bounded_by_the_engine() -> None:
    found = fleet("deployment: {batch_limit: 7}")
    assert found.choices["values"]["concurrency"] == 7
    assert "as many as the engine runs at once (`batch_limit`)" in found.choices["bound"]
    assert found.raw("max_concurrency") == 7


def test_nothing_bounds_a_fleet_with_little_to_do() -> None:
    found = fleet(work=SERVING.replace("300 Mrequest", "0.03 Mrequest"))
    assert found.choices["bound"].startswith("no limit: more than ")


def test_a_fleet_that_cannot_run_is_bounded_by_nothing() -> None:
    found = fleet(precision="bf16", work=SERVING)
    assert found.verdict == "does not fit"
    assert "bound" not in found.choices
    assert "front" not in found.choices


# --- the front ---


def test_each_deployment_of_the_front_is_faster_than_all_cheaper_ones() -> None:
    front = fleet().choices["front"]
    costs, times = ([point[name] for point in front] for name in ("cost", "per_token_time"))
    assert len(front) > 2
    assert costs == sorted(costs)
    assert times == sorted(times, reverse=True)
    last = front[-1]["values"]
    told = ", ".join(f"{name}: {value:g}" for name, value in last.items())
    single = fleet(f"deployment: {{{told}}}")
    assert single.shown(COST) == pytest.approx(costs[-1])
    assert single.shown("per_token_time") == pytest.approx(times[-1])


def test_of_many_the_front_keeps_both_ends() -> None:
    cost, pace = np.arange(1.0, 101.0), np.arange(100.0, 0.0, -1.0)
    kept = search.unbeaten(cost, pace)
    assert len(kept) == search.SHOWN
    assert (kept[0], kept[-1]) == (0, 99)
    assert list(search.unbeaten(np.array([3.0, 1.0, 2.0, 1.0]), np.array([1.0, 5.0, 6.0, 4.0]))) == [3, 0]


# --- precisions ---


def test_the_cheapest_of_the_allowed_precisions_is_chosen() -> None:
    found = fleet(precision="[bf16, fp8, int4]")
    alone = {word: fleet(precision=word) for word in ("bf16", "fp8", "int4")}
    able = {word: float(one.shown(COST)) for word, one in alone.items() if one.verdict == "ok"}  # type: ignore[arg-type]
    assert found.precision == min(able, key=lambda word: able[word])
    assert found.shown(COST) == able[found.precision]
    told = found.choices["precisions"]
    assert {word: one["verdict"] for word, one in told.items()} == {word: one.verdict for word, one in alone.items()}
    assert {word: one["cost"] for word, one in told.items() if one["verdict"] == "ok"} == able
    assert {point["precision"] for point in found.choices["front"]} <= set(able)


def test_one_allowed_precision_is_that_precision() -> None:
    assert fleet(precision="[int4]").choices == fleet(precision="int4").choices


def test_the_frozen_precision_is_kept() -> None:
    text = HEAD.format(work=SERVING, gpu="rtx-5090", keys="precision: [fp8, int4]")
    first = loads(text).run().fleets[0]
    other = next(word for word in ("fp8", "int4") if word != first.precision)
    kept = loads(text).run({"one": {**first.choices["values"], "precision": other}}).fleets[0]
    assert kept.precision == other


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        (("deployment: {gpus_per_replica: 4, pipeline_stages: 3}",), "state a divisor of 4"),
        (("deployment: {pipeline_stages: 8}",), "state at most 4"),
        (("deployment: {pipeline_stages: 2}", "framework: llama.cpp"), "leave `pipeline_stages` out"),
        (("deployment: {concurrency: 9999}",), "or a higher `batch_limit`"),
        (("deployment: {concurrency: 64, batch_limit: 32}",), "the engine runs 32 at once; state at most 32"),
    ],
)
def test_a_deployment_that_cannot_be_is_refused(keys: tuple[str, ...], told: str) -> None:
    assert told in refused(*keys)


@pytest.mark.parametrize(("precision", "told"), [("[]", "is empty"), ("[fp8, fp8]", "names one twice")])
def test_precisions_are_named_once(precision: str, told: str) -> None:
    assert f"{told}; wanted the precisions that are allowed" in refused(precision=precision)


# --- training ---


def train(*keys: str, gpu: str = "h100-sxm") -> FleetResult:
    """A run on instances of four cards."""
    return fleet(*keys, work=TRAINING, gpu=gpu, precision="bf16")


def test_a_run_computes_again_only_what_it_must(few: None) -> None:
    """The cheapest of the three words that fits; selective keeps nothing less without scores."""
    costs = dict[str, float]()
    for word in ("none", "operators", "full"):
        for systems in (1, 2, 4, 8):
            fixed = f"deployment: {{recompute: {word}, shard_gpus: {4 * systems}}}"
            single = train(fixed, "inputs: {scale_out: 1}")
            if single.verdict == "ok":
                cost = float(single.shown("cost_per_useful_training_step"))  # type: ignore[arg-type]
                costs[word] = min(cost, costs.get(word, cost))
    found = train("inputs: {scale_out: 1}")
    assert found.choices["words"]["recompute"] == min(costs, key=lambda word: costs[word])
    assert found.shown("cost_per_useful_training_step") == pytest.approx(min(costs.values()), rel=1e-9)
    assert found.inputs["kept_hidden"].origin == "choice"
    assert found.inputs["kept_hidden"].note == f"recompute: {found.choices['words']['recompute']}"
    assert not set(found.choices["values"]) & found.shared


def test_a_stated_recomputation_is_kept() -> None:
    found = train("deployment: {recompute: full}")
    assert "words" not in found.choices
    assert found.raw("recompute_factor") == pytest.approx(1 + found.inputs["recompute_cost"].number / 3)
    by_hand = train("inputs: {recomputed_share: 0.3}")
    assert by_hand.inputs["recomputed_share"].value == 0.3


def test_recomputation_is_not_searched_where_no_line_prices_it() -> None:
    found = train("inputs: {training_efficiency: 40 %}")
    assert "words" not in found.choices
    assert found.inputs["kept_hidden"].note == "recompute: full"


def test_what_bounds_a_run_is_what_would_be_cheaper() -> None:
    """The word that computes least again lacks memory."""
    told = train("inputs: {scale_out: 1}", "deployment: {shard_gpus: 8}").choices["bound"]
    assert re.match(r"recompute: none, \d+ sequences? at a time would cost ", told)
    assert "GiB of memory would be missing on each GPU" in told


def test_layers_are_divided_only_where_nothing_else_fits() -> None:
    """Sequences of 64 K tokens on 80 GB: one GPU does not hold the work of a layer."""
    long = TRAINING.replace("8192", "131072")
    result = run("inputs: {scale_out: 1}", work=long, gpu="h100-sxm", precision="bf16")
    found = result.fleets[0]
    assert found.choices["values"]["tensor_parallel"] > 1
    assert found.verdict == "ok"
    assert [alert.fleet for alert in result.warnings if alert.code == "layers-divided"] == ["one"]
    plain = run(work=TRAINING, gpu="h200-sxm", precision="bf16")
    assert "tensor_parallel" not in plain.fleets[0].choices["values"]
    assert not [alert for alert in plain.warnings if alert.code == "layers-divided"]


# --- what a reader is told ---


def test_report_and_overview_say_what_was_chosen_and_what_bounds_it() -> None:
    result = run(precision="[fp8, int4]")
    found = result.fleets[0]
    bound, other = found.choices["bound"], "fp8" if found.precision == "int4" else "int4"
    page, text = render(result), overview(result, None)
    assert bound in page
    assert f"; {found.precision}, instead of {other} " in page
    assert f"of {found.choices['tried']} that were tried: {bound}" in text
    assert found.inputs["concurrency"].note == bound
    points = found.choices["front"]
    for point in (points[0], points[-1]):
        batch = f"{point['values']['concurrency']:,.0f}"
        assert f"{batch} request{'s' if batch != '1' else ''} in flight<" in page


def test_the_report_names_the_word_that_was_chosen() -> None:
    result = run(work=TRAINING, gpu="h100-sxm", precision="bf16")
    assert f"recompute: {result.fleets[0].choices['words']['recompute']}, 1 sequence at a time, " in render(result)
