"""The report says where two fleets cost the same, as the JSON does."""

# pyright: basic
from __future__ import annotations

from tco.report import render
from tco.result import Result
from tests.report.pages import ran


def test_the_report_prints_every_crossing() -> None:
    page = render(ran("finetune_lora"))
    assert "What would flip the answer" in page
    assert "Where cloud-h100 and workstation cost the same" in page
    for question in ran("finetune_lora").break_even.questions:
        assert question.crossings or "not reached between" in page
    assert "at the step of a whole unit" in page


def test_one_fleet_alone_has_no_such_table(cut) -> None:
    alone: Result = cut("api")
    assert "cost the same</caption>" not in render(alone)
