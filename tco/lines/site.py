"""Site: building, colocation, and what an owner of systems pays for the place."""

# pyright: basic
from tco.declare import given, line

fit_out_price = given("money/kW", "Building and power plant over IT power", scope="fit-out", minimum=0)
retrofit_price = given("money/kW", "Cooling retrofit over IT power", scope="cooling retrofit", minimum=0)
colocation_price = given("money/kW/month", "Colocation over committed power", scope="colocation", minimum=0)
insurance_share = given("1/yr", "Insurance over the price of systems", scope="insurance", minimum=0)
property_tax_share = given("1/yr", "Property tax over the price of systems", scope="property tax", minimum=0)
decommissioning_price = given("money/system", "Decommissioning of a system", scope="decommissioning", minimum=0)


@line("kW", "IT power built in the period")
def added_power(new_systems, system_power):
    """A replaced system finds its place ready; only growth is built."""
    return new_systems * system_power


@line("money", "Building and power plant", part_of="capital_cost")
def fit_out_cost(added_power, fit_out_price):
    """For the nameplate power that is new."""
    return added_power * fit_out_price


@line("money", "Cooling retrofit", part_of="capital_cost")
def retrofit_cost(added_power, retrofit_price):
    """Liquid where the site has air."""
    return added_power * retrofit_price


@line("money", "Capital", part_of=("cash_cost", "paid_at_start", "tax_basis"))
def capital_cost(parts):
    """Paid when the period opens."""
    return parts


@line("money", "Colocation", part_of=("site_cost", "paid_through"))
def colocation_cost(nameplate_it_power, colocation_price, running_factor, period):
    """Rent for the committed power; whether it holds electricity the contract says."""
    return nameplate_it_power * colocation_price * running_factor * period


@line("money", "Insurance", part_of=("site_cost", "paid_through"))
def insurance_cost(systems, system_price, insurance_share, period):
    """On the price of what stands there."""
    return systems * system_price * insurance_share * period


@line("money", "Property tax", part_of=("site_cost", "paid_through"))
def property_tax_cost(systems, system_price, property_tax_share, period):
    """On the price of what stands there."""
    return systems * system_price * property_tax_share * period


@line("money", "Decommissioning", part_of=("site_cost", "paid_at_end"))
def decommissioning_cost(departing_systems, decommissioning_price, running_factor):
    """Removal and wiping."""
    return departing_systems * decommissioning_price * running_factor


@line("money", "Site", part_of=("cash_cost", "deductions"))
def site_cost(parts):
    """The place in which systems stand."""
    return parts
