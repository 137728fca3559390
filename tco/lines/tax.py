"""Tax on profit: what costs save."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import cumulative, lag, maximum, minimum

tax_rate = given("", "Tax rate on profit", minimum=0, maximum=1)
income_rate = given("money/yr", "Taxable income that the costs reduce", scope="income", minimum=0)
income_price = given("money/Mtoken", "Taxable income for useful tokens", scope="income", minimum=0)
loss_limit_share = given(
    "", "Most of the yearly profit that losses of earlier years may offset", scope="income", default=1,
    reason="no limit stated", minimum=0, maximum=1,
)  # fmt: skip


@line("money", "Rent deducted as it is paid", choice_of="deducted_rent")
def rent_deducted_as_paid(rent_cost):
    """Cloud rents, and leases under which the lessor owns."""
    return rent_cost


@line("money", "Rent deducted", part_of="deductions")
def deducted_rent(choice):
    """As it is paid, or as if the machine were bought on credit."""
    return choice


@line("money", "Deductions")
def deductions(parts):
    """Running costs, interest, depreciation and disposal, less receipts."""
    return parts


@line("money", "Tax, losses refunded", choice_of="tax_cost")
def tax_refunded(deductions, tax_rate):
    """Other income exists: the shield arises in its period, as a receipt."""
    return -deductions * tax_rate


# --- losses carried forward ---


@line("money", "Income stated", part_of="taxable_income")
def stated_income(income_rate, period):
    """Before these costs; it is no receipt of the fleet."""
    return income_rate * period


@line("money", "Income from useful tokens", part_of="taxable_income")
def token_income(period_useful_tokens, income_price):
    """At a price for what the fleet puts out; it is no receipt of the fleet."""
    return period_useful_tokens * income_price


@line("money", "Income before these costs")
def taxable_income(parts):
    """Against it, costs save tax."""
    return parts


@line("money", "Profit")
def profit(taxable_income, deductions):
    """A loss when negative."""
    return taxable_income - deductions


@line("money", "Profit of the tax year so far")
def profit_to_date(profit, fiscal_year):
    """Profit is taxed by the year."""
    return cumulative(profit, within=fiscal_year)


@line("money", "Losses of earlier years offset so far")
def loss_offset(loss_pool, profit_to_date, loss_limit_share):
    """As much as there are, within the limit."""
    return minimum(lag(loss_pool), maximum(profit_to_date, 0) * loss_limit_share)


@line("money", "Losses carried forward")
def loss_pool(loss_pool, profit_to_date, loss_offset, year_end):
    """A year's loss comes in when it closes, what was offset leaves."""
    return lag(loss_pool) + (maximum(-profit_to_date, 0) - loss_offset) * year_end


@line("money", "Tax that the costs change, of the tax year so far")
def tax_to_date(profit_to_date, loss_offset, taxable_income, fiscal_year, tax_rate):
    """Tax on what is left of the profit, less the tax on the income alone: a saving is negative."""
    alone = cumulative(taxable_income, within=fiscal_year)
    return (maximum(profit_to_date, 0) - loss_offset - alone) * tax_rate


@line("money", "Tax, losses carried forward", choice_of="tax_cost")
def tax_with_losses_carried(tax_to_date, year_end):
    """Paid through the year on the profit so far."""
    return tax_to_date - lag(tax_to_date) * (1 - lag(year_end))


@line("money", "Tax", part_of=("cash_cost", "paid_through"))
def tax_cost(choice):
    """Losses are refunded, or carried forward."""
    return choice
