"""What repairs take of the time of systems that serve."""

# pyright: basic
from tco.declare import line
from tco.vocabulary import one


@line("", "Repairs of GPUs, over the time in use", part_of="repair_load")
def gpu_repair_load(failure_rate, gpus_per_system, repair_time):
    """One failed GPU takes its system out until it is repaired."""
    return failure_rate * gpus_per_system * repair_time * one("system")


@line("", "Repairs of hosts, over the time in use", part_of="repair_load")
def host_repair_load(host_failure_rate, repair_time):
    """So does a failure of the system beside its GPUs."""
    return host_failure_rate * repair_time * one("system")


@line("", "Time in repair, over the time in use")
def repair_load(parts):
    """For each hour in which a system works."""
    return parts


@line("", "Downtime from failures", part_of="downtime")
def failure_downtime(repair_load):
    """A system fails only while it works: use and repair take turns."""
    return repair_load / (1 + repair_load)
