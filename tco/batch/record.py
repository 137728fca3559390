"""One scenario of a batch as readers see it, on the index page and in the summary."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from tco.batch.ledger import Entry
from tco.console import HEADS
from tco.result import NULLING

DONE, NONE, FAILED = "done", "no fleet can do the work", "failed"
KINDS = {
    "xlsx": "workbook", "html": "report", "json": "JSON", "csv": "CSV", "focus.csv": "FOCUS",
    "opencost.csv": "OpenCost",
}  # fmt: skip


@dataclass(frozen=True)
class Record:
    """A row; `fleet` and what follows is empty where none is recommended. `why` says what is wrong, a line each."""

    name: str
    file: str
    state: str
    why: list[str]
    title: str = ""
    currency: str = ""
    unit: str = ""
    fleets: int = 0
    ranked: int = 0
    warnings: int = 0
    fleet: str = ""
    tier: str = ""
    unit_cost: float | None = None
    total_cost: float | None = None
    recalled: float | None = None
    second: str = ""
    second_cost: float | None = None
    start: str = ""
    cash: list[float] = field(default_factory=list[float])
    links: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])


def record(entry: Entry) -> Record:
    """The row of a scenario."""
    if entry.problem:
        return Record(entry.name, entry.file, FAILED, entry.problem.splitlines())
    row: Any = entry.row
    best: dict[str, Any] = row["recommended"] or {}
    second: dict[str, Any] = row["second"] or {}
    return Record(
        entry.name, entry.file, DONE if best else NONE, [] if best else _reasons(row), row["title"], row["currency"],
        HEADS.get(row["headline"], "").format(row["currency"]), row["fleets"],
        sum(one == "ok" for one in row["verdicts"].values()), row["warnings"], best.get("id", ""), best.get("tier", ""),
        best.get("unit_cost"), best.get("total_cost"), best.get("recalled_or_stale_share"), second.get("id", ""),
        second.get("unit_cost"), row["start"], row["cash"],
        [(kind, quote(f"{entry.name}.{suffix}")) for suffix, kind in KINDS.items() if suffix in entry.outputs],
    )  # fmt: skip


def _reasons(row: Any) -> list[str]:
    """Why each fleet is not ranked, those that cannot run first."""
    told = {fleet: row["reasons"].get(fleet) or verdict for fleet, verdict in row["verdicts"].items()}
    return [f"{fleet}: {told[fleet]}" for fleet in sorted(told, key=lambda one: row["verdicts"][one] not in NULLING)]
