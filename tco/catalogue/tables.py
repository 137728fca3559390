"""The catalogue as tables for the command line: a list of entries, and one entry in full."""

from __future__ import annotations

from tco.catalogue.rows import Entry, row_text
from tco.catalogue.schema import FIGURES, KINDS
from tco.catalogue.store import catalogue
from tco.errors import CatalogueError
from tco.figures import Figure

# kind: the texts, then the figures of its list; the last figure (else the first text) gives the date and the status
SHOWN: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "accelerators": (
        ("name", "vendor", "tier"),
        ("gpu_memory", "gpu_bandwidth", "rate_bf16", "rate_fp8", "gpu_power", "gpu_price"),
    ),
    "systems": (("name", "vendor", "tier", "gpu"), ("gpus_per_system", "system_power", "rack_units", "system_price")),
    "models": (("developer", "attention", "dtype"), ("context", "kv_elements", "active_parameters", "parameters")),
    "rentals": (
        ("provider", "provider_kind", "gpu", "region", "pricing"),
        ("gpus_per_system", "rent_term", "gpu_hour_price"),
    ),
    "apis": (
        ("provider", "provider_kind", "model", "model_name"),
        ("cached_input_price", "input_price", "output_price"),
    ),
    "facility": (("category", "item"), ("value",)),
    "electricity": (("kind", "region", "sector"), ("value",)),
    "software": (("platform", "first_version", "last_version", "operating_systems", "weights_only"), ()),
    "efficiency": ((), ("training_matrix_efficiency", "prefill_efficiency", "decode_bandwidth_efficiency")),
}

TIERS = ("tier", "provider_kind")
VENDORS = ("vendor", "provider", "developer")


def kinds() -> list[dict[str, str]]:
    """The kinds and how many entries each has."""
    return [{"kind": kind, "entries": str(len(catalogue().entries(kind)))} for kind in KINDS]


def listing(kind: str, tier: str | None = None, vendor: str | None = None) -> list[dict[str, str]]:
    """One row per entry of a kind, of one tier (or kind of provider) and one vendor (or provider) if given."""
    entries = catalogue().entries(kind)
    entries = _only(kind, entries, "tier", TIERS, tier)
    entries = _only(kind, entries, "vendor", VENDORS, vendor)
    return [_listed(entry) for entry in entries]


def _only(kind: str, entries: list[Entry], word: str, texts: tuple[str, ...], wanted: str | None) -> list[Entry]:
    if wanted is None:
        return entries
    found = {entry.id: next((entry.texts[text] for text in texts if text in entry.texts), "") for entry in entries}
    known = sorted({text for text in found.values() if text})
    if not known:
        raise CatalogueError(f"{kind} have no {word}: leave it out")
    if wanted.casefold() not in {text.casefold() for text in known}:
        raise CatalogueError(f"no {kind} of {word} `{wanted}`; there are {', '.join(known)}")
    return [entry for entry in entries if found[entry.id].casefold() == wanted.casefold()]


def _listed(entry: Entry) -> dict[str, str]:
    texts, figures = SHOWN[entry.kind]
    row = {"id": entry.id, **{text: entry.texts.get(text, "") for text in texts}}
    for name in figures:
        figure, fixed = entry.figures.get(name), FIGURES.get(entry.kind, {}).get(name)
        row[name if not fixed else f"{name} {fixed}"] = _value(figure)
        if fixed is None:
            row["unit"] = figure.unit if figure else ""
    last = entry.figures.get(figures[-1]) if figures else next(iter(entry.rows.values()), None)
    return {**row, "as_of": last.as_of if last else "", "status": last.status if last else ""}


def _value(figure: Figure | None) -> str:
    return row_text(figure.value) if figure and isinstance(figure.value, int | float) else ""


def card(kind: str, entry_id: str) -> list[dict[str, str]]:
    """Every text and figure of one entry with unit, range, date, source, status and note; its software as well."""
    entry = catalogue().find(kind, entry_id)
    family = catalogue().get("software", entry.texts.get("software_family", ""))
    return (
        _texts(entry)
        + (_texts(family) if family else [])
        + [
            _card_row(name, _value(of), of.unit, _range(of), of.as_of, of.source, of.status, of.note)
            for name, of in entry.figures.items()
        ]
    )


def _texts(entry: Entry) -> list[dict[str, str]]:
    return [
        _card_row(name, row.value, "", "", row.as_of, row.source, row.status, row.note)
        for name, row in entry.rows.items()
        if name in entry.texts
    ]


def _card_row(*cells: str) -> dict[str, str]:
    return dict(zip(("figure", "value", "unit", "range", "as_of", "source", "status", "note"), cells, strict=True))


def _range(figure: Figure) -> str:
    if figure.low is None and figure.high is None:
        return ""
    return " to ".join("?" if end is None else row_text(end) for end in (figure.low, figure.high))
