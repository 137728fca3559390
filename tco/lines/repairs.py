"""What repairs take of the time of systems that serve."""

# pyright: basic
from tco.declare import line
from tco.vocabulary import one


@line("", "Downtime from failures of GPUs", part_of="downtime")
def failure_downtime(failure_rate, gpus_per_system, repair_time):
    """One failed GPU takes its system out until it is repaired."""
    return failure_rate * gpus_per_system * repair_time * one("system")


@line("", "Downtime from failures of hosts", part_of="downtime")
def host_downtime(host_failure_rate, repair_time):
    """So does a failure of the system beside its GPUs."""
    return host_failure_rate * repair_time * one("system")
