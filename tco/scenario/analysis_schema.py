"""The part of the scenario that asks for more than the cost."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from tco.figures import Figure
from tco.scenario.fields import FigureLeaf, FleetId, Section, Several, Text, figure

Asked = Annotated[Figure, FigureLeaf(None, description="of a list or table, the range of a factor",
                                     example="25000 to 35000 USD/system")]  # fmt: skip


class Correlation(Section):
    """Two ranges that move together."""

    between: Several[Text]
    rank: Figure = figure("1", minimum=-0.99, maximum=0.99, required=True, description="Spearman's rank correlation",
                          example="0.5")  # fmt: skip


class Uncertainty(Section):
    """Which values are drawn, how often, and what moves together."""

    shorthand: ClassVar[str | None] = "figures"
    figures: Literal["stated", "catalogue", "bands", "all"] = "stated"
    samples: Annotated[int, Field(ge=64, le=16_777_216)] = 16_384
    choices: Literal["keep", "search"] = "keep"
    ranges: dict[str, Asked] = Field(default_factory=dict)
    correlations: Several[Correlation] = ()


class Goal(Section):
    """A goal seek, as `tco solve` asks it: where `until` begins or ceases to hold as `change` moves."""

    change: Text
    until: Text
    between: Several[Text] = ()
    frozen: bool = False


class TableAxis(Section):
    """An input of a table and its values."""

    shorthand: ClassVar = "change"
    change: Text
    values: Several[Text] = ()


class ValueTable(Section):
    """A table of one line over one input or two, every cell computed by the engine."""

    rows: TableAxis
    columns: TableAxis | None = None
    line: Text | None = None
    fleets: Several[FleetId] = ()
    deployment: Literal["kept", "anew"] = "kept"


class Sweep(Section):
    """Variants of this scenario: every combination of values at some places, and named sets of changes."""

    name: FleetId
    axes: dict[str, Any] = Field(default_factory=dict)
    overrides: dict[str, dict[str, Any]] = Field(default_factory=dict)
    lines: Several[Text] = ()
    fleets: Several[FleetId] = ()
    choices: Literal["stale", "search", "keep"] = "stale"


class Analysis(Section):
    """What is computed beside the costs; a run without it is as before."""

    seed: Annotated[int, Field(ge=0, le=4_294_967_295)] = 1
    uncertainty: Uncertainty | None = None
    solve: Several[Goal] = ()
    tables: Several[ValueTable] = ()
    sweeps: Several[Sweep] = ()
    flips: bool = False
    spider: bool = False
