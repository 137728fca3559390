"""A supplier's quote file as an offer of the scenario."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from tco.importing.quotes.cells import Asked, Findings, clean
from tco.importing.quotes.columns import carried, find_columns
from tco.importing.quotes.files import read_grid
from tco.importing.quotes.head import check_needed, currency_of, period, read_head
from tco.importing.quotes.lines import Line, Table, read_lines
from tco.importing.quotes.numbers import decimal_mark
from tco.importing.source import plain, refuse

LARGEST_NOTES = 60

ORDER = ("supplier", "number", "date", "valid_until", "fleet", "systems", "lead_time", "warranty", "incoterm", "terms")
BARE = ("date", "valid_until", "fleet", "systems", "lead_time", "warranty")
"""Fields that stand without quotes; all others are text from outside."""


@dataclass(frozen=True)
class ReadOffer:
    """An offer as a scenario writes it, with what was decided on the way."""

    fields: dict[str, str]
    items: list[dict[str, str]]
    notes: list[str]
    net: Decimal
    currency: str

    def block(self, indent: str = "    ") -> str:
        """The offer as an item of the list `quotes.offers`."""
        lines = [f"{name}: {_value(name, text)}" for name, text in self.fields.items()]
        rows = [", ".join(f"{name}: {text}" for name, text in item.items()) for item in self.items]
        lines += ["items:", *(f"  - {{{row}}}" for row in rows)]
        return "".join(f"{indent}{'- ' if index == 0 else '  '}{line}\n" for index, line in enumerate(lines))

    @property
    def yaml(self) -> str:
        """The section `quotes:` with this offer alone."""
        return f"quotes:\n  offers:\n{self.block()}"


def offer_from_file(path: str | Path, asked: Asked | None = None) -> ReadOffer:
    """Read a supplier's file. Raises ImportRefused with every problem and the address of its cell."""
    file, asked, found = Path(path), asked or Asked(), Findings()
    grid = read_grid(file, asked, found)
    head, columns = find_columns(grid, asked, found)
    if not columns:
        refuse(plain(file.name), found.problems)
    below = range(head + 1, len(grid.rows))
    names = [name for name in ("quantity", "price", "amount") if name in columns]
    cells = [grid.cell(row, columns[name]) for row in below for name in names if row not in grid.hidden_rows]
    mark = decimal_mark(cells, asked.decimal, found)
    texts = [cell for cell in cells if isinstance(cell.value, str) and file.suffix.lower() != ".csv"]
    table = read_lines(grid, head, columns, mark, asked, found)
    if texts:
        found.note(f"numbers stored as text were read as numbers where they are some, the first at {texts[0].place}")
    items_at = {line.row for line in table.lines}
    around = [*range(head), *(row for row in below if row not in items_at)]
    told = read_head(grid, head, around, asked, found)
    money = [grid.cell(row, columns[name]) for row in below for name in names if name != "quantity"]
    heads = [grid.cell(head, columns[name]).text for name in names]
    code = currency_of(told, heads, money, found)
    check_needed(told, found)
    items = [_item(line, code, asked, found) for line in table.lines]
    if found.problems:
        refuse(plain(file.name), [*found.problems[:LARGEST_NOTES], *_more(found.problems)])
    return ReadOffer(_fields(told, table), items, found.notes, table.total, code)


def _more(problems: list[str]) -> list[str]:
    left = len(problems) - LARGEST_NOTES
    return [f"and {left} problems more"] if left > 0 else []


def _fields(told: dict[str, str], table: Table) -> dict[str, str]:
    """In the order of the documents; payment words below the table are terms."""
    if "terms" not in told and table.net_at and table.trailing:
        told["terms"] = "; ".join(table.trailing)
    return {name: clean(told[name], 1_900 if name == "terms" else 190) for name in ORDER if told.get(name)}


def _value(name: str, text: str) -> str:
    bare = name in BARE and re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_. -]*", text)
    return text if bare else json.dumps(text, ensure_ascii=False)


def _item(line: Line, code: str, asked: Asked, found: Findings) -> dict[str, str]:
    kind = carried(line.item, line.part, line.place, line.stated, asked, found)
    made = {"item": json.dumps(line.item, ensure_ascii=False)}
    if line.part:
        made["part"] = json.dumps(line.part, ensure_ascii=False)
    made |= {"quantity": _plain(line.quantity), "price": f"{_plain(line.price)} {code}"}
    if line.price == 0 and kind != "nothing":
        kind = "nothing"
        found.note(f"{line.place}: `{line.item[:60]}` is free of charge and carries nothing")
    if kind in ("support", "licences"):
        made["term"] = _term(line, asked, found)
    made["carries"] = kind
    if kind == "nothing":
        made["note"] = json.dumps("free of charge" if line.price == 0 else "not taken", ensure_ascii=False)
    return made


def _term(line: Line, asked: Asked, found: Findings) -> str:
    """For how long support is paid: as stated, or as the line's own words say, which is told."""
    for key, text in asked.term.items():
        if key.lower() in line.item.lower():
            return period(text, "term", found) or text
    read = period(line.item, "term", Findings())
    if not read:
        told = f"for how long `{line.item[:60]}` is paid is not told"
        found.wrong(line.place, f'{told}; state `--term "{line.item[:30]}=3 yr"`')
        return "1 yr"
    found.note(f"guessed: {line.place} is paid for {read}")
    return read


def _plain(number: Decimal) -> str:
    """A decimal without exponent and without zeros that say nothing."""
    text = f"{number:f}"
    return re.sub(r"\.?0+$", "", text) if "." in text else text
