"""A model: lines collected from chapters, traced once, checked, ordered, ready to be printed.

All mistakes are reported together. Lines may read each other's past through `lag`; what remains
must be free of circles.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tco.declare import Chapter, Given, Line, Shape
from tco.expression import in_words, show
from tco.order import circles, ordered_groups
from tco.scope import Scope
from tco.tracing import TracedLine, Tracer, constants, inside, leaves

__all__ = ["WIDE", "Model", "TracedLine", "build", "constants", "describe", "inside", "leaves"]

WIDE = (
    "cumulative", "cumulative_within", "total", "total_product", "window_total", "highest", "window_highest", "by_age",
)  # fmt: skip
"""Operations that read whole rows."""


@dataclass
class Model:
    """Traced lines in an order in which they can be computed.

    `groups` are the same names, lines that form a circle through `lag` together. `absent` says why
    a line is not here. `missing` names inputs that are needed and not given, with the lines that ask.
    `programs` keeps what was compiled from it, by the lines that were wanted, and `reached` what those need.
    """

    lines: dict[str, TracedLine]
    inputs: dict[str, Given]
    groups: list[tuple[str, ...]]
    absent: dict[str, str]
    missing: dict[str, list[str]]
    chapters: dict[str, str]
    greyed: set[str] = field(default_factory=set[str])
    programs: dict[tuple[str, ...], Any] = field(default_factory=dict[tuple[str, ...], Any], repr=False, compare=False)
    reached: dict[tuple[str, ...], frozenset[str]] = field(
        default_factory=dict[tuple[str, ...], frozenset[str]], repr=False, compare=False
    )

    def needed_for(self, wanted: Iterable[str], known: Collection[str] = ()) -> frozenset[str]:
        """The wanted lines and everything they are computed from; not what stands behind lines that are known."""
        asked = tuple(wanted)
        if known or asked not in self.reached:
            found: set[str] = set()
            queue = [name for name in asked if name in self.lines]
            while queue:
                name = queue.pop()
                if name in self.lines and name not in found and name not in known:
                    found.add(name)
                    queue.extend(self.lines[name].parents)
            if known:
                return frozenset(found)
            self.reached[asked] = frozenset(found)
        return self.reached[asked]

    def groups_of(self, wanted: Iterable[str], known: Collection[str] = ()) -> list[tuple[str, ...]]:
        """The groups that the wanted lines need, in order."""
        needed = self.needed_for(wanted, known)
        return [group for group in self.groups if needed.intersection(group)]

    def inputs_of(self, wanted: Iterable[str], known: Collection[str] = ()) -> list[str]:
        """Inputs that the wanted lines need, and opening values of known ones, in the order in which they are read."""
        groups = self.groups_of(wanted, known)
        read = dict.fromkeys(parent for group in groups for name in group for parent in self.lines[name].parents)
        for name in known:
            opening = self.lines[name].opening
            read |= dict.fromkeys(leaves(opening) if opening is not None else ())
        return [name for name in read if name in self.inputs]

    def looks_back(self, group: tuple[str, ...]) -> bool:
        """Whether the group must be computed period by period."""
        return any(parent in group for name in group for parent in self.lines[name].parents)

    def readers(self, name: str) -> list[str]:
        """Lines that read this line or input directly."""
        return [item.name for item in self.lines.values() if name in item.parents]


def build(
    chapters: Sequence[Chapter],
    available: Mapping[str, Shape],
    *,
    results: Iterable[str] = (),
    choices: Mapping[str, str] | None = None,
    pins: Mapping[str, Shape] | None = None,
    extra: Sequence[Line] = (),
    elsewhere: Iterable[str] = (),
) -> Model:
    """Trace the chapters for the inputs at hand. Raises ModelError with every mistake.

    `available` maps each given input to its shape; `results` are the lines whose inputs must exist;
    `choices` picks the alternative of a line with `choice_of`; `pins` replace lines by inputs;
    `extra` are generated lines (a foreign price becomes `quoted * rate`); `elsewhere` are names of
    chapters that do not take part, so that lines which read them are absent and not mistaken.
    """
    scope = Scope(chapters, available, results, choices or {}, pins or {}, extra, elsewhere)
    traced = Tracer(scope).trace_all()
    present = {name: [one for one in _read_now(traced[name]) if one in traced] for name in scope.lines}
    for circle in circles(present):
        scope.mistake(scope.lines[circle[0]], f"circular: {' -> '.join([*circle, circle[0]])}")
    scope.report()
    read = {name: [one for one in traced[name].parents if one in traced] for name in scope.lines}
    groups = ordered_groups(read, present)
    lines = {name: traced[name] for group in groups for name in group}
    used = {parent for item in lines.values() for parent in item.parents}
    inputs = {name: item for name, item in _inputs(scope) if name in used}
    model = Model(lines, inputs, groups, scope.absent, scope.missing, scope.chapters, _greyed(scope))
    _check_groups(model, scope)
    scope.report()
    return model


@functools.lru_cache(maxsize=4096)
def _read_now(item: TracedLine) -> tuple[str, ...]:
    """What a line reads within the same period, or for its opening value."""
    opening = leaves(item.opening) if item.opening is not None else ()
    return tuple(dict.fromkeys([*leaves(item.expression, past=False), *opening]))


def _inputs(scope: Scope) -> Iterator[tuple[str, Given]]:
    """Inputs with the shape at hand, and one for each pin."""
    for name, item in scope.givens.items():
        yield name, replace(item, shape="series" if scope.is_wide(name) else item.shape)
    for pin, shape in scope.pins.items():
        if pin in scope.lines:
            line, name = scope.lines[pin], f"{pin}_pinned"
            label = f"{line.label} (pinned)"
            yield name, Given(line.unit, label, name=name, shape=shape, chapter=line.chapter, place="pin")


def _greyed(scope: Scope) -> set[str]:
    """Lines that nobody reads any more because a pin stands where they fed."""
    return set(scope.reachable(pinned=False)) - set(scope.reachable()) if scope.pins and scope.results else set[str]()


def _check_groups(model: Model, scope: Scope) -> None:
    """Inside a recurrence only `lag` looks back: the other words read columns that are not there yet."""
    for group in filter(model.looks_back, model.groups):
        for name in group:
            expression = model.lines[name].expression
            for part in (expression, *inside(expression)):
                if part.op in WIDE and any(arg.name in group for arg in part.args):
                    word = "by_age" if part.op == "by_age" else part.op.split("_")[-1 if "window" in part.op else 0]
                    text = f"{word}() inside a recurrence ({', '.join(group)}); only lag() may look back there"
                    scope.mistake(scope.lines[name], text)


def describe(item: TracedLine) -> str:
    """One line of text: name, unit and expression."""
    return f"{item.name} [{in_words(item.unit)}] = {show(item.expression)}"
