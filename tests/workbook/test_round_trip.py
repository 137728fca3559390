"""Two hundred random edits: read back, put into the scenario, run frozen: engine and recalculated workbook agree."""

# pyright: basic
from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from tco.readback import Readback, readback
from tco.readback.effect import agrees, shown
from tco.readback.issued import value_places
from tco.session import load
from tco.workbook import write
from tco.workbook.book import letters
from tco.workbook.places import sheet_of
from tco.workbook.plan import Plan
from tests.workbook import edits, returned
from tests.workbook.recalculate import ENGINES

ROOT = Path(__file__).resolve().parents[2]
OWN = Path(__file__).parent / "scenarios"
FILES = [
    *sorted(set((ROOT / "scenarios").glob("*.yaml")) - {ROOT / "scenarios" / "portfolio.yaml"}),
    *sorted(OWN.glob("*.yaml")),
]
SETS, EDITS = 1, 30
"""Workbooks of each scenario, and inputs that are typed over in each."""


def test_there_are_two_hundred_edits() -> None:
    assert len(FILES) * SETS * EDITS >= 200


def drawn(result: Any, generator: random.Random) -> dict[edits.Key, Any]:
    """As many inputs as are typed over, series counted once; limits that must be whole stay."""
    possible = [key for key in edits.draw(result, generator, share=1.0) if key[1] != "batch_limit"]
    quotes = Plan(result).quotes
    possible = [key for key in possible if quotes is None or not quotes.link(*key)]  # those are typed on Quotes
    chosen = generator.sample(possible, EDITS)
    return {key: value for key, value in edits.draw(result, generator, share=1.0).items() if key in chosen}


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_engine_and_recalculated_workbook_agree(file: Path, tmp_path: Path) -> None:
    result = load(file).run()
    issued = tmp_path / "issued.xlsx"
    write(result, issued)
    generator = random.Random(file.stem)
    for index in range(SETS):
        cells = edits.typed(result, drawn(result, generator))
        found = readback(returned.typed(issued, tmp_path / f"{index}.xlsx", cells), file)
        assert {change.cell for change in found.changes} == {"!".join(cell) for cell in cells}
        assert not found.findings
        assert not found.effect.problems
        assert len(found.refused) <= 3, [change.refused for change in found.refused]
        wrong = disagreements(found, issued)
        assert not wrong, wrong


def disagreements(found: Readback, issued: Path) -> list[str]:
    """Headlines of the frozen run that the recalculated workbook does not show.

    What follows from a change in a run and stands still in a workbook is told, and typed into the workbook too.
    """
    assert found.effect.frozen is not None
    result, plan = found.issued.result, found.issued.plan
    values = {tuple(change.cell.split("!")): change.new for change in found.taken}
    for one in found.effect.followers:
        place = plan.input(result.by_id[one.fleet], one.name)
        cells = value_places(place, result.timeline.periods)
        values |= {(sheet, f"{letters(column)}{row}"): value
                   for (sheet, row, column), value in zip(cells, one.run, strict=True)}  # fmt: skip
    line = result.headline or ""
    heads = {fleet.id: (sheet_of(fleet.id), f"D{plan.results[line]}") for fleet in result.fleets}
    numbers = ENGINES["formualizer"](issued, list(heads.values()), values)
    pairs = {name: (numbers[cell], shown(found.effect.frozen.by_id[name], line)) for name, cell in heads.items()}
    return [f"{name}: {there} in the workbook, {here} run" for name, (there, here) in pairs.items()
            if not agrees(there, here)]  # fmt: skip
