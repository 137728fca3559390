"""A portfolio taken apart: each workload's own scenario, whose problems stand in the whole file."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from tco.errors import Problem, ScenarioError, did_you_mean
from tco.lines.library import Payment, chapters
from tco.scenario.paths import Path
from tco.scenario.problems import Problems, validate
from tco.scenario.reading import Document
from tco.scenario.schema import Doing, Fleet, Reliability, Workload
from tco.scenario.schema import Scenario as Schema
from tco.scenario.walk import leaf_of
from tco.session import Scenario

Pins = Mapping[str, Mapping[str, Any]]
"""By fleet and line, in the words of the scenario file; or by fleet and key of its deployment."""


@dataclass(frozen=True)
class Part(Document):
    """One workload's scenario; what is wrong with it is told at its place in the whole file.

    `places` are the numbers of its fleets in the whole; `own` are the keys that a fleet states for this workload.
    """

    whole: Document | None = field(default=None, repr=False)
    work: str = ""
    places: tuple[int, ...] = ()
    own: Mapping[int, frozenset[str]] = field(default_factory=dict[int, frozenset[str]])

    def problem(self, path: Path, text: str, key: bool = False) -> Problem:
        """A problem of the whole file."""
        assert self.whole is not None
        return self.whole.problem(self._in_whole(path), text, key)

    def place(self, path: Path, key: bool = False) -> tuple[int, int]:
        """Line and column in the whole file."""
        assert self.whole is not None
        return self.whole.place(self._in_whole(path), key)

    def written(self, path: Path) -> str:
        """As it stands in the whole file."""
        assert self.whole is not None
        return self.whole.written(self._in_whole(path))

    def _in_whole(self, path: Path) -> Path:
        if path[:1] == ("workload",):
            return ("workloads", self.work, *path[1:])
        if len(path) > 1 and path[0] == "fleets" and isinstance(path[1], int) and path[1] < len(self.places):
            inside = path[2:]
            mine = ("workloads", self.work) if inside and inside[0] in self.own.get(path[1], ()) else ()
            return ("fleets", self.places[path[1]], *mine, *inside)
        return path


def does(fleet: Fleet, work: Mapping[str, Workload]) -> tuple[str, ...]:
    """The workloads that a fleet does: those it names, else all that it can."""
    if fleet.workloads is not None:
        return tuple(fleet.workloads)
    return tuple(name for name, one in work.items() if one.kind == "inference" or not fleet.api)


def part(
    document: Document, content: Schema, work: str, pins: Pins | None = None, deployed: Pins | None = None
) -> Scenario:
    """The scenario of one workload, of the fleets that do it; of those that are pinned only, where some are.

    `deployed` adds to the deployment of fleets. Raises ScenarioError.
    """
    picked = [
        at
        for at, fleet in enumerate(content.fleets)
        if work in does(fleet, content.workloads) and (pins is None or fleet.id in pins)
    ]
    data = {key: value for key, value in document.data.items() if key not in ("workloads", "fleets")}
    data["workload"] = document.data["workloads"][work]
    fleets = [_fleet(document.data["fleets"][at], content.fleets[at], work) for at in picked]
    data["fleets"] = [fleet for fleet, _ in fleets]
    data = copy.deepcopy(data)
    for one in data["fleets"]:
        if deployed and one["id"] in deployed:
            one["deployment"] = {**one.get("deployment", {}), **deployed[one["id"]]}
    _leave_others(data, content, content.workloads[work].kind)
    if content.finance.reference not in {content.fleets[at].id for at in picked}:
        data["finance"].pop("reference", None)
    if pins:
        data["pin"] = {name: dict(lines) for name, lines in pins.items()}
    own = {index: keys for index, (_, keys) in enumerate(fleets)}
    held = {name: getattr(document, name) for name in ("file", "text", "sha256", "nodes", "byte_order_mark")}
    one = Part(**held, data=data, whole=document, work=work, places=tuple(picked), own=own)
    return Scenario(one, validate(one, Schema))


def _fleet(raw: dict[str, Any], fleet: Fleet, work: str) -> tuple[dict[str, Any], frozenset[str]]:
    """A fleet as it does one workload, and the keys that it states for that one."""
    mine = {key: value for key, value in raw.items() if key != "workloads"}
    stated = raw.get("workloads")
    own: dict[str, Any] = cast("dict[str, Any]", stated)[work] if isinstance(stated, dict) else {}
    doing = fleet.workloads.get(work) if isinstance(fleet.workloads, dict) else None
    keys = frozenset(name for name in Doing.model_fields if doing is not None and getattr(doing, name) is not None)
    return {**mine, **{key: own[key] for key in keys}}, keys


def _leave_others(data: dict[str, Any], content: Schema, kind: str) -> None:
    """What counts for another kind of the portfolio and has no meaning for this one stands aside."""
    mine = _taken(kind)
    others = {name for work in content.workloads.values() for name in _taken(work.kind)} - mine
    feeds = {name: leaf.feeds for name, info in Reliability.model_fields.items() if (leaf := leaf_of(info))}
    for holder in (data, *data["fleets"]):
        for key, named in (("reliability", feeds), ("inputs", {})):
            for name in [one for one in holder.get(key, {}) if named.get(one, one) in others]:
                del holder[key][name]


def _taken(kind: str) -> set[str]:
    payments: tuple[Payment, ...] = ("buy", "lease", "rent", *(("api",) if kind == "inference" else ()))
    return {name for paid in payments for one in chapters(cast("Any", kind), paid, taxed=True) for name in one.givens}


def check_portfolio(document: Document, content: Schema) -> None:
    """Note every contradiction between workloads and fleets. Raises ScenarioError."""
    problems = Problems(document)
    names = list(content.workloads)
    if not names:
        problems.add(("workloads",), "no workload; name at least one, such as `chat: {kind: inference, …}`")
    elif len(names) > MOST:
        told = f"{len(names)} workloads; at most {MOST} are compared in all combinations: merge those that are alike"
        problems.add(("workloads",), told, key=True)
    for name in names:
        if not re.fullmatch(NAME, name):
            told = f"`{name}` names outputs too; wanted small letters, digits, `-` and `_`, such as `chat`, at most 24"
            problems.add(("workloads", name), told, key=True)
    for path, text in (*_alone(document), *_doers(content), *_shared_fleets(content)):
        problems.add(path, text, key=True)
    for index, fleet in enumerate(content.fleets):
        _named(problems, names, index, fleet, content)
    problems.stop()


NAME = "[a-z][a-z0-9_-]{0,23}"

MOST = 5
"""Workloads: each set of them is a fleet to compute."""

ALONE = {
    "pin": "a pinned line would hold for each workload's run; state inputs instead, or run the workloads one by one",
    "quotes": "offers are compared for one workload; state `workload` in a file of its own",
    "request": "a request signs for one workload's fleet; state `workload` in a file of its own",
    "mix": "classes of one workload are divided among fleets; state `workload` in a file of its own",
    "analysis": "answers are found for one workload; state `workload` in a file of its own",
}


def _alone(document: Document) -> Iterator[tuple[Path, str]]:
    for key, told in ALONE.items():
        if key in document.data:
            yield (key,), f"has no meaning beside `workloads`: {told}"
    finance = document.data.get("finance")
    for key in ("income", "income_per_token"):
        if isinstance(finance, dict) and key in finance:
            told = "would count for each workload's fleet again; leave it out, or run the workloads one by one"
            yield ("finance", key), told


def _doers(content: Schema) -> Iterator[tuple[Path, str]]:
    done = {name for fleet in content.fleets for name in does(fleet, content.workloads)}
    for name in content.workloads:
        if name not in done:
            yield ("workloads", name), f"no fleet does it; name it under `workloads` of a fleet, such as `[{name}]`"


def _named(problems: Problems, names: Sequence[str], index: int, fleet: Fleet, content: Schema) -> None:
    place = ("fleets", index, "workloads")
    if fleet.workloads is None:
        return
    stated = list(fleet.workloads)
    if not stated:
        problems.add(place, "is empty; name the workloads that the fleet does, or leave the key out for all of them")
    for at, name in enumerate(stated):
        here: Path = (*place, name if isinstance(fleet.workloads, dict) else at)
        if name not in names:
            told = f"`{name}` is no workload; wanted one of {', '.join(names)}{did_you_mean(name, names)}"
            problems.add(here, told, key=True)
        elif stated.index(name) != at:
            problems.add(here, f"names `{name}` twice")
        elif fleet.api and content.workloads[name].kind != "inference":
            told = f"an API answers requests, it does no {content.workloads[name].kind}; leave `{name}` out"
            problems.add(here, told, key=True)


NOT_SHARED = {
    "utilization": "a given utilization says nothing of two workloads",
    "ramp": "capacity that ramps up by age is not divided between workloads",
}
BY_USE = ("token", "request", "step", "run", "job")


def _shared_fleets(content: Schema) -> Iterator[tuple[Path, str]]:
    """What only a fleet that does one workload may state."""
    several = False
    for index, fleet in enumerate(content.fleets):
        if len(does(fleet, content.workloads)) < 2 or fleet.api:
            continue
        several, advice = True, "name one under `workloads`, and state a second fleet for the other"
        for key, why in NOT_SHARED.items():
            if getattr(fleet, key) is not None:
                yield ("fleets", index, key), f"{why}; {advice}"
        if fleet.rent and fleet.rent.billing and fleet.rent.billing.active_window:
            told = "a window of hours holds for one workload"
            yield ("fleets", index, "rent", "billing", "active_window"), f"{told}; {advice}"
        for at, cost in enumerate(fleet.costs):
            if _by_use(cost.amount.unit):
                yield ("fleets", index, "costs", at, "amount"), f"{_BY_USE}; {advice}"
    for at, cost in enumerate(content.costs if several else ()):
        if _by_use(cost.amount.unit):
            yield ("costs", at, "amount"), f"{_BY_USE}; state it at a fleet that does one workload"


_BY_USE = "a cost by use counts the use of one workload only"


def _by_use(unit: str) -> bool:
    return any(word in unit for word in BY_USE)


def together(document: Document, content: Schema) -> dict[str, Scenario]:
    """Every workload's scenario, checked. Raises ScenarioError with every problem of all of them."""
    check_portfolio(document, content)
    found, problems = dict[str, Scenario](), list[Problem]()
    for name in content.workloads:
        try:
            found[name] = part(document, content, name)
            found[name].check()
        except ScenarioError as error:
            problems += error.problems
    if problems:
        once = dict.fromkeys(problems)
        raise ScenarioError(sorted(once, key=lambda one: (one.line, one.column, one.path)))
    return found
