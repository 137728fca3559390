"""The mix as JSON, in the form that docs/mix.md describes."""

from __future__ import annotations

import json
from typing import Any

from tco.analysis.run import engine_version
from tco.mix.found import Mixed
from tco.mix.plan import Part
from tco.mix.words import cautions, limit_told
from tco.mix.worth import Worth

FORMAT = 1


def json_of(found: Mixed) -> str:
    """The text, keys always in the same order."""
    return json.dumps(to_dict(found), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def to_dict(found: Mixed) -> dict[str, Any]:
    """The mix as plain Python."""
    plan = found.plan
    asked, document, scenario = plan.asked, plan.asked.loaded.document, plan.asked.scenario
    return {
        "format": FORMAT,
        "scenario": {
            "title": scenario.title, "file": document.file.replace("\\", "/").rsplit("/", 1)[-1],
            "sha256": document.sha256, "as_of": scenario.as_of, "currency": scenario.currency,
        },
        "engine": {"version": engine_version(), "catalogue": asked.loaded.catalogue.version},
        "moments": [{"label": one.label, "first": one.first, "end": one.end} for one in asked.moments],
        "classes": [{"id": name, "share": asked.weights[name]} for name in asked.classes],
        "present_cost": plan.engine_cost,
        "optimiser_cost": plan.cost,
        "proven": plan.solution.proven,
        "gap": plan.solution.gap,
        "fleets": [_part(part) for part in plan.parts],
        "alone": [{"fleet": one.fleet, "present_cost": one.cost, "reason": one.reason} for one in found.alone],
        "limits": [_limit(one, scenario.currency) for one in found.worths],
        "warnings": cautions(found),
    }  # fmt: skip


def _limit(one: Worth, currency: str) -> dict[str, Any]:
    return {
        "limit": one.limit, "unit": one.unit, "allowed": one.values, "used": max(one.used, default=0.0),
        "step": one.step, "step_saves": one.unit_saving, "from": one.from_here, "from_saves": one.saving,
        "without_saves": one.without, "proven": one.exact, "text": limit_told(one, currency),
    }  # fmt: skip


def _part(part: Part) -> dict[str, Any]:
    counted = part.payment != "api"
    return {
        "id": part.id,
        "name": part.name,
        "payment": part.payment,
        "added": [round(one) for one in part.added] if counted else None,
        "standing": [round(float(one)) for one in part.standing] if counted else None,
        "shares": part.shares,
        "present_cost": part.cost,
    }
