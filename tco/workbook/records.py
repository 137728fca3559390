"""The sheets that are read by machines and auditors: Data, Method, Log."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np

from tco.expression import Expr
from tco.model import Model, TracedLine
from tco.printers.text import labelled, source_text
from tco.result import CATEGORIES, HEADLINES, NULLING, PER_PERIOD, FleetResult
from tco.workbook.book import Book
from tco.workbook.furniture import heading, in_words, master, page, paid_words
from tco.workbook.places import DATA, LOG, METHOD
from tco.workbook.plan import Plan, label_of
from tco.workbook.styles import TABS

NOT_PRINTED = "A long table for programs and pivots; only this note is printed."
COLUMNS = ("fleet", "tier", "case", "period", "line", "unit", "value")


def write_data(book: Book, plan: Plan) -> None:
    """One long table of what the engine reports; lines without a value are left out, never 0."""
    sheet = book.sheet(DATA, TABS["control"])
    row = 1
    for row, record in enumerate(records(plan), 2):
        *texts, value = record
        sheet.texts(row, 0, texts)
        sheet.number(row, len(texts), value, "plain")
    columns = [{"header": name} for name in COLUMNS]
    options = {"name": "data", "columns": columns, "style": "Table Style Light 1", "autofilter": True}
    if sheet.raw.add_table(0, 0, max(row, 2) - 1, len(COLUMNS) - 1, options):
        raise ValueError("the table was refused")
    master(sheet, 1, len(COLUMNS) + 1)
    sheet.text(2, len(COLUMNS) + 1, NOT_PRINTED, "quiet")
    sheet.widths([26, 14, 8, 18, 46, 16, 22, 3, 20])
    sheet.raw.freeze_panes(1, 0)
    page(book, sheet, plan, repeat=(1, 1))
    sheet.raw.print_area(0, len(COLUMNS) + 1, 1, len(COLUMNS) + 7)


def records(plan: Plan) -> Iterator[tuple[Any, ...]]:
    """The rows of Data."""
    labels = plan.result.timeline.labels
    for fleet in plan.result.fleets:
        for name in dict.fromkeys((*HEADLINES, *CATEGORIES, *PER_PERIOD)):
            value = fleet.shown(name)
            if value is None or fleet.verdict in NULLING:
                continue
            head, unit = (fleet.id, fleet.tier, "base"), plan.line_unit(fleet.model.lines[name], name)
            if isinstance(value, np.ndarray):
                numbers = np.broadcast_to(value.reshape(-1), (plan.periods,)).tolist()
                yield from ((*head, label, name, unit, number) for label, number in zip(labels, numbers, strict=True))
            else:
                yield (*head, "", name, unit, value)


def write_method(book: Book, plan: Plan) -> None:
    """Every line in words, once, with the chapters in reading order."""
    sheet = book.sheet(METHOD, TABS["control"])
    note = "Each line as it is computed on the calculation sheets, in words and with the names of lines and inputs."
    heading(sheet, "Method", note)
    sheet.texts(4, 0, ["Line", "Label", "Unit", "In words", "Formula", "Why", "Fleets"], "heading")
    row = 4
    for title, lines in _chapters(plan).items():
        row += 1
        sheet.text(row, 0, title, "section")
        sheet.blank(row, range(1, 7), "section")
        for name, (item, model, fleets) in lines.items():
            row += 1
            sheet.text(row, 0, name, "id")
            sheet.text(row, 1, label_of(item), "wrapped")
            sheet.text(row, 2, plan.line_unit(item, name), "unit")
            sheet.text(row, 3, _words(item, model), "wrapped")
            sheet.text(row, 4, _formula(item), "wrapped")
            sheet.text(row, 5, item.doc, "wrapped")
            sheet.text(row, 6, _which(fleets, plan), "wrapped")
    sheet.widths([30, 28, 13, 52, 48, 34, 23])
    sheet.raw.freeze_panes(4, 1)
    page(book, sheet, plan, repeat=(1, 4))


def _which(fleets: list[str], plan: Plan) -> str:
    """`all`, `all but api`, or the fleets by name, whichever is shortest."""
    others = [fleet.id for fleet in plan.result.fleets if fleet.id not in fleets]
    if not others:
        return "all"
    return ", ".join(fleets) if len(fleets) <= len(others) else f"all but {', '.join(others)}"


Described = dict[str, tuple[TracedLine, Model, list[str]]]


def _chapters(plan: Plan) -> dict[str, Described]:
    """Lines by chapter; a line that two fleets compute in different ways stands twice."""
    found: dict[str, Described] = {}
    seen: dict[tuple[str, str], str] = {}
    for fleet in plan.result.fleets:
        for block in plan.blocks[fleet.id]:
            for name in block.names:
                item = fleet.model.lines.get(name)
                if item is None:
                    continue
                lines = found.setdefault(block.title, {})
                key = seen.setdefault((name, _formula(item)), name if name not in lines else f"{name} ({fleet.id})")
                lines.setdefault(key, (item, fleet.model, []))[2].append(fleet.id)
    return found


@functools.lru_cache(maxsize=4096)
def _formula(item: TracedLine) -> str:
    opening = f", opening {source_text(item.opening)}" if item.opening is not None else ""
    return source_text(item.expression) + opening


def _words(item: TracedLine, model: Model) -> str:
    def label(name: str) -> str:
        known = model.lines.get(name) or model.inputs.get(name)
        return label_of(known) if known else name

    def words(value: Expr) -> str:
        return labelled(value, item.parents, tuple(map(label, item.parents)))

    told = "a number given in its place" if item.pinned else words(item.expression)
    return told + (f"; before the first period {words(item.opening)}" if item.opening is not None else "")


def write_log(book: Book, plan: Plan) -> None:
    """Provenance, what is left out, warnings, and the scenario as it was written."""
    sheet = book.sheet(LOG, TABS["control"])
    heading(sheet, "Log", "Where this file comes from; a change to it is a change to the scenario below.")
    row = 4
    for title, pairs in _log(plan):
        sheet.texts(row, 0, [title, "", ""], "section")
        for name, text in pairs:
            row += 1
            sheet.text(row, 0, name, "label")
            sheet.text(row, 1, text, "wrapped")
        row += 2
    sheet.texts(row, 0, ["Changes", "", ""], "section")
    sheet.texts(row + 1, 0, ["Date", "Who, what, why", "Effect on the headline"], "heading")
    for index in range(4):
        sheet.texts(row + 2 + index, 0, ["", "", ""], "input text")
    row += 7
    sheet.texts(row, 0, ["Scenario", plan.result.scenario.get("file", ""), ""], "section")
    for number, line in enumerate(plan.result.scenario.get("text", "").split("\n"), 1):
        sheet.number(row + number, 0, float(number), "line number")
        sheet.text(row + number, 1, line.rstrip("\r"), "code")
    sheet.widths([26, 150, 30])
    sheet.raw.freeze_panes(2, 0)
    page(book, sheet, plan, repeat=(1, 2))


def _log(plan: Plan) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    result = plan.result
    scenario = {name: result.scenario.get(name, "") for name in ("title", "file", "sha256", "as_of", "currency")}
    yield (
        "Provenance",
        [
            *((f"Scenario: {name}", text) for name, text in scenario.items()),
            *((f"Engine: {name}", text) for name, text in result.engine.items()),
            ("Basis", in_words(result.basis)),
            ("Discounting", paid_words(result)),
            ("Reference fleet", result.reference or "none"),
            ("Recommended as issued", result.recommended or "none"),
            ("Ranking as issued", ", ".join(result.ranking) or "none"),
        ],
    )
    yield "Fleets as issued", [(fleet.id, _fleet_words(fleet)) for fleet in result.fleets]
    owners = [("all fleets", result.left_out), *((fleet.id, fleet.left_out) for fleet in result.fleets)]
    left_out = [(owner, "; ".join(texts)) for owner, texts in owners if texts]
    yield "Left out", left_out or [("", "nothing that the scenario could have priced")]
    yield "Warnings", [(alert.fleet or "scenario", alert.text) for alert in result.warnings] or [("", "none")]


def _fleet_words(fleet: FleetResult) -> str:
    share = f"{fleet.recalled_or_stale_share:.0%} of its headline rests on recalled or stale figures"
    return "; ".join([fleet.verdict, *fleet.reasons, share])
