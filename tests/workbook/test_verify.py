"""`tco verify`: an honest workbook passes, a tampered one is named, a file that is none is refused."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest

from tco.batch import write_outputs
from tco.errors import ScenarioError
from tco.session import load
from tco.workbook.verify import verified

SCENARIO = Path(__file__).resolve().parents[2] / "scenarios" / "local_assistant.yaml"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("out")
    write_outputs(load(SCENARIO).run(), out, "small", ("xlsx", "json"))
    return out / "small.xlsx"


def tampered(written: Path, target: Path, part: str, change: tuple[str, str]) -> Path:
    """A copy in which the first match of a pattern in one part is replaced."""
    with zipfile.ZipFile(written) as source, zipfile.ZipFile(target, "w") as copy:
        for item in source.infolist():
            text = source.read(item)
            if item.filename == part:
                changed, count = re.subn(change[0].encode(), change[1].encode(), text, count=1)
                assert count == 1
                text = changed
            copy.writestr(item, text)
    return target


def test_an_honest_workbook_agrees_with_itself_and_the_engine(written: Path) -> None:
    text, good = verified(written)
    assert good, text
    assert " 0 differ" in text
    assert "numbers equal" in text


def test_a_changed_stored_value_is_named(written: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(written) as book:
        sheets = [name for name in book.namelist() if name.startswith("xl/worksheets/sheet")]
        part = next(name for name in sheets if re.search(rb"</f><v>[0-9]+\.[0-9]+</v>", book.read(name)))
    copy = tampered(written, tmp_path / "small.xlsx", part, (r"</f><v>[0-9]+\.[0-9]+</v>", "</f><v>123456.789</v>"))
    text, good = verified(copy)
    assert not good
    assert "123456.789 is stored" in text


def test_without_the_json_it_says_what_was_not_compared(written: Path, tmp_path: Path) -> None:
    alone = tmp_path / "alone.xlsx"
    alone.write_bytes(written.read_bytes())
    assert "alone.json is not beside the workbook" in verified(alone)[0]


@pytest.mark.parametrize("content", [b"", b"no workbook", b"PK\x03\x04broken"])
def test_what_is_no_workbook_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "no.xlsx"
    path.write_bytes(content)
    with pytest.raises(ScenarioError, match="is not a workbook"):
        verified(path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="there is no such file"):
        verified(tmp_path / "none.xlsx")
