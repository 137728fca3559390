"""A price that is typed on Quotes comes back into its offer, and the difference is told exactly."""

# pyright: basic
from __future__ import annotations

import random
import shutil
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest

import tco.readback
from tco.diff import diff
from tco.errors import ScenarioError
from tco.readback import readback, write_scenario
from tco.session import load
from tco.workbook import write
from tco.workbook.share import shared
from tco.workbook.verify import verified

PROCUREMENT = Path(__file__).parents[2] / "scenarios" / "procurement.yaml"


@pytest.fixture(scope="module")
def issued(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("procurement")
    shutil.copy(PROCUREMENT, folder / "procurement.yaml")
    write(load(folder / "procurement.yaml").run(), folder / "procurement.xlsx")
    return folder / "procurement.xlsx"


def edited(issued: Path, name: str, values: dict[str, float]) -> Path:
    """A copy beside the scenario with other numbers in cells of names, or at `Sheet!A1`."""
    book: Any = openpyxl.load_workbook(issued)
    for where, value in values.items():
        refers = where if "!" in where else book.defined_names[where].attr_text
        sheet, _, cell = refers.replace("$", "").rpartition("!")
        book[sheet.strip("'")][cell] = value
    book.save(issued.parent / name)
    return issued.parent / name


def test_a_price_goes_back_into_its_offer_and_the_bridge_is_exact(issued: Path) -> None:
    found = readback(edited(issued, "price.xlsx", {"in_offer_1_1": 110000, "in_discount_rate": 0.1}))
    assert found.good
    assert not found.findings
    price = next(one for one in found.changes if one.place.name == "offer_1_1")
    assert (price.old, price.new, price.unit) == (118450, 110000, "EUR")
    assert price.label.startswith("GPU server 4U")
    assert price.label.endswith("N-2026-118")
    lines = PROCUREMENT.read_text(encoding="utf-8").splitlines()
    assert "118450.00 EUR" in lines[int(price.where.rpartition(":")[2]) - 1]
    target = issued.parent / "new.yaml"
    assert len(write_scenario(found, target, "letter", "quote", force=True).done) == 2
    now = target.read_text(encoding="utf-8").splitlines()
    assert len([pair for pair in zip(lines, now, strict=True) if pair[0] != pair[1]]) == 2
    told = diff(str(PROCUREMENT), str(target), None)
    bridge = next(one for one in told.bridges if one.fleet == "servers")
    assert {step.label for step in bridge.steps} == {"finance.discount_rate", "quotes.offers"}
    assert bridge.move == pytest.approx(sum(step.effect for step in bridge.steps), rel=1e-9)


def test_a_number_over_a_price_that_follows_the_offers_is_told(issued: Path) -> None:
    book: Any = openpyxl.load_workbook(issued)
    cell = next(
        f"Inputs!D{row}" for row in range(1, 300) if str(book["Inputs"][f"D{row}"].value).startswith("=Quotes!")
    )
    found = readback(edited(issued, "pasted.xlsx", {cell: 5.0}))
    assert not found.good
    assert not found.changes
    (told,) = found.findings
    assert told.cells == cell
    assert "value pasted over" in told.new
    assert "type the unit price on Quotes" in told.new


@pytest.mark.parametrize("seed", range(2))
def test_random_prices_come_back_as_typed(issued: Path, seed: int) -> None:
    chance = random.Random(seed)
    book: Any = openpyxl.load_workbook(issued)
    names = chance.sample(sorted(name for name in book.defined_names if name.startswith("in_offer_")), 3)
    typed = {name: float(chance.randint(1, 9000)) for name in names}
    found = readback(edited(issued, f"random{seed}.xlsx", typed))
    assert {f"in_{one.place.name}": one.new for one in found.changes} == typed
    assert found.good
    assert not found.effect.problems


def test_an_award_that_moves_is_one_step(tmp_path: Path) -> None:
    text = PROCUREMENT.read_text(encoding="utf-8").replace("to: N-2026-118", "to: MC-7741")
    (tmp_path / "moved.yaml").write_text(text, encoding="utf-8")
    told = diff(str(PROCUREMENT), str(tmp_path / "moved.yaml"), None)
    bridge = next(one for one in told.bridges if one.fleet == "servers")
    (step,) = bridge.steps
    assert step.label == "award of servers: N-2026-118 -> MC-7741"
    assert step.effect == pytest.approx(bridge.move)


def test_a_shared_copy_holds_no_supplier_quote_or_unit_price(issued: Path) -> None:
    target = issued.parent / "shared.xlsx"
    shared(issued, target, frozenset({"prices", "suppliers"}), (), force=True)
    with zipfile.ZipFile(target) as parts:
        text = "\n".join(parts.read(name).decode() for name in parts.namelist())
    for word in ("Nordrack", "Meridian Compute", "N-2026-118", "MC-7741", "NR-4U8", "118450", "8900.5", "SUP-NBD-4"):
        assert word not in text, word


def test_a_change_that_is_lost_on_the_way_is_named_and_nothing_is_written(
    issued: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = readback(edited(issued, "lost.xlsx", {"in_offer_1_1": 110000, "in_discount_rate": 0.1}))
    real = tco.readback.carry

    def losing(said: Any, changes: Any, story: Any) -> Any:
        carried = real(said, changes, story)
        changes[0].refused = "the schema refuses its story"
        return carried

    monkeypatch.setattr(tco.readback, "carry", losing)
    target = issued.parent / "lost.yaml"
    with pytest.raises(ScenarioError, match="discount_rate: the schema refuses its story"):
        write_scenario(found, target, "letter", "quote", force=True)
    assert not target.exists()


@pytest.mark.libreoffice
def test_verify_computes_with_the_price_that_was_typed(issued: Path, office_convert: Any) -> None:
    """118,450 less 8,450 for a GPU server, in two systems, and a discount of 4,000 for both: 108,000 a system."""
    told, _ = verified(office_convert(edited(issued, "typed.xlsx", {"in_offer_1_1": 110000}), "xlsx"))
    assert "system_price of servers is 108000" in told
    assert "against the engine with these inputs" in told
    line = next(line for line in told.splitlines() if "with these inputs" in line)
    assert line.endswith(", 0 differ")
