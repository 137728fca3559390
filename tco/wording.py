"""Numbers and texts as a reader sees them: one rounding everywhere, nothing that could steer the page."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from typing import Any

from markupsafe import Markup, escape

_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
_CODE = re.compile("`([^`]{1,200})`")
NOTHING = "–"
MINUS = "−"


def clean(value: Any) -> Any:
    """Text without control and direction characters; everything else, and finished markup, unchanged."""
    return _UNSEEN.sub("", value) if isinstance(value, str) and not isinstance(value, Markup) else value


def coded(value: Any) -> Any:
    """Words between backticks as `<code>`; everything in the text is escaped first."""
    if not isinstance(value, str) or isinstance(value, Markup) or "`" not in value:
        return value
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(clean(value)))))


def shortened(text: str, length: int) -> str:
    """The text, cut with an ellipsis where it is longer."""
    text = " ".join(str(clean(text)).split())
    return text if len(text) <= length else f"{text[: length - 1].rstrip()}…"


def css_string(text: str) -> str:
    """The text as a CSS string in which nothing but letters and digits stands for itself."""
    letters = (letter if letter.isascii() and letter.isalnum() else f"\\{ord(letter):06x}" for letter in text)
    return f'"{"".join(letters)}"'


def fixed(value: float, decimals: int) -> str:
    """So many decimals, thousands apart, never a negative zero."""
    text = f"{abs(value):,.{decimals}f}"
    return f"{MINUS}{text}" if value < 0 and text.strip("0.,") else text


def money(value: float) -> str:
    """Whole units."""
    return fixed(value, 0)


def decimals_of(value: float) -> int:
    """Decimals that leave four significant digits."""
    if not value or not math.isfinite(value):
        return 2
    power = int(f"{abs(value):.3e}".split("e")[1])
    return min(max(0, 3 - power), 12)


def significant(value: float) -> str:
    """Four significant digits, whole numbers from 1,000 on."""
    if value and not 1e-9 <= abs(value) < 1e15:
        return f"{value:.3e}".replace("-", MINUS)
    return fixed(value, decimals_of(value))


def even(values: Iterable[float | None]) -> Callable[[float], str]:
    """One number of decimals for all: four digits of the smallest, unless the largest makes that absurd."""
    sizes = [abs(value) for value in values if value and math.isfinite(value)]
    if not sizes or max(sizes) < 1e-9:
        return significant
    digits = min(decimals_of(min(sizes)), decimals_of(max(sizes)) + 3)
    return lambda value: fixed(value, digits)


def plain(value: float) -> str:
    """Four significant digits without the zeros that say nothing: 4, 0.12, 5,266,893."""
    text = significant(value)
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text


def percent(share: float, decimals: int | None = None) -> str:
    """A share of one as per cent; small ones keep a digit."""
    size = abs(share) * 100
    digits = decimals if decimals is not None else (0 if size >= 10 or size == 0 else 1 if size >= 1 else 2)
    return f"{fixed(share * 100, digits)} %"


def exact(value: float, unit: str = "") -> str:
    """More digits, for a hover title."""
    return f"{value:,.10g} {unit}".strip()


def listed(words: list[str]) -> str:
    """Words in a sentence: a, b and c."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""


def apart(one: float, other: float, decimals: int) -> tuple[str, str]:
    """Two numbers with as many decimals as tell them apart."""
    while decimals < 6 and one != other and fixed(one, decimals) == fixed(other, decimals):
        decimals += 1
    return fixed(one, decimals), fixed(other, decimals)


def counted(number: float, noun: str) -> str:
    """A number with its noun in the right form."""
    return f"{plain(number)} {noun}{'' if number == 1 else 's'}"
