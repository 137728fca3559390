"""The schema as editors read it (JSON Schema 2020-12)."""

from __future__ import annotations

from typing import Any, cast

from tco.figures import STATUSES
from tco.scenario.fields import Section
from tco.scenario.leaf import Leaf
from tco.scenario.ranges import PARTS
from tco.uncertainty.spread import KINDS

_TEXT = {"type": "string"}
_DATE = {"type": "string", "pattern": "^[0-9]{4}(-[0-9]{2}){0,2}$"}
_NUMBER = {"type": ["string", "number"]}
LISTS = ("values", "shares")
_STORY: dict[str, Any] = {
    "low": _NUMBER, "high": _NUMBER, "as_of": _DATE, "source": _TEXT, "status": {"enum": list(STATUSES)}, "note": _TEXT,
    "valid_until": _DATE,
}  # fmt: skip


def json_schema(model: type[Section], title: str = "tco scenario") -> dict[str, Any]:
    """The JSON Schema of a scenario, without the words of the library that made it."""
    used: set[str] = set()
    cleaned = cast("dict[str, Any]", _cleaned(model.model_json_schema(), used))
    stems = {name.split("_with_")[0] for name in used} | {name.split("_")[0] for name in used}
    forms = {name: _form(name) for name in sorted(used | stems)}
    cleaned["$defs"] = {**cleaned.get("$defs", {}), **forms}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **cleaned}


def leaf_schema(leaf: Leaf) -> dict[str, Any]:
    """A quantity: text, a bare number where one may stand, or a mapping with its story. `forms` are filled in later."""
    single = "number" if leaf.takes_bare or leaf.unit is None else "quantity"
    forms = [single, f"{single}_with_story", f"{single}_spread"] if leaf.single else []
    forms += [f"{single}_list", f"{single}_list_with_story"] if leaf.series else []
    forms += ["_".join((single, *leaf.columns))] if leaf.table_from is not None else []
    wanted = f"Wanted: {leaf.wanted()}."
    text = f"{leaf.description.rstrip('.')}. {wanted}" if leaf.description else wanted
    return {"description": text, "examples": [leaf.sample()], "forms": forms}


def _form(name: str) -> dict[str, Any]:
    """The schema of one form of a leaf, by its name."""
    single, *rest = name.split("_")
    several = {"type": "array", "items": _ref(single)}
    telling = {key: value for key, value in _STORY.items() if key not in ("low", "high")}
    if not rest:
        return _NUMBER if single == "number" else _TEXT
    if rest[-1] == "story":
        value = _ref(name.removesuffix("_with_story"))
        return _mapping({"value": value, **(telling if "list" in rest else _STORY)}, ["value"])
    if rest == ["list"]:
        return several
    if rest == ["spread"]:
        numbers = dict.fromkeys(PARTS, _ref(single)) | {key: {"type": "array", "items": _NUMBER} for key in LISTS}
        told = _mapping({**numbers, "distribution": {"enum": list(KINDS)}, **telling}, [])
        return {**told, "anyOf": [{"required": ["distribution"]}, {"required": ["low", "typ", "high"]}]}
    return _mapping({rest[0]: several, rest[1]: several, **telling}, rest)


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}


def _mapping(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _cleaned(part: Any, used: set[str], names: bool = False) -> Any:
    """Without titles, null alternatives and null defaults; `names` marks a mapping from names to schemas."""
    if isinstance(part, list):
        return [_cleaned(item, used) for item in cast("list[Any]", part)]
    if not isinstance(part, dict):
        return part
    kept: dict[str, Any] = {}
    for key, value in cast("dict[str, Any]", part).items():
        if not names and key == "forms":
            used.update(value)
            kept["anyOf"] = [_ref(name) for name in value]
        elif names or not (key == "title" or (key == "default" and value in (None, [], {}))):
            kept[key] = _cleaned(value, used, names=not names and key in ("properties", "$defs"))
    return kept if names else _without_null(kept)


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    forms = schema.get("anyOf")
    if not isinstance(forms, list) or {"type": "null"} not in forms:
        return schema
    left = [form for form in cast("list[dict[str, Any]]", forms) if form != {"type": "null"}]
    rest = {key: value for key, value in schema.items() if key != "anyOf"}
    return {**left[0], **rest} if len(left) == 1 else {**rest, "anyOf": left}
