"""The grammar of units and quantities, and conversions against pint."""

from __future__ import annotations

import contextlib
import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tco.errors import UnitError
from tco.unit_table import BASES, CONSTANTS, CURRENCIES
from tco.units import (
    composition,
    conversion,
    convert,
    currencies_in,
    in_money,
    known_names,
    product,
    quantity,
    registry,
    root,
    unit,
    unit_text,
)

NAMES = sorted(known_names())

ACCEPTED = {
    "85 USD/MWh": (85, "USD/MWh"),
    "85 USD / MWh": (85, "USD/MWh"),
    "70 %": (70, "%"),
    "70%": (70, "%"),
    "1e9 token/month": (1e9, "token/month"),
    "-3.5e-2 1/yr": (-0.035, "1/yr"),
    ".5 GiB": (0.5, "GiB"),
    "5. W": (5, "W"),
    "+7": (7, ""),
    "8 gpu/system": (8, "gpu/system"),
    "8 GPUs/systems": (8, "gpu/system"),
    "3 kW·h": (3, "kW*h"),
    "2 W*h^2/s**-1": (2, "W*h^2*s"),
    "989 TFLOPS": (989, "TFLOP/s"),
    "5 MUSD": (5, "MUSD"),
    "1200 W/m3^-1": (1200, "W*m3"),
    "3 1/h": (3, "1/h"),
}

REFUSED = {
    "9**9**9**9": "put a space between the number and its unit",
    "9**9**9**9 W": "put a space between the number and its unit",
    "9 **9**9 W": "is not a unit: write names joined by",
    "1 W**9**9**9": "a power is a whole number from -4 to 4",
    "1 W^4^4^4": "is not a unit: write names joined by",
    "1 kg**999999999": "a power is a whole number from -4 to 4",
    "1 W^2.5": "a power is a whole number from -4 to 4",
    "nan W": "is not a number with a unit, such as `85 USD/MWh`",
    "inf": "is not a number with a unit",
    "-inf W": "is not a number with a unit",
    "1e400 W": "is out of range: an exponent has at most two digits",
    "1e-400 W": "is out of range: an exponent has at most two digits",
    "\uff15 W": "is not a number with a unit",
    "\u0665 W": "is not a number with a unit",
    "1.000,50 W": "write it without separators, with a point for decimals",
    "1,000 W": "write it without separators",
    "1_000 W": "write it without separators",
    "1'000 W": "write it without separators",
    "1.2.3 W": "write it without separators",
    "5 W;W": "cannot read `;W`",
    "5 kW-h": "cannot read `-h`",
    "0.11 $/kWh": "cannot read `$/kWh`; write a currency by its code, such as `USD`",
    "1 \u20ac": "write a currency by its code, such as `USD`",
    "5 \u2013 6 W": "cannot read `\u2013 6 W`",
    "5W": "put a space between the number and its unit",
    "5 W W": "is not a unit: write names joined by",
    "5 W/": "it ends in the middle",
    "5 W//h": "is not a unit",
    "5 2/h": "is not a unit",
    "5 (W)": "cannot read `(W)`",
    "5 GUSD": "`GUSD` is not a unit",
    "5 mUSD": "`mUSD` is not a unit",
    "5 kgpu": "`kgpu` is not a unit; did you mean `gpu`?",
    "5 kwh": "`kwh` is not a unit; did you mean `kWh`?",
    "5 y": "`y` is not a unit",
    "5 thousand*W": "`thousand` is not a unit",
    "5 degF": "`degF` is not a unit",
    "": "is not a number with a unit",
    "W": "is not a number with a unit",
    "5 " + "W*" * 40 + "W": "a quantity has at most 80 characters",
}


@pytest.mark.parametrize("text", ACCEPTED)
def test_a_quantity_is_read(text: str) -> None:
    read = quantity(text)
    value, of = ACCEPTED[text]
    assert (read.value, unit(read.unit)) == (value, unit(of))


@pytest.mark.parametrize("text", REFUSED)
def test_a_quantity_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(UnitError) as caught:
        quantity(text)
    assert REFUSED[text] in str(caught.value)


def test_a_unit_of_81_characters_is_refused_and_one_of_80_is_read() -> None:
    assert unit("*".join(["W/W"] * 20) + " ") == unit("")
    with pytest.raises(UnitError, match="a unit has at most 80 characters, this one has 81"):
        unit("W" * 81)


@given(st.text(max_size=90))
def test_any_text_is_a_quantity_or_a_unit_error(text: str) -> None:
    for read in (quantity, unit):
        with contextlib.suppress(UnitError):
            read(text)


@given(
    st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from("*/"), st.integers(-4, 4)), min_size=1, max_size=4),
)
def test_a_unit_survives_its_own_text(parts: list[tuple[str, str, int]]) -> None:
    text = "1" + "".join(f"{operator}{name}^{power}" for name, operator, power in parts)
    try:
        first = unit(text)
    except UnitError:  # powers that add up to more than 4
        assume(False)
        return
    assert unit(unit_text(first)) == first
    assert quantity(f"2 {unit_text(first)}").unit == unit_text(first)


def test_every_pair_of_compatible_units_converts_as_pint_does() -> None:
    """The product of named constants equals the factor that pint finds on its own."""
    pairs = 0
    for here in NAMES:
        for there in NAMES:
            source, target = unit(here), unit(there)
            factors = conversion(source, target)
            assert (factors is None) == (source.dimensionality != target.dimensionality), (here, there)
            if factors is None:
                continue
            ours = math.prod(CONSTANTS[name] ** power for name, power in factors.items())
            assert ours == pytest.approx(registry().Quantity(1.0, source).to(target).magnitude, rel=1e-14)
            pairs += 1
    assert pairs > 800


def test_every_unit_is_made_of_named_constants() -> None:
    for name in NAMES:
        assert set(composition(unit(name)).constants) <= set(CONSTANTS)


@pytest.mark.parametrize(
    ("value", "here", "there", "wanted"),
    [
        (1, "yr", "h", 8760),
        (1, "yr", "month", 12),
        (1, "month", "h", 730),
        (1, "week", "h", 168),
        (1, "day", "h", 24),
        (1, "kW*yr", "kWh", 8760),
        (1, "GiB", "GB", 1.073741824),
        (1, "TFLOPS", "FLOP/s", 1e12),
        (3.6, "MJ", "kWh", 1),
        (1, "kUSD", "USD", 1000),
        (1, "MUSD/Mtoken", "USD/token", 1),
        (50, "%", "", 0.5),
        (9, "%/yr", "1/yr", 0.09),
        (1, "tCO2e", "kgCO2e", 1000),
    ],
)
def test_conversions_by_hand(value: float, here: str, there: str, wanted: float) -> None:
    assert convert(value, here, there) == pytest.approx(wanted, rel=1e-14)


@pytest.mark.parametrize(
    ("here", "there"),
    [("USD", "EUR"), ("USD", "money"), ("gpu", "system"), ("kW", "kWh"), ("token", "request"), ("", "W")],
)
def test_different_kinds_do_not_convert(here: str, there: str) -> None:
    with pytest.raises(UnitError, match="cannot become"):
        convert(1, here, there)


def test_power_per_gpu_times_gpus_is_power_and_a_price_per_gpu_is_not_one_per_system() -> None:
    assert product(unit("W/gpu"), unit("gpu")) == unit("W")
    assert conversion(unit("USD/gpu"), unit("USD/system")) is None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("USD/gpu/h", "money/gpu/h"),
        ("kUSD", "kmoney"),
        ("MEUR/MW", "Mmoney/MW"),
        ("USD/kWh*EUR", "money/kWh*money"),
        ("kWh", "kWh"),
    ],
)
def test_quoted_currencies_become_money(text: str, wanted: str) -> None:
    assert in_money(text) == wanted
    unit(wanted)


def test_currencies_in_a_unit() -> None:
    assert currencies_in("kUSD/EUR*h") == {"USD", "EUR"}
    assert currencies_in("money/h") == set()
    assert {currency for currency in CURRENCIES if f"k{currency}" in known_names()} == set(CURRENCIES)


@pytest.mark.parametrize(("of", "wanted"), [("W^2", "W"), ("W^4/h^2", "W^2/h"), ("", ""), ("W^3", None), ("W*h", None)])
def test_a_square_root_halves_a_unit(of: str, wanted: str | None) -> None:
    found = root(unit(of))
    assert found == (None if wanted is None else unit(wanted))


def test_every_base_is_a_kind_of_its_own() -> None:
    kinds = [unit(name).dimensionality for name in BASES]
    assert all(kinds.count(kind) == 1 for kind in kinds)
