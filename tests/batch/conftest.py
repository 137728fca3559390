"""Folders of small scenarios, and what a batch leaves in its folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tco.cli import main
from tests.cli.conftest import changed

OWN_FILES = (".tco-batch.lock", ".tco-batch.sqlite")


def priced(cents: int) -> str:
    """A scenario that differs from the others in one price."""
    return changed(("0.12 USD/kWh", f"0.{cents:02d} USD/kWh"))


def fill(folder: Path, count: int, first: int = 10) -> None:
    """Scenarios s10.yaml, s11.yaml …"""
    folder.mkdir(parents=True, exist_ok=True)
    for cents in range(first, first + count):
        (folder / f"s{cents}.yaml").write_text(priced(cents), encoding="utf-8")


def written(folder: Path) -> dict[str, bytes]:
    """Every file of a batch by its path, without those it remembers with."""
    files = (item for item in sorted(folder.rglob("*")) if item.is_file() and item.name not in OWN_FILES)
    return {item.relative_to(folder).as_posix(): item.read_bytes() for item in files}


@pytest.fixture
def batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """`batch("in", "--jobs", "1")` inside a folder of its own, JSON only, into out."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str, only: str = "json", out: str = "out", jobs: str = "1") -> Result:
        return CliRunner().invoke(main, ["batch", *arguments, "--only", only, "--out", out, "--jobs", jobs])

    return call
