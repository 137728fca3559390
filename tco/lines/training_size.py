"""How many GPUs a run takes, and whether it is done in time."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import almost_one, ceil, either, highest, maximum, minimum, one, where

scale_out = given("", "Systems are networked, so that a run may span them (flag)", choice=True, minimum=0, maximum=1)


@line("gpu*h/run", "GPU time of a run without failures")
def ideal_gpu_time(run_tokens, gpu_token_rate):
    """Work over speed."""
    return run_tokens / gpu_token_rate


@line("gpu", "GPUs for the year's runs")
def gpus_for_year(ideal_gpu_time, runs, repeated_share, experiments_share):
    """The year's runs, those done again, and experiments, spread over the year."""
    return ideal_gpu_time * runs / (1 - repeated_share) / (1 - experiments_share)


@line("gpu", "GPUs for the deadline")
def gpus_for_deadline(ideal_gpu_time, deadline):
    """A run that must end in time needs more at once."""
    return ideal_gpu_time * one("run") / deadline


@line("gpu", "GPUs needed")
def required_gpus(work_rate, gpu_token_rate, goodput, availability):
    """Work over speed; lost time and downtime need more GPUs."""
    return work_rate / gpu_token_rate / goodput / availability


@line("system", "Systems for the training work", choice_of="systems_for_work")
def systems_for_training(required_gpus, shard_gpus, gpus_per_system):
    """The fewest whole systems that do the work and hold the states."""
    return ceil(maximum(required_gpus, shard_gpus) / gpus_per_system, "system")


@line("gpu", "GPUs busy on average")
def busy_gpus(gpus_for_year, goodput):
    """A cluster sized for a deadline rests between runs."""
    return gpus_for_year / goodput


@line("", "Utilization")
def utilization(busy_gpus, gpus, availability):
    """Derived: work over what the systems could do."""
    return minimum(busy_gpus / (gpus * availability), 1)


@line("", "Utilization at the peak")
def peak_utilization():
    """While a run advances every GPU works."""
    return one("")


@line("gpu", "GPUs beside the spares")
def working_gpus(gpus, spare_systems, gpus_per_system):
    """Spares stand by until a system fails."""
    return maximum(gpus - spare_systems * gpus_per_system, 0)


@line("", "Utilization at the average month's peak")
def month_peak_utilization():
    """While a run advances every GPU works."""
    return one("")


@line("gpu", "GPUs that a run can use")
def reachable_gpus(scale_out, working_gpus, gpus_per_system, run_size):
    """Without a network between systems a run stays inside one; one at the limit of its batch stays at its size."""
    return minimum(where(scale_out > 0, working_gpus, gpus_per_system * one("system")), run_size)


@line("gpu", "GPUs a run needs at once, for its deadline", choice_of="run_gpus")
def run_gpus_by_deadline(gpus_for_deadline, goodput, availability):
    """To end in time."""
    return gpus_for_deadline / goodput / availability


@line("gpu", "GPUs a run needs at once, for its states", choice_of="run_gpus")
def run_gpus_by_states(shard_gpus):
    """Without a deadline, those that hold its states."""
    return shard_gpus


@line("gpu", "GPUs a run needs at once")
def run_gpus(choice):
    """For its deadline or its states."""
    return choice


@line("gpu", "GPUs missing")
def missing_gpus(required_gpus, working_gpus, run_gpus, reachable_gpus):
    """For the year's work, and for one run within its reach."""
    return maximum(required_gpus * almost_one - working_gpus, run_gpus * almost_one - reachable_gpus, 0)


@line("gpu", "Most GPUs missing")
def most_missing_gpus(missing_gpus):
    """Over all periods."""
    return highest(missing_gpus)


@line("", "Work is done in time (flag)", choice_of="large_enough")
def work_is_done(most_missing_gpus, goodput, least_goodput):
    """The year's runs are done in the year and each in its time; one that never advances is never done."""
    return where(either(most_missing_gpus > 0, goodput <= least_goodput), 0, 1)


@line("", "Share of the work done")
def done_share(required_gpus, working_gpus, run_gpus, reachable_gpus):
    """Too few GPUs leave work undone; so does a run that is not done in its time."""
    return minimum(working_gpus / required_gpus, reachable_gpus / run_gpus, 1)


@line("h/run", "Time of a run")
def run_time(ideal_gpu_time, goodput, availability, reachable_gpus):
    """With all GPUs that it can use."""
    return ideal_gpu_time / goodput / availability / reachable_gpus
