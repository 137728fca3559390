"""Depreciation: how capital is written off for tax."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import almost_one, by_age, ceil, cumulative, lag, minimum, total, where

depreciation_life = given("yr", "Life for straight-line depreciation", scope="depreciation", minimum=0)
write_off_share = given(
    "", "Share written off by tax year", scope="depreciation by tax year", shape="table", from_unit="yr"
)
declining_share = given(
    "", "Share written off by age, declining balance", scope="declining balance", shape="table", from_unit="period"
)
expensing_limit = given("money", "Most that is expensed at once in a tax year", scope="expensing", minimum=0)
bonus_share = given("", "Bonus share, written off in the first tax year", scope="bonus", minimum=0, maximum=1)


@line("money", "Basis for depreciation", part_of="basis_after_expensing")
def tax_basis(parts):
    """Capital is not deducted when it is paid."""
    return parts


# --- written off in the first tax year ---


@line("money", "Expensed at once, of the tax year so far")
def expensed_to_date(tax_basis, fiscal_year, expensing_limit):
    """Up to the limit of a tax year, and never more than was paid."""
    return minimum(cumulative(tax_basis, within=fiscal_year), expensing_limit)


@line("money", "Expensed at once", part_of="depreciation")
def expensing(expensed_to_date, year_end):
    """Taken when the fiscal year closes."""
    return where(year_end > 0, expensed_to_date, 0)


@line("money", "Basis that is expensed at once", part_of="basis_after_expensing")
def expensed_basis(expensed_to_date, year_end):
    """Off the basis of the period's purchases, so negative; the first purchases of a tax year come first."""
    return lag(expensed_to_date) * (1 - lag(year_end)) - expensed_to_date


@line("money", "Basis after expensing", part_of="regular_basis")
def basis_after_expensing(parts):
    """What bonus and regular depreciation share."""
    return parts


@line("money", "Basis that the bonus takes", part_of="regular_basis")
def bonus_basis(basis_after_expensing, bonus_share):
    """Off the rest, so negative; of a rest of nothing, nothing."""
    return -basis_after_expensing * bonus_share


@line("money", "Bonus depreciation", part_of="depreciation")
def bonus_depreciation(bonus_basis, fiscal_year, year_end):
    """Of all purchases of the tax year, taken when it closes."""
    return where(year_end > 0, -cumulative(bonus_basis, within=fiscal_year), 0)


@line("money", "Basis for regular depreciation")
def regular_basis(parts):
    """What is written off over the years."""
    return parts


# --- straight line, declining balance ---


@line("period", "Depreciation life in periods")
def depreciation_periods(depreciation_life, step):
    """Whole periods."""
    return ceil(depreciation_life / step, "period")


@line("money", "Basis not yet written off by age")
def tax_basis_in_use(regular_basis, depreciation_periods):
    """Purchases younger than the depreciation life."""
    return total(regular_basis, last=depreciation_periods)


@line("money", "Depreciation, straight line", choice_of="regular_depreciation")
def straight_line_depreciation(tax_basis_in_use, depreciation_periods, period, step):
    """Equal amounts from the period of purchase on."""
    return tax_basis_in_use * period / (depreciation_periods * step)


@line("money", "Depreciation, declining balance", choice_of="regular_depreciation")
def declining_depreciation(regular_basis, declining_share, period_number):
    """Every purchase at the share of its own age."""
    return by_age(regular_basis, declining_share, period_number)


# --- by tax year: MACRS, or a table of one's own ---


@line("money", "Basis written off from its tax year on, all", choice_of="half_year_basis")
def half_year_always(regular_basis):
    """The table begins with the tax year of the purchase, whatever its quarter."""
    return regular_basis


@line("money", "Basis written off by the table of tax years")
def half_year_basis(choice):
    """All, or the years without the mid-quarter convention."""
    return choice


@line("money", "Write-off by the table of tax years", part_of="year_write_off")
def half_year_write_off(half_year_basis, write_off_share, fiscal_year):
    """Each purchase at the share of its tax year."""
    return by_age(half_year_basis, write_off_share, fiscal_year)


@line("money", "Write-off of the fiscal year")
def year_write_off(parts):
    """Of all conventions."""
    return parts


@line("money", "Depreciation, by tax year", choice_of="regular_depreciation")
def yearly_depreciation(year_write_off, year_end):
    """Taken when the fiscal year closes."""
    return where(year_end > 0, year_write_off, 0)


# --- together ---


@line("money", "Depreciation over the years", part_of="depreciation")
def regular_depreciation(choice):
    """Straight line, declining balance, or by tax year."""
    return choice


@line("money", "Depreciation", part_of="deductions")
def depreciation(parts):
    """Acts only through tax."""
    return parts


@line("money", "Tax book value")
def tax_book_value(tax_book_value, tax_basis, depreciation):
    """What is not yet written off."""
    return lag(tax_book_value) + tax_basis - depreciation


@line("money", "Write-off at disposal", part_of="deductions")
def disposal_write_off(tax_book_value, tax_basis, last_period):
    """What is left, but for rounding, is written off against the resale: a gain is taxed, a loss is deducted."""
    return where(tax_book_value > total(tax_basis) * (1 - almost_one), tax_book_value, 0) * last_period
