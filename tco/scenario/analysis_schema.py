"""The part of the scenario that asks for more than the cost: goal seek, tables, flip points, a spider chart."""

from __future__ import annotations

from typing import ClassVar, Literal

from tco.scenario.fields import FleetId, Section, Several, Text


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


class Analysis(Section):
    """What is computed beside the costs; a run without it is as before."""

    solve: Several[Goal] = ()
    tables: Several[ValueTable] = ()
    flips: bool = False
    spider: bool = False
