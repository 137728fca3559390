"""Replicas, and what the fleet serves."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import almost_one, by_age, ceil, floor, highest, maximum, minimum, where

planning_ceiling = given(
    "", "Share of capacity planned for the peak", default=0.9, reason="usual planning ceiling", minimum=0, maximum=1
)
ramp_share = given("", "Share of a system's capacity by age", scope="ramp", shape="table", from_unit="period")
utilization_target = given("", "Utilization, given", scope="utilization", minimum=0, maximum=1)


@line("replica/system", "Replicas in a system")
def replicas_per_system(gpus_per_system, gpus_per_replica, partitions):
    """A replica stays inside one system; each partition of a GPU holds one."""
    return floor(gpus_per_system / gpus_per_replica, "replica/system") * partitions


@line("request/s/system", "Requests a system answers, fully loaded")
def system_request_rate(system_output_rate, generated_tokens):
    """Each answer has the mean length."""
    return system_output_rate / generated_tokens


@line("request/s/system", "Requests a system is planned to answer")
def usable_rate(system_request_rate, planning_ceiling, availability):
    """Below the ceiling queues stay short."""
    return system_request_rate * planning_ceiling * availability


@line("replica", "Replicas needed")
def replicas_needed(peak_load, usable_rate, replicas_per_system):
    """Whole replicas carry the peak."""
    return ceil(peak_load / (usable_rate / replicas_per_system), "replica")


@line("system", "Systems for the load", choice_of="systems_for_work")
def systems_for_load(replicas_needed, replicas_per_system):
    """A half-filled system is still bought."""
    return ceil(replicas_needed / replicas_per_system, "system")


@line("system", "Systems at work, all of them", choice_of="working_systems")
def all_systems_working(systems):
    """A system works fully from its first day."""
    return systems


@line("system", "Systems at work after their ramp", choice_of="working_systems")
def ramped_systems_working(purchases, ramp_share, period_number):
    """Each system counts for the share that its age allows."""
    return by_age(purchases, ramp_share, period_number)


@line("system", "Systems at work")
def working_systems(choice):
    """As many as would serve the same fully."""
    return choice


@line("request/s", "Load served, from demand", choice_of="served_load")
def served_from_demand(mean_load, working_systems, usable_rate):
    """What exceeds the planned capacity is not served."""
    return minimum(mean_load, working_systems * usable_rate)


@line("request/s", "Load served, at the given utilization", choice_of="served_load")
def served_at_utilization(utilization_target, systems, system_request_rate):
    """What runs on the fleet is not the question: it is busy for this share."""
    return utilization_target * systems * system_request_rate


@line("request/s", "Load served")
def served_load(choice):
    """Retries included."""
    return choice


@line("", "Utilization")
def utilization(served_load, systems, system_request_rate):
    """Derived: load over what the systems could do fully loaded."""
    return where(systems > 0, served_load / (systems * system_request_rate), 0)


@line("", "Utilization at the peak, from demand", choice_of="peak_utilization")
def peak_utilization_from_demand(peak_load, systems, system_request_rate):
    """Never above one."""
    return where(systems > 0, minimum(peak_load / (systems * system_request_rate), 1), 0)


@line("", "Utilization at the peak, as given", choice_of="peak_utilization")
def peak_utilization_given(utilization_target):
    """A given utilization has no peak of its own."""
    return utilization_target


@line("", "Utilization at the peak")
def peak_utilization(choice):
    """Sets the power that the site must deliver."""
    return choice


@line("", "Utilization at the average month's peak, from demand", choice_of="month_peak_utilization")
def month_peak_utilization_from_demand(month_peak_load, systems, system_request_rate):
    """Never above one."""
    return where(systems > 0, minimum(month_peak_load / (systems * system_request_rate), 1), 0)


@line("", "Utilization at the average month's peak, as given", choice_of="month_peak_utilization")
def month_peak_utilization_given(utilization_target):
    """A given utilization has no peak of its own."""
    return utilization_target


@line("", "Utilization at the average month's peak")
def month_peak_utilization(choice):
    """Sets the power that a month's demand charge is charged on."""
    return choice


@line("request/s", "Peak load not served")
def peak_shortfall(peak_load, working_systems, usable_rate):
    """Beyond the planned capacity of all systems."""
    return maximum(peak_load * almost_one - working_systems * usable_rate, 0)


@line("request/s", "Largest peak load not served")
def largest_shortfall(peak_shortfall):
    """Over all periods."""
    return highest(peak_shortfall)


@line("", "Peak load is served (flag)", choice_of="large_enough")
def load_is_served(largest_shortfall):
    """The fleet serves the peak of every period."""
    return where(largest_shortfall > 0, 0, 1)
