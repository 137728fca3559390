"""Awarded offers become the price inputs of a fleet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tco.scenario.paths import Path, path_text
from tco.scenario.plan import Context, Plan
from tco.scenario.quote_checks import rate_of
from tco.scenario.quotes import Price, Procurement, currency_of, offers_for, place_of, prices_of, story
from tco.scenario.schema import Cost, Fleet, Scenario


def quoted(context: Context, fleet: Fleet, plan: Plan) -> None:
    """Put awarded prices in the place of catalogue and general ones; what the fleet states too is a problem."""
    quotes = context.scenario.quotes
    if quotes is None or plan.payment != "buy":
        return
    if fleet.id not in quotes.award and offers_for(quotes, fleet.id):
        numbers = ", ".join(offer.number for offer in offers_for(quotes, fleet.id).values())
        plan.tell("quote-not-awarded", f"no offer is awarded, so that none counts ({numbers})")
    for price in prices_of(quotes, fleet.id):
        if _stated_too(context, fleet, plan, price):
            continue
        plan.found.drop(*price.kind.instead)
        if price.kind.named:
            plan.without.add(price.kind.cost.removeprefix("quoted_"))
            continue
        gpus = plan.found.figures.get("gpus_per_system")
        if price.by_gpu and gpus is None:
            told = f"`{price.kind.input}` is a price of a GPU, and how many a system has is not known"
            context.problems.add(place_of(price), f"{told}; state `inputs: {{gpus_per_system: …}}` of {fleet.id}")
            continue
        figure = story(quotes, price, price.value(gpus.number if gpus else 1.0))
        plan.found.put(price.kind.input, figure, place_of(price))


def named_costs(scenario: Scenario, fleet: Fleet) -> Iterator[tuple[Cost, Path]]:
    """Awarded lines that no price of the model holds, as costs of their own, paid with each system."""
    for price in prices_of(scenario.quotes, fleet.id) if scenario.quotes else ():
        if price.kind.named:
            figure = story(scenario.quotes, price, price.value(1.0)) if scenario.quotes else None
            yield Cost.model_construct(name=price.kind.named, amount=figure, part_of="capital_cost"), place_of(price)


def _stated_too(context: Context, fleet: Fleet, plan: Plan, price: Price) -> bool:
    """Whether the fleet itself states what the offer carries, as a price, a share, or a pinned line."""
    document, clashes = context.problems.document, list[Path]()
    for name in (price.kind.input, *price.kind.instead):
        where = plan.found.paths.get(name, ())
        if where[:1] == ("fleets",) and name in plan.found.figures:
            clashes.append(where)
    if price.kind.cost in context.scenario.pin.get(fleet.id, {}):
        clashes.append(("pin", fleet.id, price.kind.cost))
    if fleet.buy and fleet.buy.sunk and price.kind.input == "system_price":
        clashes.append((*plan.path, "buy", "sunk"))
    for where in clashes:
        line, _ = document.place(place_of(price))
        told = f"is stated here and by an awarded offer ({path_text(place_of(price), document.data)}, line {line})"
        context.problems.add(where, f"{told}; keep one of them")
    return bool(clashes)


def procurement(scenario: Scenario) -> Procurement | None:
    """Offers, awards and prices for those who show them."""
    quotes = scenario.quotes
    if quotes is None:
        return None
    rates = {code: rate_of(scenario, code) for offer in quotes.offers for code in [currency_of(offer)]}
    bare = Procurement(quotes, scenario.currency, rates)
    return replace(bare, prices={name: prices_of(quotes, name) for name in bare.fleets()})
