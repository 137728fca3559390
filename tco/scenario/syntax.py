"""One sentence for each way in which a text is not YAML."""

from __future__ import annotations

import re
from typing import Any

from ruamel.yaml.error import YAMLError

# The parser leaks plain Python errors on some texts (an escape beyond Unicode, a lone `<<`).
UNREADABLE = (YAMLError, ValueError, LookupError, AttributeError, TypeError, ArithmeticError, AssertionError,
              NotImplementedError, RecursionError)  # fmt: skip

# Control characters, line breaks that editors do not count, text-direction overrides, halves of surrogate pairs.
FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]"
)

_SENTENCES: tuple[tuple[str, str], ...] = (
    (r"character '\\t'", "a tab stands where only spaces may; use spaces"),
    (r"mapping values are not allowed", "a `:` stands where no key can; check the indentation or use quotes"),
    (r"could not find expected ':'", "a key without its `:`; write `key: value`, with a space after the colon"),
    (r"expected ',' or '\}'.*stream end", "the `{` of line {opened} is never closed"),
    (r"expected ',' or '\]'.*stream end", "the `[` of line {opened} is never closed"),
    (r"expected ',' or '\}'", "wanted `,` or `}` here, for the `{` of line {opened}"),
    (r"expected ',' or '\]'", "wanted `,` or `]` here, for the `[` of line {opened}"),
    (r"unexpected (end of stream|document separator)", "the quote of line {opened} is never closed"),
    (r"unknown escape character", "a backslash with a letter that means nothing; use single quotes, or write `\\\\`"),
    (r"expected escape sequence", "a `\\x`, `\\u` or `\\U` without its hexadecimal digits"),
    (r"expected <block end>", "this does not line up with what stands above; check the indentation and closing quotes"),
    (r"expected the node content.*stream end", "the file ends where a value is wanted"),
    (r"expected the node content", "a value is wanted here"),
    (r"sequence entries are not allowed", "a `- ` stands where no list can; put it on a line of its own"),
    (r"expected alphabetic or numeric", "`&` and `*` have a meaning in YAML; put the text in quotes"),
    (r"found undefined tag handle|while scanning a tag", "a tag (`!…`) is not read here; write the plain value"),
    (r"'%'.*cannot start any token", "a value cannot start with `%`; put it in quotes, or write the number first"),
    (r"cannot start any token", "a value cannot start with this character; put it in quotes"),
)  # fmt: skip


def sentence(error: BaseException, last: Any, text: str) -> tuple[str, int, int]:
    """What is wrong in one sentence, with line and column."""
    problem = str(getattr(error, "problem", "") or "")
    context = str(getattr(error, "context", "") or "")
    mark, opened = getattr(error, "problem_mark", None), getattr(error, "context_mark", None)
    line, column = (mark.line + 1, mark.column + 1) if mark else (last.line, last.column)
    opened_line = opened.line + 1 if opened else line
    for pattern, told in _SENTENCES:
        if re.search(pattern, f"{context}; {problem}", re.DOTALL):
            return told.replace("{opened}", str(opened_line)) + _glued(text, line), line, column
    return "this is not YAML; check quotes, brackets and indentation", line, column


def _glued(text: str, line: int) -> str:
    """A hint when a colon near the place lacks its space."""
    near = text.splitlines()[max(line - 2, 0) : line]
    for candidate in near:
        found = re.match(r"\s*(?:- )?([A-Za-z_][\w-]*):(?=[^\s:/])", candidate)
        if found:
            return f" (`{found.group(1)}:` lacks a space after the colon)"
    return ""
