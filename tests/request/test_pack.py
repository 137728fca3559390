"""The pack: files and digests, all or none, edited files stay, PDF where it can be made."""

# pyright: basic
from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import signal
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest
from click.testing import CliRunner, Result

from tco.cli import main
from tco.errors import OutputError
from tco.request import pack, writing
from tco.session import Scenario
from tco.wording import fixed
from tco.workbook.verify import verified
from tests.report.pages import Page
from tests.request.shop import TEXT, changed

FILES = {"a.html", "a.xlsx", "a-quotes.csv", "a-request.yaml", "a-request.html", "a-request.json"}
Call = Callable[..., Result]


build = pack.build
KNOWN: dict[tuple[str, str | None], pack.Pack] = {}


def remembered(scenario: Scenario, name: str, fleet: str | None, printed: Callable[[str], bytes] | None) -> pack.Pack:
    """Packs of texts that were asked for already: what is built does not depend on the folder."""
    key = scenario.document.sha256, fleet
    if printed or key not in KNOWN:
        made = build(scenario, name, fleet, printed)
        if printed:
            return made
        KNOWN[key] = made
    return KNOWN[key]


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Call:
    """`ask("--fleet", "own", text=…)` writes a.yaml and its pack into out/; with `anew` nothing is remembered."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str, text: str = TEXT, anew: bool = False) -> Result:
        Path("a.yaml").write_text(text, encoding="utf-8")
        monkeypatch.setattr(pack, "build", build if anew else remembered)
        return CliRunner().invoke(main, ["request", "a.yaml", "--out", "out", *arguments])

    return call


def written() -> set[str]:
    return {path.name for path in Path("out").iterdir()} - {".a.tco"} if Path("out").exists() else set()


def digest(name: str) -> str:
    return hashlib.sha256(Path("out", name).read_bytes()).hexdigest()


def test_digests_tie_the_files_together(ask: Call) -> None:
    done = ask("--fleet", "own")
    assert (done.exit_code, written()) == (0, FILES)
    assert (
        done.stdout.splitlines()[0]
        == f"own: {fixed((4 * 265450 + 2 * 38900.5 + 24 * 1120 + 12500 - 3000 + 38400) * 1.09, 2)} USD"
    )
    page = Page(Path("out/a-request.html").read_text("utf-8"))
    on_cover = {row[0][0]: row[2][0] for row in page.rows("files")[1:]}
    assert on_cover == {name: digest(name) for name in FILES - {"a-request.html", "a-request.json"}}
    held = json.loads(Path("out/a-request.json").read_text("utf-8"))
    assert {one["name"]: one["sha256"] for one in held["files"]} == {
        name: digest(name) for name in FILES - {"a-request.json"}
    }
    assert Path("out/a-request.yaml").read_bytes() == Path("a.yaml").read_bytes()
    assert held["scenario"]["sha256"] == digest("a-request.yaml")


def test_the_same_numbers_stand_in_all_of_them(ask: Call) -> None:
    ask("--fleet", "own")
    held = json.loads(Path("out/a-request.json").read_text("utf-8"))
    amount = held["amount"]
    assert amount["value"] == pytest.approx(sum(part["value"] for part in amount["parts"]), abs=0.005)
    rows = list(csv.DictReader(io.StringIO(Path("out/a-quotes.csv").read_text("utf-8"))))
    awarded = sum(float(row["amount_converted"]) * float(row["awarded_share"]) for row in rows)
    assert amount["value"] == round(awarded, 2)
    book = openpyxl.load_workbook("out/a.xlsx", data_only=True)
    cells = [cell.value for sheet in book for row in sheet.iter_rows() for cell in row if isinstance(cell.value, float)]
    parts = {part["line"]: part["value"] for part in amount["parts"]}
    for line in ("hardware_cost", "network_cost", "quoted_installation_cost"):
        assert any(value == pytest.approx(parts[line], abs=0.005) for value in cells), line
    assert verified(Path("out/a.xlsx"))[1]


def test_the_workbook_is_that_of_a_run_so_that_readback_finds_nothing_added(ask: Call) -> None:
    ask("--fleet", "own")
    assert CliRunner().invoke(main, ["run", "a.yaml", "--out", "ran", "--only", "xlsx"]).exit_code == 0
    assert Path("ran/a.xlsx").read_bytes() == Path("out/a.xlsx").read_bytes()


def test_the_report_of_the_pack_tells_the_rules(ask: Call) -> None:
    ask("--fleet", "own", text=changed(("{amount: 2000000 USD,", "{amount: 1 USD,")))
    assert "Budget: the amount is" in Path("out/a.html").read_text("utf-8")


def test_twice_gives_the_same_bytes_and_is_not_refused(ask: Call) -> None:
    ask("--fleet", "own")
    before = {name: digest(name) for name in FILES}
    assert ask("--fleet", "own", anew=True).exit_code == 0
    assert {name: digest(name) for name in FILES} == before


def test_a_run_and_a_request_know_each_others_workbooks_and_keep_edited_ones(ask: Call) -> None:
    run = ["run", "a.yaml", "--out", "out", "--only", "xlsx"]
    ask("--fleet", "own")
    assert CliRunner().invoke(main, run).exit_code == 0
    assert ask("--fleet", "own").exit_code == 0
    Path("out/a.xlsx").write_bytes(b"edited")
    refused = "out/a.xlsx: was changed since tco wrote it, or not written by it; choose another --out"
    for done in (CliRunner().invoke(main, run), ask("--fleet", "own")):
        assert done.exit_code == 4
        assert refused in done.stderr
    assert Path("out/a.xlsx").read_bytes() == b"edited"


@pytest.mark.parametrize("name", ["a.xlsx", "a-request.html"])
def test_what_somebody_changed_is_kept(ask: Call, name: str) -> None:
    ask("--fleet", "own")
    before = {file: digest(file) for file in FILES}
    Path("out", name).write_bytes(b"edited")
    done = ask("--fleet", "cloud")
    assert done.exit_code == 4
    assert name in done.stderr
    assert "--force" in done.stderr
    assert Path("out", name).read_bytes() == b"edited"
    assert {file: digest(file) for file in FILES - {name}} == {file: before[file] for file in FILES - {name}}
    assert ask("--fleet", "cloud", "--force").exit_code == 0


@pytest.mark.parametrize("fails_at", range(7))
def test_all_files_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails_at: int) -> None:
    """Seven renames: two files step aside and are replaced, one is new, one is taken away; then all is done."""
    for name in ("a", "b", "old"):
        (tmp_path / name).write_text(f"before {name}")
    real, calls = os.replace, list[object]()

    def broken(source: Path, target: Path) -> None:
        calls.append(source)
        if len(calls) == fails_at + 1:
            raise OSError(28, "No space left on device")
        real(source, target)

    monkeypatch.setattr(writing.os, "replace", broken)
    if fails_at < 6:
        with pytest.raises(OutputError, match="no space left"):
            writing.write_together(tmp_path, {"a": b"1", "b": b"2", "c": b"3"}, ["old"])
        assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {
            name: f"before {name}" for name in ("a", "b", "old")
        }
    else:
        writing.write_together(tmp_path, {"a": b"1", "b": b"2", "c": b"3"}, ["old"])
        assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a": "1", "b": "2", "c": "3"}


@pytest.mark.parametrize("asks_at", [0, 2, 5])
def test_who_asks_to_stop_waits_for_all_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asks_at: int) -> None:
    for name in ("a", "manifest"):
        (tmp_path / name).write_text("before")
    real, seen = os.replace, list[set[str]]()

    def asking(source: Path, target: Path) -> None:
        if len(seen) == asks_at:
            signal.raise_signal(signal.SIGTERM)
        real(source, target)
        seen.append({path.name for path in tmp_path.iterdir() if path.is_file()})

    def stop(*_: object) -> None:
        raise SystemExit(143)

    monkeypatch.setattr(writing.os, "replace", asking)
    before = signal.signal(signal.SIGTERM, stop)
    try:
        with pytest.raises(SystemExit):
            writing.write_together(tmp_path, {"a": b"after", "b": b"after", "c": b"after", "manifest": b"after"})
        assert signal.getsignal(signal.SIGTERM) is stop
    finally:
        signal.signal(signal.SIGTERM, before)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == dict.fromkeys(
        ("a", "b", "c", "manifest"), "after"
    )
    assert all("manifest" not in names for names in seen[:-1])  # killed in between, no manifest claims a whole pack


def test_the_manifest_is_the_last_file_of_a_pack(ask: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    names = list[str]()
    real = os.replace
    monkeypatch.setattr(writing.os, "replace", lambda source, target: (names.append(target.name), real(source, target)))
    ask("--fleet", "own")
    assert names[0] == ".a.tco"  # as `tco run`: what is known of a workbook stands there before it
    assert names[-1] == "a-request.json"
    assert set(names) == {*FILES, ".a.tco"}


def test_nothing_is_left_where_nothing_could_be_written(ask: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(writing.os, "replace", broken)
    assert ask("--fleet", "own").exit_code == 4
    assert not Path("out").exists()
    with pytest.raises(OutputError):
        writing.write_together(Path("new/deep/out"), {"a": b"1"})
    assert not Path("new").exists()


def test_a_folder_in_the_place_of_a_file_is_told(ask: Call) -> None:
    Path("out/a.html").mkdir(parents=True)
    done = ask("--fleet", "own")
    assert (done.exit_code, written()) == (4, {"a.html"})


def test_a_pack_without_offers_takes_away_its_old_table(ask: Call) -> None:
    ask("--fleet", "own")
    head, rest = TEXT.split("quotes:\n", 1)
    done = ask("--fleet", "cloud", text=head + rest[rest.index("request:") :])
    assert (done.exit_code, written()) == (0, FILES - {"a-quotes.csv"})


def test_a_manifest_of_somebody_else_takes_nothing_away(ask: Call, tmp_path: Path) -> None:
    ask("--fleet", "own")
    (tmp_path / "mine.txt").write_text("mine")
    entry = {"name": "../mine.txt", "sha256": hashlib.sha256(b"mine").hexdigest()}
    Path("out/a-request.json").write_text(json.dumps({"files": [entry]}))
    ask("--fleet", "own", "--force")
    assert (tmp_path / "mine.txt").read_text() == "mine"


def test_the_table_of_quotes_holds_no_formula(ask: Call) -> None:
    item, supplier = '=HYPERLINK("http://x")', "@SUM(1)"
    text = changed(("item: GPU server", f"item: '{item}'"), ("supplier: Meridian", f"supplier: '{supplier}'"))
    assert ask("--fleet", "own", text=text).exit_code == 0
    rows = list(csv.DictReader(io.StringIO(Path("out/a-quotes.csv").read_text("utf-8"))))
    assert rows[0]["item"] == f"'{item}"
    assert rows[-1]["supplier"] == f"'{supplier}"


def test_errors_have_their_exit_codes(ask: Call) -> None:
    assert ask("--fleet", "nobody").exit_code == 1
    assert ask(text=TEXT.replace("needed_by: 2027-03-01", "needed_by: soon")).exit_code == 1
    assert ask("--flet", "own").exit_code == 2
    assert not Path("out").exists()
