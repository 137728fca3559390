"""Ranks on the sheet Compare, live over the fleets whose verdict is ok, and the figures against the reference."""

from __future__ import annotations

from typing import Any

from tco.workbook.book import Sheet, Value, letters
from tco.workbook.compared import FIRST_FLEET, Compared, result_cell
from tco.workbook.places import CONSTANT
from tco.workbook.plan import Plan
from tco.workbook.reference_column import Against
from tco.workbook.reference_rows import FIGURES, UNITS
from tco.workbook.styles import SHARE
from tco.workbook.styling import ERRORS
from tco.workbook.verdicts import shown_as

NOT_RANKED = "not ranked"


def ranking_line(plan: Plan) -> str:
    """What ranks: the headline, or the present cost of a mixed portfolio."""
    return plan.result.headline or "present_cost"


def write_ranking(table: Compared) -> None:
    fleets, line = table.plan.result.fleets, ranking_line(table.plan)
    if line not in table.rows:
        return
    table.title(f"Ranking by: {table.labels[line]}")
    table.row("value", "Ranked value (fleets with verdict ok)", table.units[line])

    def value(index: int, column: str) -> tuple[str, Value]:
        cell = f"{column}{table.rows[line]}"
        shown = table.shown[line][index]
        alone = fleets[index].unit_cost_only and not table.plan.result.headline
        counted = shown_as(fleets[index]).holds == 1 and isinstance(shown, float) and not alone
        flag = result_cell(table, fleets[index], "ranked", CONSTANT)
        return f'IF(AND({flag}=1,ISNUMBER({cell})),{cell},"{NOT_RANKED}")', shown if counted else NOT_RANKED

    table.formulas("value", value, "right")
    _ranks(table)
    _differences(table)


def _ranks(table: Compared) -> None:
    values, cells, row = table.shown["value"], table.range("value"), table.rows["value"]
    numbers = [value for value in values if isinstance(value, float)]

    def rank_of(index: int) -> float:
        mine = values[index]
        assert isinstance(mine, float)
        return float(1 + sum(number < mine for number in numbers) + values[:index].count(mine))

    def rank(index: int, column: str) -> tuple[str, Value]:
        cell = f"{column}{row}"
        so_far = f"${letters(FIRST_FLEET)}{row}:{cell}"
        text = f'IF(ISNUMBER({cell}),RANK({cell},{cells},1)+COUNTIF({so_far},{cell})-1,"{NOT_RANKED}")'
        return text, rank_of(index) if isinstance(values[index], float) else NOT_RANKED

    def position(index: int, column: str) -> tuple[str, Value]:
        cell, so_far = f"{column}{row + 1}", f"${letters(FIRST_FLEET)}{row + 1}:{column}{row + 1}"
        ranked = table.shown["rank"]
        if isinstance(ranked[index], float):
            place: Value = ranked[index]
        else:
            place = float(len(numbers) + sum(isinstance(other, str) for other in ranked[: index + 1]))
        return f"IF(ISNUMBER({cell}),{cell},COUNT({cells})+COLUMNS({so_far})-COUNT({so_far}))", place

    table.row("rank", "Rank, cheapest first", "1")
    table.formulas("rank", rank, "right")
    table.row("position", "Place in the summary (ranked first)", "1")
    table.formulas("position", position, "right")


def _differences(table: Compared) -> None:
    values, cells, row = table.shown["value"], table.range("value"), table.rows["value"]
    best = min((value for value in values if isinstance(value, float)), default=0.0)

    def difference(index: int, column: str) -> tuple[str, Value]:
        cell, value = f"{column}{row}", values[index]
        return f"IF(ISNUMBER({cell}),{cell}-MIN({cells}),{cell})", value - best if isinstance(value, float) else value

    def share(index: int, column: str) -> tuple[str, Value]:
        cell, value = f"{column}{row}", values[index]
        if not isinstance(value, float):
            return f"IF(ISNUMBER({cell}),{cell}/MIN({cells})-1,{cell})", value
        return f"IF(ISNUMBER({cell}),{cell}/MIN({cells})-1,{cell})", value / best - 1 if best else ERRORS[0]

    table.row("difference", "Above the cheapest", table.units["value"])
    table.formulas("difference", difference, "right")
    table.row("above_share", "Above the cheapest, share", "1")
    table.formulas("above_share", share, "right", SHARE)


def write_against(table: Compared, against: Against) -> None:
    """Links to the sheet Reference; as issued, in words or numbers, where a flow cannot be set against it."""
    result = table.plan.result
    names = [name for name in FIGURES if any(name in figures for figures in result.comparison.values())]
    if names:
        table.title(f"Against the reference {result.reference or ''}: positive saves")
    for name in names:
        row = table.row(f"reference_{name}", FIGURES[name], table.plan.unit_words(UNITS[name]))
        figures = [result.comparison.get(fleet.id, {}).get(name) for fleet in result.fleets]
        values = [figure.get("value") for figure in figures if figure]
        look = table.plan.look(name, UNITS[name], [value for value in values if value is not None])
        for index, (fleet, figure) in enumerate(zip(result.fleets, figures, strict=True)):
            if fleet.id in against.columns:
                cell, value = against.layout.cell(fleet, name), against.columns[fleet.id].made[name][1]
                table.sheet.formula(row, FIRST_FLEET + index, cell, value, ("link wrapped", look))
            elif fleet.id == result.reference:
                table.sheet.text(row, FIRST_FLEET + index, "reference", "wrapped right")
            else:
                _issued(table.sheet, row, FIRST_FLEET + index, figure, look)


def _issued(sheet: Sheet, row: int, column: int, figure: dict[str, Any] | None, look: str) -> None:
    value = figure.get("value") if figure else None
    if isinstance(value, int | float):
        sheet.number(row, column, float(value), ("issued", look))
    else:
        sheet.text(row, column, str((figure or {}).get("reason") or "n/a"), "wrapped right")
