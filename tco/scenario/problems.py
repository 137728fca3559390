"""Everything wrong in a scenario, all at once, each with its place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from pydantic import ValidationError

from tco.errors import Problem, ScenarioError
from tco.scenario.fields import Section
from tco.scenario.paths import Path, child, holds
from tco.scenario.reading import Document
from tco.scenario.sentences import listing, translated
from tco.scenario.walk import sections

_Model = TypeVar("_Model", bound=Section)


class Problems:
    """Problems of one document, collected; in the order of the file."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._found: list[tuple[Path, Problem]] = []

    def add(self, path: Path, text: str, key: bool = False) -> None:
        """Note a problem at a path; `key` points at the key instead of the value."""
        self._found.append((path, self.document.problem(path, text, key)))

    def take(self, path: Path, others: list[Problem]) -> None:
        """Note problems of another file, which the value at the path names."""
        self._found += [(path, other) for other in others]

    def __bool__(self) -> bool:
        return bool(self._found)

    def below(self, path: Path) -> bool:
        """Whether a problem is noted at the path or under it."""
        return any(one[: len(path)] == path for one, _ in self._found)

    def sorted(self) -> list[Problem]:
        """The problems by place, each once."""
        found = dict.fromkeys(one for _, one in self._found)
        return sorted(found, key=lambda one: (one.line, one.column, one.path))

    def stop(self) -> None:
        """Raise ScenarioError when there are any."""
        if self._found:
            raise ScenarioError(self.sorted())


def validate(document: Document, model: type[_Model], normalise: Callable[[Any], Any] | None = None) -> _Model:
    """The document as an instance of the schema. Raises ScenarioError with every problem.

    `normalise` gets a copy of the data and may write shorthand out before validation.
    """
    problems = Problems(document)
    data = _without_empty(document.data, (), problems)
    data = normalise(data) if normalise else data
    for path, section, mapping in sections(model, data):
        _check_one_of(path, section, mapping, problems)
    try:
        instance = model.model_validate(data)
    except ValidationError as error:
        _add_all(error, data, model, problems)
        instance = None
    problems.stop()
    assert instance is not None
    return instance


def _add_all(error: ValidationError, data: Any, model: type[Section], problems: Problems) -> None:
    told = translated(error, data, model)
    paths = {path for path, _, _ in told}
    seen: set[Path] = set()
    for path, text, key in told:
        # Of the alternatives of a union, the one that the writer went into has complaints further down.
        above_others = text.startswith("read a ") and any(path == other[: len(path)] != other for other in paths)
        if path not in seen and not above_others and not _concerns_empty(path, problems.document.data):
            problems.add(path, text, key)
        seen.add(path)


def _without_empty(value: Any, path: Path, problems: Problems) -> Any:
    """A copy of the data; keys without a value are problems and left out."""
    if isinstance(value, dict):
        copy: dict[str, Any] = {}
        for key, item in cast("dict[str, Any]", value).items():
            if item is None:
                problems.add((*path, key), "has no value; give one or remove the line", key=True)
            else:
                copy[key] = _without_empty(item, (*path, key), problems)
        return copy
    if isinstance(value, list):
        items = list(enumerate(cast("list[Any]", value)))
        for index, item in items:
            if item is None:
                problems.add((*path, index), "has no value; give one or remove the item")
        return [_without_empty(item, (*path, index), problems) for index, item in items]
    return value


def _concerns_empty(path: Path, data: Any) -> bool:
    """Whether the path leads to an empty value, which is a problem of its own already."""
    for step in path:
        if not holds(data, step):
            return False
        data = child(data, step)
    return data is None


def _check_one_of(path: Path, section: type[Section], mapping: dict[str, Any], problems: Problems) -> None:
    for group in section.one_of:
        given = [key for key in mapping if key in group]
        if len(given) == 1 or any(problems.below((*path, key)) for key in group):
            continue
        wanted = f"exactly one of {listing(group, 'and')}"
        if given:
            problems.add((*path, given[1]), f"read {listing(given, 'and')}; wanted {wanted}", key=True)
        else:
            problems.add(path, f"wanted {wanted}, none is given", key=True)
