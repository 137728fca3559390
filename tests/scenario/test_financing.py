"""Loans, write-offs, losses and leases of whole scenarios: what must hold whatever the numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tco.analysis.compare import rate_of_return
from tco.result import FleetResult, Result
from tco.scenario.schedules import declining_shares, macrs_table
from tco.session import loads

BASE = """format: 1
title: small
as_of: 2026-11-01
currency: USD
timeline: {start: 2027-01, horizon: 4 yr, step: quarter}
workload: {kind: inference, model: llama-3.1-8b, requests: 40 Mrequest/month, growth: 60 %/yr, peak_to_mean: 3,
           input: 900 token/request, output: 260 token/request}
electricity: {price: 0.12 USD/kWh}
cooling: {kind: air, pue: 1.4}
finance: {discount_rate: 7 %}
fleets:
  - {id: own, buy: {system: srv-8xl40s, price: 100000 USD/system}, precision: fp8}
"""
BUY = "price: 100000 USD/system"
RATE = "{discount_rate: 7 %}"


def ran(*pairs: tuple[str, str]) -> Result:
    text = BASE
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return loads(text).run()


def own(*pairs: tuple[str, str]) -> FleetResult:
    return ran(*pairs).by_id["own"]


def taxed(more: str, tax: str = "depreciation: {method: straight_line, life: 4 yr}") -> tuple[str, str]:
    return RATE, f"{{discount_rate: 7 %, basis: after_tax, tax_rate: 25 %, {tax}{more}}}"


def loan(more: str) -> tuple[str, str]:
    return BUY, f"{BUY}, loan: {{share: 80 %, {more}}}"


def leased(more: str) -> tuple[str, str]:
    return f"buy: {{system: srv-8xl40s, {BUY}}}", f"lease: {{system: srv-8xl40s, rent: 3000 USD/system/month, {more}}}"


def row(fleet: FleetResult, name: str) -> Any:
    found = fleet.shown(name)
    assert found is not None, f"{name}: {fleet.reason(name)}"
    return found


NOMINAL = 100 * 12 * (1.07 ** (1 / 12) - 1)


# --- loans ---


@pytest.mark.parametrize("payments", ["level", "equal_repayment", "interest_only"])
@pytest.mark.parametrize("term", ["3 month", "2 yr", "30 month", "9 yr"])
@pytest.mark.parametrize("rate", ["rate: 7 %", f"rate: {NOMINAL!r} %, compounding: monthly"])
def test_a_loan_at_the_discount_rate_is_worth_nothing(payments: str, term: str, rate: str) -> None:
    """Every purchase draws its own loan; what outlasts the horizon is settled."""
    cash, debt = own(), own(loan(f"{rate}, term: {term}, payments: {payments}"))
    assert np.count_nonzero(row(debt, "loan_drawn")) > 2
    assert row(debt, "present_cost") == pytest.approx(row(cash, "present_cost"), rel=1e-12)
    paid = row(debt, "total_cost") - row(cash, "total_cost")
    assert paid == pytest.approx(float(np.sum(row(debt, "loan_interest"))), rel=1e-9)
    assert np.all(row(debt, "loan_balance") >= 0)


def test_a_monthly_loan_is_the_schedule_of_the_bank() -> None:
    """250,000 at 8 % nominal over 36 months: numpy-financial, pyxirr, LibreOffice and Gnumeric agree on these."""
    found = own(
        ("horizon: 4 yr, step: quarter", "horizon: 36 month, step: month"), ("growth: 60 %/yr", "growth: 0 %/yr"),
        (BUY, "price: 312500 USD/system, loan: {share: 80 %, rate: 8 %, compounding: monthly, term: 3 yr}"),
        ("precision: fp8}", "precision: fp8, count: 1}"),
    )  # fmt: skip
    interest, repaid = row(found, "loan_interest"), row(found, "loan_repayment")
    assert interest[[0, 17, 35]] == pytest.approx([1666.6666666666667, 929.1410858064894, 51.881399770580856])
    assert repaid[[0, 17, 35]] == pytest.approx([6167.424698691119, 6904.950279551297, 7782.209965587205])
    assert float(np.sum(interest)) == pytest.approx(32027.289152877718)
    assert row(found, "loan_balance")[35] == 0


def test_a_nominal_rate_costs_more_than_the_same_effective_one() -> None:
    words = ("effective", "yearly", "quarterly", "monthly")
    costs = [row(own(loan(f"rate: 7 %, compounding: {word}, term: 3 yr")), "present_cost") for word in words]
    assert costs[0] == pytest.approx(costs[1], rel=1e-12)
    assert costs[1] < costs[2] < costs[3]


def test_only_interest_and_fees_are_deducted() -> None:
    terms = "rate: 9 %, term: 6 yr, fee: 1 %, exit_fee: 2 %"
    cash, debt = own(taxed("")), own(taxed(""), loan(terms))
    more = np.sum(row(debt, "deductions")) - np.sum(row(cash, "deductions"))
    fees = np.sum(row(debt, "loan_fee")) + np.sum(row(debt, "early_repayment_fee"))
    assert np.sum(row(debt, "early_repayment_fee")) == pytest.approx(0.02 * row(debt, "loan_settlement")[-1])
    assert more == pytest.approx(float(np.sum(row(debt, "loan_interest")) + fees))
    assert row(debt, "total_cost") - row(cash, "total_cost") == pytest.approx(0.75 * float(more))


# --- depreciation ---

PRINTED = {
    "half-year": {3: "33.33 44.45 14.81 7.41", 5: "20 32 19.20 11.52 11.52 5.76",
                  7: "14.29 24.49 17.49 12.49 8.93 8.92 8.93 4.46"},
    "first": {3: "58.33 27.78 12.35 1.54", 5: "35 26 15.60 11.01 11.01 1.38",
              7: "25 21.43 15.31 10.93 8.75 8.74 8.75 1.09"},
    "second": {3: "41.67 38.89 14.14 5.30", 5: "25 30 18 11.37 11.37 4.26",
               7: "17.85 23.47 16.76 11.97 8.87 8.87 8.87 3.34"},
    "third": {3: "25 50 16.67 8.33", 5: "15 34 20.40 12.24 11.30 7.06",
              7: "10.71 25.51 18.22 13.02 9.30 8.85 8.86 5.53"},
    "last": {3: "8.33 61.11 20.37 10.19", 5: "5 38 22.80 13.68 10.94 9.58",
             7: "3.57 27.55 19.68 14.06 10.04 8.73 8.73 7.64"},
}  # fmt: skip
"""IRS publication 946, tables A-1 to A-5: 3-, 5- and 7-year property (recalled, and compared with two reprints)."""

LONG = {
    10: "10 18 14.4 11.52 9.22 7.37 6.55 6.55 6.56 6.55 3.28",
    15: "5 9.5 8.55 7.7 6.93 6.23 5.9 5.9 5.91 5.9 5.91 5.9 5.91 5.9 5.91 2.95",
    20: "3.75 7.219 6.677 6.177 5.713 5.285 4.888 4.522 4.462 4.461 4.462 4.461 4.462 4.461 4.462 4.461 4.462 4.461 "
        "4.462 4.461 2.231",
}  # fmt: skip


@pytest.mark.parametrize(("convention", "life"), [(name, life) for name, found in PRINTED.items() for life in found])
def test_macrs_is_the_printed_table(convention: str, life: int) -> None:
    printed = [float(text) for text in PRINTED[convention][life].split()]
    assert [round(100 * share, 10) for share in macrs_table(life, convention)] == printed


@pytest.mark.parametrize("life", LONG)
def test_macrs_of_long_classes_is_the_printed_table(life: int) -> None:
    assert [round(100 * share, 10) for share in macrs_table(life, "half-year")] == [*map(float, LONG[life].split())]


def test_a_declining_balance_has_a_last_part_of_a_year_and_may_leave_a_rest() -> None:
    assert declining_shares(5, 2, True) == pytest.approx([0.4, 0.24, 0.144, 0.108, 0.108])
    assert declining_shares(5, 2, False) == pytest.approx([0.4, 0.24, 0.144, 0.0864, 0.05184])
    assert sum(declining_shares(2.5, 1.5, True)) == pytest.approx(1)
    assert len(declining_shares(2.5, 1.5, True)) == 3
    assert declining_shares(1, 2, True) == [1.0]


def test_a_declining_balance_stops_at_its_salvage() -> None:
    assert declining_shares(5, 2, False, 0.1) == pytest.approx([0.4, 0.24, 0.144, 0.0864, 0.0296])
    assert declining_shares(5, 2, True, 0.3) == pytest.approx([0.4, 0.24, 0.06, 0, 0])
    assert declining_shares(10, 1.5, True, 0.2)[-1] > 0
    assert sum(declining_shares(10, 1.5, True, 0.2)) == pytest.approx(0.8)


def test_what_is_left_at_the_salvage_counts_against_the_resale() -> None:
    terms = "method: declining_balance, life: 3 yr, factor: 2, salvage: 20 %"
    found = own(taxed("", f"depreciation: {{{terms}}}"))
    bought = np.sum(row(found, "tax_basis"))
    young = np.sum(row(found, "tax_basis")[4:])
    left = row(found, "disposal_write_off")[-1]
    assert left == pytest.approx(bought - np.sum(row(found, "depreciation")))
    assert 0.2 * bought <= left <= 0.2 * (bought - young) + young


def macrs(more: str, horizon: str = "6 yr", start: str = "2027-01", months: str = "quarter") -> FleetResult:
    return own(
        taxed("", f"depreciation: {{method: macrs, life: 3 yr{more}}}"),
        ("start: 2027-01, horizon: 4 yr, step: quarter", f"start: {start}, horizon: {horizon}, step: {months}"),
        ("growth: 60 %/yr", "growth: 0 %/yr"), ("precision: fp8}", "precision: fp8, count: 1}"),
    )  # fmt: skip


@pytest.mark.parametrize(("month", "quarter"), [("01", "first"), ("05", "second"), ("09", "third"), ("12", "last")])
def test_a_stated_mid_quarter_takes_the_table_of_the_month(month: str, quarter: str) -> None:
    found = macrs(", convention: mid_quarter", start=f"2027-{month}", months="month", horizon="60 month")
    written = row(found, "depreciation")
    shares = np.array([100 * amount / 100_000 for amount in written[written > 0]])
    assert shares == pytest.approx([float(text) for text in PRINTED[quarter][3].split()])


def test_the_rule_chooses_by_what_comes_last() -> None:
    for start, convention in (("2027-01", "half-year"), ("2027-07", "half-year"), ("2027-10", "last")):
        written = row(macrs("", start=start), "depreciation")
        first = written[written > 0][0] / 1000
        assert first == pytest.approx(float(PRINTED[convention][3].split()[0])), start
    assert macrs("", months="year").model.lines.keys().isdisjoint({"mid_quarter", "late_basis"})


def test_a_stated_half_year_against_the_rule_is_told() -> None:
    told = ran(
        taxed("", "depreciation: {method: macrs, life: 3 yr, convention: half_year}"),
        ("start: 2027-01", "start: 2027-10"), ("precision: fp8}", "precision: fp8, count: 1}"),
    ).warnings  # fmt: skip
    assert "mid-quarter" in [alert.code for alert in told]


def test_expensing_comes_before_the_bonus_and_the_bonus_before_the_table() -> None:
    found = macrs(", expensing: 30000 USD, bonus: 40 %", months="year")
    table = np.array([33.33, 44.45, 14.81, 7.41, 0, 0]) / 100
    assert row(found, "expensing")[0] == 30_000
    assert row(found, "bonus_depreciation")[0] == pytest.approx(28_000)
    assert row(found, "regular_depreciation") == pytest.approx(42_000 * table)
    assert row(found, "tax_book_value")[-1] == pytest.approx(0, abs=1e-6)


def test_what_is_expensed_does_not_count_for_the_rule() -> None:
    late = macrs("", start="2027-10")
    expensed = macrs(", expensing: 100000 USD", start="2027-10")
    assert row(late, "mid_quarter")[0] == 1
    assert row(expensed, "mid_quarter")[0] == 0
    assert row(expensed, "depreciation")[0] == 100_000


def test_the_limit_is_one_of_each_tax_year() -> None:
    found = own(taxed("", "depreciation: {method: straight_line, life: 4 yr, expensing: 150000 USD}"))
    bought, taken = row(found, "tax_basis").reshape(4, 4).sum(1), row(found, "expensing").reshape(4, 4).sum(1)
    assert np.count_nonzero(bought) > 1
    assert taken == pytest.approx(np.minimum(bought, 150_000))
    assert np.all(row(found, "regular_basis") >= -1e-9)


@pytest.mark.parametrize("method", ["straight_line, life: 3 yr", "declining_balance, life: 3 yr, factor: 2",
                                    "macrs, life: 5 yr", "table, shares: [50 %, 50 %]"])  # fmt: skip
def test_over_the_horizon_every_method_deducts_what_was_paid(method: str) -> None:
    found = own(taxed("", f"depreciation: {{method: {method}, expensing: 70000 USD, bonus: 30 %}}"))
    deducted = np.sum(row(found, "depreciation")) + np.sum(row(found, "disposal_write_off"))
    assert deducted == pytest.approx(float(np.sum(row(found, "capital_cost"))))


def test_a_gain_at_disposal_is_taxed_and_a_loss_deducted() -> None:
    """A machine of 100,000 written off in four years, sold after four for 30,000; in eight, for 30,000."""
    price = (BUY, f"{BUY}, resale: 30000 USD/system")
    one = ("precision: fp8}", "precision: fp8, count: 1}")
    found = {life: own(price, one, taxed("", f"depreciation: {{method: straight_line, life: {life} yr}}"))
             for life in (4, 8)}  # fmt: skip
    assert row(found[4], "disposal_write_off")[-1] == pytest.approx(0, abs=1e-6)
    assert row(found[8], "disposal_write_off")[-1] == pytest.approx(50_000)
    assert row(found[4], "residual_cost")[-1] == -30_000
    assert row(found[4], "total_cost") == pytest.approx(row(found[8], "total_cost"))


# --- losses ---


def test_with_income_enough_carrying_is_refunding() -> None:
    tax = "depreciation: {method: macrs, life: 3 yr, bonus: 40 %}"
    refund = own(taxed("", tax))
    carry = own(taxed(", tax_losses: carry_forward, income: 1000000000 USD/yr", tax))
    assert row(carry, "tax_cost") == pytest.approx(row(refund, "tax_cost"), rel=1e-6)
    assert row(carry, "loss_pool") == pytest.approx(np.zeros(16))


def test_a_limit_leaves_part_of_a_profit_taxed() -> None:
    """Deductions of 100,000 at the start against 30,000 a year: 70,000 wait, 80 % of a profit may be offset."""
    tax = "depreciation: {method: table, shares: [100 %]}, tax_losses: carry_forward, income: 30000 USD/yr"
    pairs = (("step: quarter", "step: year"), ("precision: fp8}", "precision: fp8, count: 1}"))
    result = ran(
        *pairs, taxed(", loss_limit: 80 %", tax), ("fleets:", "pin: {own: {electricity_cost: 0 USD}}\nfleets:")
    )
    found = result.by_id["own"]
    assert row(found, "loss_pool") == pytest.approx([70_000, 46_000, 22_000, 0])
    assert row(found, "tax_cost") == pytest.approx([-7500, -6000, -6000, -5500])
    whole = ran(
        *pairs, taxed("", tax.replace("30000", "20000")), ("fleets:", "pin: {own: {electricity_cost: 0 USD}}\nfleets:")
    )
    assert row(whole.by_id["own"], "loss_pool") == pytest.approx([80_000, 60_000, 40_000, 20_000])
    assert "losses-carried" in [alert.code for alert in whole.warnings]


# --- leases and contracts ---


def test_a_finance_lease_deducts_the_same_but_earlier() -> None:
    rents = ("term: 2 yr", "term: 3 yr, payments: arrears, interim: 10 day", "term: 6 yr")
    for rent in rents:
        as_paid, booked = (own(leased(f"{rent}{more}"), taxed("")) for more in ("", ", accounting: finance, rate: 6 %"))
        assert row(booked, "total_cost") == pytest.approx(row(as_paid, "total_cost"), rel=1e-9)
        assert row(booked, "present_cost") < row(as_paid, "present_cost")
        assert np.all(row(booked, "lease_liability") > -1e-6)


def test_a_lease_that_tax_takes_for_a_purchase_is_written_off() -> None:
    """What the rents are worth, by MACRS; with its interest as much is deducted over the horizon as is paid."""
    write_off = ("straight_line, life: 4 yr", "macrs, life: 5 yr, bonus: 40 %")
    for term in ("2 yr", "3 yr, payments: arrears", "6 yr"):
        lease = leased(f"term: {term}, accounting: purchase, rate: 6 %")
        found = own(lease, taxed(""), (write_off[0], write_off[1]))
        paid = own(leased(f"term: {term}"), taxed(""))
        assert np.sum(row(found, "tax_cost")) == pytest.approx(np.sum(row(paid, "tax_cost")), rel=1e-9)
        assert row(found, "leased_basis") == pytest.approx(row(found, "lease_begun"))
        assert row(found, "bonus_depreciation")[3] == pytest.approx(0.4 * np.sum(row(found, "lease_begun")[:4]))


def test_a_system_that_is_bought_out_works_on_without_rent() -> None:
    found = own(leased("term: 2 yr, buyout: 500 USD/system"), ("growth: 60 %/yr", "growth: 0 %/yr"),
                ("precision: fp8}", "precision: fp8, count: 3}"))  # fmt: skip
    assert row(found, "systems") == pytest.approx(np.full(16, 3))
    assert row(found, "rent_in_force")[7:9] == pytest.approx([9000, 0])
    assert row(found, "buyout_cost")[7] == 1500
    assert float(np.sum(row(found, "rent_cost"))) == pytest.approx(3 * 24 * 3000 + 1500)


def test_what_is_bought_out_is_sold_and_what_is_still_leased_is_not() -> None:
    shares = ("finance:", "pricing: {residual: {after: [4 yr], share: [20 %]}}\nfinance:")
    for term, receipts in (("2 yr", 1), ("4 yr", 1), ("5 yr", 0)):
        found = own(
            leased(f"term: {term}, buyout: 500 USD/system"), shares, ("precision: fp8}", "precision: fp8, count: 1}")
        )
        price = found.inputs["system_price"].number
        assert row(found, "residual_cost")[-1] == pytest.approx(-0.2 * price * receipts)


def test_an_exit_pays_its_share_of_what_is_owed() -> None:
    whole, part = own(leased("term: 5 yr")), own(leased("term: 5 yr, exit: 40 %"))
    assert row(whole, "settlement_cost")[-1] > 0
    assert row(part, "settlement_cost") == pytest.approx(0.4 * row(whole, "settlement_cost"))


def test_a_system_that_retires_is_sold() -> None:
    shares = ("finance:", "pricing: {residual: {after: [1 yr, 4 yr], share: [60 %, 0 %]}}\nfinance:")
    found = own((BUY, f"{BUY}, life: 2 yr"), shares, ("precision: fp8}", "precision: fp8, count: 1}"))
    sold = row(found, "residual_cost")
    assert sold[7] == pytest.approx(-40_000)
    assert sold[15] == pytest.approx(-40_000)
    assert np.count_nonzero(sold) == 2


# --- against doing nothing ---


def test_savings_may_be_measured_against_doing_nothing() -> None:
    nothing = '  - {id: nothing, buy: {system: srv-8xl40s, sunk: "do nothing"}, precision: fp8, count: 0}\n'
    result = loads(BASE.replace("7 %}", "7 %, reference: nothing}") + nothing).run()
    assert result.by_id["nothing"].verdict == "too small"
    told = result.comparison["own"]
    assert told["npv"]["value"] == pytest.approx(-row(result.by_id["own"], "present_cost"))
    assert told["irr"]["reason"].startswith("not defined")


FLOWS = [
    ([-1000, 300, 400, 500], 0.08896339469335035), ([-300, 50, 50, 100], -0.16106178263779902),
    ([-300, 100, 100, 100], 0.0), ([-1e6, *[12000] * 120], 0.006456646344605854),
    ([-100, 230, -132], "changes its sign several times"), ([-1, 2, -2], "changes its sign several times"),
    ([-100, -50, -50], "no change of sign"), ([0, 0, 0], "no change of sign"),
]  # fmt: skip


@pytest.mark.parametrize(("flows", "wanted"), FLOWS)
def test_rates_of_return_are_those_of_four_libraries_or_not_defined(flows: list[float], wanted: float | str) -> None:
    found, told = rate_of_return(np.arange(len(flows), dtype=float), np.array(flows, dtype=float))
    if isinstance(wanted, str):
        assert found is None
        assert wanted in told
    else:
        assert found == pytest.approx(wanted, rel=1e-9, abs=1e-12)
