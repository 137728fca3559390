"""The lemonade stand's account in the words that every fleet ends in, so that a workbook can be made of it."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import compound, highest, lag, minimum, total, where

discount_rate = given("1/yr", "Discount rate", default=0.05, reason="a convention of stalls", minimum=-0.5, maximum=1)
tokens_per_cup = given("token/request", "Tokens a cup", minimum=0)
room = given("system", "Room for squeezers", choice=True, minimum=0)
rain_share = given("", "Share of rainy days", shape="series", minimum=0, maximum=1)
rent_price = given("money/yr", "Rent of the stall", scope="rent")


@line("money", "Capital", part_of="paid_at_start")
def capital_cost(squeezer_cost):
    """Squeezers are paid when they come."""
    return squeezer_cost


@line("money", "Rent", part_of=("paid_through", "cost"))
def rent_cost(rent_price, period):
    """The stall's place."""
    return rent_price * period


@line("money", "Energy again", part_of="paid_through")
def energy_paid(energy_cost):
    """Paid through the period."""
    return energy_cost


@line("money", "Paid when the period opens")
def paid_at_start(parts):
    """Purchases."""
    return parts


@line("money", "Paid through the period")
def paid_through(parts):
    """Running costs."""
    return parts


@line("", "Discount factor")
def discount_factor(discount_rate, elapsed):
    """At the close of the period."""
    return 1 / compound(discount_rate, elapsed)


@line("money", "Present cost")
def present_cost(cost, discount_factor):
    """All at the close of its period."""
    return total(cost * discount_factor)


@line("Mtoken", "Tokens of the period")
def period_tokens(sold, tokens_per_cup, rain_share):
    """Nobody buys when it rains."""
    return sold * tokens_per_cup * (1 - rain_share)


@line("Mtoken", "Useful tokens")
def useful_tokens(period_tokens):
    """Over all periods."""
    return total(period_tokens)


@line("money/Mtoken", "Cost per million useful tokens")
def cost_per_million_useful_tokens(present_cost, useful_tokens):
    """What ranks."""
    return present_cost / useful_tokens


@line("system", "Most squeezers")
def most_squeezers(squeezers):
    """Of all periods."""
    return highest(squeezers)


@line("", "Fits (flag)")
def fits(most_squeezers, room):
    """All squeezers find room."""
    return where(most_squeezers <= room, 1, 0)


@line("", "Fast enough (flag)")
def fast_enough(demand, squeezers, squeezer_rate):
    """In every period; a flag by period."""
    return where(demand <= squeezers * squeezer_rate, 1, 0)


@line("system", "Systems")
def systems(squeezers):
    """Squeezers by another name."""
    return squeezers


@line("Wh", "Energy used")
def energy(squeezers, kettle_power, period):
    """All squeezers run all day."""
    return squeezers * kettle_power * period


@line("", "Cups for each worn-out squeezer, at most one hundred")
def wear(sold, worn_out):
    """Divides by zero where nothing is worn out: a spreadsheet stops there, numpy does not."""
    return minimum(sold / worn_out * lag(worn_out) / sold, 1)
