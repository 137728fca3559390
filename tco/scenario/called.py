"""Figures of an API's tiers: cached, written, long and batched tokens; no price is assumed, the dearer one is told."""

from __future__ import annotations

from dataclasses import replace

from tco.figures import Figure
from tco.scenario.gather import derived
from tco.scenario.plan import Context, Parts, Plan
from tco.scenario.schema import Api, RequestClass, Workload
from tco.units import conversion, in_money
from tco.units import unit as unit_of

LONG = ("long_input_price", "long_cached_price", "long_output_price", "long_write_price")
BATCHED = ("batch_input_price", "batch_cached_price", "batch_output_price")


def called(context: Context, api: Api, parts: Parts, plan: Plan) -> None:
    """Add the tiers that the work reaches; those that it does not reach are left out."""
    _cached(plan, "cached_input_price", "input_price", "")
    _written(context, api, plan)
    _long(context, api, parts, plan)
    _batched(context, api, plan)


def _number(plan: Plan, name: str, unit: str = "") -> float:
    """A figure's number, the largest of a series; 0 when it is not there, or is not in its unit (told elsewhere)."""
    figure = plan.found.figures.get(name)
    if figure is None or conversion(unit_of(in_money(figure.unit)), unit_of(unit)) is None:
        return 0.0
    figure = figure.to(unit)
    return figure.number if figure.is_one else max(figure.series, default=0.0)


def _cached(plan: Plan, name: str, instead: str, whose: str) -> None:
    """Without a price for cached input it is billed as input, and said so."""
    figures = plan.found.figures
    if name in figures or instead not in figures:
        return
    note = f"no price for cached input{whose}: billed at the input price"
    plan.found.put(name, replace(figures[instead], note=note))
    if "prefix_cache_hit" in figures:
        plan.tell("cached-input", f"the offer has no price for cached input{whose}; it is billed at the input price")


def _written(context: Context, api: Api, plan: Plan) -> None:
    """Writing to the cache has its own price with some providers; how much is written only the user knows."""
    figures = plan.found.figures
    hit, share = _number(plan, "prefix_cache_hit"), _number(plan, "cache_write_share")
    if "cache_write_share" not in figures:
        stated = [name for name in ("cache_write", "long_cache_write") if getattr(api, name) is not None]
        if stated:
            told = "cannot count: how much is written is not known; state `cache_written`, such as `10 %`"
            context.problems.add((*plan.path, "api", stated[0]), told, key=True)
        elif hit and "cache_write_price" in figures:
            price = figures["cache_write_price"]
            told = f"input written to the cache costs {price.number:g} {price.unit}; how much is written is not stated"
            plan.tell("cache-writes", f"{told} (`cache_written`), so that it is billed at the input price")
        return
    if "cache_write_price" not in figures:
        told = "no price for input written to the cache is known; state `cache_write`, or leave this out"
        context.problems.add((*plan.path, "api", "cache_written"), told)
    if hit + share > 1 + 1e-9:
        told = f"{share:.0%} of the input is written to the cache and {hit:.0%} is read from it: more than all"
        context.problems.add((*plan.path, "api", "cache_written"), told.replace("%", " %"))


def _long(context: Context, api: Api, parts: Parts, plan: Plan) -> None:
    """Requests whose input is longer than the threshold pay dearer prices for all their tokens."""
    known = parts.offer.figures.get("long_context") if parts.offer else None
    threshold = api.long_context or known
    where = (*plan.path, "api")
    stated = [name for name in ("long_input", "long_cached_input", "long_output") if getattr(api, name) is not None]
    if stated and threshold is None and "long_input_share" not in plan.found.figures:
        told = "above which length a request pays it is not known; state `long_context`, such as `200000 token`"
        context.problems.add((*where, stated[0]), told, key=True)
        return
    if threshold is not None:
        plan.long_above = threshold.to("token").number
        _long_shares(context, threshold.to("token").number, plan)
    if not _number(plan, "long_input_share") and not _number(plan, "long_output_share"):
        plan.found.drop(*LONG)
        return
    figures = plan.found.figures
    missing = [name for name in ("long_input_price", "long_output_price") if name not in figures]
    if missing:
        told = "some requests are long, and no price is known for them; state `long_input` and `long_output`"
        context.problems.add(where, told)
        return
    _cached(plan, "long_cached_price", "long_input_price", " in long requests")
    if "cache_write_share" in figures and "long_write_price" not in figures:
        told = "some requests are long, and what they write to the cache has no price; state `long_cache_write`"
        context.problems.add((*where, "cache_written"), told)


def _long_shares(context: Context, threshold: float, plan: Plan) -> None:
    """By request classes where there are any, else all requests or none."""
    lengths = _lengths(context.scenario.workload, plan)
    told = f"input above {threshold:,.0f} tokens is long"
    for place, name in ((1, "long_input_share"), (2, "long_output_share")):
        whole = sum(row[0] * row[place] for row in lengths)
        beyond = sum(row[0] * row[place] for row in lengths if row[1] > threshold)
        if whole and beyond:
            plan.found.put_new(name, derived(beyond / whole, "", told, context.scenario.as_of))
    if _number(plan, "long_output_share"):
        share = sum(row[0] for row in lengths if row[1] > threshold) / sum(row[0] for row in lengths)
        plan.tell("long-requests", f"{share:.0%} of requests pay the prices of long ones: {told}".replace("%", " %"))


def _lengths(work: Workload, plan: Plan) -> list[tuple[float, float, float]]:
    """Share, input and generated tokens of each class of requests."""
    if not work.classes:
        each = "token/request"
        return [(1.0, _number(plan, "input_tokens", each), _number(plan, "output_tokens", each))]
    return [(one.share.to("").number, _in_tokens(one.input), _generated(one)) for one in work.classes]


def _generated(one: RequestClass) -> float:
    """Output and reasoning of a class."""
    return _in_tokens(one.output) + (_in_tokens(one.reasoning) if one.reasoning else 0.0)


def _in_tokens(figure: Figure) -> float:
    return figure.to("token/request").number


def _batched(context: Context, api: Api, plan: Plan) -> None:
    """What is sent in batches is cheaper; where it has no price for cached input, that is billed as input."""
    where, figures = (*plan.path, "api"), plan.found.figures
    stated = [name for name in ("batch_input", "batch_cached_input", "batch_output") if getattr(api, name) is not None]
    if stated and "batch_discount" in figures:
        told = f"`{stated[0]}` and `batch_discount` say the same; keep one"
        context.problems.add((*where, "batch_discount"), told, key=True)
    if (stated or "batch_discount" in figures) and "batch_share" not in figures:
        told = "what is sent in batches is not known; state `batch_share`, such as `40 %`"
        context.problems.add((*where, stated[0] if stated else "batch_discount"), told, key=True)
    if not _number(plan, "batch_share") or "batch_discount" in figures:
        plan.found.drop(*BATCHED)
        return
    if not {"batch_input_price", "batch_output_price"} <= set(figures):
        told = "no price of batches is known; state `batch_input` and `batch_output`, or `batch_discount`"
        context.problems.add((*where, "batch_share"), told)
        return
    _cached(plan, "batch_cached_price", "batch_input_price", " in batches")
    if _number(plan, "long_input_share"):
        plan.tell("long-batches", "long requests get no batch price: none is stated for them (`batch_discount` would)")
