"""An engine or a catalogue other than the one that issued the workbook, and what follows from it."""

from __future__ import annotations

from collections.abc import Sequence

from tco.readback.align import Alignment
from tco.readback.edited import Edited, Held
from tco.readback.effect import agrees
from tco.readback.issued import Issued, differs
from tco.readback.provenance import Provenance
from tco.readback.typed import Change
from tco.workbook.places import DATA, INPUTS

MOVED = 0.1
"""Share of the numbers as issued that may differ before the engine is called another one."""

LOW, HIGH, AS_OF, STATUS = 4, 5, 7, 9


def drifted(said: Provenance, issued: Issued, edited: Edited, alignment: Alignment) -> tuple[list[str], bool]:
    """What is to be said, and whether formulas can be compared one by one."""
    now = issued.result.engine
    notes = list[str]()
    if said.engine != now["version"]:
        notes.append(
            f"issued by engine {said.engine}, this is {now['version']}: formulas were not compared, because another "
            "engine writes others; effects are those of this engine"
        )
    if said.catalogue != now["catalogue"]:
        notes.append(
            f"issued with catalogue {said.catalogue}, this is {now['catalogue']}: what came from the catalogue may "
            "differ without anybody's hand; effects are those of this catalogue"
        )
    if issued.frozen is not None and (notes or differs(said, issued.result)):
        notes.append("choices are taken as they stand in the workbook: which of them were set by hand cannot be told")
    compared = said.engine == now["version"]
    share = _moved(issued, edited, alignment)
    if share > MOVED and not notes:
        compared = False
        notes.append(
            f"{share:.0%} of the numbers on {DATA} are not those that this engine computes from the same scenario: it "
            "is another state of the engine than the one that issued the workbook; formulas were not compared"
        )
    return notes, compared


def _moved(issued: Issued, edited: Edited, alignment: Alignment) -> float:
    """The share of the engine's numbers as issued that today's engine does not give."""
    numbers = {place: value for place, value in issued.cells[DATA].items() if isinstance(value, float)}
    there = [edited.value(alignment.edited((DATA, *place))) for place in numbers]
    known = [(value, now) for value, now in zip(numbers.values(), there, strict=True) if now is not None]
    return sum(not agrees(*pair) for pair in known) / len(known) if known else 0.0


def moved_by_catalogue(
    changes: Sequence[Change], said: Provenance, issued: Issued, edited: Edited, alignment: Alignment
) -> tuple[list[Change], list[str]]:
    """Changes made by hand, and a word on those whose story changed with the catalogue."""
    if not differs(said, issued.result):
        return list(changes), []
    by_hand, moved = list[Change](), list[str]()
    for change in changes:
        if change.path:
            by_hand.append(change)
            continue
        row = change.place.row
        stories = [
            (issued.cells[INPUTS].get((row, column)), edited.value(alignment.edited((INPUTS, row, column))))
            for column in (LOW, HIGH, AS_OF, STATUS)
        ]
        if any(not _alike(*pair) for pair in stories):
            moved.append(f"{change.place.name} ({change.owner}): {_text(change.new)} then, {change.old:g} now")
        else:
            by_hand.append(change)
    if not moved:
        return by_hand, []
    return by_hand, [f"not typed, but of another catalogue (date, status or range differ too): {'; '.join(moved)}"]


def _alike(one: Held | None, two: Held | None) -> bool:
    return agrees(one, two) or (one or "") == (two or "")


def _text(value: float | None) -> str:
    return "unreadable" if value is None else f"{value:g}"
