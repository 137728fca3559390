"""`tco verify`: an honest workbook passes, a tampered one is named, a file that is none is refused."""

# pyright: basic
from __future__ import annotations

import re
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest

from tco.batch import write_outputs
from tco.errors import ScenarioError
from tco.session import load
from tco.workbook.opened import read
from tco.workbook.verify import strange, verified

ROOT = Path(__file__).resolve().parents[2]
SCENARIO = ROOT / "scenarios" / "local_assistant.yaml"
OWN = Path(__file__).parent / "scenarios"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("out")
    write_outputs(load(SCENARIO).run(), out, "small", ("xlsx", "json"))
    return out / "small.xlsx"


def part_of(path: Path, sheet: str) -> str:
    """The part that holds a sheet."""
    names = openpyxl.load_workbook(path, read_only=True).sheetnames
    return f"xl/worksheets/sheet{names.index(sheet) + 1}.xml"


def tampered(written: Path, target: Path, part: str, change: tuple[str, str], *, count: int = 1) -> Path:
    """A copy in which the first match of a pattern in one part is replaced."""
    with zipfile.ZipFile(written) as source, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as copy:
        for item in source.infolist():
            text = source.read(item)
            if item.filename == part:
                changed, found = re.subn(change[0].encode(), change[1].encode(), text, count=count)
                assert found
                text = changed
            copy.writestr(item, text)
    return target


def cell(path: Path, name: str) -> tuple[str, str]:
    """Sheet and address of a named cell."""
    ((sheet, area),) = openpyxl.load_workbook(path).defined_names[name].destinations
    return sheet, area.replace("$", "")


def typed(written: Path, target: Path, name: str, value: str) -> Path:
    """A copy with a number typed over an input; nothing is calculated."""
    sheet, address = cell(written, name)
    return tampered(written, target, part_of(written, sheet), (rf'(<c r="{address}"[^>]*><v>)[^<]*', rf"\g<1>{value}"))


def test_an_honest_workbook_agrees_with_itself_and_the_engine(written: Path) -> None:
    text, good = verified(written)
    assert good, text
    assert text.count(" 0 differ") == 4
    assert " 0 changed since issue" in text
    assert "of Data equal" in text.splitlines()[-1]


@pytest.mark.parametrize("name", ["payments", "financing"])
def test_every_way_to_pay_is_computed_again_from_the_log(name: str, tmp_path: Path) -> None:
    write_outputs(load(OWN / f"{name}.yaml").run(), tmp_path, name, ("xlsx",))
    text, good = verified(tmp_path / f"{name}.xlsx")
    assert good, text
    assert f"{name}.json is not beside the workbook" in text


def test_a_changed_stored_value_is_named(written: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(written) as book:
        sheets = [name for name in book.namelist() if name.startswith("xl/worksheets/sheet")]
        part = next(name for name in sheets if re.search(rb"</f><v>[0-9]+\.[0-9]+</v>", book.read(name)))
    copy = tampered(written, tmp_path / "small.xlsx", part, (r"</f><v>[0-9]+\.[0-9]+</v>", "</f><v>123456.789</v>"))
    text, good = verified(copy)
    assert not good
    assert "123456.789 is stored" in text


def test_a_formula_altered_together_with_its_value_differs_from_the_engine(written: Path, tmp_path: Path) -> None:
    """Recomputing finds nothing: the forger stored what his formula gives. The engine does."""
    book = read(written)
    sheet = next(name for name in book.sheets if name.startswith("Calc_"))
    last = max(max(cells) for cells in book.rows[sheet].values())
    row = next(row for row, cells in book.rows[sheet].items() if row > 50 and cells.get(last) == "energy")
    address = f"G{row}"
    change = (rf'(<c r="{address}"[^>]*>)<f>[^<]*</f><v>[^<]*', r"\g<1><f>1+1</f><v>2")
    copy = tampered(written, tmp_path / "small.xlsx", part_of(written, sheet), change)
    text, good = verified(copy)
    assert not good
    assert re.search(rf"{sheet}!{address}: \w+ is 2, the engine has", text), text


def test_a_number_of_data_altered_or_removed_is_named(written: Path, tmp_path: Path) -> None:
    part = part_of(written, "Data")
    altered = tampered(written, tmp_path / "small.xlsx", part, (r'(<c r="G5"[^>]*><v>)[^<]*', r"\g<1>42"))
    removed = tampered(altered, tmp_path / "other.xlsx", part, (r'<row r="6".*?</row>', ""))
    text, good = verified(removed)
    assert not good
    assert re.search(r"Data!G5: .+ is 42, the engine has [0-9]", text)
    assert re.search(r"Data: .+ is missing, the engine has", text)


def test_an_input_typed_over_is_told_from_what_to_what(written: Path, tmp_path: Path) -> None:
    copy = typed(written, tmp_path / "edited.xlsx", "in_discount_rate", "0.5")
    text, good = verified(copy)
    assert not good
    assert re.search(r"Inputs!D\d+: discount_rate is 0\.5 1/yr, 0\.\d+ in the scenario", text)
    assert " 1 changed since issue" in text
    assert "is stored" in text


@pytest.mark.libreoffice
def test_an_edited_copy_that_was_calculated_agrees_but_for_its_inputs(
    written: Path, tmp_path: Path, office_convert: Callable[[Path, str], Path]
) -> None:
    saved = office_convert(typed(written, tmp_path / "edited.xlsx", "in_discount_rate", "0.5"), "xlsx")
    text, good = verified(saved)
    assert not good
    assert text.count(" 0 differ") == 3, text
    assert " 1 changed since issue" in text


def test_another_scenario_on_log_is_not_that_of_the_digest(written: Path, tmp_path: Path) -> None:
    changed = (r"(currency|horizon|title): ", r"\g<1>:  ")
    text, good = verified(tampered(written, tmp_path / "small.xlsx", "xl/sharedStrings.xml", changed))
    assert not good
    assert "does not have this digest" in text


def test_a_scenario_that_does_not_run_says_why(written: Path, tmp_path: Path) -> None:
    changed = ("format: 1", "format: 7")
    text, good = verified(tampered(written, tmp_path / "small.xlsx", "xl/sharedStrings.xml", changed))
    assert not good
    assert "the scenario on Log does not run" in text
    assert ":2:" in text or "format" in text


def test_the_json_of_another_run_is_not_compared(written: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copy(written, tmp_path / "small.xlsx"))
    beside = copy.with_suffix(".json")
    told = written.with_suffix(".json").read_text()
    beside.write_text(re.sub(r'"sha256": "\w+"', '"sha256": "0"', told))
    text, good = verified(copy)
    assert good
    assert "small.json is of another scenario" in text
    beside.write_text("[]")
    assert "small.json is not a result" in verified(copy)[0]
    wrong = re.sub(r'("total_cost": \{"unit": "USD", "value": )[0-9.]+', r"\g<1>1.5", told)
    assert wrong != told
    beside.write_text(wrong)
    text, good = verified(copy)
    assert not good
    assert "1.5 in small.json" in text


def test_many_differences_are_counted_and_the_first_are_shown(written: Path, tmp_path: Path) -> None:
    change = (r"</f><v>[0-9]+\.[0-9]+</v>", "</f><v>7.25</v>")
    sheet = next(name for name in read(written).sheets if name.startswith("Calc_"))
    text, good = verified(tampered(written, tmp_path / "a.xlsx", part_of(written, sheet), change, count=0))
    assert not good
    assert re.search(r"and [0-9,]+ more", text)
    assert len(text.splitlines()) < 80


def test_formulas_that_tco_does_not_write_are_not_run(written: Path, tmp_path: Path) -> None:
    sheet = next(name for name in read(written).sheets if name.startswith("Calc_"))
    change = (r"<f>[^<]*</f>", '<f>WEBSERVICE("http://example.org")</f>')
    text, good = verified(tampered(written, tmp_path / "a.xlsx", part_of(written, sheet), change))
    assert not good
    assert "1 are of a kind that tco does not write" in text
    assert "WEBSERVICE" in text


@pytest.mark.parametrize(
    ("formula", "fine"),
    [
        ("=SUM(A1:A2)*$D$5/thousand", True),
        ('=IF(A1=0,"REPT(x)","no")', True),
        ('=REPT("x",1000000000)', False),
        ("=[1]Prices!A1", False),
        ("=cmd|' /C calc'!A0", False),
        (f"={'(' * 50}1{')' * 50}", False),
        (f"=1{'+1' * 2000}", False),
    ],
)
def test_what_is_run_is_arithmetic(formula: str, fine: bool) -> None:
    assert bool(strange({("Calc_a", 1, 1): formula})) != fine


def test_a_copy_without_stored_values_says_so(written: Path, tmp_path: Path) -> None:
    """openpyxl saves formulas without what they give."""
    openpyxl.load_workbook(written).save(tmp_path / "bare.xlsx")
    text, good = verified(tmp_path / "bare.xlsx")
    assert not good
    assert "no formula has a stored value" in text


def test_a_workbook_of_somebody_else_is_refused(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book["Sheet"]["A1"], book["Sheet"]["A2"] = 1, "=A1*2"
    book.save(tmp_path / "theirs.xlsx")
    with pytest.raises(ScenarioError, match="is no workbook of `tco run`: it has no sheet Inputs and no sheet Log"):
        verified(tmp_path / "theirs.xlsx")


@pytest.mark.parametrize("content", [b"", b"no workbook", b"PK\x03\x04broken"])
def test_what_is_no_workbook_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "no.xlsx"
    path.write_bytes(content)
    with pytest.raises(ScenarioError, match="is not a workbook"):
        verified(path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="there is no such file"):
        verified(tmp_path / "none.xlsx")
