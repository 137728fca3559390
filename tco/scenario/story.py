"""From what stands at a leaf (text, number, mapping with a story, list, table) to a Figure."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any, TypeVar, cast

from tco.errors import did_you_mean
from tco.figures import STATUSES, Figure, Status
from tco.scenario.leaf import Complaint, Leaf, Unfit, read_quantity
from tco.scenario.paths import Path
from tco.scenario.ranges import PARTS, is_distribution, is_range, read_distribution, read_range
from tco.scenario.scalars import is_scalar, shown, written
from tco.units import Quantity, convert

TELLING = ("as_of", "source", "status", "note", "valid_until")
KEYS = ("value", "low", "high", *TELLING)
MAXIMUM_TEXT = 1_000
MAXIMUM_ROWS = 1_000

_T = TypeVar("_T")


def read_figure(leaf: Leaf, raw: Any) -> Figure:
    """The figure at a leaf. Raises Unfit with everything that is wrong with it."""
    if isinstance(raw, dict):
        return _with_story(leaf, cast("dict[str, Any]", raw))
    return _amount(leaf, raw, ())


def _with_story(leaf: Leaf, raw: dict[str, Any]) -> Figure:
    notes = _Notes()
    columns = leaf.columns if leaf.table_from is not None else ()
    spread = leaf.single and is_distribution(raw)
    known = (*PARTS, *TELLING) if spread else (*(KEYS if leaf.single or leaf.series else TELLING), *columns)
    for key in raw:
        if key not in known:
            notes.add(f"{shown(key)} is not known here{_advice(key, known)}", (key,), key=True)
    amount = notes.of(lambda: read_distribution(leaf, raw) if spread else _told_amount(leaf, raw, columns))
    low, high = (notes.of(lambda key=key: _end(leaf, raw, key, amount)) for key in ("low", "high"))
    _in_order(raw, amount, low, high, notes)
    texts = {key: notes.of(lambda key=key: _telling(raw, key)) or "" for key in TELLING}
    if texts["as_of"] and texts["valid_until"] and texts["valid_until"] < texts["as_of"][: len(texts["valid_until"])]:
        notes.add("lies before `as_of`", ("valid_until",))
    notes.stop()
    assert amount is not None
    status = cast("Status", texts.pop("status") or "estimate")
    texts["source"] = texts["source"] or "scenario"
    texts["note"] = "; ".join(filter(None, (amount.note, texts["note"])))
    return replace(amount, low=low, high=high, status=status, **texts)


def _told_amount(leaf: Leaf, raw: dict[str, Any], columns: tuple[str, ...]) -> Figure:
    """The value of a mapping with a story, without the story."""
    if any(column in raw for column in columns):
        return _table(leaf, raw)
    if "value" in raw:
        return _amount(leaf, raw["value"], ("value",))
    wanted = ("value",) if leaf.single or leaf.series else columns
    verb = "is" if len(wanted) == 1 else "are"
    raise Unfit(Complaint(f"{' and '.join(f'`{name}`' for name in wanted)} {verb} missing; wanted {leaf.wanted()}"))


class _Notes:
    """Complaints collected over the parts of one story."""

    def __init__(self) -> None:
        self.complaints: list[Complaint] = []

    def add(self, text: str, path: Path = (), key: bool = False) -> None:
        self.complaints.append(Complaint(text, path, key))

    def of(self, part: Callable[[], _T]) -> _T | None:
        try:
            return part()
        except Unfit as unfit:
            self.complaints += unfit.complaints
            return None

    def stop(self) -> None:
        if self.complaints:
            raise Unfit(*self.complaints)


def _at(path: Path, part: Callable[[], _T]) -> _T:
    """The part, with its complaints moved below `path`."""
    try:
        return part()
    except Unfit as unfit:
        raise Unfit(*(one._replace(path=(*path, *one.path)) for one in unfit.complaints)) from None


def _amount(leaf: Leaf, raw: Any, path: Path) -> Figure:
    if _is_list(raw) and leaf.series:
        numbers = _column(leaf, raw, path)
        return Figure(tuple(one.value for one in numbers), numbers[0].unit, source="scenario")
    if not leaf.single:
        wanted = "a list, one value a period" if leaf.series else f"a table with `{'` and `'.join(leaf.columns)}`"
        raise Unfit(Complaint(f"read {shown(raw)}; wanted {wanted}", path))
    if is_range(raw):
        return _at(path, lambda: read_range(leaf, raw))
    found = _at(path, lambda: read_quantity(leaf, raw))
    return Figure(found.value, found.unit, source="scenario")


def _is_list(raw: Any) -> bool:
    return isinstance(raw, list)


def _column(leaf: Leaf, raw: Any, path: Path) -> list[Quantity]:
    """Quantities of a list, all in the unit of the first."""
    if not _is_list(raw) or not 0 < len(raw) <= MAXIMUM_ROWS:
        raise Unfit(Complaint(f"read {shown(raw)}; wanted a list of 1 to {MAXIMUM_ROWS} values", path))
    notes = _Notes()
    read: list[Quantity] = []
    for index, one in enumerate(raw):
        found = notes.of(lambda index=index, one=one: _at((*path, index), lambda: read_quantity(leaf, one)))
        read += [found] if found else []
    notes.stop()
    first = read[0].unit
    return [one if one.unit == first else _same_unit(one, first, (*path, index)) for index, one in enumerate(read)]


def _same_unit(found: Quantity, first: str, path: Path) -> Quantity:
    try:
        return Quantity(convert(found.value, found.unit, first), first)
    except Exception:
        raise Unfit(Complaint(f"is in {found.unit}, the first value in {first}; use one unit", path)) from None


def _table(leaf: Leaf, raw: dict[str, Any]) -> Figure:
    after, share = leaf.columns
    notes = _Notes()
    start = Leaf(leaf.table_from, minimum=0)
    froms = notes.of(lambda: _column(start, raw.get(after), (after,) if after in raw else ()))
    values = notes.of(lambda: _column(leaf, raw.get(share), (share,) if share in raw else ()))
    if froms and values and len(froms) != len(values):
        notes.add(f"`{after}` has {len(froms)} values and `{share}` has {len(values)}; give as many of each", (share,))
    if froms and any(later.value <= one.value for one, later in itertools.pairwise(froms)):
        notes.add(f"`{after}` must rise from each value to the next", (after,))
    for key in ("value", "low", "high"):
        if key in raw:
            notes.add(f"`{key}` cannot stand beside `{after}` and `{share}`", (key,), key=True)
    notes.stop()
    assert froms
    assert values
    rows = tuple((one.value, other.value) for one, other in zip(froms, values, strict=True))
    return Figure(rows, values[0].unit, source="scenario", from_unit=froms[0].unit)


def _end(leaf: Leaf, raw: dict[str, Any], key: str, amount: Figure | None) -> float | None:
    """`low` or `high` in the unit of the value."""
    if amount is not None and amount.spread:
        if key in raw and not is_distribution(raw):
            raise Unfit(Complaint(f"`{key}` cannot stand beside a range", (key,), key=True))
        return amount.low if key == "low" else amount.high
    if key not in raw or amount is None or amount.from_unit:
        return None
    if isinstance(amount.value, tuple):
        raise Unfit(Complaint(f"`{key}` cannot stand beside a list of values", (key,), key=True))
    found = _at((key,), lambda: read_quantity(leaf, raw[key], inherit=amount.unit))
    percent_or_part = "%" in amount.unit and not isinstance(raw[key], str) and 0 < found.value <= 1
    if key == "low" and percent_or_part and 100 * found.value <= amount.value:
        text = f"`{written(raw[key])}` may be {100 * found.value:g} % or {found.value:g} %; write the `%`"
        raise Unfit(Complaint(text, (key,)))
    return _same_unit(found, amount.unit, (key,)).value


def _in_order(raw: dict[str, Any], amount: Figure | None, low: float | None, high: float | None, notes: _Notes) -> None:
    if amount is None or amount.spread or isinstance(amount.value, tuple):
        return
    if low is not None and low > amount.value:
        notes.add(f"{shown(raw['low'])} is above the value {shown(raw['value'])}", ("low",))
    if high is not None and high < amount.value:
        notes.add(f"{shown(raw['high'])} is below the value {shown(raw['value'])}", ("high",))


def _telling(raw: dict[str, Any], key: str) -> str:
    if key not in raw:
        return ""
    value = raw[key]
    if not is_scalar(value):
        raise Unfit(Complaint(f"read {shown(value)}; wanted text", (key,)))
    text = written(value).strip()
    if key in ("as_of", "valid_until"):
        return _at((key,), lambda: read_date(text))
    if key == "status" and text not in STATUSES:
        wanted = _advice(text, STATUSES)
        raise Unfit(Complaint(f"{shown(text)} is not a status{wanted}", (key,)))
    if len(text) > MAXIMUM_TEXT:
        raise Unfit(Complaint(f"has {len(text)} characters; at most {MAXIMUM_TEXT}", (key,)))
    return text


def _advice(word: str, known: tuple[str, ...]) -> str:
    return did_you_mean(word, known) or f"; known are {', '.join(f'`{name}`' for name in known)}"


def read_date(text: str, wanted: str = "a date such as 2026-11-01, 2026-11 or 2026") -> str:
    """A date as YYYY, YYYY-MM or YYYY-MM-DD that exists. Raises Unfit."""
    match = re.fullmatch(r"([0-9]{4})(?:-([0-9]{2}))?(?:-([0-9]{2}))?", text)
    try:
        if not match:
            raise ValueError
        date(int(match[1]), int(match[2] or 1), int(match[3] or 1))
    except ValueError:
        raise Unfit(Complaint(f"{shown(text)} is not a date; wanted {wanted}")) from None
    return text
