"""A fleet that takes a share of the requests, class by class: what it is asked, and the classes one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tco.errors import did_you_mean
from tco.figures import Figure
from tco.lines.library import load
from tco.scenario.gather import derived
from tco.scenario.phases import stepped
from tco.scenario.plan import Context, Plan, Served
from tco.scenario.problems import Problems
from tco.scenario.schema import Fleet, Scenario, Workload

ALL_REQUESTS = "requests"
"""The name of the one class where the workload has none."""

LENGTHS = {"input_tokens": "input", "output_tokens": "output", "reasoning_tokens": "reasoning"}
_WHOLE = Figure(1.0, "")
LONG = ("long_input_share", "long_output_share")
JUDGED_ALONE = ("partition", "memory", "speed", "speculation", "prefill", "bands")
"""Chapters that are computed for each class alone."""

KEPT = ("system_output_measured", "system_output_rate")


def classes_of(scenario: Scenario) -> list[Served]:
    """The classes of the workload by name, with their share of all requests."""
    work = scenario.workload
    if not work.classes:
        return [Served(ALL_REQUESTS, 1.0, _lengths(work))]
    whole = sum(one.share.to("").number for one in work.classes)
    return [
        Served(one.id or f"class-{number}", one.share.to("").number / whole, _lengths(one))
        for number, one in enumerate(work.classes, 1)
    ]


def _lengths(holder: object) -> dict[str, float]:
    stated: dict[str, Figure | None] = {name: getattr(holder, key) for name, key in LENGTHS.items()}
    return {name: one.to("token/request").number if one else 0.0 for name, one in stated.items()}


def check_classes(scenario: Scenario, problems: Problems) -> None:
    """Names of classes are unlike each other."""
    seen = set[str]()
    for index, one in enumerate(scenario.workload.classes):
        if one.id in seen:
            problems.add(("workload", "classes", index, "id"), f"`{one.id}` names an earlier class too")
        seen |= {one.id} if one.id else set()


def serves(context: Context, fleet: Fleet, plan: Plan) -> None:
    """Put what the fleet is asked in place of the whole work: its part of the load, and the mean lengths in it."""
    measured = fleet.measured.classes if fleet.measured else {}
    if not (fleet.serves or measured) or not _may_serve(context, fleet, plan):
        return
    known = {one.name: one for one in classes_of(context.scenario)}
    for place, names in ((("serves",), fleet.serves), (("measured", "classes"), measured)):
        for name in set(names) - set(known):
            told = f"`{name}` is no class of requests{did_you_mean(name, known)}; there are {', '.join(known)}"
            context.problems.add((*plan.path, *place, name), told, key=True)
    plan.class_rates = {name: rate.to("request/s/system").number for name, rate in measured.items()}
    for name, share in (fleet.serves or dict.fromkeys(known, _WHOLE)).items():
        if name in known:
            shares = _by_period(context, share, (*plan.path, "serves", name))
            plan.served.append(replace(known[name], shares=shares))
    if plan.served:
        ask(context, plan)


def ask(context: Context, plan: Plan) -> None:
    """The load, the lengths and the judgement of a fleet that serves classes."""
    when, where = context.scenario.as_of, (*plan.path, "serves")
    told = f"of what it serves: {', '.join(one.name for one in plan.served)}"
    present = plan.found.figures.get("demand_share")
    plan.ramp = (present.to("").series if present else ()) or (1.0,) * context.timeline.periods
    for name, values in asked(plan, plan.served).items():
        only_if_known = name in (*LONG, "reasoning_tokens")
        if name in plan.found.figures or not only_if_known:
            unit = "" if name == "demand_share" or name in LONG else "token/request"
            plan.found.put(name, _series(values, unit, f"share {told}" if not unit else f"mean {told}", when), where)
    plan.found.drop("longest_class")
    plan.without.update(*(load(part).lines for part in JUDGED_ALONE), ("supported",))
    plan.without.difference_update(KEPT)
    if plan.payment != "api":
        plan.measured = True
        made = _series((1.0,) * context.timeline.periods, "token/s/system", told, when)
        plan.found.put("measured_output", made, where)
    if plan.serves_part:
        plan.tell("serves-share", "it serves a share of the requests: its total is not for the whole work")


def asked(plan: Plan, served: Sequence[Served]) -> dict[str, tuple[float, ...]]:
    """By input and period: the share of all requests, their mean lengths, and how much of their tokens is long."""
    weights = [[one.weight * share for share in one.shares] for one in served]
    parts = [min(sum(column), 1.0) for column in zip(*weights, strict=True)]  # all classes: 1, but for round-off
    found = {"demand_share": tuple(part * ramp for part, ramp in zip(parts, plan.ramp, strict=True))}
    for name in LENGTHS:
        found[name] = means([one.lengths[name] for one in served], weights)
    long = [plan.long_above is not None and one.lengths["input_tokens"] > plan.long_above for one in served]
    for name, tokens in (("long_input_share", _input), ("long_output_share", generated)):
        whole = means([tokens(one) for one in served], weights)
        beyond = means([tokens(one) * there for one, there in zip(served, long, strict=True)], weights)
        found[name] = tuple(part / all_of if all_of else 0.0 for part, all_of in zip(beyond, whole, strict=True))
    return found


def _input(one: Served) -> float:
    return one.lengths["input_tokens"]


def generated(one: Served) -> float:
    """Tokens that the model decodes for a request of the class."""
    return one.lengths["output_tokens"] + one.lengths["reasoning_tokens"]


def means(values: list[float], weights: list[list[float]]) -> tuple[float, ...]:
    """By period the weighted mean; where nothing is served, the plain mean."""
    plain = sum(values) / len(values)
    return tuple(
        sum(value * part for value, part in zip(values, column, strict=True)) / sum(column) if sum(column) else plain
        for column in zip(*weights, strict=True)
    )


def _series(values: tuple[float, ...], unit: str, source: str, when: str) -> Figure:
    return replace(derived(0.0, unit, source, when), value=values)


def _may_serve(context: Context, fleet: Fleet, plan: Plan) -> bool:
    """Only a fleet whose work is requests can take a share of them."""
    told = {
        "serves": "is for requests, and this workload has none" if plan.kind != "inference" else "",
        "utilization": "and `serves` contradict each other; leave one out" if fleet.utilization else "",
    }
    for key, text in told.items():
        if text:
            context.problems.add((*plan.path, key), f"`{key}` {text}", key=True)
    check_classes(context.scenario, context.problems)
    return not any(told.values())


def _by_period(context: Context, share: Figure, where: tuple[str | int, ...]) -> tuple[float, ...]:
    """One share a period, of what is stated once, by year, by period or as a table by time."""
    periods = context.timeline.periods
    if share.is_one:
        return (share.to("").number,) * periods
    whole = stepped(share, context.timeline, context.problems, where) if share.is_table else share
    values, a_year = whole.to("").series, 12 // context.timeline.months_per_period
    if len(values) != periods and len(values) * a_year == periods:
        values = tuple(number for number in values for _ in range(a_year))
    if len(values) != periods:
        told = f"{len(values)} values for {periods} periods; state one for each, or for each year"
        context.problems.add(where, told)
        return (0.0,) * periods
    return values


def alone(context: Context, fleet: Fleet, plan: Plan) -> Iterator[tuple[str, Context, Fleet]]:
    """For each class that is served and not measured: the scenario with it alone, and the fleet without shares."""
    for one in plan.served:
        if one.name in plan.class_rates or not any(one.shares):
            continue
        work = _only(context.scenario.workload, one.name)
        scenario = context.scenario.model_copy(update={"workload": work})
        rated = fleet.measured is not None and fleet.measured.output is None
        bare = fleet.model_copy(update={"serves": {}, **({"measured": None} if rated else {})})
        yield one.name, Context(scenario, context.catalogue, context.timeline, context.problems), bare


def _only(work: Workload, name: str) -> Workload:
    """The workload with one of its classes alone."""
    for number, one in enumerate(work.classes, 1):
        if (one.id or f"class-{number}") == name:
            lengths = {"input": one.input, "output": one.output, "reasoning": one.reasoning}
            return work.model_copy(update={"classes": (), **lengths})
    return work
