"""The amount is what signing commits to: it ties to lines of the model and to the offers, to the cent."""

# pyright: basic
from __future__ import annotations

import numpy as np
import pytest

from tco.report.facts import LABELS
from tco.request.amount import Amount, amount_of
from tco.request.amount_words import kind_words, tie_words
from tco.request.asked import Asked, asked
from tco.result import FleetResult
from tco.scenario.quotes import total
from tco.session import loads
from tests.cli.conftest import BASE, changed
from tests.quotes.shop import TEXT as OFFERS
from tests.report.pages import ran
from tests.request.shop import request

RESERVED = "rent: {gpu: h100-sxm, gpus: 8, price: 2 USD/gpu/h, term: TERM, upfront: 30 %, storage: 100 USD/month}"
LEASED = """lease: {system: hgx-h200-srv, rent: 9000 USD/system/month, term: TERM, interim: 10 day,
    return_cost: 500 USD/system}"""


def paid(way: str, *pairs: tuple[str, str], term: str = "1 yr", more: str = "") -> Asked:
    """The small scenario with one fleet that is paid in this way."""
    text = BASE[: BASE.index("fleets:")] + f"fleets:\n  - {{id: own, {way.replace('TERM', term)}, precision: fp8}}\n"
    scenario = loads(changed(*pairs, text=text + more))
    return asked(scenario.content, scenario.run(), "own")


def line(fleet: FleetResult, name: str) -> float:
    return float(np.sum(fleet.values[name]))


def by_line(amount: Amount) -> dict[str, float]:
    return {part.line: part.value for part in amount.parts}


# --- bought ---


def test_a_purchase_is_the_capital_of_the_first_order_and_the_contracts_of_its_quotes() -> None:
    found = request()
    capital = np.asarray(found.fleet.values["capital_cost"])
    support = 4 * 9600 * 1.09
    assert found.amount.value == round(float(capital[0]) + support, 2)
    parts = by_line(found.amount)
    assert parts["support_cost"] == pytest.approx(support)
    for name in ("hardware_cost", "network_cost", "quoted_installation_cost"):
        assert parts[name] == float(np.asarray(found.fleet.values[name])[0])


def test_it_is_what_the_awarded_offer_adds_up_to() -> None:
    found = request()
    offer = found.offers[0]
    assert found.amount.value == round(total(offer, "own") * 1.09, 2)  # support for its whole term included
    assert found.amount.value == round((4 * 265450 + 2 * 38900.5 + 24 * 1120 + 12500 - 3000 + 4 * 9600) * 1.09, 2)


def test_a_contract_is_for_its_term_and_not_for_the_horizon() -> None:
    """Two years of the model pay two thirds of the three that are signed for."""
    found = request()
    modelled = line(found.fleet, "support_cost")
    assert by_line(found.amount)["support_cost"] == pytest.approx(modelled * 3 / 2)
    assert found.amount.beside["maintenance_cost"] == pytest.approx(-modelled / 2)
    assert "Committed beyond what the report counts: maintenance." in tie_words(found)


def test_of_an_offer_for_more_than_the_first_order_only_its_share_is_bound() -> None:
    found = request(("precision: fp8, count: 4}", "precision: fp8, count: 2}"))
    assert by_line(found.amount)["support_cost"] == pytest.approx(2 * 9600 * 1.09)
    assert by_line(found.amount)["hardware_cost"] == pytest.approx((2 * 265450 - 1500) * 1.09)


def test_orders_after_the_first_are_told_and_not_asked_for() -> None:
    result = ran("quickstart")
    fleet = result.by_id["workstation"]
    found = amount_of(result, fleet)
    capital = np.asarray(fleet.values["capital_cost"])
    assert found.value == round(float(capital[0]), 2)
    assert found.later == pytest.approx(float(capital[1:].sum()))
    assert found.later > 0


def test_sales_tax_and_contingency_are_in_it() -> None:
    found = paid("buy: hgx-h200-srv", ("finance:", "pricing: {sales_tax: 10 %, contingency: 5 %}\nfinance:"))
    price = float(np.asarray(found.fleet.values["equipment_cost"])[0])
    assert found.amount.value == round(price * 1.15, 2)
    assert kind_words(found) == "Capital of the order in 2027-Q1 (with sales tax)."


def test_software_bought_is_in_it_and_support_of_no_term_is_not() -> None:
    stated = "pricing: {software: 700 USD/system, licences: 300 USD/gpu/yr, support: 50 USD/gpu/yr}\nfinance:"
    found = paid("buy: hgx-h200-srv", ("finance:", stated))
    assert by_line(found.amount) == {"hardware_cost": line(found.fleet, "hardware_cost"), "bought_software_cost": 700}
    assert "No term is stated for support and licences" in kind_words(found)


def test_a_loan_does_not_lower_it() -> None:
    loan = "loan: {share: 80 %, rate: 6 %, term: 2 yr}"
    assert paid(f"buy: {{system: hgx-h200-srv, {loan}}}").amount.value == paid("buy: hgx-h200-srv").amount.value


def test_what_is_already_paid_is_nothing() -> None:
    result = ran("local_assistant")
    found = amount_of(result, result.by_id["owned-already"])
    assert (found.value, found.parts) == (0, [])


def test_without_an_award_nothing_is_bound_by_contract() -> None:
    text = OFFERS.replace("  award: {own: N-118}\n", "").replace("own, buy: {", "own, buy: {price: 1000 USD/system, ")
    scenario = loads(text)
    found = asked(scenario.content, scenario.run(), "own").amount
    assert found.value == round(4 * 1000 * 1.03, 2)


# --- leased and reserved ---


@pytest.mark.parametrize("term", ["1 yr", "2 yr", "5 yr"], ids=["renewed", "the horizon", "beyond it"])
def test_a_lease_is_the_rent_of_its_term_and_its_fees(term: str) -> None:
    found, years = paid(LEASED, term=term), float(term.split()[0])
    fees = {"interim_rent": 9000 * 10 / 30, "return_cost": 500.0}
    assert by_line(found.amount) == pytest.approx({"rent_due": 9000 * 12 * years, **fees})
    assert (found.amount.bound, found.amount.called) == (True, "Amount, committed by signing")
    if years >= 2:  # one contract, which the model pays to its end
        assert found.amount.value == pytest.approx(line(found.fleet, "rent_cost"))
        assert set(found.amount.beside) == {"energy_cost"}
    else:
        assert found.amount.value == pytest.approx(line(found.fleet, "rent_cost") / 2)


def test_a_right_to_leave_does_not_lower_it() -> None:
    left = paid(LEASED.replace("interim", "exit: 50 %, interim"), term="5 yr")
    assert left.amount.value == paid(LEASED, term="5 yr").amount.value
    assert left.amount.beside["rent_cost"] == pytest.approx(-9000 * 12 * 3 / 2)


def test_a_term_between_two_periods_is_not_rounded() -> None:
    found = paid(LEASED, ("step: quarter", "step: year"), term="18 month")
    assert by_line(found.amount)["rent_due"] == 9000 * 18
    assert line(found.fleet, "rent_due") == 9000 * 24


def test_a_lease_holds_its_buy_out_and_what_is_bought_with_it() -> None:
    way = LEASED.replace("return_cost: 500", "buyout: 20000")
    found = paid(way, ("pue: 1.4", "pue: 1.4, retrofit: 100 USD/kW"), term="2 yr")
    parts = by_line(found.amount)
    assert parts["buyout_cost"] == line(found.fleet, "buyout_cost") == 20000
    assert parts["retrofit_cost"] == line(found.fleet, "capital_cost") > 0


@pytest.mark.parametrize("term", ["1 yr", "2 yr", "3 yr"])
def test_a_reservation_is_its_upfront_and_committed_fees(term: str) -> None:
    found, years = paid(RESERVED, term=term), float(term.split()[0])
    rent = 2 * 8 * 8760 * years
    assert by_line(found.amount) == pytest.approx({"upfront_rent": 0.3 * rent, "running_rent": 0.7 * rent})
    assert found.amount.bound
    beside = line(found.fleet, "rented_storage_cost") + (rent if years == 1 else 0)
    assert found.amount.beside == pytest.approx({"rent_cost": beside})


def test_a_pinned_rent_counts_as_pinned() -> None:
    found = paid(RESERVED, term="2 yr", more="pin: {own: {running_rent: 1000 USD}}\n")
    assert found.amount.value == round(line(found.fleet, "rent_cost"), 2)
    bought = paid("buy: hgx-h200-srv", more="pin: {own: {capital_cost: 1000 USD}}\n")
    assert by_line(bought.amount) == {"capital_cost": 1000}


# --- by use ---


@pytest.mark.parametrize(("name", "rent"), [("cloud-ondemand", "rent_cost"), ("api", "api_cost")])
def test_by_use_nothing_is_committed_and_the_first_year_is_expected(name: str, rent: str) -> None:
    result = ran("quickstart")
    fleet = result.by_id[name]
    found = amount_of(result, fleet)
    assert found.value == round(float(np.sum(np.asarray(fleet.values[rent])[:4])), 2)
    assert (found.bound, found.called) == (False, "Expected spend of the first year, not committed")
    assert found.beside == {rent: pytest.approx(float(np.sum(np.asarray(fleet.values[rent])[4:])))}


def test_a_horizon_below_a_year_is_told() -> None:
    short = ("horizon: 2 yr, step: quarter", "horizon: 6 month, step: month")
    found = paid("rent: {offer: runpod-h100-sxm-ondemand, gpus: 8}", short)
    assert found.amount.called == "Expected spend of the first 6 months, not committed"
    assert found.amount.value == round(line(found.fleet, "rent_cost"), 2)


# --- how it relates to the report ---


@pytest.mark.parametrize("name", ["quickstart", "procurement", "local_assistant"])
def test_with_what_stands_beside_it_it_is_the_total_cost_of_the_report(name: str) -> None:
    result = ran(name)
    for fleet in result.fleets:
        if fleet.shown("total_cost") is None:
            continue
        found = amount_of(result, fleet)
        assert found.total == fleet.shown("total_cost")
        assert sum(part.value for part in found.parts) + sum(found.beside.values()) == pytest.approx(found.total)
        assert set(found.beside) <= set(LABELS)


def test_the_total_is_told_with_the_amount_and_what_stands_beside_it() -> None:
    assert tie_words(paid(RESERVED, term="1 yr")) == (
        "282,720 USD over 2 years = amount 140,160 + other rent 142,560 (rounded)."
    )


def test_a_fleet_whose_total_means_nothing_has_none_here_either() -> None:
    found = paid("buy: hgx-h200-srv, count: 1, utilization: 50 %")
    assert found.amount.total is None
    assert tie_words(found) == "The report shows no total cost of this fleet: its work is not that of the scenario."
