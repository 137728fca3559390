"""Operation: maintenance, software and people."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import ceil, compound, maximum, total

inflation = given("1/yr", "Inflation of running costs", default=0, reason="no inflation stated", minimum=-0.5)
warranty = given("yr", "Warranty", minimum=0)
maintenance_share = given("1/yr", "Maintenance over the price of a system", scope="maintenance", minimum=0)
support_price = given("money/gpu/yr", "Support for a GPU", scope="support", minimum=0)
repair_price = given("money", "Price of a repair", scope="repair", minimum=0)
licence_price = given("money/gpu/yr", "Software licences for a GPU", scope="licences", minimum=0)
bought_software_price = given("money/system", "Software bought once for a system", scope="bought software", minimum=0)
porting_price = given("money", "Porting to this hardware, once", scope="porting", minimum=0)
porting_upkeep = given("money/yr", "Keeping the port alive", scope="upkeep of the port", minimum=0)
systems_per_person = given("system/person", "Systems that one person operates", scope="staff", minimum=0)
staff_price = given("money/person/yr", "Cost of a person", scope="staff", minimum=0)
wage_growth = given("1/yr", "Growth of wages", default=0, reason="no growth stated", minimum=-0.5)
security_price = given("money/yr", "Price of security and compliance", scope="security and compliance", minimum=0)


@line("", "Running prices over the start's")
def running_factor(inflation, opening_time):
    """Prices hold at the start and inflate yearly."""
    return compound(inflation, opening_time)


@line("period", "Warranty in periods")
def warranty_periods(warranty, step):
    """Whole periods after each purchase."""
    return ceil(warranty / step, "period")


@line("system", "Systems under warranty")
def warranted_systems(purchases, warranty_periods):
    """Bought within the warranty."""
    return total(purchases, last=warranty_periods)


@line("system", "Systems out of warranty")
def unwarranted_systems(systems, warranted_systems):
    """The owner's own business."""
    return maximum(systems - warranted_systems, 0)


@line("money", "Maintenance", part_of=("maintenance_cost", "paid_through"))
def upkeep_cost(unwarranted_systems, system_price, maintenance_share, period):
    """The vendor covers the warranty; after it a share of the start's price a year."""
    return unwarranted_systems * system_price * maintenance_share * period


@line("money", "Support", part_of=("maintenance_cost", "paid_through"))
def support_cost(gpus, support_price, running_factor, period):
    """A contract for each GPU."""
    return gpus * support_price * running_factor * period


@line("1/yr", "Failures of GPUs out of warranty", part_of="failures")
def gpu_failures(unwarranted_systems, gpus_per_system, failure_rate):
    """In a year, of the GPUs whose warranty has ended."""
    return unwarranted_systems * gpus_per_system * failure_rate


@line("1/yr", "Failures of hosts out of warranty", part_of="failures")
def host_failures(unwarranted_systems, host_failure_rate):
    """In a year, of the systems whose warranty has ended."""
    return unwarranted_systems * host_failure_rate


@line("1/yr", "Failures out of warranty")
def failures(parts):
    """Each is a repair; software needs none."""
    return parts


@line("money", "Repair", part_of=("maintenance_cost", "paid_through"))
def repair_cost(repair_price, failures, running_factor, period):
    """Failed parts that no warranty covers."""
    return failures * repair_price * running_factor * period


@line("money", "Maintenance, support and repair", part_of=("cash_cost", "deductions"))
def maintenance_cost(parts):
    """To keep the hardware working."""
    return parts


@line("money", "Licences", part_of=("software_cost", "paid_through"))
def licence_cost(gpus, licence_price, running_factor, period):
    """For each GPU and year."""
    return gpus * licence_price * running_factor * period


@line("money", "Software bought", part_of=("software_cost", "paid_at_start"))
def bought_software_cost(new_systems, bought_software_price, running_factor):
    """Once for each system; a replacement takes over what was bought."""
    return new_systems * bought_software_price * running_factor


@line("money", "Porting", part_of=("software_cost", "paid_at_start"))
def porting_cost(porting_price, first_period):
    """A cheaper part can cost more in engineering."""
    return porting_price * first_period


@line("money", "Upkeep of the port", part_of=("software_cost", "paid_through"))
def port_upkeep_cost(porting_upkeep, running_factor, period):
    """Every year anew."""
    return porting_upkeep * running_factor * period


@line("money", "Software", part_of=("cash_cost", "deductions"))
def software_cost(parts):
    """Licences, bought software and porting."""
    return parts


@line("person", "People who operate")
def people(systems, systems_per_person):
    """Their share of people who also operate other systems."""
    return systems / systems_per_person


@line("", "Wages over the start's")
def wage_factor(wage_growth, opening_time):
    """Wages hold at the start and grow yearly."""
    return compound(wage_growth, opening_time)


@line("money", "Staff", part_of=("people_cost", "paid_through"))
def staff_cost(people, staff_price, wage_factor, period):
    """Operators of owned and leased systems."""
    return people * staff_price * wage_factor * period


@line("money", "Security and compliance", part_of=("people_cost", "paid_through"))
def security_cost(security_price, wage_factor, period):
    """Audits and people who answer them."""
    return security_price * wage_factor * period


@line("money", "People", part_of=("cash_cost", "deductions"))
def people_cost(parts):
    """Staff and security."""
    return parts
