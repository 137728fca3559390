"""Rent: what is paid for systems that somebody else owns, in the cloud or by lease."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import compound, lag, maximum, one, total, where

gpu_hour_price = given("money/gpu/h", "Price of a GPU-hour", scope="rental", minimum=0)
lease_rent = given("money/system/month", "Lease rent of a system", scope="lease", minimum=0)
rent_trend = given("1/yr", "Trend of rents", default=0, reason="no trend stated", minimum=-1)
window_share = given("", "Share of time in the active window", scope="active window", minimum=0, maximum=1)
always_on = given(
    "",
    "Share of time an instance is always on",
    default=1,
    reason="instances run around the clock",
    minimum=0,
    maximum=1,
)
upfront_share = given(
    "", "Share of a reservation paid upfront", scope="rental", default=0, reason="nothing upfront", minimum=0, maximum=1
)
lease_in_advance = given(
    "",
    "Lease paid in advance (flag; 0 is arrears)",
    scope="lease",
    default=1,
    reason="leases are usually paid in advance",
    minimum=0,
    maximum=1,
)
lease_return_price = given("money/system", "Return of a leased system", scope="lease return", minimum=0)
rented_storage_price = given("money/month", "Rented storage", scope="rented storage", minimum=0)
exit_share = given(
    "",
    "Share of what a contract still owes that is paid at the end of the horizon",
    default=1,
    reason="a contract is paid to its end",
    minimum=0,
    maximum=1,
)
egress_price = given("money/month", "Traffic out of the cloud", scope="egress", minimum=0)


@line("money/system/month", "Rent of a system, by GPU-hours", choice_of="system_rent")
def system_rent_by_hour(gpu_hour_price, gpus_per_system):
    """An instance is rented whole."""
    return gpu_hour_price * gpus_per_system


@line("money/system/month", "Rent of a system, by lease", choice_of="system_rent")
def system_rent_by_lease(lease_rent):
    """As the lessor quotes it."""
    return lease_rent


@line("money/system/month", "Rent of a system")
def system_rent(choice):
    """At the start's price."""
    return choice


@line("", "Rents over the start's")
def rent_factor(rent_trend, opening_time):
    """A contract keeps the price of the moment it begins; a renewal takes the price of its own."""
    return compound(rent_trend, opening_time)


@line("period", "Contract in periods, as long as its systems", choice_of="contract_periods")
def contract_for_life(life_periods):
    """Systems leave when their contract ends."""
    return life_periods


@line("period", "Contract in periods")
def contract_periods(choice):
    """Whole periods in which rent is paid."""
    return choice


@line("money/month", "Rent begun")
def rent_begun(purchases, system_rent, rent_factor):
    """Monthly rent of the contracts that begin in the period."""
    return purchases * system_rent * rent_factor


@line("money/month", "Rent in force")
def rent_in_force(rent_begun, contract_periods):
    """Of all contracts that have not ended."""
    return total(rent_begun, last=contract_periods)


@line("", "Share of time paid, always", choice_of="billed_share")
def billed_always(always_on):
    """Unused hours are paid too."""
    return always_on


@line("", "Share of time paid, active window", choice_of="billed_share")
def billed_window(window_share):
    """Outside the window nothing runs and nothing is paid."""
    return window_share


@line("", "Share of time paid, scale to zero", choice_of="billed_share")
def billed_busy(utilization):
    """Only hours in which an instance works."""
    return utilization


@line("", "Share of time paid")
def billed_share(choice):
    """Of the time in which instances stand ready."""
    return choice


@line("money", "Rent due")
def rent_due(rent_in_force, billed_share, period):
    """For the period."""
    return rent_in_force * billed_share * period


# --- cloud ---


@line("money", "Rent paid upfront", part_of=("rent_cost", "paid_at_start"))
def upfront_rent(rent_begun, contract_periods, step, upfront_share):
    """The upfront share of the whole term, when a contract begins."""
    return rent_begun * contract_periods * step * upfront_share


@line("money", "Rent paid as it runs", part_of=("rent_cost", "paid_through"))
def running_rent(rent_due, upfront_share):
    """What was not paid upfront."""
    return rent_due * (1 - upfront_share)


@line("money", "Storage, rented", part_of=("rent_cost", "paid_through"))
def rented_storage_cost(rented_storage_price, rent_factor, period):
    """Kept whether or not instances run."""
    return rented_storage_price * rent_factor * period


@line("money", "Traffic out", part_of=("rent_cost", "paid_through"))
def egress_cost(egress_price, rent_factor, period):
    """Charged by the provider."""
    return egress_price * rent_factor * period


# --- lease ---


@line("money", "Lease rent in advance", part_of=("rent_cost", "paid_at_start"))
def lease_rent_in_advance(rent_due, lease_in_advance):
    """When the period opens."""
    return rent_due * lease_in_advance


@line("money", "Lease rent in arrears", part_of=("rent_cost", "paid_at_end"))
def lease_rent_in_arrears(rent_due, lease_in_advance):
    """When the period closes."""
    return rent_due * (1 - lease_in_advance)


@line("money", "Return of leased systems", part_of=("rent_cost", "paid_at_end"))
def return_cost(departing_systems, lease_return_price):
    """When a lease ends, or the horizon."""
    return departing_systems * lease_return_price


@line("money/month", "Rent carried over")
def carried_rent(rent_in_force, rent_begun):
    """Of contracts that began in an earlier period."""
    return rent_in_force - rent_begun


@line("period", "Periods a contract runs after its first")
def later_periods(contract_periods):
    """None on demand."""
    return contract_periods - one("period")


@line("money/month", "Rent of contracts that outlast the period")
def lasting_rent(rent_begun, later_periods):
    """Exactly nothing when every contract has ended, whatever rounding left."""
    return total(rent_begun, last=later_periods)


@line("money*period/month", "Monthly rent times the periods still owed")
def owed_rent(owed_rent, carried_rent, rent_begun, later_periods, lasting_rent):
    """Each period takes one off every contract in force; a new contract adds the rest of its term."""
    left = maximum(lag(owed_rent) - carried_rent * one("period"), 0) + rent_begun * later_periods
    return where(lasting_rent > 0, left, 0)


@line("money", "Settlement of leases", choice_of="settlement_cost")
def lease_settlement(owed_rent, step, exit_share, last_period):
    """A lease is paid even if the horizon ends before it, unless its exit says less."""
    return owed_rent * step * exit_share * last_period


@line("money", "Settlement of reservations", choice_of="settlement_cost")
def rental_settlement(owed_rent, step, upfront_share, exit_share, last_period):
    """What was paid upfront is not owed again."""
    return owed_rent * step * (1 - upfront_share) * exit_share * last_period


@line("money", "Settlement of contracts that outlast the horizon", part_of=("rent_cost", "paid_at_end"))
def settlement_cost(choice):
    """By lease or reservation."""
    return choice


@line("money", "Rent", part_of="cash_cost")
def rent_cost(parts):
    """Lease and cloud rents and what comes with them."""
    return parts


@line("gpu*h", "GPU-hours rented", choice_of="gpu_hours")
def rented_gpu_hours(gpus, billed_share, period):
    """Hours that are paid for."""
    return gpus * billed_share * period
