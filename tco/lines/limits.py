"""Limits of the site, of money and of the market."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import floor, highest, minimum, one, total, where

power_limit = given("kW", "Power the site can deliver", scope="power limit", minimum=0)
rack_limit = given("rack", "Racks the site has", scope="rack limit", minimum=0)
rack_power_limit = given("kW/rack", "Power and cooling a rack gets at most", scope="rack power", minimum=0)
floor_limit = given("kg/m2", "Load that the floor bears", scope="floor load", minimum=0)
system_weight = given("kg/system", "Weight of a system", scope="weight", minimum=0)
rack_weight = given(
    "kg/rack",
    "Weight of a rack without systems",
    scope="floor load",
    default=0,
    reason="the rack's own weight is not stated",
    minimum=0,
)
rack_footprint = given(
    "m2/rack",
    "Floor that bears a rack",
    scope="floor load",
    default=0.72,
    reason="a rack of 600 x 1,200 mm, no aisle",
    minimum=0.01,
)
budget = given("money", "Capital that may be spent over the horizon", scope="budget", minimum=0)
gpu_supply = given("gpu", "GPUs that can be had at most", scope="supply", minimum=0)
cooling_mismatch = given(
    "", "Liquid-only system on a site without liquid (flag)", scope="cooling mismatch", choice=True
)


@line("kW", "Highest facility power at nameplate")
def highest_nameplate_power(nameplate_power):
    """Over all periods."""
    return highest(nameplate_power)


@line("", "Power limit exceeded (flag)", part_of="limits_exceeded")
def power_exceeded(highest_nameplate_power, power_limit):
    """The site cannot deliver more."""
    return where(highest_nameplate_power > power_limit, 1, 0)


@line("rack", "Most racks")
def most_racks(racks):
    """Over all periods."""
    return highest(racks)


@line("", "Rack limit exceeded (flag)", part_of="limits_exceeded")
def racks_exceeded(most_racks, rack_limit):
    """The site has no more."""
    return where(most_racks > rack_limit, 1, 0)


@line("system/rack", "Systems in a rack, by its power")
def systems_by_rack_power(rack_power_limit, system_power):
    """At nameplate, since a rack's breaker knows no average."""
    return floor(rack_power_limit / system_power, "system/rack")


@line("system/rack", "Systems in a rack, by height and power", choice_of="systems_per_rack")
def systems_per_rack_by_both(systems_by_height, systems_by_rack_power):
    """Dense systems leave racks half empty."""
    return minimum(systems_by_height, systems_by_rack_power)


@line("", "Rack power exceeded (flag)", part_of="limits_exceeded")
def rack_power_exceeded(systems_by_rack_power):
    """One system alone is too much for a rack."""
    return where(systems_by_rack_power > 0, 0, 1)


@line("kg/m2", "Load under the fullest rack")
def rack_load(systems_per_rack, systems, system_weight, rack_weight, rack_footprint):
    """As many systems as fit in, or all there are, over the floor that bears them."""
    return (minimum(systems_per_rack, highest(systems) / one("rack")) * system_weight + rack_weight) / rack_footprint


@line("", "Floor load exceeded (flag)", part_of="limits_exceeded")
def floor_exceeded(rack_load, floor_limit):
    """Fewer systems in a rack, or another floor."""
    return where(rack_load > floor_limit, 1, 0)


@line("", "Budget exceeded (flag)", part_of="limits_exceeded")
def budget_exceeded(capital_cost, budget):
    """Over the horizon, before what resale brings; there is no more to spend."""
    return where(total(capital_cost) > budget, 1, 0)


@line("", "Supply exceeded (flag)", part_of="limits_exceeded")
def supply_exceeded(gpus, gpu_supply):
    """There are no more to be had, in any period."""
    return where(highest(gpus) > gpu_supply, 1, 0)


@line("", "Cooling does not suit (flag)", part_of="limits_exceeded")
def cooling_exceeded(cooling_mismatch):
    """A liquid-only system needs liquid, or a retrofit."""
    return cooling_mismatch


@line("", "Limits exceeded")
def limits_exceeded(parts):
    """Of those that are stated."""
    return parts


@line("", "Within limits (flag)")
def within_limits(limits_exceeded):
    """No stated limit is exceeded."""
    return where(limits_exceeded > 0, 0, 1)
