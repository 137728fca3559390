"""Expressions as words: for messages (as the author wrote it) and for explanations (with labels)."""

from __future__ import annotations

import functools
from collections.abc import Callable

from tco.expression import PLAIN, Expr
from tco.printers.infix import INFIX, PRECEDENCE, Printer, Row
from tco.units import unit_text


def _rounded(word: str) -> Row:
    return lambda printer, value: f'{word}({printer(value.args[0])}, "{unit_text(value.unit or PLAIN)}")'


def _lag(printer: Printer, value: Expr) -> str:
    return f"lag({', opening='.join(printer(arg) for arg in value.args)})"


def _operand(printer: Printer, value: Expr) -> str:
    return f"({printer(value)})" if value.op in (*PRECEDENCE, "pow") else printer(value)


def _conditions(word: str) -> Row:
    return lambda printer, value: word.join(printer.bracketed(arg, value, right=False) for arg in value.args)


_WORDS: dict[str, Row] = {
    **INFIX,
    "pow": lambda printer, value: " ** ".join(_operand(printer, arg) for arg in value.args),
    "where": "where({0}, {1}, {2})",
    "both": "both({all})",
    "either": "either({all})",
    "maximum": "maximum({all})",
    "minimum": "minimum({all})",
    "ceil": _rounded("ceil"),
    "floor": _rounded("floor"),
    "square_root": "square_root({0})",
    "logarithm": "logarithm({0})",
    "erlang": "erlang({0}, {1})",
    "lag": _lag,
    "lag_by": "lag({0}, by={1})",
    "cumulative": "cumulative({0})",
    "cumulative_within": "cumulative({0}, within={1})",
    "total": "total({0})",
    "total_product": "total({0} * {1})",
    "window_total": "total({0}, last={1})",
    "highest": "highest({0})",
    "window_highest": "highest({0}, last={1})",
    "tiered": "tiered({0}, {1})",
    "by_age": "by_age({0}, {1}, {2})",
}

_SENTENCES: dict[str, Row] = {
    **INFIX,
    "mul": "{0} × {1}",
    "sub": "{0} − {1}",
    "pow": "({0}) to the power of ({1})",
    "where": "if {0} then {1}, else {2}",
    "both": _conditions(" and "),
    "either": _conditions(" or "),
    "maximum": "the larger of ({all})",
    "minimum": "the smaller of ({all})",
    "ceil": "({0}), rounded up",
    "floor": "({0}), rounded down",
    "square_root": "the square root of ({0})",
    "logarithm": "the natural logarithm of ({0})",
    "erlang": "the share of time in which ({1}) are all taken when ({0}) would be on average (Erlang)",
    "lag": "{0} one period earlier",
    "lag_by": "{0}, {1} earlier",
    "cumulative": "{0}, summed so far",
    "cumulative_within": "{0}, summed so far within its {1}",
    "total": "the sum of {0} over all periods",
    "total_product": "the sum over all periods of {0} × {1}",
    "window_total": "the sum of {0} over the last {1}",
    "highest": "the highest {0} of all periods",
    "window_highest": "the highest {0} of the last {1}",
    "tiered": "{0} billed by the steps of {1}",
    "by_age": "each past {0} times {1} at its age by {2}",
}


_LOOSE = {
    **PRECEDENCE,
    **{op: 1 for op in _SENTENCES if op not in PRECEDENCE},
    "either": 2,
    "both": 3,
}
"""Words bind looser than signs: a phrase inside an operation stands in brackets."""


def source_text(value: Expr) -> str:
    """The expression with names, as its author wrote it."""
    return Printer(_WORDS, _named)(value)


def _named(leaf: Expr) -> str:
    """A 1 that carries a unit is written with it, every other leaf by its name."""
    if leaf.op == "number" and leaf.name == "1" and leaf.unit not in (None, PLAIN):
        return f'one("{unit_text(leaf.unit or PLAIN)}")'
    return leaf.name


def sentence(value: Expr, label: Callable[[str], str]) -> str:
    """The expression in words, names replaced by their labels; constants keep their names."""

    def leaf(value: Expr) -> str:
        return label(value.name) if value.op in ("name", "table") else value.name

    return Printer(_SENTENCES, leaf, _LOOSE)(value)


@functools.lru_cache(maxsize=4096)
def labelled(value: Expr, names: tuple[str, ...], labels: tuple[str, ...]) -> str:
    """The sentence with these labels for names: once for all fleets that call them the same."""
    return sentence(value, dict(zip(names, labels, strict=True)).__getitem__)
