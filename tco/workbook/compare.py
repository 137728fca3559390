"""The sheet Compare: fleets side by side, every number a link, ranked by live formulas."""

from __future__ import annotations

import functools

from tco.result import CATEGORIES, HEADLINES, PER_PERIOD, FleetResult
from tco.workbook.book import Book, Value
from tco.workbook.bridge import COLUMNS, Bridge, write_bridge
from tco.workbook.compared import FIRST_FLEET, HEAD, Compared, result_cell
from tco.workbook.furniture import heading, in_words, page, paid_words
from tco.workbook.places import COMPARE, CONSTANT, TOTAL, sheet_of
from tco.workbook.plan import Plan, label_of
from tco.workbook.ranking import write_against, write_ranking
from tco.workbook.reference_column import Against
from tco.workbook.results import ABSENT, AMOUNTS, UNDEFINED
from tco.workbook.styles import TABS
from tco.workbook.styling import ERRORS
from tco.workbook.values import FleetValues, added
from tco.workbook.verdicts import OUTPUTS, shown_as, unit_cost_factors

TEXTS = (("Name", "name"), ("Tier", "tier"), ("Payment", "payment"), ("Model", "model_id"), ("Precision", "precision"))


def write_compare(
    book: Book, plan: Plan, values: dict[str, FleetValues], against: Against, *, bridged: bool = True
) -> tuple[Compared, Bridge | None]:
    """All sections; returns where things stand."""
    sheet = book.sheet(COMPARE, TABS["presentation"])
    result = plan.result
    heading(
        sheet,
        "Compare",
        f"Basis: {in_words(result.basis)}; {paid_words(result)}. Costs positive, receipts negative.",
    )
    table = Compared(sheet, plan, values)
    sheet.texts(HEAD, 0, ["Line", "Unit"], "heading")
    sheet.texts(HEAD, FIRST_FLEET, [fleet.id for fleet in result.fleets], "heading right")
    _options(table)
    _headlines(table)
    _categories(table)
    _unit_costs(table)
    _physical(table)
    write_ranking(table)
    write_against(table, against)
    opened = table.next
    bridge = write_bridge(book, table) if bridged else None
    wide = max(14, *(min(len(fleet.id), 24) + 2 for fleet in result.fleets))
    sheet.widths([44, 14, *[wide] * max(len(result.fleets), COLUMNS)])
    sheet.raw.freeze_panes(HEAD, FIRST_FLEET)
    page(book, sheet, plan, repeat=(1, HEAD))
    sheet.raw.set_h_pagebreaks([opened - 1, bridge.drawn - 2] if bridge else [])
    return table, bridge


def _options(table: Compared) -> None:
    fleets = table.plan.result.fleets
    table.title("Options")
    for label, attribute in TEXTS:
        row = table.row(attribute, label, "text")
        table.sheet.texts(row, FIRST_FLEET, [str(getattr(fleet, attribute)) for fleet in fleets], "wrapped right")
        table.shown[attribute] = [str(getattr(fleet, attribute)) for fleet in fleets]
    row = table.row("steps", "All its steps", "link")
    for column, fleet in enumerate(fleets, FIRST_FLEET):
        table.sheet.link(row, column, sheet_of(fleet.id), "calculation", style="link right")
    table.row("verdict", "Verdict", "word")
    table.formulas(
        "verdict",
        lambda index, _: (result_cell(table, fleets[index], "verdict", CONSTANT), shown_as(fleets[index]).verdict),
    )


def _value(table: Compared, fleet: FleetResult, name: str, *, guard: bool = True, total: bool = False) -> Value:
    """What the results block shows."""
    item = fleet.model.lines.get(name)
    if item is None:
        return "n/a"
    standing = shown_as(fleet)
    if guard and standing.shown != 1:
        return standing.verdict
    values = table.values[fleet.id]
    value = added(values.series(name)) if total or item.series else values.one(name)
    return UNDEFINED if name in HEADLINES and not isinstance(value, float) else value


def present(table: Compared, names: tuple[str, ...]) -> list[str]:
    """The lines that at least one fleet has."""
    return [name for name in names if any(name in fleet.model.lines for fleet in table.plan.result.fleets)]


def _labelled(table: Compared, name: str) -> tuple[str, str]:
    item = next(fleet.model.lines[name] for fleet in table.plan.result.fleets if name in fleet.model.lines)
    return label_of(item), table.plan.line_unit(item)


def _headlines(table: Compared) -> None:
    fleets = table.plan.result.fleets
    table.title("Headline")
    for name in present(table, HEADLINES):
        table.row(name, *_labelled(table, name))
        role = "headline" if name == table.plan.result.headline else "link"
        table.formulas(
            name,
            lambda i, _, name=name: (result_cell(table, fleets[i], name, CONSTANT), _value(table, fleets[i], name)),
            role,
        )


def _categories(table: Compared) -> None:
    fleets = table.plan.result.fleets
    table.title("Cost by category over the horizon, undiscounted")
    for name in present(table, CATEGORIES):
        table.row(name, *_labelled(table, name))
        table.formulas(
            name,
            lambda i, _, name=name: (
                result_cell(table, fleets[i], name, TOTAL),
                _value(table, fleets[i], name, total=True),
            ),
        )
    table.row("cash", "All categories", table.plan.unit_words("money"))
    names = present(table, CATEGORIES)

    def summed(index: int, _: str) -> tuple[str, Value]:
        cell = result_cell(table, fleets[index], "cash", TOTAL)
        standing = shown_as(fleets[index])
        numbers = [table.shown[name][index] for name in names]
        return cell, added(numbers) if standing.shown == 1 else standing.verdict

    table.formulas("cash", summed, "total right")


def _unit_costs(table: Compared) -> None:
    """Undiscounted, because then the categories add up to a headline line."""
    output = OUTPUTS.get(table.plan.result.headline or "", "")
    if output not in table.rows:
        return
    factors = unit_cost_factors(table.plan.result)
    tail = "".join(("*" if power > 0 else "/") + name for name, power in factors.items() for _ in range(abs(power)))
    scale = _scale(factors)
    headline = table.plan.result.headline or ""
    unit = table.units[headline]
    table.title("Unit cost by category, undiscounted")
    whole = [_quotient(table.shown["cash"][i], table.shown[output][i], scale) for i in range(len(table.shown["cash"]))]
    look = table.plan.look("", unit, [min((abs(v) for v in whole if isinstance(v, float)), default=0.0)])
    for name in present(table, CATEGORIES):
        table.row(f"unit_{name}", f"{table.labels[name]}, unit cost", unit)
        made = functools.partial(_ratio, table, name=name, output=output, tail=tail, scale=scale)
        table.formulas(f"unit_{name}", made, "right", look)
    names = [f"unit_{name}" for name in present(table, CATEGORIES)]
    table.row("unit_cost", "All categories, unit cost", unit)

    def summed(index: int, column: str) -> tuple[str, Value]:
        cells = f"{column}{table.rows[names[0]]}:{column}{table.rows[names[-1]]}"
        numbers = [table.shown[name][index] for name in names]
        value: Value = (
            added(numbers) if any(isinstance(number, float) for number in numbers) else table.shown[headline][index]
        )
        return f"IF(COUNT({cells})=0,{column}{table.rows[headline]},SUM({cells}))", value

    table.formulas("unit_cost", summed, "total right", look)


def _scale(factors: dict[str, int]) -> float:
    from tco.units import CONSTANTS

    scale = 1.0
    for name, power in factors.items():
        scale *= CONSTANTS[name] ** power
    return scale


def _quotient(money: Value, amount: Value, scale: float) -> Value:
    """What dividing two cells gives."""
    if isinstance(money, float) and isinstance(amount, float):
        return money / amount * scale if amount else ERRORS[0]
    return money if isinstance(money, str) else amount if amount in ERRORS else "#VALUE!"


def _ratio(
    table: Compared, index: int, column: str, *, name: str, output: str, tail: str, scale: float
) -> tuple[str, Value]:  # fmt: skip
    above, below = (f"{column}{table.rows[part]}" for part in (name, output))
    value = _quotient(table.shown[name][index], table.shown[output][index], scale)
    if table.shown[name][index] == ABSENT:
        return above, value
    headline = table.plan.result.headline or ""
    told = table.shown[headline][index] if isinstance(value, str) else value
    return f"IF(ISNUMBER({above}/{below}),{above}/{below}{tail},{column}{table.rows[headline]})", told


def _physical(table: Compared) -> None:
    names = present(table, PER_PERIOD)
    if names:
        table.title("Physical")
    for name in names:
        label, unit = _labelled(table, name)
        table.row(name, f"{label}, {'over the horizon' if name in AMOUNTS else 'highest'}", unit)
        table.formulas(name, functools.partial(_physical_cell, table, name=name))


def _physical_cell(table: Compared, index: int, _: str, *, name: str) -> tuple[str, Value]:
    """Highest or total; the verdict where the fleet cannot run."""
    fleet = table.plan.result.fleets[index]
    standing, total = shown_as(fleet), result_cell(table, fleet, name, TOTAL)
    if name not in fleet.model.lines:
        return total, "n/a"
    numbers = table.values[fleet.id].series(name)
    wrong = [number for number in numbers if isinstance(number, str)]
    if name in AMOUNTS:
        text, value = total, added(numbers)
    else:
        shown, verdict = (result_cell(table, fleet, part, CONSTANT) for part in ("costs_shown", "verdict"))
        cells = table.plan.periods_of(table.plan.results[name], sheet_of(fleet.id))
        text = f"IF({shown}=1,MAX({cells}),{verdict})"
        value = wrong[0] if wrong else max(number for number in numbers if isinstance(number, float))
    return text, value if standing.shown == 1 else standing.verdict
