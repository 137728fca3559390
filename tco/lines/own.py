"""Owning: residual value and the hours owned."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import by_age

resale_share = given("", "Share of the price at resale by age", scope="residual", shape="table", from_unit="period")
retired_share = given(
    "", "Share of the price at resale when a life ends, at its age", scope="resale at retirement", shape="table",
    from_unit="period",
)  # fmt: skip
resale_price = given(
    "money/system", "Price of a system at resale when the horizon ends", scope="resale price", minimum=0
)


@line("money", "Second-hand value")
def market_value(hardware_cost, resale_share, period_number):
    """Every purchase at the second-hand price of its own age."""
    return by_age(hardware_cost, resale_share, period_number)


@line("money", "Resale", part_of=("residual_cost", "paid_at_end"))
def resale(market_value, last_period):
    """A receipt, so negative; at the end of the horizon."""
    return -market_value * last_period


@line("money", "Second-hand value of systems that retire")
def retired_value(hardware_cost, retired_share, period_number):
    """Where their life ends within the horizon."""
    return by_age(hardware_cost, retired_share, period_number)


@line("money", "Resale at retirement", part_of=("residual_cost", "paid_at_end"))
def resale_at_retirement(retired_value, last_period):
    """When the last period of a life closes; what stands at the end of the horizon is sold as such."""
    return -retired_value * (1 - last_period)


@line("money", "Resale at a stated price", part_of=("residual_cost", "paid_at_end"))
def resale_at_price(systems, resale_price, last_period):
    """A receipt, so negative; for every system that still stands."""
    return -systems * resale_price * last_period


@line("money", "Residual", part_of=("cash_cost", "deductions"))
def residual_cost(parts):
    """What selling the systems brings."""
    return parts


@line("gpu*h", "GPU-hours owned", choice_of="gpu_hours")
def owned_gpu_hours(gpus, period):
    """Used or not."""
    return gpus * period
