"""The sheet Break-even holds the engine's figures, names its two fleets and says when costs moved since."""

# pyright: basic
from __future__ import annotations

import io
from pathlib import Path

import openpyxl
import pytest

from tco.session import load
from tco.workbook import build
from tco.workbook.breakeven import FRESH, HEAD, STALE

FILE = Path(__file__).parents[2] / "scenarios" / "finetune_lora.yaml"


def test_figures_are_static_and_an_alert_follows_the_costs() -> None:
    result = load(FILE).run()
    made = build(result)
    live = openpyxl.load_workbook(io.BytesIO(made))["Break-even"]
    shown = openpyxl.load_workbook(io.BytesIO(made), data_only=True)["Break-even"]
    assert shown["A1"].value == "Where cloud-h100 and workstation cost the same"
    told = [row[3].value for row in live.iter_rows(min_row=HEAD + 1) if isinstance(row[3].value, float | int)]
    found = [one.value for question in result.break_even.questions for one in question.crossings]
    assert len(found) == 5
    assert told == pytest.approx(found, rel=1e-14)
    alert = str(live["A4"].value)
    assert "SUM(Checks!" in alert
    assert STALE in alert
    assert shown["A4"].value == FRESH
