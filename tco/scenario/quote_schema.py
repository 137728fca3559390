"""The part of the scenario that holds what suppliers offered, and to whom the order goes."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from tco.figures import Figure
from tco.scenario.fields import Day, FigureLeaf, FleetId, LongText, Section, Several, Text, figure

Carries = Literal[
    "system", "accelerator", "component", "network", "storage", "management", "racks", "installation", "freight",
    "spare_parts", "services", "software", "support", "licences", "nothing",
]  # fmt: skip
Share = Annotated[Figure, FigureLeaf("system", above=0, maximum=1e7, whole=True)]


class QuotedItem(Section):
    """A line of an offer, as the supplier wrote it, and which price of the fleet it carries."""

    item: Text
    part: Text | None = None
    quantity: Figure = figure("1", above=0, maximum=1e9, required=True, example="4")
    price: Figure = figure("money", required=True, description="of one piece, net of recoverable VAT; below zero for "
                           "a discount", example="265450.00 EUR")  # fmt: skip
    carries: Carries
    term: Figure | None = figure("yr", above=0, maximum=40, example="3 yr")
    fleet: FleetId | None = None
    note: LongText | None = None


class Offer(Section):
    """What one supplier offered on one day, all prices in one currency."""

    supplier: Text
    number: Text
    date: Day
    valid_until: Day | None = None
    fleet: FleetId | None = None
    systems: Figure | None = figure("system", above=0, maximum=1e7, whole=True, example="4 system")
    lead_time: Figure | None = figure("week", minimum=0, maximum=520, description="from order to delivery",
                                      example="12 week")  # fmt: skip
    warranty: Figure | None = figure("yr", minimum=0, maximum=40, description="as offered; the model's own is "
                                     "`buy.warranty`", example="3 yr")  # fmt: skip
    incoterm: Text | None = None
    terms: LongText | None = None
    items: Several[QuotedItem]


class Award(Section):
    """Who gets the order of a fleet."""

    shorthand: ClassVar = "to"
    to: Text | Several[Text] | None = None
    split: dict[str, Share] = Field(default_factory=dict)
    reason: LongText | None = None

    @property
    def whole(self) -> tuple[str, ...]:
        """Numbers of the offers that are taken as they are."""
        return (self.to,) if isinstance(self.to, str) else self.to or ()


class Quotes(Section):
    """Offers of suppliers, and the awards; the prices of awarded offers are those of the model."""

    offers: Several[Offer]
    award: dict[str, Award] = Field(default_factory=dict)
