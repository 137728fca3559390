"""The values of many half-changed states: where each input belongs to one step, as one block through the lines."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from tco.diff.mixing import Made, Mixer, same
from tco.evaluate import Value, in_blocks, program
from tco.result import CATEGORIES, HEADLINES, NULLING, VERDICTS, FleetResult

LIMITED = (("gpus_per_replica", "gpus_per_system"), ("concurrency", "batch_limit"))
"""Choices with the input that bounds them."""
NONE = float("nan")


def is_amount(fleet: FleetResult, line: str) -> bool:
    """Whether the periods of a line add up; others are told at their highest."""
    from tco.workbook.calc import adds_up

    return fleet.model.lines[line].series and adds_up(fleet.model.lines[line], fleet)


def measure(fleet: FleetResult | None, line: str) -> float:
    """The line as one number; nan where it has none."""
    value = None if fleet is None else fleet.shown(line)
    if fleet is None or value is None:
        return NONE
    row = np.atleast_1d(np.asarray(value, dtype=np.float64))
    return float(row.sum() if is_amount(fleet, line) else row.max())


@dataclass
class States:
    """A fleet between two ends: which steps matter, which only set inputs of their own, and the value of any state.

    `steps` matter, `idle` (bits) change nothing and are always made, `owned` holds the inputs of plain steps.
    """

    mixer: Mixer
    line: str
    steps: list[int] = field(init=False)
    idle: int = field(init=False)
    owned: dict[int, set[str]] = field(init=False)

    def __post_init__(self) -> None:
        every = range(len(self.mixer.steps))
        moved = self._alone() or {step: self._moved(step) for step in every}
        self.steps = [step for step in every if moved[step] != set()]
        self.idle = sum(1 << step for step in every if step not in self.steps)
        names = [name for found in moved.values() for name in found or ()]
        self.owned = {
            step: found
            for step in self.steps
            if (found := moved[step]) and all(names.count(name) == 1 for name in found)
        }

    @property
    def structural(self) -> list[int]:
        """Steps that change more than inputs of their own: each state of these is assembled by itself."""
        return [step for step in self.steps if step not in self.owned]

    def _alone(self) -> dict[int, set[str] | None] | None:
        """The inputs of each step, where one change at a time explains all that differs between the ends."""
        every = range(len(self.mixer.steps))
        first, last = self.mixer.at(0), self.mixer.at((1 << len(every)) - 1)
        if first is None or last is None or first.text != last.text:
            return None
        found = dict[int, set[str] | None]()
        for step in every:
            up = self.mixer.at(1 << step)
            if up is None or up.text != first.text:
                return None
            found[step] = first.differing(up)
            if not _sets(first, up, last, found[step] or set()):
                return None
        names = [name for moved in found.values() for name in moved or ()]
        return found if len(names) == len(set(names)) and set(names) == first.differing(last) else None

    def _moved(self, step: int) -> set[str] | None:
        """The inputs that a step sets, whatever else is done; None where it does more than that."""
        one, full = 1 << step, (1 << len(self.mixer.steps)) - 1
        first, up, down, last = (self.mixer.at(state) for state in (0, one, full ^ one, full))
        if first is None or up is None or down is None or last is None:
            return None
        moved = first.differing(up)
        if first.text != up.text or down.text != last.text or moved != down.differing(last):
            return None
        if not moved:
            return set()
        plain = first.text == last.text and _sets(first, up, last, moved) and _sets(last, down, first, moved)
        return moved if plain else None

    def values(self, states: Sequence[int], chosen: bool = False) -> list[float]:
        """The value of each state (bits by place in `steps`); idle steps are made too."""
        spread = [self.spread(state) for state in states]
        mask, blocks = sum(1 << step for step in self.structural), dict[int, list[int]]()
        for state in dict.fromkeys(spread):
            blocks.setdefault(state & mask, []).append(state)
        held = {
            state: value
            for block in blocks.values()
            for state, value in zip(block, self._block(block, chosen), strict=True)
        }
        return [held[state] for state in spread]

    def spread(self, state: int) -> int:
        """A state of the steps that matter as one of all steps."""
        return self.idle | sum(1 << step for place, step in enumerate(self.steps) if state >> place & 1)

    def _block(self, block: list[int], chosen: bool) -> list[float]:
        """States that differ in plain steps only: together, where these set their own inputs here too."""
        ends = self._ends(block[0], chosen) if len(block) > 2 else None
        if ends:
            return self._together(*ends, block)
        made = (self.mixer.at(state, chosen) for state in block)
        return [measure(one.fleet if one else None, self.line) for one in made]

    def _ends(self, state: int, chosen: bool) -> tuple[Made, Made] | None:
        """The state with no plain step made and with all, where nothing else differs between them."""
        plain = sum(1 << step for step in self.owned)
        one, other = (self.mixer.at(end, chosen) for end in (state & ~plain, state | plain))
        names = {name for found in self.owned.values() for name in found}
        good = one and other and one.text == other.text and one.differing(other) == names
        return (one, other) if one and other and good else None

    def in_blocks(self, *, with_choice: bool) -> bool:
        """Whether every state can be computed with others: then many cost little."""
        places = [place for place, step in enumerate(self.steps) if step not in self.owned]
        states = (sum(1 << place for place in group) for group in _subsets(places))
        spread = [self.spread(state) for state in states]
        return all(self._ends(state, chosen) for chosen in {False, with_choice} for state in spread)

    def _together(self, one: Made, other: Made, block: list[int]) -> list[float]:
        states = np.array([[state >> step & 1 for step in self.owned] for state in block], dtype=bool)
        columns: dict[str, Value] = {
            name: np.where(states[:, [place]], other.inputs[name], one.inputs[name])
            for place, names in enumerate(self.owned.values())
            for name in names
        }
        return _measured(one, {**one.inputs, **columns}, len(block), self.line)


def _subsets(places: Sequence[int]) -> Iterator[tuple[int, ...]]:
    return itertools.chain.from_iterable(itertools.combinations(places, size) for size in range(len(places) + 1))


def _sets(first: Made, moved: Made, last: Made, names: set[str]) -> bool:
    """Whether inputs (no tables) have moved to what they are at the last, in the same form."""
    return all(
        not isinstance(first.inputs.get(name), tuple)
        and np.shape(first.inputs[name]) == np.shape(last.inputs[name])
        and same(moved.inputs[name], last.inputs[name])
        for name in names
        if name in first.inputs and name in last.inputs
    ) and names <= {*first.inputs} & {*last.inputs}


def _measured(made: Made, inputs: Mapping[str, Value], count: int, line: str) -> list[float]:
    """The line for a block of inputs; nan where the fleet could not run."""
    model = made.fleet.model
    if line not in model.lines:
        return [NONE] * count
    nulling = [name for name, verdict in VERDICTS if verdict in NULLING and name in model.lines]
    flags = nulling if line in (*CATEGORIES, *HEADLINES) else []
    found = in_blocks(program(model, tuple(dict.fromkeys((line, *flags)))), inputs, made.timeline.periods)
    rows = {name: np.broadcast_to(value, (count, value.shape[-1])) for name, value in found.items()}
    good = np.isfinite(rows[line]).all(-1)
    for name in flags:
        good &= rows[name].min(-1) > 0
    for name, most in LIMITED:
        if name in inputs and most in inputs:
            good &= np.all(np.asarray(inputs[name]) <= np.asarray(inputs[most]), axis=-1)
    value = rows[line].sum(-1) if is_amount(made.fleet, line) else rows[line].max(-1)
    return np.where(good, value, NONE).tolist()
