"""Looks by role, from one table, and number formats by unit."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

Style = str | tuple[str, str]

INPUT_BLUE, INPUT_YELLOW, LINK_GREEN, QUIET, NAVY, RED = (
    "#0000FF",
    "#FFF2CC",
    "#006100",
    "#595959",
    "#1F3864",
    "#C00000",
)
TABS = {"control": "#1F3864", "presentation": "#BF8F00", "foundation": "#0000FF", "workings": "#7F7F7F"}
PALETTE = ("#1F3864", "#2E75B6", "#9DC3E6", "#BF8F00", "#7F7F7F", "#548235", "#C55A11")
"""Colours of fleets."""

_LINE = {"border": 4, "border_color": "#A6A6A6"}
_HEAD = {"bold": True, "font_color": "#FFFFFF", "bg_color": NAVY, "text_wrap": True, "valign": "vcenter"}

ROLES: dict[str, dict[str, Any]] = {
    "text": {"quote_prefix": True, "valign": "top"},
    "wrapped": {"quote_prefix": True, "text_wrap": True, "valign": "top", "align": "left", "indent": 1},
    "wrapped names": {"quote_prefix": True, "text_wrap": True, "valign": "top", "align": "left", "indent": 1},
    "quiet": {"font_color": QUIET, "quote_prefix": True, "valign": "top"},
    "title": {"bold": True, "font_size": 14, "font_color": NAVY, "quote_prefix": True},
    "subtitle": {"font_color": QUIET, "quote_prefix": True},
    "sentence": {"bold": True, "font_size": 12, "font_color": NAVY, "text_wrap": True, "valign": "vcenter"},
    "section": {"bold": True, "font_color": NAVY, "bg_color": "#DDE6F2", "quote_prefix": True},
    "section link": {"font_color": LINK_GREEN, "underline": 1, "bg_color": "#DDE6F2", "quote_prefix": True},
    "heading": _HEAD,
    "heading right": {**_HEAD, "align": "right"},
    "heading inside": {**_HEAD, "align": "left", "indent": 1},
    "label": {"quote_prefix": True, "valign": "top"},
    "label wrapped": {"quote_prefix": True, "valign": "top", "text_wrap": True},
    "wrapped quiet": {
        "quote_prefix": True,
        "text_wrap": True,
        "valign": "top",
        "align": "left",
        "indent": 1,
        "font_color": QUIET,
    },
    "id": {"font_color": QUIET, "quote_prefix": True, "valign": "top", "text_wrap": True},
    "label greyed": {"font_color": QUIET, "italic": True, "quote_prefix": True, "valign": "top", "text_wrap": True},
    "unit": {"font_color": QUIET, "quote_prefix": True, "valign": "top", "text_wrap": True},
    "input": {"font_color": INPUT_BLUE, "bg_color": INPUT_YELLOW, "locked": False, "valign": "top", **_LINE},
    "input text": {
        "font_color": INPUT_BLUE,
        "locked": False,
        "text_wrap": True,
        "valign": "top",
        "quote_prefix": True,
        **_LINE,
    },
    "input sample": {"font_color": INPUT_BLUE, "bg_color": INPUT_YELLOW, "valign": "top", **_LINE},
    "structure": {"bg_color": "#EDEDED", "valign": "top", **_LINE},
    "structure left": {"bg_color": "#EDEDED", "valign": "top", "align": "left", **_LINE},
    "static": {"valign": "top", "align": "right", "indent": 1},
    "step": {"valign": "top", "align": "right", "indent": 1, "font_color": QUIET, "italic": True},
    "number": {"valign": "top"},
    "plain": {"num_format": "General"},
    "right": {"align": "right", "valign": "top"},
    "left": {"align": "left", "valign": "top"},
    "left inside": {"align": "left", "valign": "top", "indent": 1, "quote_prefix": True},
    "state": {"align": "left", "valign": "top", "indent": 1, "text_wrap": True},
    "place": {"align": "center", "valign": "top", "num_format": "0"},
    "issued": {"align": "right", "valign": "top", "bg_color": "#EDEDED"},
    "wrapped right": {"quote_prefix": True, "text_wrap": True, "valign": "top", "align": "right"},
    "total right": {"top": 1, "bold": True, "align": "right", "valign": "top"},
    "sentence line": {"bold": True, "font_size": 12, "font_color": NAVY},
    "line number": {"font_color": QUIET, "align": "right", "valign": "top", "num_format": "0"},
    "code": {"font_name": "Courier New", "font_size": 9, "quote_prefix": True, "text_wrap": True, "valign": "top"},
    "absent": {"align": "right", "valign": "top", "font_color": QUIET},
    "words": {"align": "right", "valign": "top"},
    "link": {"font_color": LINK_GREEN, "valign": "top", "align": "right"},
    "link wrapped": {"font_color": LINK_GREEN, "valign": "top", "align": "right", "text_wrap": True},
    "link left": {"font_color": LINK_GREEN, "valign": "top"},
    "link right": {"font_color": LINK_GREEN, "underline": 1, "align": "right", "valign": "top"},
    "link text": {"font_color": LINK_GREEN, "underline": 1},
    "greyed": {"font_color": QUIET, "italic": True, "valign": "top"},
    "total": {"top": 1, "bold": True, "valign": "top"},
    "row total": {"bold": True, "valign": "top"},
    "headline": {"font_color": LINK_GREEN, "bold": True, "align": "right", "valign": "top"},
    "headline wrapped": {"font_color": LINK_GREEN, "bold": True, "align": "right", "valign": "top", "text_wrap": True},
    "check": {"bold": True, "font_color": LINK_GREEN},
    "flag": {"align": "right", "valign": "top", "num_format": "0"},
    "alarm": {"bold": True, "font_color": "#FFFFFF", "bg_color": RED},
}

DATE, MONTH = "yyyy-mm-dd", "mmm yy"
MONEY = '#,##0;[Red]-#,##0;"-"'
COUNT = "#,##0;[Red]-#,##0;0"
CENTS = '#,##0.00;[Red]-#,##0.00;"-"'
SHARE = "0.0%"
SHARES = {
    "share", "utilization", "availability", "downtime", "goodput", "efficiency", "ceiling", "hit", "timing", "always",
    "billed", "rate", "loss",
}  # fmt: skip
"""A name with one of these words is a share, if its unit is that of a plain number."""
YEARLY = {"rate", "trend", "growth", "escalation", "inflation", "share", "irr", "mirr"}
"""With one of these it is a share a year, if its unit is `1/yr`."""


class Styles(dict[Style, Any]):
    """Formats by role and number format, made when first asked for."""

    def __init__(self, make: Callable[[str, dict[str, Any]], Any]) -> None:
        super().__init__()
        self._make = make

    @property
    def alarm(self) -> Any:
        """For conditional formats: red ground, the words say the same."""
        return self["alarm"]

    def __missing__(self, style: Style) -> Any:
        role, number = style if isinstance(style, tuple) else (style, "")
        look = {**ROLES[role], **({"num_format": number} if number else {})}
        self[style] = self._make(f"tco {role}", look)
        return self[style]


def number_format(name: str, unit: str, values: Iterable[Any]) -> str:
    """How a row is shown, by its unit and the size of its numbers; one format a row."""
    sizes = {abs(value) for value in values if not isinstance(value, str) and math.isfinite(value)}
    largest = max(sizes, default=0.0)
    if is_share(name, unit):
        return _share_format([size * 100 for size in sizes])
    if largest < 1e15 and all(size == int(size) for size in sizes):
        return COUNT if "/" in unit or not unit or largest < 1e3 else MONEY
    if largest >= 1e15 or largest < 1e-3:
        return "0.000E+00"
    if largest >= 1e4:
        return MONEY
    decimals = 2 if largest >= 10 else 3 if largest >= 1 else 4 if largest >= 0.1 else 5 if largest >= 0.01 else 6
    return f"#,##0.{'0' * decimals};[Red]-#,##0.{'0' * decimals}"


def is_share(name: str, unit: str) -> bool:
    """Whether a plain number is shown per cent."""
    words = set(name.split("_"))
    return bool(words & SHARES) if unit in ("", "1", "%") else unit == "1/yr" and bool(words & YEARLY)


def _share_format(parts: list[float]) -> str:
    """One decimal; two where two hold the number and one does not, or where it is below one per cent."""
    largest = max(parts, default=0.0)
    if largest >= 1000:
        return "#,##0.0%"
    if all(abs(part - round(part, 1)) < 1e-7 for part in parts):
        return SHARE
    exact = all(abs(part - round(part, 2)) < 1e-7 for part in parts)
    return "0.00%" if exact or largest < 1 else SHARE
