"""Results for the report's tests: the committed scenarios once each, and small ones made of them."""

# pyright: basic
from __future__ import annotations

import copy
from collections.abc import Callable

import pytest

from tco.result import Result
from tests.report.pages import ran


@pytest.fixture(scope="session")
def quickstart() -> Result:
    return ran("quickstart")


@pytest.fixture(params=["quickstart", "pretraining", "finetune_lora", "local_assistant"], scope="session")
def committed(request: pytest.FixtureRequest) -> Result:
    return ran(request.param)


@pytest.fixture
def cut() -> Callable[..., Result]:
    """`cut("api", …)`: the quickstart with these fleets only."""

    def make(*names: str, reference: str | None = None) -> Result:
        result = copy.copy(ran("quickstart"))
        for computed in ("break_even", "sensitivity"):
            result.__dict__.pop(computed, None)
        result.fleets = [copy.copy(fleet) for fleet in result.fleets if fleet.id in names]
        result.ranking = [name for name in result.ranking if name in names]
        result.recommended = result.ranking[0] if result.ranking else None
        result.reference = reference
        result.comparison = {name: told for name, told in result.comparison.items() if reference and name in names}
        return result

    return make
