"""Footprint: carbon of making and running, and work for each unit of energy and power."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import total

system_embodied_carbon = given("tCO2e/system", "Carbon emitted in making a system", scope="embodied carbon", minimum=0)
embodied_life = given("yr", "Years of use over which that carbon is spread", scope="embodied carbon", minimum=0)


@line("tCO2e", "Carbon of making, its share of the period", part_of="carbon_footprint")
def embodied_carbon(systems, system_embodied_carbon, embodied_life, period):
    """Spread evenly over the years of use, whoever owns the systems afterwards."""
    return systems * system_embodied_carbon * period / embodied_life


@line("tCO2e", "Carbon of making and running")
def carbon_footprint(parts):
    """What is stated of the two."""
    return parts


@line("tCO2e", "Carbon of making and running, in all")
def total_carbon_footprint(carbon_footprint):
    """Over the horizon."""
    return total(carbon_footprint)


@line("kWh", "Energy, in all")
def total_energy(energy):
    """At the meter, over the horizon."""
    return total(energy)


@line("kW*yr", "Power held ready, over time")
def power_held(nameplate_power, period):
    """What the site must be able to deliver, over the horizon."""
    return total(nameplate_power * period)


@line("token/J", "Useful tokens per joule")
def useful_tokens_per_joule(useful_tokens, total_energy):
    """Over the horizon, cooling included."""
    return useful_tokens / total_energy


@line("token/s/kW", "Useful tokens for the power held ready")
def useful_tokens_per_kilowatt(useful_tokens, power_held):
    """Where power is scarce this decides, not the price."""
    return useful_tokens / power_held


@line("gCO2e/Mtoken", "Carbon per million useful tokens")
def carbon_per_million_useful_tokens(total_carbon_footprint, useful_tokens):
    """Of what is stated: running, making or both."""
    return total_carbon_footprint / useful_tokens


@line("kWh/step", "Energy per useful training step")
def energy_per_useful_training_step(total_energy, useful_training_steps):
    """Over the horizon, cooling included."""
    return total_energy / useful_training_steps


@line("gCO2e/step", "Carbon per useful training step")
def carbon_per_useful_training_step(total_carbon_footprint, useful_training_steps):
    """Of what is stated: running, making or both."""
    return total_carbon_footprint / useful_training_steps
