"""Walking a schema, and what was validated against it."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any, cast, get_args, get_origin

from tco.figures import Figure
from tco.scenario.fields import Section
from tco.scenario.leaf import Leaf
from tco.scenario.paths import Path


def leaves(section: Section, path: Path = ()) -> Iterator[tuple[Path, Leaf, Figure]]:
    """Every leaf of a validated scenario that holds a figure, with its path."""
    for name, info in type(section).model_fields.items():
        yield from _below(getattr(section, name), (*path, info.alias or name), leaf_of(info))


def _below(value: Any, path: Path, leaf: Leaf | None) -> Iterator[tuple[Path, Leaf, Figure]]:
    if isinstance(value, Section):
        yield from leaves(value, path)
    elif isinstance(value, Figure):
        if leaf is not None:
            yield path, leaf, value
    elif isinstance(value, dict):
        for key, item in cast("dict[str, Any]", value).items():
            yield from _below(item, (*path, key), leaf)
    elif isinstance(value, list | tuple):
        for index, item in enumerate(cast("list[Any]", value)):
            yield from _below(item, (*path, index), leaf)


def leaf_of(info: Any) -> Leaf | None:
    """The leaf that a field declares, itself or for its items; fields live as long as their class."""
    if id(info) not in _LEAVES:
        own = (one for one in info.metadata if isinstance(one, Leaf))
        _LEAVES[id(info)] = next(own, None) or _leaf_within(info.annotation)
    return _LEAVES[id(info)]


_LEAVES: dict[int, Leaf | None] = {}


def _leaf_within(annotation: Any) -> Leaf | None:
    for one in (*getattr(annotation, "__metadata__", ()), *get_args(annotation)):
        found = one if isinstance(one, Leaf) else _leaf_within(one)
        if found:
            return found
    return None


@functools.cache
def schema_leaves(model: type[Section]) -> dict[str, str]:
    """Where each input is given: `{"electricity_price": "electricity.price"}`; the first place wins."""
    places: dict[str, str] = {}
    for path, leaf in all_leaves(model):
        if leaf.feeds:
            places.setdefault(leaf.feeds, path)
    return places


def all_leaves(model: type[Section], path: str = "") -> Iterator[tuple[str, Leaf]]:
    """Every leaf of the schema with its dotted path; an item of a list or mapping is `[]`."""
    for name, info in model.model_fields.items():
        here = f"{path}.{info.alias or name}" if path else info.alias or name
        leaf = leaf_of(info)
        if leaf:
            yield here, leaf
            continue
        for section, inside in sections_within(info.annotation):
            yield from all_leaves(section, here + inside)


def all_sections(model: type[Section]) -> dict[str, type[Section]]:
    """Every section of the schema by the name of its class."""
    found: dict[str, type[Section]] = {}
    waiting = [model]
    while waiting:
        one = waiting.pop()
        if one.__name__ not in found:
            found[one.__name__] = one
            waiting += [
                section for info in one.model_fields.values() for section, _ in sections_within(info.annotation)
            ]
    return found


def sections_within(annotation: Any, inside: str = "") -> Iterator[tuple[type[Section], str]]:
    """Sections that an annotation may hold; `[]` marks items of a list or mapping."""
    if isinstance(annotation, type) and issubclass(annotation, Section):
        yield annotation, inside
        return
    held = inside + "[]" if get_origin(annotation) in (tuple, list, dict) else inside
    for one in get_args(annotation):
        yield from sections_within(one, held)


def sections(model: type[Section], data: Any, path: Path = ()) -> Iterator[tuple[Path, type[Section], dict[str, Any]]]:
    """Every mapping of the data with the section it is read as. Of alternatives, the one that knows most keys."""
    if not isinstance(data, dict):
        return
    mapping = cast("dict[str, Any]", data)
    yield path, model, mapping
    for name, info in model.model_fields.items():
        key = info.alias or name
        if key in mapping:
            yield from _sections_in(info.annotation, mapping[key], (*path, key))


def _sections_in(annotation: Any, value: Any, path: Path) -> Iterator[tuple[Path, type[Section], dict[str, Any]]]:
    found = list(sections_within(annotation))
    items: list[tuple[Path, Any]] = [(path, value)]
    if any(inside for _, inside in found):
        pairs = cast("dict[str, Any]", value).items() if isinstance(value, dict) else ()
        listed = enumerate(cast("list[Any]", value)) if isinstance(value, list) else ()
        items = [((*path, step), item) for step, item in (*pairs, *listed)]
    for where, item in items:
        if found and isinstance(item, dict):
            keys = set(cast("dict[str, Any]", item))
            best = max((one for one, _ in found), key=lambda one: len(keys & set(one.model_fields)))
            yield from sections(best, cast("dict[str, Any]", item), where)
