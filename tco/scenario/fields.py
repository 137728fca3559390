"""Field types of the scenario schema.

class Electricity(Section):
    price: Figure = figure("money/kWh", feeds="electricity_price", above=0, required=True)
    escalation: Figure | None = figure("1/yr", feeds="electricity_escalation", minimum=-1)
    region: Text | None = None
"""

from __future__ import annotations

import re
from typing import Annotated, Any, ClassVar, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError, core_schema

from tco.figures import Figure
from tco.scenario.leaf import Complaint, Leaf, Unfit
from tco.scenario.scalars import is_scalar, shown, written
from tco.scenario.story import read_date, read_figure


class FigureLeaf(Leaf):
    """A leaf that pydantic can validate; in `Annotated[Figure, FigureLeaf("kWh")]` for dict and list items."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> core_schema.CoreSchema:
        """Read whatever stands there as a Figure."""
        return core_schema.no_info_plain_validator_function(self.validated)

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        """Left to `tco.scenario.json_schema`, which knows the words for it."""
        from tco.scenario.json_schema import leaf_schema

        return leaf_schema(self)

    def validated(self, raw: Any) -> Figure:
        """The figure, or one pydantic error that carries every complaint."""
        if isinstance(raw, Figure):
            return raw
        try:
            return read_figure(self, raw)
        except Unfit as unfit:
            raise refusal(*unfit.complaints) from None


def refusal(*complaints: Complaint) -> PydanticCustomError:
    """The complaints as the one error that a pydantic validator may raise."""
    text = "; ".join(one.text for one in complaints)
    return PydanticCustomError("tco", "{text}", {"text": text, "complaints": list(complaints)})


def figure(
    unit: str | None,
    feeds: str | None = None,
    *,
    minimum: float | None = None,
    maximum: float | None = None,
    above: float | None = None,
    whole: bool = False,
    bare: bool = False,
    series: bool = False,
    single: bool = True,
    table_from: str | None = None,
    columns: tuple[str, str] = ("after", "share"),
    required: bool = False,
    description: str = "",
    example: str = "",
    hint: str = "",
) -> Any:
    """A leaf that holds a quantity. Bounds are in `unit`.

    `%` is a share (0 to 1 or percent), `1/yr` a yearly rate, `1` a plain number, a counted unit (`gpu`) a count;
    None takes any unit. `series` also takes a list (one value a period), `table_from="yr"` also a table; with
    `single=False` only those. `bare` lets a number stand without its unit; `hint` ends messages about bounds.
    """
    leaf = FigureLeaf(unit, feeds, minimum, maximum, above, whole, bare, single, series, table_from, columns,
                      description, example, hint)  # fmt: skip
    info: Any = Field(default=... if required else None)
    info.metadata.append(leaf)
    return info


def table(unit: str, feeds: str | None = None, *, from_unit: str = "yr", **options: Any) -> Any:
    """A leaf that holds a table only: `{after: [1 yr, 2 yr], share: [70 %, 50 %]}`."""
    return figure(unit, feeds, table_from=from_unit, single=False, **options)


def series(unit: str, feeds: str | None = None, **options: Any) -> Any:
    """A leaf that holds a list only, one value a period."""
    return figure(unit, feeds, series=True, single=False, **options)


class Section(BaseModel):
    """A mapping of the scenario: unknown keys are errors, nothing changes after reading.

    `shorthand` names the key that a bare value stands for (`buy: hgx-h200-srv`); `one_of` lists groups of keys of
    which exactly one is given. Lists are `Several[Item]`.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, defer_build=True)
    shorthand: ClassVar[str | None] = None
    one_of: ClassVar[tuple[tuple[str, ...], ...]] = ()

    @model_validator(mode="before")
    @classmethod
    def _written_out(cls, data: Any) -> Any:
        return {cls.shorthand: data} if cls.shorthand and isinstance(data, str | int | float | bool) else data

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> dict[str, Any]:
        """The mapping with its choices, or the bare value that stands for it."""
        told = dict(handler.resolve_ref_schema(handler(schema)))
        for group in cls.one_of:
            told["oneOf"] = [{"required": [name]} for name in group]
        return {"anyOf": [{"type": "string"}, told]} if cls.shorthand else told


def _listed(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]


_Item = TypeVar("_Item")
Several = Annotated[tuple[_Item, ...], BeforeValidator(_listed)]


def _word(wanted: str, maximum: int, pattern: str = "") -> BeforeValidator:
    def check(value: Any) -> str:
        if not is_scalar(value):
            advice = f'; write "{written(value)}" in quotes' if isinstance(value, bool) else ""
            raise refusal(Complaint(f"read {shown(value)}; wanted {wanted}{advice}"))
        text = written(value).strip()
        if not text or (pattern and not re.fullmatch(pattern, text)):
            raise refusal(Complaint(f"read {shown(text)}; wanted {wanted}"))
        if len(text) > maximum:
            raise refusal(Complaint(f"has {len(text)} characters; wanted {wanted}, at most {maximum}"))
        return text

    return BeforeValidator(check)


def _dated(wanted: str, length: int | None = None) -> BeforeValidator:
    def check(value: Any) -> str:
        try:
            if not is_scalar(value) or isinstance(value, float) or (length and len(str(value)) != length):
                raise Unfit(Complaint(f"{shown(value)} is not a date; wanted {wanted}"))
            return read_date(str(value), wanted)
        except Unfit as unfit:
            raise refusal(*unfit.complaints) from None

    return BeforeValidator(check)


_ID = "[a-z][a-z0-9_-]*"
FleetId = Annotated[str, _word("an id of small letters, digits, `-` and `_`, such as `hgx-h200`", 24, _ID)]
CatalogueId = Annotated[str, _word("a catalogue id, such as `hgx-h200-srv`", 80, r"[A-Za-z0-9][A-Za-z0-9._+-]*")]
Text = Annotated[str, _word("text", 200)]
LongText = Annotated[str, _word("text", 2_000)]
FileName = Annotated[str, _word("the name of a file", 500)]
Date = Annotated[str, _dated("a date such as 2026-11-01, 2026-11 or 2026")]
Day = Annotated[str, _dated("a day such as 2026-11-01", 10)]
Month = Annotated[str, _dated("a month such as 2027-01", 7)]
