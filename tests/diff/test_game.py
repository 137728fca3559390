"""The arithmetic of effects: Shapley values by hand, orders that cannot be, changes that cannot be parted."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tco.diff.game import exact, sampled

NAN = math.nan


def by_orders(values: list[float]) -> list[float]:
    """The definition: the mean step of each change over all orders that pass no state without a value."""
    count = (len(values) - 1).bit_length()
    sums, counted = np.zeros(count), 0
    for order in itertools.permutations(range(count)):
        states = list(itertools.accumulate((1 << one for one in order), initial=0))
        steps = np.diff([values[state] for state in states])
        if np.isfinite(steps).all():
            sums[list(order)] += steps
            counted += 1
    return (sums / counted).tolist() if counted else []


def test_two_changes_by_hand() -> None:
    # cost = energy x price: 10 kWh at 0.20 becomes 15 kWh at 0.30, so 2.00 becomes 4.50, a move of 2.50.
    # Energy first: 15 x 0.20 - 2.00 = 1.00; energy last: 4.50 - 10 x 0.30 = 1.50; mean 1.25.
    # Price first: 10 x 0.30 - 2.00 = 1.00; price last: 4.50 - 15 x 0.20 = 1.50; mean 1.25.
    shares = exact(np.array([2.0, 3.0, 3.0, 4.5]))
    assert shares.groups == ((0,), (1,))
    assert shares.effects == pytest.approx((1.25, 1.25))
    assert (shares.orders, shares.possible) == (2, 2)


def test_three_changes_by_hand() -> None:
    # A glove game: the first change is worth 6 with any of the other two, nothing alone.
    # It comes first in a third of the orders, so it earns 2/3 x 6 = 4; each other completes the pair in a sixth: 1.
    values = [0.0, 0, 0, 6, 0, 6, 0, 6]
    assert exact(np.array(values)).effects == pytest.approx((4, 1, 1))


@given(st.integers(0, 5).flatmap(lambda n: st.lists(st.floats(-1e6, 1e6), min_size=1 << n, max_size=1 << n)))
def test_effects_are_the_mean_over_all_orders_and_add_up(values: list[float]) -> None:
    shares = exact(np.array(values))
    scale = max(map(abs, values))
    assert sum(shares.effects) == pytest.approx(values[-1] - values[0], abs=1e-12 * scale + 1e-300)
    assert list(shares.effects) == pytest.approx(by_orders(values), abs=1e-9 * scale + 1e-300)


@given(st.data())
def test_states_without_a_value_are_passed_by(data: st.DataObject) -> None:
    count = data.draw(st.integers(2, 4))
    value = st.one_of(st.just(NAN), st.floats(-100, 100))
    inner = data.draw(st.lists(value, min_size=(1 << count) - 2, max_size=(1 << count) - 2))
    values = [1.0, *inner, 2.0]
    shares = exact(np.array(values))
    assert sum(shares.effects) == pytest.approx(1.0, abs=1e-9)
    assert sorted(one for group in shares.groups for one in group) == list(range(count))
    expected = by_orders(values)
    if expected:
        assert list(shares.effects) == pytest.approx(expected, abs=1e-9)
    else:
        assert any(len(group) > 1 for group in shares.groups)


def test_what_must_come_first_comes_first() -> None:
    # The second change alone cannot run: only first-then-second counts, 10 -> 14 -> 15.
    shares = exact(np.array([10, 14, NAN, 15]))
    assert shares.effects == pytest.approx((4, 1))
    assert (shares.orders, shares.possible) == (1, 2)


def test_what_cannot_be_parted_is_joined_and_the_rest_stays_alone() -> None:
    # Neither of the first two runs without the other; together they add 5, and the third adds 2 before or after.
    values = np.array([10, NAN, NAN, 15, 12, NAN, NAN, 17])
    shares = exact(values)
    assert dict(zip(shares.groups, shares.effects, strict=True)) == pytest.approx({(0, 1): 5, (2,): 2})


def test_samples_add_up_repeat_and_come_near() -> None:
    weights = np.arange(1.0, 13)

    def value(states: Sequence[int]) -> list[float]:
        parts = [np.array([state >> place & 1 for place in range(12)]) @ weights for state in states]
        return [float(part + 0.01 * part**2) for part in parts]

    shares = sampled(12, value, 200)
    whole = value([0, (1 << 12) - 1])
    # Of part + 0.01 part^2 a change of weight w earns w + 0.01 w x 78: half of every pair's product is its own.
    assert sum(shares.effects) == pytest.approx(whole[1] - whole[0], rel=1e-12)
    assert shares.effects == pytest.approx((weights * 1.78).tolist(), rel=0.03)
    assert shares == sampled(12, value, 200)


def test_samples_join_what_runs_only_together() -> None:
    """The first two run only with each other: they are joined before everything is."""

    def value(states: Sequence[int]) -> list[float]:
        return [NAN if (s & 1) != (s >> 1 & 1) else float(s.bit_count()) for s in states]

    shares = sampled(11, value, 4)
    assert shares.groups == ((0, 1), *((place,) for place in range(2, 11)))
    assert shares.effects == pytest.approx((2, *[1] * 9))


def test_samples_without_any_order_are_one_bar() -> None:
    full = (1 << 11) - 1
    shares = sampled(11, lambda states: [1.0 if s == 0 else 3.0 if s == full else NAN for s in states], 4)
    assert shares.groups == (tuple(range(11)),)
    assert shares.effects == (2.0,)


@pytest.mark.parametrize("end", [0, (1 << 11) - 1])
def test_an_end_without_a_value_is_refused_and_not_searched_for_ever(end: int) -> None:
    with pytest.raises(ValueError, match="an end has no value"):
        sampled(11, lambda states: [NAN if s == end else 1.0 for s in states], 4)
    with pytest.raises(ValueError, match="an end has no value"):
        exact(np.array([NAN if s == end else 1.0 for s in range(1 << 11)]))
