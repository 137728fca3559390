"""A copy of a workbook for outsiders: written anew from the scenario on its Log, frozen, without what is withheld."""

from __future__ import annotations

import functools
import io
import re
import zipfile
from pathlib import Path

import numpy as np

from tco.errors import OutputError, Problem, ScenarioError
from tco.files import write_atomically
from tco.result import CATEGORIES, HEADLINES, FleetResult, Result
from tco.workbook.against import issued_again
from tco.workbook.opened import read
from tco.workbook.safety import check_safe
from tco.workbook.sharing import Share, SharedSheet, is_price, key, withhold
from tco.workbook.verify import check_ours
from tco.workbook.writer import build

FACTORS = (1.0, 1e3, 1e6, 8760.0, 12.0)
"""What a reader may multiply a quantity by to come to the unit of a price."""
SHOWN = 8

SHORT = 4
"""Letters below which a name may stand in any word of the file's own."""


def shared(path: Path, out: Path | None, hide: frozenset[str], words: tuple[str, ...], *, force: bool) -> str:
    """Write the copy and say what it withholds. Raises ScenarioError, OutputError."""
    check_safe(path)
    book = read(path)
    check_ours(book)
    target = out or path.with_name(f"{path.stem}-shared.xlsx")
    if target.exists() and (not force or target.resolve() == path.resolve()):
        raise OutputError(f"{target}: exists already; choose another --out, or overwrite it with --force")
    result, catalogue = issued_again(book)
    share = Share(hide, tuple(word for word in words if word.strip()))
    shown = withhold(result, share, catalogue)
    _check_ids(path, shown, share)
    content = build(shown, share=share, make_sheet=functools.partial(SharedSheet, share))
    _check_leaks(content, share)
    write_atomically(target, content)
    return "\n".join([f"{target}: written, a shared copy of {path}", *_told(result, share)])


def _check_ids(path: Path, result: Result, share: Share) -> None:
    """A fleet's id names its sheet and stands in formulas' places: a word in it cannot be withheld."""
    for fleet in result.fleets:
        word = next((word for word in share.words if word.lower() in fleet.id.lower()), None)
        if word:
            told = f"the id of the fleet {fleet.id} holds `{word}`; give it another id in the scenario, and run that"
            raise ScenarioError([Problem(told, file=str(path))])


def _check_leaks(content: bytes, share: Share) -> None:
    """The last look: no part holds a number or a word that is withheld."""
    with zipfile.ZipFile(io.BytesIO(content)) as parts:
        for name in parts.namelist():
            text = parts.read(name).decode()
            words = [word for word in share.words if word.lower() in text.lower()]
            if words and len(words[0].strip()) < SHORT:
                told = f"`{words[0]}` is too short to be withheld: every workbook holds it in words of its own"
                raise OutputError(f"{told}; nothing was written")
            numbers = re.findall(r"<(?:c:)?v>(-?[0-9.eE+-]+)</", text)
            wrong = [*words, *(one for one in numbers if _hidden(one, name, share))]
            if wrong:
                raise OutputError(f"{name} would hold what is to be withheld ({wrong[0][:3]}…); nothing was written")


def _hidden(text: str, part: str, share: Share) -> bool:
    return "worksheets/" in part and f' t="s"><v>{text}<' not in part and "." in text and share.hidden(float(text))


def _told(result: Result, share: Share) -> list[str]:
    lines = sum(map(len, share.lines.values()))
    told = [f"withheld: {len(share.inputs):,} inputs, {lines:,} lines of calculation, {len(share.words)} names"]
    if share.hide or share.words:
        told.append("withheld: the scenario's text on Log")
    if found := derivable(result, share):
        told.append("prices that follow from what is still shown, by one division:")
        told += [f"  {text}" for text in found[:SHOWN]]
        told += [f"  and {len(found) - SHOWN} more"] if len(found) > SHOWN else []
        more = "these rest on a headline: share them as they are, or not at all"
        told.append(more if "costs" in share.hide else "to withhold the costs by category too: --hide costs")
    return told


def derivable(result: Result, share: Share) -> list[str]:
    """Withheld prices that are a shown amount of money divided by a shown quantity, to nine digits."""
    found = list[str]()
    for fleet in result.fleets:
        money, counts = _shown(fleet, share)
        for name, figure in fleet.inputs.items():
            owner = "" if name in fleet.shared else fleet.id
            if (owner, name) in share.inputs and figure.is_one and key(figure.number) and counts:
                hit = _division(abs(figure.number), money, counts)
                found += [f"{fleet.id}: {name} = {hit[0]} / {hit[1]}"] if hit else []
    return found


def _division(price: float, money: dict[str, float], counts: dict[str, float]) -> tuple[str, str] | None:
    amounts, by = np.array(list(money.values()), float), np.array(list(counts.values()), float)
    for factor in FACTORS:
        quotients = amounts[:, None] / (by[None, :] * factor)
        near = np.abs(quotients - price) <= 1e-9 * price
        if near.any():
            row, column = divmod(int(near.argmax()), len(by))
            return list(money)[row], list(counts)[column]
    return None


def _shown(fleet: FleetResult, share: Share) -> tuple[dict[str, float], dict[str, float]]:
    """Amounts of money and quantities that a reader of the copy sees for a fleet, by line and period."""
    money, counts = dict[str, float](), {"1": 1.0}
    gone = share.lines.get(fleet.id, set())
    for name, item in fleet.model.lines.items():
        if name in gone or not (name in (*CATEGORIES, *HEADLINES) or not is_price(item.unit_text)):
            continue
        row = np.reshape(fleet.values[name], -1).astype(float)
        into = money if is_price(item.unit_text) else counts
        for index, number in enumerate([*row, row.sum()] if len(row) > 1 else row):
            if np.isfinite(number) and number:
                told = f" of period {index + 1}" if len(row) > 1 and index < len(row) else ""
                into.setdefault(f"{name}{told}", abs(float(number)))
    for name, figure in fleet.inputs.items():
        if figure.is_one and not is_price(figure.unit) and figure.number:
            counts.setdefault(name, abs(figure.number))
    return money, counts
