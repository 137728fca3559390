"""How often a run is interrupted, and by what."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import ceil, erlang, maximum, one, where

software_failure_rate = given(
    "1/gpu/yr", "Software failures that stop a run, a GPU and year", scope="software failures", minimum=0
)
run_failure_rate = given("1/day", "Failures of a run and day, whatever its size", scope="failures of a run", minimum=0)
silent_error_rate = given("1/gpu/yr", "Silent errors a GPU and year, noticed later", scope="silent errors", minimum=0)


@line("gpu", "GPUs in the run, of a fixed fleet", choice_of="job_gpus")
def job_gpus_fixed(count, spare_systems, gpus_per_system):
    """A run takes all that there is beside the spares."""
    return maximum(count - spare_systems, 0) * gpus_per_system


@line("gpu", "GPUs in the run, as needed", choice_of="job_gpus")
def job_gpus_needed(ideal_gpus, gpus_per_system, shard_gpus):
    """Whole systems, and enough to hold the states."""
    return maximum(ceil(ideal_gpus / gpus_per_system, "system") * gpus_per_system, shard_gpus)


@line("gpu", "GPUs in the run")
def job_gpus(choice, scale_out, gpus_per_system):
    """As many can stop it; without a network between systems it stays inside one."""
    return where(scale_out > 0, choice, gpus_per_system * one("system"))


@line("1/day", "Failures of GPUs in the run", part_of="hardware_failures")
def gpu_interruptions(failure_rate, job_gpus):
    """Any GPU that fails stops the run."""
    return failure_rate * job_gpus


@line("1/day", "Failures of hosts in the run", part_of="hardware_failures")
def host_interruptions(host_failure_rate, job_gpus, gpus_per_system):
    """Mainboards, power supplies, network cards and what else a system has beside its GPUs."""
    return host_failure_rate * job_gpus / gpus_per_system


@line("1/day", "Failures in the run that need a repair", part_of="stops")
def hardware_failures(parts):
    """Each takes a system out until it is repaired."""
    return parts


@line("1/day", "Software failures in the run", part_of="stops")
def software_interruptions(software_failure_rate, job_gpus):
    """They grow with the run and stop it, and no hardware is repaired."""
    return software_failure_rate * job_gpus


@line("1/day", "Failures of the run itself", part_of="stops")
def run_interruptions(run_failure_rate):
    """Mistakes of users, storage, loss that diverges: as many in a small run."""
    return run_failure_rate


@line("1/day", "Failures that stop the run", part_of="interruptions")
def stops(parts):
    """At once: hardware, software and the run itself."""
    return parts


@line("1/day", "Silent errors in the run", part_of="interruptions")
def silent_interruptions(silent_error_rate, job_gpus):
    """A wrong number that stops nothing by itself: the run is stopped when it is noticed."""
    return silent_error_rate * job_gpus


@line("1/day", "Interruptions of the run")
def interruptions(parts):
    """While it runs."""
    return parts


@line("h", "Mean time between failures of the run")
def time_between_failures(interruptions):
    """Of all causes."""
    return 1 / interruptions


@line("system", "Systems in repair while the run goes on, on average")
def systems_in_repair(hardware_failures, repair_time):
    """Each failure takes one out for the time of a repair."""
    return hardware_failures * repair_time * one("system")


@line("", "Share of time a run waits for a repair")
def waiting_share(systems_in_repair, spare_systems):
    """It waits while more are in repair than there are spares: Erlang's loss formula with a place more than spares."""
    return erlang(systems_in_repair, spare_systems + one("system"))
