"""Which column holds what, by the heads of the table; and which price a line carries, by its words."""

from __future__ import annotations

import re

from tco.errors import did_you_mean
from tco.importing.quotes.cells import Asked, Findings, Grid, letters, words
from tco.scenario.quotes import KINDS

FIELDS = ("item", "part", "quantity", "price", "amount", "carries")
NEEDED = ("item", "quantity", "price")
HEADS: dict[str, tuple[str, ...]] = {
    "item": ("item", "description", "item description", "product", "article", "artikel", "bezeichnung", "beschreibung",
             "artikelbezeichnung", "leistung", "désignation", "product description", "product name", "item name"),
    "part": ("part", "part no", "part nr", "part number", "part #", "p/n", "pn", "sku", "mpn", "article no",
             "artikelnr", "artikel nr", "artikelnummer", "art nr", "teilenummer", "product code", "product no",
             "item no", "item number", "référence"),
    "quantity": ("quantity", "qty", "menge", "anzahl", "stück", "stk", "quantité", "qté", "units", "pcs"),
    "price": ("unit price", "price", "net unit price", "unit net price", "price per unit", "price each", "each",
              "einzelpreis", "preis", "stückpreis", "e preis", "ep", "prix unitaire", "unit cost"),
    "amount": ("amount", "total", "line total", "extended", "extended price", "ext price", "total price",
               "gesamtpreis", "gesamt", "betrag", "g preis", "gp", "montant", "net amount", "line amount"),
    "carries": ("carries",),
}  # fmt: skip
_CODES = re.compile(r"\b(usd|eur|gbp|chf|jpy|cny|inr|cad|aud|sek|nok|dkk|pln|sgd|krw)\b")
SEARCHED = 200

CARRIED: tuple[tuple[str, str], ...] = (
    ("system", r"discount|rabatt|nachlass|remise|rebate"),
    ("installation", r"install|montage|inbetriebnahme|commission|rack.and.stack|einbau|aufbau"),
    ("freight", r"freight|shipping|versand|fracht|lieferung|delivery|transport"),
    ("licences", r"licen[cs]e|lizenz|subscription|enterprise"),
    ("support", r"support|maintenance|wartung|service.plan|care.pack"),
    ("services", r"training|schulung|consult|beratung|project.management|projektleitung|services?\b"),
    ("spare_parts", r"spare|ersatzteil"),
    ("management", r"management.node|head.node|login.node|jump"),
    ("network", r"switch|transceiver|optic|cable|kabel|infiniband|ethernet|network|netzwerk|osfp|qsfp|\bdac\b|\bnic\b"),
    ("racks", r"\brack|pdu|\bups\b|\busv\b|cabinet|schrank"),
    ("storage", r"storage|speichersystem|nvme.shelf|\bnas\b|\bjbo[df]\b"),
    ("software", r"software"),
    ("system", r"server|system|workstation|node|\bhgx\b|\bdgx\b|chassis"),
    ("component", r"memory|\bdimm|\bram\b|\bcpu|\bssd|\bnvme|power.supply|netzteil|rail"),
    ("accelerator", r"\bgpu|accelerator|beschleuniger|\bh[12]00\b|\bb[23]00\b|\bmi3\d\d"),
)  # fmt: skip
"""Tried in this order on the first part of a line's text; what is found is told, never silent."""


def find_columns(grid: Grid, asked: Asked, found: Findings) -> tuple[int, dict[str, int]]:
    """The row of the heads and the column of each field; a problem where that is not clear."""
    if asked.header:
        candidates = [asked.header - 1] if 0 < asked.header <= len(grid.rows) else []
    else:
        candidates = list(range(min(len(grid.rows), SEARCHED)))
    named = {row: _named(grid, row, asked) for row in candidates}
    row = max(named, key=lambda one: (len(named[one]), -one), default=None)
    if row is None or not set(NEEDED) <= set(named[row]):
        known = named[row] if row is not None else {}
        missing = " and ".join(name for name in NEEDED if name not in known)
        heads = ", ".join(f"`{cell.text}`" for _, cell in grid.filled(row)) if row is not None else ""
        where = f"; row {row + 1} has {heads[:300]}" if row is not None and heads else ""
        told = f"no row has heads for {missing}{where}; state `--map {missing.split(' ')[0]}=HEAD`"
        found.wrong(grid.name, told)
        return 0, {}
    columns = {name: places[0] for name, places in named[row].items()}
    for name, places in named[row].items():
        if len(places) > 1:
            both = " and ".join(f"{letters(one)} `{grid.cell(row, one).text}`" for one in places)
            found.wrong(grid.cell(row, places[0]).place, f"{both} may be the {name}; state `--map {name}=HEAD`")
    _unknown(grid, row, asked, found)
    told = ", ".join(f"{name} = {letters(one)} `{grid.cell(row, one).text}`" for name, one in columns.items())
    found.note(f"columns of row {row + 1}: {told}")
    return row, columns


def _named(grid: Grid, row: int, asked: Asked) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    stated = {name: head.strip().lower() for name, head in asked.columns.items()}
    for column, cell in grid.filled(row):
        text, plain = cell.text.lower(), _CODES.sub("", words(cell.text)).strip()
        for name in FIELDS:
            if name in stated:
                fits = stated[name] in (text, letters(column).lower())
            else:
                fits = plain in HEADS[name] and text not in stated.values()
            if fits:
                found.setdefault(name, []).append(column)
    return found


def _unknown(grid: Grid, row: int, asked: Asked, found: Findings) -> None:
    heads = {cell.text.lower() for _, cell in grid.filled(row)}
    heads |= {letters(index).lower() for index in range(len(grid.rows[row]))}
    for name, head in asked.columns.items():
        if name not in FIELDS:
            known = f"{did_you_mean(name, FIELDS)}; known are {', '.join(FIELDS)}"
            found.wrong("--map", f"`{name}` is not a column that is read{known}")
        elif head.strip().lower() not in heads:
            found.wrong("--map", f"row {row + 1} has no head `{head}` for {name}{did_you_mean(head.lower(), heads)}")


def carried(item: str, part: str, place: str, stated: str, asked: Asked, found: Findings) -> str:
    """Which price a line carries: as stated, by its own column, or by its first words, which is told."""
    text = item.lower()
    for key, kind in asked.carries.items():
        if key.lower() in text or key.lower() in (part.lower(), place.lower(), place.rpartition("!")[2].lower()):
            return _known(kind, "--carries", found)
    if stated:
        return _known(stated.strip().lower().replace(" ", "_"), place, found)
    first = re.split(r"[;,(]|\b(?:incl|inkl|with|mit|including|for|für)\b", text)[0]
    kind = next((kind for kind, words_of in CARRIED if re.search(words_of, first)), "")
    if not kind:
        told = f'which price `{item[:60]}` carries is not clear; state `--carries "{item[:30]}=KIND"`'
        found.wrong(place, f"{told} with one of {', '.join(KINDS)}, nothing")
        return "nothing"
    found.note(f"guessed: {place} `{item[:60]}` carries {kind}")
    return kind


def _known(kind: str, place: str, found: Findings) -> str:
    if kind in KINDS or kind == "nothing":
        return kind
    found.wrong(place, f"`{kind}` is not carried by a line{did_you_mean(kind, KINDS)}; known are {', '.join(KINDS)}")
    return "nothing"
