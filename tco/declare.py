"""How a model is written: `given` names an input, `@line` a computed quantity, a module is a chapter."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Literal

Shape = Literal["one", "series", "table"]


@dataclass(frozen=True)
class Given:
    """A quantity that comes from outside.

    `scope` names an optional group: without any of its inputs the lines that need them are left out.
    `default` is a figure of an accepted convention, `reason` says which; without it absence is an error.
    `frame` marks the time axis itself, which the timeline supplies.
    """

    unit: str
    label: str
    name: str = ""
    scope: str = ""
    default: float | None = None
    reason: str = ""
    shape: Shape = "one"
    from_unit: str = ""
    minimum: float | None = None
    maximum: float | None = None
    frame: bool = False
    choice: bool = False
    part_of: tuple[str, ...] = ()
    chapter: str = ""
    place: str = ""


@dataclass(frozen=True, eq=False)
class Line:
    """A computed quantity: a noun, a unit, a sentence, an expression.

    `shadows` is the place of an earlier definition that this one hides in its module.
    """

    name: str
    unit: str
    label: str
    function: Callable[..., Any]
    parameters: tuple[str, ...]
    part_of: tuple[str, ...] = ()
    choice_of: str = ""
    doc: str = ""
    chapter: str = ""
    place: str = ""
    optional: bool = False
    shadows: str = ""


@dataclass(frozen=True)
class Chapter:
    """The inputs and lines of one module, in reading order."""

    name: str
    title: str
    givens: dict[str, Given] = field(default_factory=dict[str, Given])
    lines: dict[str, Line] = field(default_factory=dict[str, Line])


def given(
    unit: str,
    label: str,
    *,
    scope: str = "",
    default: float | None = None,
    reason: str = "",
    shape: Shape = "one",
    from_unit: str = "",
    minimum: float | None = None,
    maximum: float | None = None,
    frame: bool = False,
    choice: bool = False,
) -> Given:
    """Declare an input; its name is that of the module variable it is assigned to."""
    caller = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    return Given(
        unit, label, scope=scope, default=default, reason=reason, shape=shape, from_unit=from_unit, minimum=minimum,
        maximum=maximum, frame=frame, choice=choice, place=f"{Path(caller.f_code.co_filename).name}:{caller.f_lineno}",
    )  # fmt: skip


def line(
    unit: str, label: str = "", *, part_of: str | tuple[str, ...] = (), choice_of: str = "", optional: bool = False
) -> Callable[[Callable[..., Any]], Line]:
    """Declare a computed quantity; its name is the function's, its parents are the parameters.

    `part_of` names the subtotals that add it up. `choice_of` names the line that this is one way to compute.
    """

    def declare(function: Callable[..., Any]) -> Line:
        code, earlier = function.__code__, function.__globals__.get(function.__name__)
        return Line(
            name=function.__name__,
            unit=unit,
            label=label or function.__name__.replace("_", " ").capitalize(),
            function=function,
            parameters=_parameters(code),
            part_of=(part_of,) if isinstance(part_of, str) else part_of,
            choice_of=choice_of,
            doc=" ".join((function.__doc__ or "").split()),
            place=f"{Path(code.co_filename).name}:{code.co_firstlineno}",
            optional=optional,
            shadows=earlier.place if isinstance(earlier, Given | Line) else "",
        )

    return declare


def _parameters(code: CodeType) -> tuple[str, ...]:
    """The names of parameters, those with a star too; a signature of `inspect` takes ten times as long."""
    starred = (code.co_flags & inspect.CO_VARARGS > 0) + (code.co_flags & inspect.CO_VARKEYWORDS > 0)
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + starred]


def chapter(module: ModuleType) -> Chapter:
    """Collect a module's inputs and lines in the order they are written."""
    name = module.__name__.rsplit(".", 1)[-1]
    title = (module.__doc__ or name).strip().split("\n")[0].rstrip(".")
    found = vars(module)
    return Chapter(
        name,
        title,
        {key: replace(item, name=key, chapter=name) for key, item in found.items() if isinstance(item, Given)},
        {item.name: replace(item, chapter=name) for item in found.values() if isinstance(item, Line)},
    )
