"""What failures leave of the time of a run."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import ceil, half, maximum, square_root

goodput_share = given("", "Share of time that advances the run, given", scope="goodput", minimum=0, maximum=1)
restart_time = given("h", "Time to detect a failure and restart", scope="restart time", minimum=0)
checkpoint_time = given("h", "Time a checkpoint blocks the run", scope="checkpoint time", minimum=0)


@line("h", "Mean time between failures of the run")
def time_between_failures(failure_rate, job_gpus):
    """Any GPU that fails stops the run."""
    return 1 / (failure_rate * job_gpus)


@line("gpu", "GPUs in the run, of a fixed fleet", choice_of="job_gpus")
def job_gpus_fixed(count, gpus_per_system):
    """A run takes all that there is."""
    return count * gpus_per_system


@line("gpu", "GPUs in the run")
def job_gpus(choice):
    """As many can stop it."""
    return choice


@line("gpu", "GPUs in the run, as needed", choice_of="job_gpus")
def job_gpus_needed(ideal_gpus, gpus_per_system, shard_gpus):
    """Whole systems, and enough to hold the states."""
    return maximum(ceil(ideal_gpus / gpus_per_system, "system") * gpus_per_system, shard_gpus)


@line("h", "Time between checkpoints")
def checkpoint_interval(checkpoint_time, time_between_failures):
    """Young's optimum: the root of twice the write time times the time between failures (arXiv 2410.21680)."""
    return square_root(checkpoint_time * time_between_failures / half)


@line("", "Share of time lost to failures")
def lost_share(restart_time, checkpoint_interval, time_between_failures):
    """Restart, and half an interval of work done again."""
    return (restart_time + checkpoint_interval * half) / time_between_failures


@line("", "Goodput from failures", choice_of="goodput")
def goodput_from_failures(lost_share, checkpoint_time, checkpoint_interval):
    """Expected time ratio (arXiv 2410.21680)."""
    return maximum(1 - lost_share, 0) / (1 + checkpoint_time / checkpoint_interval)


@line("", "Goodput, given", choice_of="goodput")
def goodput_given(goodput_share):
    """As the scenario says."""
    return goodput_share


@line("", "Goodput")
def goodput(choice):
    """Share of time that advances the run."""
    return choice
