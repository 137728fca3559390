"""A portfolio as JSON, CSV and a table for the terminal."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any, cast

from tco.export import COLUMNS, FORMAT, harmless, rows, spread, to_dict
from tco.portfolio.state import Allocation, Array, Need, Option, PortfolioResult, Shared, Way, cost, unit_cost

COSTS = ("total_cost", "present_cost")


def to_json(result: PortfolioResult) -> str:
    """The result in the documented form (docs/results.md); `headline` is null, ways are ranked by `present_cost`."""
    return spread(portfolio_dict(result), 0) + "\n"


def portfolio_dict(result: PortfolioResult) -> dict[str, Any]:
    """The result as plain Python: `fleets` are those that all workloads share, `runs` those of each workload alone."""
    any_run = to_dict(next(iter(result.single.values())))
    head = {key: any_run[key] for key in ("format", "scenario", "engine", "timeline", "basis", "discounting")}
    assert head["format"] == FORMAT
    warnings = [{"code": one.code, "fleet": one.fleet, "text": one.text} for one in result.warnings]
    return {
        **head,
        "fleets": to_dict(result.together)["fleets"] if result.together else [],
        "headline": None,
        "ranking": result.ranking,
        "recommended": result.recommended,
        "portfolio": {
            "ranked_by": "present_cost",
            "reason": result.reason,
            "workloads": {
                name: {"kind": one.scenario["kind"], "headline": one.headline} for name, one in result.single.items()
            },
            "ways": [_way(way) for way in result.ways],
            "shared": [_shared(result, one) for held in result.shared.values() for one in held.values()],
        },
        "runs": {name: to_dict(one) for name, one in result.single.items()},
        "warnings": warnings,
    }


def _way(way: Way) -> dict[str, Any]:
    return {
        "id": way.id,
        "verdict": way.verdict,
        "reasons": list(way.reasons),
        **{line: way.cost(line) for line in COSTS},
        "fleets": [_option(one) for one in way.options],
    }


def _option(one: Option) -> dict[str, Any]:
    costs = {line: cost(one.result, line, one.verdict) for line in COSTS}
    return {"fleet": one.fleet, "workloads": list(one.works), "systems": one.systems, "verdict": one.verdict, **costs}


def _shared(result: PortfolioResult, held: Shared) -> dict[str, Any]:
    bill = {line: cost(held.fleet, line, held.verdict) for line in COSTS}
    told: dict[str, Any] = {"fleet": held.fleet.id, "verdict": held.verdict, "reasons": list(held.reasons), **bill}
    told["needs"] = {name: _need(one) for name, one in held.needs.items()}
    found = held.allocation
    if found is None:
        return {**told, "allocation": None}
    workloads = {name: _borne(result, held, found, name, bill) for name in held.works}
    return {**told, "allocation": {"gpu_hours": _list(found.gpu_hours), "workloads": workloads, "idle": idle(held)}}


def _need(need: Need) -> dict[str, Any]:
    told = {"gpus_at_once": need.size, "needed_gpus": _list(need.gpus), "systems_alone": _list(need.systems)}
    return {**told, "busy_gpus": _list(need.busy), "peak_gpus": _list(need.peak)}


def _borne(
    result: PortfolioResult, held: Shared, found: Allocation, name: str, bill: dict[str, float | None]
) -> dict[str, Any]:
    one, headline = found.borne[name], result.headline(name)
    return {
        "reserved_gpu_hours": _list(one.reserved),
        "used_gpu_hours": _list(one.used),
        "needed_share": one.needed_share,
        **{
            basis: {
                "share": share,
                **{line: None if value is None else value * share for line, value in bill.items()},
                headline: unit_cost(held, name, headline, usage=basis == "usage"),
            }
            for basis, share in (("reservation", one.reservation_share), ("usage", one.usage_share))
        },
    }


def idle(held: Shared) -> dict[str, float | None]:
    """What nobody used: on the usage basis it is nobody's, on that of reservation all bear it."""
    assert held.allocation is not None
    share = held.allocation.idle_share
    bill = {line: cost(held.fleet, line, held.verdict) for line in COSTS}
    return {"share": share, **{line: None if value is None else value * share for line, value in bill.items()}}


def _list(values: Array) -> list[float]:
    return [float(value) for value in values]


def to_csv(result: PortfolioResult, name: str) -> str:
    """Long rows: those of the portfolio and its shared fleets, then those of every workload's run under its name."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(_rows(result, harmless(name)))
    if result.together:
        writer.writerows(rows(result.together, harmless(name)))
    for work, one in result.single.items():
        writer.writerows(rows(one, harmless(f"{name}/{work}")))
    return out.getvalue()


def _rows(result: PortfolioResult, name: str) -> Iterator[tuple[str, ...]]:
    """`fleet` is the way, or the shared fleet; `line` names the workload and the basis where there are any."""
    currency, labels = result.scenario["currency"], result.timeline.labels
    for way in result.ways:
        for line in COSTS:
            value = way.cost(line)
            yield name, way.id, "", line, "", currency, "" if value is None else repr(value)
    for held in (one for sets in result.shared.values() for one in sets.values()):
        found, fleet = held.allocation, "+".join(held.works) + "@" + held.fleet.id
        for work in held.works if found else ():
            assert found is not None
            for line, value in _numbers(_borne(result, held, found, work, _bill(held))):
                if isinstance(value, list):
                    unit = "gpu*h"
                    yield from (
                        (name, fleet, held.fleet.tier, f"{work}.{line}", label, unit, repr(item))
                        for label, item in zip(labels, value, strict=True)
                    )
                else:
                    unit = "" if line.endswith("share") else _unit(line, currency)
                    yield name, fleet, held.fleet.tier, f"{work}.{line}", "", unit, "" if value is None else repr(value)
        for line, value in idle(held).items() if found else ():
            unit = "" if line == "share" else currency
            yield name, fleet, held.fleet.tier, f"idle.{line}", "", unit, "" if value is None else repr(value)


def _bill(held: Shared) -> dict[str, float | None]:
    return {line: cost(held.fleet, line, held.verdict) for line in COSTS}


def _numbers(told: dict[str, Any], before: str = "") -> Iterator[tuple[str, list[float] | float | None]]:
    for key, value in told.items():
        if isinstance(value, dict):
            yield from _numbers(cast("dict[str, Any]", value), f"{before}{key}.")
        else:
            yield f"{before}{key}", value


UNITS = {"cost_per_million_useful_tokens": "{}/Mtoken", "cost_per_useful_training_step": "{}/step"}


def _unit(line: str, currency: str) -> str:
    return UNITS.get(line.rpartition(".")[2], "{}").format(currency)
