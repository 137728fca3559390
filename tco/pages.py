"""Pages from templates, all made alike: every text is escaped and cleaned, and nothing undefined is shown."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined

from tco.wording import clean, coded


def environment(**forms: Any) -> Environment:
    """The templates of tco, with these filters beside `coded`."""
    made = Environment(
        loader=FunctionLoader(template), autoescape=True, undefined=StrictUndefined, finalize=clean, trim_blocks=True,
        lstrip_blocks=True, auto_reload=False,
    )  # fmt: skip
    made.filters |= {"coded": coded, **forms}  # pyright: ignore[reportUnknownMemberType]
    return made


def template(name: str) -> str:
    """The text of a template or stylesheet."""
    return files("tco").joinpath("templates", name).read_text("utf-8")
