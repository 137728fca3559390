"""Paths into a scenario: tuples inside, dotted text for people (`fleets.hgx-h200.buy.price`)."""

from __future__ import annotations

from typing import Any, TypeAlias, cast

Path: TypeAlias = tuple[str | int, ...]


def path_text(path: Path, data: Any = None) -> str:
    """The path as people read it; a list item is named by its `id` where it has one, else by its number from 1."""
    words: list[str] = []
    here = data
    for step in path:
        here = child(here, step)
        name = child(here, "id") if isinstance(step, int) else None
        words.append(name if isinstance(name, str) else str(step + 1) if isinstance(step, int) else step)
    return ".".join(words)


def find_path(text: str, data: Any) -> Path:
    """The tuple for a dotted path, as far as `data` knows it; the rest is taken word by word.

    Keys may hold dots themselves (`llama-3.3-70b`), so the longest key that fits is taken.
    """
    path: list[str | int] = []
    here, words = data, text.split(".")
    while words:
        step, used = _longest(here, words)
        path.append(step)
        here, words = child(here, step), words[used:]
    return tuple(path)


def _longest(here: Any, words: list[str]) -> tuple[str | int, int]:
    for count in range(len(words), 0, -1):
        name = ".".join(words[:count])
        if isinstance(here, dict) and name in here:
            return name, count
        if isinstance(here, list):
            for index, item in enumerate(cast("list[Any]", here)):
                if child(item, "id") == name or (count == 1 and name == str(index + 1)):
                    return index, count
    return words[0], 1


def child(here: Any, step: str | int) -> Any:
    """What stands under `step`, or None."""
    if isinstance(here, dict) and isinstance(step, str):
        return cast("dict[str, Any]", here).get(step)
    if isinstance(here, list) and isinstance(step, int):
        items = cast("list[Any]", here)
        return items[step] if 0 <= step < len(items) else None
    return None


def holds(here: Any, step: str | int) -> bool:
    """Whether `step` exists, even empty."""
    if isinstance(here, dict) and isinstance(step, str):
        return step in here
    return isinstance(here, list) and isinstance(step, int) and 0 <= step < len(cast("list[Any]", here))
