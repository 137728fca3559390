"""Results: the same rows for every fleet."""

# pyright: basic
from tco.declare import line
from tco.vocabulary import total


@line("money", "Paid when the period opens")
def paid_at_start(parts):
    """Purchases and payments in advance."""
    return parts


@line("money", "Paid through the period")
def paid_through(parts):
    """Running costs, rents and tax."""
    return parts


@line("money", "Paid when the period closes")
def paid_at_end(parts):
    """Arrears, settlements and the residual."""
    return parts


@line("money", "Cost of the period")
def cash_cost(parts):
    """Cash, all categories."""
    return parts


@line("money", "Present cost, opening", part_of="present_cost")
def present_at_start(paid_at_start, discount_factor_opening):
    """At the start of the first period."""
    return total(paid_at_start * discount_factor_opening)


@line("money", "Present cost, through", part_of="present_cost")
def present_through(paid_through, discount_factor_through):
    """At the start of the first period."""
    return total(paid_through * discount_factor_through)


@line("money", "Present cost, closing", part_of="present_cost")
def present_at_end(paid_at_end, discount_factor_closing):
    """At the start of the first period."""
    return total(paid_at_end * discount_factor_closing)


@line("money", "Total cost")
def total_cost(cash_cost):
    """Cash over the horizon, residual included."""
    return total(cash_cost)


@line("money", "Present cost")
def present_cost(parts):
    """Discounted to the start of the first period."""
    return parts


@line("gpu*h", "GPU-hours")
def gpu_hours(choice):
    """Owned or rented."""
    return choice


@line("gpu*h", "GPU-hours, discounted")
def present_gpu_hours(gpu_hours, discount_factor_through):
    """At the same rate as the money that pays for them."""
    return total(gpu_hours * discount_factor_through)


@line("money/gpu/h", "Cost per GPU-hour")
def cost_per_gpu_hour(present_cost, present_gpu_hours):
    """Levelised over hours owned or rented."""
    return present_cost / present_gpu_hours
