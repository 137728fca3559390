"""What no total holds, by chapter, each with what it would have been."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tco.lines.library import ALL, load


@dataclass(frozen=True)
class Omitted:
    """The costs of one chapter that nobody stated: label and sentence."""

    title: str
    costs: list[tuple[str, str]]


def omitted(labels: Sequence[str]) -> list[Omitted]:
    """The labels under the chapters of their lines, in the model's order."""
    found: dict[str, list[tuple[str, str]]] = {}
    open_labels = list(labels)
    for chapter in map(load, ALL):
        for item in chapter.lines.values():
            if item.unit == "money" and item.label in open_labels:
                open_labels.remove(item.label)
                found.setdefault(chapter.title, []).append((item.label, item.doc))
    if open_labels:
        found["Other"] = [(label, "") for label in open_labels]
    return [Omitted(title.rstrip("."), costs) for title, costs in found.items()]
