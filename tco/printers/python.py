"""Expressions as numpy source: the engine. Batch axis first, period axis last."""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterable

from tco.expression import Expr
from tco.model import WIDE, Model, TracedLine
from tco.printers.infix import INFIX, Printer, Row
from tco.units import CONSTANTS


def _nested(function: str) -> Row:
    def row(printer: Printer, value: Expr) -> str:
        text = printer(value.args[0])
        for arg in value.args[1:]:
            text = f"{function}({text}, {printer(arg)})"
        return text

    return row


def _product(printer: Printer, value: Expr) -> str:
    """A chain of conversion factors becomes one constant, which the compiler folds."""
    factors, inner = "", value
    while inner.op in ("mul", "div") and inner.args[1].op == "constant":
        factors = f" {'*' if inner.op == 'mul' else '/'} {_leaf(inner.args[1])}{factors}"
        inner = inner.args[0]
    if factors.count(".") > 1:
        return f"{printer.bracketed(inner, value, right=False)} * (1.0{factors})"
    plain = " * ".join if value.op == "mul" else " / ".join
    return plain(printer.bracketed(arg, value, right=index > 0) for index, arg in enumerate(value.args))


ROWS: dict[str, Row] = {
    **INFIX,
    "mul": _product,
    "div": _product,
    "pow": "({0}) ** ({1})",
    "where": "np.where({0}, {1}, {2})",
    "both": _nested("np.logical_and"),
    "either": _nested("np.logical_or"),
    "maximum": _nested("np.maximum"),
    "minimum": _nested("np.minimum"),
    "ceil": "np.ceil(({0}) * almost_one)",
    "floor": "np.floor(({0}) / almost_one)",
    "square_root": "np.sqrt({0})",
    "logarithm": "np.log({0})",
    "erlang": "erlang({0}, {1})",
    "cumulative": "np.cumsum({0}, -1)",
    "cumulative_within": "cumulative_within({0}, {1})",
    "total": "np.sum({0}, -1, keepdims=True)",
    "total_product": "np.sum({0} * {1}, -1, keepdims=True)",
    "window_total": "window_total({0}, {1})",
    "highest": "np.max({0}, -1, keepdims=True)",
    "window_highest": "window_highest({0}, {1})",
    "tiered": "tiered({0}, *{1})",
    "by_age": "by_age({0}, *{1}, {2})",
}


def _leaf(value: Expr) -> str:
    if value.op == "constant":
        return repr(CONSTANTS[value.name])
    return f"{value.name}.0" if value.op == "number" else value.name


def _whole(openings: dict[str, Expr]) -> Printer:
    """Printer of a whole row at once."""

    def opening(value: Expr) -> str:
        start = openings.get(value.args[0].name)
        return Printer(ROWS, _leaf)(start) if start is not None else "0.0"

    return Printer(
        {
            **ROWS,
            "lag": lambda printer, value: f"lag({value.args[0].name}, {opening(value)})",
            "lag_by": lambda printer, value: (
                f"lag_by({value.args[0].name}, {printer(value.args[1])}, {opening(value)})"
            ),
        },
        _leaf,
    )


def _step(group: tuple[str, ...], openings: dict[str, Expr], before: dict[str, str]) -> Printer:
    """Printer of one period inside a loop; members of the group are lists of columns.

    Words that read whole rows read rows from outside the group: computed once, `before` the loop.
    """

    def leaf(value: Expr) -> str:
        if value.op != "name" or not value.series:
            return _leaf(value)
        return f"{value.name}[-1]" if value.name in group else f"{value.name}[..., t : t + 1]"

    def hoisted(_: Printer, value: Expr) -> str:
        name = before.setdefault(_whole(openings)(value), f"_whole_{len(before)}")
        return f"{name}[..., t : t + 1]" if value.series else name

    def back(printer: Printer, value: Expr) -> str:
        name = value.args[0].name
        if name not in group:
            return hoisted(printer, value)
        start, by = openings.get(name), "1" if value.op == "lag" else printer(value.args[1])
        return f"back({name}, t, {by}, {Printer(ROWS, _leaf)(start) if start is not None else '0.0'})"

    return Printer(
        {
            **ROWS,
            **dict.fromkeys(WIDE, hoisted),
            "lag": back,
            "lag_by": back,
        },
        leaf,
    )


def source(model: Model, wanted: Iterable[str], known: Collection[str] = ()) -> str:
    """A function `evaluate(inputs, periods)` that returns the wanted lines; one statement a line.

    Inputs are floats, arrays of shape (batch, 1) or (batch, periods), or pairs of columns for tables. Lines that are
    `known` are read like inputs instead of computed.
    """
    asked = [name for name in wanted if name in model.lines]
    openings = {name: item.opening for name, item in model.lines.items() if item.opening is not None}
    groups = model.groups_of(asked, known)
    body = [_read(name, model.inputs[name].shape) for name in model.inputs_of(asked, known)]
    body += [f"{name} = inputs[{name!r}]" for name in known]
    for group in groups:
        if model.looks_back(group):
            others = {
                parent for other in groups if other != group for name in other for parent in model.lines[name].parents
            }
            body += _loop(model, group, openings, others | set(asked))
        else:
            item = model.lines[group[0]]
            body.append(_statement(item, tuple((name, openings[name]) for name in item.parents if name in openings)))
    body.append("return {" + ", ".join(f"{name!r}: {name}" for name in asked) + "}")
    return "\n    ".join(["def evaluate(inputs, periods):", *body]) + "\n"


def _read(name: str, shape: str) -> str:
    return f"{name} = " + (f"spread(inputs[{name!r}], periods)" if shape == "series" else f"inputs[{name!r}]")


@functools.lru_cache(maxsize=4096)
def _statement(item: TracedLine, openings: tuple[tuple[str, Expr], ...]) -> str:
    text = _whole(dict(openings))(item.expression)
    if item.series and not item.expression.series:
        text = f"spread({text}, periods)"
    return f"{item.name} = {text}"


def _loop(model: Model, group: tuple[str, ...], openings: dict[str, Expr], read: set[str]) -> list[str]:
    before: dict[str, str] = {}
    printer = _step(group, openings, before)
    steps = [f"    {name}.append({printer(model.lines[name].expression)})" for name in group]
    return [
        *(f"{name} = {text}" for text, name in before.items()),
        *(f"{name} = []" for name in group),
        "for t in range(periods):",
        *steps,
        *(f"{name} = joined({name})" for name in group if name in read),
    ]
