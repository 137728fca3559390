"""Who moved a number: the mean effect of each change over all orders in which the changes can be made (Shapley).

A state is the set of changes that are made, a bit each. Where a state has no value (the fleet cannot run half changed),
only orders that avoid it count; changes that no order can part are moved together.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Shares:
    """Groups of changes with the effect of each; `orders` of `possible` were counted, all of them unless `sampled`."""

    groups: tuple[tuple[int, ...], ...]
    effects: tuple[float, ...]
    orders: float
    possible: float
    sampled: bool = False


def exact(values: Array) -> Shares:
    """Shares from the value of every state; nan where there is none. Both ends must have one."""
    count = (len(values) - 1).bit_length()
    _check_ends(float(values[0]), float(values[-1]))
    groups = [(index,) for index in range(count)]
    while True:
        table = values[_states(groups)]
        ways, effects = _weighed(table, len(groups))
        if ways:
            return Shares(tuple(groups), tuple(effects), ways, float(math.factorial(len(groups))))
        groups = _joined(values, groups)


def _check_ends(*ends: float) -> None:
    """Without a value at both ends no order leads from one to the other, however the changes are grouped."""
    if not all(map(math.isfinite, ends)):
        raise ValueError("an end has no value: there is no move to be divided")


def _states(groups: Sequence[tuple[int, ...]]) -> NDArray[np.int64]:
    """The states in which each group is made whole or not at all."""
    masks, states = _masks(groups), np.arange(1 << len(groups))
    return sum(((states >> place & 1) * mask for place, mask in enumerate(masks)), np.zeros_like(states))


def _weighed(table: Array, count: int) -> tuple[float, list[float]]:
    """The number of orders that pass only through states with a value, and the mean step of each change in them."""
    states, known = np.arange(len(table)), np.isfinite(table)
    sizes = sum((states >> place & 1 for place in range(count)), np.zeros_like(states))
    before, after = np.zeros(len(table)), np.zeros(len(table))
    before[0], after[-1] = known[0], known[-1]
    for size in range(1, count + 1):
        for place in range(count):
            new = states[(sizes == size) & (states >> place & 1 == 1) & known]
            before[new] += before[new ^ (1 << place)]
            old = states[(sizes == count - size) & (states >> place & 1 == 0) & known]
            after[old] += after[old | (1 << place)]
    ways = float(before[-1])
    effects = list[float]()
    for place in range(count) if ways else ():
        old = states[(states >> place & 1 == 0) & known & known[states | (1 << place)]]
        new = old | (1 << place)
        effects.append(float(np.sum(before[old] * after[new] / ways * (table[new] - table[old]))))
    return ways, effects


def _joined(values: Array, groups: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Two groups made one: the pair that opens most orders, else the one that leaves most states with a value."""

    def gain(pair: tuple[int, int]) -> tuple[float, int]:
        table = values[_states(_with(groups, pair))]
        return _weighed(table, len(groups) - 1)[0], int(np.isfinite(table).sum())

    return _with(groups, max(itertools.combinations(range(len(groups)), 2), key=gain))


def _with(groups: list[tuple[int, ...]], pair: tuple[int, int]) -> list[tuple[int, ...]]:
    first, second = pair
    both = tuple(sorted((*groups[first], *groups[second])))
    return [both if place == first else group for place, group in enumerate(groups) if place != second]


def sampled(count: int, value: Callable[[Sequence[int]], Sequence[float]], pairs: int) -> Shares:
    """The same from some orders: that of the changes, random ones (the same each time), and the reverse of each."""
    _check_ends(*value([0, (1 << count) - 1]))
    groups = [(index,) for index in range(count)]
    while True:
        sums, counted = _over_orders(_masks(groups), value, pairs)
        if counted:
            effects = tuple((sums / counted).tolist())
            return Shares(tuple(groups), effects, float(counted), math.factorial(len(groups)), sampled=True)
        groups = _partnered(groups, value) or [tuple(range(count))]


def _masks(groups: Sequence[tuple[int, ...]]) -> list[int]:
    return [sum(1 << index for index in group) for group in groups]


def _over_orders(
    masks: Sequence[int], value: Callable[[Sequence[int]], Sequence[float]], pairs: int
) -> tuple[Array, int]:
    """The sum of each change's steps over the orders that avoid states without a value, and how many these are."""
    chance, places = random.Random(1), range(len(masks))
    orders = [list(places), *(chance.sample(places, len(masks)) for _ in range(pairs - 1))]
    orders += [order[::-1] for order in orders]
    paths = [list(itertools.accumulate((masks[place] for place in order), initial=0)) for order in orders]
    states = list(dict.fromkeys(state for path in paths for state in path))
    held = dict(zip(states, value(states), strict=True))
    sums, counted = np.zeros(len(masks)), 0
    for order, path in zip(orders, paths, strict=True):
        steps = np.diff([held[state] for state in path])
        if np.isfinite(steps).all():
            sums[order] += steps
            counted += 1
    return sums, counted


def _partnered(
    groups: list[tuple[int, ...]], value: Callable[[Sequence[int]], Sequence[float]]
) -> list[tuple[int, ...]] | None:
    """A group that has no value alone, with the first other that gives it one; None where there is no such pair."""
    masks = _masks(groups)
    alone = value(masks)
    for place in (place for place, one in enumerate(alone) if not math.isfinite(one)):
        others = [other for other in range(len(groups)) if other != place]
        both = value([masks[place] | masks[other] for other in others])
        partner = next((other for other, one in zip(others, both, strict=True) if math.isfinite(one)), None)
        if partner is not None:
            return _with(groups, (min(place, partner), max(place, partner)))
    return None
