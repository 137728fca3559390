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
opening_day = given("day", "Days from the start to the first day of the period", shape="series", frame=True)
closing_day = given("day", "Days from the start to the last day of the period", shape="series", frame=True)
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


@line("yr", "Opening, in equal periods", choice_of="discount_opening")
def opening_by_periods(opening_time):
    """Every month is a twelfth of a year, so that a leap year is no longer than another."""
    return opening_time


@line("yr", "Opening, in days over 365", choice_of="discount_opening")
def opening_by_days(opening_day):
    """The first day of the period, actual days over 365 (ACT/365F): a leap year is longer than 1."""
    return opening_day


@line("yr", "Time that discounts what is paid at the opening")
def discount_opening(choice):
    """As the day count of the scenario takes it."""
    return choice


@line("yr", "Closing, in equal periods", choice_of="discount_closing")
def closing_by_periods(elapsed):
    """The moment when the next period opens."""
    return elapsed


@line("yr", "Closing, in days over 365", choice_of="discount_closing")
def closing_by_days(closing_day):
    """The last day of the period, as a payment at a month's end is dated."""
    return closing_day


@line("yr", "Time that discounts what is paid at the closing")
def discount_closing(choice):
    """As the day count of the scenario takes it."""
    return choice


@line("", "Discount factor, opening")
def discount_factor_opening(discount_rate, discount_opening):
    """For what is paid when a period opens: purchases and payments in advance."""
    return compound(discount_rate, -discount_opening)


@line("", "Discount factor, through the period")
def discount_factor_through(discount_rate, timing, discount_opening, discount_closing):
    """For what is paid or produced through the period; the scenario's discounting convention sets its moment."""
    return compound(discount_rate, timing * (discount_closing - discount_opening) - discount_closing)


@line("", "Discount factor, closing")
def discount_factor_closing(discount_rate, discount_closing):
    """For what is paid when a period closes: arrears, settlements, the residual."""
    return compound(discount_rate, -discount_closing)
