"""Figures that follow from how requests come: their classes and their hours."""

from __future__ import annotations

from tco.figures import Figure
from tco.scenario.gather import derived
from tco.scenario.plan import Context, Plan
from tco.scenario.schema import Workload
from tco.scenario.serving import percentile

HOURS = (24, 168)
"""A profile has one number for each hour of a day or of a week."""


def requests(context: Context, plan: Plan) -> None:
    """Mean lengths of the classes, the peak of the profile, the margin of the targets."""
    work = context.scenario.workload
    if work.classes:
        _mean_lengths(context, work, plan)
    if work.profile is not None:
        _peak(context, work, plan)
    percentile(context, plan)


def _mean_lengths(context: Context, work: Workload, plan: Plan) -> None:
    where = ("workload", "classes")
    shares = [one.share.to("").number for one in work.classes]
    if abs(sum(shares) - 1) > 0.005:
        context.problems.add(where, f"the shares add up to {sum(shares):.1%}; wanted 100 %".replace("%;", " %;"))
    for name, stated, lengths in (
        ("input_tokens", work.input, [_tokens(one.input) for one in work.classes]),
        ("output_tokens", work.output, [_tokens(one.output) for one in work.classes]),
        ("reasoning_tokens", work.reasoning, [_tokens(one.reasoning) for one in work.classes]),
    ):
        if name == "reasoning_tokens" and not any(one.reasoning for one in work.classes):
            continue
        if stated is not None:
            context.problems.add(where, f"`classes` and `{name.split('_')[0]}` say the same; keep one")
        mean = sum(share * length for share, length in zip(shares, lengths, strict=True)) / sum(shares)
        told = f"mean of {len(shares)} classes of requests by their shares"
        plan.found.put(name, derived(mean, "token/request", told, context.scenario.as_of), where, shared=True)
    longest = max(one.input.number + one.output.number + _tokens(one.reasoning) for one in work.classes)
    told = f"longest of {len(shares)} classes of requests"
    plan.found.put("longest_class", derived(longest, "token/request", told, context.scenario.as_of), where, shared=True)


def _tokens(figure: Figure | None) -> float:
    return figure.to("token/request").number if figure else 0.0


def _peak(context: Context, work: Workload, plan: Plan) -> None:
    where = ("workload", "profile")
    assert work.profile is not None
    hours = work.profile.series
    if len(hours) not in HOURS or not sum(hours):
        context.problems.add(where, f"{len(hours)} numbers; wanted 24 (a day) or 168 (a week), not all of them 0")
        return
    if work.peak_to_mean is not None:
        context.problems.add(where, "`profile` and `peak_to_mean` say the same; keep one")
    peak = max(hours) * len(hours) / sum(hours)
    told = f"highest of {len(hours)} hours over their mean"
    plan.found.put("peak_to_mean", derived(peak, "", told, context.scenario.as_of), where, shared=True)
