"""Reading a scenario file: bounded, one scenario a file, every value with its place."""

from __future__ import annotations

import hashlib
import os
import stat
from dataclasses import dataclass, field
from typing import Any, NoReturn, cast

from tco.errors import Problem, ScenarioError
from tco.scenario.paths import Path, path_text
from tco.scenario.syntax import FORBIDDEN
from tco.scenario.tree import Node, build

MAXIMUM_BYTES = 2_000_000


@dataclass(frozen=True)
class Document:
    """A scenario file as read. `data` holds dict, list, str, int, float, bool and None only; keys are text."""

    file: str
    text: str = field(repr=False)
    sha256: str
    data: dict[str, Any]
    nodes: dict[Path, Node] = field(repr=False)
    byte_order_mark: bool = False

    def place(self, path: Path, key: bool = False) -> tuple[int, int]:
        """Line and column (from 1) of a value, or of its key; of what should hold it when it does not exist."""
        while path not in self.nodes:
            path, key = path[:-1], True
        node = self.nodes[path]
        at = node.key if key and node.key else node.start
        return at.line, at.column

    def written(self, path: Path) -> str:
        """The text of a value as it stands in the file, empty where nothing stands."""
        node = self.nodes.get(path)
        return self.text[node.start.index : node.end] if node else ""

    def problem(self, path: Path, text: str, key: bool = False) -> Problem:
        """A problem of this file at a path."""
        line, column = self.place(path, key)
        return Problem(text, path_text(path, self.data), self.file, line, column)


def read(path: str | os.PathLike[str]) -> Document:
    """Read a scenario file. Raises ScenarioError with file, line and column."""
    file = os.fspath(path)
    return read_bytes(bytes_of(file), file)


def read_bytes(raw: bytes, file: str) -> Document:
    """Read a scenario file whose bytes are at hand. Raises ScenarioError with file, line and column."""
    return _document(_decoded(raw, file), file, raw)


def read_text(text: str, name: str = "scenario.yaml") -> Document:
    """Read the text of a scenario; `name` stands for the file in messages. Raises ScenarioError."""
    raw = text.encode("utf-8", "surrogatepass")
    if len(raw) > MAXIMUM_BYTES:
        _too_large(name)
    return _document(text, name, raw)


def bytes_of(file: str) -> bytes:
    """What stands in a scenario file. Raises ScenarioError."""
    try:
        mode = os.stat(file).st_mode
        if not stat.S_ISREG(mode):
            _refuse(file, "is a folder; give a scenario file" if stat.S_ISDIR(mode) else "is not a regular file")
        with open(file, "rb") as stream:
            raw = stream.read(MAXIMUM_BYTES + 1)
    except FileNotFoundError:
        _refuse(file, "there is no such file")
    except PermissionError:
        _refuse(file, "may not be read: permission denied")
    except OSError as error:
        _refuse(file, f"cannot be read: {error.strerror or error}")
    except ValueError:
        _refuse(file, "is not a file name")
    if len(raw) > MAXIMUM_BYTES:
        _too_large(file)
    return raw


def _decoded(raw: bytes, file: str) -> str:
    if raw.startswith(b"PK\x03\x04"):
        _refuse(file, "is a workbook or archive, not a scenario; `tco readback` reads workbooks")
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        _refuse(file, "is UTF-16 text; save it as UTF-8")
    if b"\x00" in raw:
        _refuse(file, "holds binary data, not text; give a YAML file")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        before = error.object[: error.start]
        line, column = before.count(b"\n") + 1, error.start - (before.rfind(b"\n") + 1) + 1
        byte = error.object[error.start]
        text = f"byte 0x{byte:02X} is not UTF-8; save the file as UTF-8"
        raise ScenarioError([Problem(text, file=file, line=line, column=column)]) from None


def _document(whole: str, file: str, raw: bytes) -> Document:
    text = whole.removeprefix("\ufeff")
    bad = FORBIDDEN.search(text)
    if bad:
        line, column = text.count("\n", 0, bad.start()) + 1, bad.start() - text.rfind("\n", 0, bad.start())
        told = f"the unprintable character U+{ord(bad.group()):04X} stands here; remove it"
        raise ScenarioError([Problem(told, file=file, line=line, column=column)])
    data, nodes = build(text, file)
    if data is None:
        _refuse(file, "is empty; `tco new` writes a scenario to start from")
    if not isinstance(data, dict):
        at = nodes[()].start
        kind = "a list" if isinstance(data, list) else "one word or text"
        told = f"read {kind}; wanted a mapping with keys such as `format: 1`"
        raise ScenarioError([Problem(told, file=file, line=at.line, column=at.column)])
    known = cast("dict[str, Any]", data)
    return Document(file, text, hashlib.sha256(raw).hexdigest(), known, nodes, text != whole)


def _too_large(file: str) -> NoReturn:
    _refuse(file, f"is larger than {MAXIMUM_BYTES // 1_000_000} MB; a scenario is a few kB of text")


def _refuse(file: str, text: str) -> NoReturn:
    raise ScenarioError([Problem(text, file=file)])
