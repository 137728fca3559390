"""Published cases come out as printed, or the difference is known and named."""

from __future__ import annotations

import pytest

from tests.cases.published import FOLDER, RULES, Case, Value, cases
from tests.cases.validation import PAGE, page

FIGURES = [value for case in cases() for value in case.values]


@pytest.mark.parametrize("value", FIGURES, ids=str)
def test_the_engine_gives_the_published_figure(value: Value) -> None:
    assert not (text := value.differs()), text


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.case)
def test_a_case_says_how_it_is_judged(case: Case) -> None:
    for value in case.values:
        assert value.rule in RULES, value
        assert isinstance(value.printed, str) or value.arithmetic, f"{value}: no arithmetic by hand"
        assert value.rule in ("rounds", "at_least") or value.why, f"{value}: not the print, and no reason why"
        assert isinstance(value.printed, str) or value.place > 0 or value.rule == "at_least", f"{value}: no last place"


def test_every_scenario_belongs_to_a_case() -> None:
    assert {path.stem for path in (FOLDER / "scenarios").glob("*.yaml")} == {case.scenario for case in cases()}


def test_figures_have_different_names() -> None:
    names = [str(value) for value in FIGURES]
    assert sorted({name for name in names if names.count(name) > 1}) == []


def test_the_page_is_not_stale() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `python -m tests.cases.validation`"
