"""Two scenarios compared: what changed, where it stands, and a bridge for each fleet that both have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path as FilePath
from typing import Any, cast

from tco.diff.bridge import Bridge, bridged
from tco.diff.changes import Change, changes, taken, told_story, told_value
from tco.diff.currency import restated
from tco.diff.mixing import End, alone
from tco.diff.sides import Side
from tco.errors import Problem, ScenarioError, did_you_mean
from tco.result import CATEGORIES, HEADLINES, PER_PERIOD, Result
from tco.scenario.fields import Section
from tco.scenario.paths import Path, child
from tco.scenario.reading import Document
from tco.scenario.schema import Fleet, Scenario
from tco.scenario.walk import schema_leaves

Place = tuple[str, int]


@dataclass(frozen=True)
class Found:
    """A change with its fleet (empty for what all share) and its place in both files; line 0 where it has none."""

    fleet: str
    change: Change
    old: Place
    new: Place
    instead: tuple[str, str] = ("", "")

    @property
    def texts(self) -> tuple[str, str]:
        """Both values for readers; where nothing is stated, what the fleet took instead."""
        if self.change.kind == "story":
            return told_story(self.change)
        old, new = (
            f"{text} ({instead})" if instead else text
            for text, instead in zip(told_value(self.change), self.instead, strict=True)
        )
        return old, new


@dataclass(frozen=True)
class Comparison:
    """What `tco diff` tells."""

    old: Side
    new: Side
    line: str
    found: list[Found] = field(default_factory=list[Found])
    added: list[str] = field(default_factory=list[str])
    removed: list[str] = field(default_factory=list[str])
    bridges: list[Bridge] = field(default_factory=list[Bridge])
    notes: list[str] = field(default_factory=list[str])

    @property
    def is_empty(self) -> bool:
        """Whether nothing differs that either file states."""
        return not (self.found or self.added or self.removed)


def compare(old: Side, new: Side, line: str | None = None) -> Comparison:
    """Compare two sides by the headline, or by any other line. Raises ScenarioError for a name that is no line."""
    asked = line or new.result.headline or ""
    _check_line(asked, old.result, new.result)
    first, second = (_located(side) for side in (old, new))
    second = _with_equal_files(first, second)
    notes = [*old.notes, *new.notes, *_engines(old, new), *_verdicts(old.result, new.result)]
    found = Comparison(old, new, asked, notes=notes)
    found.found.extend(_all_changes(old, new, first, second))
    ids = old.result.by_id, new.result.by_id
    found.added.extend(name for name in ids[1] if name not in ids[0])
    found.removed.extend(name for name in ids[0] if name not in ids[1])
    if not found.is_empty:
        found.bridges.extend(_bridges(old, new, first, second, asked, notes))
    return found


def _check_line(line: str, *results: Result) -> None:
    models = [fleet.model for result in results for fleet in result.fleets]
    known = {name for model in models for name in (*model.lines, *model.absent)} | {
        *HEADLINES,
        *CATEGORIES,
        *PER_PERIOD,
    }
    if line not in known:
        raise ScenarioError([Problem(f"`{line}` is not a line{did_you_mean(line, known)}")])


def _engines(old: Side, new: Side) -> Iterator[str]:
    pairs = [side.issued.engine if side.issued else side.result.engine for side in (old, new)]
    for name in dict.fromkeys((*pairs[0], *pairs[1])):
        one, other = (pair.get(name, "") for pair in pairs)
        if one != other:
            yield f"{name} differs: {one} and {other}; both are computed with what is installed here"


def _verdicts(old: Result, new: Result) -> Iterator[str]:
    """Fleets that can do the work on one side only, or fail in another way."""
    for fleet in new.fleets:
        before = old.by_id.get(fleet.id)
        if before and before.verdict != fleet.verdict:
            why = "; ".join(fleet.reasons or before.reasons)
            yield f"{fleet.id}: {before.verdict} before, {fleet.verdict} after ({why})"


def _bridges(old: Side, new: Side, first: Scenario, second: Scenario, line: str, notes: list[str]) -> Iterator[Bridge]:
    """One for each fleet of both."""
    results = old.result, new.result
    shared = [fleet for fleet in results[1].fleets if fleet.id in results[0].by_id]
    why = ""
    if first.currency != second.currency:
        told = restated(old, first, second)
        if isinstance(told, str):
            why = told
        else:
            first, results = told.scenario, (told.result, results[1])
            notes.append(told.note)
    for fleet in shared:
        before = results[0].by_id[fleet.id]
        ends = [
            End(alone(scenario, one), one, side.scenario.document, side.scenario.catalogue)
            for scenario, one, side in zip((first, second), (before, fleet), (old, new), strict=True)
        ]
        if why:
            yield Bridge(fleet.id, line, "", "", None, None, reason=why)
        elif first.workload.kind != second.workload.kind:
            told = f"the work itself is another: {first.workload.kind} before, {second.workload.kind} after"
            yield Bridge(fleet.id, line, "", "", None, None, reason=told)
        else:
            yield bridged(ends[0], ends[1], line)


def _all_changes(old: Side, new: Side, first: Scenario, second: Scenario) -> Iterator[Found]:
    documents = old.scenario.document, new.scenario.document
    for change in changes(first, second):
        if change.path[0] != "fleets":
            yield _placed("", change, documents, ((), ()))
    theirs = {fleet.id: (place, fleet) for place, fleet in enumerate(second.fleets)}
    for place, fleet in enumerate(first.fleets):
        if fleet.id in theirs:
            other, stated = theirs[fleet.id]
            for change in changes(fleet, stated):
                found = _placed(fleet.id, change, documents, (("fleets", place), ("fleets", other)))
                yield replace(found, instead=_instead(fleet.id, change, old.result, new.result))


def _instead(fleet: str, change: Change, old: Result, new: Result) -> tuple[str, str]:
    """What the fleet takes where it states nothing: of the catalogue, a default, the scenario."""
    path = ".".join(map(str, change.path))
    feeds = next((name for name, place in schema_leaves(Fleet).items() if place == path), "")
    name = str(change.path[1]) if change.path[0] == "inputs" else feeds
    first, second = (
        taken(result.by_id[fleet].inputs[name], result.scenario["currency"])
        if value is None and name in result.by_id[fleet].inputs
        else ""
        for result, value in ((old, change.old), (new, change.new))
    )
    return first, second


def _placed(fleet: str, change: Change, documents: tuple[Document, Document], bases: tuple[Path, Path]) -> Found:
    old, new = (
        _place(document, base, change.path, value is not None)
        for document, base, value in zip(documents, bases, (change.old, change.new), strict=True)
    )
    return Found(fleet, change, old, new)


def _place(document: Document, base: Path, path: Path, there: bool) -> Place:
    """File and line; line 0 where nothing is stated."""
    here: Any = document.data
    found = list[str | int]()
    for step in (*base, *path):
        key = _index(here, step)
        if (*found, key) not in document.nodes:
            break
        found.append(key)
        here = here[key]  # pyright: ignore[reportArgumentType]
    return document.file, document.place(tuple(found))[0] if there else 0


def _index(here: Any, step: str | int) -> str | int:
    """The place of an item that is known by its name."""
    if isinstance(here, list) and isinstance(step, str):
        items = enumerate(cast("list[Any]", here))
        return next((place for place, item in items if child(item, "name") == step), step)
    return step


FILES: tuple[Path, ...] = (("cooling", "weather"), ("electricity", "tariff", "file"), ("electricity", "meter", "file"))


def _located(side: Side) -> Scenario:
    """The scenario with the names of files made whole: what is mixed has one folder no more."""
    folder = FilePath(side.scenario.document.file).resolve().parent

    def whole(section: Any, path: Path) -> Any:
        if section is None:
            return None
        name = str(path[0])
        value = getattr(section, name)
        if value is None:
            return section
        made = str(folder / value) if len(path) == 1 else whole(value, path[1:])
        return section.model_copy(update={name: made})

    def of(section: Scenario | Fleet) -> Any:
        for path in FILES:
            section = whole(section, path)
        return section

    scenario = whole(of(side.scenario.content), ("catalogue",))
    return scenario.model_copy(update={"fleets": tuple(of(fleet) for fleet in scenario.fleets)})


def _with_equal_files(old: Scenario, new: Scenario) -> Scenario:
    """Files of the new one that say what those of the old say are those of the old."""
    for path in FILES:
        new = _equal(old, new, path)
    held = {fleet.id: fleet for fleet in old.fleets}
    fleets = list[Fleet]()
    for fleet in new.fleets:
        for path in FILES if fleet.id in held else ():
            fleet = _equal(held[fleet.id], fleet, path)
        fleets.append(fleet)
    if (
        old.catalogue
        and new.catalogue
        and old.catalogue != new.catalogue
        and _same_folder(old.catalogue, new.catalogue)
    ):
        new = new.model_copy(update={"catalogue": old.catalogue})
    return new.model_copy(update={"fleets": tuple(fleets)})


def _equal(old: Any, new: Any, path: Path) -> Any:
    if old is None or new is None:
        return new
    name = str(path[0])
    one, other = getattr(old, name), getattr(new, name)
    if isinstance(one, Section) or isinstance(other, Section):
        return new.model_copy(update={name: _equal(one, other, path[1:])})
    same = one != other and None not in (one, other) and _bytes(FilePath(one)) == _bytes(FilePath(other))
    return new.model_copy(update={name: one}) if same else new


def _bytes(file: FilePath) -> bytes:
    return file.read_bytes()


def _same_folder(one: str, other: str) -> bool:
    files = [{file.name: _bytes(file) for file in FilePath(folder).glob("*.csv")} for folder in (one, other)]
    return files[0] == files[1]
