"""Runs over files and folders: each scenario's outputs, and one table over all."""

from __future__ import annotations

import contextlib
import gc
import hashlib
import json
import math
import os
from collections.abc import Generator, Sequence
from pathlib import Path

import click

from tco.analysis.run import Frozen
from tco.errors import OutputError, Problem, ScenarioError, TcoError
from tco.export import to_csv, to_json
from tco.files import write_atomically
from tco.result import Result
from tco.session import load


@contextlib.contextmanager
def _collecting_between() -> Generator[None]:
    """Almost all that a run makes is needed to its end: garbage is looked for between runs, which saves a twentieth."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def run_all(
    paths: Sequence[Path], out: Path, formats: Sequence[str], *, frozen: bool, require_fit: bool, force: bool
) -> int:
    """Run every scenario and return the exit code; a failing one does not stop the others."""
    from tco.console import comparison

    scenarios = list(dict.fromkeys(file for path in paths for file in _scenarios(path)))
    _check_names(scenarios, out)
    done: list[tuple[str, Result]] = []
    failed, unfit, unwritten = 0, False, False
    for file in scenarios:
        if done or failed:
            gc.collect(0)  # tco.__main__ turns the collector off
        try:
            with _collecting_between():
                result = load(file).run(_choices(out / f"{file.stem}.json") if frozen else None)
                write_outputs(result, out, file.stem, formats, force=force)
        except TcoError as error:
            failed += 1
            unwritten |= isinstance(error, OutputError)
            click.echo(str(error), err=True)
            continue
        done.append((file.stem, result))
        unfit |= any(fleet.verdict != "ok" for fleet in result.fleets)
        click.echo(comparison(result) if len(scenarios) == 1 else _short(file, result))
    if len(scenarios) > 1 and done:
        write_atomically(out / "results.csv", to_csv(done).encode())
        click.echo(f"{len(done)} of {len(scenarios)} scenarios done; all lines in {out / 'results.csv'}")
    if failed:
        return 3 if len(scenarios) > 1 and done else (4 if unwritten else 1)
    return 1 if require_fit and unfit else 0


def _scenarios(path: Path) -> list[Path]:
    """The file itself, or the scenario files of a folder. Raises ScenarioError."""
    if not os.path.isdir(path):
        return [path]
    try:
        found = sorted(item for item in path.iterdir() if item.suffix in (".yaml", ".yml") and item.is_file())
    except OSError as error:
        told = f"the folder cannot be read: {(error.strerror or str(error)).lower()}"
        raise ScenarioError([Problem(told, file=str(path))]) from error
    if not found:
        raise ScenarioError([Problem("the folder holds no scenario (a file that ends in .yaml)", file=str(path))])
    return found


def _check_names(scenarios: Sequence[Path], out: Path) -> None:
    """Outputs are named after the scenario, so two of one name would overwrite each other. Raises ScenarioError."""
    seen: dict[str, Path] = {"results": out / "results.csv"} if len(scenarios) > 1 else {}
    problems = list[Problem]()
    for file in scenarios:
        if file.stem in seen:
            told = f"its outputs would overwrite those of {seen[file.stem]}; rename it, or run it into another --out"
            problems.append(Problem(told, file=str(file)))
        seen.setdefault(file.stem, file)
    if problems:
        raise ScenarioError(problems)


def _short(file: Path, result: Result) -> str:
    from tco.console import one, unit_cost

    if result.recommended is None:
        return f"{file}: no fleet can do this work"
    best = result.by_id[result.recommended]
    cost = unit_cost(one(best.shown(result.headline or "")))
    return f"{file}: {best.id} at {cost} {result.scenario['currency']} ({result.headline})"


def _choices(path: Path) -> Frozen:
    """Choices of an earlier run, and the precision of each fleet. Raises ScenarioError when there are none."""
    try:
        fleets = json.loads(path.read_text(encoding="utf-8"))["fleets"]
        return {
            fleet["id"]: {
                **{name: _finite(value) for name, value in fleet["choices"].get("values", {}).items()},
                "precision": fleet.get("precision", ""),
            }
            for fleet in fleets
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ScenarioError(
            [Problem("no choices of an earlier run to keep; run once without --frozen", file=str(path))]
        ) from error


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError(value)
    return float(value)


def write_outputs(result: Result, out: Path, name: str, formats: Sequence[str], *, force: bool = False) -> None:
    """Write the asked outputs as NAME.*, each whole or not at all. Raises OutputError."""
    known = known_digests(out / f".{name}.tco")
    if "xlsx" in formats and not force:
        refuse_edited(out / f"{name}.xlsx", known)
    contents: dict[str, bytes] = {}
    if "xlsx" in formats:
        from tco.workbook import build

        contents["xlsx"] = build(result)
    if "html" in formats:
        from tco.report import render

        contents["html"] = render(result).encode()
    if "json" in formats:
        contents["json"] = to_json(result).encode()
    if "csv" in formats:
        contents["csv"] = to_csv([(name, result)]).encode()
    if "xlsx" in contents:
        # Before the workbook itself, and beside the last one: a run that is stopped in between leaves one of the two.
        digests = list(dict.fromkeys([hashlib.sha256(contents["xlsx"]).hexdigest(), *known[:1]]))
        write_atomically(out / f".{name}.tco", ("\n".join(digests) + "\n").encode())
    for suffix, content in contents.items():
        write_atomically(out / f"{name}.{suffix}", content)


def known_digests(path: Path) -> list[str]:
    """Digests of the last workbooks of this name that tco wrote into the folder, the newest first."""
    try:
        return path.read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return []


def refuse_edited(path: Path, known: list[str]) -> None:
    """A file that is there must be one that tco wrote. Raises OutputError."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return
    except OSError as error:
        raise OutputError(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}") from error
    if hashlib.sha256(content).hexdigest() not in known:
        told = "was changed since tco wrote it, or not written by it"
        raise OutputError(f"{path}: {told}; choose another --out, or overwrite it with --force")
