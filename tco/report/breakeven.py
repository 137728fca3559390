"""Where two fleets cost the same: demand, utilization and prices, every crossing in a row."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tco.analysis.breakeven import Question
from tco.analysis.breakeven_words import FROZEN, MOST, caption, cheaper, named, not_reached_words, remark
from tco.export import shown_unit
from tco.report.facts import Facts
from tco.report.tables import Cell, Table, head, number, table
from tco.wording import plain


def crossings(facts: Facts) -> Table | None:
    """Every quantity of the two fleets; None where no two can be compared."""
    found = facts.result.break_even
    if not found.questions:
        return None
    rows = [row for question in found.questions for row in _rows(facts, question)]
    heads = ("Quantity", "Now", "Break-even", "Below it", "Above it", "Remark")
    return table(caption(found), heads, rows, note=f"{FROZEN}.", style="prose", point=False)


def in_unit(question: Question, currency: str) -> Callable[[float], str]:
    """A number with its unit; without one it is a factor on today's."""
    unit = shown_unit(question.unit, currency)
    return lambda value: f"{plain(value)} {unit}" if unit else f"{plain(value)} × today"


def _rows(facts: Facts, question: Question) -> Iterator[list[Cell]]:
    form = in_unit(question, facts.currency)
    first = [head(named(question)), number(question.now, form)]
    none = not_reached(question, form) if question.reason else ""
    if none:
        yield [*first, Cell("–", "n"), Cell(""), Cell(""), Cell(none)]
    for crossing in question.crossings[:MOST]:
        value = number(crossing.value, form)
        yield [*first, value, Cell(cheaper(crossing.below)), Cell(cheaper(crossing.above)), Cell(remark(crossing))]
    if len(question.crossings) > MOST:
        more = f"{len(question.crossings) - MOST} more up to {form(question.crossings[-1].value)}: see the JSON"
        yield [*first, Cell("–", "n"), Cell(""), Cell(""), Cell(more)]


def not_reached(question: Question, form: Callable[[float], str]) -> str:
    """`not reached between a and b: x costs less throughout`."""
    reason, _, more = not_reached_words(question).partition(":")
    return f"{reason} between {form(question.low)} and {form(question.high)}{f':{more}' if more else ''}"
