"""`tco diff` as it is called: text, JSON, exit codes, workbooks and results as sides."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tco.cli import main
from tests.cli.conftest import BASE, changed

NEW = changed(("0.12 USD", "0.2 USD"), ("pue: 1.4", "pue: 1.3"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.yaml").write_text(BASE)
    (tmp_path / "b.yaml").write_text(NEW)
    return tmp_path


def called(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["diff", *map(str, arguments)])


def test_differences_are_no_failure(folder: Path) -> None:
    done = called(folder / "a.yaml", folder / "b.yaml")
    assert done.exit_code == 0
    why = done.stdout.split("own: why it moved\n")[1]
    rows = re.findall(r"^  (electricity\.price|cooling\.pue|together) +\S*\d", why, re.MULTILINE)
    assert rows[:3] == ["electricity.price", "cooling.pue", "together"], "the largest first, the sum last"


def test_no_difference_says_so(folder: Path) -> None:
    done = called(folder / "a.yaml", folder / "a.yaml")
    assert done.exit_code == 0
    assert "no input differs" in done.stdout
    told = json.loads(called(folder / "a.yaml", folder / "a.yaml", "--json").stdout)
    assert told["same"] is True
    assert told["bridges"] == []


def test_json_holds_what_the_documents_say(folder: Path) -> None:
    done = called(folder / "a.yaml", folder / "b.yaml", "--json")
    told = json.loads(done.stdout)
    for bridge in told["bridges"]:
        assert sum(step["effect"] for step in bridge["steps"]) == pytest.approx(bridge["move"], rel=1e-9, abs=1e-12)
    assert done.stdout == called(folder / "a.yaml", folder / "b.yaml", "--json").stdout
    document = (Path(__file__).parents[2] / "docs/results.md").read_text().split("## Two scenarios compared")[1]
    documented = set(re.findall(r"^\| `([^`]+)` \|", document.split("\n## ")[0], re.MULTILINE))
    assert documented == set(keys(told, ""))


FREE = ("old.engine", "old.issued", "new.engine", "new.issued")


def keys(value: object, path: str) -> list[str]:
    """Paths as in docs/results.md; what holds free keys is not opened."""
    if isinstance(value, dict) and path not in FREE:
        pairs = [(f"{path}.{key}".strip("."), item) for key, item in value.items()]
        return [one for here, item in pairs for one in (here, *keys(item, here))]
    if isinstance(value, list):
        return list(dict.fromkeys(one for item in value for one in keys(item, f"{path}[]")))
    return []


def test_a_line_by_name_and_one_that_is_none(folder: Path) -> None:
    told = json.loads(called(folder / "a.yaml", folder / "b.yaml", "--json", "--line", "energy_cost").stdout)
    assert {bridge["line"] for bridge in told["bridges"]} == {"energy_cost"}
    wrong = called(folder / "a.yaml", folder / "b.yaml", "--line", "energycost")
    assert wrong.exit_code == 1
    assert "did you mean `energy_cost`?" in wrong.stderr


def test_a_wrong_scenario_is_told_with_its_place(folder: Path) -> None:
    (folder / "b.yaml").write_text(NEW.replace("horizon: 2 yr", "horizon: 2 kW"))
    done = called(folder / "a.yaml", folder / "b.yaml")
    assert done.exit_code == 1
    assert "b.yaml:5:" in done.stderr
    assert called(folder / "a.yaml", folder / "none.yaml").exit_code == 1


def test_the_output_is_not_overwritten(folder: Path) -> None:
    out = folder / "why.xlsx"
    both = (folder / "a.yaml", folder / "b.yaml", "--out", out)
    assert called(*both).exit_code == 0
    first = out.read_bytes()
    refused = called(*both)
    assert refused.exit_code == 4
    assert "--force" in refused.stderr
    assert called(*both, "--force").exit_code == 0
    assert out.read_bytes() == first, "the same comparison gives the same bytes"
    assert called(folder / "a.yaml", folder / "b.yaml", "--out", folder / "why.pdf").exit_code == 2


def test_a_workbook_and_a_result_stand_for_their_scenario(folder: Path) -> None:
    run = ["run", str(folder / "a.yaml"), "--out", str(folder), "--only", "xlsx,json"]
    assert CliRunner().invoke(main, run).exit_code == 0
    plain = json.loads(called(folder / "a.yaml", folder / "b.yaml", "--json").stdout)
    for name, kind in (("a.xlsx", "workbook"), ("a.json", "result")):
        told = json.loads(called(folder / name, folder / "b.yaml", "--json").stdout)
        assert told["old"]["kind"] == kind
        assert told["old"]["issued"] == told["old"]["engine"]
        assert told["bridges"] == plain["bridges"]
        assert not any("issued with" in note or "was issued at" in note for note in told["notes"])
    same = called(folder / "a.xlsx", folder / "a.json")
    assert "no input differs" in same.stdout
    if importlib.util.find_spec("tco.readback") is None:
        assert "what was edited in its cells is not read" in same.stdout


def test_what_was_edited_in_a_workbook_is_compared_or_told(folder: Path) -> None:
    """With `tco readback` at hand the edit is a change; without, a note says that edits are not read."""
    import openpyxl

    run = ["run", str(folder / "a.yaml"), "--out", str(folder), "--only", "xlsx"]
    assert CliRunner().invoke(main, run).exit_code == 0
    book: Any = openpyxl.load_workbook(folder / "a.xlsx")
    sheet, cell = next(iter(book.defined_names["in_electricity_price"].destinations))
    assert book[sheet][cell].value == 0.12
    book[sheet][cell].value = 0.2
    book.save(folder / "edited.xlsx")
    told = json.loads(called(folder / "a.yaml", folder / "edited.xlsx", "--json").stdout)
    if importlib.util.find_spec("tco.readback") is None:
        assert told["same"]
        assert any("is not read" in note for note in told["notes"])
    else:
        assert [(one["path"], one["new"]["value"]) for one in told["changes"]] == [("electricity.price", 0.2)]
        assert [step["label"] for step in told["bridges"][0]["steps"]] == ["electricity.price"]
        assert any("1 value edited in its cells" in note for note in told["notes"])


def test_a_result_of_another_engine_is_told_with_its_numbers(folder: Path) -> None:
    run = ["run", str(folder / "a.yaml"), "--out", str(folder), "--only", "json"]
    assert CliRunner().invoke(main, run).exit_code == 0
    held = json.loads((folder / "a.json").read_text())
    held["engine"]["catalogue"] = "0123456789ab"
    held["fleets"][0]["lines"][held["headline"]]["value"] *= 2
    (folder / "a.json").write_text(json.dumps(held))
    told = called(folder / "a.json", folder / "b.yaml").stdout
    assert "issued with catalogue 0123456789ab" in told
    assert "own was issued at" in told


def test_a_result_without_its_scenario_is_refused(folder: Path) -> None:
    run = ["run", str(folder / "a.yaml"), "--out", str(folder / "out"), "--only", "json"]
    assert CliRunner().invoke(main, run).exit_code == 0
    (folder / "a.yaml").write_text(NEW)
    done = called(folder / "out" / "a.json", folder / "b.yaml")
    assert done.exit_code == 1
    assert "a.yaml with digest" in done.stderr
    (folder / "out" / "a.json").write_text("[1]")
    assert "is not a result" in called(folder / "out" / "a.json", folder / "b.yaml").stderr


def test_what_is_no_workbook_of_tco_is_refused(folder: Path) -> None:
    import openpyxl

    openpyxl.Workbook().save(folder / "other.xlsx")
    done = called(folder / "other.xlsx", folder / "b.yaml")
    assert done.exit_code == 1
    assert "no scenario on a sheet Log" in done.stderr
    (folder / "broken.xlsx").write_bytes(b"PK\x03\x04 not a zip")
    assert called(folder / "broken.xlsx", folder / "b.yaml").exit_code == 1


def test_files_of_a_scenario_are_found_from_their_own_folder(folder: Path) -> None:
    text = BASE.replace("currency: USD\n", "currency: USD\ncatalogue: mine\n")
    for name, price in (("one", "300000"), ("two", "330000")):
        (folder / name / "mine").mkdir(parents=True)
        shipped = (Path(__file__).parents[2] / "tco/catalogue/systems.csv").read_text().splitlines()
        rows = [line for line in shipped[1:] if line.startswith("hgx-h200-srv,")]
        changed_rows = [re.sub(r"^(hgx-h200-srv,system_price),[^,]*", rf"\1,{price}", row) for row in rows]
        assert changed_rows != rows
        (folder / name / "mine" / "systems.csv").write_text("\n".join([shipped[0], *changed_rows]) + "\n")
        (folder / name / "s.yaml").write_text(text)
    told = json.loads(called(folder / "one/s.yaml", folder / "two/s.yaml", "--json").stdout)
    assert [change["path"] for change in told["changes"]] == ["catalogue"]
    assert [step["label"] for step in told["bridges"][0]["steps"]] == ["catalogue"]
    (folder / "two/mine/systems.csv").write_bytes((folder / "one/mine/systems.csv").read_bytes())
    assert json.loads(called(folder / "one/s.yaml", folder / "two/s.yaml", "--json").stdout)["same"] is True
