"""What all printers share: brackets by precedence, and a table of rows.

A row is a template over the printed arguments (`{0} + {1}`), with the precedence of what it makes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tco.expression import Expr

ATOM, POWER, UNARY, PRODUCT, SUM, COMPARISON = 9, 8, 7, 6, 5, 4

PRECEDENCE = {
    "add": SUM, "sub": SUM, "mul": PRODUCT, "div": PRODUCT, "neg": UNARY,
    "lt": COMPARISON, "le": COMPARISON, "gt": COMPARISON, "ge": COMPARISON,
}  # fmt: skip

Row = str | Callable[["Printer", Expr], str]
LEAVES = ("name", "constant", "number", "table")


@dataclass
class Printer:
    """A target language: its rows, how it writes a leaf, and which of its operations bind how tight."""

    rows: Mapping[str, Row]
    leaf: Callable[[Expr], str]
    precedence: Mapping[str, int] = field(default_factory=lambda: PRECEDENCE)

    def __call__(self, value: Expr) -> str:
        if value.op in LEAVES:
            return self.leaf(value)
        row = self.rows[value.op]
        if callable(row):
            return row(self, value)
        if value.op in PRECEDENCE:
            return row.format(*(self.bracketed(arg, value, right=index > 0) for index, arg in enumerate(value.args)))
        printed = [self(arg) for arg in value.args]
        return row.format(*printed, all=", ".join(printed))

    def bracketed(self, arg: Expr, parent: Expr, *, right: bool) -> str:
        """The argument, in brackets where the parent binds tighter.

        So is a minus after an operator or before a power: `--x` is another thing in JavaScript, `-x^y` in a sheet.
        """
        mine, its = self.precedence[parent.op], self.precedence.get(arg.op, ATOM)
        signs = (arg.op == "neg" and right) or (parent.op == "neg" and arg.op in ("neg", "pow"))
        tight = its < mine or (its == mine and right) or signs
        return f"({self(arg)})" if tight else self(arg)


INFIX: dict[str, Row] = {
    "add": "{0} + {1}", "sub": "{0} - {1}", "mul": "{0} * {1}", "div": "{0} / {1}", "neg": "-{0}",
    "lt": "{0} < {1}", "le": "{0} <= {1}", "gt": "{0} > {1}", "ge": "{0} >= {1}",
}  # fmt: skip
