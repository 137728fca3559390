"""Tax on profit: what costs save."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import by_age, ceil, lag, total, where

tax_rate = given("", "Tax rate on profit", minimum=0, maximum=1)
depreciation_life = given("yr", "Life for straight-line depreciation", scope="depreciation", minimum=0)
macrs_share = given("", "Share written off by year (MACRS)", scope="MACRS", shape="table", from_unit="yr")


@line("money", "Basis for depreciation")
def tax_basis(parts):
    """Capital is not deducted when it is paid."""
    return parts


@line("period", "Depreciation life in periods")
def depreciation_periods(depreciation_life, step):
    """Whole periods."""
    return ceil(depreciation_life / step, "period")


@line("money", "Depreciation, straight line", choice_of="depreciation")
def straight_line_depreciation(tax_basis_in_use, depreciation_periods, period, step):
    """Equal amounts from the period of purchase on."""
    return tax_basis_in_use * period / (depreciation_periods * step)


@line("money", "Basis not yet written off by age")
def tax_basis_in_use(tax_basis, depreciation_periods):
    """Purchases younger than the depreciation life."""
    return total(tax_basis, last=depreciation_periods)


@line("money", "Write-off of the fiscal year")
def macrs_of_year(tax_basis, macrs_share, fiscal_year):
    """Each purchase at the share of its tax year."""
    return by_age(tax_basis, macrs_share, fiscal_year)


@line("money", "Depreciation, MACRS", choice_of="depreciation")
def macrs_depreciation(macrs_of_year, year_end):
    """Taken when the fiscal year closes."""
    return where(year_end > 0, macrs_of_year, 0)


@line("money", "Depreciation", part_of="deductions")
def depreciation(choice):
    """Acts only through tax."""
    return choice


@line("money", "Tax book value")
def tax_book_value(tax_book_value, tax_basis, depreciation):
    """What is not yet written off."""
    return lag(tax_book_value) + tax_basis - depreciation


@line("money", "Write-off at disposal", part_of="deductions")
def disposal_write_off(tax_book_value, last_period):
    """What is left is written off against the resale."""
    return tax_book_value * last_period


@line("money", "Deductions")
def deductions(parts):
    """Running costs, depreciation and disposal, less receipts."""
    return parts


@line("money", "Tax", part_of=("cash_cost", "paid_through"))
def tax_cost(deductions, tax_rate):
    """Other income exists: the shield arises in its period, as a receipt."""
    return -deductions * tax_rate
