"""A measurement near the work is scaled to it by the engine's own estimates; a far one is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tco.errors import ScenarioError
from tco.result import FleetResult, Result
from tco.session import loads
from tests.cli.conftest import BASE, changed

CASES = Path(__file__).parents[1] / "cases" / "scenarios"
OWN = "{id: own, buy: {system: hgx-h200-srv}, precision: fp8}"


def run(at: str, more: str = "", frozen: dict[str, dict[str, float]] | None = None, work: str = "") -> Result:
    measured = f"measured: {{output: 9000 token/s/system, precision: fp8, source: bench, {at}}}"
    fleet = f"{{id: own, buy: {{system: hgx-h200-srv}}, precision: fp8, {measured}{more}}}"
    return loads(changed((OWN, fleet), *([("input: 1500", work)] if work else []))).run(frozen)


def own(at: str, more: str = "") -> FleetResult:
    return run(at, more).by_id["own"]


def output(fleet: FleetResult) -> float:
    value = fleet.raw("system_output_rate")
    assert isinstance(value, float)
    return value


def at(length: int, answer: int = 350, flight: int = 256) -> str:
    return f"input: {length} token/request, output_length: {answer} token/request, concurrency: {flight} request/system"


def test_a_measurement_at_the_work_counts_as_it_is() -> None:
    found = own(at(1450))
    assert output(found) == 9000
    assert "measured_output" not in found.choices["values"]


def test_the_factor_is_that_of_the_estimates() -> None:
    """Recomputed from two fleets without a measurement, at the size of replica that the note tells."""
    found = own(at(2500))
    figure = found.inputs["measured_output"]
    size = int(figure.note.split(" with ")[1].split()[0])
    deployment = f"deployment: {{gpus_per_replica: {size}, concurrency: {256 * size // 8}}}"
    plain = OWN.replace("fp8}", f"fp8, {deployment}}}")
    here = output(loads(changed((OWN, plain))).run().by_id["own"])
    there = output(loads(changed((OWN, plain), ("input: 1500", "input: 2500"))).run().by_id["own"])
    assert output(found) == pytest.approx(9000 * here / there, rel=1e-12)
    assert there < here
    assert (figure.low, figure.high) == (9000, output(found))
    assert figure.source == "scaled from measured: bench"


@pytest.mark.parametrize(("there", "more"), [(at(2500), True), (at(1000), False), (at(1500, 600), False)])
def test_shorter_prompts_and_longer_answers_give_more_output(there: str, more: bool) -> None:
    assert (output(own(there)) > 9000) == more


def test_requests_in_flight_are_scaled_where_they_are_stated() -> None:
    more = ", deployment: {gpus_per_replica: 8, concurrency: 128}"
    found = own(at(1500, flight=200), more)
    assert 4500 < output(found) < 9000
    assert found.inputs["measured_concurrency"].number == 128


def test_it_is_told_and_is_a_choice() -> None:
    result = run(at(2500))
    found = result.by_id["own"]
    assert found.choices["values"]["measured_output"] == output(found)
    assert found.choices["for"]["input_tokens"] == 1500
    [told] = [alert.text for alert in result.warnings if alert.code == "scaled"]
    assert told.startswith(
        "output is scaled from a measurement at 2500 tokens in, 350 tokens out, 256 requests in flight"
    )
    assert "9,000 x" in told


def test_a_frozen_run_keeps_the_scaled_output() -> None:
    first = run(at(2500)).by_id["own"]
    frozen = {fleet.id: dict(fleet.choices.get("values", {})) for fleet in run(at(2500)).fleets}
    again = run(at(2500), frozen=frozen, work="input: 1700").by_id["own"]
    assert output(again) == output(first)
    assert output(run(at(2500), work="input: 1700").by_id["own"]) != output(first)
    del frozen["own"]["measured_output"]
    with pytest.raises(ScenarioError, match="holds no scaled output"):
        run(at(2500), frozen=frozen)


@pytest.mark.parametrize(
    ("there", "more", "told"),
    [
        (
            at(3100),
            "",
            "measured at 3100 tokens in, the work has 1500: 2.07 times as much; up to 2 times is scaled",
        ),
        (at(1500, 100), "", "measured at 100 tokens out, the work has 350: 3.5 times as much"),
        (at(0), "", "measured at 0 tokens in, the work has 1500: one of them is none"),
        (at(1500), ", deployment: {gpus_per_replica: 4, concurrency: 16}", "the work has 32: 8 times as much"),
    ],
)
def test_what_is_far_is_refused_with_the_arithmetic(there: str, more: str, told: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        run(there, more)
    assert told in str(caught.value)


def test_the_base_has_the_lengths_of_these_tests() -> None:
    assert "input: 1500 token/request" in BASE
    assert "output: 350 token/request" in BASE


def test_without_a_model_nothing_can_be_scaled_and_check_says_so_too() -> None:
    text = (CASES / "cards_at_home.yaml").read_text("utf-8")
    work = "input: 500 token/request,\n           output: 200 token/request"
    assert work in text
    loads(text).check()
    scenario = loads(text.replace(work, "input: 500 token/request, output: 100 token/request"))
    for task in (scenario.check, scenario.run):
        with pytest.raises(ScenarioError, match="needs a `model` for that") as caught:
            task()
        assert [problem.path for problem in caught.value.problems] == [
            "fleets.full.measured",
            "fleets.low-duty.measured",
        ]


def test_a_line_that_is_pinned_is_known_to_the_estimate_too() -> None:
    text = changed((OWN, OWN.replace("fp8}", f"fp8, measured: {{output: 9000 token/s/system, precision: fp8, "
                                            f"source: bench, {at(2500)}}}}}")))  # fmt: skip
    free = output(loads(text).run().by_id["own"])
    pinned = loads(text + "pin: {own: {electricity_cost: 30000 USD}}\n").run().by_id["own"]
    assert output(pinned) == free != 9000


@pytest.mark.parametrize("measured", [False, True])
def test_without_a_model_one_sentence_says_so(measured: bool) -> None:
    """Also where a pinned cost is all that is left of a subtotal."""
    text = (CASES / "card_or_aggregator.yaml").read_text("utf-8").replace("output: 400 token", "output: 320 token", 1)
    head, tail = text.split("    measured: ")
    if not measured:
        text = head + tail.split("sageseek.net}\n", 1)[1]
    with pytest.raises(ScenarioError) as caught:
        loads(text).check()
    [problem] = caught.value.problems
    assert ("needs a `model` for that" if measured else "no model is named; state `model`") in problem.text
