"""A loan with an agreed payment: it is paid until the debt is gone, and its number of payments follows."""

from __future__ import annotations

import pytest

from tco.errors import ScenarioError
from tco.result import FleetResult
from tests.money.finance_cases import head, one, owned, row

TERMS = "share: 100 %, rate: 12 %, compounding: monthly, payment: {} USD/month"


def borrowed(payment: float, years: float = 3, step: str = "month", rate: float = 12.0) -> FleetResult:
    """100,000 at a nominal yearly rate that compounds monthly."""
    return owned(head(0.08, years, step), 1e5, loan=TERMS.format(payment).replace("12 %", f"{rate} %"))


def test_it_is_paid_until_the_debt_is_gone() -> None:
    """22 whole payments, one smaller, then none; each leaves one payment less."""
    found = borrowed(5000.0)
    paid, owed, left = (row(found, name) for name in ("loan_payment", "loan_balance", "payments_left"))
    rest = 100_000 * 1.01**22 - 5000 * (1.01**22 - 1) / 0.01
    assert paid == pytest.approx([5000.0] * 22 + [rest * 1.01] + [0.0] * 13, rel=1e-9)
    assert owed[22:] == [0.0] * 14
    assert left[1] == pytest.approx(left[0] - 1, rel=1e-9)
    assert left[22] == pytest.approx(left[0] - 22, rel=1e-7)
    assert left[23:] == [0.0] * 13
    assert sum(paid) == pytest.approx(100_000 + sum(row(found, "loan_interest")), rel=1e-12)


def test_what_the_horizon_cuts_off_is_settled() -> None:
    found = borrowed(5000.0, years=1)
    owed = 100_000 * 1.01**12 - 5000 * (1.01**12 - 1) / 0.01
    assert row(found, "loan_settlement") == pytest.approx([0.0] * 11 + [owed], rel=1e-9)


def test_a_payment_as_of_a_term_is_that_loan() -> None:
    """A loan of two years has the payment that repays it in twenty-four."""
    of_term = owned(head(0.08, 3, "month"), 1e5, loan=TERMS.format(0).split(", payment")[0] + ", term: 2 yr")
    payment = row(of_term, "loan_payment")[0]
    agreed = borrowed(payment)
    assert row(agreed, "payments_left")[0] == pytest.approx(24, rel=1e-9)
    assert row(agreed, "loan_balance")[:24] == pytest.approx(row(of_term, "loan_balance")[:24], abs=1e-6)
    assert one(agreed, "present_cost") == pytest.approx(one(of_term, "present_cost"), rel=1e-9)


def test_without_interest_the_debt_is_divided() -> None:
    assert row(borrowed(8000.0, rate=0), "payments_left")[0] == 12.5


@pytest.mark.parametrize("payment", [1000.0, 999.0])
def test_a_payment_that_covers_no_more_than_interest_is_refused(payment: float) -> None:
    """Case nper_never_repaid: the payment equals the interest."""
    with pytest.raises(ScenarioError) as caught:
        borrowed(payment)
    (problem,) = caught.value.problems
    assert problem.path == "fleets.machine.buy.loan.payment"
    assert f"pays {payment:,.2f} USD/month, and the interest on the 100,000.00 USD owed in 2026-01 is" in problem.text
    assert "1,000.00 USD/month, so that the debt is never repaid; state more than that, or a `term`" in problem.text
