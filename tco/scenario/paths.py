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
