"""What a plain word of YAML means here: little, so that nothing changes behind the writer's back.

Numbers, `true`, `false` and `null` of YAML 1.2 mean themselves. Everything else is text: dates, `08:30`, `NO`, `yes`,
`0777`, `0x1F`, `1_000`, `.nan`, `.inf`. Quoted words are always text.
"""

from __future__ import annotations

import math
import re
from typing import Any

_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,29}")
_DECIMAL = re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]{1,3})?")
_WORDS = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}


class WrittenNumber(float):
    """A decimal number that remembers its text, so that `title: 0.30` stays `0.30`."""

    written: str

    def __new__(cls, value: float, written: str = "") -> WrittenNumber:
        """Keep the text beside the value."""
        number = super().__new__(cls, value)
        number.written = written or repr(value)
        return number


def plain(word: str) -> str | int | float | bool | None:
    """The value of an unquoted word."""
    if word in _WORDS:
        return _WORDS[word]
    if _INTEGER.fullmatch(word):
        return int(word)
    if _DECIMAL.fullmatch(word) and math.isfinite(float(word)):
        return WrittenNumber(float(word), word)
    return word


def written(value: object) -> str:
    """A scalar as the file has it."""
    if isinstance(value, WrittenNumber):
        return value.written
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return str(value)


def is_scalar(value: Any) -> bool:
    """Whether it is text or a number."""
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def shown(value: Any) -> str:
    """A value as messages name it, short and on one line."""
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list | tuple):
        return "a list"
    if value is None:
        return "nothing"
    text = " ".join(written(value).split())
    return f"`{text[:57] + '…' if len(text) > 58 else text}`"
