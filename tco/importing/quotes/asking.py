"""What a caller states about a quote file: by options, by a small YAML map, options above the map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from tco.errors import Problem, ScenarioError, did_you_mean
from tco.importing.quotes.cells import Asked
from tco.scenario.reading import Document, read
from tco.scenario.scalars import is_scalar, written

WORDS = ("sheet", "decimal", "date_order", "hidden", "encoding", "delimiter")
PAIRS = ("columns", "carries", "term")


def asked(mapped: Sequence[str], given: Mapping[str, Any], fields: Sequence[str]) -> Asked:
    """Options and map files in one. Raises ScenarioError."""
    told: dict[str, Any] = {}
    columns = dict[str, str]()
    for one in mapped:
        if "=" in one:
            columns |= _pairs("--map", [one])
        else:
            told |= _from_file(Path(one), fields)
    for name in ("carries", "term"):
        told[name] = {**told.get(name, {}), **_pairs(f"--{name}", given.get(name) or ())}
    told["columns"] = {**told.get("columns", {}), **columns}
    told |= {name: value for name, value in given.items() if value is not None and name not in PAIRS}
    own = {name: str(told.pop(name)) for name in fields if told.get(name) is not None}
    known = {name: value for name, value in told.items() if name not in fields}
    return Asked(**known, told=own)


def _pairs(option: str, texts: Sequence[str]) -> dict[str, str]:
    found = [text.partition("=") for text in texts]
    wrong = [text for text, sign, value in found if not text.strip() or not sign or not value.strip()]
    if wrong:
        raise ScenarioError([Problem(f'{option} `{wrong[0]}` is no pair; write `{option} "item=Artikel"`')])
    return {text.strip(): value.strip() for text, _, value in found}


def _from_file(path: Path, fields: Sequence[str]) -> dict[str, Any]:
    """The keys of a map: those of the options, `columns`, `carries` and `term` as mappings."""
    document = read(path)
    known = (*fields, *WORDS, *PAIRS, "header", "keep_duplicates")
    problems = [
        document.problem((name,), f"`{name}` is not known here{did_you_mean(name, known)}", key=True)
        for name in document.data
        if name not in known
    ]
    found: dict[str, Any] = {}
    for name, value in document.data.items():
        read_as = _value(document, name, value, problems)
        if read_as is not None:
            found[name] = read_as
    if problems:
        raise ScenarioError(problems)
    return found


def _value(document: Document, name: str, value: Any, problems: list[Problem]) -> Any:
    if name in PAIRS and isinstance(value, dict):
        pairs = cast("dict[str, Any]", value)
        return {key: written(one) for key, one in pairs.items() if is_scalar(one)}
    wanted = {"header": "a row, such as 12", "keep_duplicates": "`true` or `false`"}.get(name, "text")
    fits = isinstance(value, bool) if name == "keep_duplicates" else isinstance(value, int) or name != "header"
    if name in PAIRS or not fits or not (is_scalar(value) or isinstance(value, bool)):
        problems.append(document.problem((name,), f"wanted {'a mapping' if name in PAIRS else wanted}"))
        return None
    return value if name in ("header", "keep_duplicates") else written(value)
