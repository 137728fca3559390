"""Loan: a part of the capital is borrowed and paid back over its term."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import ceil, compound, lag, logarithm, minimum, one, total, where

loan_share = given("", "Share of the capital that is borrowed", scope="loan", minimum=0, maximum=1)
loan_rate = given("1/yr", "Interest rate of the loan", scope="loan", minimum=0)
loan_term = given("yr", "Term of the loan", scope="loan", minimum=0)
agreed_payment_rate = given("money/yr", "Agreed payment on the loan", scope="agreed payment", minimum=0)
compoundings = given(
    "1/yr", "Yearly frequency at which the nominal rate of the loan compounds", scope="loan", minimum=0
)
loan_fee_share = given("", "Fee over what is borrowed", scope="loan fee", minimum=0, maximum=1)
early_fee_share = given("", "Fee over what is paid back early", scope="loan's exit fee", minimum=0, maximum=1)


@line("", "Interest of a period, effective rate", choice_of="loan_period_rate")
def effective_period_rate(loan_rate, period):
    """Effective and yearly, as every rate of the model."""
    return compound(loan_rate, period) - 1


@line("", "Interest of a period, nominal rate", choice_of="loan_period_rate")
def nominal_period_rate(loan_rate, compoundings, period):
    """As banks quote: a twelfth each month compounds to more than the yearly rate."""
    return (1 + loan_rate / compoundings) ** (compoundings * period) - 1


@line("", "Interest of a period over the debt")
def loan_period_rate(choice):
    """By an effective or a nominal rate."""
    return choice


@line("period", "Term of the loan in periods")
def loan_periods(loan_term, step):
    """Whole periods, the one of the purchase included."""
    return ceil(loan_term / step, "period")


@line("period", "Periods a loan runs after its first")
def loan_later_periods(loan_periods):
    """None for a loan of one period."""
    return loan_periods - one("period")


@line("money", "Loan drawn")
def loan_drawn(capital_cost, loan_share):
    """Every purchase draws a loan of its own."""
    return capital_cost * loan_share


@line("money", "Loan received", part_of=("finance_cost", "paid_at_start"))
def loan_received(loan_drawn):
    """A receipt, so negative; it comes when the purchase is paid."""
    return -loan_drawn


@line("money", "Fee of the loan", part_of=("finance_cost", "paid_at_start", "deductions"))
def loan_fee(loan_drawn, loan_fee_share):
    """Paid, and deducted, when the loan is drawn."""
    return loan_drawn * loan_fee_share


@line("money", "Loans in force, as drawn")
def loan_in_force(loan_drawn, loan_periods):
    """Of all loans that are still being paid back."""
    return total(loan_drawn, last=loan_periods)


@line("", "Level payment of a period over the loan")
def annuity_share(loan_period_rate, loan_periods):
    """Equal payments that pay interest and the whole loan within its term."""
    left = (1 + loan_period_rate) ** (-loan_periods / one("period"))
    return where(loan_period_rate > 0, loan_period_rate / (1 - left), one("period") / loan_periods)


@line("money", "Debt in the period")
def loan_owed(loan_balance, loan_drawn):
    """What was owed before, and what is drawn when the period opens."""
    return lag(loan_balance) + loan_drawn


@line("money", "Interest on the loan", part_of="deductions")
def loan_interest(loan_owed, loan_period_rate):
    """Of a whole period on what is owed in it; only interest is deducted, never the repayment."""
    return loan_owed * loan_period_rate


@line("money", "Repayment under level payments", choice_of="loan_repayment")
def level_repayment(loan_in_force, annuity_share, loan_interest):
    """What the level payment leaves after interest."""
    return loan_in_force * annuity_share - loan_interest


@line("money", "Repayment in equal parts", choice_of="loan_repayment")
def equal_repayment(loan_in_force, loan_periods):
    """The same part of the loan each period; interest falls with the debt."""
    return loan_in_force * one("period") / loan_periods


@line("money", "Repayment at the end of the term", choice_of="loan_repayment")
def repayment_at_term(loan_drawn, loan_later_periods):
    """Interest only until then."""
    return lag(loan_drawn, by=loan_later_periods)


@line("money", "Agreed payment of a period")
def agreed_payment(agreed_payment_rate, period):
    """On all that is owed, for as long as anything is."""
    return agreed_payment_rate * period


@line("money", "Repayment under the agreed payment", choice_of="loan_repayment")
def agreed_repayment(agreed_payment, loan_interest, loan_owed):
    """What it leaves after interest; the last payment is what is still owed."""
    return minimum(agreed_payment - loan_interest, loan_owed)


@line("period", "Payments until the debt is repaid, one a period")
def payments_left(loan_owed, agreed_payment, loan_interest, loan_period_rate):
    """With no further purchase; the part of a payment at its end is the smaller last one."""
    repaid = agreed_payment / (agreed_payment - loan_interest)
    count = where(loan_period_rate > 0, logarithm(repaid) / logarithm(1 + loan_period_rate), loan_owed / agreed_payment)
    return count * one("period")


@line("money", "Repayment of the loan")
def loan_repayment(choice):
    """As the contract says."""
    return choice


@line("money", "Interest and repayment", part_of=("finance_cost", "paid_at_end"))
def loan_payment(loan_interest, loan_repayment):
    """When the period closes."""
    return loan_interest + loan_repayment


@line("money", "Loans that outlast the period, as drawn")
def loan_outlasting(loan_drawn, loan_later_periods):
    """Exactly nothing when every loan is paid back, whatever rounding left."""
    return total(loan_drawn, last=loan_later_periods)


@line("money", "Debt left by a term", choice_of="loan_balance")
def balance_of_term(loan_outlasting, loan_owed, loan_repayment):
    """Nothing when the last loan is over."""
    return where(loan_outlasting > 0, loan_owed - loan_repayment, 0)


@line("money", "Debt left by an agreed payment", choice_of="loan_balance")
def balance_of_payment(loan_owed, loan_repayment):
    """Nothing when the last payment has repaid what was owed."""
    return loan_owed - loan_repayment


@line("money", "Debt at the period's end")
def loan_balance(choice):
    """What is still owed."""
    return choice


@line("money", "Debt settled at the end of the horizon", part_of=("finance_cost", "paid_at_end"))
def loan_settlement(loan_balance, last_period):
    """The machines are sold or written off, the debt is paid."""
    return loan_balance * last_period


@line("money", "Fee for early repayment", part_of=("finance_cost", "paid_at_end", "deductions"))
def early_repayment_fee(loan_settlement, early_fee_share):
    """What the bank takes for its lost interest."""
    return loan_settlement * early_fee_share


@line("money", "Financing", part_of="cash_cost")
def finance_cost(parts):
    """What borrowing brings, less what it costs."""
    return parts
