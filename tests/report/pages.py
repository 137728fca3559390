"""A page as tests read it, the committed scenarios, and text that wants to be more than text."""

# pyright: basic
from __future__ import annotations

import functools
import json
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from tco.result import Alert, Result
from tco.session import load

SCENARIOS = Path(__file__).parents[2] / "scenarios"
VOID = {"meta", "link", "img", "br", "hr", "input", "rect", "path", "circle"}
CELLS = {"td", "th"}

HOSTILE = {
    "script": "<script>alert(1)</script>",
    "attribute": '" onmouseover="alert(1)" x=\'',
    "style": "</style><style>*{display:none}</style>",
    "css": '"} body{display:none} @page{content:"',
    "comment": "--><!-- <![CDATA[",
    "template": "{{ 7 * 7 }}{% raw %}${7*7}",
    "address": "javascript:alert(1)",
    "svg": "</text></svg><svg onload=alert(1)>",
    "entity": "&lt;b&gt;&#x3c;img src=x onerror=alert(1)&#x3e;",
    "direction": "safe\u202egnp.exe\u2066\u200f\u061c",
    "controls": "a\x00b\x1bc\x7fd\x85e\ud800f",
    "long": "W" * 10_000,
    "lines": "one\ntwo\r\n\tthree",
}


def poisoned(result: Result, text: str) -> Result:
    """The result with the text in every field that a user or the catalogue writes."""
    result.scenario = {**result.scenario, "title": text, "file": f"dir/{text}"}
    result.left_out = [text]
    result.warnings = [Alert(text, text, text), Alert("not-the-same-quality", "", text)]
    for fleet in result.fleets:
        fleet.name = fleet.model_id = fleet.precision = text
        fleet.reasons = [text] if fleet.verdict != "ok" else []
        told = {"source": text, "note": text, "origin": text}
        fleet.inputs = {name: replace(figure, **told) for name, figure in fleet.inputs.items()}
    return result


TEXTS = {
    "title": 200, "name": 200, "supplier": 200, "item": 200, "part": 200, "incoterm": 200, "source": 1_000,
    "note": 2_000, "terms": 2_000, "reason": 2_000,
}  # fmt: skip
"""Keys of a scenario that hold text, and the most characters that each takes."""


def defaced(text: str) -> str:
    """The procurement as its file would be, with this text in every field that holds text, as long as allowed."""
    scenario = load(SCENARIOS / "procurement.yaml").document.data
    scenario = {**scenario, "fleets": [{**fleet, "name": ""} for fleet in scenario["fleets"]]}
    return json.dumps(_with(scenario, text))


def _with(part: Any, text: str) -> Any:
    if isinstance(part, list):
        return [_with(one, text) for one in part]
    if isinstance(part, dict):
        return {key: text[: TEXTS[key]] if key in TEXTS else _with(one, text) for key, one in part.items()}
    return part


@functools.cache
def ran(name: str) -> Result:
    """The result of a committed scenario; never changed, always copied."""
    return load(SCENARIOS / f"{name}.yaml").run()


@dataclass
class Page(HTMLParser):
    """What tests ask of a page: its elements in order with attributes and text, and whether tags close in order."""

    source: str
    elements: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    texts: dict[int, str] = field(default_factory=dict)
    open: list[tuple[str, int]] = field(default_factory=list)
    strays: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.feed(self.source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "wbr":  # where a long word may break: no part of what is told
            return
        if tag in CELLS:
            self._end_cell()
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append((tag, len(self.elements) - 1))

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        if tag == "tr":
            self._end_cell()
        if not self.open or self.open[-1][0] != tag:
            self.strays.append(tag)
        else:
            self.open.pop()

    def _end_cell(self) -> None:
        """A cell ends where the next one starts or its row ends, also without an end tag."""
        if self.open and self.open[-1][0] in CELLS:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        for _, index in self.open:
            self.texts[index] = self.texts.get(index, "") + data

    def named(self, tag: str) -> list[dict[str, str]]:
        """The attributes of every element of a tag."""
        return [attributes for name, attributes in self.elements if name == tag]

    def text(self, tag: str) -> list[str]:
        """The text of every element of a tag."""
        places = [index for index, (name, _) in enumerate(self.elements) if name == tag]
        return [self._words(index) for index in places]

    def _words(self, index: int) -> str:
        return " ".join(self.texts.get(index, "").split())

    def rows(self, table: str) -> list[list[tuple[str, dict[str, str]]]]:
        """The rows of the table with this id, as (text, attributes) of their cells."""
        start = self.elements.index(
            next(one for one in self.elements if one[0] == "table" and one[1].get("id") == table)
        )
        found: list[list[tuple[str, dict[str, str]]]] = []
        for index in range(start + 1, len(self.elements)):
            name, attributes = self.elements[index]
            if name == "table":
                break
            if name == "tr":
                found.append([])
            elif name in ("td", "th"):
                found[-1].append((self._words(index), attributes))
        return found
