"""A small workbook of its own: what changed between two scenarios, and a waterfall a fleet whose sums tie."""

from __future__ import annotations

import textwrap
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

from tco.diff.bridge import Bridge
from tco.diff.compared import Comparison
from tco.diff.words import NOTHING, at_text, kind_words, path_of
from tco.wording import counted, decimals_of, shortened
from tco.workbook.book import Book, Sheet, at, clean, quoted, span
from tco.workbook.charts import Caption
from tco.workbook.furniture import FAIL, MASTER_COLUMN, MASTER_ROW, PASS, PROTECTION, alarm, heading
from tco.workbook.places import CHECKS, SUMMARY
from tco.workbook.styles import SHARE, TABS
from tco.workbook.waterfall import AFTER, EFFECT, FIRST_HELPER, LABEL, PART, Running, height, helpers, waterfall

HEAD, FIRST = 4, 5
TOLERANCE = 1e-9
TOLERANCE_ROW, CHECK_HEAD = 5, 7
CHANGES = "Changes"
PIXELS_OF_ROW, ACROSS = 16, 120


def build(found: Comparison) -> bytes:
    """The workbook as bytes: the same for the same comparison."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        book = Book(PASS)
        summary, changes = book.sheet(SUMMARY, TABS["presentation"]), book.sheet(CHANGES, TABS["presentation"])
        drawn = [bridge for bridge in found.bridges if bridge.steps]
        ends = {bridge.fleet: _write_bridge(book, found, bridge) for bridge in drawn}
        _write_checks(book, found, drawn, ends)
        _write_changes(changes, found)
        _write_summary(summary, found, ends)
        summary.raw.activate()
        for sheet in book.sheets.values():
            _page(sheet, found)
        book.raw.set_properties({"title": "Bridge between two scenarios", "keywords": "tco", "created": _day(found)})
        return book.content()


def _day(found: Comparison) -> Any:
    from tco.workbook.writer import day

    return day(found.new.result.scenario["as_of"])


def sheet_name(fleet: str) -> str:
    """The sheet of a fleet's bridge."""
    return f"Bridge_{fleet.replace('-', '_')}"


def _names(found: Comparison) -> tuple[str, str]:
    """Both files by their last part, or in full where that is the same."""
    names = [clean(side.file.replace("\\", "/").rsplit("/", 1)[-1], 80) for side in (found.old, found.new)]
    return (names[0], names[1]) if names[0] != names[1] else (clean(found.old.file, 80), clean(found.new.file, 80))


def _decimals(numbers: Sequence[float]) -> int:
    """Four digits of the smallest, unless the largest makes that absurd."""
    sizes = [abs(number) for number in numbers if number]
    return min(decimals_of(min(sizes)), decimals_of(max(sizes)) + 2) if sizes else 0


def _format(numbers: Sequence[float]) -> str:
    """One number of decimals for all."""
    digits = _decimals(numbers)
    tail = f".{'0' * digits}" if digits else ""
    return f"#,##0{tail};-#,##0{tail}"


def _write_bridge(book: Book, found: Comparison, bridge: Bridge) -> int:
    """Start, every step with its effect, and the end as their live sum; returns the row of the end."""
    sheet = book.sheet(sheet_name(bridge.fleet), TABS["workings"])
    assert bridge.old is not None
    running = Running.of(bridge.old, [step.effect for step in bridge.steps])
    shown, (was, now) = [*running.effects, *running.places], _names(found)
    labels = [f"was: {was}", *(shortened(step.label, 60) for step in bridge.steps), f"is: {now}"]
    heading(sheet, f"{bridge.fleet}: why {bridge.line} moved", _unit_words(bridge), at_column=AFTER)
    _table(sheet, running, labels, _format(shown))
    end = FIRST + len(running.effects) + 1
    texts = [line for text in _texts(bridge) for line in textwrap.wrap(shortened(text, 1000), ACROSS)]
    for row, text in enumerate(texts, end + 2):
        sheet.text(row, LABEL, text, "quiet")
    sheet.widths([50, 20, 20, 22, 3])
    helpers(sheet, running, labels, FIRST, _decimals(shown), _format(shown))
    words = "; ".join(f"{step.label} {step.effect:+.4g}" for step in bridge.steps)
    told = f"Waterfall of {bridge.line} of {bridge.fleet}, from {bridge.old:.4g} to {bridge.new:.4g}: {words}"
    caption = Caption(f"{bridge.fleet}: from {was} to {now}", bridge.unit or bridge.line, told)
    top = end + 3 + len(texts)
    waterfall(book, sheet, running, caption, (FIRST, end, top))
    sheet.raw.freeze_panes(HEAD, 1)
    sheet.raw.print_area(0, 0, top + height(running) // PIXELS_OF_ROW, FIRST_HELPER - 1)
    return end


def _table(sheet: Sheet, running: Running, labels: Sequence[str], look: str) -> None:
    """The start, the steps, and the end as their sum."""
    sheet.text(HEAD, LABEL, "Change", "heading")
    sheet.texts(HEAD, EFFECT, ["Effect", "Of what it was", "After it"], "heading right")
    sheet.text(FIRST, LABEL, labels[0], "label wrapped")
    sheet.number(FIRST, AFTER, running.start, ("total right", look))
    end = FIRST + len(running.effects) + 1
    for row, (label, effect, after) in enumerate(
        zip(labels[1:], running.effects, running.after, strict=False), FIRST + 1
    ):
        sheet.text(row, LABEL, label, "label wrapped")
        sheet.number(row, EFFECT, effect, ("right", look))
        sheet.formula(row, AFTER, f"{at(AFTER, row - 1)}+{at(EFFECT, row)}", after, ("right", look))
    total = sum(running.effects)
    sheet.text(end, LABEL, labels[-1], "label wrapped")
    sheet.formula(end, EFFECT, f"SUM({span(EFFECT, EFFECT, FIRST + 1, end - 1)})", total, ("total right", look))
    sheet.formula(end, AFTER, f"{at(AFTER, FIRST)}+{at(EFFECT, end)}", running.end, ("total right", look))
    for row, effect in enumerate((*running.effects, total) if running.start else (), FIRST + 1):
        style = ("total right" if row == end else "right", SHARE)
        sheet.formula(row, PART, f"{at(EFFECT, row)}/{at(AFTER, FIRST)}", effect / running.start, style)


def _unit_words(bridge: Bridge) -> str:
    return ", ".join(part for part in (bridge.unit, bridge.measure, "issued by the engine, sums are live") if part)


def _texts(bridge: Bridge) -> Iterator[str]:
    yield bridge.method
    yield from (f"{step.label}: {step.note}" for step in bridge.steps if step.note)
    if bridge.idle:
        yield f"without effect here: {', '.join(path_of(one) for one in bridge.idle)}"


def _write_checks(book: Book, found: Comparison, drawn: list[Bridge], ends: dict[str, int]) -> None:
    """Every bridge ends where the engine does; the master check counts those that do not."""
    sheet = book.sheet(CHECKS, TABS["control"])
    last = CHECK_HEAD + max(len(drawn), 1)
    sheet.text(1, 0, "Checks", "title")
    sheet.text(2, 0, "Each bridge must end at the number that the engine computed.", "subtitle")
    sheet.text(MASTER_ROW, 0, "Master check", "label")
    wrong = span(5, 5, CHECK_HEAD + 1, last)
    sheet.formula(MASTER_ROW, MASTER_COLUMN, f"IF(SUM({wrong})=0,{quoted(PASS)},{quoted(FAIL)})", PASS, "check")
    alarm(sheet, MASTER_ROW, MASTER_COLUMN, FAIL)
    sheet.text(TOLERANCE_ROW, 0, "Tolerance, of the larger number", "label")
    sheet.number(TOLERANCE_ROW, 1, TOLERANCE, ("structure", "0E+00"))
    sheet.text(CHECK_HEAD, 0, "Bridge", "heading")
    heads = ["Sum of the bridge", "Of the engine", "Difference", "Allowed", "Fails"]
    sheet.texts(CHECK_HEAD, 1, heads, "heading right")
    for row, bridge in enumerate(drawn, CHECK_HEAD + 1):
        _check(sheet, row, bridge, ends[bridge.fleet])
    if not drawn:
        sheet.text(last, 0, "no bridge: nothing moved, or nothing can be compared", "quiet")
    sheet.widths([34, 20, 16, 14, 14, 8])


def _check(sheet: Sheet, row: int, bridge: Bridge, end: int) -> None:
    """One bridge against the engine."""
    assert bridge.old is not None
    assert bridge.new is not None
    total = sum((step.effect for step in bridge.steps), bridge.old)
    look = _format([bridge.old, bridge.new])
    sheet.text(row, 0, bridge.fleet, "label")
    sheet.formula(row, 1, at(AFTER, end, sheet_name(bridge.fleet)), total, ("link", look))
    sheet.number(row, 2, bridge.new, ("issued", look))
    sheet.formula(row, 3, f"{at(1, row)}-{at(2, row)}", total - bridge.new, ("right", "0.0E+00"))
    allowed = TOLERANCE * max(abs(total), abs(bridge.new))
    text = f"{at(1, TOLERANCE_ROW)}*MAX(ABS({at(1, row)}),ABS({at(2, row)}))"
    sheet.formula(row, 4, text, allowed, ("right", "0.0E+00"))
    fails = float(abs(total - bridge.new) > allowed)
    sheet.formula(row, 5, f"IF(ABS({at(3, row)})>{at(4, row)},1,0)", fails, "flag")


def _write_changes(sheet: Sheet, found: Comparison) -> None:
    heading(sheet, "What changed", " to ".join(_names(found)), at_column=4)
    sheet.text(HEAD, 0, "Fleet", "heading")
    sheet.texts(HEAD, 1, ["What", "Was", "Is"], "heading inside")
    sheet.text(HEAD, 4, "Change", "heading right")
    sheet.texts(HEAD, 5, ["Kind", "Was at", "Is at"], "heading inside")
    for row, one in enumerate(found.found, HEAD + 1):
        change = one.change
        sheet.text(row, 0, one.fleet or "all", "label wrapped")
        sheet.texts(row, 1, [path_of(change), *(shortened(text, 400) for text in one.texts)], "wrapped")
        if change.share is not None:
            sheet.number(row, 4, change.share, ("right", SHARE))
        texts = [kind_words(change), at_text(one.old), at_text(one.new)]
        sheet.texts(row, 5, [shortened(text, 200) for text in texts], "wrapped")
    fleets = [("added", name) for name in found.added] + [("removed", name) for name in found.removed]
    for row, (word, name) in enumerate(fleets, HEAD + 1 + len(found.found)):
        sheet.text(row, 0, name, "label wrapped")
        sheet.text(row, 1, f"fleet {word}", "wrapped")
    if found.is_empty:
        sheet.text(HEAD + 1, 0, NOTHING, "quiet")
    sheet.widths([18, 30, 34, 34, 16, 18, 26, 26])
    sheet.raw.freeze_panes(HEAD, 0)


def _write_summary(sheet: Sheet, found: Comparison, ends: dict[str, int]) -> None:
    was, now = _names(found)
    heading(sheet, f"From {was} to {now}", f"{found.line}: what moved, fleet by fleet", at_column=5)
    sheet.texts(HEAD, 0, ["Fleet", "Unit"], "heading")
    sheet.texts(HEAD, 2, ["Was", "Is", "Move", "Of what it was"], "heading right")
    sheet.texts(HEAD, 6, ["", "Why"], "heading")
    for row, bridge in enumerate(found.bridges, HEAD + 1):
        sheet.text(row, 0, bridge.fleet, "label")
        sheet.text(row, 1, bridge.unit, "unit")
        _numbers(sheet, row, bridge, ends.get(bridge.fleet))
        if bridge.fleet in ends:
            sheet.link(row, 7, sheet_name(bridge.fleet), counted(len(bridge.steps), "effect"))
        else:
            sheet.text(row, 7, bridge.reason or "unchanged", "label wrapped")
    for row, text in enumerate(_told(found), HEAD + 2 + len(found.bridges)):
        sheet.text(row, 0, shortened(text, 400), "quiet")
    sheet.widths([26, 14, 14, 14, 14, 18, 2, 72])
    sheet.raw.freeze_panes(HEAD, 1)


def _numbers(sheet: Sheet, row: int, bridge: Bridge, end: int | None) -> None:
    """Both ends and the move, linked where there is a bridge."""
    look = _format([number for number in (bridge.old, bridge.new) if number])
    if end is not None and bridge.old is not None and bridge.move is not None:
        name, total = sheet_name(bridge.fleet), sum(step.effect for step in bridge.steps)
        sheet.formula(row, 2, at(AFTER, FIRST, name), bridge.old, ("link", look))
        sheet.formula(row, 3, at(AFTER, end, name), bridge.old + total, ("link", look))
        sheet.formula(row, 4, at(EFFECT, end, name), total, ("link", _format([bridge.old, total])))
        if bridge.old:
            sheet.formula(row, 5, at(PART, end, name), total / bridge.old, ("link", SHARE))
        return
    for column, number in enumerate((bridge.old, bridge.new), 2):
        if number is None:
            sheet.text(row, column, "n/a", "absent")
        else:
            sheet.number(row, column, number, ("right", look))


def _told(found: Comparison) -> Iterator[str]:
    before, after = found.old.result.recommended, found.new.result.recommended
    yield f"recommended: {before or 'none'}" + (f" before, {after or 'none'} after" if before != after else " in both")
    yield from found.notes


def _page(sheet: Sheet, found: Comparison) -> None:
    """A4 landscape, one page wide; a bridge on one page, without the columns that only the chart reads."""
    raw, (was, now) = sheet.raw, _names(found)
    raw.set_paper(9)
    raw.set_landscape()
    raw.set_margins(left=0.3, right=0.3, top=0.4, bottom=0.55)
    raw.fit_to_pages(1, int(sheet.name not in (CHANGES, SUMMARY)))
    title = shortened(f"{was} to {now}", 90).replace("&", "&&")
    raw.set_footer(f"&L&8{title}&C&8&A&R&8Page &P of &N")
    raw.protect("", PROTECTION)
