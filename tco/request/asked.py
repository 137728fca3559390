"""A request in the hand: the scenario's section, the fleet that is asked for, and the amount."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from functools import cached_property

from tco.catalogue.dates import first_day
from tco.errors import Problem, ScenarioError, did_you_mean
from tco.figures import Figure
from tco.report.facts import Facts
from tco.request.amount import Amount, amount_of
from tco.result import NULLING, FleetResult, Result
from tco.scenario.quote_checks import rate_of
from tco.scenario.quote_schema import Offer
from tco.scenario.quotes import taken
from tco.scenario.request_schema import Request
from tco.scenario.schema import Scenario
from tco.units import currencies_in
from tco.wording import fixed


@dataclass(frozen=True)
class Asked:
    """What everything of the pack is made of."""

    scenario: Scenario
    result: Result
    fleet: FleetResult

    @cached_property
    def request(self) -> Request:
        """The section, or an empty one: what is missing is told."""
        return self.scenario.request or Request()

    @cached_property
    def facts(self) -> Facts:
        """The result as the report sees it."""
        return Facts(self.result)

    @cached_property
    def amount(self) -> Amount:
        """What is asked to be committed."""
        return amount_of(self.result, self.fleet)

    @property
    def currency(self) -> str:
        """The scenario's."""
        return self.scenario.currency

    def money(self, figure: Figure) -> float:
        """An amount of the section in the scenario's currency, at the rate of the start."""
        code = min(currencies_in(figure.unit), default=self.currency)
        return figure.to(code).number * rate_of(self.scenario, code)

    def shown(self, value: float) -> str:
        """Money to the cent."""
        return f"{fixed(value, 2)} {self.currency}"

    @cached_property
    def offers(self) -> list[Offer]:
        """Awarded offers of the fleet."""
        quotes = self.scenario.quotes
        return [quotes.offers[index] for index in taken(quotes, self.fleet.id)] if quotes else []

    @cached_property
    def lead_days(self) -> int | None:
        """The longest lead time that awarded offers or the fleet state; None when none does."""
        stated = [offer.lead_time for offer in self.offers] + [self.fleet.inputs.get("lead_time")]
        days = [figure.to("day").number for figure in stated if figure is not None]
        return round(max(days)) if days else None

    @property
    def today(self) -> datetime.date:
        """The day of the scenario; the clock is never read."""
        return _day(self.scenario.as_of)

    @cached_property
    def needed(self) -> datetime.date | None:
        """The day by which it is needed, as stated."""
        return _day(self.request.needed_by) if self.request.needed_by else None


def _day(text: str) -> datetime.date:
    found = first_day(text)
    assert found is not None, "days of a scenario were read as days"
    return found


def asked(scenario: Scenario, result: Result, fleet: str | None) -> Asked:
    """The request for a fleet, the recommended one if none is named. Raises ScenarioError."""
    file = result.scenario["file"]
    known = result.by_id
    if fleet is not None and fleet not in known:
        advice = did_you_mean(fleet, known) or f"; wanted one of {', '.join(known)}"
        told = f"`{fleet}` is not a fleet{advice}"
        raise ScenarioError([Problem(told, file=file)])
    name = fleet or result.recommended
    if name is None:
        told = "no fleet can do the work, so that none can be requested"
        raise ScenarioError([Problem(told, file=file)])
    found = known[name]
    if found.verdict in NULLING:
        why = "; ".join(found.reasons) or found.verdict
        told = f"{name} cannot be requested, it cannot do the work: {why}"
        other = f"; the recommended fleet is {result.recommended}" if result.recommended else ""
        raise ScenarioError([Problem(told + other, file=file)])
    return Asked(scenario, result, found)
