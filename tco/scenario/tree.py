"""From YAML events to plain data that knows where everything stands. No recursion, bounds first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast

from tco.errors import Problem, ScenarioError
from tco.scenario.paths import Path
from tco.scenario.scalars import plain, shown
from tco.scenario.syntax import FORBIDDEN, UNREADABLE, sentence

MAXIMUM_DEPTH = 40
MAXIMUM_NODES = 200_000
MAXIMUM_STRING = 10_000
MAXIMUM_PROBLEMS = 50


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the text: line and column count from 1, `index` from 0."""

    line: int
    column: int
    index: int


@dataclass(frozen=True, slots=True)
class Node:
    """Where one value stands: its key (if any), its start and the index behind its end."""

    key: Place | None
    start: Place
    end: int
    kind: str  # mapping | list | text | plain
    flow: bool = False


@dataclass(slots=True)
class _Open:
    """A mapping or list whose end has not come yet."""

    path: Path
    into: dict[str, Any] | list[Any]
    key_place: Place | None
    start: Place
    flow: bool
    key: str | None = None
    next_key_place: Place | None = None
    next_key_end: int = 0
    seen: dict[str, Place] = field(default_factory=dict[str, Place])


def build(text: str, file: str) -> tuple[Any, dict[Path, Node]]:
    """The data of a text and the node of every path. Raises ScenarioError."""
    builder = _Builder(file, text)
    try:
        for event in _events(text):
            builder.take(event)
    except UNREADABLE as error:
        problem, line, column = sentence(error, builder.last, text)
        builder.stop(problem, Place(line, column, 0))
    if builder.problems:
        raise ScenarioError(builder.problems)
    return builder.root, builder.nodes


def _events(text: str) -> Iterator[Any]:
    from ruamel.yaml import YAML

    return cast("Iterator[Any]", YAML(typ="safe", pure=True).parse(text))  # pyright: ignore[reportUnknownMemberType]


class _Builder:
    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.text = text
        self.root: Any = None
        self.nodes: dict[Path, Node] = {}
        self.problems: list[Problem] = []
        self.last = Place(1, 1, 0)
        self._stack: list[_Open] = []
        self._count = 0
        self._documents = 0

    def stop(self, text: str, place: Place) -> None:
        self.complain(text, place)
        raise ScenarioError(self.problems)

    def complain(self, text: str, place: Place) -> None:
        self.problems.append(Problem(text, file=self.file, line=place.line, column=place.column))
        if len(self.problems) >= MAXIMUM_PROBLEMS:
            raise ScenarioError(self.problems)

    def take(self, event: Any) -> None:
        """One event of the parser."""
        mark = event.start_mark
        self.last = Place(mark.line + 1, mark.column + 1, mark.index)
        kind = type(event).__name__
        if kind == "DocumentStartEvent":
            self._document(event)
        elif kind in ("MappingStartEvent", "SequenceStartEvent"):
            self._refuse_marks(event)
            self._open({} if kind == "MappingStartEvent" else [], bool(event.flow_style))
        elif kind in ("MappingEndEvent", "SequenceEndEvent"):
            self._close(event.end_mark.index)
        elif kind == "ScalarEvent":
            self._refuse_marks(event)
            self._scalar(event)
        elif kind == "AliasEvent":
            self.stop(f"`*{event.anchor}` repeats another part of the file; write the value out", self.last)

    def _document(self, event: Any) -> None:
        self._documents += 1
        if self._documents > 1:
            self.stop("a second document starts here; a file holds one scenario", self.last)
        if event.tags or event.version not in (None, (1, 2)):
            self.stop("a directive (`%YAML`, `%TAG`) stands above; leave it out, files are YAML 1.2", self.last)

    def _refuse_marks(self, event: Any) -> None:
        if event.anchor is not None:
            self.complain(f"`&{event.anchor}` names a part to repeat; write the value out each time", self.last)
        if event.tag is not None:
            self.complain("a tag (`!…`) is not read here; write the plain value", self.last)

    def _scalar(self, event: Any) -> None:
        value, is_plain = event.value, event.implicit[0] and event.style is None
        if len(value) > MAXIMUM_STRING:
            self.stop(f"a text of {len(value)} characters; at most {MAXIMUM_STRING} are read", self.last)
        bad = FORBIDDEN.search(value)
        if bad:
            self.stop(f"the text holds the unprintable character U+{ord(bad.group()):04X}; remove it", self.last)
        top = self._stack[-1] if self._stack else None
        if top and isinstance(top.into, dict) and top.key is None:
            self._key(top, value, is_plain)
            top.next_key_end = event.end_mark.index
            return
        self._colon_without_space(top, value, event)
        kind = "plain" if is_plain else "text"
        end = event.end_mark.index
        if end == self.last.index and top and top.next_key_place:
            self.last = self._behind_colon(top.next_key_place, top.next_key_end)
            end = self.last.index
        node = Node(None, self.last, end, kind, top is not None and top.flow)
        self._add(plain(value) if is_plain else value, node)

    def _behind_colon(self, key: Place, key_end: int) -> Place:
        """Where a value would stand that is missing: the parser says where the next key stands."""
        colon = re.compile(r"[ \t]*:").match(self.text, key_end)
        if colon is None:
            return self.last
        return Place(key.line, key.column + colon.end() - key.index, colon.end())

    def _colon_without_space(self, top: _Open | None, value: str, event: Any) -> None:
        empty_in_flow = top is not None and top.flow and value == "" and event.end_mark.index == self.last.index
        if top and empty_in_flow and top.key and ":" in top.key and top.next_key_place:
            self.complain(f"{shown(top.key)} has no space after `:`; write `key: value`", top.next_key_place)

    def _key(self, top: _Open, key: str, is_plain: bool) -> None:
        if is_plain and key == "<<":
            self.complain("`<<` merges another part of the file; write the keys out", self.last)
        if is_plain and key in ("", "~", "null"):
            self.complain("a value without a key; write `key: value`", self.last)
        if key in top.seen:
            before, here = top.seen[key].line, self.last.line
            lines = "in this line" if before == here else f"at line {before} and at line {here}"
            self.complain(f"{shown(key)} is given twice, {lines}; remove one", self.last)
        top.seen[key] = top.next_key_place = self.last
        top.key = key

    def _open(self, into: dict[str, Any] | list[Any], flow: bool) -> None:
        if len(self._stack) >= MAXIMUM_DEPTH:
            self.stop(f"more than {MAXIMUM_DEPTH} levels of nesting", self.last)
        top = self._stack[-1] if self._stack else None
        if top and isinstance(top.into, dict) and top.key is None:
            self.stop("a list or mapping stands as a key; a key is a word", self.last)
        path, key_place = self._slot()
        self._stack.append(_Open(path, into, key_place, self.last, flow))

    def _close(self, end: int) -> None:
        done = self._stack.pop()
        kind = "mapping" if isinstance(done.into, dict) else "list"
        self._add(done.into, Node(None, done.start, end, kind, done.flow))

    def _slot(self) -> tuple[Path, Place | None]:
        """The path of the value that comes now, and the place of its key."""
        if not self._stack:
            return (), None
        top = self._stack[-1]
        if isinstance(top.into, list):
            return (*top.path, len(top.into)), None
        return (*top.path, top.key or ""), top.next_key_place

    def _add(self, value: Any, node: Node) -> None:
        self._count += 1
        if self._count > MAXIMUM_NODES:
            self.stop(f"more than {MAXIMUM_NODES} values", self.last)
        path, key_place = self._slot()
        self.nodes[path] = Node(key_place, node.start, node.end, node.kind, node.flow)
        if not self._stack:
            self.root = value
            return
        top = self._stack[-1]
        if isinstance(top.into, list):
            top.into.append(value)
        else:
            top.into[top.key or ""] = value
            top.key = None
