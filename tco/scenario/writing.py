"""Writing values back into a scenario's text: only the characters of the value change.

The text is spliced at the places the reader noted, not dumped anew: comments, order, quotes, line ends and long lines
stay as they are, and one changed value is one changed line.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Mapping
from typing import Any, NoReturn

from tco.errors import ScenarioError
from tco.scenario.paths import Path, child, holds
from tco.scenario.reading import Document, read_text
from tco.scenario.scalars import written
from tco.scenario.story import KEYS
from tco.scenario.syntax import FORBIDDEN

# What needs no quotes anywhere, in braces or out.
_PLAIN = re.compile(r"(?:[A-Za-z0-9.+]|-(?=[0-9.]))[A-Za-z0-9_./%*^+()·-]*(?: [A-Za-z0-9_./%*^+()·-]+)*")
_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")


def with_values(document: Document, changes: Mapping[Path, str]) -> Document:
    """The document with the values at these paths replaced or added, read again. Raises ScenarioError.

    A value with a story keeps its story: only its `value` changes. A story key given to a bare value
    (`(..., "price", "source")`) turns it into a mapping. What is missing is added at the end of its mapping.
    """
    for path, text in changes.items():
        document = _with(document, path, text)
    return document


def text_of(document: Document) -> str:
    """The whole text of a document, with the mark that it began with."""
    return ("\ufeff" if document.byte_order_mark else "") + document.text


def _with(document: Document, path: Path, text: str) -> Document:
    if FORBIDDEN.search(text) or "\n" in text or "\r" in text:
        _refuse(document, path, "holds a line break or an unprintable character")
    node = document.nodes.get(path)
    if node and node.kind == "mapping" and holds(_value(document, path), "value"):
        return _with(document, (*path, "value"), text)
    if node and node.kind in ("mapping", "list"):
        _refuse(document, path, f"holds a {node.kind}; change one of its values")
    edited = _replaced(document, path, text) if node else _added(document, path, text)
    return _verified(document, edited, path, text)


def _replaced(document: Document, path: Path, text: str) -> str:
    node, source = document.nodes[path], document.text
    old = source[node.start.index : node.end].rstrip()
    start, end = node.start.index, node.start.index + len(old)
    space = " " if start == end and source[start - 1 : start] not in ("", " ") else ""
    return source[:start] + space + _scalar(text, old[:1]) + source[end:]


def _added(document: Document, path: Path, text: str) -> str:
    """The text with a key more, in the nearest mapping that exists."""
    known = path
    while known not in document.nodes:
        known = known[:-1]
    missing = path[len(known) :]
    if any(isinstance(step, int) for step in missing):
        _refuse(document, path, "is an item of a list that has no such item")
    entry = _entry([str(step) for step in missing], text)
    node = document.nodes[known]
    if node.kind == "mapping":
        return _inserted(document, known, entry)
    old = document.text[node.start.index : node.end]
    in_line = node.kind != "list" or node.flow
    if old and (not in_line or len(missing) != 1 or missing[0] not in KEYS):
        _refuse(document, known, "holds a value where a mapping is needed")
    whole = f"{{value: {old.rstrip()}, {entry}}}" if old else f"{{{entry}}}"
    space = " " if not old and document.text[node.start.index - 1] != " " else ""
    return document.text[: node.start.index] + space + whole + document.text[node.start.index + len(old.rstrip()) :]


def _inserted(document: Document, path: Path, entry: str) -> str:
    node, source = document.nodes[path], document.text
    keys = list(_value(document, path))
    if not keys:
        return source[: node.start.index + 1] + entry + source[node.start.index + 1 :]
    at = end_of(document, (*path, keys[-1]))
    if node.flow:
        return f"{source[:at]}, {entry}{source[at:]}"
    first = document.nodes[(*path, keys[0])].key or node.start
    newline = "\r\n" if "\r\n" in source else "\n"
    line_end = re.compile(r"\r?\n|\Z").search(source, at)
    at = line_end.start() if line_end else len(source)
    return f"{source[:at]}{newline}{' ' * (first.column - 1)}{entry}{source[at:]}"


def end_of(document: Document, path: Path) -> int:
    """The index behind the last character of a value; the parser ends blocks where the next one starts."""
    value, node = _value(document, path), document.nodes[path]
    while not node.flow and value and node.kind in ("mapping", "list"):
        path = (*path, next(reversed(value)) if node.kind == "mapping" else len(value) - 1)
        value, node = _value(document, path), document.nodes[path]
    return node.start.index + len(document.text[node.start.index : node.end].rstrip())


def _entry(keys: list[str], text: str) -> str:
    """`a: {b: text}`."""
    names = [key if _KEY.fullmatch(key) else json.dumps(key, ensure_ascii=False) for key in keys]
    return ": {".join(names) + f": {_scalar(text)}" + "}" * (len(names) - 1)


def _scalar(text: str, quote: str = "") -> str:
    """The text as YAML, in the quotes it had, or in quotes where it needs them."""
    if quote == "'":
        return "'" + text.replace("'", "''") + "'"
    if quote == '"' or not _PLAIN.fullmatch(text):
        return json.dumps(text, ensure_ascii=False)
    return text


def _verified(document: Document, edited: str, path: Path, text: str) -> Document:
    """The edited text read again: everything else must be as before."""
    new = read_text(edited, document.file)
    expected = copy.deepcopy(document.data)
    here: Any = expected
    for depth, step in enumerate(path[:-1]):
        below = child(here, step)
        if not isinstance(below, dict | list) or (isinstance(below, list) and isinstance(path[depth + 1], str)):
            here[step] = copy.deepcopy(_value(new, path[: depth + 1]))
        here = child(here, step)
    here[path[-1]] = _value(new, path)
    if expected != new.data or written(_value(new, path)) != text:
        _refuse(document, path, "cannot be written back here; change the file by hand")
    return Document(new.file, new.text, new.sha256, new.data, new.nodes, document.byte_order_mark)


def _value(document: Document, path: Path) -> Any:
    here: Any = document.data
    for step in path:
        here = child(here, step)
    return here


def _refuse(document: Document, path: Path, text: str) -> NoReturn:
    raise ScenarioError([document.problem(path, text)])
