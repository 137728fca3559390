"""Which lines take part: admitted by name, left out with a reason, or short of inputs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from tco.declare import Chapter, Given, Line, Shape
from tco.errors import ModelError, UnitError, did_you_mean
from tco.units import unit

RESERVED = ("parts", "choice")

_PRINTED = """
    np almost_one spread lag lag_by back joined window_total window_highest cumulative_within tiered by_age evaluate
    erlang inputs periods t row last lastHighest within sum sumProduct steps byAge Math
    arguments case catch const debugger default delete do enum eval export extends false function implements
    instanceof interface let new null package private protected public static super switch this throw true typeof
    undefined var void
"""
WORDS_OF_PRINTERS = frozenset(_PRINTED.split())
"""Names with a meaning in the printed source; as the name of a line they would hide it."""


class Scope:
    """Lines and inputs of a model. `absent` says why a line is not here; `mistakes` are (place, text)."""

    def __init__(
        self,
        chapters: Sequence[Chapter],
        available: Mapping[str, Shape],
        results: Iterable[str],
        choices: Mapping[str, str],
        pins: Mapping[str, Shape],
        extra: Sequence[Line],
        elsewhere: Iterable[str],
    ) -> None:
        self.mistakes: list[tuple[str, str]] = []
        self.chapters = {item.name: item.title for item in chapters}
        self.givens: dict[str, Given] = {}
        self.lines: dict[str, Line] = {}
        self.choices, self.pins, self.results = dict(choices), dict(pins), list(results)
        self.declared: dict[str, Given | Line] = {}
        self.elsewhere = set(elsewhere)
        self.available = {**available, **{f"{name}_pinned": shape for name, shape in pins.items()}}
        self.absent: dict[str, str] = {}
        self.missing: dict[str, list[str]] = {}
        for name, item in _declared(chapters, extra):
            self._admit(name, item)
        self._check_names()
        self._leave_out()
        self._find_missing()
        self._leave_out(everything=True)

    def mistake(self, item: Given | Line, text: str) -> None:
        """Note one thing wrong in a line or an input."""
        self.mistakes.append((item.place, f"{item.name}: {text}"))

    def report(self) -> None:
        """Raise every mistake found so far, by file and line; where inputs are missing, those are what is told.

        Lines that are left out for want of an input may leave others without a part that makes them a series.
        """
        if self.mistakes and not self.missing:
            raise ModelError([f"{place}  {text}" for place, text in sorted(self.mistakes, key=_by_place)])

    def parts(self, name: str) -> list[str]:
        """Lines that belong to a subtotal."""
        return [item.name for item in self.lines.values() if name in item.part_of]

    def alternatives(self, name: str) -> list[str]:
        """Lines that are one way to compute a line."""
        return [item.name for item in self.lines.values() if item.choice_of == name]

    def parents(self, name: str) -> list[str]:
        """What a line reads, by its parameters."""
        found: list[str] = []
        for parameter in self.lines[name].parameters:
            if parameter == "parts":
                found += self.parts(name)
            elif parameter == "choice":
                found += self.alternatives(name)
            else:
                found.append(parameter)
        return found

    def reachable(self, *, pinned: bool = True) -> list[str]:
        """The results and what they are computed from; a pinned line is computed from nothing."""
        reached: dict[str, None] = {}
        queue = [name for name in self.results or self.lines if name in self.lines]
        while queue:
            name = queue.pop(0)
            if name in reached or name not in self.lines:
                continue
            reached[name] = None
            if not (pinned and name in self.pins):
                queue.extend(self.parents(name))
        return list(reached)

    def is_wide(self, name: str) -> bool:
        """Whether an input is a series: because it is declared as one, or because it is given as one."""
        return "series" in (self.givens[name].shape, self.available.get(name))

    # --- names ---

    def _admit(self, name: str, item: Given | Line) -> None:
        if name in self.declared:
            self.mistake(item, "this name is taken already; names are unique in the whole model")
            return
        self.declared[name] = item
        if isinstance(item, Line) and item.shadows:
            self.mistake(item, f"this name is taken already at {item.shadows}; names are unique in the whole model")
        if name in WORDS_OF_PRINTERS or name in RESERVED:
            self.mistake(item, "this name has a meaning in printed lines; choose another")
        try:
            unit(item.unit)
            unit(item.from_unit if isinstance(item, Given) else "")
        except UnitError as error:
            self.mistake(item, str(error))
            return
        if isinstance(item, Given):
            self.givens[name] = item
        elif not item.choice_of or self.choices.get(item.choice_of, name) == name:
            self.lines[name] = item
        else:
            self.absent[name] = f"{self.choices[item.choice_of]} is chosen instead"

    def _check_names(self) -> None:
        for item in self.declared.values():
            if isinstance(item, Line):
                for name in item.part_of:
                    self._check_reader(item, "part_of", name, "parts")
                if item.choice_of:
                    self._check_reader(item, "choice_of", item.choice_of, "choice")
        for name in self.pins:
            if name not in self.lines:
                self.mistakes.append(
                    ("pin", f"{name}: this is not a line of the fleet{did_you_mean(name, self.lines)}")
                )
        ways_of: dict[str, list[str]] = {}
        for key, item in self.declared.items():
            if isinstance(item, Line):
                ways_of.setdefault(item.choice_of, []).append(key)
        for name, chosen in self.choices.items():
            ways = ways_of.get(name)
            if ways and chosen not in ways:
                hint = f"{did_you_mean(chosen, ways)}; its ways are {', '.join(ways)}"
                self.mistakes.append(("choice", f"{name}: `{chosen}` is not a way to compute it{hint}"))

    def _check_reader(self, item: Line, role: str, name: str, parameter: str) -> None:
        """Whoever is a part or a way of another line must be read there."""
        target = self.declared.get(name)
        if isinstance(target, Line):
            if parameter not in target.parameters:
                self.mistake(item, f"{role} `{name}`, which does not ask for `{parameter}`")
        elif name not in self.elsewhere:
            self.mistake(item, f"{role} `{name}`, which is not a line{did_you_mean(name, self.declared)}")

    # --- which lines take part ---

    def _leave_out(self, *, everything: bool = False) -> None:
        """Leave out lines whose optional inputs are not given, or any inputs, and what hangs on them."""
        changed = True
        while changed:
            changed = False
            for name, item in list(self.lines.items()):
                reason = "" if name in self.pins else self._reason(item, everything)
                if reason:
                    self.absent[name] = reason
                    del self.lines[name]
                    changed = True

    def _reason(self, item: Line, everything: bool) -> str:
        for parameter in item.parameters:
            entry = self.givens.get(parameter)
            if parameter == "parts" and not self.parts(item.name):
                return "nothing belongs to it here"
            if parameter == "choice" and not self.alternatives(item.name):
                return "no way to compute it is in scope"
            if entry and parameter not in self.available and (entry.scope or everything):
                return f"no {entry.scope} is given" if entry.scope else f"`{parameter}` is not given"
            if parameter in self.absent:
                reason = self.absent[parameter]
                return reason if "(" in reason else f"{reason} (needs {parameter})"
            if parameter in self.elsewhere and parameter not in self.declared:
                return f"`{parameter}` is not part of this fleet"
        return ""

    def _find_missing(self) -> None:
        """Inputs without which a result cannot be computed, with the lines that ask."""
        for name in self.reachable():
            for parameter in () if name in self.pins else self.lines[name].parameters:
                if parameter in self.givens and parameter not in self.available:
                    self.missing.setdefault(parameter, []).append(name)


def _declared(chapters: Sequence[Chapter], extra: Sequence[Line]) -> Iterator[tuple[str, Given | Line]]:
    """Everything in reading order; a generated line takes the place of the input of its name."""
    generated = {item.name for item in extra}
    for part in chapters:
        yield from ((name, item) for name, item in part.givens.items() if name not in generated)
        yield from part.lines.items()
    yield from ((item.name, item) for item in extra)


def _by_place(mistake: tuple[str, str]) -> tuple[str, int, str]:
    place, text = mistake
    file, _, number = place.rpartition(":")
    return (file, int(number), text) if number.isdigit() else (place, 0, text)
