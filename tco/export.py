"""A result as JSON, as a long CSV, and as one CSV over several scenarios."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any, cast

import numpy as np

from tco.result import CATEGORIES, HEADLINES, PER_PERIOD, FleetResult, Result
from tco.units import unit_text

FORMAT = 1
COLUMNS = ("scenario", "fleet", "tier", "line", "period", "unit", "value")


def shown_unit(text: str, currency: str) -> str:
    """The unit with money named as the scenario's currency."""
    return text.replace("money", currency)


def to_json(result: Result) -> str:
    """The result in the documented form (docs/results.md); numbers in full, null with a reason; a line an entry."""
    return spread(to_dict(result), 0) + "\n"


_ENTRY = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
DEPTH = 4
"""The file, its fleets, a fleet, its lines: what lies deeper stands on one line."""


def spread(value: Any, depth: int) -> str:
    """Plain Python as JSON, spread over lines down to the entries."""
    if depth == DEPTH or not isinstance(value, dict | list) or not value:
        return _ENTRY.encode(value)
    inner, outer = "\n" + " " * (depth + 1), "\n" + " " * depth
    if isinstance(value, list):
        items = [spread(item, depth + 1) for item in cast(list[Any], value)]
        return f"[{inner}{f',{inner}'.join(items)}{outer}]"
    pairs = [f"{_ENTRY.encode(name)}: {spread(item, depth + 1)}" for name, item in cast(dict[str, Any], value).items()]
    return f"{{{inner}{f',{inner}'.join(pairs)}{outer}}}"


def to_dict(result: Result) -> dict[str, Any]:
    """The result as plain Python."""
    line = result.timeline
    scenario = {key: result.scenario[key] for key in ("title", "file", "sha256", "as_of", "currency")}
    return {
        "format": FORMAT,
        "scenario": scenario,
        "engine": result.engine,
        "timeline": {
            "start": f"{line.start[0]}-{line.start[1]:02d}",
            "step": line.step,
            "periods": line.periods,
            "labels": line.labels,
        },
        "fleets": [_fleet(result, fleet) for fleet in result.fleets],
        "basis": result.basis,
        "discounting": result.discounting,
        "day_count": result.day_count,
        "reference": result.reference,
        "recommended": result.recommended,
        "comparison": result.comparison,
        "break_even": _lists(asdict(result.break_even)),
        **_analyses(result),
        "ranking": result.ranking,
        "headline": result.headline,
        "left_out": result.left_out,
        "warnings": [{"code": alert.code, "fleet": alert.fleet, "text": alert.text} for alert in result.warnings],
    }


def _analyses(result: Result) -> dict[str, Any]:
    """What the scenario asks for beyond the comparison; nothing where it asks for nothing."""
    told: dict[str, Any] = {}
    if result.quotes is not None:
        from tco.scenario.quotes_told import plain as quotes

        told["quotes"] = quotes(result.quotes)
    if result.decisions is not None:
        from tco.decisions.told import decisions_dict

        told["analysis"] = _lists(decisions_dict(result.decisions))
    if result.uncertainty is not None:
        from tco.uncertainty.as_json import plain

        told["uncertainty"] = plain(result.uncertainty, line_units(result))
    if result.sweeps:
        from tco.sweep.outcome import plain as sweeps

        told["sweeps"] = sweeps(result.sweeps)
    return told


def line_units(result: Result) -> dict[str, str]:
    """Units of the headline and the totals, with the scenario's currency."""
    names = (result.headline or "", "total_cost", "present_cost")
    fleets, currency = result.fleets[:1], result.scenario["currency"]
    return {name: shown_unit(unit_of(fleet, name), currency) for fleet in fleets for name in names}


def _lists(value: Any) -> Any:
    """Tuples as the lists that a reader of the JSON gets."""
    if isinstance(value, dict):
        return {name: _lists(item) for name, item in cast(dict[str, Any], value).items()}
    return [_lists(item) for item in cast(list[Any], value)] if isinstance(value, list | tuple) else value


def _fleet(result: Result, fleet: FleetResult) -> dict[str, Any]:
    currency = result.scenario["currency"]
    return {
        "id": fleet.id,
        "name": fleet.name,
        "tier": fleet.tier,
        "payment": fleet.payment,
        "model": fleet.model_id,
        "precision": fleet.precision,
        "verdict": fleet.verdict,
        "reasons": fleet.reasons,
        "choices": fleet.choices,
        "unit_cost_only": fleet.unit_cost_only,
        "lines": {name: _line(fleet, name, currency) for name in line_names(fleet)},
        "inputs": {name: _input(fleet, name, currency) for name in fleet.inputs},
        "left_out": fleet.left_out,
        "recalled_or_stale_share": fleet.recalled_or_stale_share,
    }


def line_names(fleet: FleetResult) -> list[str]:
    """Every line of the fleet, then the headline and category lines it lacks."""
    return list(dict.fromkeys([*fleet.model.lines, *CATEGORIES, *HEADLINES, *PER_PERIOD]))


def unit_of(fleet: FleetResult, name: str) -> str:
    """The unit of a line, known even where the fleet lacks it."""
    if name in fleet.model.lines:
        return fleet.model.lines[name].unit_text
    from tco.lines.library import ALL, load

    return next((unit_text_of(load(part).lines[name].unit) for part in ALL if name in load(part).lines), "")


def unit_text_of(text: str) -> str:
    """A unit in its canonical writing."""
    from tco.units import unit

    return unit_text(unit(text))


def _line(fleet: FleetResult, name: str, currency: str) -> dict[str, Any]:
    value, reason = fleet.shown(name), fleet.reason(name)
    told: dict[str, Any] = {"unit": shown_unit(unit_of(fleet, name), currency), "value": _plain(value)}
    told["pinned"] = name in fleet.model.lines and fleet.model.lines[name].pinned
    return {**told, "reason": reason} if reason else told


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, float):
        return value
    return [float(item) for item in np.asarray(value)]


def _input(fleet: FleetResult, name: str, currency: str) -> dict[str, Any]:
    figure = fleet.inputs[name]
    value = figure.value
    if isinstance(value, tuple):
        value = [list(row) if isinstance(row, tuple) else row for row in value]
    told = {"unit": shown_unit(figure.unit, currency), "value": value}
    told |= {key: getattr(figure, key) for key in ("low", "high", "as_of", "source", "status", "origin", "note")}
    return {key: item for key, item in told.items() if item not in (None, "")}


def rows(result: Result, scenario: str) -> Iterator[tuple[str, ...]]:
    """Long rows: scenario, fleet, tier, line, period (empty for one number), unit, value (empty for null)."""
    currency, labels = result.scenario["currency"], result.timeline.labels
    for fleet in result.fleets:
        yield (scenario, fleet.id, fleet.tier, "recalled_or_stale_share", "", "", repr(fleet.recalled_or_stale_share))
        for name in line_names(fleet):
            value = fleet.shown(name)
            told = (scenario, fleet.id, fleet.tier, name)
            unit = shown_unit(unit_of(fleet, name), currency)
            if isinstance(value, np.ndarray):
                yield from ((*told, label, unit, repr(float(item))) for label, item in zip(labels, value, strict=True))
            else:
                yield (*told, "", unit, "" if value is None else repr(value))


def to_csv(results: Iterable[tuple[str, Result]]) -> str:
    """One long table over scenarios, each under its name."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for name, result in results:
        writer.writerows(rows(result, harmless(name)))
    return out.getvalue()


def harmless(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
