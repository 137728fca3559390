"""Time and discounting."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import compound, cumulative, half

period_number = given("period", "Period number", shape="series", frame=True)
period = given("yr", "Length of the period", shape="series", frame=True)
fiscal_year = given("yr", "Fiscal year", shape="series", frame=True)
year_end = given("", "Last period of a fiscal year (flag)", shape="series", frame=True)
first_period = given("", "First period (flag)", shape="series", frame=True)
last_period = given("", "Last period (flag)", shape="series", frame=True)
step = given("yr/period", "Step of the timeline", frame=True)
discount_rate = given("1/yr", "Discount rate", minimum=-0.5, maximum=1)
timing = given("", "Share of a period that lies between a running amount and the period's end", minimum=0, maximum=1)


@line("yr", "Time at the closing of the period")
def elapsed(period):
    """Years since the start, counted when the period closes."""
    return cumulative(period)


@line("yr", "Time at the opening of the period")
def opening_time(elapsed, period):
    """Prices and purchases belong to the moment when the period opens."""
    return elapsed - period


@line("yr", "Time at the middle of the period")
def midpoint(elapsed, period):
    """A growing quantity is met at its mean, which is its value at the middle."""
    return elapsed - period * half


@line("", "Discount factor, opening")
def discount_factor_opening(discount_rate, opening_time):
    """For what is paid when a period opens: purchases and payments in advance."""
    return compound(discount_rate, -opening_time)


@line("", "Discount factor, through the period")
def discount_factor_through(discount_rate, timing, period, elapsed):
    """For what is paid or produced through the period; the scenario's discounting convention sets its moment."""
    return compound(discount_rate, timing * period - elapsed)


@line("", "Discount factor, closing")
def discount_factor_closing(discount_rate, elapsed):
    """For what is paid when a period closes: arrears, settlements, the residual."""
    return compound(discount_rate, -elapsed)
