"""Mistakes of a portfolio: place, what was read, what is wanted, one way out."""

from __future__ import annotations

import pytest

from tco.errors import ScenarioError
from tco.portfolio import loads
from tco.session import loads as loads_one
from tests.portfolio.shop import TEXT, changed

CASES = [
    (("[tuning]", "[tunning]"), "fleets.workstation.workloads.1: `tunning` is no workload; wanted one of chat, tuning"),
    (("[tuning]", "[tuning, tuning]"), "names `tuning` twice"),
    (("[tuning]", "[]"), "fleets.workstation.workloads: is empty"),
    (("together-llama-3.3-70b}", "together-llama-3.3-70b}, workloads: [tuning]"), "it does no finetune; leave `tuning` out"),
    (("  chat: {", "  chatter: {"), "`chat` is no workload"),
    (("  chat: {", "  ../chat: {"), "`../chat` names outputs too"),
    (("workloads:\n", "workload: {kind: inference}\nworkloads:\n"), "wanted exactly one of `workload` and `workloads`"),
    (("rank: 16, ", ""), "workloads.tuning: the method lora needs the `rank`"),
    (("tuning: {precision: bf16}", "tuning: {precision: int4}"), "fleets.server.workloads.tuning.precision: nothing is trained"),
    (("finance:", "pin: {server: {systems_needed: 2 system}}\nfinance:"), "pin: has no meaning beside `workloads`"),
    (("9 %}", "9 %, income: 1 MUSD/yr}"), "finance.income: would count for each workload's fleet again"),
    (("srv-8xpro6000}", "srv-8xpro6000}, utilization: 50 %"), "a given utilization says nothing of two workloads"),
    (("finance:", "costs: [{name: Filter, amount: 0.1 USD/Mtoken, part_of: software_cost}]\nfinance:"), "counts the use of one workload only"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "told"), CASES, ids=[told[:40] for _, told in CASES])
def test_refused(change: tuple[str, str], told: str) -> None:
    with pytest.raises(ScenarioError) as error:
        loads(changed(change), "shop.yaml").check()
    text = str(error.value)
    assert told in text
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
