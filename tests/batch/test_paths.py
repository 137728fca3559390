"""From files, folders and patterns to scenarios and the names of their outputs."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from click.testing import Result

from tests.batch.conftest import fill, priced, written

Batch = Callable[..., Result]


def scenarios(*names: str) -> None:
    for number, name in enumerate(names):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(priced(10 + number))


def outputs(folder: str = "out") -> set[str]:
    return {name for name in written(Path(folder)) if name.endswith(".json")}


def test_folders_in_folders_are_mirrored(batch: Batch, tmp_path: Path) -> None:
    scenarios("in/b.yaml", "in/a.yml", "in/eu/a.yaml", "in/eu/north/a.yaml", "in/.hidden/c.yaml", "in/notes.txt")
    assert batch("in").exit_code == 0
    assert outputs() == {"a.json", "b.json", "eu/a.json", "eu/north/a.json"}
    rows = (tmp_path / "out" / "results.csv").read_text().splitlines()[1:]
    assert list(dict.fromkeys(row.split(",")[0] for row in rows)) == ["a", "b", "eu/a", "eu/north/a"]


def test_outputs_inside_the_folder_are_no_scenarios(batch: Batch) -> None:
    scenarios("in/a.yaml", "in/out/a-request.yaml")
    assert batch("in", out="in/out").exit_code == 0
    assert outputs("in/out") == {"a.json"}


def test_a_pattern_mirrors_what_stands_below_its_first_sign(batch: Batch) -> None:
    scenarios("in/eu/a.yaml", "in/us/a.yaml", "in/us/b.yaml", "in/us/deep/a.yaml", "in/c.yaml")
    assert batch("in/*/a.yaml").exit_code == 0
    assert outputs() == {"eu/a.json", "us/a.json"}
    assert batch("in/**/a.yaml", out="deep").exit_code == 0
    assert outputs("deep") == {"eu/a.json", "us/a.json", "us/deep/a.json"}
    assert batch("*/*.yaml", out="all").exit_code == 0
    assert outputs("all") == {"in/c.json"}
    told = batch("in/*/z*.yaml")
    assert (told.exit_code, told.stderr) == (1, "in/*/z*.yaml: no file matches the pattern\n")


def test_a_file_whose_name_looks_like_a_pattern_is_a_file(batch: Batch) -> None:
    scenarios("in/a[1].yaml")
    assert batch("in/a[1].yaml").exit_code == 0
    assert outputs() == {"a[1].json"}


def test_one_file_named_twice_runs_once(batch: Batch) -> None:
    scenarios("in/a.yaml", "in/eu/b.yaml")
    told = batch("in", "in/a.yaml", "./in/eu/b.yaml")
    assert told.stdout.startswith("2 of 2 scenarios done\n")


def test_names_that_collide_are_refused_before_anything_is_written(batch: Batch, tmp_path: Path) -> None:
    scenarios("in/a.yaml", "other/a.yaml", "in/B.yaml", "other/b.yml", "in/index.yaml", "in/eu/index.yaml")
    told = batch("in", "other")
    assert told.exit_code == 1
    assert told.stderr.splitlines() == [
        "in/index.yaml: its outputs would overwrite those of out/index.html; rename it, or run it into another --out",
        "other/a.yaml: its outputs would overwrite those of in/a.yaml; rename it, or run it into another --out",
        "other/b.yml: its outputs would overwrite those of in/B.yaml; rename it, or run it into another --out",
    ]
    assert not (tmp_path / "out").exists()


def test_nothing_to_do(batch: Batch, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    told = batch("in")
    assert (told.exit_code, told.stderr) == (1, "in: the folder holds no scenario (a file that ends in .yaml)\n")
    told = batch("missing.yaml")
    assert (told.exit_code, told.stderr) == (1, "missing.yaml: there is no such file\n")


def test_a_scenario_that_left_its_folder_leaves_the_tables(batch: Batch, tmp_path: Path) -> None:
    fill(tmp_path / "in", 3)
    batch("in")
    (tmp_path / "in" / "s11.yaml").unlink()
    assert batch("in").stdout.startswith("2 of 2 scenarios done; 2 of them before\n")
    assert "s11" not in (tmp_path / "out" / "results.csv").read_text()
    assert "s11" not in (tmp_path / "out" / "index.html").read_text()
    shutil.rmtree(tmp_path / "in")
