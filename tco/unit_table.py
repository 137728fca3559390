"""The units there are: constants, bases, what is made of them, and other spellings. No logic."""

from __future__ import annotations

CONSTANTS: dict[str, float] = {
    "hundred": 100.0,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "trillion": 1e12,
    "bytes_per_KiB": 1024.0,
    "bytes_per_MiB": 1024.0**2,
    "bytes_per_GiB": 1024.0**3,
    "bytes_per_TiB": 1024.0**4,
    "s_per_h": 3600.0,
    "minutes_per_h": 60.0,
    "h_per_day": 24.0,
    "days_per_week": 7.0,
    "h_per_yr": 8760.0,
    "months_per_yr": 12.0,
    "half": 0.5,
    "almost_one": 1 - 1e-12,
}

CURRENCIES = ("USD", "EUR", "GBP", "CHF", "JPY", "CNY", "INR", "CAD", "AUD", "SEK", "NOK", "DKK", "PLN", "SGD", "KRW")

BASES = (
    "W", "h", "period", "token", "request", "step", "run", "gpu", "system", "replica", "rack",
    "person", "parameter", "layer", "FLOP", "byte", "element", "gCO2e", "l", "U", "kg", "K", "degC", "m2", "money",
    *CURRENCIES,
)  # fmt: skip

_PREFIXES = {"k": "thousand", "M": "million", "G": "billion", "T": "trillion"}


def definitions() -> dict[str, str]:
    """Every unit that is not a base, as a product of constants and units defined before it."""
    defined = {
        "s": "h/s_per_h",
        "min": "h/minutes_per_h",
        "ms": "s/thousand",
        "us": "s/million",
        "day": "h_per_day*h",
        "week": "days_per_week*day",
        "yr": "h_per_yr*h",
        "month": "yr/months_per_yr",
        "J": "W*s",
        "Wh": "W*h",
        "percent": "1/hundred",
        "kgCO2e": "thousand*gCO2e",
        "tCO2e": "million*gCO2e",
        "m3": "thousand*l",
        "t": "thousand*kg",
        "kB": "thousand*byte",
        "MB": "million*byte",
        "GB": "billion*byte",
        "TB": "trillion*byte",
        **{f"{prefix}iB": f"bytes_per_{prefix}iB*byte" for prefix in ("K", "M", "G", "T")},
        "PFLOP": "thousand*trillion*FLOP",
        "EFLOP": "million*trillion*FLOP",
    }
    for base in ("W", "Wh", "J", "token", "request", "step", "FLOP", "parameter"):
        defined.update({f"{prefix}{base}": f"{word}*{base}" for prefix, word in _PREFIXES.items()})
    for currency in ("money", *CURRENCIES):
        defined.update({f"k{currency}": f"thousand*{currency}", f"M{currency}": f"million*{currency}"})
    return defined


ALIASES = {
    "%": "percent", "year": "yr", "years": "yr", "months": "month", "weeks": "week", "days": "day", "hour": "h",
    "hours": "h", "minute": "min", "minutes": "min",
    "sec": "s", "second": "s", "seconds": "s", "tokens": "token", "tok": "token", "ktok": "ktoken",
    "Mtok": "Mtoken", "Gtok": "Gtoken", "Ttok": "Ttoken", "Mtokens": "Mtoken", "Gtokens": "Gtoken", "Ttokens": "Ttoken",
    "requests": "request", "req": "request", "Mreq": "Mrequest", "gpus": "gpu", "GPU": "gpu", "GPUs": "gpu",
    "systems": "system", "racks": "rack", "steps": "step", "runs": "run", "job": "run", "jobs": "run",
    "persons": "person", "people": "person", "parameters": "parameter", "layers": "layer", "periods": "period",
    "replicas": "replica", "bytes": "byte", "L": "l", "litre": "l", "liter": "l",
}  # fmt: skip

COMPOUND_ALIASES = {
    "TFLOPS": "TFLOP/s", "PFLOPS": "PFLOP/s", "GFLOPS": "GFLOP/s", "GBps": "GB/s",
}  # fmt: skip
