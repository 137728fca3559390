"""From dotted text (`fleets.hgx.buy.price`) to a place of the scenario, which the schema must know."""

from __future__ import annotations

import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast, get_args, get_origin

from tco.errors import did_you_mean
from tco.scenario.fields import Section
from tco.scenario.leaf import Leaf
from tco.scenario.paths import Path, child, path_text
from tco.scenario.scalars import is_scalar
from tco.scenario.walk import leaf_of

NAMED = ("id", "name")
"""Keys by which an item of a list is named."""


class Unplaced(Exception):
    """Why a text names no place."""


@dataclass(frozen=True)
class Place:
    """A place of a scenario: its path, and the leaf that reads a figure there (None where a word stands)."""

    path: Path
    leaf: Leaf | None

    def text(self, data: Any) -> str:
        """As people write it."""
        return path_text(self.path, data)


def place_of(schema: type[Section], data: Any, text: str) -> Place:
    """The place that a text names. Raises Unplaced with the nearest name."""
    words = [word for word in text.strip().split(".") if word]
    if not words:
        raise Unplaced("no path; wanted one such as `electricity.price`")
    return _below(schema, data, words, ())


def _below(section: type[Section], data: Any, words: list[str], path: Path) -> Place:
    key, rest = words[0], words[1:]
    fields = {info.alias or name: info for name, info in section.model_fields.items()}
    if key not in fields:
        inside = f" in `{path_text(path, data)}`" if path else ""
        raise Unplaced(f"there is no `{key}`{inside}{did_you_mean(key, fields)}")
    info, here = fields[key], (*path, key)
    at = _at(data, here)
    if not rest:
        if not _is_end(info.annotation, at):
            raise Unplaced(f"`{path_text(here, data)}` holds several values; name one of them{_such(info, at)}")
        return Place(here, leaf_of(info))
    return _inside(info, data, here, rest)


def _inside(info: Any, data: Any, path: Path, words: list[str]) -> Place:
    """Below a field: an item of a list or mapping, or a key of a section."""
    annotation, leaf = info.annotation, leaf_of(info)
    while _container(annotation) is not None and words:
        kind = _container(annotation)
        step = _item(_at(data, path), words[0], path, data) if kind is list else words[0]
        path, words, annotation = (*path, step), words[1:], _held(annotation)
    if not words:
        if not _is_end(annotation, _at(data, path)):
            raise Unplaced(f"`{path_text(path, data)}` holds several values; name one of them")
        return Place(path, leaf)
    found = [one for one in _sections(annotation) if words[0] in _keys(one)]
    sections = found or list(_sections(annotation))
    if not sections:
        raise Unplaced(f"`{path_text(path, data)}` is one value and holds no `{words[0]}`")
    return _below(sections[0], data, words, path)


def _item(held: Any, word: str, path: Path, data: Any) -> int:
    items = cast("list[Any]", held) if isinstance(held, list) else []
    names = {str(child(one, key)): at for at, one in enumerate(items) for key in NAMED if is_scalar(child(one, key))}
    if word in names:
        return names[word]
    if word.isdigit() and 1 <= int(word) <= len(items):
        return int(word) - 1
    many = f"; it holds {len(items)}" if items and not names else ""
    raise Unplaced(f"there is no `{word}` in `{path_text(path, data)}`{did_you_mean(word, names)}{many}")


def _keys(section: type[Section]) -> set[str]:
    return {info.alias or name for name, info in section.model_fields.items()}


def _sections(annotation: Any) -> Iterator[type[Section]]:
    """Sections that stand here, not those inside lists."""
    if isinstance(annotation, type) and issubclass(annotation, Section):
        yield annotation
    elif _container(annotation) is None:
        for one in get_args(annotation):
            yield from _sections(one)


def _container(annotation: Any) -> type | None:
    """`list` or `dict` for what holds items under numbers or names."""
    for one in _alternatives(annotation):
        origin = get_origin(one)
        if origin is dict:
            return dict
        if origin in (tuple, list):
            return list
    return None


def _held(annotation: Any) -> Any:
    """What the items are."""
    for one in _alternatives(annotation):
        if get_origin(one) is dict:
            return get_args(one)[1]
        if get_origin(one) in (tuple, list):
            return get_args(one)[0]
    return None


def _alternatives(annotation: Any) -> Iterator[Any]:
    if hasattr(annotation, "__metadata__"):
        yield from _alternatives(get_args(annotation)[0])
    elif get_origin(annotation) is types.UnionType or str(get_origin(annotation)) == "typing.Union":
        for one in get_args(annotation):
            yield from _alternatives(one)
    else:
        yield annotation


def _is_end(annotation: Any, held: Any) -> bool:
    """Whether one value may stand here: a word or figure, or a section that one word stands for."""
    sections = list(_sections(annotation))
    if sections:
        return any(one.shorthand for one in sections) and not isinstance(held, dict)
    return _container(annotation) is None or any(
        _container(one) is None and one is not types.NoneType for one in _alternatives(annotation)
    )


def _such(info: Any, held: Any) -> str:
    keys = [key for one in _sections(info.annotation) for key in one.model_fields]
    if isinstance(held, dict):
        keys = [*cast("dict[str, Any]", held)] or keys
    return f", such as `{keys[0]}`" if keys else ""


def _at(data: Any, path: Path) -> Any:
    here = data
    for step in path:
        here = child(here, step)
    return here
