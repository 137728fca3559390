"""By which power of an input a line grows, proven from its formula.

A line has degree n in an input when multiplying the input by any f > 0 multiplies the line by f ** n, whatever the
other inputs are. The rules go through the formula word by word: a product adds degrees, a sum needs equal ones, a
rounding allows only 0. What no rule covers has no degree (NaN); a zero fits every degree (infinity).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tco.expression import Expr
from tco.model import Model

Array = NDArray[np.float64]

_SAME = {"add", "sub", "maximum", "minimum", "lag"}
_COMPARED = {"lt", "le", "gt", "ge"}
"""Does not change where both sides grow alike."""
_FIXED = {"ceil", "floor", "pow", "logarithm", "tiered", "erlang", "both", "either"}
"""0 where all arguments have 0, else none."""
_ROW = {
    "neg", "lag_by", "cumulative", "cumulative_within", "total", "window_total", "highest", "window_highest",
    "by_age",
}  # fmt: skip
"""The degree of their first argument, if it is 0 in all others."""


def degrees(model: Model, inputs: Sequence[str], wanted: Sequence[str]) -> dict[str, Array]:
    """The degree of each wanted line, and of what it needs, in each input."""
    with np.errstate(invalid="ignore"):
        return _Degrees(model, inputs).found(wanted)


class _Degrees:
    def __init__(self, model: Model, inputs: Sequence[str]) -> None:
        self.model, self.count = model, len(inputs)
        self.nothing, self.any = np.zeros(self.count), np.full(self.count, np.inf)
        self.known = dict(zip(inputs, np.eye(self.count), strict=True))

    def found(self, wanted: Sequence[str]) -> dict[str, Array]:
        """Group after group; lines that read each other's past start as zeros and settle, or have no degree."""
        for group in self.model.groups_of(wanted):
            self.known.update(dict.fromkeys(group, self.any))
            turns = 1 + len(group) if self.model.looks_back(group) else 1
            settled = [not self._moved(group) for _ in range(turns)]
            if turns > 1 and not settled[-1]:
                self.known.update(dict.fromkeys(group, np.full(self.count, np.nan)))
        return self.known

    def _moved(self, group: Sequence[str]) -> bool:
        """Each line of the group once; whether any changed."""
        before = [self.known[name] for name in group]
        for name in group:
            item = self.model.lines[name]
            parts = [part for part in (item.expression, item.opening) if part is not None]
            self.known[name] = self.same(*(self.of(part) for part in parts))
        return not all(
            np.array_equal(old, self.known[name], equal_nan=True) for old, name in zip(before, group, strict=True)
        )

    def of(self, part: Expr) -> Array:
        """The degrees of an expression."""
        if part.op == "name":
            return self.known.get(part.name, self.nothing)
        if part.op in ("constant", "number", "table"):
            return self.any if part.name == "0" else self.nothing
        args = [self.of(arg) for arg in part.args]
        if part.op in _SAME:
            return self.same(*args)
        if part.op in _COMPARED:
            return np.where(np.isnan(self.same(*args)), np.nan, 0.0)
        if part.op in _FIXED:
            return self.fixed(args)
        return self.after(args[0], args[1:]) if part.op in _ROW else self.other(part.op, args)

    def other(self, op: str, args: list[Array]) -> Array:
        """Products, quotients, roots and choices."""
        if op in ("mul", "total_product"):
            return self.times(*args)
        if op == "div":
            return np.where(np.isinf(args[1]), np.nan, self.times(args[0], -args[1]))
        if op == "square_root":
            return args[0] / 2
        return self.after(self.same(*args[1:]), args[:1]) if op == "where" else np.full(self.count, np.nan)

    def same(self, one: Array, *others: Array) -> Array:
        """One degree for all parts; a zero takes that of the others."""
        for other in others:
            if one is not other:
                either = np.where(np.isinf(other) | (one == other), one, np.nan)
                one = np.where(np.isinf(one), other, either)
        return one

    def times(self, one: Array, other: Array) -> Array:
        """Degrees added; what is multiplied by zero is zero."""
        zero = np.isinf(one) | np.isinf(other)
        return np.where(zero, np.inf, one + other) if zero.any() else one + other

    def fixed(self, args: list[Array]) -> Array:
        """Nothing but what does not change at all."""
        still = np.logical_and.reduce([(arg == 0) | np.isinf(arg) for arg in args])
        return np.where(still, 0.0, np.nan)

    def after(self, row: Array, others: list[Array]) -> Array:
        """The degree of the row, where the others do not change."""
        return row if not others else np.where(np.isnan(self.fixed(others)), np.nan, row)
