"""Every command: help with an example, exit codes, what goes to stdout and what to stderr."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path

import click
import jsonschema
import pytest
from click.testing import Result
from ruamel.yaml import YAML

from tco.cli import main
from tests.cli.conftest import BASE, changed

Tco = Callable[..., Result]
Write = Callable[..., Path]


def commands(group: click.Group, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], click.Command]]:
    found: list[tuple[tuple[str, ...], click.Command]] = []
    for name, command in group.commands.items():
        found += commands(command, (*path, name)) if isinstance(command, click.Group) else [((*path, name), command)]
    return found


@pytest.mark.parametrize(("path", "command"), commands(main), ids=lambda part: part if isinstance(part, str) else "")
def test_every_command_has_help_with_an_example_that_parses(
    tco: Tco, path: tuple[str, ...], command: click.Command
) -> None:
    told = tco(*path, "--help")
    assert told.exit_code == 0
    example = next(line for line in told.stdout.splitlines() if "Example:" in line)
    words = shlex.split(example.split("tco ", 1)[1].split(" > ")[0])
    assert tuple(words[: len(path)]) == path
    command.make_context("x", words[len(path) :])


@pytest.mark.parametrize(
    "arguments",
    [["runn"], ["run"], ["run", "a.yaml", "--onyl", "json"], ["run", "a.yaml", "--only", "xslx"],
     ["run", "a.yaml", "--only", ","], ["new", "a.yaml", "--kind", "poem"], ["check"], ["catalogue", "shwo"]],
)  # fmt: skip
def test_usage_errors_exit_2_and_say_so_on_stderr(tco: Tco, scenario: Write, arguments: list[str]) -> None:
    scenario()
    told = tco(*arguments)
    assert told.exit_code == 2
    assert not told.stdout
    assert told.stderr


def test_new_check_run_and_explain_work_one_after_the_other(tco: Tco, tmp_path: Path) -> None:
    for kind in ("inference", "training", "finetune"):
        told = tco("new", f"{kind}.yaml", "--kind", kind)
        assert (told.exit_code, told.stderr) == (0, "")
        assert tco("check", f"{kind}.yaml").stdout == f"{kind}.yaml: no problem found\n"
    told = tco("run", "inference.yaml", "--only", "json,csv", "--out", "out")
    assert (told.exit_code, told.stderr) == (0, "")
    assert sorted(item.name for item in (tmp_path / "out").iterdir()) == ["inference.csv", "inference.json"]


def test_new_never_overwrites(tco: Tco, scenario: Write) -> None:
    path = scenario("mine")
    told = tco("new", "a.yaml")
    assert told.exit_code == 4
    assert told.stderr == "a.yaml: exists already; choose another name or remove it\n"
    assert path.read_text() == "mine"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("electricity_cost", ["Electricity, energy", "energy", "0.12 USD/kWh", "api: ", "is not here"]),
        ("electricity_price", ["0.12 USD/kWh", "read by electricity_cost"]),
        ("repair_cost", ["is not here: no repair is given"]),
        ("cost_per_million_useful_tokens", ["USD/Mtoken"]),
    ],
)
def test_explain_shows_lines_inputs_and_what_is_absent(tco: Tco, scenario: Write, line: str, words: list[str]) -> None:
    scenario()
    told = tco("explain", "a.yaml", line)
    assert told.exit_code == 0, told.stderr
    for word in words:
        assert word in told.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["electricity_csot"], "did you mean `electricity_cost`?"),
        (["electricity_cost", "--fleet", "owm"], "is not a fleet of this scenario"),
        (["--fleet", "owm"], "is not a fleet of this scenario"),
    ],
)
def test_explain_refuses_names_that_are_not_there(tco: Tco, scenario: Write, arguments: list[str], words: str) -> None:
    scenario()
    told = tco("explain", "a.yaml", *arguments)
    assert (told.exit_code, told.stdout) == (1, "")
    assert words in told.stderr


def test_explain_without_a_line_lists_lines_and_defaults(tco: Tco, scenario: Write) -> None:
    scenario()
    told = tco("explain", "a.yaml", "--fleet", "own")
    assert told.exit_code == 0
    assert "planning_ceiling = 0.9" in told.stdout
    assert "defaults taken" in told.stdout


def test_the_catalogue_lists_every_kind_and_shows_its_first_entry(tco: Tco) -> None:
    kinds = [line.split()[0] for line in tco("catalogue", "list").stdout.splitlines()[2:]]
    assert {"accelerators", "systems", "models", "rentals", "apis"} <= set(kinds)
    for kind in kinds:
        listed = tco("catalogue", "list", kind)
        assert listed.exit_code == 0, kind
        first = listed.stdout.splitlines()[2].split()[0]
        assert tco("catalogue", "show", kind, first).exit_code == 0, (kind, first)
    assert "no-such" in tco("catalogue", "list", "systems", "--tier", "no-such").stderr


@pytest.mark.parametrize("arguments", [["list", "sistems"], ["show", "systems", "hgx-h2000-srv"], ["show", "x", "y"]])
def test_the_catalogue_refuses_what_it_does_not_hold(tco: Tco, arguments: list[str]) -> None:
    told = tco("catalogue", *arguments)
    assert (told.exit_code, told.stdout) == (1, "")
    assert told.stderr.count("\n") == 1


def test_the_schema_is_json_schema_and_takes_the_scenario(tco: Tco) -> None:
    schema = json.loads(tco("schema").stdout)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    text = json.dumps(schema)
    assert all(f'"{name}"' in text for name in [part.split("/")[-1] for part in _references(schema)])
    jsonschema.Draft202012Validator.check_schema(schema)
    data = json.loads(json.dumps(YAML(typ="safe").load(BASE), default=str))
    jsonschema.validate(data, schema)


def _references(part: object) -> list[str]:
    if isinstance(part, dict):
        own = [part["$ref"]] if isinstance(part.get("$ref"), str) else []
        return own + [one for value in part.values() for one in _references(value)]
    return [one for value in part for one in _references(value)] if isinstance(part, list) else []


def test_a_folder_goes_on_after_a_failing_one(tco: Tco, scenario: Write, tmp_path: Path) -> None:
    scenario(name="a.yaml")
    scenario("", name="b.yaml")
    scenario(changed(("0.12 USD/kWh", "0.12")), name="c.yaml")
    scenario(changed(("8 %", "9 %")), name="d.yml")
    (tmp_path / "notes.txt").write_text("no scenario")
    told = tco("run", ".", "--only", "json", "--out", "out")
    assert told.exit_code == 3
    assert [line.split(":")[0] for line in told.stderr.splitlines()] == ["b.yaml", "c.yaml"]
    assert "2 of 4 scenarios done" in told.stdout
    rows = (tmp_path / "out" / "results.csv").read_text().splitlines()
    assert {row.split(",")[0] for row in rows[1:]} == {"a", "d"}
    assert tco("check", "a.yaml", "b.yaml").exit_code == 3
    assert tco("check", "b.yaml").exit_code == 1


def test_two_scenarios_of_one_name_do_not_overwrite_each_other(tco: Tco, scenario: Write, tmp_path: Path) -> None:
    scenario()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "a.yaml").write_text(BASE)
    told = tco("run", "a.yaml", "other/a.yaml", "--only", "json", "--out", "out")
    assert told.exit_code == 1
    assert "would overwrite those of a.yaml" in told.stderr
    assert not (tmp_path / "out").exists()
    scenario(name="results.yaml")
    assert "would overwrite those of" in tco("run", "a.yaml", "results.yaml", "--out", "out").stderr
    assert tco("run", "a.yaml", "a.yaml", "--only", "csv", "--out", "out").exit_code == 0


def test_require_fit_exits_1_when_a_fleet_cannot_do_the_work(tco: Tco, scenario: Write) -> None:
    scenario()
    assert tco("run", "a.yaml", "--only", "json", "--require-fit").exit_code == 0
    scenario(changed(("hgx-h200-srv", "ws-1x5090")))
    told = tco("run", "a.yaml", "--only", "json", "--require-fit")
    assert told.exit_code == 1
    assert "own: does not fit" in told.stdout
    assert tco("run", "a.yaml", "--only", "json").exit_code == 0


def test_an_unforeseen_error_is_one_sentence_and_debug_shows_it(
    tco: Tco, scenario: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenario()
    monkeypatch.setattr("tco.session.run", lambda *_, **__: 1 / 0)
    told = tco("run", "a.yaml")
    assert (told.exit_code, told.stdout) == (1, "")
    assert told.stderr.startswith("a mistake in tco itself, not in your file (ZeroDivisionError")
    assert isinstance(tco("--debug", "run", "a.yaml").exception, ZeroDivisionError)
