"""Answers of a goal seek for the terminal and as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from tco.decisions import words
from tco.decisions.decisions import Decisions
from tco.decisions.search import Search
from tco.decisions.solve import Solved
from tco.decisions.tables import Values
from tco.result import Result


def text_of(found: Solved, result: Result) -> str:
    """Question, answer, every place, and how it was found."""
    lines = [words.title(found), f"  {words.now(found)}", f"  {words.verdict(found)}", ""]
    places = words.rows(found, result)
    width = max((len(value) for value, _ in places), default=0)
    lines += [f"  {value.ljust(width)}  {told}" for value, told in places]
    more = len(found.answer.turns) - len(places)
    lines += [f"  {more} more: see --json"] if more > 0 else []
    return "\n".join([*lines, *([""] if places else []), words.how(found)])


def json_of(found: Solved) -> str:
    """The same in full."""
    return json.dumps(to_dict(found), indent=1, ensure_ascii=False, allow_nan=False)


def to_dict(found: Solved) -> dict[str, Any]:
    """A question with its answer, as plain Python."""
    return {
        "change": found.one.text,
        "until": found.wish.text,
        "unit": found.one.unit,
        "line_unit": found.wish.unit,
        "now": found.today,
        "line_now": found.now,
        "deployments": "chosen anew" if found.anew or not found.kept else "kept",
        "checked": found.checked,
        "answer": words.verdict(found),
        "kept": _search(found.kept),
        "anew": _search(found.anew),
        "note": words.how(found),
    }


def decisions_dict(found: Decisions) -> dict[str, Any]:
    """All answers of a scenario, what is not asked left out."""
    told: dict[str, Any] = {
        "solve": [to_dict(one) for one in found.solved],
        "tables": [_table(one) for one in found.tables],
        "flips": None if found.flips is None else [asdict(one) for one in found.flips],
        "spider": found.spider and asdict(found.spider),
    }
    return {name: value for name, value in told.items() if value or (name == "flips" and value is not None)}


def _table(one: Values) -> dict[str, Any]:
    axes = {"rows": one.rows, "columns": one.columns}
    told = {
        name: axis and {"change": axis.one.text, "unit": axis.one.unit, "values": axis.values, "now": axis.now}
        for name, axis in axes.items()
    }
    return {
        "line": one.line, "unit": one.unit, "fleet": one.fleet, **told, "cells": one.cells, "now": one.now,
        "deployments": "kept" if one.kept else "chosen anew",
    }  # fmt: skip


def _search(one: Search | None) -> dict[str, Any] | None:
    if one is None:
        return None
    told = asdict(one)
    return {**told, "turns": [dict(turn) for turn in told["turns"]]}
