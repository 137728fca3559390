"""Every variant of a block: grouped by what must be assembled, the rest as array axes of the engine, proven to be such.

A value that only feeds inputs of the model is an array axis. That is never assumed: for each combination of the other
values, assemblies at the ends of all axes must differ in nothing else. Where they do, variants are assembled singly.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from tco.analysis.fleet import engine_inputs
from tco.analysis.run import Frozen
from tco.evaluate import in_blocks, program
from tco.result import VERDICTS, FleetResult, Result
from tco.session import Scenario
from tco.sweep.columns import NOTHING, Column, Floats, Ints, Values
from tco.sweep.combination import (
    CANDIDATES,
    Combination,
    Conversion,
    conversions,
    default_of,
    feeds_of,
    moves_only,
    same_numbers,
    stale_inputs,
)
from tco.sweep.extents import Extents, corners_of, ends, groups_of
from tco.sweep.found import Found, block_of, single
from tco.sweep.searching import Searching
from tco.variants.reach import Key

Choices = Literal["stale", "search", "keep"]
REMEMBERED = 64
"""Combinations that are kept, for when the same comes again."""

Proof = Mapping[int, Mapping[tuple[Key, str], Conversion]]
"""By column: the inputs that it feeds, and how what is written becomes them."""


@dataclass
class Settler:
    """A base and the places that vary; `choices` says when a deployment is searched again."""

    base: Scenario
    columns: Sequence[Column]
    lines: Sequence[str]
    fleets: Sequence[str]
    choices: Choices = "stale"
    frozen: Frozen | None = None
    known: OrderedDict[Any, Combination] = field(default_factory=OrderedDict[Any, Combination])

    def settle(self, values: Sequence[Values], count: int, extents: Extents) -> Found:
        """The answers of so many variants."""
        found = Found.empty(count, self.fleets, self.lines)
        fixed = frozenset(at for at, one in enumerate(values) if not one.quantities())
        _Block(self, values, found, extents).settle(np.arange(count), fixed)
        return found

    def combination(self, changes: Mapping[int, Any]) -> Combination:
        """The base with these columns changed."""
        key = tuple((at, repr(raw)) for at, raw in changes.items())
        if key not in self.known:
            by_path = {self.columns[at].path: raw for at, raw in changes.items()}
            self.known[key] = Combination.of(self.base, by_path, self.frozen)
            if len(self.known) > REMEMBERED:
                self.known.popitem(last=False)
        self.known.move_to_end(key)
        return self.known[key]


@dataclass
class _Block:
    settler: Settler
    values: Sequence[Values]
    found: Found
    extents: Extents

    def settle(self, rows: Ints, fixed: frozenset[int]) -> None:
        """Fill in these variants; `fixed` columns are assembled."""
        codes = [one.identity(rows) if at in fixed else one.kind(rows) for at, one in enumerate(self.values)]
        for group in groups_of(codes, rows):
            self._group(group, fixed)

    def _group(self, rows: Ints, fixed: frozenset[int]) -> None:
        """Variants that agree in what is fixed, and in unit and sign of the rest."""
        at = int(rows[0])
        stated = [place for place, one in enumerate(self.values) if one.codes[at] != NOTHING]
        free = [place for place in stated if place not in fixed]
        changes = {place: self.values[place].raw(at) for place in stated if place in fixed}
        one = self.settler.combination(changes)
        if not free:
            self._alone(one, rows)
            return
        one = self._with_defaults(one, changes, free, at)
        if one.built is None or one.result is None or self._follows(one):
            self.settle(rows, fixed | set(free))
            return
        stuck = {place for place in free if not self._moves_alone(one, place, at)}
        if stuck:
            self.settle(rows, fixed | stuck)
            return
        proof = self._proof(one, free, [self._ends(place, at) for place in free])
        proof = proof or self._proof(one, free, [ends(self.values[place], rows) for place in free])
        if proof:
            self._together(one, one.result, rows, proof, fixed | set(free))
        elif proof is None and len(rows) > 2 ** len(free) + 2 and (halves := self._halves(rows, free)):
            for half in halves:
                self._group(half, fixed)
        else:
            self.settle(rows, fixed | set(free))

    def _follows(self, one: Combination) -> bool:
        """Whether an answer follows from more than the lines: those are runs of their own."""
        assert one.built is not None
        several = [key[0] for key, plan in one.built.plans.items() if plan.served]
        return one.follows_load or (self.settler.choices == "search" and len(set(several)) < len(several))

    def _with_defaults(self, one: Combination, changes: Mapping[int, Any], free: Sequence[int], at: int) -> Combination:
        """The same where what varies and nobody states is stated, as the default that it has: an input like others."""
        if one.built is None:
            return one
        found = dict[int, str]()
        for place in free:
            path = self.settler.columns[place].path
            key = ("default", place)
            if key not in one.proofs:
                raw = self._ends(place, at)[0][2]
                one.proofs[key] = None if one.states(path) else default_of(one, path, raw)
            if one.proofs[key]:
                found[place] = one.proofs[key]
        other = self.settler.combination({**changes, **found}) if found else one
        return other if same_numbers(one.built, other.built) else one

    def _ends(self, place: int, at: int) -> tuple[tuple[float, str, Any], ...]:
        return self.extents.of(place, int(self.values[place].kind(np.array([at]))[0]))

    def _alone(self, one: Combination, rows: Ints) -> None:
        """Variants of which nothing is left to vary."""
        result = one.result
        if result is None:
            assert one.error is not None
            told = dict.fromkeys(f"{problem.path}: {problem.text}".lstrip(": ") for problem in one.error.problems)
            self.found.refuse(rows, "; ".join(told))
            return
        kept = np.full(len(rows), self.settler.choices == "keep", float)
        self.found.put(rows, result, {}, {fleet.id: kept for fleet in result.fleets})

    def _moves_alone(self, one: Combination, place: int, at: int) -> bool:
        """Whether a column only feeds inputs, and none that a deployment was chosen for."""
        seen = False
        for number, unit, raw in self._ends(place, at):
            key = (place, number, unit)
            if key not in one.proofs:
                one.proofs[key] = self._feeds_only(one, place, raw)
            if one.proofs[key] is False:
                return False
            seen |= one.proofs[key] is True
        return seen

    def _feeds_only(self, one: Combination, place: int, raw: Any) -> bool | None:
        """None where the value is refused."""
        path = self.settler.columns[place].path
        after = one.with_changes({path: raw})
        if after is None:
            return None
        assert one.built is not None
        feeds = feeds_of(after, [path])
        for key, names in feeds[path].items():
            stale = CANDIDATES if self.settler.choices == "keep" else stale_inputs(after.plans[key])
            if set(names) & set(stale):
                return False
        return moves_only(one.built, after, feeds)

    def _proof(self, one: Combination, free: Sequence[int], spans: Sequence[Any]) -> Proof | None:
        """Conversions that hold at all corners; empty where something else moves too, None where one is refused."""
        key = ("corners", *zip(free, ((span[0][0], span[-1][0], span[0][1]) for span in spans), strict=True))
        if key not in one.proofs:
            one.proofs[key] = self._proven(one, free, spans)
        return one.proofs[key]

    def _proven(self, one: Combination, free: Sequence[int], spans: Sequence[Any]) -> Proof | None:
        assert one.built is not None
        paths = {place: self.settler.columns[place].path for place in free}
        agreed: dict[int, dict[Any, Conversion]] | None = None
        for corner in corners_of(spans):
            after = one.with_changes({paths[place]: end[2] for place, end in zip(free, corner, strict=True)})
            if after is None:
                return None
            feeds = feeds_of(after, paths.values())
            if not moves_only(one.built, after, feeds):
                return {}
            found = {
                place: dict(conversions(after, feeds[paths[place]], number, unit))
                for place, (number, unit, _) in zip(free, corner, strict=True)
            }
            if None in {how for each in found.values() for how in each.values()} or agreed not in (None, found):
                return {}
            agreed = found
        return agreed

    def _halves(self, rows: Ints, free: Sequence[int]) -> tuple[Ints, Ints] | None:
        """Two parts, apart in the column with the most values."""
        place = max(free, key=lambda one: len(np.unique(self.values[one].numbers[rows])))
        numbers = self.values[place].numbers[rows]
        distinct = np.unique(numbers)
        if len(distinct) < 2:
            return None
        low = numbers < distinct[len(distinct) // 2]
        return rows[low], rows[~low]

    def _together(self, one: Combination, result: Result, rows: Ints, proof: Proof, every: frozenset[int]) -> None:
        """Variants as array axes of the engine; one that a run would refuse is run for its words."""
        columns = dict[str, Mapping[str, Floats]]()
        kept = dict[str, Floats]()
        for fleet in result.fleets:
            arrays = self._arrays((fleet.id, fleet.precision), rows, proof)
            moving = {name: array for name, array in arrays.items() if name in fleet.inputs}
            if self.settler.choices == "search" and fleet.choices and arrays and not one.by_class(fleet.id):
                columns[fleet.id] = self._searched(one, fleet, result, rows, proof)
                continue
            if moving:
                columns[fleet.id] = self._lines(fleet, result, moving)
            if moving and self.settler.choices != "search":
                moved = [array[:, 0] != fleet.inputs[name].number for name, array in moving.items()]
                kept[fleet.id] = np.any(moved, axis=0).astype(float)
            if self.settler.choices == "keep":
                kept[fleet.id] = np.ones(len(rows))
        self.found.put(rows, result, columns, kept)
        odd = self.found.undefined(rows)
        if len(odd):
            self.settle(odd, every)

    def _searched(
        self, one: Combination, fleet: FleetResult, result: Result, rows: Ints, proof: Proof
    ) -> dict[str, Floats]:
        """Lines of a fleet whose deployment is searched for every variant."""
        assert one.built is not None
        keys = [key for key in one.built.plans if key[0] == fleet.id]
        plans = [one.built.plans[key] for key in keys]
        arrays = [self._arrays(key, rows, proof) for key in keys]
        return Searching(plans, result.timeline, self.found.lines).columns(arrays, len(rows))

    def _arrays(self, key: Key, rows: Ints, proof: Proof) -> dict[str, Floats]:
        """Inputs of a fleet in one precision that vary, as columns."""
        return {
            name: how(self.values[place].numbers[rows]).reshape(-1, 1)
            for place, each in proof.items()
            for (one, name), how in each.items()
            if one == key
        }

    def _lines(self, fleet: FleetResult, result: Result, arrays: Mapping[str, Floats]) -> dict[str, Floats]:
        flags = [flag for flag, _ in VERDICTS if flag in fleet.model.lines]
        wanted = [name for name in dict.fromkeys([*self.found.lines, *flags]) if name in fleet.model.lines]
        inputs = {**engine_inputs(fleet.inputs, result.timeline), **arrays}
        periods = result.timeline.periods
        found = in_blocks(program(fleet.model, wanted, apart=True), inputs, periods, block_of(periods))
        count = len(next(iter(arrays.values())))
        lines = fleet.model.lines
        return {
            name: np.broadcast_to(single(value, lines[name].series, periods), (count,)) for name, value in found.items()
        }
