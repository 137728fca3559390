"""What a scenario says of failures: it must be whole, and not say the same twice; then the ways of goodput follow."""

from __future__ import annotations

from dataclasses import replace

from tco.figures import Figure
from tco.scenario.gather import derived
from tco.scenario.plan import Context, Parts, Plan
from tco.wording import listed

REPAIRED = ("failure_rate", "host_failure_rate")
"""Failures that need a repair."""

OF_THE_RUN = ("software_failure_rate", "run_failure_rate", "silent_error_rate")
"""What stops a run and needs none."""

HANDLING = (
    "repair_time", "detection_time", "restart_time", "checkpoint_time", "checkpoint_bandwidth", "stated_interval",
    "silent_error_delay",
)  # fmt: skip
"""What an interruption takes."""

SILENT = ("silent_error_rate", "silent_error_delay")
"""One is nothing without the other."""

REPAIR_NEEDS = {"repair_time": "a time to repair", "repair_price": "a price of repairs"}


def repairs(context: Context, plan: Plan) -> None:
    """Time and price of a repair count only with the failures that need one."""
    stated = plan.found.paths
    if any(name in plan.found.figures for name in REPAIRED):
        return
    for name, what in REPAIR_NEEDS.items():
        if name in plan.found.figures:
            told = f"{what} is stated and no failures; state `reliability: {{failure_rate: … 1/gpu/yr}}`, or"
            context.problems.add(stated[name], f"{told} `host_failure_rate`, or leave it out")


def run_reliability(context: Context, parts: Parts, plan: Plan) -> None:
    """Goodput as stated, from failures, or whole where there are none; and the ways to compute it."""
    figures = plan.found.figures
    _check(context, plan)
    _check_spares(context, plan)
    fails = "goodput_share" not in figures and any(_above_zero(figures.get(name)) for name in (*REPAIRED, *OF_THE_RUN))
    _ecc(context, parts, plan)
    none = derived(1.0, "", "no failures stated", as_of=context.scenario.as_of)
    plan.found.put_new("goodput_share", replace(none, status="default", origin="default"), shared=True)
    plan.ways["goodput"] = "goodput_from_failures" if fails else "goodput_given"
    written, stated = "checkpoint_bandwidth" in figures, "stated_interval" in figures
    plan.ways["checkpoint_block_time"] = "checkpoint_block_written" if written else "checkpoint_block_stated"
    plan.ways["checkpoint_interval"] = "checkpoint_interval_stated" if stated else "checkpoint_interval_best"
    if not (fails and written):
        plan.without.add("checkpoint_size")
    replaced = fails and "repair_time" not in figures
    plan.ways["running_share"] = "running_share_replaced" if replaced else "running_share_repaired"


def _check(context: Context, plan: Plan) -> None:
    figures, paths = plan.found.figures, plan.found.paths
    causes = [name for name in (*OF_THE_RUN, *HANDLING) if name in figures]
    if "goodput_share" in figures:
        for name in causes:
            context.problems.add(paths[name], "cannot count beside a stated `goodput`; keep one of them")
        return
    if {"checkpoint_time", "checkpoint_bandwidth"} <= set(figures):
        told = "`checkpoint_bandwidth` and `checkpoint_time` say the same; keep one"
        context.problems.add(paths["checkpoint_bandwidth"], told)
    for one, other in (SILENT, SILENT[::-1]):
        if one in figures and other not in figures:
            context.problems.add(paths[one], f"silent errors also need `{other}`; state it, or leave `{one}` out")
    rates = [name for name in (*REPAIRED, *OF_THE_RUN) if name in figures]
    fails = any(_above_zero(figures[name]) for name in rates)
    missing = _missing(plan, fails=bool(causes) or fails, rated=bool(rates))
    if missing:
        first = next(name for name in (*HANDLING, *rates) if name in figures)
        told = f"goodput from failures also needs {listed(missing)}"
        context.problems.add(paths[first], f"{told}; state it, or `goodput` instead")


def _check_spares(context: Context, plan: Plan) -> None:
    spares, count = (plan.found.figures.get(name) for name in ("spare_systems", "count"))
    if spares and count and spares.is_one and count.is_one and 0 < count.number <= spares.number:
        told = f"of {count.number:g} systems {spares.number:g} are spares, which leaves none to run; state fewer"
        context.problems.add(plan.found.paths["spare_systems"], told)


def _missing(plan: Plan, *, fails: bool, rated: bool) -> list[str]:
    """What is needed and not stated, as it is written in a scenario."""
    figures, found = plan.found.figures, list[str]()
    if fails and not rated:
        found.append("`failure_rate`")
    if fails and "restart_time" not in figures:
        found.append("`restart_time`")
    if fails and not {"checkpoint_time", "checkpoint_bandwidth"} & set(figures):
        found.append("`checkpoint_time` (or `checkpoint_bandwidth`)")
    return found


def _ecc(context: Context, parts: Parts, plan: Plan) -> None:
    """A part whose memory corrects nothing: what is counted of silent errors is told, not assumed."""
    if parts.gpu is None or parts.gpu.texts.get("ecc") != "no":
        return
    stated = [plan.found.paths[name] for name in ("silent_error_rate", "repeated_share") if name in plan.found.figures]
    if not stated:
        told = "no silent errors are stated (`silent_error_rate`, or `repeated_runs`): none are counted"
    elif len(context.scenario.fleets) > 1 and all(place[:1] != ("fleets",) for place in stated):
        told = "silent errors count as stated for all fleets; state its own if others have ECC"
    else:
        return
    plan.tell("no-ecc", f"its memory has no ECC, and {told}")


def _above_zero(figure: Figure | None) -> bool:
    return figure is not None and figure.is_one and figure.number > 0
