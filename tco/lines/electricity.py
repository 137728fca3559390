"""The electricity bill."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import compound, highest, maximum

FLOOR = "floor of billed demand"

electricity_price = given("money/kWh", "Price of electricity", minimum=0)
electricity_escalation = given("1/yr", "Escalation of electricity prices", default=0, reason="no escalation stated")
demand_charge = given("money/kW/month", "Demand charge on the month's peak", scope="demand charge", minimum=0)
fixed_charge = given("money/month", "Fixed charge of the supplier", scope="fixed charge", minimum=0)
minimum_charge = given("money/month", "Least monthly bill", scope="minimum charge", minimum=0)
minimum_demand = given(
    "kW", "Power that is billed at least", scope=FLOOR, default=0, reason="no contracted power stated", minimum=0
)
ratchet_share = given(
    "", "Share of the highest recent peak that is billed at least", scope=FLOOR, default=0, reason="no ratchet stated",
    minimum=0, maximum=1,
)  # fmt: skip
ratchet_periods = given(
    "period", "Months whose peaks the ratchet counts, this one included", scope=FLOOR, default=1,
    reason="no ratchet stated", minimum=1,
)  # fmt: skip
earlier_peak = given(
    "kW", "Highest peak before the start that the ratchet still counts", scope=FLOOR, default=0,
    reason="no peaks before the start stated", minimum=0,
)  # fmt: skip


@line("", "Electricity price over the start's")
def electricity_factor(electricity_escalation, opening_time):
    """Prices hold at the start and escalate yearly."""
    return compound(electricity_escalation, opening_time)


@line("money", "Electricity, energy", part_of=("electricity_charges", "energy_cost", "paid_through"))
def electricity_cost(energy, electricity_price, electricity_factor):
    """Energy at the meter times its price."""
    return energy * electricity_price * electricity_factor


@line("kW", "Highest recent peak")
def recent_peak(month_peak_power, ratchet_periods, earlier_peak):
    """A busy month is remembered, and so are the months before the start."""
    return maximum(highest(month_peak_power, last=ratchet_periods), earlier_peak)


@line("kW", "Billed demand, the month's own peak", choice_of="billed_demand")
def billed_demand_of_month(month_peak_power):
    """Each month pays for its own peak."""
    return month_peak_power


@line("kW", "Billed demand, with ratchet and contracted power", choice_of="billed_demand")
def billed_demand_with_floor(month_peak_power, recent_peak, ratchet_share, minimum_demand):
    """An idle month pays for a busy one, and nobody pays for less than the contract."""
    return maximum(month_peak_power, ratchet_share * recent_peak, minimum_demand)


@line("kW", "Billed demand")
def billed_demand(choice):
    """What a month's demand charge is charged on."""
    return choice


@line("money", "Electricity, demand", part_of=("electricity_charges", "energy_cost", "paid_through"))
def demand_cost(billed_demand, demand_charge, electricity_factor, period):
    """Charged on each month's peak."""
    return billed_demand * demand_charge * electricity_factor * period


@line("money", "Electricity, fixed", part_of=("electricity_charges", "energy_cost", "paid_through"))
def fixed_electricity_cost(fixed_charge, electricity_factor, period):
    """Whatever is drawn."""
    return fixed_charge * electricity_factor * period


@line("money", "Electricity as metered")
def electricity_charges(parts):
    """Before the least bill."""
    return parts


@line("money", "Electricity, up to the least bill", part_of=("energy_cost", "paid_through"))
def minimum_bill_cost(electricity_charges, minimum_charge, electricity_factor, period):
    """A site that draws little pays the least bill."""
    return maximum(minimum_charge * electricity_factor * period - electricity_charges, 0)
