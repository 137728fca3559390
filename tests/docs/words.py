"""Words: one small line for each word of the vocabulary, printed side by side in docs/vocabulary.md."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import (
    both,
    by_age,
    ceil,
    compound,
    cumulative,
    either,
    erlang,
    floor,
    highest,
    lag,
    logarithm,
    maximum,
    minimum,
    one,
    square_root,
    tiered,
    total,
    where,
)

period_number = given("period", "Period number", shape="series", frame=True)
fiscal_year = given("yr", "Fiscal year", shape="series", frame=True)
elapsed = given("yr", "Time since the start", shape="series")
load = given("request/s", "Load", shape="series")
limit = given("request/s", "Limit")
price = given("money/request", "Price", shape="series")
growth = given("1/yr", "Growth")
length = given("period", "Length in periods")
rate = given("request/s/system", "Rate of a system")
variance = given("request^2", "Variance")
opening_stock = given("request", "Stock at the start")
arrivals = given("request", "Arrivals", shape="series")
removals = given("request", "Removals", shape="series")
bought = given("money", "Bought", shape="series")
price_steps = given("money/request", "Price steps", shape="table", from_unit="request")
shares = given("", "Shares by age", shape="table", from_unit="period")
out_of_order = given("system", "Systems in repair, on average", shape="series")
spares = given("system", "Spares")
energy = given("kWh", "Energy", shape="series")
energy_price = given("money/MWh", "Price of energy")


@line("money", "Arithmetic")
def arithmetic(arrivals, removals, price):
    """`+ - * /` and brackets, as in any formula."""
    return (arrivals + removals) * price


@line("money", "Conversion")
def conversion(energy, energy_price):
    """Units that differ in size: the factor comes by itself, as a named constant."""
    return energy * energy_price


@line("", "Comparison")
def comparison(load, limit):
    """`where(condition, yes, no)` with `<`, `<=`, `>` or `>=`; no `where` inside a `where`."""
    return where(load > limit, 1, 0)


@line("", "Conditions")
def all_hold(load, limit, arrivals, removals):
    """`both(…)`: all conditions hold."""
    return where(both(load > limit, arrivals > removals), 1, 0)


@line("", "Alternatives")
def one_holds(load, limit, arrivals, removals):
    """`either(…)`: at least one holds."""
    return where(either(load > limit, arrivals > removals), 1, 0)


@line("request", "Largest")
def largest(arrivals, removals, opening_stock):
    """`maximum(…)` of two values or more."""
    return maximum(arrivals, removals, opening_stock)


@line("request", "Smallest")
def smallest(arrivals, removals):
    """`minimum(…)` of two values or more."""
    return minimum(arrivals, removals)


@line("system", "Whole up")
def whole_up(load, rate):
    """`ceil(value, "unit")`: the smallest whole number not below, noise of 1e-12 forgiven."""
    return ceil(load / rate, "system")


@line("system", "Whole down")
def whole_down(load, rate):
    """`floor(value, "unit")`: the largest whole number not above."""
    return floor(load / rate, "system")


@line("request", "Root")
def root(variance):
    """`square_root(value)`: halves the unit."""
    return square_root(variance)


@line("", "Logarithm")
def natural_logarithm(growth):
    """`logarithm(value)`: the natural one, of a plain number above 0."""
    return logarithm(1 + growth * one("yr"))


@line("", "All out")
def all_out(out_of_order, spares):
    """`erlang(load, places)`: the share of time in which all places are taken, of a load (below 500)."""
    return erlang(out_of_order, spares + one("system"))


@line("request", "Before")
def before(arrivals):
    """`lag(series)`: the value of the period before; 0 in the first."""
    return lag(arrivals)


@line("request", "Earlier")
def earlier(arrivals, length):
    """`lag(series, by=count)`: the value so many periods earlier."""
    return lag(arrivals, by=length)


@line("request", "Stock")
def stock(stock, arrivals, removals, opening_stock):
    """`lag(itself, opening=value)`: a balance that starts from an opening value."""
    return lag(stock, opening=opening_stock) + arrivals - removals


@line("request", "So far")
def so_far(arrivals):
    """`cumulative(series)`: the running sum."""
    return cumulative(arrivals)


@line("request", "So far in the year")
def so_far_this_year(arrivals, fiscal_year):
    """`cumulative(series, within=clock)`: the running sum, anew for each value of the clock."""
    return cumulative(arrivals, within=fiscal_year)


@line("request", "Sum")
def sum_of_all(arrivals):
    """`total(series)`: one number over all periods."""
    return total(arrivals)


@line("money", "Sum of products")
def bill_of_all(arrivals, price):
    """`total(series * series)`: one number."""
    return total(arrivals * price)


@line("request", "Window")
def lately(arrivals, length):
    """`total(series, last=count)`: the sum over the last periods, this one included."""
    return total(arrivals, last=length)


@line("request/s", "Peak")
def peak(load):
    """`highest(series)`: one number over all periods."""
    return highest(load)


@line("request/s", "Recent peak")
def recent_peak(load, length):
    """`highest(series, last=count)`: over the last periods, never below 0."""
    return highest(load, last=length)


@line("money", "Bill by price_steps")
def bill(arrivals, price_steps):
    """`tiered(value, table)`: each part of the value at the price of its step."""
    return tiered(arrivals, price_steps)


@line("money", "Worth by age")
def worth(bought, shares, period_number):
    """`by_age(series, table, clock)`: every past amount at the share of its own age."""
    return by_age(bought, shares, period_number)


@line("", "Growth factor")
def growth_factor(growth, elapsed):
    """`compound(rate, time)`: an effective yearly rate over a time."""
    return compound(growth, elapsed)


@line("", "A plain number")
def plain_load(load):
    """`one("unit")`: a 1 that carries a unit."""
    return load / one("request/s")
