"""Units: one registry of our own definitions, and quantities as people write them.

Every unit is a product of named constants and base units, so that a conversion is a product of
named constants too: kWh to Wh is `thousand`, yr to h is `h_per_yr`. Pint checks dimensions; it
never parses what a user wrote (`9**9**9**9 W` does not return there): our grammar does.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import pint
from pint.facets.plain import ScaleConverter, UnitDefinition
from pint.util import UnitsContainer

from tco.errors import UnitError, did_you_mean
from tco.unit_table import ALIASES, BASES, COMPOUND_ALIASES, CONSTANTS, CURRENCIES, definitions

_CURRENCY_SIGNS = re.compile("[$€£¥₹₩]")
_TOKEN = re.compile(r"\s*(?:([A-Za-z%][A-Za-z0-9_]*)|(\*\*|\^|\*|/|·)|(-?[0-9]{1,2})(?![0-9.]))")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,2})?")
MAXIMUM_LENGTH = 80


@dataclass(frozen=True)
class Composition:
    """A unit taken apart: exponents of named constants and of base units."""

    constants: dict[str, int]
    bases: dict[str, int]

    @property
    def factor(self) -> float:
        """The number by which one of this unit exceeds its base units."""
        return math.prod(CONSTANTS[name] ** power for name, power in self.constants.items())


def _exponents(text: str, known: dict[str, Any]) -> list[tuple[str, int]]:
    """Names and exponents of `a*b/c^2`; every name must be known. Raises UnitError."""
    found: list[tuple[str, int]] = []
    position, sign, wants_name, may_have_power = 0, 1, True, False
    while position < len(text.rstrip()):
        match = _TOKEN.match(text, position)
        if match is None:
            raise UnitError(_unreadable(text, text[position:].strip()[:20]))
        name, operator, integer = match.groups()
        position = match.end()
        if wants_name and name:
            if name not in known:
                raise UnitError(f"`{name}` is not a unit{did_you_mean(name, known)}")
            found.append((name, sign))
            wants_name, may_have_power = False, True
        elif wants_name and integer == "1" and not found:
            wants_name = False
        elif not wants_name and operator in ("*", "/", "·"):
            sign, wants_name = (-1 if operator == "/" else 1), True
        elif may_have_power and operator in ("^", "**"):
            match = _TOKEN.match(text, position)
            power = match.group(3) if match else None
            if match is None or power is None or not -4 <= int(power) <= 4:
                raise UnitError(f"`{text}` is not a unit: a power is a whole number from -4 to 4")
            found[-1] = (found[-1][0], found[-1][1] * int(power))
            position, may_have_power = match.end(), False
        else:
            raise UnitError(f"`{text}` is not a unit: write names joined by `*`, `/` and `^`, such as `USD/gpu/h`")
    if wants_name:
        raise UnitError(f"`{text}` is not a unit: it ends in the middle")
    return found


def _unreadable(text: str, rest: str) -> str:
    hint = "; write a currency by its code, such as `USD`" if _CURRENCY_SIGNS.search(rest) else ""
    return f"`{text}` is not a unit: cannot read `{rest}`{hint}"


@functools.cache
def _compositions() -> dict[str, Composition]:
    table = {name: Composition({}, {name: 1}) for name in BASES}
    names: dict[str, Any] = {**dict.fromkeys(CONSTANTS), **dict.fromkeys(BASES)}
    for name, text in {**definitions(), **COMPOUND_ALIASES}.items():
        table[name] = _sum(_exponents(text, names), table)
        names[name] = None
    return table


def _sum(parts: list[tuple[str, int]], table: dict[str, Composition]) -> Composition:
    constants: dict[str, int] = {}
    bases: dict[str, int] = {}
    for name, power in parts:
        piece = table[name] if name in table else Composition({name: 1}, {})
        for target, source in ((constants, piece.constants), (bases, piece.bases)):
            for key, value in source.items():
                target[key] = target.get(key, 0) + value * power
    return Composition({k: v for k, v in constants.items() if v}, {k: v for k, v in bases.items() if v})


@functools.cache
def registry() -> pint.UnitRegistry[Any]:
    """The pint registry, built from the same table as everything else here."""
    built = cast(Any, pint.UnitRegistry)(None)  # None: empty, while "" is pint's own table
    for name in BASES:
        built.define(_definition(name, 1.0, {f"[{name}]": 1}))
    for name, parts in _compositions().items():
        if name not in BASES:
            built.define(_definition(name, parts.factor, parts.bases))
    return built


def _definition(name: str, factor: float, of: Mapping[str, int | float]) -> UnitDefinition:
    """As an object: reading some hundred texts would take longer than a whole run of the model."""
    return UnitDefinition(name, None, (), ScaleConverter(factor), UnitsContainer(dict(of)))


@functools.cache
def unit(text: str) -> pint.Unit:
    """Read a unit such as `USD/gpu/h`; empty text is dimensionless. Raises UnitError."""
    if len(text) > MAXIMUM_LENGTH:
        raise UnitError(f"a unit has at most {MAXIMUM_LENGTH} characters, this one has {len(text)}")
    parts = _exponents(text, known_names()) if text.strip() else []
    result = _of_registry()
    for name, power in parts:
        for piece, times in _expand(name):
            result = product(result, _of_registry(piece), power * times)
    if any(abs(power) > 4 for power in items(result).values()):
        raise UnitError(f"`{text}` is not a unit: a power is a whole number from -4 to 4")
    return result


def _of_registry(*names: str) -> pint.Unit:
    """The product of units by name; as text, pint's own grammar would read it."""
    return registry().Unit(UnitsContainer(dict.fromkeys(names, 1)))


def _expand(name: str) -> list[tuple[str, int]]:
    if name in COMPOUND_ALIASES:
        return _exponents(COMPOUND_ALIASES[name], known_names())
    return [(ALIASES.get(name, name), 1)]


@functools.cache
def known_names() -> dict[str, None]:
    """Every name that may stand in a unit."""
    return dict.fromkeys([*BASES, *definitions(), *ALIASES, *COMPOUND_ALIASES])


def items(of: pint.Unit) -> dict[str, int]:
    """Names and whole-number exponents of a unit, in a fixed order."""
    powers: dict[str, Any] = dict(cast(Any, of)._units)
    return {name: int(power) if power == int(power) else power for name, power in sorted(powers.items())}


@functools.lru_cache(maxsize=4096)
def product(left: pint.Unit, right: pint.Unit, power: int = 1) -> pint.Unit:
    """`left * right ** power`: the one place where units multiply, because pint types it as anything."""
    return cast(Any, left) * cast(Any, right) ** power


def root(of: pint.Unit) -> pint.Unit | None:
    """The square root of a unit; None unless every exponent is even."""
    halves = {name: power // 2 for name, power in items(of).items() if power % 2 == 0}
    if len(halves) < len(items(of)):
        return None
    return functools.reduce(lambda whole, part: product(whole, unit(part[0]), part[1]), halves.items(), unit(""))


@functools.lru_cache(maxsize=4096)
def unit_text(of: pint.Unit) -> str:
    """The unit as this grammar writes it: `money/gpu/h`, `1/yr`, empty for a plain number."""
    over: list[str] = []
    under: list[str] = []
    for name, power in sorted(items(of).items(), key=lambda pair: BASES.index(pair[0]) if pair[0] in BASES else -1):
        shown = "%" if name == "percent" else name
        size = abs(power)
        (over if power > 0 else under).append(shown if size == 1 else f"{shown}^{size}")
    if not over and not under:
        return ""
    return "/".join(["*".join(over) or "1", *under])


@functools.cache
def composition(of: pint.Unit) -> Composition:
    """The unit as constants and base units. Raises UnitError for a fractional power."""
    parts = items(of)
    if any(power != int(power) for power in parts.values()):
        raise UnitError(f"`{unit_text(of)}` has a fractional power")
    return _sum(list(parts.items()), _compositions())


@functools.cache
def conversion(source: pint.Unit, target: pint.Unit) -> dict[str, int] | None:
    """Exponents of the named constants that turn `source` into `target`; None if they differ in kind."""
    if not source.is_compatible_with(target):
        return None
    here, there = composition(source), composition(target)
    difference = dict(here.constants)
    for name, power in there.constants.items():
        difference[name] = difference.get(name, 0) - power
    return {name: power for name, power in difference.items() if power}


def convert(value: float, source: str, target: str) -> float:
    """A number from one unit into another. Raises UnitError when they differ in kind."""
    return value * _ratio(source, target)


@functools.lru_cache(maxsize=4096)
def _ratio(source: str, target: str) -> float:
    factors = conversion(unit(source), unit(target))
    if factors is None:
        raise UnitError(f"{source or 'a plain number'} cannot become {target or 'a plain number'}")
    return math.prod(CONSTANTS[name] ** power for name, power in factors.items())


@dataclass(frozen=True)
class Quantity:
    """A number and the text of its unit."""

    value: float
    unit: str

    def to(self, target: str) -> float:
        """The number in another unit. Raises UnitError when it differs in kind."""
        return convert(self.value, self.unit, target)


def currencies_in(text: str) -> set[str]:
    """The quoted currencies that a unit holds, never `money`."""
    return {base for base in composition(unit(text)).bases if base in CURRENCIES}


@functools.lru_cache(maxsize=4096)
def in_money(text: str) -> str:
    """The same unit with its quoted currency called `money` (kUSD becomes kmoney)."""
    return re.sub(rf"\b([kM]?)({'|'.join(CURRENCIES)})\b", r"\1money", text)


@functools.lru_cache(maxsize=4096)
def quantity(text: str) -> Quantity:
    """Read `85 USD/MWh`, `70 %`, `1e9 token/month` or a plain number. Raises UnitError.

    The number has ASCII digits, at most two exponent digits and no thousands separators.
    """
    if len(text) > MAXIMUM_LENGTH:
        raise UnitError(f"a quantity has at most {MAXIMUM_LENGTH} characters, this one has {len(text)}")
    stripped = text.strip()
    match = _NUMBER.match(stripped)
    if match is None:
        raise UnitError(f"`{stripped}` is not a number with a unit, such as `85 USD/MWh`")
    rest = stripped[match.end() :]
    if rest[:1] and rest[0] in "0123456789.,_'":
        raise UnitError(_unplain(stripped, match.group()))
    if rest and not (rest[0].isspace() or rest[0] == "%"):
        raise UnitError(f"`{stripped}`: put a space between the number and its unit")
    value = float(match.group())
    if not math.isfinite(value):
        raise UnitError(f"`{stripped}` is not a finite number")
    return Quantity(value, unit_text(unit(rest.strip())))


def _unplain(text: str, number: str) -> str:
    if "e" in number.lower() and text[len(number)].isdigit():
        return f"`{text}` is out of range: an exponent has at most two digits"
    return f"`{text}` is not a plain number: write it without separators, with a point for decimals"
