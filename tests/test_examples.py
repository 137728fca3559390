"""The committed examples are what the committed scenarios produce: parsed values, never bytes.

After a change that is meant to move them: `make examples`, and look at what moved.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from tco import portfolio
from tco.export import to_dict
from tco.portfolio.export import to_json
from tco.session import load

ROOT = Path(__file__).resolve().parents[1]
SCENARIOS = sorted(path.stem for path in (ROOT / "scenarios").glob("*.yaml"))


def same(one: Any, two: Any) -> bool:
    """Equal, numbers within 1e-9 of the largest of their row."""
    if isinstance(one, list) and isinstance(two, list):
        numbers = [abs(value) for value in [*one, *two] if isinstance(value, float)]
        scale = max(numbers, default=0.0)
        return len(one) == len(two) and all(close(a, b, scale) for a, b in zip(one, two, strict=True))
    return close(one, two, 0.0)


def close(one: Any, two: Any, scale: float) -> bool:
    if isinstance(one, float) and isinstance(two, float):
        return math.isclose(one, two, rel_tol=1e-9, abs_tol=1e-9 * scale)
    return one == two


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_example_is_what_the_scenario_produces(name: str) -> None:
    committed = json.loads((ROOT / "reports" / "examples" / f"{name}.json").read_text())
    if name == "portfolio":
        _same_portfolio(committed)
        return
    fresh = to_dict(load(ROOT / "scenarios" / f"{name}.yaml").run())
    for key in ("ranking", "recommended", "headline", "basis", "reference", "left_out"):
        assert fresh[key] == committed[key], f"{key}; run `make examples` if that is meant"
    for now, then in zip(fresh["fleets"], committed["fleets"], strict=True):
        assert (now["id"], now["verdict"], now["reasons"]) == (then["id"], then["verdict"], then["reasons"])
        moved = [line for line, told in now["lines"].items() if not same(told["value"], then["lines"][line]["value"])]
        assert not moved, f"{now['id']}: {moved[:5]} moved; run `make examples` if that is meant"


def _same_portfolio(committed: dict[str, Any]) -> None:
    fresh = json.loads(to_json(portfolio.load(ROOT / "scenarios" / "portfolio.yaml").run()))
    assert (fresh["ranking"], fresh["recommended"]) == (committed["ranking"], committed["recommended"])
    for now, then in zip(fresh["portfolio"]["ways"], committed["portfolio"]["ways"], strict=True):
        assert (now["id"], now["verdict"]) == (then["id"], then["verdict"])
        assert same(now["present_cost"], then["present_cost"])


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_example_has_its_workbook_and_report(name: str) -> None:
    for suffix in ("xlsx", "html"):
        assert (ROOT / "reports" / "examples" / f"{name}.{suffix}").stat().st_size > 25_000
