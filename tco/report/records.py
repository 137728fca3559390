"""What an auditor asks for: inputs with their stories, the method in words, checks, provenance, glossary."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import PurePath

from tco.analysis.run import STALE_DAYS
from tco.analysis.sources import doubtful
from tco.export import shown_unit
from tco.figures import Figure
from tco.printers.text import labelled
from tco.report.facts import Facts
from tco.report.tables import Cell, Table, head, number, table
from tco.result import FleetResult
from tco.wording import counted, exact, listed, plain, shortened

STATUS = {
    "quote": "quote", "list": "published", "street": "street price", "estimate": "estimate", "derived": "derived",
    "recalled": "recalled, to be verified", "default": "convention",
}  # fmt: skip
ORDER = ("expired", "recalled", "stale", "estimate", "default", "street", "derived", "list", "quote")


@dataclass(frozen=True)
class Group:
    """Inputs of one fleet, or of all."""

    title: str
    count: int
    doubtful: int
    table: Table


def inputs(facts: Facts, notes: Notes) -> list[Group]:
    """Each figure once: what is equal for every user of an input, what several fleets share, then each fleet's own."""
    users: dict[tuple[str, Figure], list[FleetResult]] = {}
    for fleet in facts.result.fleets:
        for name, figure in fleet.inputs.items():
            users.setdefault((name, figure), []).append(fleet)
    kinds = Counter(name for name, _ in users)
    several = {key: fleets for key, fleets in users.items() if len(fleets) > 1}
    alike = {key: fleets for key, fleets in several.items() if kinds[key[0]] == 1}
    parts = {key: fleets for key, fleets in several.items() if kinds[key[0]] > 1}
    groups = [_group(facts, notes, "Equal for every fleet that uses them", alike)] if alike else []
    groups += [_group(facts, notes, "Equal for several fleets", parts, shared=True)] if parts else []
    for fleet in facts.ordered:
        own = {key: fleets for key, fleets in users.items() if fleets == [fleet]}
        if own:
            groups.append(_group(facts, notes, f"{fleet.id}: {shortened(fleet.name, 120)}", own))
    return groups


Owners = dict[tuple[str, Figure], list[FleetResult]]


def _group(facts: Facts, notes: Notes, title: str, owners: Owners, *, shared: bool = False) -> Group:
    states = {key: _state(facts, key[1]) for key in owners}
    keys = sorted(owners, key=lambda key: ORDER.index(states[key]))
    rows = [_input(facts, notes, owners[key][0], key[0], states[key]) for key in keys]
    heads = ["Input", "Value", "Unit", "Range", "Status", "As of", "Source"]
    names = [fleet.id for fleet in facts.result.fleets]
    if shared:
        rows = [
            [*row, Cell(_among([fleet.id for fleet in owners[key]], names))]
            for row, key in zip(rows, keys, strict=True)
        ]
        heads.append("Fleets")
    shaky = sum(state in ("expired", "recalled", "stale") for state in states.values())
    return Group(title, len(rows), shaky, table(f"Inputs: {title}", heads, rows, style="inputs"))


def _among(users: list[str], names: list[str]) -> str:
    """Who of all fleets; who not, where that is shorter."""
    others = [name for name in names if name not in users]
    if len(others) < len(users):
        return f"all but {listed(others)}" if others else "all"
    return listed(users)


def _state(facts: Facts, figure: Figure) -> str:
    as_of = facts.result.scenario["as_of"]
    if figure.valid_until and figure.valid_until < as_of[: len(figure.valid_until)]:
        return "expired"
    days = float(facts.result.scenario.get("stale_days", STALE_DAYS))
    found = doubtful(figure, as_of, days) if facts.currency in figure.unit or "money" in figure.unit else ""
    return found or figure.status


def _input(facts: Facts, notes: Notes, fleet: FleetResult, name: str, state: str) -> list[Cell]:
    figure = fleet.inputs[name]
    status = {"expired": f"expired {figure.valid_until}", "stale": f"stale ({STATUS[figure.status]})"}.get(
        state, STATUS.get(state, state)
    )
    story = [
        ", ".join(_rows(figure, name)),
        "" if FITTED in figure.origin else figure.note,
        "" if figure.origin in ("scenario", "default", figure.source) or FITTED in figure.origin else figure.origin,
        f"valid until {figure.valid_until}" if figure.valid_until else "",
    ]
    source = "this scenario" if figure.source == "scenario" else figure.source
    return [
        head(label(fleet, name), name),
        *_value(facts, figure, name),
        Cell(status, tone="bad" if state in ("expired", "stale", "recalled") else ""),
        Cell(figure.as_of),
        Cell(notes.short(source), small=notes.short("; ".join(filter(None, story)))),
    ]


FITTED = "catalogue efficiency/"
"""Shares of the calibration: the workbook and `tco explain` tell the factors of each."""


class Notes:
    """Long texts that many figures share, told once below and named by number above."""

    LONG, KEPT = 110, 60

    def __init__(self) -> None:
        self.texts: dict[str, int] = {}

    def short(self, text: str) -> str:
        """The text itself, or its beginning and the number of the note."""
        if len(text) <= self.LONG:
            return text
        return f"{shortened(text, self.KEPT)} (note {self.texts.setdefault(text, len(self.texts) + 1)})"


def _value(facts: Facts, figure: Figure, name: str) -> list[Cell]:
    """Value, unit and range; yearly rates as per cent, tables as pairs."""
    rate = figure.unit == "1/yr"
    unit = "%/yr" if rate else shown_unit(figure.unit, facts.currency)
    if isinstance(figure.value, tuple):
        told = _rows(figure, name)
        return [Cell(counted(len(told), "value"), title=", ".join(told)), Cell(unit), Cell("")]
    scale = 100.0 if rate else 1.0
    return [number(float(figure.value) * scale, plain, unit), Cell(unit), _range(figure, scale)]


def _range(figure: Figure, scale: float) -> Cell:
    """Low and high; an end that nobody states is left open."""
    if figure.low is None and figure.high is None:
        return Cell("")
    ends = [None if end is None else end * scale for end in (figure.low, figure.high)]
    shown = ["…" if end is None else plain(end) for end in ends]
    more = any(end is not None and plain(end) != exact(end) for end in ends)
    digits = ["…" if end is None else exact(end) for end in ends]
    return Cell(" – ".join(shown), title=" – ".join(digits) if more else "")


def _rows(figure: Figure, name: str) -> list[str]:
    """The rows of a table or the periods of a series, as text."""
    rows = figure.value if isinstance(figure.value, tuple) else ()
    if name == "resale_share":
        return [f"close of period {row[0] + 1:g}: {plain(row[1] * 100)} %" for row in rows if isinstance(row, tuple)]
    return [
        f"{plain(row[0])} {figure.from_unit}: {plain(row[1])}" if isinstance(row, tuple) else plain(row) for row in rows
    ]


@dataclass(frozen=True)
class Chapter:
    """A chapter of the model with its lines."""

    title: str
    table: Table


def method(facts: Facts) -> list[Chapter]:
    """Every line in words: the recommended fleet's, then what others have besides or compute differently."""
    lead = facts.best or facts.result.fleets[0]
    fleets = [lead, *(fleet for fleet in facts.ordered if fleet is not lead)]
    names = [fleet.id for fleet in fleets]
    lines: dict[str, dict[tuple[str, str], tuple[list[str], list[Cell]]]] = {}
    titles: dict[str, str] = {}
    for fleet in fleets:
        for item in fleet.model.lines.values():
            labels = tuple(label(fleet, name) for name in item.parents)
            stated = "stated in the scenario (pinned)"
            told = stated if item.pinned else labelled(item.expression, item.parents, labels)
            chapter = lines.setdefault(item.chapter, {})
            titles.setdefault(item.chapter, fleet.model.chapters.get(item.chapter, item.chapter))
            if (item.name, told) not in chapter:
                unit = shown_unit(item.unit_text, facts.currency)
                chapter[item.name, told] = (
                    [],
                    [head(label(fleet, item.name), item.name), Cell(unit), Cell(told, small=item.doc)],
                )
            chapter[item.name, told][0].append(fleet.id)
    return [Chapter(titles[name], _chapter(titles[name], lead.id, rows, names)) for name, rows in lines.items()]


def _chapter(
    title: str, lead: str, rows: dict[tuple[str, str], tuple[list[str], list[Cell]]], names: list[str]
) -> Table:
    """The lines of a chapter; those that the leading fleet lacks say whose they are."""
    told = [
        [
            *cells,
            Cell(
                f"{len(users)} of {len(names)}" if lead in users and len(users) < len(names) else _among(users, names)
            ),
        ]
        for users, cells in rows.values()
    ]
    return table(title, ("Line", "Unit", "How it is computed, and why", "Fleets"), told, style="prose")


def label(fleet: FleetResult, name: str) -> str:
    """The words for a line or an input."""
    if name in fleet.model.lines:
        return fleet.model.lines[name].label
    return fleet.model.inputs[name].label if name in fleet.model.inputs else name


def resale(facts: Facts) -> str:
    """How second-hand values run between the ages that were stated; empty where nothing is sold."""
    ends = {
        float(row[1])
        for fleet in facts.ranked
        if (figure := fleet.inputs.get("resale_share")) and isinstance(figure.value, tuple)
        for row in figure.value[-1:]
        if isinstance(row, tuple)
    }
    if not ends:
        return ""
    told = listed([f"{plain(end * 100)} %" for end in sorted(ends)])
    how = "Resale: the share of the purchase price runs straight from 100 % at purchase through the stated ages, "
    after = "keeps the last share after them, and is nothing once a stated life has ended. "
    return f"{how}{after}What was bought at the start fetches {told} at the end of the horizon."


def provenance(facts: Facts) -> Table:
    """Where this page comes from."""
    scenario, engine = facts.result.scenario, facts.result.engine
    line = facts.result.timeline
    pairs = (
        ("Scenario file", PurePath(scenario["file"]).name),
        ("SHA-256 of the scenario file", scenario["sha256"]),
        ("Prices judged as of", scenario["as_of"]),
        ("Time axis", f"{line.periods} {line.step}s from {line.start[0]}-{line.start[1]:02d}"),
        ("Engine", engine.get("version", "")),
        ("Catalogue", engine.get("catalogue", "")),
        ("Basis", facts.basis),
    )
    return table("Provenance", ("What", "Value"), [[head(name), Cell(value)] for name, value in pairs], style="prose")
