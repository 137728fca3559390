"""Pydantic's errors as our sentences, each with its path."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, cast

from pydantic import ValidationError

from tco.errors import did_you_mean
from tco.scenario.fields import Section
from tco.scenario.leaf import Complaint
from tco.scenario.paths import Path, child, holds
from tco.scenario.scalars import shown
from tco.scenario.walk import all_sections, leaf_of, sections

_WANTED = {
    "dict": "a mapping", "model": "a mapping", "model_attributes": "a mapping", "list": "a list", "tuple": "a list",
    "string": "text", "bool": "`true` or `false`", "int": "a whole number", "float": "a number",
}  # fmt: skip


class Told(NamedTuple):
    """A sentence about a path; `key` points at the key instead of the value."""

    path: Path
    text: str
    key: bool


def translated(error: ValidationError, data: Any, model: type[Section]) -> list[Told]:
    """Everything the validation of `data` had to say."""
    read_as = {path: section for path, section, _ in sections(model, data)}
    named = all_sections(model)
    errors = cast("list[dict[str, Any]]", error.errors(include_url=False))
    return [told for one in errors for told in _sentences(one, data, read_as, named)]


def _sentences(
    error: dict[str, Any], data: Any, read_as: dict[Path, type[Section]], named: dict[str, type[Section]]
) -> Iterator[Told]:
    kind = str(error["type"])
    path = _real_path(error["loc"], data, kind)
    if kind == "tco":
        for text, below, key in cast("list[Complaint]", error["ctx"]["complaints"]):
            yield Told((*path, *below), text, key)
    elif kind == "extra_forbidden":
        yield Told(path, _unknown(str(path[-1]), read_as.get(path[:-1])), True)
    elif kind == "missing":
        yield Told(path, "is missing" + _description(read_as.get(path[:-1]), str(path[-1])), True)
    else:
        yield Told(path, _plain(kind, error, named), False)


def _real_path(loc: Sequence[str | int], data: Any, kind: str) -> Path:
    """The path without the tags that pydantic adds for unions."""
    path: list[str | int] = []
    here = data
    for number, step in enumerate(loc):
        if holds(here, step) or (kind in ("missing", "extra_forbidden") and number == len(loc) - 1):
            path.append(step)
            here = child(here, step)
    return tuple(path)


def _unknown(key: str, section: type[Section] | None) -> str:
    names = [info.alias or name for name, info in section.model_fields.items()] if section else []
    hint = did_you_mean(key, names)
    if not hint and names:
        hint = f"; known are {listing(names[:12], 'and')}" + (" and more" if len(names) > 12 else "")
    return f"{shown(key)} is not known here{hint}"


def _description(section: type[Section] | None, key: str) -> str:
    for name, info in section.model_fields.items() if section else ():
        leaf = leaf_of(info)
        told = leaf.description if leaf else info.description
        if (info.alias or name) == key and told:
            return f"; give {told}"
    return ""


def _plain(kind: str, error: dict[str, Any], named: dict[str, type[Section]]) -> str:
    read = shown(error["input"])
    context = cast("dict[str, Any]", error.get("ctx") or {})
    section = named.get(str(context.get("class_name")))
    if kind in ("literal_error", "enum", "union_tag_invalid"):
        told, tag = str(context.get("expected") or context.get("expected_tags", "")), context.get("tag", error["input"])
        words = re.findall(r"'([^']*)'", told) or [told]
        return f"read {shown(tag)}; wanted {listing(words, 'or')}{did_you_mean(str(tag), words)}"
    if kind in ("value_error", "assertion_error"):
        return str(context["error"])
    if kind == "union_tag_not_found":
        return f"{str(context['discriminator']).replace(chr(39), '`')} is missing"
    wanted = _WANTED.get(kind.removesuffix("_type").removesuffix("_parsing"))
    if wanted == "a mapping" and section:
        wanted += f" with keys such as {listing(list(section.model_fields)[:3], 'and')}"
    if wanted:
        return f"read {read}; wanted {wanted}"
    return f"read {read}; {str(error['msg'])[:1].lower()}{str(error['msg'])[1:]}"


def listing(words: Sequence[str], joint: str) -> str:
    """`a`, `b` and `c`."""
    ticked = [f"`{word}`" for word in words]
    return ticked[0] if len(ticked) == 1 else f"{', '.join(ticked[:-1])} {joint} {ticked[-1]}" if ticked else "nothing"
