"""What is compared: a scenario file, the scenario inside a workbook, or that behind a result's JSON."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from tco.errors import Problem, ScenarioError
from tco.result import Result
from tco.session import Scenario, load, loads
from tco.wording import counted

NEAR = 1e-9
SECTION, DIGEST, ENGINE = "Scenario", "Scenario: sha256", "Engine: "


@dataclass(frozen=True)
class Issued:
    """What a workbook or JSON says of the run that made it."""

    engine: dict[str, str]
    headlines: dict[str, float]


@dataclass(frozen=True)
class Side:
    """One of the two, computed with the engine and the catalogue at hand; `notes` are what a reader must know."""

    file: str
    kind: str
    scenario: Scenario
    result: Result
    issued: Issued | None = None
    notes: list[str] = field(default_factory=list[str])


def opened(path: Path) -> Side:
    """Read and compute one side. Raises ScenarioError."""
    suffix = path.suffix.lower()
    if suffix in (".xlsx", ".xlsm"):
        return _of_workbook(path)
    if suffix == ".json":
        return _of_result(path)
    scenario = load(path)
    return Side(str(path), "scenario", scenario, scenario.run())


def _side(path: Path, kind: str, scenario: Scenario, issued: Issued, notes: list[str]) -> Side:
    """Computed anew; `notes` gain what that changes, and an edited workbook what was typed into it."""
    result = scenario.run()
    for name, was in issued.engine.items():
        now = result.engine.get(name, "")
        if was != now:
            notes.append(f"{path}: issued with {name} {was}, computed here with {name} {now}")
    for fleet, was in issued.headlines.items():
        now = result.by_id[fleet].shown(result.headline or "") if fleet in result.by_id else None
        if not isinstance(now, float) or abs(now - was) > NEAR * abs(was):
            told = f"{now:,.6g}" if isinstance(now, float) else "no value"
            notes.append(f"{path}: {fleet} was issued at {was:,.6g}, is {told} when run here; the comparison uses that")
    edited = _with_edits(path, notes) if kind == "workbook" else None
    if edited:
        scenario, result = edited, edited.run()
    return Side(str(path), kind, scenario, result, issued, notes)


def _refuse(path: Path, text: str) -> NoReturn:
    raise ScenarioError([Problem(text, file=str(path))])


def _of_workbook(path: Path) -> Side:
    from tco.workbook.safety import check_safe

    check_safe(path)
    log, data = _sheets(path)
    start = max((place for place, row in enumerate(log) if row[0] == SECTION), default=-1)
    if start < 0:
        _refuse(path, "holds no scenario on a sheet Log; it is no workbook of `tco run`, or that sheet was removed")
    lines = [
        "" if row[1] is None else str(row[1])
        for row in log[start + 1 :]
        if isinstance(row[0], int | float) and not isinstance(row[0], bool)
    ]
    pairs = {str(row[0]): str(row[1]) for row in log[:start] if row[0] is not None and row[1] is not None}
    text, notes = "\n".join(lines), list[str]()
    if pairs.get(DIGEST) not in _digests(text):
        notes.append(f"{path}: the scenario on its sheet Log is not the text it was issued with")
    engine = {name.removeprefix(ENGINE): told for name, told in pairs.items() if name.startswith(ENGINE)}
    return _side(path, "workbook", loads(text, str(path)), Issued(engine, dict(_headlines(data))), notes)


def _with_edits(path: Path, notes: list[str]) -> Scenario | None:
    """The scenario with what was typed into the cells, as `tco readback` reads it; `notes` say what was not read."""
    if importlib.util.find_spec("tco.readback") is None:
        notes.append(f"{path}: the scenario as issued; what was edited in its cells is not read")
        return None
    reading: Any = importlib.import_module("tco.readback")
    carrying: Any = importlib.import_module("tco.readback.carry")
    try:
        found = reading.readback(path)
        carried = carrying.carry(found.issued, found.taken)
    except ScenarioError as error:
        notes.append(f"{path}: the scenario as issued; its cells cannot be read back: {error}")
        return None
    notes += [f"{path}: not read back: {change.place.name}: {change.refused}" for change in found.refused]
    notes += [f"{path}: not as issued: {one}" for one in found.findings if one.serious]
    if carried.problems:
        notes.append(f"{path}: the scenario as issued; what was edited in its cells cannot be run")
        return None
    if not carried.done:
        return None
    notes.append(f"{path}: with {counted(len(carried.done), 'value')} edited in its cells")
    return loads(carried.scenario.document.text, str(path))


def _digests(text: str) -> set[str]:
    """Digests of the text with the line ends and the mark that a sheet does not keep."""
    raw = [text.encode("utf-8", "replace"), text.replace("\n", "\r\n").encode("utf-8", "replace")]
    return {hashlib.sha256(mark + one).hexdigest() for one in raw for mark in (b"", b"\xef\xbb\xbf")}


def _sheets(path: Path) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
    """Rows of Log (two columns) and of Data, as stored."""
    import openpyxl

    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
        found = list[list[tuple[Any, ...]]]()
        for name, width in (("Log", 2), ("Data", 7)):
            sheet: Any = book[name] if name in book.sheetnames else None
            if sheet is not None:
                sheet.reset_dimensions()
            rows = sheet.iter_rows(max_col=width, values_only=True) if sheet is not None else ()
            found.append([(*row, *[None] * (width - len(row))) for row in rows])
        book.close()
        return found[0], found[1]
    except (KeyError, ValueError, TypeError, OSError, AttributeError) as error:
        raise ScenarioError([Problem(f"cannot be read as a workbook: {error}", file=str(path))]) from error


_HEADLINES = ("cost_per_million_useful_tokens", "cost_per_useful_training_step")


def _headlines(data: list[tuple[Any, ...]]) -> Iterator[tuple[str, float]]:
    for fleet, _, _, _, line, _, value in data:
        if line in _HEADLINES and isinstance(value, int | float):
            yield str(fleet), float(value)


def _of_result(path: Path) -> Side:
    """The scenario whose digest the JSON states, where it is found under its name."""
    try:
        held: Any = json.loads(path.read_text(encoding="utf-8"))
        asked, digest = str(held["scenario"]["file"]), str(held["scenario"]["sha256"])
        engine = {str(name): str(told) for name, told in held["engine"].items()}
        values = {str(one["id"]): one["lines"][held["headline"]]["value"] for one in held["fleets"]}
    except FileNotFoundError:
        _refuse(path, "there is no such file")
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        _refuse(path, "is not a result of `tco run`")
    name = Path(asked).name
    folders = (path.parent, path.parent.parent, Path(), Path("scenarios"))
    for file in (folder / name for folder in folders):
        try:
            found = hashlib.sha256(file.read_bytes()).hexdigest() == digest
        except (OSError, ValueError):
            continue
        if found:
            headlines = {one: value for one, value in values.items() if _is_number(value)}
            return _side(path, "result", load(file), Issued(engine, headlines), [])
    told = (
        f"holds numbers, not its scenario; {name} with digest {digest[:12]} is not beside it nor in ./ or ./scenarios"
    )
    _refuse(path, f"{told}; give the scenario or the workbook of that run")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
