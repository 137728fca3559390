"""Drawings of a page for a printer that styles no SVG by the stylesheet of its page: each takes its rules inside."""

from __future__ import annotations

import re

_SHEET = re.compile(r"<style>(.*?)</style>", re.DOTALL)
_DARK = re.compile(r"@media \(prefers-color-scheme:dark\)\{:root\{[^}]*\}\}")
_NAMED = re.compile(r"--([\w-]+):([^;}]+)")
_USED = re.compile(r"var\(--([\w-]+)\)")
_MEDIA = re.compile(r"@media [^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")
_RULE = re.compile(r"([^{}@;]+)\{([^{}]*)\}")
_DRAWS = re.compile(r"(?:^|;)(?:fill|stroke|text-anchor|font)")
_HALO = re.compile(r"(?:^|;)(?:paint-order|stroke|stroke-width|stroke-linejoin):[^;]*")
_PATTERN = re.compile(r"<defs><pattern id=\"hatch\".*?</pattern></defs>", re.DOTALL)
_DRAWING = re.compile(r"(<svg\b[^>]*>)(.*?)</svg>", re.DOTALL)
HATCHED = "residual_cost"


def drawn(html: str) -> str:
    """The page with its rules for drawings, in the colours of print, inside of each drawing."""
    sheet = _SHEET.search(html)
    pattern = _PATTERN.search(html)
    if sheet is None:
        return html
    style = f"<style>{''.join(_rules(_DARK.sub('', sheet[1])))}</style>"

    def filled(match: re.Match[str]) -> str:
        lacks = pattern and HATCHED in match[2] and not _PATTERN.search(match[2])
        return f"{match[1]}{style}{pattern[0] if lacks and pattern else ''}{match[2]}</svg>"

    return _DRAWING.sub(filled, html)


def _rules(sheet: str) -> list[str]:
    """What draws, with every colour in the place of its name; the last one of a name is that of print."""
    colours = dict(_NAMED.findall(sheet))
    found: list[str] = []
    for selector, told in _RULE.findall(_MEDIA.sub("", sheet)):
        if not _DRAWS.search(told) or ":" in selector:
            continue
        plain = _HALO.sub("", told) if "paint-order" in told else told  # it would hide the letters, not surround them
        found.append(f"{selector.strip()}{{{_USED.sub(lambda match: colours.get(match[1], 'none'), plain)}}}")
    return found
