"""A lemonade stand: a model that knows no GPUs, with every word of the vocabulary in it."""

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
    half,
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
)  # fmt: skip

period_number = given("period", "Period", shape="series", frame=True)
fiscal_year = given("yr", "Fiscal year", shape="series", frame=True)
period = given("yr", "Length of the period", shape="series", frame=True)
step = given("yr/period", "Step")
cups = given("request/day", "Cups a day")
growth = given("1/yr", "Growth")
cup_price = given("money/request", "Price of a cup")
squeezer_price = given("money/system", "Price of a squeezer")
squeezer_rate = given("request/h/system", "Cups an hour a squeezer makes")
life = given("yr", "Life of a squeezer")
kettle_power = given("W/system", "Power of a squeezer")
write_off = given("", "Share of a squeezer's price kept", shape="table", from_unit="period")
energy_tiers = given("money/kWh", "Price of energy by tier", shape="table", from_unit="kWh/month")
opening_till = given("money", "Money in the till")
tips = given("money/request", "Tips", scope="tips")


@line("yr", "Time since the start")
def elapsed(period):
    """Counted at the close of each period."""
    return cumulative(period)


@line("request/h", "Demand")
def demand(cups, growth, elapsed, period):
    """Cups at the middle of the period."""
    return cups * compound(growth, elapsed - period * half)


@line("period", "Life in periods")
def life_periods(life, step):
    """Whole periods a squeezer lasts."""
    return ceil(life / step, "period")


@line("system", "Squeezers needed")
def squeezers_needed(demand, squeezer_rate):
    """A half-used squeezer is still bought."""
    return ceil(demand / squeezer_rate, "system")


@line("system", "Squeezers worn out")
def worn_out(purchases, life_periods):
    """Bought one life ago."""
    return lag(purchases, by=life_periods)


@line("system", "Squeezers left")
def surviving(squeezers, worn_out):
    """Last period's squeezers less the worn out."""
    return lag(squeezers) - worn_out


@line("system", "Squeezers bought")
def purchases(squeezers_needed, surviving):
    """What is missing is bought."""
    return maximum(squeezers_needed - surviving, 0)


@line("system", "Squeezers")
def squeezers(surviving, purchases):
    """All that stand there."""
    return surviving + purchases


@line("money", "Squeezers bought", part_of="cost")
def squeezer_cost(purchases, squeezer_price):
    """Paid at once."""
    return purchases * squeezer_price


@line("kWh/month", "Energy a month")
def monthly_energy(squeezers, kettle_power):
    """All squeezers run all day."""
    return squeezers * kettle_power


@line("money/month", "Energy bill a month")
def monthly_bill(monthly_energy, energy_tiers):
    """The supplier's steps."""
    return tiered(monthly_energy, energy_tiers)


@line("money", "Energy", part_of="cost")
def energy_cost(monthly_bill, period):
    """Monthly bills over the period."""
    return monthly_bill * period


@line("money", "Cost")
def cost(parts):
    """What the stand spends."""
    return parts


@line("money", "Value of the squeezers")
def kept_value(squeezer_cost, write_off, period_number):
    """Each purchase at the share of its age."""
    return by_age(squeezer_cost, write_off, period_number)


@line("request", "Cups sold")
def sold(demand, period):
    """Every cup made is sold."""
    return demand * period


@line("money", "Tips")
def tips_received(sold, tips):
    """From happy people."""
    return sold * tips


@line("money", "Till")
def till(till, opening_till, sold, cup_price, cost):
    """Last period's till, plus sales, less cost."""
    return lag(till, opening=opening_till) + sold * cup_price - cost


@line("money", "Cost so far in the year")
def cost_of_year(cost, fiscal_year):
    """Starts anew every fiscal year."""
    return cumulative(cost, within=fiscal_year)


@line("money", "Cost of the last periods")
def recent_cost(cost, life_periods):
    """Over one life."""
    return total(cost, last=life_periods)


@line("money", "Highest recent cost")
def recent_peak(cost, life_periods):
    """Over one life."""
    return highest(cost, last=life_periods)


@line("money", "Highest cost")
def peak_cost(cost):
    """Over all periods."""
    return highest(cost)


@line("money", "Total cost")
def total_cost(cost):
    """Over all periods."""
    return total(cost)


@line("request*money", "Sales weighted")
def weighted(sold, cost):
    """Only to try a product."""
    return total(sold * cost)


@line("", "Busy")
def busy(demand, squeezers, squeezer_rate, worn_out):
    """Flags from conditions."""
    return where(both(demand > squeezers * squeezer_rate * half, either(worn_out > 0, demand >= 0)), 1, 0)


@line("system", "Squeezers in a pair")
def pairs(squeezers):
    """Whole pairs."""
    return floor(squeezers * half, "system")


@line("W", "Root")
def root(kettle_power, squeezers):
    """A root whose unit halves."""
    return square_root(minimum(kettle_power * squeezers, kettle_power * one("system")) * kettle_power * one("system"))


@line("", "Powers")
def powers(squeezers):
    """How often the first squeezer has been multiplied by e."""
    return logarithm(one("system") / one("system") + squeezers / one("system"))


@line("", "All squeezers at the smith")
def all_broken(squeezers, life, period):
    """Each is away for a period in its life."""
    return erlang(squeezers * period / life, squeezers)
