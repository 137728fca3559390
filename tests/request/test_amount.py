"""The amount is that of the order: it ties to lines of the model and to the offers, to the cent."""

# pyright: basic
from __future__ import annotations

import numpy as np
import pytest

from tco.request.amount import amount_of
from tco.request.asked import asked
from tco.scenario.quotes import total
from tco.session import loads
from tests.cli.conftest import BASE
from tests.quotes.shop import TEXT as OFFERS
from tests.report.pages import ran
from tests.request.shop import request


def test_a_purchase_is_the_capital_of_the_first_order_and_the_contracts_of_its_quotes() -> None:
    found = request()
    capital = np.asarray(found.fleet.values["capital_cost"])
    support = 4 * 9600 * 1.09
    assert found.amount.value == round(float(capital[0]) + support, 2)
    by_line = {part.line: part.value for part in found.amount.parts}
    assert by_line["support_cost"] == pytest.approx(support)
    for name in ("hardware_cost", "network_cost", "quoted_installation_cost"):
        assert by_line[name] == float(np.asarray(found.fleet.values[name])[0])


def test_it_is_what_the_awarded_offer_adds_up_to() -> None:
    found = request()
    offer = found.offers[0]
    assert found.amount.value == round(total(offer, "own") * 1.09, 2)  # support for its whole term included
    assert found.amount.value == round((4 * 265450 + 2 * 38900.5 + 24 * 1120 + 12500 - 3000 + 4 * 9600) * 1.09, 2)
    assert found.amount.exact


def test_orders_after_the_first_are_told_and_not_asked_for() -> None:
    result = ran("quickstart")
    fleet = result.by_id["workstation"]
    found = amount_of(result, fleet)
    capital = np.asarray(fleet.values["capital_cost"])
    assert found.value == round(float(capital[0]), 2)
    assert found.later == pytest.approx(float(capital[1:].sum()))
    assert found.later > 0


@pytest.mark.parametrize(
    ("name", "lines", "bound"),
    [
        ("cloud-ondemand", ("rent_cost",), False),
        ("cloud-reserved", ("rent_cost",), True),
        ("nvl72", ("capital_cost", "rent_cost"), True),
        ("api", ("api_cost",), False),
    ],
)
def test_lease_rent_and_api_are_all_payments_of_the_horizon(name: str, lines: tuple[str, ...], bound: bool) -> None:
    result = ran("quickstart")
    fleet = result.by_id[name]
    found = amount_of(result, fleet)
    assert found.value == round(sum(float(np.sum(fleet.values[line])) for line in lines), 2)
    assert found.bound is bound


def test_sales_tax_and_contingency_are_in_it() -> None:
    text = BASE.replace("finance:", "pricing: {sales_tax: 10 %, contingency: 5 %}\nfinance:")
    scenario = loads(text)
    result = scenario.run()
    found = asked(scenario.content, result, "own").amount
    price = float(np.asarray(result.by_id["own"].values["equipment_cost"])[0])
    assert found.value == round(price * 1.15, 2)


def test_without_an_award_nothing_is_bound_by_contract() -> None:
    text = OFFERS.replace("  award: {own: N-118}\n", "").replace("own, buy: {", "own, buy: {price: 1000 USD/system, ")
    scenario = loads(text)
    found = asked(scenario.content, scenario.run(), "own").amount
    assert found.value == round(4 * 1000 * 1.03, 2)
