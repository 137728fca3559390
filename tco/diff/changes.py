"""What differs between two scenarios, leaf by leaf, units converted; and which changes can only be made together."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, cast

from tco.errors import UnitError
from tco.figures import Figure
from tco.scenario.fields import Section
from tco.scenario.paths import Path
from tco.scenario.quote_schema import Award
from tco.scenario.schema import Depreciation, Fleet, Measured, Speculation, Timeline
from tco.scenario.tariff_schema import Meter, Ratchet, Tariff
from tco.units import convert

Kind = Literal["value", "words", "story"]
NEAR = 1e-12

WHOLE: tuple[type[Section], ...] = (Timeline, Depreciation, Measured, Speculation, Tariff, Meter, Ratchet, Award)
"""Sections whose keys hang together: a change of several is one step."""

WAYS = ("buy", "lease", "rent", "api")
PAYMENT: Path = ("payment",)
"""The step that exchanges the way to pay, with the hardware behind it."""


@dataclass(frozen=True)
class Change:
    """One leaf: `step` is what is exchanged to make the change. `story` changes source, date or range, no value."""

    path: Path
    step: Path
    kind: Kind
    old: Any
    new: Any

    @property
    def share(self) -> float | None:
        """The move as a share of the old value, where both are single numbers."""
        one, other = self.old, self.new
        if self.kind != "value" or not isinstance(one, Figure) or not isinstance(other, Figure):
            return None
        if not (one.is_one and other.is_one and one.number):
            return None
        try:
            return (other.to(one.unit).number - one.number) / abs(one.number)
        except UnitError:
            return None


def changes(old: Section, new: Section) -> list[Change]:
    """Every leaf that differs, in the order of the schema."""
    if isinstance(old, Fleet) and isinstance(new, Fleet) and _way(old) != _way(new):
        fields = [name for name in type(old).model_fields if name not in WAYS]
        return [*_payment(old, new), *_fields(old, new, fields, (), ())]
    return list(_fields(old, new, list(type(old).model_fields), (), ()))


def _way(fleet: Fleet) -> str:
    return next((name for name in WAYS if getattr(fleet, name) is not None), "")


def _payment(old: Fleet, new: Fleet) -> Iterator[Change]:
    yield Change(PAYMENT, PAYMENT, "words", _way(old), _way(new))
    yield from _fields(old, new, list(WAYS), (), PAYMENT)


def _fields(old: Section | None, new: Section | None, names: list[str], path: Path, step: Path) -> Iterator[Change]:
    for name in names:
        pair = (getattr(old, name, None), getattr(new, name, None))
        present = old if new is None else new if old is None else None
        if present is None or name in present.model_fields_set:
            yield from _between(*pair, (*path, name), step)


def _between(old: Any, new: Any, path: Path, step: Path) -> Iterator[Change]:
    if isinstance(old, Section) or isinstance(new, Section):
        kind = cast("type[Section]", type(old if isinstance(old, Section) else new))
        whole = kind in WHOLE or ((old is None or new is None) and not may_be_empty(kind)) or _otherwise(kind, old, new)
        yield from _fields(old, new, list(kind.model_fields), path, step or (path if whole else ()))
    elif isinstance(old, Figure) or isinstance(new, Figure):
        kind = _kind(old, new)
        if kind:
            yield Change(path, step or path, kind, old, new)
    elif isinstance(old, dict) or isinstance(new, dict):
        one, other = cast("dict[str, Any]", old or {}), cast("dict[str, Any]", new or {})
        for key in dict.fromkeys((*one, *other)):
            yield from _between(one.get(key), other.get(key), (*path, key), step)
    elif _listed(old) or _listed(new):
        yield from _items(old or (), new or (), path, step or path)
    elif old != new:
        yield Change(path, step or path, "words", old, new)


def _otherwise(kind: type[Section], old: Any, new: Any) -> bool:
    """Whether two sections state different keys of those that exclude each other."""
    groups = [[(getattr(one, key, None) is None) for one in (old, new)] for group in kind.one_of for key in group]
    return old is not None and new is not None and any(first != second for first, second in groups)


def _listed(value: Any) -> bool:
    return isinstance(value, tuple) and any(isinstance(item, Section) for item in cast("tuple[Any, ...]", value))


def _items(old: tuple[Any, ...], new: tuple[Any, ...], path: Path, step: Path) -> Iterator[Change]:
    """Items of a list: by name where they have one, else by place; the list is exchanged whole."""
    one, other = ({getattr(item, "name", place): item for place, item in enumerate(items)} for items in (old, new))
    for key in dict.fromkeys((*one, *other)):
        yield from _between(one.get(key), other.get(key), (*path, key), step)


def may_be_empty(kind: type[Section]) -> bool:
    """Whether a section without any key means the same as no section."""
    return not kind.one_of and not any(info.is_required() for info in kind.model_fields.values())


def _kind(old: Figure | None, new: Figure | None) -> Kind | None:
    if old is None or new is None or not same_amount(old, new):
        return "value"
    return None if _story(old) == _story(new) and _range(old, new) else "story"


def _story(figure: Figure) -> tuple[str, ...]:
    return figure.as_of, figure.source, figure.status, figure.note, figure.valid_until


def _range(old: Figure, new: Figure) -> bool:
    pairs = ((old.low, new.low), (old.high, new.high))
    return all(
        one is other or (one is not None and other is not None and _near(one, convert(other, new.unit, old.unit)))
        for one, other in pairs
    )


def same_amount(old: Figure, new: Figure) -> bool:
    """Whether two figures say the same number, series or table, whatever their units."""
    try:
        new = new.to(old.unit)
        one, other = _numbers(old, old.from_unit), _numbers(new, old.from_unit)
    except UnitError:
        return False
    return (old.is_one, old.is_table) == (new.is_one, new.is_table) and len(one) == len(other) and all(
        map(_near, one, other)
    )  # fmt: skip


def _numbers(figure: Figure, from_unit: str) -> list[float]:
    if figure.is_table:
        return [
            number for start, value in figure.rows for number in (convert(start, figure.from_unit, from_unit), value)
        ]
    return [figure.number] if figure.is_one else list(figure.series)


def _near(one: float, other: float) -> bool:
    return abs(one - other) <= NEAR * max(abs(one), abs(other))


def told_value(change: Change) -> tuple[str, str]:
    """Both values with their units, the new one in the unit of the old where it can be."""
    old, new = change.old, change.new
    if isinstance(old, Figure) and isinstance(new, Figure):
        with contextlib.suppress(UnitError):
            new = new.to(old.unit)
    return _told(old), _told(new)


def _told(value: Any) -> str:
    if value is None:
        return "not stated"
    if not isinstance(value, Figure):
        return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)  # pyright: ignore
    if value.is_table:
        rows = ", ".join(f"{start:g}: {number:,.10g}" for start, number in value.rows)
        return f"{rows} {value.unit} (from, in {value.from_unit or 'plain numbers'})"
    numbers = [value.number] if value.is_one else value.series
    return f"{', '.join(f'{number:,.10g}' for number in numbers)} {value.unit}".strip()


def taken(figure: Figure, currency: str) -> str:
    """A figure of the model's own, with its origin."""
    return f"{_told(replace(figure, unit=figure.unit.replace('money', currency)))}, {figure.origin}"


def told_story(change: Change) -> tuple[str, str]:
    """What is told otherwise on each side: only what differs."""
    if not isinstance(change.old, Figure) or not isinstance(change.new, Figure):
        return told_value(change)
    keys = ("as_of", "source", "status", "low", "high", "note", "valid_until")
    pairs = [(key, getattr(change.old, key), getattr(change.new, key)) for key in keys]
    differing = [(key, old, new) for key, old, new in pairs if old != new]
    sides = ([f"{key} {pair[side] or 'none'}" for key, *pair in differing] for side in (0, 1))
    old, new = ("; ".join(parts) for parts in sides)
    return old, new
