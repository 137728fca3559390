"""Expressions as JavaScript: the same lines for a page that calculates. Series are arrays."""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from tco.expression import Expr
from tco.model import Model, TracedLine
from tco.printers.infix import INFIX, Printer, Row
from tco.units import CONSTANTS

RUNTIME = """\
const almost_one = 1 - 1e-12;
const row = (n, f) => Array.from({length: n}, (_, t) => f(t));
const back = (x, t, by, opening) => (by < 0 ? 0 : t - by === -1 ? opening : x[t - by] ?? 0);
const last = (x, t, n) => { let s = 0; for (let i = 0; i <= t; i++) if (t - i < n) s += x[i]; return s; };
const lastHighest = (x, t, n) => { let h = 0;
  for (let i = 0; i <= t; i++) if (t - i < n) h = Math.max(h, x[i]);
  return h; };
const within = (x, clock, t) => { let s = 0;
  for (let i = 0; i <= t; i++) if (clock[i] === clock[t]) s += x[i];
  return s; };
const erlang = (load, places) => { let lost = 1;
  for (let i = 1; i <= places && lost > 0; i++) lost = load * lost / (i + load * lost);
  return lost; };
const sum = (x) => x.reduce((a, b) => a + b, 0);
const sumProduct = (x, y) => x.reduce((a, b, i) => a + b * y[i], 0);
const steps = (table, f) => table[0].reduce((a, from, i) => a + f(from) * (table[1][i] - (i ? table[1][i - 1] : 0)), 0);
const tiered = (v, table) => steps(table, (from) => Math.max(v - from, 0));
const byAge = (x, table, clock, t) => { let s = 0;
  for (let i = 0; i <= t; i++) s += x[i] * steps(table, (from) => (clock[t] - clock[i] >= from ? 1 : 0)); return s; };
"""


def _joined(separator: str) -> Row:
    return lambda printer, value: "(" + separator.join(printer(arg) for arg in value.args) + ")"


def _name(value: Expr, index: int = 0) -> str:
    return value.args[index].name


ROWS: dict[str, Row] = {
    **INFIX,
    "pow": "Math.pow({0}, {1})",
    "where": "({0} ? {1} : {2})",
    "both": _joined(" && "),
    "either": _joined(" || "),
    "maximum": "Math.max({all})",
    "minimum": "Math.min({all})",
    "ceil": "Math.ceil(({0}) * almost_one)",
    "floor": "Math.floor(({0}) / almost_one)",
    "square_root": "Math.sqrt({0})",
    "logarithm": "Math.log({0})",
    "erlang": "erlang({0}, {1})",
    "cumulative": lambda printer, value: f"last({_name(value)}, t, t + 1)",
    "cumulative_within": lambda printer, value: f"within({_name(value)}, {_name(value, 1)}, t)",
    "total": lambda printer, value: f"sum({_name(value)})",
    "total_product": lambda printer, value: f"sumProduct({_name(value)}, {_name(value, 1)})",
    "window_total": lambda printer, value: f"last({_name(value)}, t, {printer(value.args[1])})",
    "highest": lambda printer, value: f"Math.max(...{_name(value)})",
    "window_highest": lambda printer, value: f"lastHighest({_name(value)}, t, {printer(value.args[1])})",
    "tiered": "tiered({0}, {1})",
    "by_age": lambda printer, value: f"byAge({_name(value)}, {_name(value, 1)}, {_name(value, 2)}, t)",
}


def _leaf(value: Expr) -> str:
    if value.op == "constant":
        return repr(CONSTANTS[value.name])
    return f"{value.name}[t]" if value.op == "name" and value.series else value.name


def source(model: Model, wanted: Iterable[str]) -> str:
    """`function evaluate(inputs, periods)` that returns the wanted lines; needs RUNTIME before it."""
    asked = [name for name in wanted if name in model.lines]
    printer = _printer({name: item.opening for name, item in model.lines.items() if item.opening is not None})
    body = [f"const {name} = inputs.{name};" for name in model.inputs_of(asked)]
    for group in model.groups_of(asked):
        if model.looks_back(group):
            body += _loop(model, group, printer)
        else:
            item = model.lines[group[0]]
            text = printer(item.expression)
            body.append(f"const {item.name} = {f'row(periods, (t) => {text})' if item.series else text};")
    body.append("return {" + ", ".join(asked) + "};")
    return "\n  ".join(["function evaluate(inputs, periods) {", *body]) + "\n}\n"


def _printer(openings: Mapping[str, Expr]) -> Printer:
    def back(value: Expr, by: str) -> str:
        start = openings.get(_name(value))
        return f"back({_name(value)}, t, {by}, {Printer(ROWS, _leaf)(start) if start is not None else '0'})"

    return Printer(
        {
            **ROWS,
            "lag": lambda printer, value: back(value, "1"),
            "lag_by": lambda printer, value: back(value, printer(value.args[1])),
        },
        _leaf,
    )


def _loop(model: Model, group: tuple[str, ...], printer: Printer) -> list[str]:
    return [
        *(f"const {name} = [];" for name in group),
        "for (let t = 0; t < periods; t++) {",
        *(f"  {name}.push({printer(model.lines[name].expression)});" for name in group),
        "}",
    ]


@dataclass(frozen=True)
class Moving:
    """What must be computed again when some inputs move: steps in order, what they set, and what they only read."""

    steps: list[str]
    computed: frozenset[str]
    read: frozenset[str]


def moving(model: Model, wanted: Iterable[str], inputs: Collection[str]) -> Moving:
    """The part of the wanted lines that depends on these inputs, as functions of `v`; the rest stays a number in `v`.

    A step is `(v) => { v.name = …; }` and reads the periods as `n`: models that share a line share its text.
    """
    steps, changed = list[str](), set(inputs)
    read = set[str]()
    for group in model.groups_of(wanted):
        parents = {parent for name in group for parent in model.lines[name].parents}
        if changed.isdisjoint(parents):
            continue
        changed.update(group)
        read |= parents
        steps.append(_step(tuple(_with_openings(model, name) for name in group), model.looks_back(group)))
    return Moving(steps, frozenset(changed.difference(inputs)), frozenset(read - changed))


Opened = tuple[TracedLine, tuple[tuple[str, Expr], ...]]


def _with_openings(model: Model, name: str) -> Opened:
    item = model.lines[name]
    lines = [model.lines[one] for one in (name, *item.parents) if one in model.lines]
    return item, tuple((one.name, one.opening) for one in lines if one.opening is not None)


@functools.lru_cache(maxsize=4096)
def _step(group: tuple[Opened, ...], looks_back: bool) -> str:
    printer = _printer({f"v.{name}": _inside(start) for _, openings in group for name, start in openings})
    texts = [(f"v.{item.name}", printer(_inside(item.expression)), item.series) for item, _ in group]
    if looks_back:
        opened = "".join(f"{name} = []; " for name, _, _ in texts)
        pushed = "".join(f" {name}.push({text});" for name, text, _ in texts)
        return f"(v) => {{ {opened}for (let t = 0; t < n; t++) {{{pushed} }} }}"
    name, text, series = texts[0]
    return f"(v) => {{ {name} = {f'row(n, (t) => {text})' if series else text}; }}"


def _inside(value: Expr) -> Expr:
    """The expression with every name as a property of `v`."""
    name = f"v.{value.name}" if value.op in ("name", "table") else value.name
    return replace(value, name=name, args=tuple(map(_inside, value.args)))
