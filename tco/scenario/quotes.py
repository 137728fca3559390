"""What awarded offers say of a fleet: which price of the model each line of an offer carries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tco.figures import Figure
from tco.scenario.paths import Path
from tco.scenario.quote_schema import Award, Offer, QuotedItem, Quotes
from tco.units import currencies_in
from tco.wording import listed, plain

PURCHASES, ADDED = ("purchases", "hardware_factor"), ("purchases", "running_factor")


@dataclass(frozen=True)
class Kind:
    """What a line of an offer can be: the input it carries, the line of cost that holds it, and what is paid by.

    `drivers` are the lines that the cost multiplies the price by; none where it is paid through the years. `instead`
    are inputs that state the same cost in another way.
    """

    input: str
    unit: str
    cost: str
    drivers: tuple[str, str] | None = None
    instead: tuple[str, ...] = ()
    named: str = ""


def _named(word: str, instead: str = "") -> Kind:
    """A cost that the model knows as a share of the equipment only, or not at all; it is paid with each system."""
    name = f"quoted_{word}"
    told = f"Quoted {word.replace('_', ' ')}"
    return Kind(f"{name}_amount", "money/system", f"{name}_cost", ADDED, (instead,) if instead else (), told)


_SYSTEM = Kind("system_price", "money/system", "hardware_cost", PURCHASES)
KINDS: dict[str, Kind] = {
    "system": _SYSTEM,
    "accelerator": _SYSTEM,
    "component": _SYSTEM,
    "network": Kind("network_price", "money/gpu", "network_cost", PURCHASES),
    "storage": Kind("storage_price", "money/system", "storage_cost", PURCHASES),
    "management": Kind("management_price", "money/system", "management_cost", PURCHASES),
    "racks": Kind("rack_price", "money/system", "rack_cost", PURCHASES),
    "installation": _named("installation", "installation_share"),
    "freight": _named("freight", "freight_share"),
    "spare_parts": _named("spare_parts", "spares_share"),
    "services": _named("services"),
    "software": Kind("bought_software_price", "money/system", "bought_software_cost",
                     ("new_systems", "running_factor")),
    "support": Kind("support_price", "money/gpu/yr", "support_cost"),
    "licences": Kind("licence_price", "money/gpu/yr", "licence_cost"),
}  # fmt: skip
"""By the word of `carries`; `nothing` is not among them."""

BY_TIME = ("support", "licences")
"""Paid for a time, which the line of the offer states as `term`."""


@dataclass(frozen=True)
class Part:
    """One line of an offer inside a price, with the share of the offer that is taken."""

    offer: int
    item: int
    share: float


@dataclass(frozen=True)
class Price:
    """A price of one fleet, in the currency of its offers: what its parts cost over the systems they are for.

    `among` are the offers that share these systems.
    """

    fleet: str
    kind: Kind
    currency: str
    systems: float
    amount: float
    parts: tuple[Part, ...]
    among: tuple[int, ...]

    @property
    def by_gpu(self) -> bool:
        """Whether it is a price of a GPU."""
        return "gpu" in self.kind.unit

    def value(self, gpus: float) -> float:
        """The price of one system or GPU."""
        return self.amount / self.systems / gpus if self.by_gpu else self.amount / self.systems


@dataclass(frozen=True)
class Procurement:
    """Offers and awards with the prices they become, for those who show them."""

    quotes: Quotes
    currency: str
    rates: dict[str, float]
    prices: dict[str, list[Price]] = field(default_factory=dict[str, list[Price]])

    def input_of(self, price: Price) -> str:
        """The input that holds a price: a foreign one stands before its conversion."""
        return price.kind.input if price.currency == self.currency else f"{price.kind.input}_quoted"

    def fleets(self) -> list[str]:
        """Fleets that have offers, in the order of the offers."""
        return list(dict.fromkeys(name for offer in self.quotes.offers for name in fleets_of(offer)))


def amount(item: QuotedItem, currency: str) -> float:
    """Quantity times unit price."""
    return item.quantity.number * item.price.to(currency).number


def currencies_of(offer: Offer) -> set[str]:
    """The currencies of its prices; one, if nothing is wrong."""
    return {code for item in offer.items for code in currencies_in(item.price.unit)}


def currency_of(offer: Offer) -> str:
    """The currency of its prices."""
    return min(currencies_of(offer), default="")


def fleets_of(offer: Offer) -> list[str]:
    """Fleets that the offer is for."""
    return list(dict.fromkeys(name for item in offer.items if (name := item.fleet or offer.fleet)))


def items_of(offer: Offer, fleet: str) -> Iterator[tuple[int, QuotedItem]]:
    """Lines for a fleet that carry a price, with their places."""
    for index, item in enumerate(offer.items):
        if (item.fleet or offer.fleet) == fleet and item.carries != "nothing":
            yield index, item


def systems_of(offer: Offer, fleet: str) -> float:
    """For how many systems of the fleet it is: as stated, else as many as it offers; 0 when neither says so."""
    if offer.systems and fleets_of(offer) == [fleet]:
        return offer.systems.number
    return sum(item.quantity.number for _, item in items_of(offer, fleet) if _counts(item))


def _counts(item: QuotedItem) -> bool:
    """Whether it is a system, and no discount on one."""
    return item.carries == "system" and item.price.number > 0


def total(offer: Offer, fleet: str) -> float:
    """What the offer asks for the fleet, support for its whole term included."""
    return sum(amount(item, currency_of(offer)) for _, item in items_of(offer, fleet))


def offers_for(quotes: Quotes, fleet: str) -> dict[int, Offer]:
    """Offers for a fleet by their place."""
    return {index: offer for index, offer in enumerate(quotes.offers) if fleet in fleets_of(offer)}


def taken(quotes: Quotes, fleet: str) -> dict[int, float]:
    """Systems awarded to each offer, by its place."""
    award = quotes.award.get(fleet, Award())
    found = offers_for(quotes, fleet)
    whole = {index: systems_of(offer, fleet) for index, offer in found.items() if offer.number in award.whole}
    split = {i: award.split[offer.number].number for i, offer in found.items() if offer.number in award.split}
    return {index: (whole | split)[index] for index in found if index in whole | split}


def prices_of(quotes: Quotes, fleet: str) -> list[Price]:
    """The prices that the award of a fleet becomes: of a split, what all pay over the systems of all."""
    held = taken(quotes, fleet)
    award = quotes.award.get(fleet, Award())
    shared = [index for index in held if quotes.offers[index].number in award.split]
    found: dict[Kind, list[tuple[Part, QuotedItem]]] = {}
    for index, number in held.items():
        share = number / systems_of(quotes.offers[index], fleet)
        for place, item in items_of(quotes.offers[index], fleet):
            found.setdefault(KINDS[item.carries], []).append((Part(index, place, share), item))
    made: list[Price] = []
    for kind, parts in found.items():
        first = parts[0][0].offer
        currency = currency_of(quotes.offers[first])
        among = tuple(shared) if first in shared else (first,)
        pieces = [amount(item, currency) * part.share / _years(item) for part, item in parts]
        systems = sum(held[index] for index in among)
        made.append(Price(fleet, kind, currency, systems, sum(pieces), tuple(part for part, _ in parts), among))
    return made


def _years(item: QuotedItem) -> float:
    return item.term.to("yr").number if item.term and item.carries in BY_TIME else 1.0


def place_of(price: Price) -> Path:
    """Where the first part of a price stands in the scenario."""
    first = price.parts[0]
    return ("quotes", "offers", first.offer, "items", first.item, "price")


def story(quotes: Quotes, price: Price, value: float) -> Figure:
    """The price with its source: who quoted it, when, and until when that holds; of several, what ends first."""
    offers = [quotes.offers[index] for index in dict.fromkeys(part.offer for part in price.parts)]
    source = " and ".join(f"quote {one.number} of {one.supplier}, {one.date}" for one in offers)
    ends = [one.valid_until for one in offers if one.valid_until]
    note = f"{len(price.parts)} lines of the bill of materials" if len(price.parts) > 1 else ""
    return Figure(
        value, price.kind.unit.replace("money", price.currency), as_of=min(one.date for one in offers),
        source=source, status="quote", note=note, valid_until=min(ends, default=""),
    )  # fmt: skip


def award_words(quotes: Procurement, fleet: str) -> str:
    """To whom the order goes, and why."""
    award, held = quotes.quotes.award.get(fleet), taken(quotes.quotes, fleet)
    if award is None:
        return "no offer is awarded, so that none counts in the model."
    offers = quotes.quotes.offers
    who = [f"{plain(number)} of {offers[index].number} ({offers[index].supplier})" for index, number in held.items()]
    why = f" Reason: {' '.join(award.reason.split())}" if award.reason else ""
    return f"systems awarded: {listed(who)}.{why}"
