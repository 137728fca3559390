"""Lease: interim rent, buy-out, and the lease as a purchase on credit."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import by_age, ceil, compound, lag, one, total, where

interim_days = given("day", "Days of use before the lease begins", scope="interim rent", minimum=0)
rent_days = given(
    "day/month", "Days that share a monthly rent", scope="interim rent", default=30, minimum=1,
    reason="lessors count a thirtieth of a month's rent for a day",
)  # fmt: skip
buyout_price = given("money/system", "Price at which a leased system is bought out", scope="buy-out", minimum=0)
contract_term = given("yr", "Term of the lease", scope="buy-out", minimum=0)
bought_out_share = given(
    "", "Share of the price at resale by age, once bought out", scope="resale after buy-out", shape="table",
    from_unit="period",
)  # fmt: skip
lease_rate = given("1/yr", "Rate at which lease rents are discounted", scope="finance lease", minimum=0)
bought_on_credit = given(
    "", "Leased systems count as bought on credit (flag)", scope="purchase by lease", minimum=0, maximum=1
)


@line("money", "Interim rent", part_of=("rent_cost", "paid_at_start"))
def interim_rent(rent_begun, interim_days, rent_days):
    """The days before the first month of rent, a share of a month each."""
    return rent_begun * interim_days / rent_days


# --- buy-out ---


@line("period", "Contract in periods, of its own term", choice_of="contract_periods")
def contract_for_term(contract_term, step):
    """A system that is bought out outlasts its lease."""
    return ceil(contract_term / step, "period")


@line("money", "Buy-out of leased systems", part_of=("rent_cost", "paid_at_end"))
def buyout_cost(purchases, later_periods, buyout_price):
    """With the last period of a lease; one that outlasts the horizon is settled, and nothing is bought."""
    return lag(purchases, by=later_periods) * buyout_price


@line("system", "Systems bought out, at their share of the price")
def bought_out_systems(purchases, bought_out_share, period_number):
    """Only what is bought out has a value for the lessee."""
    return by_age(purchases, bought_out_share, period_number)


@line("money", "Resale of systems bought out", part_of=("residual_cost", "paid_at_end"))
def bought_out_resale(bought_out_systems, system_price, last_period):
    """A receipt, so negative; at the end of the horizon."""
    return -bought_out_systems * system_price * last_period


# --- finance lease: a purchase on credit ---


@line("", "Interest of a period inside the lease")
def lease_period_rate(lease_rate, period):
    """Effective, as every rate."""
    return compound(lease_rate, period) - 1


@line("", "Worth of a payment each period")
def lease_worth(lease_period_rate, contract_periods):
    """Of payments of one when each period closes, over the term."""
    left = (1 + lease_period_rate) ** (-contract_periods / one("period"))
    return where(lease_period_rate > 0, (1 - left) / lease_period_rate, contract_periods / one("period"))


@line("money", "Lease liability taken on")
def lease_begun(rent_begun, period, lease_worth, lease_period_rate, lease_in_advance):
    """What the rents of a new lease are worth when it begins; in advance each comes a period earlier."""
    return rent_begun * period * lease_worth * (1 + lease_period_rate * lease_in_advance)


@line("money", "Interest inside the lease")
def lease_interest(lease_liability, lease_begun, lease_rent_in_advance, lease_period_rate):
    """On what is owed through the period."""
    return (lag(lease_liability) + lease_begun - lease_rent_in_advance) * lease_period_rate


@line("money", "Lease liability")
def lease_liability(lease_liability, lease_begun, lease_interest, rent_due, lasting_rent):
    """What the remaining rents are worth when the period closes."""
    left = lag(lease_liability) + lease_begun + lease_interest - rent_due
    return where(lasting_rent > 0, left, 0)


@line("money", "Write-off of the right of use")
def right_of_use_write_off(lease_begun, contract_periods):
    """In equal parts over the term."""
    running = total(lease_begun, last=contract_periods)
    return running * one("period") / contract_periods


@line("money", "Right of use")
def right_of_use(right_of_use, lease_begun, right_of_use_write_off, lasting_rent):
    """The leased asset as finance books it."""
    left = lag(right_of_use) + lease_begun - right_of_use_write_off
    return where(lasting_rent > 0, left, 0)


@line("money", "Leases closed early, right of use less liability")
def lease_closing(right_of_use, lease_liability, last_period):
    """What stands in the books when the horizon ends is written off against each other."""
    return (right_of_use - lease_liability) * last_period


@line("money", "Rent deducted as interest and write-off", choice_of="deducted_rent")
def rent_deducted_as_financed(rent_cost, rent_due, lease_interest, right_of_use_write_off, lease_closing):
    """Over the term the same as the rents, but earlier; what else a lease costs is deducted as it is paid."""
    return rent_cost - rent_due + lease_interest + right_of_use_write_off + lease_closing


# --- a lease that tax takes for a purchase ---


@line("money", "Leased systems, as bought on credit", part_of="tax_basis")
def leased_basis(lease_begun, bought_on_credit):
    """Written off as what is bought."""
    return lease_begun * bought_on_credit


@line("money", "Rent deducted as interest", choice_of="deducted_rent")
def rent_deducted_as_interest(rent_cost, rent_due, lease_interest, lease_liability, last_period):
    """Depreciation writes off the rest; of what is settled when the horizon ends, the debt was deducted already."""
    return rent_cost - rent_due + lease_interest - lease_liability * last_period
