"""Lines that several fleets compute from the same draws in the same way, computed once: load, discount factors …"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tco.expression import show
from tco.uncertainty.engine import Affine, Engine, Reached

Array = NDArray[np.float64]
Key = tuple[Any, ...]

CACHED = 131_072
"""Bytes of an array above which the C library maps fresh memory for every one, which costs more than to compute it."""


@dataclass
class Fleets:
    """Engines by fleet; `common` ones fill the pool that they read, each with the keys of its lines."""

    engines: dict[str, Engine]
    common: list[tuple[Engine, dict[str, int]]]
    periods: int

    @classmethod
    def of(cls, reached: Mapping[str, Reached], periods: int) -> Fleets:
        """Find what at least two fleets share; the first that has it computes it for all."""
        keys = {fleet: _keys(one) for fleet, one in reached.items()}
        numbers = _numbered(keys)
        edges = {fleet: _edge(one, keys[fleet], numbers) for fleet, one in reached.items()}
        common, done = list[tuple[Engine, dict[str, int]]](), set[int]()
        for fleet, edge in edges.items():
            own = {name: number for name, number in edge.items() if number not in done}
            done |= set(own.values())
            if own:
                common.append((reached[fleet].engine(own), own))
        engines = {fleet: one.engine(shared=edges[fleet]) for fleet, one in reached.items()}
        return cls(engines, common, periods)

    @property
    def block(self) -> int:
        """Draws at once, a power of two: as many as leave each array small enough to be kept."""
        return max(1 << (CACHED // (8 * self.periods)).bit_length() - 1, 64)

    def columns(self, names: Sequence[str]) -> frozenset[int]:
        """What must be drawn for these fleets."""
        needed = [self.engines[name] for name in names]
        return frozenset[int]().union(*(one.columns for one in (*needed, *(made for made, _ in self._common(names)))))

    def _common(self, names: Sequence[str]) -> list[tuple[Engine, dict[str, int]]]:
        read = {key for name in names for key in self.engines[name].shared.values()}
        return [(made, own) for made, own in self.common if read & set(own.values())]

    def blocks(
        self, names: Sequence[str], drawn: Sequence[Array | None], count: int
    ) -> Iterator[tuple[int, dict[str, dict[str, Array]]]]:
        """Wanted lines of each fleet, block by block."""
        common = self._common(names)
        for low in range(0, count, self.block):
            part = [None if column is None else column[low : low + self.block] for column in drawn]
            pool = dict[int, Array]()
            for made, own in common:
                pool |= {own[name]: value for name, value in made(part).items()}
            yield low, {name: self.engines[name](part, pool) for name in names}


def _keys(one: Reached) -> dict[str, Key]:
    """What a reached line is computed from, down to the draws; lines of a loop are left out."""
    model, found = one.model, dict[str, Key]()
    texts: dict[str, Key] = {name: ("still", name, value.tobytes()) for name, value in one.before.items()}
    for group in model.groups:
        name = next(iter(group))
        if len(group) > 1 or model.looks_back(group) or name not in one.lines:
            continue
        item = model.lines[name]
        parents = [_key_of(one, parent, found, texts) for parent in item.parents]
        if item.opening is None and None not in parents and not any(_opened(one, parent) for parent in item.parents):
            found[name] = ("line", show(item.expression), item.series, *parents)
    return found


def _opened(one: Reached, name: str) -> bool:
    return name in one.model.lines and one.model.lines[name].opening is not None


def _key_of(one: Reached, name: str, found: Mapping[str, Key], texts: Mapping[str, Key]) -> Key | None:
    if name in found:
        return found[name]
    if name in texts:
        return texts[name]
    if name in one.moved:
        return _moved(one.moved[name])
    if name in one.factors:
        return ("factor", one.factors[name])
    if name in one.inputs:
        value = one.inputs[name]
        parts = value if isinstance(value, tuple) else (value,)
        return ("input", name, *(np.asarray(part, dtype=np.float64).tobytes() for part in parts))
    return None


def _moved(how: Affine) -> Key:
    return ("moved", how.column, np.asarray(how.offset).tobytes(), np.asarray(how.slope).tobytes())


def _numbered(keys: Mapping[str, Mapping[str, Key]]) -> dict[Key, int]:
    """A short number for each key that two fleets have."""
    count = Counter(key for lines in keys.values() for key in set(lines.values()))
    return {key: at for at, (key, times) in enumerate(count.items()) if times > 1}


def _edge(one: Reached, keys: Mapping[str, Key], numbers: Mapping[Key, int]) -> dict[str, int]:
    """Shared lines that lines of the fleet's own read, or that are asked for."""
    shared = {name: numbers[key] for name, key in keys.items() if key in numbers}
    own = one.lines - shared.keys()
    read = {parent for name in own for parent in one.model.lines[name].parents} | set(one.asked)
    return {name: number for name, number in shared.items() if name in read}
