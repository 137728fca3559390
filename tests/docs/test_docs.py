"""The documents say what is: generated parts are current, examples run, links lead somewhere, names exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tco.lines.library import ALL
from tco.printers import excel, javascript, python, text
from tco.scenario.schema import Scenario
from tco.session import loads
from tco.units import CONSTANTS
from tco.workbook import places
from tests.docs.generate import BLOCKS, MARKED, PAGES, ROOT, SCENARIO, filled, marks
from tests.docs.meanings import MEANINGS
from tests.docs.result_tables import codes, json_keys
from tests.docs.scenario_tables import ORDER, all_sections, schema_leaves

DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
LINK = re.compile(r"\[[^\]]*\]\(([^)#:\s]+)(#[^)\s]+)?\)")
WRITE = "run `python -m tests.docs.generate`"


def read(page: str | Path) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_generated_parts_are_current(page: str) -> None:
    held, made = read(page), filled(read(page))
    stale = [one[2] for one, two in zip(MARKED.finditer(held), MARKED.finditer(made), strict=True) if one[3] != two[3]]
    assert not stale, WRITE
    assert held == made, WRITE


def test_every_generated_part_stands_somewhere() -> None:
    assert {name for page in PAGES for name in marks(page)} == set(BLOCKS)


def test_every_chapter_is_introduced() -> None:
    parts = re.split(r"^## ", read("docs/model.md"), flags=re.MULTILINE)
    told = {
        mark: part.split("<!--")[0] for part in parts for mark in ALL if f"<!-- generated: chapter {mark} -->" in part
    }
    assert set(told) == set(ALL)
    assert not [mark for mark, part in told.items() if len(part.split()) < 20]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    broken = [match[1] for match in LINK.finditer(read(path)) if not (path.parent / match[1]).exists()]
    assert not broken


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_scenarios_and_modules_that_are_named_exist(path: Path) -> None:
    named = re.findall(r"`((?:scenarios|tests|tco)/[\w./-]+\.(?:yaml|py|csv))`", read(path))
    assert not [name for name in named if not (ROOT / name).exists()]


EXAMPLES = [(path.name, text) for path in DOCUMENTS for text in SCENARIO.findall(read(path))]


@pytest.mark.parametrize(
    ("page", "example"), EXAMPLES, ids=[f"{page}-{index}" for index, (page, _) in enumerate(EXAMPLES)]
)
def test_a_whole_scenario_in_a_document_runs_and_does_the_work(page: str, example: str) -> None:
    result = loads(example, page).run()
    assert {fleet.verdict for fleet in result.fleets} == {"ok"}
    assert "ignored" not in {alert.code for alert in result.warnings}


def test_python_in_documents_is_python() -> None:
    for path in DOCUMENTS:
        for block in re.findall(r"```python\n(.*?)```", read(path), re.DOTALL):
            compile(block, path.name, "exec")


def test_every_key_of_the_json_is_documented_and_no_other() -> None:
    section = read("docs/results.md").split("## JSON")[1].split("## CSV")[0]
    told = set(re.findall(r"^\| `([^`]+)` \|", section, flags=re.MULTILINE))
    assert told == json_keys()


def test_every_warning_is_documented_and_no_other() -> None:
    section = read("docs/results.md").split("## Warnings")[1].split("## Exit codes")[0]
    assert set(re.findall(r"^\| `([^`]+)` \|", section, flags=re.MULTILINE)) == codes()


def test_exit_codes_are_those_of_the_command_line() -> None:
    from tco import cli

    section = read("docs/results.md").split("## Exit codes")[1]
    told = {int(code) for code in re.findall(r"^\| (\d+) \|", section, flags=re.MULTILINE)}
    assert told == {cli.DONE, cli.WRONG, cli.USAGE, cli.SOME_FAILED, cli.NOT_WRITTEN, cli.INTERRUPTED}


def test_no_meaning_is_left_of_a_key_that_is_gone() -> None:
    sections = all_sections(Scenario)
    keys = {f"{name}.{key}" for name in ORDER for key in sections[name].model_fields}
    assert not set(MEANINGS) - keys


def test_every_word_of_the_printers_is_shown() -> None:
    shown = read("docs/vocabulary.md")
    plain = {"add", "sub", "mul", "div", "neg", "pow", "lt", "le", "gt", "ge", "total_product"}
    words = {op.removeprefix("window_").removesuffix("_by").removesuffix("_within") for op in python.ROWS} - plain
    assert not [word for word in words | {"lag", "compound", "one"} if f"`{word}(" not in shown]
    assert all(f"| `{name}` |" in shown for name in CONSTANTS)
    assert excel, javascript and text


def test_every_sheet_of_the_workbook_is_described() -> None:
    shown = read("docs/workbook.md")
    sheets = (places.COVER, places.SUMMARY, places.INPUTS, places.QUOTES, places.TIME, places.UNITS, places.COMPARE,
              places.CHECKS, places.DATA, places.METHOD, places.LOG, "Calc_…")  # fmt: skip
    assert all(f"| {name} |" in shown for name in sheets)


def test_every_input_that_a_key_feeds_is_in_the_model_document() -> None:
    shown = read("docs/model.md")
    assert not [name for name in schema_leaves(Scenario) if f"| `{name}` |" not in shown]


def test_readme_begins_with_the_two_commands() -> None:
    commands = [line for line in read("README.md").splitlines() if line.startswith("make ")]
    assert [line.split()[1] for line in commands[:2]] == ["demo", "test"]
