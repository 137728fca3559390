"""The engine: numpy source printed from a model, compiled once, run on one case or a block of many."""

from __future__ import annotations

import functools
import linecache
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from tco.model import Model
from tco.printers.python import source
from tco.units import CONSTANTS

Array = NDArray[np.float64]
Value = float | Array | tuple[Array, Array]
Weighed = Callable[[Array, Array], Array]


@dataclass(frozen=True)
class Program:
    """Compiled lines. `text` is the source, for debugging and for the curious."""

    text: str
    function: Callable[[Mapping[str, Any], int], dict[str, Array]]

    def __call__(self, inputs: Mapping[str, Value], periods: int) -> dict[str, Array]:
        """Values of the wanted lines: shape (1,) or (batch, 1) for one number, (…, periods) for a series."""
        with np.errstate(all="ignore"):
            found = self.function({name: _ready(value) for name, value in inputs.items()}, periods)
        return {name: _ready(value) for name, value in found.items()}


def program(
    model: Model, wanted: Iterable[str] | None = None, known: Collection[str] = (), *, apart: bool = False
) -> Program:
    """Print and compile the wanted lines (all of them by default) and what they need; known lines are given to it.

    `apart` sums each case of a block in the order in which it would be summed alone, so that not even the last digit
    depends on the others; it takes a few hundredths more time.
    """
    names = tuple(model.lines if wanted is None else wanted)
    if known:
        return _compiled(source(model, names, known), apart)
    key = ("apart", *names) if apart else names
    if key not in model.programs:
        model.programs[key] = _compiled(source(model, names), apart)
    return model.programs[key]


@functools.lru_cache(maxsize=256)
def _compiled(text: str, apart: bool) -> Program:
    name = f"<lines {hash(text) & 0xFFFFFFFF:08x}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space: dict[str, Any] = {"np": np, "almost_one": CONSTANTS["almost_one"], **_HELPERS, **(_APART if apart else {})}
    exec(compile(text, name, "exec"), space)
    return Program(text, space["evaluate"])


def in_blocks(compiled: Program, inputs: Mapping[str, Value], periods: int, size: int = 1024) -> dict[str, Array]:
    """The same for a large batch, cut into blocks that stay in the cache; inputs of shape (batch, …) are cut."""
    batch = max((len(value) for value in inputs.values() if _batched(value)), default=1)
    parts = [
        compiled({name: _cut(value, start, start + size) for name, value in inputs.items()}, periods)
        for start in range(0, batch, size)
    ]
    rows = [min(size, batch - start) for start in range(0, batch, size)]
    return {
        name: np.concatenate([_full(part[name], count) for part, count in zip(parts, rows, strict=True)])
        for name in parts[0]
    }


def _batched(value: Value) -> TypeGuard[Array]:
    return isinstance(value, np.ndarray) and value.ndim == 2


def _full(value: Array, rows: int) -> Array:
    return value if value.ndim == 2 and len(value) == rows else np.broadcast_to(value, (rows, np.shape(value)[-1]))


def _cut(value: Value, start: int, stop: int) -> Value:
    return value[start:stop] if _batched(value) and len(value) > 1 else value


def _ready(value: Value) -> Any:
    if isinstance(value, tuple):
        return tuple(np.asarray(part, dtype=np.float64) for part in value)
    array = np.asarray(value, dtype=np.float64)
    return array.reshape(1) if array.ndim == 0 else array


# --- what printed numpy calls ---


def _spread(value: Array, periods: int) -> Array:
    return np.broadcast_to(value, (*np.shape(value)[:-1], periods))


def _lag(row: Array, opening: Any) -> Array:
    first = np.broadcast_to(np.asarray(opening), np.broadcast_shapes(np.shape(opening), (*row.shape[:-1], 1)))
    return _joined([first, row[..., :-1]])


def _lag_by(row: Array, by: Any, opening: Any) -> Array:
    past = _joined([np.zeros(1), np.atleast_1d(opening), row])
    return _picked(past, np.arange(2.0, row.shape[-1] + 2) - _steps(by))


def _back(columns: list[Array], t: int, by: Any, opening: Any) -> Array:
    """The value `by` periods before period t, from the columns computed so far."""
    if isinstance(by, int) and by == 1:
        return columns[t - 1] if t else np.atleast_1d(opening)
    steps = _steps(by)
    if steps.size == 1:
        place = t - float(steps.reshape(-1)[0])
        if place == -1:
            return np.atleast_1d(opening)
        return columns[int(place)] if place.is_integer() and 0 <= place < t else np.zeros(1)
    return _picked(_joined([np.zeros(1), np.atleast_1d(opening), *columns[:t]]), t - steps + 2)


def _steps(by: Any) -> Array:
    """How far to look back; a step ahead leads nowhere, as in a sheet whose range ends at the present column."""
    steps = np.asarray(by, dtype=np.float64)
    return np.where(steps < 0, np.inf, steps)


def _picked(past: Array, places: Array) -> Array:
    """Columns of `past` at places counted from 0; column 0 holds the 0 of every place that is not there."""
    there = (places >= 1) & (places < past.shape[-1]) & (places == np.floor(places))
    index = np.where(there, places, 0.0).astype(np.int64)
    shape = np.broadcast_shapes(past.shape[:-1], index.shape[:-1])
    wide = np.broadcast_to(past, (*shape, past.shape[-1]))
    return np.take_along_axis(wide, np.broadcast_to(index, (*shape, index.shape[-1])), -1)


def _joined(columns: list[Array]) -> Array:
    shapes = {column.shape[:-1] for column in columns}
    if len(shapes) == 1:
        return np.concatenate(columns, -1)
    shape = np.broadcast_shapes(*shapes)
    return np.concatenate([np.broadcast_to(column, (*shape, column.shape[-1])) for column in columns], -1)


def _window(row: Array, last: Any) -> NDArray[np.bool_]:
    """Mask (…, period, past period) of the periods inside the window that ends at each period."""
    count = np.arange(row.shape[-1], dtype=np.float64)
    ages: Array = count[:, None] - count[None, :]
    return (ages >= 0) & (ages < np.asarray(last)[..., None])


def _weighed(row: Array, weights: Array) -> Array:
    """The sum over past periods of the row times its weights (…, period, past period)."""
    return row @ weights.T if weights.ndim == 2 else np.sum(row[..., None, :] * weights, -1)


def _weighed_apart(row: Array, weights: Array) -> Array:
    """The same, one product a case instead of one for the block."""
    return (row[..., None, :] @ np.swapaxes(weights, -1, -2))[..., 0, :]


def _window_total(row: Array, last: Any, weighed: Weighed = _weighed) -> Array:
    counts = np.asarray(last, dtype=np.float64)
    if weighed is _weighed and counts.ndim == 2 and len(counts) > 1 and counts.shape[-1] == 1:
        return _by_count(row, counts)
    return weighed(row, _window(row, last).astype(np.float64))


def _by_count(row: Array, counts: Array) -> Array:
    """Windows of several lengths, those of one length together: few differ, since they are whole periods."""
    wide = np.broadcast_to(row, (len(counts), row.shape[-1]))
    found = np.zeros(wide.shape)
    for count in np.unique(counts):
        rows = counts[:, 0] == count
        found[rows] = _window_total(wide[rows], count)
    return found


def _window_highest(row: Array, last: Any) -> Array:
    return np.max(np.where(_window(row, last), np.maximum(row[..., None, :], 0.0), 0.0), -1)


def _cumulative_within(row: Array, clock: Array, weighed: Weighed = _weighed) -> Array:
    same = (clock[..., :, None] == clock[..., None, :]) & np.tril(np.ones((row.shape[-1],) * 2, bool))
    return weighed(row, same.astype(np.float64))


def _tiered(value: Array, start: Array, price: Array) -> Array:
    steps = np.diff(price, prepend=0.0)
    return sum((np.maximum(value - start[i], 0.0) * steps[i] for i in range(len(start))), np.zeros_like(value))


def _by_age(row: Array, start: Array, share: Array, clock: Array, weighed: Weighed = _weighed) -> Array:
    ages = clock[..., :, None] - clock[..., None, :]
    shares = np.append(0.0, share)[np.searchsorted(start, ages, "right")]
    return weighed(row, np.tril(shares))


def erlang(load: Any, places: Any) -> Array:
    """Erlang's loss formula, one place more at a time until nothing is lost any more."""
    load, places = np.broadcast_arrays(np.asarray(load, dtype=np.float64), np.floor(places))
    lost = np.ones(load.shape)
    for place in range(1, int(np.max(places, initial=0.0)) + 1):
        lost = np.where(place <= places, load * lost / (place + load * lost), lost)
        if not np.any(lost[places > place]):
            break
    return lost


_HELPERS: dict[str, Any] = {
    "spread": _spread,
    "lag": _lag,
    "lag_by": _lag_by,
    "back": _back,
    "joined": _joined,
    "window_total": _window_total,
    "window_highest": _window_highest,
    "cumulative_within": _cumulative_within,
    "erlang": erlang,
    "tiered": _tiered,
    "by_age": _by_age,
}

_APART: dict[str, Any] = {
    name: functools.partial(_HELPERS[name], weighed=_weighed_apart)
    for name in ("window_total", "cumulative_within", "by_age")
}
