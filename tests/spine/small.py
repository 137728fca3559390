"""Small models for tests: a module from its text, and inputs of a timeline."""

from __future__ import annotations

import textwrap
from types import ModuleType
from typing import Any

import pytest

from tco.declare import Chapter, chapter
from tco.errors import ModelError
from tco.model import Model, build

HEAD = "from tco.declare import given, line\nfrom tco.vocabulary import *\nhalf = half\n"


def module(text: str, name: str = "small") -> Chapter:
    """A chapter from source text; line 1 of the text is line 1 of `small.py`."""
    made = ModuleType(name)
    exec(HEAD, vars(made))
    exec(compile(textwrap.dedent(text).lstrip("\n"), f"{name}.py", "exec"), vars(made))
    made.__doc__ = f"The chapter {name}."
    return chapter(made)


def shapes(*chapters: Chapter) -> dict[str, Any]:
    """Every input of the chapters that has no scope, as given."""
    return {name: item.shape for part in chapters for name, item in part.givens.items() if not item.scope}


def model(text: str, **options: Any) -> Model:
    """The model of one chapter with all its inputs given."""
    part = module(text)
    return build([part], options.pop("available", shapes(part)), **options)


def mistakes(text: str, **options: Any) -> list[str]:
    """What the model of one chapter is refused for."""
    with pytest.raises(ModelError) as caught:
        model(text, **options)
    return caught.value.mistakes
