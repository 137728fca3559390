"""What stands around the table of an offer: its number, its dates, its currency, its terms."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tco.importing.quotes.cells import Asked, Cell, Findings, Grid, clean, words
from tco.importing.quotes.numbers import UNCLEAR, date_of, written
from tco.units import CURRENCIES

LABELS: dict[str, str] = {
    "number": r"(angebot|angebots|quote|quotation|offer|devis|proposal)s? ?(nr|no|number|nummer|id|ref|reference|#)",
    "valid_until": r"(valid|gültig|expire|expiry|validity|bindefrist|offer ends).*",
    "date": r"((quote|quotation|offer|angebots?|issue) ?)?(date|datum)|dated|issued",
    "currency": r"currency|währung|devise",
    "supplier": r"supplier|vendor|seller|anbieter|lieferant|from",
    "lead_time": r"lead ?time|delivery time|lieferzeit|time of delivery",
    "warranty": r"warranty|garantie|gewährleistung|guarantee",
    "incoterm": r"incoterms?.*|delivery terms|lieferbedingung(en)?",
    "terms": r"(payment )?terms( of payment)?|zahlungs(bedingung(en)?|ziel)|conditions",
}
DATES = ("date", "valid_until")
UNITS = {"day": "day", "tag": "day", "week": "week", "woche": "week", "month": "month", "monat": "month",
         "year": "yr", "yr": "yr", "jahr": "yr"}  # fmt: skip
_TIME = re.compile(rf"([0-9]+) ?-?({'|'.join(UNITS)})", re.IGNORECASE)
_NEEDED = {"supplier": "--supplier NAME", "number": "--number NUMBER", "date": "--date YYYY-MM-DD",
           "currency": "--currency EUR"}  # fmt: skip


def read_head(grid: Grid, head: int, around: Iterable[int], asked: Asked, found: Findings) -> dict[str, str]:
    """Fields of the offer that the file tells; what the caller states stands above them. Dates as YYYY-MM-DD."""
    told = dict[str, str]()
    for row in around:
        cells = [cell for _, cell in grid.filled(row)]
        for index, cell in enumerate(cells):
            name, value = _labelled(cell, cells[index + 1] if index + 1 < len(cells) else None)
            if name and value and name not in told:
                told[name] = _read(name, value, asked, found)
    told |= {name: text for name, text in asked.told.items() if text}
    for name in DATES:
        if asked.told.get(name):
            told[name] = date_of(Cell(f"--{name.replace('_', '-')}", asked.told[name]), asked.date_order, found)
    for name in ("lead_time", "warranty"):
        if told.get(name):
            told[name] = period(told[name], name, found)
    return {name: text for name, text in told.items() if text}


def _labelled(cell: Cell, right: Cell | None) -> tuple[str, Cell | None]:
    """The field that a cell names, with its value in the same cell behind a colon, or in the next one."""
    label, _, rest = cell.text.partition(":")
    name = next((name for name, pattern in LABELS.items() if re.fullmatch(pattern, words(label))), "")
    if not name or cell.problem:
        return "", None
    return name, Cell(cell.place, rest.strip()) if rest.strip() else right


def _read(name: str, cell: Cell, asked: Asked, found: Findings) -> str:
    if name in DATES and not asked.told.get(name):
        return date_of(cell, asked.date_order, found)
    return cell.text


def period(text: str, name: str, found: Findings) -> str:
    """`10 weeks`, `3 Jahre` or `36 months` as a quantity; what is none is told and left out."""
    match = _TIME.search(text)
    if not match:
        found.note(f"{name.replace('_', ' ')} `{clean(text, 80)}` is not read as a time and left out")
        return ""
    return f"{int(match[1])} {UNITS[match[2].lower()]}"


def currency_of(told: dict[str, str], heads: list[str], cells: list[Cell], found: Findings) -> str:
    """The one currency that the file and the caller agree on."""
    places: dict[str, str] = {}
    if told.get("currency"):
        places[told["currency"].upper()[:3]] = "stated"
    for text in heads:
        for code in re.findall(r"\b[A-Z]{3}\b", text):
            if code in CURRENCIES:
                places.setdefault(code, f"the head `{text}`")
        if "€" in text:
            places.setdefault("EUR", f"the head `{text}`")
    unclear = ""
    for cell in cells:
        one = written(cell.value) if isinstance(cell.value, str) else None
        if one and one.currency:
            places.setdefault(one.currency, cell.place)
        elif one and one.unclear:
            unclear = unclear or f"{cell.place}: `{one.unclear}` may be {UNCLEAR[one.unclear]}"
    if len(places) > 1:
        both = " and ".join(f"{code} ({place})" for code, place in places.items())
        found.wrong("", f"prices are in {both}; an offer is in one currency")
    elif not places:
        found.wrong("", f"{unclear or 'the currency is not told'}; state `{_NEEDED['currency']}`")
    code = next(iter(places), "")
    if code and code not in CURRENCIES:
        found.wrong("", f"`{code}` is not a currency known here; wanted one of {', '.join(CURRENCIES)}")
    return code


def check_needed(told: dict[str, str], found: Findings) -> None:
    """What an offer cannot be without."""
    for name, option in _NEEDED.items():
        if not told.get(name) and name != "currency":
            found.wrong("", f"the {name} of the offer is not told by the file; state `{option}`")
