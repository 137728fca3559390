"""`tco share`: a copy for outsiders holds values as issued, and nowhere what was withheld."""

# pyright: basic
from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from click.testing import CliRunner

from tco.batch import write_outputs
from tco.cli import main
from tco.errors import OutputError, ScenarioError
from tco.session import loads
from tco.workbook.safety import check_safe
from tco.workbook.share import shared
from tco.workbook.verify import verified
from tests.workbook.recalculate import cached, differences
from tests.workbook.test_verify import ROOT, typed

ALL = frozenset({"prices", "suppliers", "costs"})
SECRETS = ("98765.25", "98,765", "31,415.5", "31415.5", "98765", "31416")
NAMES = ("Acme Metalworks", "Q-2026-117", "Jane Doe", "runpod", "RunPod")
FLEETS = """fleets:
  - id: ours
    name: Servers by Acme Metalworks
    buy:
      system: ws-4x5090
      price: {value: 98765.25 USD/system, low: 90000.75 USD/system, high: 99999.5 USD/system, status: quote,
              source: "Acme Metalworks, quote Q-2026-117, Jane Doe", as_of: 2026-10-01, valid_until: 2027-03-31,
              note: "31,415.5 USD freight paid by Acme Metalworks"}
    precision: int4
  - {id: cloud, rent: {offer: runpod-h100-sxm-ondemand, gpus: 2}, precision: fp8}
"""


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("shared")
    text = (ROOT / "scenarios" / "quickstart.yaml").read_text()
    text = text[: text.index("fleets:")].replace("reference: cloud-reserved", "reference: cloud") + FLEETS
    text = text.replace("title: Chat assistant", "title: With Acme Metalworks, a chat assistant")
    write_outputs(loads(text, str(out / "ours.yaml")).run(), out, "ours", ("xlsx", "json"))
    return out / "ours.xlsx"


def parts(path: Path) -> dict[str, str]:
    with zipfile.ZipFile(path) as held:
        return {name: held.read(name).decode() for name in held.namelist()}


def holding(path: Path, *words: str) -> list[str]:
    return [f"{name}: {word}" for name, text in parts(path).items() for word in words if word.lower() in text.lower()]


def test_the_original_holds_what_the_copy_must_not(book: Path) -> None:
    """The search below finds something where there is something."""
    assert {found.split(": ")[1] for found in holding(book, "98765.25", *NAMES)} >= {"98765.25", *NAMES[:3]}


@pytest.mark.parametrize("hide", [ALL - {"costs"}, ALL], ids=["default", "all"])
def test_no_part_holds_a_withheld_price_or_name(hide: frozenset[str], book: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.xlsx"
    told = shared(book, copy, hide, ("Acme Metalworks", "Jane Doe"), force=False)
    assert not holding(copy, *SECRETS, "90000.75", "99999.5", *NAMES)
    assert "withheld: " in told
    for name, text in parts(copy).items():
        assert "<f>" not in text, name
        assert not re.search(r'definedName name="in_', text)
    check_safe(copy)


def test_without_prices_hidden_values_are_those_of_the_original(book: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.xlsx"
    shared(book, copy, frozenset(), (), force=False)
    before, after = cached(book), cached(copy)
    numbers = [place for place, value in before.items() if isinstance(value, float)]
    cells = [place for place in numbers if place[0] not in ("Cover", "Checks", "Inputs")]
    assert len(cells) > 3000
    assert not differences(before, after, cells)
    assert "98765.25 USD/system" in "".join(parts(copy).values())


def test_headlines_stay_and_what_rests_on_a_price_goes(book: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.xlsx"
    shared(book, copy, frozenset({"prices"}), (), force=False)
    before, after = cached(book), cached(copy)
    kept = [place for place in before if place[0] == "Data"]
    assert len(kept) > 100
    gone = {before[place] for place in kept if after[place] != before[place]}
    assert gone == {2.73}, "the rent of a GPU hour, which is its cost too"
    rows = {value: cell[1:] for (sheet, cell), value in before.items() if sheet == "Inputs" and cell.startswith("A")}
    assert after["Inputs", f"D{rows['system_price']}"] == "withheld"
    assert after["Inputs", f"D{rows['peak_to_mean']}"] == 4
    assert "withheld" in {value for (sheet, _), value in after.items() if sheet.startswith("Calc_")}


def test_the_cover_says_what_it_is(book: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.xlsx"
    shared(book, copy, ALL, (), force=False)
    cover = "\n".join(str(cell.value) for row in openpyxl.load_workbook(copy)["Cover"].iter_rows() for cell in row)
    digest = re.search(r"\b[0-9a-f]{64}\b", "".join(parts(book).values()))
    assert digest
    assert f"Shared copy of scenario {digest[0]}" in cover
    assert "does not calculate" in cover
    assert "every input in money" in cover
    assert "cost by category" in cover
    assert "How to change an input" not in cover
    with pytest.raises(ScenarioError, match="is a shared copy"):
        verified(copy)
    with pytest.raises(ScenarioError, match="is a shared copy"):
        shared(copy, tmp_path / "again.xlsx", ALL, (), force=False)


def test_categories_go_with_costs(book: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.xlsx"
    before = cached(book)
    told = shared(book, copy, ALL, (), force=False)
    after = cached(copy)
    lines = {place: value for place, value in before.items() if place[0] == "Data" and place[1].startswith("E")}
    capital = [("Data", f"G{place[1][1:]}") for place, value in lines.items() if value == "capital_cost"]
    assert capital
    gone: Any = {before[place] for place in capital if before[place]}
    assert not gone & set(after.values())
    assert "--hide costs" not in told


def test_prices_that_follow_by_division_are_told(book: Path, tmp_path: Path) -> None:
    told = shared(book, tmp_path / "copy.xlsx", frozenset({"prices"}), (), force=False)
    assert re.search(r"ours: system_price = \w+ .*/ \w+", told), told
    assert "--hide costs" in told


def test_it_is_the_same_file_twice(book: Path, tmp_path: Path) -> None:
    for name in ("a.xlsx", "b.xlsx"):
        shared(book, tmp_path / name, ALL, (), force=False)
    assert (tmp_path / "a.xlsx").read_bytes() == (tmp_path / "b.xlsx").read_bytes()


def test_an_edited_workbook_is_not_shared(book: Path, tmp_path: Path) -> None:
    edited = typed(book, tmp_path / "edited.xlsx", "in_discount_rate", "0.5")
    with pytest.raises(ScenarioError, match=r"was changed since issue[^!]*!D\d+: discount_rate is 0\.5"):
        shared(edited, None, ALL, (), force=False)


def test_a_name_inside_an_id_is_refused_and_nothing_is_overwritten(book: Path, tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="the id of the fleet ours holds `our`"):
        shared(book, tmp_path / "copy.xlsx", ALL, ("our",), force=False)
    assert not (tmp_path / "copy.xlsx").exists()
    (tmp_path / "copy.xlsx").write_text("mine")
    with pytest.raises(OutputError, match="exists already"):
        shared(book, tmp_path / "copy.xlsx", ALL, (), force=False)
    with pytest.raises(OutputError, match="exists already"):
        shared(book, book, ALL, (), force=True)


def test_a_name_that_stands_in_every_workbook_is_refused_in_words(book: Path, tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="`xml` is too short to be withheld"):
        shared(book, tmp_path / "copy.xlsx", frozenset(), ("xml",), force=False)
    assert not (tmp_path / "copy.xlsx").exists()


def test_the_command_hides_prices_and_suppliers_unless_told(book: Path) -> None:
    done = CliRunner().invoke(main, ["share", str(book), "--redact", "Acme Metalworks", "--redact", "Jane Doe"])
    assert done.exit_code == 0, done.output
    copy = book.with_name("ours-shared.xlsx")
    assert not holding(copy, *SECRETS, *NAMES)
    assert done.output.startswith(f"{copy}: written")
