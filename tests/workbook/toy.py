"""A result of three fleets made by hand from the lemonade stand: one that is fine, one too big, one with pins."""

# pyright: basic
from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tco.declare import Chapter, chapter
from tco.evaluate import program
from tco.figures import Figure
from tco.model import build
from tco.result import VERDICTS, Alert, FleetResult, Result
from tco.timeline import Timeline

HERE = Path(__file__).parent
TIMELINE = Timeline((2027, 1), 8, "quarter", fiscal_start=4)
TABLES = {"write_off": ((0.0, 0.9), (1.0, 0.6), (2.0, 0.3), (3.0, 0.0)), "energy_tiers": ((0.0, 0.1), (100.0, 0.2))}
EVERY_AGE = tuple((float(age), max(0.0, 0.9 - 0.3 * age)) for age in range(8))
"""A write-off with a row for each age that eight periods can reach."""
SHARED = {"cups", "growth", "discount_rate", "rain_share", "energy_tiers", "opening_till"}
GIVEN: dict[str, Any] = {
    "step": 0.25,
    "cups": 300.0,
    "growth": 0.2,
    "cup_price": 0.5,
    "squeezer_price": 100.0,
    "squeezer_rate": 10.0,
    "life": 1.0,
    "kettle_power": 200.0,
    "opening_till": 50.0,
    "discount_rate": 0.05,
    "tokens_per_cup": 20_000.0,
    "room": 9.0,
    "rain_share": (0.1, 0.2, 0.0, 0.3, 0.1, 0.2, 0.0, 0.3),
    "rent_price": 900.0,
    "tips": 0.05,
    **TABLES,
}
COMPARED = {
    "npv": {"unit": "money", "value": 120.5, "reason": ""},
    "irr": {"unit": "%", "value": None, "reason": "not defined: no sign change"},
}
LOOKS_BACK = ("wear",)


def module(name: str, path: Path) -> Any:
    """A chapter's module by its path, whatever the import mode of the tests."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec
    assert spec.loader
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def chapters(*, trap: bool = False) -> list[Chapter]:
    """The lemonade stand and its account; `trap` keeps the line that divides by zero."""
    stand = chapter(module("lemonade", HERE.parent / "spine" / "lemonade.py"))
    account = chapter(module("stall", HERE / "stall.py"))
    if not trap:
        account = replace(account, lines={name: item for name, item in account.lines.items() if name not in LOOKS_BACK})
    return [stand, account]


def arrays(figures: dict[str, Figure], timeline: Timeline = TIMELINE) -> dict[str, Any]:
    """Figures as the engine takes them, with the frame."""
    found: dict[str, Any] = dict(timeline.frame())
    for name, figure in figures.items():
        value: Any = figure.value
        table = isinstance(value, tuple) and isinstance(value[0], tuple)
        found[name] = (
            tuple(np.array(column) for column in zip(*value, strict=True)) if table else np.asarray(value, float)
        )
    return found


def fleet(
    name: str, changes: dict[str, Any] | None = None, *, drop: tuple[str, ...] = (), pins: dict[str, Any] | None = None,
    story: dict[str, str] | None = None, trap: bool = False, timeline: Timeline = TIMELINE,
) -> FleetResult:  # fmt: skip
    """One fleet, computed by the engine."""
    values = {**GIVEN, **(changes or {}), **{f"{key}_pinned": value for key, value in (pins or {}).items()}}
    parts = chapters(trap=trap)
    givens = {key: item for part in parts for key, item in part.givens.items()}
    shapes: Any = {key: item.shape for key, item in givens.items() if item.frame or (key in values and key not in drop)}
    pinned: Any = {key: "series" if isinstance(value, tuple) else "one" for key, value in (pins or {}).items()}
    model = build(parts, shapes, pins=pinned, results=["total_cost", "present_cost", "cost_per_million_useful_tokens"])
    figures = {
        key: Figure(
            values[key],
            item.unit,
            status="estimate",
            source="the stall's owner",
            as_of="2026-11-01",
            from_unit=item.from_unit,
        )
        for key, item in model.inputs.items()
        if not item.frame
    }
    for key in ("life", "cup_price"):
        if story and key in figures:
            figures[key] = replace(figures[key], **story)  # type: ignore[arg-type]
    if "discount_rate" in figures:
        figures["discount_rate"] = replace(
            figures["discount_rate"], status="default", low=0.02, high=0.09, origin="default"
        )
    if "squeezer_price" in figures:
        figures["squeezer_price"] = replace(
            figures["squeezer_price"], status="recalled", origin="catalogue systems/squeezer"
        )
    computed = program(model)(arrays(figures, timeline), timeline.periods)
    made = FleetResult(
        name,
        (story or {}).get("note", f"The {name}"),
        "consumer",
        "buy",
        "lemon-7",
        "fp8",
        model,
        figures,
        set(SHARED),
        computed,
        choices={"for": {"cups": 300.0, "life": values["life"]}},
        recalled_or_stale_share=0.25,
    )
    failed: list[Any] = [word for flag, word in VERDICTS if flag in computed and computed[flag].min() == 0]
    made.verdict = [*failed, "ok"][0]
    made.reasons = [] if made.verdict == "ok" else [f"{made.verdict}: the room is too small"]
    return made


def result(fleets: list[FleetResult] | None = None, *, text: str = "", timeline: Timeline = TIMELINE) -> Result:
    """The result that most tests use."""
    line = "cost_per_million_useful_tokens"
    made = fleets or [
        fleet("cart"),
        fleet("kiosk-2", {"room": 1.0, "squeezer_rate": 4.0}, drop=("tips", "rent_price")),
        fleet(
            "shop",
            {"squeezer_price": 60.0, "life": 2.0, "write_off": EVERY_AGE},
            drop=("tips",),
            pins={"squeezers_needed": 5.0},
        ),
    ]
    ok = sorted((item for item in made if item.verdict == "ok"), key=lambda item: float(item.values[line][0]))
    return Result(
        {
            "title": text or "Lemonade & ice for a street",
            "file": "stall.yaml",
            "sha256": "ab12" * 16,
            "as_of": "2026-11-01",
            "currency": "USD",
            "text": text or "format: 1\ntitle: Lemonade & ice\n=1+1\n",
        },
        {"version": "0.1.0", "catalogue": "0123abcd"},
        timeline,
        made,
        line,
        "pre_tax",
        "middle",
        reference="shop",
        recommended=ok[0].id if ok else None,
        ranking=[item.id for item in ok],
        comparison={made[0].id: COMPARED},
        left_out=["sugar: no price is given"],
        warnings=[Alert("quality", "", text or "Not the same quality: the kiosk squeezes by hand.")],
    )
