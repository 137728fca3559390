"""A sweep for the terminal: who is recommended where, and what was refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from tco.console import table
from tco.sweep.asked import Grid
from tco.sweep.drive import Tally
from tco.wording import significant

ROWS, COLUMNS = 12, 6
"""Values of an axis that are shown; of more, some, evenly spread."""


def told(tally: Tally) -> str:
    """The summary of a run."""
    return "\n".join([*_head(tally), *_pivot(tally), *_foot(tally)])


def _head(tally: Tally) -> Iterator[str]:
    sweep = tally.sweep
    yield f"{sweep.base.content.title}: {tally.done:,} variants, {len(sweep.fleets)} fleets"
    order = sorted(zip(tally.wins[1:].tolist(), sweep.fleets, strict=True), reverse=True)
    shares = [f"{name} in {count:,}" for count, name in order if count]
    none = int(tally.wins[0]) - len(tally.refused)
    yield f"recommended: {', '.join([*shares, *([f'none in {none:,}'] if none else [])]) or 'none'}"


def _foot(tally: Tally) -> Iterator[str]:
    if tally.kept:
        yield ""
        yield (
            f"choice: kept in {tally.kept:,} variants, whose deployments were chosen before a value changed that does "
            "not touch speed or fit; `--choices search` searches all anew"
        )
    if tally.refused:
        yield ""
        yield f"{len(tally.refused):,} variants are refused:"
        for reason, count in Counter(tally.refused.values()).most_common(5):
            yield f"  {count:,}: {reason}"


def spread(count: int, most: int) -> NDArray[np.int64]:
    """Places of so many at most, evenly spread, with both ends."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).astype(np.int64))


def _pivot(tally: Tally) -> Iterator[str]:
    """The recommended fleet and its headline over the first axis, and the second where there are two."""
    asked = tally.sweep.asked
    if not isinstance(asked, Grid) or not tally.best:
        return
    best, costs = np.concatenate(tally.best), np.concatenate(tally.costs)
    shape = asked.sizes if len(asked.sizes) > 1 else (*asked.sizes, 1)
    best, costs = best.reshape(*shape[:2], -1), costs.reshape(*shape[:2], -1)
    axes, unit = asked.axes, tally.sweep.lines[0].unit
    yield ""
    across = f" by {axes[1].name} (across)" if len(axes) > 1 else ""
    more = ", least to most over the other axes" if best.shape[2] > 1 else ""
    yield f"recommended fleet and its cost in {unit} by {axes[0].name} (down){across}{more}:"
    rows, columns = spread(shape[0], ROWS), spread(shape[1], COLUMNS)
    labels: list[str] = [*axes[1].labels] if len(axes) > 1 else ["recommended"]
    fleets = tally.sweep.fleets
    lines = list[dict[str, str]]()
    for row in rows.tolist():
        cells: dict[str, str] = {labels[at]: _cell(best[row, at], costs[row, at], fleets) for at in columns.tolist()}
        lines.append({axes[0].name: str(axes[0].labels[row]), **cells})
    yield table(lines)


def _cell(best: NDArray[np.int16], costs: NDArray[np.float64], fleets: Sequence[str]) -> str:
    able = best >= 0
    if not able.any():
        return "-"
    names = list(dict.fromkeys(fleets[at] for at in best[able].tolist()))
    low, high = significant(float(costs[able].min())), significant(float(costs[able].max()))
    name = names[0] if len(names) == 1 else f"{len(names)} fleets"
    return f"{name} {low}" if low == high else f"{name} {low} to {high}"
