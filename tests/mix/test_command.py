"""`tco mix` as it is called: text, JSON, the plan as a file, workbook, page, exit codes."""

# pyright: basic
from __future__ import annotations

import dataclasses
import io
import json
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import openpyxl
import pytest
from click.testing import CliRunner, Result

from tco.cli import main
from tco.mix import Mixed, plan
from tco.mix import highs as scipy_parts
from tco.mix.solving import Solution
from tco.mix.words import cautions, proof, text_of
from tco.mix.worth import Worth
from tco.report.mix import render
from tco.session import loads
from tco.workbook.mix import build
from tests.mix.conftest import with_mix
from tests.report.pages import HOSTILE, Page

TEXT = with_mix("{power: 40 kW, largest_share: 90 %, carbon: 300 tCO2e}", ("step: quarter", "step: year"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.yaml").write_text(TEXT, encoding="utf-8")
    return tmp_path


@pytest.fixture(scope="module")
def found() -> Mixed:
    return plan(loads(TEXT))


def called(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["mix", *map(str, arguments)])


def test_the_plan_is_a_scenario_that_runs_at_the_cost_that_was_told(folder: Path) -> None:
    done = called(folder / "a.yaml", "--write", folder / "plan.yaml", "--no-worth")
    assert done.exit_code == 0, done.output
    told = re.search(r"present cost ([\d,]+) USD, proven the cheapest", done.stdout)
    assert told
    result = loads((folder / "plan.yaml").read_text(encoding="utf-8")).run()
    total = sum(float(fleet.raw("present_cost")) for fleet in result.fleets)  # type: ignore[arg-type]
    assert f"{total:,.0f}" == told[1]
    ran = CliRunner().invoke(main, ["run", str(folder / "plan.yaml"), "--out", str(folder), "--require-fit"])
    assert ran.exit_code == 0, ran.output


def test_the_plan_has_a_workbook_that_verifies_and_a_bridge_from_its_scenario(folder: Path) -> None:
    """The file that `tco run` takes is a scenario like any other: formulas equal the engine, and diff explains it."""
    assert called(folder / "a.yaml", "--write", folder / "plan.yaml", "--no-worth").exit_code == 0
    run = CliRunner().invoke(main, ["run", str(folder / "plan.yaml"), "--out", str(folder), "--only", "xlsx,json"])
    assert run.exit_code == 0, run.output
    pytest.importorskip("formualizer")
    verified = CliRunner().invoke(main, ["verify", str(folder / "plan.xlsx")])
    assert verified.exit_code == 0, verified.output
    assert " 0 differ" in verified.output
    diff = CliRunner().invoke(main, ["diff", str(folder / "a.yaml"), str(folder / "plan.yaml")])
    assert diff.exit_code == 0, diff.output
    assert re.search(r"serves\.c\w+ +[+\u2212]", diff.output)


def test_json_holds_what_the_documents_say(folder: Path) -> None:
    done = called(folder / "a.yaml", "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["present_cost"] == pytest.approx(told["optimiser_cost"], rel=1e-9)
    assert sum(fleet["present_cost"] for fleet in told["fleets"]) == pytest.approx(told["present_cost"])
    document = (Path(__file__).parents[2] / "docs" / "mix.md").read_text(encoding="utf-8")
    documented = set(re.findall(r"^\| `([^`]+)` \|", document.split("## JSON")[1].split("\n## ")[0], re.MULTILINE))
    assert documented == set(keys(told, ""))
    assert done.stdout == called(folder / "a.yaml", "--json").stdout


def keys(value: object, path: str) -> list[str]:
    if isinstance(value, dict):
        pairs = [(f"{path}.{'{}' if path.endswith('shares') else key}".strip("."), item) for key, item in value.items()]
        return [one for here, item in pairs for one in (here, *keys(item, here))]
    if isinstance(value, list):
        return list(dict.fromkeys(one for item in value for one in keys(item, f"{path}[]")))
    return []


@pytest.mark.parametrize("option", ["--write", "--out", "--html"])
def test_what_is_there_is_not_overwritten(folder: Path, option: str) -> None:
    path = folder / {"--write": "b.yaml", "--out": "b.xlsx", "--html": "b.html"}[option]
    path.write_text("mine")
    done = called(folder / "a.yaml", option, path)
    assert done.exit_code == 4
    assert "exists already" in done.output
    assert path.read_text() == "mine"
    assert called(folder / "a.yaml", option, path, "--force", "--no-worth").exit_code == 0
    assert path.read_bytes() != b"mine"


def test_no_plan_is_an_error_in_words(folder: Path) -> None:
    (folder / "b.yaml").write_text(TEXT.replace("power: 40 kW", "power: 1 kW, fleets: [own]"), encoding="utf-8")
    done = called(folder / "b.yaml")
    assert done.exit_code == 1
    assert "no plan keeps the limits" in done.output
    assert called(folder / "a.yaml", "--out", folder / "a.txt").exit_code == 2
    assert called(folder / "missing.yaml").exit_code == 1


def test_without_scipy_the_extra_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        if name.startswith("scipy"):
            raise ImportError(name)
        return import_module(name)

    monkeypatch.setattr(scipy_parts, "import_module", missing)
    done = called(folder / "a.yaml")
    assert done.exit_code == 1
    assert "install the extra `analysis`" in done.output


def test_a_plan_that_is_not_proven_says_how_far_it_may_be_off(found: Mixed) -> None:
    solution = dataclasses.replace(found.plan.solution, proven=False, gap=0.0123)
    unsure = dataclasses.replace(found.plan, solution=solution)
    assert proof(Mixed(unsure)) == "not proven the cheapest: another may cost up to 1.23 % less"
    assert isinstance(solution, Solution)
    told = Worth("power", "kW", 1.0, [40.0], [40.0], unit_saving=5.0, without=9.0, exact=False)
    assert "is worth 5 USD (not proven); without the limit 9" in text_of(dataclasses.replace(found, worths=[told]))


def test_what_is_not_counted_is_said(found: Mixed) -> None:
    assert "carbon of cloud and api is not known and not counted against the limit" in cautions(found)
    assert "largest share" in text_of(found)


def test_the_workbook_ties_and_turns_stale(found: Mixed, tmp_path: Path) -> None:
    raw = build(found)
    assert raw == build(found)
    book = openpyxl.load_workbook(io.BytesIO(raw), data_only=True)
    assert book.sheetnames == ["Summary", "Systems", "Shares", "Checks"]
    assert book["Checks"]["B3"].value == "ALL CHECKS PASS"
    assert book["Summary"]["B7"].value == "current"
    costs = [cell.value for cell in book["Summary"]["C"][9 : 9 + len(found.plan.parts)]]
    assert sum(costs) == pytest.approx(found.plan.cost)
    pytest.importorskip("formualizer")
    from tco.workbook.opened import read
    from tco.workbook.verify import differences, recomputed

    path = tmp_path / "mix.xlsx"
    path.write_bytes(raw)
    opened = read(path)
    cells = set(opened.formulas)
    assert differences(opened.values, recomputed(path, cells), cells) == []
    live = openpyxl.load_workbook(io.BytesIO(raw))
    live["Summary"]["B6"] = "0123456789abcdef"
    live["Summary"]["C10"] = 1.0
    live.save(path)
    edited = recomputed(path, cells)
    assert edited["Summary", 7, 2].startswith("STALE")
    assert edited["Checks", 3, 2] == "CHECKS FAILED"


def test_the_page_holds_the_plan_and_text_stays_text(found: Mixed) -> None:
    page = Page(render(found))
    assert not page.strays
    assert page.text("h1") == ["small"]
    assert f"{found.plan.engine_cost:,.0f}" in page.source
    for text in HOSTILE.values():
        name = {"title": text}
        scenario = found.plan.asked.loaded.content.model_copy(update=name)
        loaded = dataclasses.replace(found.plan.asked.loaded, content=scenario)
        asked = dataclasses.replace(found.plan.asked, loaded=loaded)
        parts = [dataclasses.replace(part, name=text) for part in found.plan.parts]
        hostile = dataclasses.replace(found, plan=dataclasses.replace(found.plan, asked=asked, parts=parts))
        spoiled = Page(render(hostile))
        assert not spoiled.strays
        assert [element for element, _ in spoiled.elements] == [element for element, _ in page.elements]
        build(hostile)


STOPPED = """
import _thread, os, time
from tco import cli
from tco.mix import highs

whole, leave = highs.apart, os._exit
os._exit = lambda code: (os.write(2, b"left at once"), leave(code))

def stopped(task, *arguments, **options):
    if task.__name__ != "milp":
        return whole(task, *arguments, **options)
    def endless(*_, **__):
        _thread.interrupt_main()
        time.sleep(60)
    return whole(endless)

import tco.mix.solving
tco.mix.solving.apart = stopped
cli.main(["mix", "a.yaml", "--write", "plan.yaml"])
"""


def test_ctrl_c_while_it_solves_ends_at_once_with_130(folder: Path) -> None:
    """The thread of HiGHS is left behind; its end must not turn the exit into an abort."""
    done = subprocess.run([sys.executable, "-c", STOPPED], cwd=folder, capture_output=True, timeout=50, check=False)
    assert (done.returncode, done.stdout) == (130, b"")
    assert done.stderr.decode() == "interrupted; files already written are whole\nleft at once"
    assert not (folder / "plan.yaml").exists()
