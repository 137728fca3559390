"""What one leaf of the schema wants, and the reading of one quantity against it."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any, NamedTuple

from tco.errors import UnitError
from tco.scenario.paths import Path
from tco.scenario.scalars import is_scalar, shown, written
from tco.units import Quantity, composition, conversion, convert, in_money, quantity, unit

LARGEST = 1e30
_COUNTED = {"token", "request", "step", "run", "job", "sample", "gpu", "system", "replica", "rack", "person",
            "parameter", "layer", "element", "period", "U", "failure"}  # fmt: skip
_PER_YEAR = ({"h_per_yr": -1}, {"h_per_yr": -1, "hundred": -1})
_RANGE = re.compile(r"([0-9.]+)\s*([^-–—0-9]*?)\s*(?:-|–|—|to|\.\.\.?)\s*([0-9.]+)\s*(.*)")
_THOUSANDS = re.compile(r"[1-9][0-9]{0,2}(\.000)+(?![0-9])")
_WITHOUT_SPACE = re.compile(r"([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)([A-Za-z].*)")


class Complaint(NamedTuple):
    """One thing wrong at a path below a leaf; `key` points to the key instead of the value."""

    text: str
    path: Path = ()
    key: bool = False


class Unfit(Exception):
    """What a leaf has to say against a value."""

    def __init__(self, *complaints: Complaint) -> None:
        super().__init__("; ".join(one.text for one in complaints))
        self.complaints = list(complaints)


@dataclass(frozen=True)
class Leaf:
    """What a leaf wants. Bounds are in `unit`; a unit of None takes any unit, `%` a share, `1/yr` a yearly rate."""

    unit: str | None
    feeds: str | None = None
    minimum: float | None = None
    maximum: float | None = None
    above: float | None = None
    whole: bool = False
    bare: bool = False
    single: bool = True
    series: bool = False
    table_from: str | None = None
    columns: tuple[str, str] = ("after", "share")
    description: str = ""
    example: str = ""
    hint: str = ""

    @property
    def is_share(self) -> bool:
        """Whether it is a share: `%`, or 0 to 1."""
        return self.unit == "%"

    @property
    def is_rate(self) -> bool:
        """Whether it is a yearly rate: `9 %` or `9 %/yr`."""
        return self.unit in ("1/yr", "%/yr")

    @property
    def is_plain(self) -> bool:
        """Whether it is a number without unit."""
        return self.unit in ("", "1")

    @property
    def takes_bare(self) -> bool:
        """Whether a number may stand without a unit."""
        return self.bare or self.is_share or self.is_plain or self.unit in _COUNTED

    def sample(self, number: str = "") -> str:
        """A quantity that would do."""
        if self.example and not number:
            return self.example
        if self.is_share or self.is_rate:
            return "70 %" if self.is_share else "9 %/yr"
        return f"{number or '1'} {(self.unit or '').replace('money', 'USD')}".strip() if not self.is_plain else "1.5"

    def outside(self, number: float, unit_of: str) -> str:
        """Why a number in another unit is beyond the bounds; empty when it is not."""
        try:
            _bounds(self, f"{number:g} {unit_of}".strip(), convert(number, unit_of, self.unit or unit_of), bare=False)
        except Unfit as unfit:
            return unfit.complaints[0].text
        return ""

    def wanted(self, number: str = "") -> str:
        """What is wanted, with an example."""
        if self.unit is None:
            return "a quantity such as `0.12 USD/kWh`"
        if self.is_share or self.is_rate or self.is_plain:
            kind = "a share" if self.is_share else "a yearly rate" if self.is_rate else "a plain number"
            return f"{kind}, such as `{self.sample()}`"
        if self.takes_bare:
            return f"a count in {self.unit}, such as `4` or `4 {self.unit}`"
        return f"{self.unit}, such as `{self.sample(number)}`"


def read_quantity(leaf: Leaf, raw: Any, inherit: str | None = None) -> Quantity:
    """A number with its unit as written; a bare number takes the unit `inherit`. Raises Unfit."""
    if not is_scalar(raw):
        raise Unfit(Complaint(f"read {shown(raw)}; wanted {leaf.wanted()}"))
    text = " ".join(written(raw).split())
    if _THOUSANDS.match(text):
        number = text.split()[0]
        whole, exact = number.replace(".", ""), number.split(".")[0]
        raise Unfit(Complaint(f"`{number}` may be {whole} or {exact}; write `{whole}`, or `{exact}` without decimals"))
    found = _parsed(leaf, text)
    if not re.search(r"[A-Za-z%]", re.sub(r"^[-+0-9.]+([eE][-+]?[0-9]+)?", "", text)):
        found = Quantity(found.value, _bare_unit(leaf, text, inherit))
    elif leaf.is_rate and found.unit == "%":
        found = Quantity(found.value, "%/yr")
    _check(leaf, text, found, bare=found.unit == "")
    return found


def _parsed(leaf: Leaf, text: str) -> Quantity:
    try:
        return quantity(text)
    except UnitError as error:
        told = _range_told(text) or _glued_told(text) or str(error)
        raise Unfit(Complaint(told if told.endswith(("?", "}")) else f"{told}; wanted {leaf.wanted()}")) from None


def _range_told(text: str) -> str:
    span = _RANGE.fullmatch(text)
    if not span:
        return ""
    low, high = f"{span[1]} {span[2] or span[4]}".strip(), f"{span[3]} {span[4]}".strip()
    if " to " in text:
        return f"{shown(text)} is a range, which stands alone as a value or under `analysis.uncertainty.ranges`"
    return f"{shown(text)} is a range; write `{low} to {high}`, or {{value: …, low: {low}, high: {high}}}"


def _glued_told(text: str) -> str:
    glued = _WITHOUT_SPACE.fullmatch(text)
    try:
        spaced = f"{glued[1]} {glued[2]}" if glued else ""
        return f"{shown(text)} lacks a space; did you mean `{spaced}`?" if spaced and quantity(spaced) else ""
    except UnitError:
        return ""


def _bare_unit(leaf: Leaf, text: str, inherit: str | None) -> str:
    if inherit is not None:
        return inherit
    if not leaf.takes_bare and leaf.unit is not None:
        raise Unfit(Complaint(f"{shown(text)} has no unit; wanted {leaf.wanted(text)}"))
    return "" if leaf.unit is None or leaf.is_share or leaf.is_plain else leaf.unit


def _check(leaf: Leaf, text: str, found: Quantity, bare: bool) -> None:
    if leaf.unit is None:
        number = found.value
    else:
        if conversion(unit(in_money(found.unit)), unit(leaf.unit)) is None:
            in_what = f"is in {found.unit}" if found.unit else "is a plain number"
            raise Unfit(Complaint(f"{shown(text)} {in_what}; wanted {leaf.wanted()}"))
        if leaf.is_rate and composition(unit(found.unit)).constants not in _PER_YEAR:
            raise Unfit(Complaint(f"{shown(text)} is not per year; give the rate per year, such as `9 %/yr`"))
        number = convert(found.value, in_money(found.unit), leaf.unit)
    _bounds(leaf, text, number, bare)


def _bounds(leaf: Leaf, text: str, number: float, bare: bool) -> None:
    low, high = leaf.minimum, leaf.maximum
    if leaf.is_share:
        low, high = (0.0 if low is None else low), (100.0 if high is None else high)
    problem = ""
    if not math.isfinite(number) or abs(number) > LARGEST:
        problem = f"is beyond {LARGEST:g}"
    elif leaf.is_share and bare and high == 100.0 and 1 < number / 100 <= 100:
        problem = f"is above 1; did you mean `{text} %`?"
    elif low is not None and number < low:
        problem = f"is below {_in_unit(leaf, low)}"
    elif high is not None and number > high * (1 + 1e-12):
        problem = f"is above {_in_unit(leaf, high)}"
    elif leaf.above is not None and number <= leaf.above:
        problem = f"is not above {_in_unit(leaf, leaf.above)}"
    elif leaf.whole and number != round(number):
        problem = "is not a whole number" + ("" if leaf.is_plain else f"; wanted {leaf.wanted()}")
    if problem:
        raise Unfit(Complaint(f"{shown(text)} {problem}" + (f"; {leaf.hint}" if leaf.hint else "")))


def _in_unit(leaf: Leaf, bound: float) -> str:
    if leaf.unit == "1/yr":
        return f"{100 * bound:g} %/yr"
    return f"{bound:g}" if leaf.is_plain or bound == 0 else f"{bound:g} {leaf.unit or ''}".strip()
