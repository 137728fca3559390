"""What the present cost is made of: amounts of the periods, and the factor that each is multiplied by."""

from __future__ import annotations

from typing import NamedTuple

from tco.expression import Expr
from tco.model import Model


class Discounted(NamedTuple):
    """A line by period and the line of its discount factors; `line` is the present value of both."""

    line: str
    amount: str
    factor: str


def moments(model: Model) -> list[Discounted]:
    """The addends of the present cost, one a moment of payment; none where a pin or a model of its own hides them."""
    item = model.lines.get("present_cost")
    names = [] if item is None or item.pinned else addends(model, "present_cost") or ["present_cost"]
    found = [_product(model, name) for name in names]
    return [] if None in found else [one for one in found if one is not None]


def cost_lines(model: Model) -> list[Discounted]:
    """The same, with each amount divided into the lines that it adds up."""
    return [
        Discounted(part, part, moment.factor)
        for moment in moments(model)
        for part in _series_parts(model, moment.amount)
    ]  # fmt: skip


def addends(model: Model, name: str) -> list[str]:
    """The lines that a line adds up; empty for one that does anything else."""
    item = model.lines.get(name)
    if item is None or item.pinned:
        return []
    parts = _names(item.expression)
    return parts if all(part in model.lines for part in parts) else []


def _names(part: Expr) -> list[str]:
    if part.op == "name":
        return [part.name]
    if part.op != "add":
        return []
    sides = [_names(arg) for arg in part.args]
    return [name for side in sides for name in side] if all(sides) else []


def _series_parts(model: Model, name: str) -> list[str]:
    """The finest lines by period that add up to this one."""
    parts = addends(model, name)
    if not parts or not all(model.lines[part].series for part in parts):
        return [name]
    return [fine for part in parts for fine in _series_parts(model, part)]


def _product(model: Model, name: str) -> Discounted | None:
    expression = model.lines[name].expression
    names = [arg.name for arg in expression.args if arg.op == "name"]
    if expression.op != "total_product" or len(names) != 2 or not all(part in model.lines for part in names):
        return None
    return Discounted(name, *names) if all(model.lines[part].series for part in names) else None
