"""Two texts compared."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tco.diff import Comparison, compare
from tco.diff.bridge import Bridge
from tco.diff.sides import Side
from tco.session import loads
from tests.cli.conftest import BASE


def side(text: str, name: str = "scenario.yaml") -> Side:
    scenario = loads(text, name)
    return Side(name, "scenario", scenario, scenario.run())


def compared(old: str, new: str, line: str | None = None) -> Comparison:
    """Both, as files a.yaml and b.yaml."""
    return compare(side(old, "a.yaml"), side(new, "b.yaml"), line)


def ties(bridge: Bridge) -> None:
    """The effects are the move, to round-off."""
    assert bridge.old is not None
    assert bridge.new is not None
    scale = max(abs(bridge.old), abs(bridge.new))
    assert abs(sum(step.effect for step in bridge.steps) - (bridge.new - bridge.old)) <= 1e-11 * scale


def effects(found: Comparison, fleet: str) -> dict[str, float]:
    bridge = next(one for one in found.bridges if one.fleet == fleet)
    assert not bridge.reason
    ties(bridge)
    return {step.label: step.effect for step in bridge.steps}


@pytest.fixture
def base() -> str:
    return BASE


Compared = Callable[[str, str], Comparison]
