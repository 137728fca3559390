"""Tables of docs/scenario.md: every key from the schema, every other input from the lines."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from tco.catalogue import KINDS, catalogue
from tco.declare import Given
from tco.lines.library import ALL, load
from tco.scenario.fields import CatalogueId, Section
from tco.scenario.leaf import Leaf
from tco.scenario.schema import Fleet, Scenario
from tco.scenario.walk import all_sections, leaf_of, schema_leaves, sections_within
from tests.docs.meanings import MEANINGS
from tests.docs.tables import listed, table

ORDER = (
    "Scenario", "Timeline", "Workload", "RequestClass", "Lost", "Target", "Utilization", "Electricity",
    "Ratchet", "Meter", "Tariff", "TariffPeriod", "EnergyPrice", "DemandPrice", "HoursBand", "Cooling", "Plant",
    "Site", "Pricing",
    "Colocation", "Staff", "Porting", "Cost", "Reliability", "Finance", "Depreciation",
    "Quotes", "Offer", "QuotedItem", "Award", "Request", "RequestBudget", "Approver", "QuoteStep",
    "Analysis", "Uncertainty", "Correlation", "Goal", "ValueTable", "TableAxis", "Sweep",
    "Mix", "Quotes", "Offer", "QuotedItem", "Award", "Request", "RequestBudget", "Approver", "QuoteStep",
    "Fleet", "Buy", "Loan", "Lease", "Rent", "Billing", "Api", "Measured", "Deployment", "Speculation",
    "Fleet", "Doing", "Buy", "Loan", "Lease", "Rent", "Billing", "Api", "Measured", "Deployment", "Speculation",
)  # fmt: skip


def givens() -> dict[str, Given]:
    """Every input of the model by name; one that two chapters declare stands once."""
    return {name: item for part in ALL for name, item in load(part).givens.items()}


def places() -> dict[str, str]:
    """`Section` by name: where it stands in the file."""
    found: dict[str, list[str]] = {"Scenario": ["the whole file"]}

    def walk(section: type[Section], path: str) -> None:
        for name, info in section.model_fields.items():
            for inside, suffix in sections_within(info.annotation):
                here = f"{path}{name}{suffix}"
                found.setdefault(inside.__name__, []).append(f"`{here}`")
                walk(inside, f"{here}.")

    walk(Scenario, "")
    return {name: listed(list(dict.fromkeys(paths))) for name, paths in found.items()}


def keys_of_scenario(_: str) -> str:
    """One table a section, in the order of the file."""
    sections, where = all_sections(Scenario), places()
    assert set(sections) == set(ORDER), f"enter in ORDER: {set(sections) ^ set(ORDER)}"
    parts = list[str]()
    for name in ORDER:
        head = f"### {name}" if name != "Scenario" else "### The file"
        why = " ".join((sections[name].__doc__ or "").split())
        told = f"At {where[name]}. {why}" if name != "Scenario" else why
        parts += [head, "", told + _short(sections[name]), "", _keys(sections[name]), ""]
    return "\n".join(parts).rstrip()


def _short(section: type[Section]) -> str:
    word = section.shorthand
    return f" A bare word stands for `{word}`: `{{{word}: …}}`." if word else ""


def _keys(section: type[Section]) -> str:
    rows = [_key(section, name, info) for name, info in section.model_fields.items()]
    return table(("key", "value", "meaning", "feeds", "if left out"), rows)


def _key(section: type[Section], name: str, info: FieldInfo) -> tuple[str, ...]:
    leaf = leaf_of(info)
    item = givens().get(leaf.feeds or "") if leaf else None
    own = MEANINGS.get(f"{section.__name__}.{name}")
    inside = [part for part, _ in sections_within(info.annotation)]
    meaning = own or (item.label if item else leaf.description if leaf else "")
    if not meaning and inside:
        meaning = f"see {inside[0].__name__}"
    assert meaning, f"{section.__name__}.{name} needs a meaning in tests/docs/meanings.py or in the schema"
    feeds = f"`{leaf.feeds}`" if leaf and leaf.feeds else ""
    return f"`{info.alias or name}`", _value(info, leaf), meaning, feeds, _default(info, leaf, item)


def _value(info: FieldInfo, leaf: Leaf | None) -> str:
    text = str(info.annotation)
    if leaf and "dict" not in text:
        return _leaf(leaf)
    words = _words(info.annotation)
    if words:
        return " · ".join(f"`{word}`" for word in words)
    inside = [part for part, _ in sections_within(info.annotation)]
    if inside:
        return "list" if "tuple" in text else "mapping"
    if "dict" in text:
        return "mapping"
    if info.annotation in (bool, bool | None):
        return "`true` · `false`"
    if info.annotation in (int, int | None):
        return "whole number"
    return "catalogue id" if _holds(info, CatalogueId) else "text"


def _holds(info: FieldInfo, kind: Any) -> bool:
    wanted = get_args(kind)[1]
    return wanted in info.metadata or wanted in _metadata(info.annotation)


def _metadata(annotation: Any) -> list[Any]:
    return [
        *getattr(annotation, "__metadata__", ()),
        *(one for part in get_args(annotation) for one in _metadata(part)),
    ]


def _words(annotation: Any) -> list[Any]:
    if get_origin(annotation) is Literal:
        return list(get_args(annotation))
    return [word for part in get_args(annotation) for word in _words(part)]


def _leaf(leaf: Leaf) -> str:
    if leaf.unit is None:
        return "quantity"
    if leaf.table_from is not None and not leaf.single:
        return f"table: `{leaf.columns[0]}` in {leaf.table_from}, `{leaf.columns[1]}`"
    kind = "share" if leaf.is_share else "yearly rate" if leaf.is_rate else "number" if leaf.is_plain else leaf.unit
    bare = " (bare, or with unit)" if leaf.takes_bare and not (leaf.is_share or leaf.is_plain) else ""
    bounds = _bounds(leaf)
    path = "; or a list" if leaf.series and leaf.single else ""
    return f"{kind}{bare}{f', {bounds}' if bounds else ''}{path}"


def _bounds(leaf: Leaf) -> str:
    low = f"from {_plain(leaf.minimum)}" if leaf.minimum else ""
    if leaf.above is not None:
        low = f"above {_plain(leaf.above)}"
    high = f"to {_plain(leaf.maximum)}" if leaf.maximum is not None else ""
    shares = leaf.is_share and (leaf.minimum or 0) == 0 and leaf.above is None and (leaf.maximum or 100) == 100
    return "" if shares else " ".join(part for part in (low, high) if part)


def _plain(number: float | None) -> str:
    text = f"{number:g}"
    return f"10^{round(math.log10(number))}" if number and "e+" in text else text


def _default(info: FieldInfo, leaf: Leaf | None, item: Given | None) -> str:
    if info.is_required():
        return "**needed**"
    if info.default not in (None, PydanticUndefined) and not isinstance(info.default, tuple | dict):
        return f"`{info.default}`"
    if not item or not leaf:
        return ""
    if item.default is not None:
        return f"{item.default:g}: {item.reason}"
    held = in_catalogue().get(item.name)
    if held:
        return f"catalogue ({', '.join(held)}), else asked for"
    return "not counted" if item.scope else "asked for where it is needed"


def other_inputs(_: str) -> str:
    """Inputs with no key of their own: from the catalogue, from a default, or under `inputs:`."""
    stated, held = schema_leaves(Scenario), in_catalogue()
    rows = [
        (f"`{name}`", item.unit or "number", item.label, _origin(name, item, held))
        for name, item in givens().items()
        if name not in stated and not item.frame
    ]
    return table(("input", "unit", "meaning", "comes from"), rows)


def _origin(name: str, item: Given, held: dict[str, list[str]]) -> str:
    told = list[str]()
    if name in held:
        told.append(f"catalogue: {', '.join(held[name])}")
    if item.default is not None:
        told.append(f"default {item.default:g}: {item.reason}")
    if item.choice:
        told.append("chosen by the engine")
    return "; ".join(told) or "what the scenario says elsewhere, else `inputs:`"


@functools.cache
def in_catalogue() -> dict[str, list[str]]:
    """Figures of the catalogue by name, with the kinds that hold them."""
    held: dict[str, list[str]] = {}
    for kind in KINDS:
        for name in dict.fromkeys(name for entry in catalogue().entries(kind) for name in entry.figures):
            held.setdefault(name, []).append(kind)
    return held


def fleet_overrides(_: str) -> str:
    """Keys that stand at the top and in a fleet."""
    both = [name for name in Scenario.model_fields if name in Fleet.model_fields and name != "utilization"]
    return listed([f"`{name}`" for name in both])


def units(_: str) -> str:
    """Every name a unit may have."""
    from tco.unit_table import ALIASES, BASES, COMPOUND_ALIASES, CURRENCIES, definitions

    def words(names: Iterator[str] | tuple[str, ...]) -> str:
        return " ".join(f"`{name}`" for name in names)

    plain = (name for name in BASES if name not in (*CURRENCIES, "money"))
    made = (name for name in definitions() if "money" not in name and not name.endswith(CURRENCIES))
    others = (f"{short}` for `{long}" for short, long in {**ALIASES, **COMPOUND_ALIASES}.items())
    return "\n".join(
        [
            f"- bases: {words(plain)}",
            f"- made of them: {words(made)}",
            f"- currencies, with `k` and `M` before them: {words(CURRENCIES)}",
            f"- other spellings: {', '.join(f'`{text}`' for text in others)}",
        ]
    )
