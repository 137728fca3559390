"""Tables of docs/vocabulary.md: the words in four languages, and the named constants."""

from __future__ import annotations

import re

from tco.declare import Chapter, chapter
from tco.model import Model, TracedLine, build
from tco.printers import javascript, python
from tco.printers.excel import Frame, formula
from tco.printers.text import sentence, source_text
from tco.units import CONSTANTS
from tests.docs import words
from tests.docs.tables import table


def _model() -> tuple[Chapter, Model]:
    part = chapter(words)
    return part, build([part], {name: item.shape for name, item in part.givens.items()})


def side_by_side(_: str) -> str:
    """Each word: how it is written, and what the four printers make of it."""
    part, model = _model()
    frame = _frame(part, model)
    parts = list[str]()
    for name, item in model.lines.items():
        rows = [
            ("line", _code(source_text(item.expression))),
            ("numpy", _code(_numpy(model, name))),
            ("Excel, period 3", _code(f"={formula(item.expression, frame).format(c='I', p='H')}")),
            ("JavaScript", _code(_script(model, name))),
            ("words", sentence(item.expression, lambda key: _label(model, key))),
        ]
        parts += [f"**{item.doc}**", "", table(("", ""), rows), ""]
    return "\n".join(parts).rstrip()


def _code(text: str) -> str:
    return f"`{text}`"


def _label(model: Model, name: str) -> str:
    found: TracedLine | object = model.lines.get(name) or model.inputs.get(name)
    return getattr(found, "label", name)


def _frame(part: Chapter, model: Model) -> Frame:
    """Rows as on a calculation sheet: the period number in row 2, the fiscal year in row 3, the rest from row 10."""
    rows = {"period_number": 2, "fiscal_year": 3}
    for name in (*part.givens, *part.lines):
        rows.setdefault(name, 8 + len(rows))
    return Frame(lambda name: f"$D${rows[name]}", rows.__getitem__, "N", group=frozenset({"stock"}))


def _numpy(model: Model, name: str) -> str:
    text = python.source(model, [name])
    found = re.search(rf"^ *{name}(?:\.append\((.*)\)| = (?!\[|joined)(.*))$", text, re.MULTILINE)
    assert found, text
    return found[1] or found[2]


def _script(model: Model, name: str) -> str:
    text = javascript.source(model, [name])
    found = re.search(rf"^ *(?:{name}\.push\((.*)\)|const {name} = (?!\[\])(.*));$", text, re.MULTILINE)
    assert found, text
    return found[1] or found[2]


def rows_of_example(_: str) -> str:
    """Which row the Excel formulas mean."""
    part, model = _model()
    frame = _frame(part, model)
    names = [name for name in part.givens if part.givens[name].shape != "table"]
    return ", ".join(f"`{name}` {frame.row(name)}" for name in names)


def constants(_: str) -> str:
    """Every named constant with its value."""
    return table(("name", "value"), [(f"`{name}`", f"{value!r}") for name, value in CONSTANTS.items()])
