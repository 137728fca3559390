"""What was read back, for people and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tco.console import table
from tco.readback import Readback
from tco.readback.effect import agrees, shown
from tco.readback.typed import Change
from tco.result import Result
from tco.wording import shortened, significant
from tco.workbook.book import Formula

MOST = 40
"""Findings that are listed one by one."""


def text(found: Readback) -> str:
    """The whole report for a terminal."""
    parts = [_head(found), *(f"note: {note}" for note in found.notes), *_changes_of_log(found)]
    parts += ["", *_inputs(found), "", *_altered(found), "", *_effects(found)]
    return "\n".join(parts)


def _head(found: Readback) -> str:
    said = found.said
    return f"{found.edited.path}: issued from {said.file} by engine {said.engine}, catalogue {said.catalogue}"


def _changes_of_log(found: Readback) -> Iterator[str]:
    for row in found.said.changes:
        yield f"noted on Log: {' · '.join(shortened(part, 120) for part in row if part)}"


# --- inputs ---


def _inputs(found: Readback) -> Iterator[str]:
    if not found.changes:
        yield "no input was changed"
        return
    if found.taken:
        yield f"{len(found.taken)} input{'s' if len(found.taken) > 1 else ''} changed:"
        yield table([_row(change) for change in found.taken])
        yield from (f"  {change.name} ({change.owner}): {note}" for change in found.taken for note in change.notes)
    if found.refused:
        yield f"{len(found.refused)} input{'s' if len(found.refused) > 1 else ''} cannot be used:"
        for change in found.refused:
            yield f"  {change.cell} {change.name} ({change.label}, {change.owner}): {change.refused}"


def _row(change: Change) -> dict[str, str]:
    return {
        "cell": change.cell,
        "input": change.name,
        "what": shortened(change.label, 36),
        "fleet": change.owner,
        "was": _amount(change.old),
        "now": _amount(change.new),
        "unit": change.unit,
        "stands in": _place(change.where),
    }


def _place(where: str) -> str:
    """Of a long path the end is what counts."""
    return f"…{where[-49:]}" if len(where) > 50 and where.rpartition(":")[2].isdigit() else shortened(where, 50)


def _amount(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.12g}" if abs(value) >= 1e4 else f"{value:.8g}"


# --- what was altered ---


def _altered(found: Readback) -> Iterator[str]:
    serious = [one for one in found.findings if one.serious]
    others = [one for one in found.findings if not one.serious]
    if serious:
        yield f"{len(serious)} place{'s' if len(serious) > 1 else ''} altered beside inputs:"
        yield from (f"  {one}" for one in serious[:MOST])
        yield from ([f"  and {len(serious) - MOST} more (all of them with --json)"] if len(serious) > MOST else [])
    elif found.compared:
        count = sum(isinstance(value, Formula) for cells in found.issued.cells.values() for value in cells.values())
        yield f"no formula was altered: {count:,} are as issued"
    if others:
        yield "also seen, without effect on a number:"
        yield from (f"  {one}" for one in others[:MOST])
        yield from ([f"  and {len(others) - MOST} more (all of them with --json)"] if len(others) > MOST else [])


# --- effects ---


def _effects(found: Readback) -> Iterator[str]:
    effect = found.effect
    if effect.problems:
        yield "the changed scenario has problems:"
        yield from (f"  {problem}" for problem in effect.problems)
    if not found.taken:
        return
    line = found.issued.result.headline or ""
    currency = found.issued.result.scenario["currency"]
    yield f"effect on {line} ({currency}): issued -> frozen (choices of the workbook) -> searched (choices made anew)"
    yield table([_effect_row(found, name, line) for name in _order(found)])
    yield f"ranking as issued: {_ranking(effect.issued)}"
    for word, result in (("frozen", effect.frozen), ("searched", effect.searched)):
        if result is not None:
            same = result.ranking == effect.issued.ranking
            yield f"ranking {word}: {'unchanged' if same else _ranking(result)}; {_recommended(effect.issued, result)}"
    yield from _against_workbook(found)


def _order(found: Readback) -> list[str]:
    ranked = found.issued.result.ranking
    return [*ranked, *(fleet.id for fleet in found.issued.result.fleets if fleet.id not in ranked)]


def _effect_row(found: Readback, name: str, line: str) -> dict[str, str]:
    effect = found.effect
    issued, frozen, searched = (
        shown(result.by_id[name], line) if result else "–" for result in (effect.issued, effect.frozen, effect.searched)
    )
    return {
        "fleet": name,
        "issued": _number(issued),
        "frozen": _number(frozen),
        "change": _change(issued, frozen),
        "searched": _number(searched),
        "change anew": _change(issued, searched),
    }


def _number(value: float | str) -> str:
    if isinstance(value, float):
        return significant(value)
    return "not defined" if str(value).startswith("#") else str(value)


def _change(before: float | str, after: float | str) -> str:
    if not isinstance(before, float) or not isinstance(after, float) or not before:
        return "" if before == after else "changed"
    return "-" if agrees(before, after) else f"{100 * (after / before - 1):+.2f} %"


def _ranking(result: Result) -> str:
    return ", ".join(result.ranking) or "none"


def _recommended(before: Result, after: Result) -> str:
    if before.recommended == after.recommended:
        return f"recommended is still {after.recommended or 'none'}"
    return f"recommended is now {after.recommended or 'none'}, was {before.recommended or 'none'}"


def _against_workbook(found: Readback) -> Iterator[str]:
    effect = found.effect
    if effect.differences:
        yield "the frozen run differs from what the workbook shows:"
        yield from (f"  {told}" for told in effect.differences)
    elif effect.recalculated and effect.frozen is not None:
        yield "the frozen run gives the numbers that the workbook shows"
    else:
        yield "the workbook was not calculated since it was edited: its own numbers were not compared"
    if effect.followers and not effect.differences:
        names = sorted({f"{one.name} ({one.fleet})" for one in effect.followers})
        yield f"follow from the changes in a run, and stand still in the workbook: {', '.join(names[:8])}"


# --- JSON ---


def as_json(found: Readback, written: str = "") -> str:
    """The same for programs."""
    effect, said = found.effect, found.said
    told: dict[str, Any] = {
        "workbook": str(found.edited.path),
        "scenario": {"file": said.file, "sha256": said.sha256},
        "engine": {"version": said.engine, "catalogue": said.catalogue},
        "good": found.good,
        "notes": [*found.notes],
        "log": [list(row) for row in said.changes],
        "inputs": [_change_json(change) for change in found.changes],
        "formulas_compared": found.compared,
        "altered": [vars(one) for one in found.findings],
        "problems": effect.problems,
        **_effects_json(found),
        "recalculated": effect.recalculated,
        "differences": effect.differences,
        "followers": [{"fleet": one.fleet, "input": one.name, "workbook": one.held, "run": one.run}
                      for one in effect.followers],
        "written": written,
    }  # fmt: skip
    return json.dumps(told, indent=1, ensure_ascii=False)


def _effects_json(found: Readback) -> dict[str, Any]:
    effect, line = found.effect, found.issued.result.headline or ""
    results = {"issued": effect.issued, "frozen": effect.frozen, "searched": effect.searched}
    run = {how: result for how, result in results.items() if result is not None}
    fleets = {
        fleet.id: {
            **{how: shown(result.by_id[fleet.id], line) for how, result in run.items()},
            "workbook": _plain(effect.shown.get(fleet.id)),
        }
        for fleet in found.issued.result.fleets
    }
    return {
        "headline": line,
        "fleets": fleets,
        "ranking": {how: result.ranking for how, result in run.items()},
        "recommended": {how: result.recommended for how, result in run.items()},
    }


def _plain(value: Any) -> Any:
    return value if isinstance(value, float | str) else None


def _change_json(change: Change) -> dict[str, Any]:
    return {
        "cell": change.cell, "input": change.place.name, "fleet": change.place.owner, "period": change.period,
        "label": change.label, "unit": change.unit, "old": change.old, "new": change.new, "stands_in": change.where,
        "source": change.source, "refused": change.refused, "notes": change.notes,
    }  # fmt: skip
