"""Power, energy, carbon and water."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import maximum, where

gpu_power = given("W/gpu", "Power of a GPU fully loaded (TDP)", minimum=0)
gpu_idle_power = given("W/gpu", "Power of an idle GPU", minimum=0)
system_power = given("kW/system", "Power of a system at most", minimum=0)
network_power = given("W/gpu", "Power of the network a GPU", scope="network power", minimum=0)
pue = given("", "Power usage effectiveness", minimum=1)
fixed_overhead_share = given(
    "", "Share of cooling and losses at full load that never falls", scope="fixed overhead", minimum=0, maximum=1
)
worst_pue = given("", "PUE in the worst hour of the year", scope="worst hour", minimum=1)
carbon_intensity = given("gCO2e/kWh", "Carbon intensity of the grid", scope="carbon intensity", minimum=0)
carbon_price = given("money/tCO2e", "Price of carbon, internal or paid", scope="carbon price", minimum=0)
water_use = given("l/kWh", "Water over IT energy (WUE)", scope="water", minimum=0)
water_price = given("money/m3", "Price of water", scope="water price", minimum=0)


@line("W/system", "Power of the host")
def host_power(system_power, gpus_per_system, gpu_power):
    """What the system's maximum leaves beside its GPUs; drawn at every load."""
    return maximum(system_power - gpus_per_system * gpu_power, 0)


@line("W/gpu", "Power of a GPU at this utilization")
def gpu_draw(gpu_idle_power, gpu_power, utilization):
    """Idle power always, the rest with the load; never nameplate around the clock."""
    return gpu_idle_power + (gpu_power - gpu_idle_power) * utilization


@line("W/gpu", "Power of a GPU at the peak")
def peak_gpu_draw(gpu_idle_power, gpu_power, peak_utilization):
    """In the busiest hours."""
    return gpu_idle_power + (gpu_power - gpu_idle_power) * peak_utilization


@line("kW", "Power of the systems", part_of="it_power")
def systems_power(systems, host_power, gpus_per_system, gpu_draw):
    """On average over the period."""
    return systems * (host_power + gpus_per_system * gpu_draw)


@line("kW", "Power of the systems at the peak", part_of="peak_it_power")
def peak_systems_power(systems, host_power, gpus_per_system, peak_gpu_draw):
    """In the busiest hours."""
    return systems * (host_power + gpus_per_system * peak_gpu_draw)


@line("W/gpu", "Power of a GPU at the average month's peak")
def month_peak_gpu_draw(gpu_idle_power, gpu_power, month_peak_utilization):
    """In the busiest hours of a month in the middle of the period."""
    return gpu_idle_power + (gpu_power - gpu_idle_power) * month_peak_utilization


@line("kW", "Power of the network", part_of=("it_power", "peak_it_power", "nameplate_it_power"))
def network_draw(gpus, network_power):
    """Switches draw the same at every load."""
    return gpus * network_power


@line("kW", "IT power")
def it_power(parts):
    """On average over the period."""
    return parts


@line("kW", "IT power at the peak")
def peak_it_power(parts):
    """In the busiest hours."""
    return parts


@line("", "PUE of power that follows the load, all of it", choice_of="load_pue")
def pue_at_every_load(pue):
    """Cooling and losses as a fixed ratio to IT power."""
    return pue


@line("", "PUE of power that follows the load, beside a fixed part", choice_of="load_pue")
def pue_beside_fixed(pue, fixed_overhead_share):
    """What is left of cooling and losses when their fixed part is taken out."""
    return 1 + (pue - 1) * (1 - fixed_overhead_share)


@line("", "PUE of power that follows the load")
def load_pue(choice):
    """Cooling and losses that rise and fall with the load."""
    return choice


@line("kW", "Cooling and losses that never fall", part_of=("facility_power", "peak_facility_power"))
def fixed_overhead(nameplate_it_power, pue, fixed_overhead_share):
    """Sized for all that the systems can draw, and drawn when they idle too."""
    return nameplate_it_power * (pue - 1) * fixed_overhead_share


@line("kW", "Facility power that follows the load", part_of="facility_power")
def facility_load(it_power, load_pue):
    """IT power with the cooling and losses that follow it, once."""
    return it_power * load_pue


@line("kW", "Facility power")
def facility_power(parts):
    """What the supplier's meter sees on average."""
    return parts


@line("kW", "Facility power that follows the load, at the peak", part_of="peak_facility_power")
def peak_facility_load(peak_it_power, load_pue):
    """In the busiest hours."""
    return peak_it_power * load_pue


@line("kW", "Facility power at the peak")
def peak_facility_power(parts):
    """What the supplier's demand meter sees at most."""
    return parts


@line("kW", "Facility power at the average month's peak")
def month_peak_power(peak_facility_power, gpus, peak_gpu_draw, month_peak_gpu_draw, load_pue):
    """What the demand meter sees in a month; a period of a year has twelve peaks and not twelve times its last."""
    return maximum(peak_facility_power - gpus * (peak_gpu_draw - month_peak_gpu_draw) * load_pue, 0)


@line("", "PUE that results at this load")
def resulting_pue(it_power, load_pue, fixed_overhead):
    """Power at the meter over IT power; at full load it is the PUE stated."""
    return where(it_power > 0, load_pue + fixed_overhead / it_power, load_pue)


@line("kW", "Power of the systems at nameplate", part_of="nameplate_it_power")
def nameplate_systems_power(systems, system_power):
    """All that the systems can ever draw."""
    return systems * system_power


@line("kW", "IT power at nameplate")
def nameplate_it_power(parts):
    """What a contract for power commits to."""
    return parts


@line("", "PUE for which the site is built, as stated", choice_of="design_pue")
def design_pue_as_stated(pue):
    """One PUE for all hours."""
    return pue


@line("", "PUE for which the site is built, in the worst hour", choice_of="design_pue")
def design_pue_of_worst_hour(worst_pue):
    """A site must deliver on the hottest day too."""
    return worst_pue


@line("", "PUE for which the site is built")
def design_pue(choice):
    """That of the year, or of its worst hour where the weather is known."""
    return choice


@line("kW", "Facility power at nameplate")
def nameplate_power(nameplate_it_power, design_pue):
    """What the site must be able to deliver."""
    return nameplate_it_power * design_pue


@line("kWh", "Energy")
def energy(facility_power, period):
    """At the meter."""
    return facility_power * period


@line("tCO2e", "Carbon emitted", part_of="carbon_footprint")
def carbon(energy, carbon_intensity):
    """Operational: energy times the grid's intensity."""
    return energy * carbon_intensity


@line("money", "Carbon at its price, internal or paid", part_of=("energy_cost", "paid_through"))
def carbon_cost(carbon, carbon_price):
    """A carbon tax that is paid, or the price that the house sets itself; both count as cost."""
    return carbon * carbon_price


@line("money", "Energy and carbon", part_of=("cash_cost", "deductions"))
def energy_cost(parts):
    """Electricity and the carbon price."""
    return parts


@line("m3", "Water used")
def water(it_power, period, water_use):
    """Evaporated by cooling, for each kWh of IT."""
    return it_power * period * water_use


@line("money", "Water bill", part_of=("site_cost", "paid_through"))
def water_cost(water, water_price):
    """At the tap's price."""
    return water * water_price
