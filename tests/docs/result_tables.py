"""Tables of docs/results.md: headline, category and period lines with their formulas in words, verdicts, codes."""

from __future__ import annotations

import ast
import functools
from pathlib import Path

from tco.export import to_dict, unit_text_of
from tco.result import CATEGORIES, HEADLINES, NULLING, PER_PERIOD, VERDICTS, FleetResult, Result
from tco.session import load
from tests.docs.line_tables import all_lines, formula
from tests.docs.tables import table

ROOT = Path(__file__).parents[2]


@functools.cache
def example(name: str) -> Result:
    """A committed scenario, computed once."""
    return load(ROOT / "scenarios" / f"{name}.yaml").run()


def headlines(_: str) -> str:
    """One number a fleet."""
    return _table(HEADLINES)


def categories(_: str) -> str:
    """One number a period, adding up to the total cost."""
    return _table(CATEGORIES)


def per_period(_: str) -> str:
    """Physical quantities."""
    return _table(PER_PERIOD)


def _table(names: tuple[str, ...]) -> str:
    return table(("line", "unit", "what it is", "formula"), [_row(name) for name in names])


def _row(name: str) -> tuple[str, ...]:
    found = [item for item in all_lines() if item.name == name]
    if not found:
        return f"`{name}`", "", "nothing feeds it yet: always null", ""
    item = found[0]
    shown = unit_text_of(item.unit).replace("money", "USD")
    return f"`{name}`", shown, f"{item.label}. {item.doc}", formula(item)


def verdicts(_: str) -> str:
    """The closed list, in the order in which the first that applies is the verdict."""
    rows = [(f"`{word}`", f"`{flag}`", "null" if word in NULLING else "shown, unranked") for flag, word in VERDICTS]
    return table(("verdict", "when this line is 0", "headline and categories"), rows)


@functools.cache
def codes() -> frozenset[str]:
    """Every code of a warning in the source: the first word of `tell(…)` or of `Alert(…)`."""
    found = set[str]()
    for path in sorted((ROOT / "tco").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args and _called(node.func) in ("tell", "Alert"):
                first = node.args[0]
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    found.add(first.value)
    return frozenset(found)


def _called(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def json_keys() -> set[str]:
    """Every key of the JSON, dotted: `[]` is an item of a list, `{}` one under a name of its own."""
    billed = load(ROOT / "tests" / "cases" / "scenarios" / "grid_fee.yaml").run()
    examples = (example(name) for name in ("quickstart", "pretraining", "finetune_lora", "procurement"))
    return set().union(*(_keys(to_dict(one)) for one in (*examples, billed)))


NAMED = (
    "fleets[].lines",
    "fleets[].inputs",
    "comparison",
    "comparison{}",
    "break_even.questions[].crossings[].utilization",
    "fleets[].choices.values",
    "fleets[].choices.for",
    "fleets[].choices.front[].values",
    "fleets[].choices.bill.for",
    "quotes.awards",
)


def _keys(value: object, path: str = "") -> set[str]:
    found = set[str]()
    if isinstance(value, dict):
        for key, item in value.items():
            here = f"{path}{{}}" if path in NAMED else f"{path}.{key}" if path else str(key)
            found |= {here} | _keys(item, here)
    elif isinstance(value, list):
        found = set().union(*(_keys(item, f"{path}[]") for item in value), set())
    return found


def fleet_of(result: Result, name: str) -> FleetResult:
    """A fleet by its id."""
    return result.by_id[name]
