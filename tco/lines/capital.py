"""Capital: what is paid when systems come."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import compound

hardware_trend = given("1/yr", "Trend of hardware prices", default=0, reason="no trend stated", minimum=-1)
network_price = given(
    "money/gpu", "Scale-out network for a GPU, optics and cables included", scope="network", minimum=0
)
storage_price = given("money/system", "Storage for a system", scope="storage", minimum=0)
management_price = given("money/system", "Management nodes for a system", scope="management nodes", minimum=0)
rack_price = given(
    "money/system", "Rack, power distribution and UPS for a system", scope="racks and power distribution", minimum=0
)
freight_share = given("", "Freight over equipment", scope="freight", minimum=0)
duty_share = given("", "Duty over equipment", scope="duty", minimum=0)
sales_tax_share = given("", "Sales tax over equipment, not recoverable", scope="sales tax", minimum=0)
installation_share = given("", "Installation over equipment", scope="installation", minimum=0)
spares_share = given("", "Spare parts over equipment", scope="spare parts", minimum=0)
contingency_share = given("", "Contingency over equipment", scope="contingency", minimum=0)


@line("", "Hardware price over the start's")
def hardware_factor(hardware_trend, opening_time):
    """The price of a purchase is that of its own moment."""
    return compound(hardware_trend, opening_time)


@line("money", "Systems bought", part_of="equipment_cost")
def hardware_cost(purchases, system_price, hardware_factor):
    """What a system price contains is not charged again."""
    return purchases * system_price * hardware_factor


@line("money", "Network", part_of="equipment_cost")
def network_cost(purchases, gpus_per_system, network_price, hardware_factor):
    """Switches, optics and cables beyond the system."""
    return purchases * gpus_per_system * network_price * hardware_factor


@line("money", "Storage", part_of="equipment_cost")
def storage_cost(purchases, storage_price, hardware_factor):
    """For data sets, checkpoints and models."""
    return purchases * storage_price * hardware_factor


@line("money", "Management nodes", part_of="equipment_cost")
def management_cost(purchases, management_price, hardware_factor):
    """Login, scheduling and monitoring."""
    return purchases * management_price * hardware_factor


@line("money", "Racks and power distribution", part_of="equipment_cost")
def rack_cost(purchases, rack_price, hardware_factor):
    """What stands around the system."""
    return purchases * rack_price * hardware_factor


@line("money", "Equipment", part_of="capital_cost")
def equipment_cost(parts):
    """Before freight, duty and tax."""
    return parts


@line("money", "Freight", part_of="capital_cost")
def freight_cost(equipment_cost, freight_share):
    """To the site."""
    return equipment_cost * freight_share


@line("money", "Duty", part_of="capital_cost")
def duty_cost(equipment_cost, duty_share):
    """At the border."""
    return equipment_cost * duty_share


@line("money", "Sales tax", part_of="capital_cost")
def sales_tax_cost(equipment_cost, sales_tax_share):
    """Only tax that is not recovered."""
    return equipment_cost * sales_tax_share


@line("money", "Installation", part_of="capital_cost")
def installation_cost(equipment_cost, installation_share):
    """Rack, stack, test."""
    return equipment_cost * installation_share


@line("money", "Spare parts", part_of="capital_cost")
def spare_parts_cost(equipment_cost, spares_share):
    """On the shelf from the start."""
    return equipment_cost * spares_share


@line("money", "Contingency", part_of="capital_cost")
def contingency_cost(equipment_cost, contingency_share):
    """For what nobody thought of."""
    return equipment_cost * contingency_share
