"""The index page of a batch: what failed, then every scenario with its answer and its files."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from jinja2 import Environment
from markupsafe import Markup

from tco.batch.identity import engine
from tco.batch.record import FAILED, NONE, Record
from tco.pages import environment, template
from tco.wording import money, percent, significant

SHOWN = 2000
"""Scenarios, and problems, that the page lists: a browser opens it at once. All are in the summary."""


def write(file: BinaryIO, records: Iterable[Record], tables: Iterable[tuple[str, str]]) -> None:
    """Write the page. Same records, same bytes."""
    rows, failed, none, counts = list[Record](), list[Record](), list[Record](), {"all": 0, FAILED: 0, NONE: 0}
    for one in records:
        counts["all"] += 1
        counts[one.state] = counts.get(one.state, 0) + 1
        for room in (rows, *([failed] if one.state == FAILED else [none] if one.state == NONE else [])):
            if len(room) < SHOWN:
                room.append(one)
    page = _environment().get_template("batch.html.j2")
    parts: Iterator[str] = page.generate(
        style=Markup(template("style.css")), rows=rows, failed=failed, unable=none, counts=counts, tables=list(tables),
        shown=SHOWN, engine=engine(),
    )  # fmt: skip
    for part in parts:
        file.write(part.encode())
    file.write(b"\n")


@functools.cache
def _environment() -> Environment:
    return environment(significant=significant, money=money, percent=percent)
