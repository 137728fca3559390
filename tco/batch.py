"""Runs over files and folders: each scenario's outputs, and one table over all."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import click

from tco.errors import OutputError, Problem, ScenarioError, TcoError
from tco.export import to_csv, to_json
from tco.files import write_atomically
from tco.result import Result
from tco.session import load

LEDGER = ".tco.json"


def run_all(
    paths: Sequence[Path], out: Path, formats: Sequence[str], *, frozen: bool, require_fit: bool, force: bool
) -> int:
    """Run every scenario and return the exit code; a failing one does not stop the others."""
    from tco.console import comparison

    scenarios = [file for path in paths for file in _scenarios(path)]
    done: list[tuple[str, Result]] = []
    failed, unfit, unwritten = 0, False, False
    for file in scenarios:
        try:
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
    if not path.is_dir():
        return [path]
    found = sorted(item for item in path.iterdir() if item.suffix in (".yaml", ".yml") and item.is_file())
    if not found:
        raise ScenarioError([Problem("the folder holds no scenario (a file that ends in .yaml)", file=str(path))])
    return found


def _short(file: Path, result: Result) -> str:
    from tco.console import one, unit_cost

    if result.recommended is None:
        return f"{file}: no fleet can do this work"
    best = result.by_id[result.recommended]
    cost = unit_cost(one(best.shown(result.headline or "")))
    return f"{file}: {best.id} at {cost} {result.scenario['currency']} ({result.headline})"


def _choices(path: Path) -> dict[str, dict[str, float]]:
    """Choices of an earlier run. Raises ScenarioError when there are none."""
    try:
        fleets = json.loads(path.read_text())["fleets"]
        return {fleet["id"]: fleet["choices"].get("values", {}) for fleet in fleets}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ScenarioError(
            [Problem("no choices of an earlier run to keep; run once without --frozen", file=str(path))]
        ) from error


def write_outputs(result: Result, out: Path, name: str, formats: Sequence[str], *, force: bool = False) -> None:
    """Write the asked outputs as NAME.*, each whole or not at all. Raises OutputError."""
    ledger = _ledger(out)
    if "xlsx" in formats and not force:
        _refuse_edited(out / f"{name}.xlsx", ledger)
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
    for suffix, content in contents.items():
        write_atomically(out / f"{name}.{suffix}", content)
        ledger[f"{name}.{suffix}"] = hashlib.sha256(content).hexdigest()
    write_atomically(out / LEDGER, (json.dumps(ledger, indent=1, sort_keys=True) + "\n").encode())


def _ledger(out: Path) -> dict[str, str]:
    """Digests of the files that tco wrote into the folder."""
    try:
        held: dict[str, str] = json.loads((out / LEDGER).read_text())
        return dict(held)
    except (OSError, ValueError, TypeError):
        return {}


def _refuse_edited(path: Path, ledger: dict[str, str]) -> None:
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return
    except OSError as error:
        raise OutputError(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}") from error
    if ledger.get(path.name) != hashlib.sha256(content).hexdigest():
        told = "was changed since tco wrote it, or not written by it"
        raise OutputError(f"{path}: {told}; choose another --out, or overwrite it with --force")
