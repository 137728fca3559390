"""A figure: a value from outside with its story (unit, range, date, source, status)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, get_args

from tco.units import convert

if TYPE_CHECKING:
    from tco.uncertainty.spread import Spread

Status = Literal["quote", "list", "street", "estimate", "derived", "recalled", "default"]
STATUSES: tuple[str, ...] = get_args(Status)

Rows = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Figure:
    """One number (or table of rows `(from, value)`) with unit, range, date and source.

    `unit` is text as `tco.units.unit` reads it. A table's `from` column has the unit `from_unit`.
    `origin` says where the figure stands: `scenario`, `catalogue systems/hgx-h200-srv`, `default` or `choice`.
    Of a value that is stated as a range, `spread` is the distribution, in the unit in which it was written.
    """

    value: float | tuple[float, ...] | Rows
    unit: str
    low: float | None = None
    high: float | None = None
    as_of: str = ""
    source: str = ""
    status: Status = "estimate"
    note: str = ""
    valid_until: str = ""
    origin: str = "scenario"
    from_unit: str = ""
    spread: Spread | None = None

    @property
    def number(self) -> float:
        """The value as one number. Raises TypeError for a series or table."""
        if isinstance(self.value, tuple):
            raise TypeError("a series or table is not one number")
        return float(self.value)

    @property
    def rows(self) -> Rows:
        """The value as rows (from, value). Raises TypeError for anything but a table."""
        if not self.is_table:
            raise TypeError("not a table")
        return self.value  # type: ignore[return-value]

    @property
    def series(self) -> tuple[float, ...]:
        """The value as one number a period; empty for one number or a table."""
        return () if self.is_one or self.is_table else self.value  # type: ignore[return-value]

    @property
    def is_one(self) -> bool:
        """Whether it is one number."""
        return not isinstance(self.value, tuple)

    @property
    def is_table(self) -> bool:
        """Whether it is a table of rows (from, value)."""
        return isinstance(self.value, tuple) and bool(self.value) and isinstance(self.value[0], tuple)

    def to(self, target: str) -> Figure:
        """The same figure in another unit. Raises UnitError when the unit differs in kind."""
        if target == self.unit:
            return self

        def scaled(number: float | None) -> float | None:
            return None if number is None else convert(number, self.unit, target)

        value = self.value
        if isinstance(value, tuple):
            new = tuple(
                (row[0], convert(row[1], self.unit, target))
                if isinstance(row, tuple)
                else convert(row, self.unit, target)
                for row in value
            )
            return replace(self, value=new, unit=target)
        return replace(
            self, value=convert(value, self.unit, target), unit=target, low=scaled(self.low), high=scaled(self.high)
        )
