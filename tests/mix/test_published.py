"""Mélange's published example: 3 A10G and 1 A100 for 6.70 USD an hour, where A100 alone take two for 7.34."""

from __future__ import annotations

from pathlib import Path

import pytest

from tco.mix import plan
from tco.session import load, loads

FILE = Path(__file__).parent / "melange.yaml"
HOURS = 8760


def test_the_published_mix() -> None:
    found = plan(load(FILE))
    systems = {part.id: float(part.standing[0]) for part in found.plan.parts}
    assert systems == {"a10g": 3, "a100": 1}
    assert found.plan.engine_cost / HOURS == pytest.approx(3 * 1.01 + 3.67)
    assert found.plan.engine_cost / HOURS == pytest.approx(6.70)
    assert found.plan.solution.proven
    alone = {one.fleet: one.cost for one in found.alone}
    assert alone["a100"] is not None
    assert alone["a100"] / HOURS == pytest.approx(7.34)
    assert alone["a10g"] is not None
    assert alone["a10g"] / HOURS == pytest.approx(12 * 1.01)  # 30 x (0.2 / 2 + 0.1 / 1 + 0.5 / 5 + 0.2 / 2) = 12


def test_classes_that_may_be_split_need_less() -> None:
    """One A100 takes 20 + 10 + 20 % (0.75 of it) and 10 of the 15 long-short (0.25); one A10G the other 5."""
    found = plan(loads(FILE.read_text(encoding="utf-8").replace("split: false", "split: true")))
    assert found.plan.engine_cost / HOURS == pytest.approx(1.01 + 3.67)
    shares = {part.id: part.shares["long-short"][0] for part in found.plan.parts}
    assert shares == pytest.approx({"a10g": 1 / 3, "a100": 2 / 3})


def test_the_example_of_its_main_program() -> None:
    """16 requests a second with other rates (melange/main.py): every assignment tried by hand below."""
    rates = {"a10g": (5, 1, 10, 5), "a100": (20, 2, 50, 20)}
    weights, price, arriving = (0.25, 0.125, 0.375, 0.25), {"a10g": 1.01, "a100": 3.67}, 16
    best = min(
        sum(
            price[name]
            * -(-sum(arriving * weights[at] / rates[name][at] for at in range(4) if bool(choice >> at & 1) is big) // 1)
            for name, big in (("a10g", False), ("a100", True))
        )
        for choice in range(16)
    )
    text = FILE.read_text(encoding="utf-8").replace("30 request/s", "16 request/s")
    for old, new in (("20 %, input: 25", "25 %, input: 25"), ("10 %", "12.5 %"), ("50 %", "37.5 %")):
        assert old in text
        text = text.replace(old, new, 1)
    text = text.replace("share: 20 %, input: 100", "share: 25 %, input: 100")
    names = ("short-short", "short-long", "long-short", "long-long")
    old_rates = {"a10g": (2, 1, 5, 2), "a100": (20, 20, 40, 20)}
    for fleet, numbers in rates.items():
        stated, wanted = (
            ", ".join(f"{name}: {rate} request/s/system" for name, rate in zip(names, row, strict=True))
            for row in (old_rates[fleet], numbers)
        )
        assert stated in text
        text = text.replace(stated, wanted)
    assert plan(loads(text)).plan.engine_cost / HOURS == pytest.approx(best)
