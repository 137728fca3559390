"""Whole systems that hold all needs, and parts of a bill that add up to it."""

from __future__ import annotations

import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from tco.portfolio.needs import allocated, packed
from tco.portfolio.state import Need
from tco.result import FleetResult
from tco.timeline import Timeline

CASES: list[dict[str, Any]] = YAML(typ="safe").load(Path(__file__).with_name("worked.yaml"))
HOURS = 8760.0


def need(name: str, size: int, items: list[float], busy: list[float], width: int) -> Need:
    count = np.array(items, dtype=float)
    used, gpus = np.array(busy, dtype=float), count * size
    alone = np.ceil(count / (width // size))
    return Need(name, size, count, gpus, alone, used, used, used)


def standing(gpus: list[float]) -> FleetResult:
    """A fleet of which only the GPU-hours are asked."""
    hours = np.array(gpus, dtype=float) * HOURS
    return cast("FleetResult", SimpleNamespace(raw=lambda name: {"gpu_hours": hours}[name]))


@pytest.mark.parametrize("case", CASES, ids=[case["shows"] for case in CASES])
def test_worked_by_hand(case: dict[str, Any]) -> None:
    width = case["width"]
    needs = {name: need(name, one["size"], one["items"], one["busy"], width) for name, one in case["needs"].items()}
    systems = packed(list(needs.values()), width, len(case["systems"]))
    assert systems.tolist() == case["systems"]
    there = case.get("standing", case["systems"])
    found = allocated(needs, standing([one * width for one in there]), Timeline((2027, 1), len(there), "year"))
    bill = case["bill"]
    for name, one in found.borne.items():
        assert bill * one.reservation_share == pytest.approx(case["reservation"][name], rel=1e-12)
        assert bill * one.usage_share == pytest.approx(case["usage"][name], rel=1e-12)
    for name, wanted in case.get("needed", {}).items():
        assert bill * found.borne[name].needed_share == pytest.approx(wanted, rel=1e-12)
    assert bill * found.idle_share == pytest.approx(case["idle"], rel=1e-12)


sizes = st.integers(1, 8)
loads = st.lists(st.tuples(sizes, st.integers(0, 60), st.floats(0, 1)), min_size=1, max_size=4)


@given(loads)
def test_packing_holds_all_and_never_takes_more_than_fleets_of_their_own(load: list[tuple[int, int, float]]) -> None:
    needs = [need(str(at), size, [many], [many * size * part], 8) for at, (size, many, part) in enumerate(load)]
    systems = packed(needs, 8, 1)[0]
    assert systems >= math.ceil(sum(one.gpus[0] for one in needs) / 8)
    assert systems <= sum(one.systems[0] for one in needs)
    large = sum(int(one.items[0]) for one in needs if one.size > 4)
    assert systems >= large  # no two of more than half a system stand in one


@given(loads, st.integers(0, 5))
def test_both_bases_add_up_whatever_the_load(load: list[tuple[int, int, float]], more: int) -> None:
    needs = {
        str(at): need(str(at), size, [many], [many * size * part], 8) for at, (size, many, part) in enumerate(load)
    }
    systems = packed(list(needs.values()), 8, 1)[0] + more
    found = allocated(needs, standing([systems * 8]), Timeline((2027, 1), 1, "year"))
    assert sum(one.reservation_share for one in found.borne.values()) == pytest.approx(1)
    assert sum(one.reserved for one in found.borne.values()) == pytest.approx(found.gpu_hours)
    assert found.idle_share >= -1e-9 or systems == 0
    for one in found.borne.values():
        assert one.usage_share <= one.reservation_share + 1e-9 or systems == 0
