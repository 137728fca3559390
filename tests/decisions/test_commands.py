"""`tco solve` on the command line: text, JSON, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tco.cli import main
from tests.decisions.shop import shop


@pytest.fixture
def solve(tmp_path: Path):
    file = tmp_path / "shop.yaml"
    file.write_text(shop().document.text, "utf-8")

    def asked(*words: str) -> Result:
        return CliRunner().invoke(main, ["solve", str(file), *words])

    return asked


def test_the_answer_stands_first_and_how_it_was_found_last(solve) -> None:
    done = solve("--change", "fleets.rent.rent.price", "--until", "cheapest = rent")
    assert done.exit_code == 0
    lines = done.output.splitlines()
    assert lines[:3] == [
        "fleets.rent.rent.price until cheapest = rent",
        "  now 1 USD/gpu/h",
        "  holds from 0.1 USD/gpu/h to 0.267 USD/gpu/h",
    ]
    assert "rent costs least below it, api above it" in done.output
    assert lines[-1].endswith("(checked by 3 runs of the scenario)")


def test_json_with_ends_and_frozen_deployments(solve) -> None:
    ends = ("--between", "100 request/month", "48000 request/month")
    done = solve("--change", "workload.requests", "--until", "[rent] <= [api]", *ends, "--frozen", "--json")
    told = json.loads(done.output)
    assert told["kept"]["turns"][0]["value"] == pytest.approx(330 / 0.007, rel=1e-12)
    assert (told["anew"], told["deployments"], told["kept"]["high"]) == (None, "kept", 48000)


def test_not_reachable_is_no_failure(solve) -> None:
    done = solve("--change", "electricity.price", "--until", "total_cost[api] = 1 USD")
    assert done.exit_code == 0
    assert "not reachable between 0.01 USD/kWh and 1 USD/kWh" in done.output


@pytest.mark.parametrize(
    ("change", "until", "option"),
    [("electricity.pric", "cheapest = api", "--change"), ("electricity.price", "cheapest = apo", "--until")],
)
def test_a_question_that_cannot_be_asked_is_a_mistake_of_use(solve, change: str, until: str, option: str) -> None:
    done = solve("--change", change, "--until", until)
    assert done.exit_code == 2
    assert f"Invalid value for {option}" in done.output
    assert "did you mean" in done.output
