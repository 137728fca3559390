"""Tables of docs/model.md: every chapter with its inputs and lines, as they are written."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable

from tco.declare import Chapter, Given, Line
from tco.lines.library import ALL, load
from tco.scenario.schema import Scenario
from tco.scenario.walk import schema_leaves
from tests.docs.scenario_tables import in_catalogue
from tests.docs.tables import listed, table


def all_lines() -> list[Line]:
    """Every line of every chapter; a name may stand in several."""
    return [item for part in ALL for item in load(part).lines.values()]


def chapter_of(part: str) -> Callable[[str], str]:
    """The block of one chapter."""
    return lambda _: "\n".join([*_inputs(load(part)), *_lines(load(part))])


def _inputs(part: Chapter) -> list[str]:
    if not part.givens:
        return []
    stated = schema_leaves(Scenario)
    rows = [
        (f"`{name}`", item.label, item.unit or "number", _from(name, stated.get(name, ""), item))
        for name, item in part.givens.items()
    ]
    return ["Inputs:", "", table(("input", "label", "unit", "from"), rows), ""]


def _from(name: str, place: str, item: Given) -> str:
    if item.frame:
        return "the timeline"
    told = [f"`{place}`"] if place else []
    told += ["catalogue"] if name in in_catalogue() else []
    told += [f"default {item.default:g}"] if item.default is not None else []
    told += ["chosen by the engine"] if item.choice else []
    return "; ".join(told) or "what the scenario says elsewhere, else `inputs`"


def _lines(part: Chapter) -> list[str]:
    rows = [
        (f"`{name}`", item.label, item.unit or "number", formula(item), item.doc, _belongs(item))
        for name, item in part.lines.items()
    ]
    return ["Lines:", "", table(("line", "label", "unit", "formula", "why", "part of"), rows)]


def formula(item: Line) -> str:
    """The formula as its author wrote it; what adds up parts or picks a way names them."""
    if "parts" in item.parameters:
        names = [other.name for other in all_lines() if item.name in other.part_of]
        return f"sum of {listed([f'`{name}`' for name in dict.fromkeys(names)])}"
    if "choice" in item.parameters:
        names = [other.name for other in all_lines() if other.choice_of == item.name]
        return f"one of {listed([f'`{name}`' for name in dict.fromkeys(names)])}"
    return f"`{written(item)}`"


def written(item: Line) -> str:
    """The statements of a line without its docstring, on one row."""
    source = textwrap.dedent(inspect.getsource(item.function))
    function = ast.parse(source).body[0]
    assert isinstance(function, ast.FunctionDef)
    pieces = list[str]()
    for statement in function.body:
        if isinstance(statement, ast.Return):
            assert statement.value is not None
            pieces.append(_flat(ast.get_source_segment(source, statement.value) or ""))
        elif isinstance(statement, ast.Assign):
            pieces.append(_flat(ast.get_source_segment(source, statement) or ""))
    return "; ".join(pieces)


def _flat(text: str) -> str:
    return " ".join(text.split()).replace("( ", "(").replace(" )", ")")


def _belongs(item: Line) -> str:
    told = [f"`{name}`" for name in item.part_of]
    return ", ".join([*told, *([f"a way to compute `{item.choice_of}`"] if item.choice_of else [])])
