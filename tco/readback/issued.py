"""The workbook as it was issued, made again in memory from the scenario on its Log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from tco.analysis.run import Frozen
from tco.readback.edited import Cells, Edited, Place
from tco.readback.formulas import cells_of
from tco.readback.provenance import Provenance
from tco.result import FleetResult, Result
from tco.scenario.assembly import assemble
from tco.scenario.plan import Plan as FleetPlan
from tco.scenario.reading import read_text
from tco.session import Scenario, loads
from tco.workbook.places import INPUT_PERIODS, INPUTS, VALUE_COLUMN, InputPlace
from tco.workbook.plan import Plan
from tco.workbook.writer import filled

SOURCE_COLUMN, STORY_COLUMNS = 6, (6, 7, 9, 10)
FROZEN = "frozen choice of an earlier run"


@dataclass
class Issued:
    """`cells` and `names` are what the workbook held; `plan` says where; `plans` lead back into the scenario."""

    scenario: Scenario
    result: Result
    plan: Plan
    plans: dict[str, FleetPlan]
    cells: dict[str, Cells]
    names: dict[str, str]
    frozen: Frozen | None = None

    def fleets_of(self, place: InputPlace) -> list[FleetResult]:
        """Fleets that read an input."""
        fleets = self.result.fleets
        if place.owner:
            return [self.result.by_id[place.owner]]
        return [fleet for fleet in fleets if place.name in fleet.shared and place.name in fleet.model.inputs]

    def plan_of(self, fleet: FleetResult) -> FleetPlan:
        """The fleet's plan in the precision that was chosen."""
        first = self.plans[fleet.id]
        return next((one for one in (first, *first.others) if one.texts["precision"] == fleet.precision), first)


def reissue(said: Provenance, edited: Edited) -> Issued:
    """Run the scenario as it was and fill its workbook. Raises ScenarioError."""
    folder = said.given.parent if said.given else edited.path.parent
    name = said.source if said.given else str(folder / said.file)
    scenario = _named(loads(said.text.removeprefix("\ufeff"), name), said)
    result = scenario.run()
    frozen = _kept(edited, result) if _was_frozen(edited) or differs(said, result) else None
    if frozen is not None:
        result = scenario.run(frozen)
    plan = Plan(result)
    book = filled(plan)
    plans, _ = assemble(scenario.document, scenario.content, scenario.catalogue)
    names = {name.lower(): refers for name, refers in book.names.values()}
    cells = {
        sheet: {place: value for place, value in held.items() if value != ""} for sheet, held in book.cells().items()
    }
    return Issued(
        scenario, result, plan, {one.id: one for one in plans}, cast("dict[str, Cells]", cells), names, frozen
    )


def differs(said: Provenance, result: Result) -> bool:
    """Whether another engine or catalogue made the workbook."""
    return (said.engine, said.catalogue) != (result.engine["version"], result.engine["catalogue"])


def _named(scenario: Scenario, said: Provenance) -> Scenario:
    """The scenario with the byte order mark and the digest of its file."""
    document = read_text(said.text, scenario.document.file)
    return Scenario(document, scenario.content)


def _was_frozen(edited: Edited) -> bool:
    """Whether the workbook was written with `--frozen`: its choices are not those of a search."""
    return any(value == FROZEN or str(value).startswith(f"{FROZEN} ·") for cells in edited.sheets.values()
               for value in cells.values() if isinstance(value, str))  # fmt: skip


def _kept(edited: Edited, result: Result) -> Frozen:
    """Choices as they stand in the workbook: nothing else says what they were."""
    found: Frozen = {}
    for fleet in result.fleets:
        values = dict[str, Any](fleet.choices.get("values", {}))
        for name in values:
            refers = edited.names.get(input_name(name, fleet.id))
            held = edited.value(cells_of(refers)) if refers else None
            values[name] = held if isinstance(held, float) else values[name]
        found[fleet.id] = {**values, "precision": fleet.precision}
    return found


def input_name(name: str, owner: str) -> str:
    """The defined name of an input, as names are looked up."""
    return f"in_{name}{'_' + owner.replace('-', '_') if owner else ''}".lower()


def value_places(place: InputPlace, periods: int) -> list[Place]:
    """The cells that a person would type an input's values into."""
    shape, value = place.given.shape, place.figure.value
    if shape == "series":
        return [(INPUTS, place.row, INPUT_PERIODS + index) for index in range(periods)]
    if shape == "table" and isinstance(value, tuple):
        return [(INPUTS, place.row + index, VALUE_COLUMN) for index in range(len(value))]
    return [(INPUTS, place.row, VALUE_COLUMN)]
