"""Mistakes of a portfolio: place, what was read, what is wanted, one way out."""

from __future__ import annotations

from pathlib import Path

import pytest
from ruamel.yaml import YAML

from tco.errors import ScenarioError
from tco.portfolio import loads
from tco.session import loads as loads_one
from tests.portfolio.shop import TEXT, changed

CASES: list[dict[str, str]] = YAML(typ="safe").load(Path(__file__).with_name("refused.yaml"))


@pytest.mark.parametrize("case", CASES, ids=[case["told"][:40] for case in CASES])
def test_refused(case: dict[str, str]) -> None:
    with pytest.raises(ScenarioError) as error:
        loads(changed((case["old"], case["new"])), "shop.yaml").check()
    text = str(error.value)
    assert case["told"] in text
    assert all(line.startswith("shop.yaml:") for line in text.splitlines())


def test_a_problem_of_a_workload_stands_at_its_line() -> None:
    with pytest.raises(ScenarioError) as error:
        loads(changed(("tuning: {precision: bf16}", "tuning: {precision: int4}")), "shop.yaml").check()
    problem = error.value.problems[0]
    lines = TEXT.splitlines()
    assert lines[problem.line - 1].startswith("  - {id: server")
    assert lines[problem.line - 1][problem.column - 1 :].startswith("bf16")


def test_what_takes_one_workload_says_so() -> None:
    with pytest.raises(ScenarioError, match="holds several workloads; `tco run` and `tco check` take such a file"):
        loads_one(TEXT)
