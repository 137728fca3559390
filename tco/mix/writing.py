"""A plan as a scenario: the fleets that take part, each with its systems by period and what it serves."""

from __future__ import annotations

import copy
import json
import re
from typing import Any, cast

from tco.mix.candidates import Question
from tco.mix.moments import Array

PLAIN = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_./%*^+-]*(?: [A-Za-z0-9_./%*^+-]+)*")
OTHER = re.compile(
    r"[-+]?(\.?[0-9][0-9._]*)([eE][-+]?[0-9]+)?|0[xo][0-9a-fA-F]+|\.inf|\.nan|~|true|false|null|yes|no|on|off",
    re.IGNORECASE,
)
WIDTH = 110


def scenario_text(asked: Question, counts: dict[str, Array], shares: dict[str, dict[str, list[float]]]) -> str:
    """The text of the plan's scenario: comments and `analysis` are not taken over, nor what concerns other fleets."""
    document = asked.loaded.document
    data: dict[str, Any] = copy.deepcopy(document.data)
    for key in ("mix", "analysis"):
        data.pop(key, None)
    kept = set(counts) | set(shares)
    _without_others(data, kept)
    data["fleets"] = [
        _fleet(one, asked, counts.get(one["id"]), shares.get(one["id"], {}))
        for one in data["fleets"]
        if one["id"] in kept
    ]
    name = document.file.replace("\\", "/").rsplit("/", 1)[-1]
    told = [
        f"# The plan of `tco mix {name}`, sha256 {document.sha256[:16]}: systems by period, shares by class.",
        "# Every fleet is costed for its own part; their present costs add up to the plan's.",
    ]
    return "\n".join([*told, *(_top(key, value) for key, value in data.items())]) + "\n"


def _without_others(data: dict[str, Any], kept: set[str]) -> None:
    finance: dict[str, Any] = data.get("finance") or {}
    if finance.get("reference") not in (None, *kept):
        del finance["reference"]
        finance.pop("reinvestment_rate", None)
    if "pin" in data:
        data["pin"] = {name: lines for name, lines in data["pin"].items() if name in kept}
    if data.get("quotes"):
        _quotes_for(data, kept)


def _quotes_for(data: dict[str, Any], kept: set[str]) -> None:
    """Offers as far as they are for these fleets, line by line."""
    quotes = data["quotes"]
    offers = list[dict[str, Any]]()
    for offer in _several(quotes.get("offers")):
        items = [one for one in _several(offer.get("items")) if one.get("fleet", offer.get("fleet")) in kept]
        head = {key: value for key, value in offer.items() if key != "fleet" or value in kept}
        if items:
            offers.append({**head, "items": items})
    quotes["offers"] = offers
    if "award" in quotes:
        quotes["award"] = {name: award for name, award in quotes["award"].items() if name in kept}
    if not offers:
        del data["quotes"]


def _several(value: Any) -> list[dict[str, Any]]:
    return cast("list[dict[str, Any]]", value if isinstance(value, list) else [value] if value else [])


def _fleet(
    stated: dict[str, Any], asked: Question, counts: Array | None, shares: dict[str, list[float]]
) -> dict[str, Any]:
    """The fleet as stated, with its part of the plan."""
    found = dict(stated)
    if counts is not None:
        numbers = [round(float(number)) for number in counts]
        found["count"] = numbers[0] if len(set(numbers)) == 1 else numbers
    served = {name: _series(values, asked) for name, values in shares.items() if any(values)}
    if not served:
        served = {asked.classes[0]: "0 %"}
    return {**found, "serves": served}


def _series(values: list[float], asked: Question) -> Any:
    """One share, or one a period; by year where that says the same."""
    if len(set(values)) == 1:
        return _share(values[0])
    each = [values[index] for index, moment in enumerate(asked.moments) for _ in range(moment.first, moment.end)]
    years = max(12 // asked.timeline.months_per_period, 1)
    if asked.mix.decide == "year" and asked.timeline.periods % years == 0:
        return [_share(value) for value in values]
    return [_share(value) for value in each]


def _share(value: float) -> str:
    return f"{round(value * 100, 13)!r} %".replace(".0 %", " %")


def _top(key: str, value: Any) -> str:
    """A key of the file: on one line, or its parts on a line each."""
    line = f"{key}: {flow(value)}"
    if not isinstance(value, dict | list) or (len(line) <= WIDTH and key != "fleets"):
        return line
    if isinstance(value, list):
        return "\n".join([f"{key}:", *(f"  - {flow(item)}" for item in cast(list[Any], value))])
    parts = cast(dict[str, Any], value).items()
    return "\n".join([f"{key}:", *(f"  {flow(name)}: {flow(item)}" for name, item in parts)])


def flow(value: Any) -> str:
    """A value in one line of YAML."""
    if isinstance(value, dict):
        parts = cast(dict[str, Any], value).items()
        return "{" + ", ".join(f"{flow(name)}: {flow(item)}" for name, item in parts) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow, cast(list[Any], value))) + "]"
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if isinstance(value, int | float):
        return repr(value)
    text = str(value)
    return text if PLAIN.fullmatch(text) and not OTHER.fullmatch(text) else json.dumps(text, ensure_ascii=False)
