"""What failures leave of the time of a run."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import half, maximum, one, square_root

least_goodput = given(
    "", "Goodput below which a run counts as never done", default=0.001, reason="hardly any progress",
    minimum=1e-9, maximum=0.1,
)  # fmt: skip
goodput_share = given("", "Share of time that advances the run, given", scope="goodput", minimum=0, maximum=1)
detection_time = given("h", "Time to notice an interruption", scope="detection time", minimum=0)
restart_time = given("h", "Time to restart, with detection unless it is stated apart", scope="restart time", minimum=0)
checkpoint_time = given("h", "Time a checkpoint blocks the run, given", scope="checkpoint time", minimum=0)
checkpoint_bandwidth = given(
    "GB/s", "Bandwidth at which the run writes a checkpoint", scope="checkpoint bandwidth", minimum=0
)
stated_interval = given("h", "Time between checkpoints, stated", scope="checkpoint interval", minimum=0)
silent_error_delay = given("h", "Time until a silent error is noticed", scope="silent errors", minimum=0)


@line("GB", "Size of a checkpoint")
def checkpoint_size(trained_weights, optimizer_memory):
    """Weights, master weights and moments of what is trained; gradients and a frozen base are not written."""
    return trained_weights + optimizer_memory


@line("h", "Time a checkpoint blocks the run, as stated", choice_of="checkpoint_block_time")
def checkpoint_block_stated(checkpoint_time):
    """Less than the time to write where writing goes on beside the run."""
    return checkpoint_time


@line("h", "Time a checkpoint blocks the run, by its size", choice_of="checkpoint_block_time")
def checkpoint_block_written(checkpoint_size, checkpoint_bandwidth):
    """The run waits until all is written."""
    return checkpoint_size / checkpoint_bandwidth


@line("h", "Time a checkpoint blocks the run")
def checkpoint_block_time(choice):
    """As stated, or size over bandwidth."""
    return choice


@line("h", "Time between checkpoints, as stated", choice_of="checkpoint_interval")
def checkpoint_interval_stated(stated_interval):
    """As the scenario says."""
    return stated_interval


@line("h", "Time between checkpoints, at its best", choice_of="checkpoint_interval")
def checkpoint_interval_best(checkpoint_block_time, time_between_failures):
    """Young's optimum: the root of twice the write time times the time between failures (arXiv 2410.21680)."""
    return square_root(checkpoint_block_time * time_between_failures / half)


@line("h", "Time between checkpoints")
def checkpoint_interval(choice):
    """As stated, or Young's optimum."""
    return choice


@line("", "Time lost until failures are noticed", part_of="lost_share")
def detection_loss(stops, detection_time):
    """The run stands and nobody knows."""
    return stops * detection_time


@line("", "Time lost to restarts", part_of="lost_share")
def restart_loss(interruptions, restart_time):
    """Find the fault, load the checkpoint, start all GPUs."""
    return interruptions * restart_time


@line("", "Time lost to work done again", part_of="lost_share")
def rework_loss(interruptions, checkpoint_interval):
    """On average half an interval since the last checkpoint."""
    return interruptions * checkpoint_interval * half


@line("", "Time lost to work after silent errors", part_of="lost_share")
def silent_loss(silent_interruptions, silent_error_delay):
    """All that was computed since the error is thrown away."""
    return silent_interruptions * silent_error_delay


@line("", "Share of time lost to failures")
def lost_share(parts):
    """While no repair is waited for."""
    return parts


@line("", "Share of time not waiting, with repairs", choice_of="running_share")
def running_share_repaired(waiting_share):
    """Spares stand in while there are any."""
    return 1 - waiting_share


@line("", "Share of time not waiting, replaced at once", choice_of="running_share")
def running_share_replaced():
    """No time to repair is stated: a failed system has a successor when the run restarts."""
    return one("")


@line("", "Share of time not waiting for a repair")
def running_share(choice):
    """The run needs all its systems at once."""
    return choice


@line("", "Goodput from failures", choice_of="goodput")
def goodput_from_failures(running_share, lost_share, checkpoint_block_time, checkpoint_interval, least_goodput):
    """Expected time ratio (arXiv 2410.21680), of the time in which no repair is waited for."""
    kept = running_share * (1 - lost_share) / (1 + checkpoint_block_time / checkpoint_interval)
    return maximum(kept, least_goodput)


@line("", "Goodput, given", choice_of="goodput")
def goodput_given(goodput_share):
    """As the scenario says."""
    return goodput_share


@line("", "Goodput")
def goodput(choice):
    """Share of time that advances the run."""
    return choice
