"""A slip planted in a line is caught: by units, by a parent that is never used, or by the line's own examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from ruamel.yaml import YAML

from tco.declare import Line
from tco.errors import ModelError
from tco.evaluate import program
from tests.lines.examples import FOLDER, Example, cases, every_line, run, small_model
from tests.lines.slips import Slip, slips, unchanged

CAUGHT = 0.95


def verdict(slip: Slip, own: list[Example]) -> str:
    """What catches the slip; nothing if nobody does."""
    for example in own:
        try:
            model = small_model(example, slip.line)
        except ModelError as error:
            return "unused parent" if "never uses it" in str(error) else "unit or word"
        found: Any = run(example, program(model, [example.line]), model)
        if example.differs(found):
            return "example"
    return ""


def judged() -> Iterator[tuple[Slip, str]]:
    """Every slip with what catches it."""
    for item in every_line():
        yield from ((slip, verdict(slip, examples_of(item))) for slip in slips(item))


def examples_of(item: Line) -> list[Example]:
    """The line's own examples."""
    return [example for example, _ in cases()[0] if (example.chapter, example.line) == (item.chapter, item.name)]


def equivalents() -> dict[str, str]:
    """Slips that no example can catch, with the reason."""
    rows = YAML(typ="safe").load((FOLDER / "equivalents.yaml").read_text(encoding="utf-8"))
    return {row["slip"]: row["reason"] for row in rows}


def test_planted_slips_are_caught() -> None:
    verdicts = list(judged())
    listed = equivalents()
    survivors = [slip for slip, caught in verdicts if not caught and slip.key not in listed]
    meant = len(verdicts) - sum(slip.key in listed for slip, _ in verdicts)
    rate = 1 - len(survivors) / meant
    counts = dict(Counter(caught or "nobody" for _, caught in verdicts))
    report = [f"{rate:.1%} of {meant} slips caught; by {counts}", *(f"{slip.kind}: {slip.key}" for slip in survivors)]
    print("\n".join(report))
    assert rate >= CAUGHT, "\n".join(report)
    assert sorted(set(listed) - {slip.key for slip, caught in verdicts if not caught}) == [], (
        "listed, but caught or gone"
    )
    assert all(listed.values()), "an equivalent without a reason"


def test_a_line_without_a_slip_is_not_caught() -> None:
    assert [item.name for item in every_line() if verdict(unchanged(item), examples_of(item))] == []
