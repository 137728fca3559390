"""A file from outside: read within bounds, remembered by name, fingerprint and day."""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, cast

from tco.errors import TcoError

MEGABYTE = 1_000_000
DEEPEST = 40
MOST_NODES = 3_000_000


class ImportRefused(TcoError):
    """A file that cannot be imported: which, where in it, what is wanted, and a way out."""


def refuse(file: str, sentences: str | Sequence[str]) -> NoReturn:
    """Stop with one line per sentence, each with the file's name."""
    told = [sentences] if isinstance(sentences, str) else sentences
    raise ImportRefused("\n".join(f"{file}: {sentence}" for sentence in told))


def plain(text: object, longest: int = 120) -> str:
    """Text from a stranger's file on one line, without control characters or a sheet's formula signs."""
    kept = "".join(letter if letter.isprintable() else " " for letter in str(text)[: 4 * longest])
    return " ".join(kept.split()).lstrip("=+-@ ")[:longest]


@dataclass(frozen=True)
class Source:
    """What a figure's source says of a file."""

    name: str
    digest: str
    read_on: str
    part: str = ""

    def __str__(self) -> str:
        return f"{self.name}, {self.part}sha256 {self.digest}, read {self.read_on}"


def today() -> str:
    """The day of an import; figures keep it, nothing else asks the clock."""
    return datetime.date.today().isoformat()


def source_of(path: Path, content: bytes, read_on: str | None = None, part: str = "") -> Source:
    """Name, fingerprint and day of a file."""
    return Source(plain(path.name), hashlib.sha256(content).hexdigest(), read_on or today(), part)


def read_bytes(path: Path, most: int) -> bytes:
    """A whole file of at most `most` bytes; a device or pipe without end is read no further than that."""
    name = plain(path.name)
    try:
        if not path.is_file():
            refuse(name, "is not a file: name an existing one")
        with path.open("rb") as file:
            content = file.read(most + 1)
    except OSError as error:
        refuse(name, f"cannot be read: {(error.strerror or str(error)).lower()}; check its name and rights")
    if len(content) > most:
        refuse(name, f"is larger than {most / MEGABYTE:g} MB, the most that is read; cut it down to what is needed")
    if content.startswith(b"version https://git-lfs"):
        refuse(name, "is a Git LFS pointer, not the file itself: fetch it with `git lfs pull`")
    return content


def read_text(path: Path, most: int) -> tuple[str, bytes]:
    """A text file, and its bytes. A byte-order mark is dropped; anything but UTF-8 is refused."""
    content = read_bytes(path, most)
    try:
        return content.decode("utf-8-sig"), content
    except UnicodeDecodeError as error:
        refuse(plain(path.name), f"is not UTF-8 at byte {error.start}: save it as UTF-8")


def parse_json(name: str, text: str) -> Any:
    """JSON within bounds: no doubled key, no NaN, no endless nesting."""
    try:
        data = json.loads(text, object_pairs_hook=lambda pairs: _object(name, pairs), parse_constant=_no_constant)
    except RecursionError:
        refuse(name, f"is nested too deeply; at most {DEEPEST} levels are read")
    except ValueError as error:
        several = "Extra data" in str(error)
        advice = "keep one record" if several else "check where it was cut off or edited"
        refuse(name, f"is not JSON ({error}): {advice}")
    _within_bounds(name, data)
    return data


def _object(name: str, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen = set[str]()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))
        refuse(name, f"has the key `{plain(twice)}` twice in one object: keep one")
    return found


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")


def _within_bounds(name: str, data: Any) -> None:
    level, nodes = [data], 0
    for _ in range(DEEPEST):
        nodes += len(level)
        if nodes > MOST_NODES:
            refuse(name, f"holds more than {MOST_NODES:,} values; cut it down to what is needed")
        level = [child for parent in level for child in _children(parent)]
        if not level:
            return
    refuse(name, f"is nested too deeply; at most {DEEPEST} levels are read")


def _children(parent: Any) -> list[Any]:
    if isinstance(parent, dict):
        return list(cast(dict[str, Any], parent).values())
    return cast(list[Any], parent) if isinstance(parent, list) else []
