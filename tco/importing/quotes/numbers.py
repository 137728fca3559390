"""Numbers and dates as suppliers write them. What may be read in two ways is never guessed from one cell."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from tco.importing.quotes.cells import Cell, Findings, clean
from tco.units import CURRENCIES

SYMBOLS = {"€": "EUR", "£": "GBP", "US$": "USD", "Fr.": "CHF", "zł": "PLN", "₩": "KRW", "₹": "INR"}
UNCLEAR = {"$": "USD, CAD, AUD or SGD", "¥": "JPY or CNY", "kr": "SEK, NOK or DKK"}
_SPACES = re.compile("[\\s\u00a0\u2007\u2009\u202f'\u2019]")
_CODES = re.compile(rf"(?<![A-Za-z])({'|'.join(CURRENCIES)})(?![A-Za-z])")
_DIGITS = re.compile(r"[0-9][0-9.,]*|[.,][0-9]+")
_MONTHS = {
    "jan": 1, "feb": 2, "mar": 3, "mär": 3, "mrz": 3, "apr": 4, "may": 5, "mai": 5, "jun": 6, "jul": 7, "aug": 8,
    "sep": 9, "oct": 10, "okt": 10, "nov": 11, "dec": 12, "dez": 12,
}  # fmt: skip


@dataclass(frozen=True)
class Written:
    """A text as a number: its sign, its digits, and the currencies that stand beside it."""

    digits: str
    negative: bool
    currency: str = ""
    unclear: str = ""

    def marks(self) -> set[str]:
        """Decimal marks with which it can be read."""
        dots, commas = self.digits.count("."), self.digits.count(",")
        return {mark for mark in ".," if _grouped(self.digits, mark)} if dots or commas else {".", ","}

    @property
    def ambiguous(self) -> bool:
        """Whether both marks give a number, and not the same."""
        return len(self.marks()) == 2 and self.read(".") != self.read(",")

    def read(self, mark: str) -> Decimal:
        """The number, with this decimal mark."""
        other = "," if mark == "." else "."
        number = Decimal(self.digits.replace(other, "").replace(mark, "."))
        return -number if self.negative else number


def _grouped(digits: str, mark: str) -> bool:
    """Whether the digits are a number with this decimal mark: the other one parts groups of three."""
    other = "," if mark == "." else "."
    whole, _, tail = digits.partition(mark)
    if mark in tail or other in tail:
        return False
    head, *groups = whole.split(other)
    led = head.isdigit() and len(head) <= 3 and head != "0"
    return not groups or (led and all(len(one) == 3 for one in groups))


def written(text: str) -> Written | None:
    """The text as a number, if it is one."""
    rest, currency, unclear = text, "", ""
    for code in _CODES.findall(rest):
        currency = currency or code
    rest = _CODES.sub("", rest)
    for symbol, code in SYMBOLS.items():
        if symbol in rest:
            currency, rest = currency or code, rest.replace(symbol, "")
    for symbol in UNCLEAR:
        if symbol in rest:
            unclear, rest = symbol, rest.replace(symbol, "")
    rest = _SPACES.sub("", rest).replace("\u2212", "-").replace("\u2013", "-")
    if rest.endswith((",-", ".-", ",--", ".--")):
        rest = rest.rstrip("-").rstrip(".,")
    bracketed = rest.startswith("(") and rest.endswith(")")
    rest = rest.strip("()") if bracketed else rest
    negative = bracketed or rest.startswith("-") or rest.endswith("-")
    digits = rest.strip("+-")
    if not _DIGITS.fullmatch(digits) or len(digits) > 30:
        return None
    return Written(digits, negative, currency, "" if currency else unclear)


def decimal_mark(cells: Iterable[Cell], asked: str, found: Findings) -> str:
    """The decimal mark of all texts together; told, or a problem at every cell that stays unclear."""
    texts = [(cell, one) for cell in cells if isinstance(cell.value, str) and (one := written(cell.value))]
    if asked:
        wrong = [(cell, one) for cell, one in texts if asked not in one.marks()]
        for cell, one in wrong:
            found.wrong(cell.place, f"`{one.digits}` is no number with the decimal mark `{asked}`")
        return asked
    for_sure = {mark: [cell for cell, one in texts if one.marks() == {mark}] for mark in ".,"}
    if for_sure["."] and for_sure[","]:
        one, other = for_sure["."][0], for_sure[","][0]
        told = f"`{one.text}` has a decimal point and {other.place} `{other.text}` a decimal comma; use one in the file"
        found.wrong(one.place, told)
        return "."
    sure = next((mark for mark in ".," if for_sure[mark]), "")
    if not sure:
        for cell, one in texts:
            if one.ambiguous:
                told = f"`{one.digits}` may be {one.read(',')} or {one.read('.')}; state `--decimal .` or `--decimal ,`"
                found.wrong(cell.place, told)
        return "."
    unclear = [cell.text for cell, one in texts if one.ambiguous]
    name = "comma" if sure == "," else "point"
    first = for_sure[sure][0]
    settled = f"; it settles {', '.join(dict.fromkeys(unclear))}" if unclear else ""
    found.note(f"the decimal mark is the {name}, as in {first.place} `{first.text}`{settled}")
    return sure


def number_of(cell: Cell, mark: str) -> Decimal | None:
    """The number of a cell, if it holds one; a number of the file is taken with 15 digits."""
    if isinstance(cell.value, float):
        return Decimal(f"{cell.value:.15g}")
    one = written(cell.value) if isinstance(cell.value, str) else None
    return one.read(mark) if one and mark in one.marks() else None


def date_of(cell: Cell, order: str, found: Findings) -> str:
    """A day as YYYY-MM-DD; empty, with a problem, where it is none or may be two."""
    if isinstance(cell.value, datetime.date):
        return cell.value.isoformat()
    if isinstance(cell.value, float):
        found.wrong(cell.place, f"{cell.text} is a number and no date; format the cell as a date, or state the day")
        return ""
    text = clean(cell.value or "")
    day = _by_name(text) or _by_figures(text, order, cell, found)
    try:
        return datetime.date(*day).isoformat() if day else ""
    except ValueError:
        found.wrong(cell.place, f"`{text}` is no day of the calendar")
        return ""


def _by_name(text: str) -> tuple[int, int, int] | None:
    """`16 Nov 2026`, `November 16, 2026`, `16. November 2026`."""
    match = re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)?[. ]+([^\W\d]{3,})\.?,? +(\d{4})", text, re.IGNORECASE)
    swapped = re.fullmatch(r"([^\W\d]{3,})\.? +(\d{1,2})(?:st|nd|rd|th)?,? +(\d{4})", text, re.IGNORECASE)
    day, word, year = match.groups() if match else (swapped[2], swapped[1], swapped[3]) if swapped else ("", "", "")
    month = _MONTHS.get(word[:3].lower())
    return (int(year), month, int(day)) if month else None


def _by_figures(text: str, order: str, cell: Cell, found: Findings) -> tuple[int, int, int] | None:
    if match := re.fullmatch(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})", text):
        year, month, day = map(int, match.groups())
        return year, month, day
    match = re.fullmatch(r"(\d{1,2})([-/.]) ?(\d{1,2})[-/.] ?(\d{4})", text)
    if not match:
        found.wrong(cell.place, f"`{text[:40]}` is not read as a day; state it as YYYY-MM-DD")
        return None
    first, mark, second, year = int(match[1]), match[2], int(match[3]), int(match[4])
    if mark == "." or order == "dmy" or first > 12:
        return year, second, first
    if order == "mdy" or second > 12 or first == second:
        return year, first, second
    found.wrong(cell.place, f"`{text}` may be day or month first; state `--date-order dmy` or `mdy`")
    return None
