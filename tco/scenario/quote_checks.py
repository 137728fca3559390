"""What is wrong with offers and awards, before any fleet is planned."""

from __future__ import annotations

from dataclasses import replace

from tco.errors import did_you_mean
from tco.figures import Figure
from tco.scenario.cross_rates import direct_rates
from tco.scenario.paths import Path
from tco.scenario.problems import Problems
from tco.scenario.quote_schema import Award, Offer, QuotedItem, Quotes
from tco.scenario.quotes import (
    BY_TIME,
    KINDS,
    amount,
    currencies_of,
    currency_of,
    fleets_of,
    items_of,
    offers_for,
    systems_of,
    taken,
    total,
)
from tco.scenario.schema import Scenario

OFFERS: Path = ("quotes", "offers")


def check_quotes(scenario: Scenario, problems: Problems) -> None:
    """Note every contradiction of offers, and of awards once the offers themselves are in order."""
    quotes = scenario.quotes
    if quotes is None:
        return
    seen: dict[str, int] = {}
    for index, offer in enumerate(quotes.offers):
        _check_offer(scenario, offer, index, problems)
        if offer.number in seen:
            told = f"`{offer.number}` is the number of offer {seen[offer.number] + 1} too; an award names offers by it"
            problems.add((*OFFERS, index, "number"), f"{told}: put the supplier's name before one of them")
        seen.setdefault(offer.number, index)
    if not problems.below(("quotes",)):
        for fleet, award in quotes.award.items():
            _check_award(scenario, quotes, fleet, award, problems)


def _check_offer(scenario: Scenario, offer: Offer, index: int, problems: Problems) -> None:
    here = (*OFFERS, index)
    if not offer.items:
        problems.add((*here, "items"), "no line is offered; state at least one")
    if offer.valid_until and offer.valid_until < offer.date:
        problems.add((*here, "valid_until"), f"{offer.valid_until} lies before the offer's `date`, {offer.date}")
    codes = sorted(currencies_of(offer))
    foreign = [code for code in codes if code != scenario.currency and code not in scenario.fx]
    if len(codes) > 1:
        problems.add((*here, "items"), f"prices are in {' and '.join(codes)}; an offer is in one currency")
    elif foreign:
        wanted = f"state `fx: {{{foreign[0]}: … {scenario.currency}/{foreign[0]}}}`"
        problems.add((*here, "items"), f"prices are in {foreign[0]}, the scenario in {scenario.currency}; {wanted}")
    for place, item in enumerate(offer.items):
        _check_item(scenario, offer, item, (*here, "items", place), problems)
    if len(codes) == 1 and not problems.below(here):
        for fleet in fleets_of(offer):
            _check_sum(offer, fleet, here, problems)


def _check_item(scenario: Scenario, offer: Offer, item: QuotedItem, here: Path, problems: Problems) -> None:
    bought = {fleet.id: fleet.buy for fleet in scenario.fleets}
    fleet = item.fleet or offer.fleet
    place = (*here, "fleet") if item.fleet else (*here[:3], "fleet")
    if fleet is None:
        problems.add(here, "no fleet is named; state `fleet` here or for the whole offer")
    elif fleet not in bought:
        advice = did_you_mean(fleet, bought) or f"; wanted one of {', '.join(bought)}"
        problems.add(place, f"`{fleet}` is not a fleet{advice}")
    elif bought[fleet] is None:
        problems.add(place, f"`{fleet}` is not bought; an offer carries prices of systems under `buy`")
    if item.price.source != "scenario" or item.price.as_of or item.price.note or item.price.low is not None:
        told = "an offer's number, date and validity are the story of its prices; state the amount alone"
        problems.add((*here, "price"), told)
    if (item.carries in BY_TIME) != (item.term is not None):
        needs = item.carries in BY_TIME
        told = "is paid for a time; state `term`, such as `3 yr`" if needs else "is paid once; leave `term` out"
        problems.add((*here, "carries" if needs else "term"), f"`{item.carries}` {told}")
    if item.carries == "nothing" and not item.note:
        problems.add((*here, "carries"), "a line that carries no price needs a `note` that says why")


def _check_sum(offer: Offer, fleet: str, here: Path, problems: Problems) -> None:
    sums: dict[str, float] = {}
    for _, item in items_of(offer, fleet):
        name = KINDS[item.carries].input
        sums[name] = sums.get(name, 0.0) + amount(item, currency_of(offer))
    for name, found in sums.items():
        if found <= 0:
            told = f"lines that carry `{name}` of {fleet} add up to {found:,.2f}; a price is above zero"
            problems.add((*here, "items"), f"{told}: let a discount carry what it lowers")
    if not sums:
        told = f"no line carries a price of {fleet}; let one carry what it is, or leave this offer out"
        problems.add((*here, "items"), told)
    elif systems_of(offer, fleet) <= 0:
        told = f"for how many systems of {fleet} this is, is not known; state `systems`"
        problems.add((*here, "items"), f"{told}, or a line that carries `system`")
    if offer.systems and len(fleets_of(offer)) > 1:
        problems.add((*here, "systems"), "the offer is for several fleets, which count by their lines; leave this out")


def _check_award(scenario: Scenario, quotes: Quotes, fleet: str, award: Award, problems: Problems) -> None:
    here: Path = ("quotes", "award", fleet)
    known = {offer.number: index for index, offer in offers_for(quotes, fleet).items()}
    if not known:
        listed = ", ".join(dict.fromkeys(name for offer in quotes.offers for name in fleets_of(offer)))
        problems.add(here, f"there is no offer for `{fleet}`; there are offers for {listed or 'no fleet'}", key=True)
        return
    if not award.whole and not award.split:
        problems.add(here, f"nobody gets the order; state `to` or `split` with numbers of {', '.join(known)}")
    unknown = [number for number in (*award.whole, *award.split) if number not in known]
    for number in unknown:
        problems.add(here, f"`{number}` is not the number of an offer for {fleet}; there are {', '.join(known)}")
    if unknown:
        return
    for number, asked in award.split.items():
        offered = systems_of(quotes.offers[known[number]], fleet)
        if asked.number > offered:
            told = f"{asked.number:g} systems are more than the {offered:g} of offer {number}; ask for a larger one"
            problems.add((*here, "split", number), told)
        if number in award.whole:
            problems.add((*here, "split", number), f"`{number}` stands under `to` too; keep one", key=True)
    _check_meeting(quotes, fleet, award, problems)
    if not problems.below(here) and not award.reason:
        _check_cheapest(scenario, quotes, fleet, problems)


def _check_meeting(quotes: Quotes, fleet: str, award: Award, problems: Problems) -> None:
    """Two offers that carry the same price share the systems, in one currency."""
    here: Path = ("quotes", "award", fleet)
    holders: dict[str, list[int]] = {}
    for index in taken(quotes, fleet):
        for _, item in items_of(quotes.offers[index], fleet):
            holders.setdefault(KINDS[item.carries].input, []).append(index)
    for name, indices in holders.items():
        offers = [quotes.offers[index] for index in dict.fromkeys(indices)]
        whole = [offer.number for offer in offers if offer.number in award.whole]
        numbers, codes = [offer.number for offer in offers], sorted({currency_of(offer) for offer in offers})
        if whole and len(offers) > 1:
            told = f"{' and '.join(numbers)} both carry `{name}`; share the systems with"
            problems.add(here, f"{told} `split: {{{numbers[0]}: 4 system, {numbers[1]}: 2 system}}`")
        elif len(codes) > 1:
            told = f"{' and '.join(numbers)} carry `{name}` in {' and '.join(codes)}, which is not one price"
            problems.add(here, f"{told}; ask one of them for the other's currency, or award to one")


def rate_of(scenario: Scenario, currency: str) -> float:
    """What one unit of a currency costs when the timeline starts."""
    if currency == scenario.currency:
        return 1.0
    first = {code: _first(rate) for code, rate in scenario.fx.items()}
    return {**first, **direct_rates(first, scenario.currency)}[currency].number


def _first(rate: Figure) -> Figure:
    return rate if rate.is_one else replace(rate, value=rate.rows[0][1] if rate.is_table else rate.series[0])


def per_system(scenario: Scenario, offer: Offer, fleet: str) -> float:
    """What the offer asks for one system, in the scenario's currency."""
    return total(offer, fleet) * rate_of(scenario, currency_of(offer)) / systems_of(offer, fleet)


def rivals_of(quotes: Quotes, fleet: str, index: int) -> dict[int, Offer]:
    """Offers that compete with one: they carry the system too, or what it carries where it offers no system."""
    mine = _inputs(quotes.offers[index], fleet)
    wanted = {"system_price"} if "system_price" in mine else mine
    return {i: one for i, one in offers_for(quotes, fleet).items() if wanted & _inputs(one, fleet)}


def _inputs(offer: Offer, fleet: str) -> set[str]:
    return {KINDS[item.carries].input for _, item in items_of(offer, fleet)}


def _check_cheapest(scenario: Scenario, quotes: Quotes, fleet: str, problems: Problems) -> None:
    for index in taken(quotes, fleet):
        found = {i: per_system(scenario, one, fleet) for i, one in rivals_of(quotes, fleet, index).items()}
        best = min(found, key=lambda one: found[one])
        if found[best] < found[index]:
            currency, name = scenario.currency, quotes.offers[index].number
            told = (
                f"{name} asks {found[index]:,.2f} {currency} a system, {quotes.offers[best].number} {found[best]:,.2f}"
            )
            problems.add(("quotes", "award", fleet), f"{told}: say why in `reason`")
            return
