"""Answers of a goal seek for the terminal and as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from tco.decisions import words
from tco.decisions.search import Search
from tco.decisions.solve import Solved
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


def _search(one: Search | None) -> dict[str, Any] | None:
    if one is None:
        return None
    told = asdict(one)
    return {**told, "turns": [dict(turn) for turn in told["turns"]]}
