"""The comparison as text for a terminal: what changed, then a bridge for each fleet, the largest effect first."""

from __future__ import annotations

from collections.abc import Iterator

from tco.console import table
from tco.diff.bridge import Bridge
from tco.diff.changes import Change
from tco.diff.compared import Comparison, Found, Place
from tco.wording import clean, even, listed, percent

LONGEST = 56
NOTHING = "no input differs: both ask the same, so that nothing moves"


def text_of(found: Comparison) -> str:
    """All of it, in lines."""
    parts = [clean(f"{found.old.file} -> {found.new.file}")]
    if found.is_empty:
        parts.append(NOTHING)
    for title, kinds in (("what changed", ("value", "words")), ("same value, told otherwise", ("story",))):
        rows = [_row(one) for one in found.found if one.change.kind in kinds]
        parts += ["", title, _indented(table(rows))] if rows else []
    parts += _fleets(found)
    parts += _summary(found)
    for bridge in found.bridges:
        parts += _bridge(bridge)
    if found.notes:
        parts += ["", *(clean(f"note: {note}") for note in found.notes)]
    return "\n".join(parts)


def _indented(text: str, pad: str = "  ") -> str:
    return "\n".join(f"{pad}{line}" for line in text.split("\n"))


def _row(one: Found) -> dict[str, str]:
    old, new = one.texts
    share = one.change.share
    return {
        "what": place_of(one),
        "was": _short(old),
        "is": _short(new),
        "change": f"{_sign(share)}{percent(share)}" if share is not None else "-",
        "was at": at_text(one.old),
        "is at": at_text(one.new),
    }


def place_of(one: Found) -> str:
    """A change as people read its place: `electricity.price`, `hgx-h200: buy.price`."""
    path = path_of(one.change)
    return f"{one.fleet}: {path}" if one.fleet else path


def path_of(change: Change) -> str:
    """The path of a change; an item without a name by its number from 1."""
    return clean(".".join(str(part + 1) if isinstance(part, int) else part for part in change.path))


def _short(text: str) -> str:
    text = " ".join(clean(text).split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1].rstrip()}…"


def kind_words(change: Change) -> str:
    """What kind of change it is."""
    return {"value": "value", "words": "choice in words", "story": "told otherwise"}[change.kind]


def at_text(place: Place) -> str:
    """File and line, or that nothing is stated."""
    return clean(f"{place[0]}:{place[1]}") if place[1] else "not stated"


def _sign(value: float | None) -> str:
    return "+" if value is not None and value > 0 else ""


def _fleets(found: Comparison) -> Iterator[str]:
    if found.added or found.removed:
        yield ""
    if found.added:
        yield f"fleets added: {listed(found.added)}"
    if found.removed:
        yield f"fleets removed: {listed(found.removed)}"
    before, after = found.old.result.recommended, found.new.result.recommended
    if before != after:
        yield ""
        yield f"recommended: {before or 'none'} -> {after or 'none'}"


def _summary(found: Comparison) -> Iterator[str]:
    """One row a fleet."""
    if not found.bridges:
        return
    kind = next((bridge.measure for bridge in found.bridges if bridge.measure), "")
    unit = next((bridge.unit for bridge in found.bridges if bridge.unit), "")
    yield ""
    yield ", ".join(part for part in (found.line, unit, kind) if part)
    yield _indented(table([_summary_row(bridge) for bridge in found.bridges]))


def _summary_row(bridge: Bridge) -> dict[str, str]:
    show = even([bridge.old, bridge.new])
    was, now = ("-" if value is None else show(value) for value in (bridge.old, bridge.new))
    move = bridge.move
    share = "-" if move is None or not bridge.old else f"{_sign(move)}{percent(move / abs(bridge.old))}"
    told = "unchanged" if bridge.stays else "-" if move is None else f"{_sign(move)}{even([move])(move)}"
    return {"fleet": bridge.fleet, "was": was, "is": now, "move": told, "": "-" if bridge.stays else share}


def _bridge(bridge: Bridge) -> Iterator[str]:
    if bridge.reason:
        yield ""
        yield f"{bridge.fleet}: no bridge; {clean(bridge.reason)}"
    if not bridge.steps or bridge.move is None:
        return
    show = even([*(step.effect for step in bridge.steps), bridge.move])
    share = abs(bridge.old) if bridge.old else None
    rows = [
        {
            "change": clean(label),
            "effect": f"{_sign(effect)}{show(effect)}",
            "of what it was": f"{_sign(effect)}{percent(effect / share)}" if share else "-",
        }
        for label, effect in (*((step.label, step.effect) for step in bridge.steps), ("together", bridge.move))
    ]
    yield ""
    yield f"{bridge.fleet}: why it moved"
    yield _indented(table(rows))
    if bridge.idle:
        yield f"  without effect here: {listed([path_of(one) for one in bridge.idle])}"
    yield from (f"  {step.label}: {step.note}" for step in bridge.steps if step.note)
    yield f"  {bridge.method}"
