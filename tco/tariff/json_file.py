"""The JSON file of a rate: bounded, one rate, out of the lists in which services hand it over."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NoReturn, cast

from tco.errors import Problem, ScenarioError

MAXIMUM_BYTES = 2_000_000


def text_of(path: Path) -> str:
    """The text of the file. Raises ScenarioError."""
    try:
        raw = path.read_bytes()
        if len(raw) > MAXIMUM_BYTES:
            _refuse(str(path), f"is larger than {MAXIMUM_BYTES // 1_000_000} MB; a rate is a few kB")
        return raw.decode("utf-8-sig")
    except FileNotFoundError:
        _refuse(str(path), "there is no such file")
    except (OSError, ValueError) as error:
        _refuse(str(path), f"cannot be read: {error}")


def single(file: str, text: str) -> dict[str, Any]:
    """The rate itself. Raises ScenarioError when there is none, or more than one."""
    try:
        data: Any = json.loads(text, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise ScenarioError([Problem(f"is no JSON: {error.msg}", "", file, error.lineno, error.colno)]) from None
    except (ValueError, RecursionError) as error:
        _refuse(file, f"is no JSON that can be read: {error}")
    if isinstance(data, dict) and "items" in data and "energyratestructure" not in data:
        data = cast("dict[str, Any]", data)["items"]
    if isinstance(data, list):
        items = cast("list[Any]", data)
        if len(items) != 1:
            _refuse(file, f"holds {len(items)} rates; wanted a file with one")
        data = items[0]
    if not isinstance(data, dict):
        _refuse(file, "holds no rate: wanted an object with `energyratestructure`")
    return cast("dict[str, Any]", data)


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")


def _refuse(file: str, text: str) -> NoReturn:
    raise ScenarioError([Problem(text, file=file)])
