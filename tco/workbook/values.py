"""What each cell holds: the engine's numbers, and an error where a spreadsheet shows one.

numpy computes on with infinity where a spreadsheet stops: the smaller of (x / 0) and 3 is 3 to one and
`#DIV/0!` to the other. So that a viewer and a recalculation agree, errors are followed through the lines
as a spreadsheet does it: to every reader, but not through the arm of `where` that is not taken.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tco.evaluate import erlang
from tco.expression import Expr
from tco.figures import Figure
from tco.model import TracedLine
from tco.result import FleetResult
from tco.timeline import Timeline
from tco.units import CONSTANTS
from tco.workbook.book import Value
from tco.workbook.styling import ERRORS

Array = NDArray[Any]
DIVISION, NUMBER = ERRORS[:2]


def added(values: list[Value]) -> Value:
    """What SUM gives: numbers added, text passed over, an error handed on."""
    wrong = next((value for value in values if value in ERRORS), None)
    return wrong if wrong is not None else float(sum(value for value in values if isinstance(value, float)))


def raw(figure: Figure, periods: int) -> Any:
    """A figure as the lines read it: a number, a series, or the two columns of a table."""
    value = figure.value
    if isinstance(value, tuple) and value and isinstance(value[0], tuple):
        return tuple(np.array(column, dtype=float) for column in zip(*value, strict=True))  # type: ignore[misc]
    return np.atleast_1d(np.asarray(value, dtype=float))


class FleetValues:
    """Values of the lines and inputs of one fleet as cells show them."""

    def __init__(self, fleet: FleetResult, timeline: Timeline) -> None:
        self.lines, self.periods = fleet.model.lines, timeline.periods
        frame = {name: np.atleast_1d(value) for name, value in timeline.frame().items()}
        given = {name: raw(figure, self.periods) for name, figure in fleet.inputs.items()}
        computed = {name: np.reshape(fleet.values[name], -1).astype(float) for name in fleet.model.lines}
        self.known: dict[str, Any] = {**frame, **given, **computed}
        self.wrong: dict[str, Array] = {}
        self.kinds: dict[str, str] = {}
        suspects = {item.name for item in self.lines.values() if self._suspect(item)}
        if suspects:
            self._follow([name for group in fleet.model.groups for name in group], suspects)

    def one(self, name: str) -> Value:
        """The value of a line that is one number."""
        return self._cells(name, self.known[name][:1])[0]

    def series(self, name: str) -> list[Value]:
        """The values of a line, one a period."""
        return self._cells(name, np.broadcast_to(self.known[name], (self.periods,)))

    @property
    def broken(self) -> bool:
        """Whether any line shows an error."""
        return any(flags.any() for flags in self.wrong.values())

    def opening(self, item: TracedLine) -> Value:
        """What stands in the opening column."""
        if item.opening is None or np.any(self.error(item.opening)):
            return DIVISION
        return float(np.reshape(self.value(item.opening), -1)[0])

    def _cells(self, name: str, numbers: Array) -> list[Value]:
        wrong = self.wrong.get(name)
        if wrong is None or not wrong.any():
            return numbers.tolist()
        kind = self.kinds.get(name, DIVISION)
        flags = np.broadcast_to(wrong, numbers.shape)
        return [kind if flag else value for value, flag in zip(numbers.tolist(), flags, strict=True)]

    # --- errors ---

    def _suspect(self, item: TracedLine) -> bool:
        if not np.all(np.isfinite(self.known[item.name])):
            return True
        return any(self._may_be_zero(part) for part in _denominators(item.expression))

    def _may_be_zero(self, part: Expr) -> bool:
        if part.op in ("constant", "number"):
            return part.name == "0"
        if part.op in ("mul", "div"):
            return any(self._may_be_zero(arg) for arg in part.args[: 1 if part.op == "div" else 2])
        return bool(np.any(np.asarray(self.value(part)) == 0))

    def _follow(self, order: list[str], suspects: set[str]) -> None:
        """From lines that may be wrong by themselves to those that read a wrong one, until nothing is added."""
        may_start = suspects | {name for name in order if _takes_roots(self.lines[name])}
        before, found = -1, 0
        while found > before:
            for name in order:
                if name in may_start or any(parent in self.wrong for parent in self.lines[name].parents):
                    self._settle(name)
            before, found = found, sum(int(flags.sum()) for flags in self.wrong.values())

    def _settle(self, name: str) -> None:
        item = self.lines[name]
        own = ~np.isfinite(self.known[name])
        mask = np.broadcast_to(self.error(item.expression) | own, self.periods if item.series else 1)
        if not mask.any():
            return
        if name not in self.kinds:
            parents = [self.kinds[parent] for parent in item.parents if parent in self.kinds]
            alone = _takes_roots(item) and not self._divides(item)
            self.kinds[name] = parents[0] if parents else NUMBER if alone else DIVISION
        self.wrong[name] = self.wrong[name] | mask if name in self.wrong else mask

    def _divides(self, item: TracedLine) -> bool:
        return any(self._may_be_zero(part) for part in _denominators(item.expression))

    def error(self, part: Expr) -> Array:
        """Where a spreadsheet shows an error for this expression."""
        if part.op == "name":
            return self.wrong.get(part.name, _RIGHT)
        if part.op == "where":
            test, yes, no = part.args
            return self.error(test) | np.where(self.value(test), self.error(yes), self.error(no))
        if part.op in ("lag", "lag_by"):
            back = 1 if part.op == "lag" else self.value(part.args[1])
            return _shifted(self._wide(self.error(part.args[0])).astype(float), back, 0.0) > 0
        inside = _RIGHT
        for arg in part.args if part.op != "table" else ():
            inside = inside | self.error(arg)
        if part.op in _ONE:
            return np.atleast_1d(inside.any())
        if part.op in _SO_FAR:
            return np.logical_or.accumulate(self._wide(inside))
        if part.op == "div":
            return inside | (np.atleast_1d(self.value(part.args[1])) == 0)
        if part.op in ("pow", "square_root", "logarithm"):
            return inside | ~np.isfinite(self.value(part))
        return inside

    def _wide(self, row: Array) -> Array:
        return np.broadcast_to(row, (self.periods,))

    # --- values of parts of lines ---

    def value(self, part: Expr) -> Array:
        """The number of any part of a line, from the values of the lines it reads."""
        if part.op == "name":
            return self.known[part.name]
        if part.op in ("constant", "number"):
            return np.atleast_1d(CONSTANTS[part.name] if part.op == "constant" else float(part.name))
        with np.errstate(all="ignore"):
            if part.op in ("lag", "lag_by"):
                opening = self.lines[part.args[0].name].opening if part.args[0].name in self.lines else None
                start = float(self.value(opening)[0]) if opening is not None else 0.0
                return _shifted(
                    self._wide(self.known[part.args[0].name]),
                    1 if part.op == "lag" else self.value(part.args[1]),
                    start,
                )
            return np.atleast_1d(_OPERATIONS[part.op](*(self.value(arg) for arg in part.args)))


_RIGHT = np.zeros(1, dtype=bool)


@functools.lru_cache(maxsize=4096)
def _takes_roots(item: TracedLine) -> bool:
    return any(part.op in ("pow", "square_root", "logarithm") for part in every_part(item.expression))


def every_part(part: Expr) -> Iterator[Expr]:
    """The expression and everything in it."""
    yield part
    if part.op != "table":
        for arg in part.args:
            yield from every_part(arg)


def _denominators(part: Expr) -> Iterator[Expr]:
    if part.op == "div":
        yield part.args[1]
    if part.op != "table":
        for arg in part.args:
            yield from _denominators(arg)


def _shifted(row: Array, by: Any, opening: float) -> Array:
    places = np.arange(len(row)) - int(np.reshape(by, -1)[0])
    return np.where(places >= 0, row[np.clip(places, 0, None)], np.where(places == -1, opening, 0.0))


def _window(row: Array, last: Array) -> Array:
    ages = np.arange(len(row))[:, None] - np.arange(len(row))[None, :]
    return (ages >= 0) & (ages < last[0])


_ONE = ("total", "total_product", "highest")
_SO_FAR = ("cumulative", "cumulative_within", "window_total", "window_highest", "by_age")


def _over(operation: Any) -> Callable[..., Array]:
    def reduce(*parts: Array) -> Array:
        return operation.reduce(np.broadcast_arrays(*parts))

    return reduce


def _within(row: Array, clock: Array) -> Array:
    return ((clock[:, None] == clock[None, :]) & np.tri(len(row), dtype=bool)) @ row


def _ceil(part: Array) -> Array:
    return np.ceil(part * CONSTANTS["almost_one"])


def _floor(part: Array) -> Array:
    return np.floor(part / CONSTANTS["almost_one"])


def _product(row: Array, other: Array) -> Any:
    return np.sum(row * other)


def _window_total(row: Array, last: Array) -> Array:
    return _window(row, last) @ row


def _window_highest(row: Array, last: Array) -> Array:
    return np.max(np.where(_window(row, last), np.maximum(row, 0.0), 0.0), 1)


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "neg": np.negative, "pow": np.power,
    "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal, "where": np.where,
    "both": _over(np.logical_and), "either": _over(np.logical_or),
    "maximum": _over(np.maximum), "minimum": _over(np.minimum),
    "ceil": _ceil, "floor": _floor, "square_root": np.sqrt, "logarithm": np.log,
    "cumulative": np.cumsum, "cumulative_within": _within,
    "total": np.sum, "total_product": _product, "highest": np.max, "window_total": _window_total,
    "window_highest": _window_highest, "erlang": erlang,
}  # fmt: skip
