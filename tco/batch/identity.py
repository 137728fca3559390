"""What a result depends on: the scenario file, the files it refers to, and everything that computes."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import platform
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

from tco.errors import TcoError

LIBRARIES = ("jinja2", "numpy", "pint", "pydantic", "pyxirr", "ruamel.yaml", "XlsxWriter")
"""Libraries that a number or a byte of an output goes through."""


KEYS = (b"catalogue", b"file", b"meter", b"tariff", b"weather")
"""Keys of a scenario under which a file or folder may stand; without any of them nothing has to be looked for."""


def key_of(raw: bytes, references: Mapping[str, str]) -> str:
    """The content hash of a scenario: equal if the outputs must be equal."""
    held = [hashlib.sha256(raw).hexdigest(), sorted(references.items()), sorted(engine().items())]
    return hashlib.sha256(json.dumps(held).encode()).hexdigest()


@functools.cache
def engine() -> dict[str, str]:
    """The versions of this engine, of its own files with the catalogue, and of what it computes with."""
    return {
        "tco": _version("tco-engine"),
        "files of tco": _package()[:12],
        "Python": platform.python_version(),
        **{name: _version(name) for name in LIBRARIES},
    }


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "source"


def _package() -> str:
    """The digest of every file of the package: a checkout changes without a new version."""
    digest, root = hashlib.sha256(), str(files("tco"))
    for folder, inner, names in os.walk(root, followlinks=True):
        inner[:] = sorted(name for name in inner if name != "__pycache__")
        for name in sorted(names):
            path = Path(folder, name)
            digest.update(f"{path.relative_to(root).as_posix()}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def references(raw: bytes, file: str) -> dict[str, str]:
    """Digests of files and folders that a scenario refers to, by the words it uses; those that are not there are empty.

    Every text that names a file beside the scenario counts, so that no key is forgotten.
    """
    from tco.scenario.reading import read_bytes

    if not any(key in raw for key in KEYS) and b"\\" not in raw:
        return {}
    try:
        data = read_bytes(raw, file).data
    except TcoError:
        return {}
    folder, catalogue = Path(file).parent, data.get("catalogue")
    found = {text: _digest(folder / text) for text in _texts(data) if "." in text and _is_file(folder / text)}
    return {**found, catalogue: _of_folder(folder / catalogue)} if isinstance(catalogue, str) else found


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        held = cast("dict[str, Any] | list[Any]", value)
        for item in held.values() if isinstance(held, dict) else held:
            yield from _texts(item)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def _of_folder(folder: Path) -> str:
    try:
        parts = sorted((item.name, _digest(item)) for item in folder.iterdir() if item.suffix == ".csv")
    except (OSError, ValueError):
        return ""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
