"""From the old number of a fleet to the new one: each change with its effect, summing exactly."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tco.diff.changes import PAYMENT, Change, changes, told_value
from tco.diff.game import Shares, exact, sampled
from tco.diff.mixing import FLEET, End, Mixer, choices_of
from tco.diff.states import States, is_amount, measure
from tco.result import FleetResult
from tco.scenario.paths import Path

EXACT, EXACT_STRUCTURAL = 10, 6
"""Up to so many steps, and so many that must be assembled anew for each state, all orders are counted."""
PAIRS, ASSEMBLED = 256, 100
"""Beyond: so many orders with their reverses, fewer where states must be assembled, which may be so many."""

NEAR = 1e-12
"""What is less, of the larger end, is round-off and no effect."""
SEARCHED = "the search then chose otherwise"
REST = "what the search and its bill did not settle"
NO_END = "the fleet cannot be computed {} with only this fleet in the scenario, so that the move cannot be divided"


@dataclass(frozen=True)
class Step:
    """A bar of the bridge: the changes that are made together, and what they do."""

    label: str
    effect: float
    changes: tuple[Change, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Bridge:
    """One line of one fleet. `reason` says why there is no bridge; `method` how effects were found."""

    fleet: str
    line: str
    unit: str
    measure: str
    old: float | None
    new: float | None
    steps: tuple[Step, ...] = ()
    idle: tuple[Change, ...] = ()
    method: str = ""
    reason: str = ""

    @property
    def move(self) -> float | None:
        """New less old."""
        return None if self.old is None or self.new is None else self.new - self.old

    @property
    def stays(self) -> bool:
        """Whether both ends are known and the same, but for round-off."""
        if self.old is None or self.new is None:
            return False
        return abs(self.new - self.old) <= NEAR * max(abs(self.old), abs(self.new))


def bridged(old: End, new: End, line: str) -> Bridge:
    """The bridge of a fleet that both scenarios have."""
    numbers = [measure(end.fleet, line) for end in (old, new)]
    known = next((end.fleet for end in (new, old) if line in end.fleet.model.lines), None)
    unit = known.model.lines[line].unit_text.replace("money", new.scenario.currency) if known else ""
    told = [None if math.isnan(number) else number for number in numbers]
    head = (new.fleet.id, line, unit, _measured_as(known, line), told[0], told[1])
    if None in told:
        return Bridge(*head, reason=_missing(old.fleet, new.fleet, line))
    found = _steps(old, new)
    mixer = Mixer(old, new, list(found))
    states = States(mixer, line)
    return _Finder(states, list(found.values()), numbers[1] - numbers[0]).bridge(Bridge(*head))


def _measured_as(fleet: FleetResult | None, line: str) -> str:
    if fleet is None or not fleet.model.lines[line].series:
        return ""
    return "over the horizon" if is_amount(fleet, line) else "highest of the periods"


def _missing(old: FleetResult, new: FleetResult, line: str) -> str:
    if old.reason(line) == new.reason(line):
        return f"before and after: {old.reason(line)}"
    told = ((word, fleet.reason(line)) for word, fleet in (("before", old), ("after", new)))
    return "; ".join(f"{word}: {reason}" for word, reason in told if reason)


def _steps(old: End, new: End) -> dict[Path, list[Change]]:
    """Changes of value by the step that makes them; those of the scenario first, in its order."""
    shared = [one for one in changes(old.scenario, new.scenario) if one.path[0] not in ("fleets", "title", "pin")]
    pins = [one for one in changes(old.scenario, new.scenario) if one.path[0] == "pin"]
    found = dict[Path, list[Change]]()
    for prefix, items in (((), shared), (FLEET, changes(old.stated, new.stated)), ((), pins)):
        for change in items:
            if change.kind != "story" and change.path != ("name",):
                found.setdefault((*prefix, *change.step), []).append(change)
    return found


@dataclass
class _Finder:
    """The game of one fleet: its steps as players, and the choice of the search."""

    states: States
    changes: list[list[Change]]
    move: float

    def bridge(self, empty: Bridge) -> Bridge:
        """The bridge whose ends are known."""
        states, chosen = self.states, self._chosen()
        ends = states.values([0, (1 << len(states.steps)) - 1])
        last = bool(chosen) and math.isfinite(ends[1])
        if chosen and not last:
            ends[1] = states.values([(1 << len(states.steps)) - 1], chosen=True)[0]
        if lost := [word for word, end in zip(("before", "after"), ends, strict=True) if not math.isfinite(end)]:
            return replace(empty, reason=NO_END.format(" and ".join(lost)))
        shares = self._shares(with_choice=bool(chosen) and not last)
        steps = [self._step(group, effect, chosen) for group, effect in zip(shares.groups, shares.effects, strict=True)]
        scale = max(abs(empty.old or 0.0), abs(empty.new or 0.0))
        rest = self.move - sum(step.effect for step in steps)
        if last or abs(rest) > NEAR * scale:
            steps.append(Step(SEARCHED if chosen else REST, rest, note=chosen))
        idle = [one for place, many in enumerate(self.changes) if states.idle >> place & 1 for one in many]
        idle += [one for step in steps if abs(step.effect) <= NEAR * scale for one in step.changes]
        told = sorted((one for one in steps if abs(one.effect) > NEAR * scale), key=lambda step: -abs(step.effect))
        return replace(empty, steps=tuple(told), idle=tuple(idle), method=_method(shares, chosen, last) if told else "")

    def _chosen(self) -> str:
        """What the search chose otherwise, in words; empty where nothing."""
        mixer = self.states.mixer
        kept = mixer.at((1 << len(mixer.steps)) - 1)
        before = choices_of(kept.fleet) if kept else choices_of(mixer.old.fleet)
        after = choices_of(mixer.new.fleet)
        told = [
            f"{name} {before[name]:g} -> {after[name]:g}"
            for name in after
            if name in before and before[name] != after[name]
        ]
        return ", ".join(told)

    def _shares(self, *, with_choice: bool) -> Shares:
        states, count = self.states, len(self.states.steps)
        players = count + with_choice

        def value(asked: Sequence[int]) -> list[float]:
            held = dict[int, float]()
            for chosen in (False, True):
                mine = [state for state in asked if bool(with_choice and state >> count & 1) == chosen]
                held |= zip(mine, states.values([state & ((1 << count) - 1) for state in mine], chosen), strict=True)
            return [held[state] for state in asked]

        structural = len(states.structural) + with_choice
        if players <= EXACT and structural <= EXACT_STRUCTURAL:
            return exact(np.array(value(range(1 << players))))
        cheap = structural <= EXACT_STRUCTURAL and states.in_blocks(with_choice=with_choice)
        pairs = PAIRS if cheap else max(1, ASSEMBLED // (2 * players))
        return sampled(players, value, pairs)

    def _step(self, group: tuple[int, ...], effect: float, chosen: str) -> Step:
        count = len(self.states.steps)
        places = [self.states.steps[player] for player in group if player < count]
        found = [one for place in places for one in self.changes[place]]
        told = [named(self.states.mixer.steps[place], self.changes[place]) for place in places]
        searched = any(player >= count for player in group)
        told += [SEARCHED] if searched else []
        return Step(" with ".join(told), effect, tuple(found), chosen if searched else "")


def named(step: Path, found: list[Change]) -> str:
    """A step as people read it."""
    words = [str(part) for part in step[step[:1] == FLEET :]]
    if step in (PAYMENT, (*FLEET, *PAYMENT)):
        return f"payment: {found[0].old} -> {found[0].new}"
    if step[:2] == ("quotes", "award"):
        told = next((told_value(one) for one in found if one.path[-1] == "to"), None)
        return f"award of {step[2]}: {told[0]} -> {told[1]}" if told else f"award of {step[2]}"
    return ".".join(words)


def _method(shares: Shares, chosen: str, last: bool) -> str:
    """How the effects were found, in a sentence."""
    parts = [_orders(shares)]
    if any(len(group) > 1 for group in shares.groups):
        parts.append("what cannot be made one after the other is one bar")
    if last:
        parts.append("choices kept as they were, the search's own bar comes last")
    elif chosen:
        parts.append("the old choices cannot run in the end, so that the search's are one of the changes")
    return "; ".join(parts)


def _orders(shares: Shares) -> str:
    """Over which orders an effect is the mean."""
    count = len(shares.groups)
    if count == 1:
        return "no order was found in which the fleet can run at every step" if shares.sampled else "one change"
    if shares.sampled:
        return f"mean over {shares.orders:,.0f} of the orders of {count} changes (file order, its reverse, random ones)"
    if shares.orders == shares.possible:
        return f"mean over all {shares.possible:,.0f} orders of {count} changes (Shapley)"
    told = f"the {shares.orders:,.0f} of {shares.possible:,.0f} orders of {count} changes"
    return f"mean over {told} in which the fleet can run at every step"
