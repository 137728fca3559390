"""Mid-quarter convention: MACRS by the quarter of the purchase, where too much comes late in a tax year."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import both, by_age, cumulative, where

in_first_quarter = given(
    "", "Purchases fall into the first quarter of the tax year (flag)", scope="mid-quarter convention", shape="series"
)
in_second_quarter = given(
    "", "Purchases fall into the second quarter of the tax year (flag)", scope="mid-quarter convention", shape="series"
)
in_third_quarter = given(
    "", "Purchases fall into the third quarter of the tax year (flag)", scope="mid-quarter convention", shape="series"
)
in_last_quarter = given(
    "", "Purchases fall into the last quarter of the tax year (flag)", scope="mid-quarter convention", shape="series"
)
first_quarter_share = given(
    "", "Share written off by tax year, bought in the first quarter", scope="mid-quarter convention", shape="table",
    from_unit="yr",
)  # fmt: skip
second_quarter_share = given(
    "", "Share written off by tax year, bought in the second quarter", scope="mid-quarter convention", shape="table",
    from_unit="yr",
)  # fmt: skip
third_quarter_share = given(
    "", "Share written off by tax year, bought in the third quarter", scope="mid-quarter convention", shape="table",
    from_unit="yr",
)  # fmt: skip
last_quarter_share = given(
    "", "Share written off by tax year, bought in the last quarter", scope="mid-quarter convention", shape="table",
    from_unit="yr",
)  # fmt: skip
late_share_limit = given(
    "", "Share of a tax year's basis in its last quarter above which the convention holds",
    scope="mid-quarter convention", default=0.4, minimum=0, maximum=1,
    reason="IRS publication 946: more than 40 % of the year's basis in its last three months",
)  # fmt: skip


@line("money", "Basis that comes in the last quarter")
def late_basis(basis_after_expensing, in_last_quarter):
    """What is expensed at once does not count, the bonus does."""
    return basis_after_expensing * in_last_quarter


@line("money", "Basis of the last quarter, of the tax year so far")
def late_to_date(late_basis, fiscal_year):
    """Whole when the fiscal year closes."""
    return cumulative(late_basis, within=fiscal_year)


@line("", "Mid-quarter year (flag), by the rule", choice_of="mid_quarter")
def mid_quarter_by_rule(late_to_date, basis_after_expensing, fiscal_year, late_share_limit, year_end):
    """Known when the fiscal year closes, and marked there."""
    whole = cumulative(basis_after_expensing, within=fiscal_year)
    return where(both(late_to_date > whole * late_share_limit, year_end > 0), 1, 0)


@line("", "Mid-quarter year (flag), always", choice_of="mid_quarter")
def mid_quarter_always(year_end):
    """As the scenario states."""
    return year_end


@line("", "Mid-quarter year (flag), where it closes")
def mid_quarter(choice):
    """By the rule, or as stated."""
    return choice


@line("money", "Basis written off from its tax year on, by the rule", choice_of="half_year_basis")
def half_year_by_rule(regular_basis, fiscal_year, year_end, mid_quarter):
    """A year's purchases, placed where the year closes."""
    return cumulative(regular_basis, within=fiscal_year) * (year_end - mid_quarter)


# --- first quarter ---


@line("money", "Bought in the first quarter")
def first_quarter_bought(regular_basis, in_first_quarter):
    """By the month in which the period of the purchase closes."""
    return regular_basis * in_first_quarter


@line("money", "Mid-quarter basis of the first quarter")
def first_quarter_basis(first_quarter_bought, fiscal_year, mid_quarter):
    """Placed where the fiscal year closes; nothing in a half-year year."""
    return cumulative(first_quarter_bought, within=fiscal_year) * mid_quarter


@line("money", "Write-off of purchases in the first quarter", part_of="year_write_off")
def first_quarter_write_off(first_quarter_basis, first_quarter_share, fiscal_year):
    """Each purchase at the share of its tax year."""
    return by_age(first_quarter_basis, first_quarter_share, fiscal_year)


# --- second quarter ---


@line("money", "Bought in the second quarter")
def second_quarter_bought(regular_basis, in_second_quarter):
    """By the month in which the period of the purchase closes."""
    return regular_basis * in_second_quarter


@line("money", "Mid-quarter basis of the second quarter")
def second_quarter_basis(second_quarter_bought, fiscal_year, mid_quarter):
    """Placed where the fiscal year closes; nothing in a half-year year."""
    return cumulative(second_quarter_bought, within=fiscal_year) * mid_quarter


@line("money", "Write-off of purchases in the second quarter", part_of="year_write_off")
def second_quarter_write_off(second_quarter_basis, second_quarter_share, fiscal_year):
    """Each purchase at the share of its tax year."""
    return by_age(second_quarter_basis, second_quarter_share, fiscal_year)


# --- third quarter ---


@line("money", "Bought in the third quarter")
def third_quarter_bought(regular_basis, in_third_quarter):
    """By the month in which the period of the purchase closes."""
    return regular_basis * in_third_quarter


@line("money", "Mid-quarter basis of the third quarter")
def third_quarter_basis(third_quarter_bought, fiscal_year, mid_quarter):
    """Placed where the fiscal year closes; nothing in a half-year year."""
    return cumulative(third_quarter_bought, within=fiscal_year) * mid_quarter


@line("money", "Write-off of purchases in the third quarter", part_of="year_write_off")
def third_quarter_write_off(third_quarter_basis, third_quarter_share, fiscal_year):
    """Each purchase at the share of its tax year."""
    return by_age(third_quarter_basis, third_quarter_share, fiscal_year)


# --- last quarter ---


@line("money", "Bought in the last quarter")
def last_quarter_bought(regular_basis, in_last_quarter):
    """By the month in which the period of the purchase closes."""
    return regular_basis * in_last_quarter


@line("money", "Mid-quarter basis of the last quarter")
def last_quarter_basis(last_quarter_bought, fiscal_year, mid_quarter):
    """Placed where the fiscal year closes; nothing in a half-year year."""
    return cumulative(last_quarter_bought, within=fiscal_year) * mid_quarter


@line("money", "Write-off of purchases in the last quarter", part_of="year_write_off")
def last_quarter_write_off(last_quarter_basis, last_quarter_share, fiscal_year):
    """Each purchase at the share of its tax year."""
    return by_age(last_quarter_basis, last_quarter_share, fiscal_year)
