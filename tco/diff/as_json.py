"""The comparison as JSON, in the form that docs/results.md describes."""

from __future__ import annotations

import json
from typing import Any

from tco.diff.bridge import Bridge
from tco.diff.changes import Change
from tco.diff.compared import Comparison, Found, Place
from tco.diff.sides import Side
from tco.diff.words import path_of
from tco.figures import Figure

FORMAT = 1


def json_of(found: Comparison) -> str:
    """The text, keys always in the same order."""
    return json.dumps(to_dict(found), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def to_dict(found: Comparison) -> dict[str, Any]:
    """The comparison as plain Python."""
    return {
        "format": FORMAT,
        "old": _side(found.old),
        "new": _side(found.new),
        "same": found.is_empty,
        "changes": [_found(one) for one in found.found],
        "added": found.added,
        "removed": found.removed,
        "line": found.line,
        "bridges": [_bridge(one) for one in found.bridges],
        "notes": found.notes,
    }


def _side(side: Side) -> dict[str, Any]:
    told = {key: side.result.scenario[key] for key in ("title", "sha256", "as_of", "currency")}
    issued = side.issued.engine if side.issued else None
    return {
        "file": side.file, "kind": side.kind, **told, "engine": side.result.engine, "issued": issued,
        "recommended": side.result.recommended, "ranking": side.result.ranking,
    }  # fmt: skip


def _found(one: Found) -> dict[str, Any]:
    change = one.change
    told = one.texts
    return {
        "fleet": one.fleet, "path": path_of(change), "kind": change.kind, "share": change.share,
        "old": {**_stated(change.old), "text": told[0], **_place(one.old)},
        "new": {**_stated(change.new), "text": told[1], **_place(one.new)},
    }  # fmt: skip


def _stated(value: Any) -> dict[str, Any]:
    if isinstance(value, Figure):
        return {"value": value.value, "unit": value.unit}
    return {"value": value if value is None or isinstance(value, bool | int | float) else str(value), "unit": ""}


def _place(place: Place) -> dict[str, Any]:
    return {"file": place[0], "line": place[1] or None}


def _bridge(bridge: Bridge) -> dict[str, Any]:
    return {
        "fleet": bridge.fleet, "line": bridge.line, "unit": bridge.unit, "measure": bridge.measure,
        "old": bridge.old, "new": bridge.new, "move": bridge.move,
        "steps": [
            {"label": one.label, "effect": one.effect, "changes": _paths(one.changes), "note": one.note}
            for one in bridge.steps
        ],
        "idle": _paths(bridge.idle), "method": bridge.method, "reason": bridge.reason,
    }  # fmt: skip


def _paths(changes: tuple[Change, ...]) -> list[str]:
    return [path_of(one) for one in changes]
