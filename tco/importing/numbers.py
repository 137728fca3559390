"""Numbers and words in a stranger's row, with sentences for those that are missing or cannot be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tco.errors import did_you_mean
from tco.importing.source import plain, refuse

LARGEST = 1e18
MOST_WHOLE = 10**9
MISSING = ("", "none", "null", "nan", "n/a", "na", "-")


@dataclass(frozen=True)
class Record:
    """One row of a file: its values by key, and where it stands."""

    file: str
    place: str
    values: Mapping[str, Any]

    def number(self, key: str, wanted: str, above: float | None = 0.0) -> float:
        """A finite number above a bound that must be there."""
        found = self.optional(key, above)
        if found is None:
            hint = did_you_mean(key, self.values) if key not in self.values else ""
            refuse(self.file, f"{self.place}`{key}` is missing{hint}; wanted {wanted}")
        return found

    def optional(self, key: str, above: float | None = None) -> float | None:
        """A finite number, or None when it is missing. Missing is not zero."""
        found = self.values.get(key)
        if found is None or (isinstance(found, str) and found.strip().lower() in MISSING):
            return None
        number = as_number(found)
        if number is None or (above is not None and number <= above):
            least = "" if above is None else f" above {above:g}"
            refuse(self.file, f"{self.place}`{key}` is {plain(found, 40)}; wanted a number{least}")
        return number

    def whole(self, key: str, wanted: str, default: int | None = None) -> int:
        """A whole number of 1 or more."""
        found = self.optional(key, 0)
        if found is None and default is not None:
            return default
        found = self.number(key, wanted) if found is None else found
        if found != round(found) or found > MOST_WHOLE:
            refuse(self.file, f"{self.place}`{key}` is {found:g}; wanted a whole number up to {MOST_WHOLE:,}")
        return int(found)

    def word(self, *keys: str) -> str:
        """The first of the keys that holds a text or number, as plain text; empty when none does."""
        for key in keys:
            found = self.values.get(key)
            if isinstance(found, str | int | float) and str(found).strip():
                return plain(found)
        return ""


def as_number(found: Any) -> float | None:
    """A number as JSON or CSV writes it, up to 1e18; `1_000`, `inf` and true are none."""
    if isinstance(found, bool) or not isinstance(found, int | float | str):
        return None
    try:
        number = float(found)
    except (ValueError, OverflowError):
        return None
    return number if abs(number) <= LARGEST and "_" not in str(found) else None


def pick(file: str, records: Sequence[Record], where: Mapping[str, str], shown: Sequence[str]) -> Record:
    """The one row that has every asked value. Raises ImportRefused when none or several have."""
    known = {key for record in records for key in record.values}
    for key in where:
        if key not in known:
            refuse(
                file,
                f"has no column `{plain(key)}`{did_you_mean(key, known)}; there are {', '.join(sorted(known)[:40])}",
            )
    found = [record for record in records if all(_same(record.values.get(key), want) for key, want in where.items())]
    asked = ", ".join(f"{key}={value}" for key, value in where.items()) or "nothing was asked for"
    if not found:
        offers = [f"{key}: {', '.join(_values(records, key))}" for key in where]
        refuse(file, f"no row has {asked}; there is {'; '.join(offers) or 'no row at all'}")
    if len(found) > 1:
        listed = "; ".join(" ".join(f"{key}={record.word(key)}" for key in shown) for record in found[:8])
        refuse(file, f"{len(found)} rows match ({asked}); state more columns as NAME=VALUE to leave one: {listed}")
    return found[0]


def _same(found: Any, wanted: str) -> bool:
    number, other = as_number(found), as_number(wanted)
    if number is not None and other is not None:
        return number == other
    return str(found).strip().casefold() == str(wanted).strip().casefold()


def _values(records: Iterable[Record], key: str) -> list[str]:
    return sorted({record.word(key) for record in records})[:12]
