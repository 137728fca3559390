"""Speed of training, by the size of a run."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import ceil, half, maximum, minimum, one, where

training_efficiency = given("", "Share of the peak rate reached (MFU)", scope="MFU", minimum=0, maximum=1)
measured_token_rate = given("token/s/gpu", "Training tokens measured on a GPU", scope="measured throughput", minimum=0)
reference_gpus = given(
    "gpu", "GPUs from which a larger run is slower", default=8, reason="convention of the calibration", minimum=1
)
training_scale_exponent = given(
    "", "How much a GPU of a larger run is slower (below 0: slower)", minimum=-0.5, maximum=0.5
)
training_step_overhead = given("s/step", "Fixed time of a training step", minimum=0)
gather_link_efficiency = given("", "Share of the interconnect bandwidth reached by gathers of weights", minimum=0)
slow_link = given(
    "GB/s/gpu",
    "Interconnect bandwidth up to which gathers are waited for",
    default=300,
    reason="convention of the calibration: on faster links they hide behind arithmetic",
    minimum=0,
)
passes = given(
    "", "Times that what is moved passes a link", default=2, minimum=0,
    reason="weights come forward and backward; states and activations go out and come back",
)  # fmt: skip
host_link_bandwidth = given(
    "GB/s/gpu", "Bandwidth between a GPU and its host, one way", default=25, minimum=0,
    reason="PCIe 4.0 x16 as reached, of 32; PCIe 5.0 reaches twice as much",
)  # fmt: skip
interleave = given(
    "", "Parts of the model on each pipeline stage", default=1, reason="the pipeline is not interleaved", minimum=1
)
tuned_bubble = given(
    "",
    "Pipeline bubble that is inside the calibration",
    default=0.01,
    reason="median of the 104 calibrated runs with a pipeline (calibration/README.md)",
    minimum=0,
)
training_error_low = given(
    "", "Training speed at the low end of the error band, over the estimate", scope="error band", minimum=0
)
training_error_high = given(
    "", "Training speed at the high end of the error band, over the estimate", scope="error band", minimum=0
)


# --- waits that come with every token ---


@line("GB/token", "Weights gathered by a GPU for a token")
def gathered_traffic(passes, parameters, gathered_bytes, weights_sharded, data_copies, live_tokens):
    """Divided weights are brought together for each micro-batch, but for the part that a GPU holds itself."""
    share = weights_sharded * (1 - 1 / data_copies) * one("1/gpu")
    return passes * parameters * gathered_bytes * share / live_tokens


@line("us*gpu/token", "Wait for gathered weights", part_of=("token_wait", "training_token_time"))
def gather_wait(gathered_traffic, link_bandwidth, gather_link_efficiency, slow_link):
    """Over PCIe; a faster link hides it behind arithmetic."""
    return where(link_bandwidth > slow_link, 0, gathered_traffic / (link_bandwidth * half * gather_link_efficiency))


@line("us*gpu/token", "Wait for weights in the host", part_of=("token_wait", "training_token_time"))
def host_weight_wait(gather_wait, host_states, passes, model_gpus, live_tokens, host_link_bandwidth):
    """Each micro-batch brings them anew; gathers over PCIe were measured with it."""
    moved = host_states * passes * model_gpus * one("1/gpu") / live_tokens
    return where(gather_wait > 0, 0, moved / host_link_bandwidth)


@line("us*gpu/token", "Wait for activations in the host", part_of=("token_wait", "training_token_time"))
def host_activation_wait(host_activations, passes, tensor_parallel, live_tokens, host_link_bandwidth):
    """Out and back, a micro-batch at a time; nothing is taken to hide behind arithmetic."""
    return host_activations * passes * tensor_parallel / live_tokens / host_link_bandwidth


@line("us*gpu/token", "Waits with every token")
def token_wait(parts):
    """For links; the same on any number of GPUs."""
    return parts


# --- waits that come with every step ---


@line("s/step", "Fixed part of a step", part_of="step_wait")
def fixed_step_time(training_step_overhead):
    """Optimiser, launches, logging: as long for a small batch as for a large one."""
    return training_step_overhead


@line("s/step", "Wait for the optimiser in the host", part_of="step_wait")
def host_optimizer_wait(host_optimizer, passes, host_link_bandwidth):
    """Gradients, moments and master weights, out and back once a step."""
    return host_optimizer * passes / host_link_bandwidth * one("1/step")


@line("s/step", "Waits with every step")
def step_wait(parts):
    """All GPUs of the run wait."""
    return parts


@line("s/step", "Pipeline bubble of a step")
def pipeline_bubble(pipeline_parallel, interleave, training_work_time, live_tokens, tensor_parallel):
    """Stages less one, over interleaved parts, times a stage's micro-batch (arXiv 2104.04473)."""
    micro_batch_time = training_work_time * live_tokens * one("1/step") / (tensor_parallel * pipeline_parallel)
    return (pipeline_parallel - 1) / interleave * micro_batch_time


@line("s/step", "Time that stands still in a step")
def stopped_time(step_wait, pipeline_bubble):
    """More GPUs do not shorten it."""
    return step_wait + pipeline_bubble


# --- how many GPUs a run is on: in closed form, because speed depends on them and they on speed ---


@line("us*gpu/token", "Time of a training token on few GPUs")
def near_token_time(training_work_time, token_wait):
    """Without what depends on the size of the run."""
    return training_work_time + token_wait


@line("", "Share of time that stands still, if one run did all the work")
def stop_share(work_rate, stopped_time, batch_tokens):
    """Steps a second that the work asks for, times what each stands still."""
    return work_rate * stopped_time / batch_tokens


@line("", "Growth of a run by its own size")
def size_growth(training_scale_exponent):
    """The root of GPUs = work x (GPUs / 8) ^ loss is work ^ (1 / (1 - loss)); this is that exponent, less one."""
    return maximum(0 - training_scale_exponent, 0) / (1 - maximum(0 - training_scale_exponent, 0))


@line("gpu", "GPUs of a run without failures, if scale cost nothing")
def plain_ideal_gpus(work_rate, near_token_time, stop_share):
    """Where half of the time would stand still, runs are side by side, and each stays at that half."""
    own = where(stop_share > half, work_rate * half / stop_share, work_rate)
    return own * near_token_time / (1 - minimum(stop_share, half))


@line("gpu", "GPUs of a run without failures, by the estimated speed", choice_of="ideal_gpus")
def ideal_gpus_estimated(plain_ideal_gpus, reference_gpus, size_growth):
    """The speed slows as the run grows: both at once."""
    return plain_ideal_gpus * (maximum(plain_ideal_gpus, reference_gpus) / reference_gpus) ** size_growth


@line("gpu", "GPUs without failures, by a given speed", choice_of="ideal_gpus")
def ideal_gpus_at_rate(work_rate, gpu_token_rate):
    """Work over speed."""
    return work_rate / gpu_token_rate


@line("gpu", "GPUs without failures")
def ideal_gpus(choice):
    """Before failures stretch the run."""
    return choice


@line("", "Share of time that GPUs are there and advance the run")
def kept_share(goodput, availability):
    """The rest is lost to failures and downtime."""
    return goodput * availability


@line("token/s", "Training tokens a second that one run must do")
def run_rate(work_rate, stop_share, kept_share):
    """While it advances; beyond half a step of standing still, runs are side by side."""
    return where(stop_share > half * kept_share, work_rate * half / stop_share, work_rate / kept_share)


@line("gpu", "GPUs of a run, if scale cost nothing")
def plain_run_size(run_rate, near_token_time, stop_share, kept_share):
    """Solved for the time that stands still in each step."""
    still = where(stop_share > half * kept_share, half, stop_share / kept_share)
    return run_rate * near_token_time / (1 - still)


@line("gpu", "GPUs of a run, by its own slowing down")
def scaled_run_size(plain_run_size, reference_gpus, size_growth):
    """Not below what is needed: waits are scaled as if they were arithmetic."""
    return plain_run_size * (maximum(plain_run_size, reference_gpus) / reference_gpus) ** size_growth


@line("gpu", "GPUs asked for a run, by the estimated speed", choice_of="asked_size")
def asked_size_estimated(scaled_run_size, gpus_per_system, shard_gpus, scale_out):
    """Whole systems, enough for the states; one system where no network joins them."""
    needed = ceil(scaled_run_size / gpus_per_system, "system") * gpus_per_system
    return where(scale_out > 0, maximum(needed, shard_gpus), gpus_per_system * one("system"))


@line("gpu", "GPUs asked for a run, by a given speed", choice_of="asked_size")
def asked_size_at_rate(required_gpus, gpus_per_system, shard_gpus, scale_out):
    """Whole systems, enough for the states; one system where no network joins them."""
    needed = ceil(required_gpus / gpus_per_system, "system") * gpus_per_system
    return where(scale_out > 0, maximum(needed, shard_gpus), gpus_per_system * one("system"))


@line("gpu", "GPUs asked for a run, of a fixed fleet", choice_of="asked_size")
def asked_size_fixed(count, spare_systems, gpus_per_system, scale_out):
    """All that there are beside the spares, or one system."""
    return where(scale_out > 0, maximum(count - spare_systems, 0), one("system")) * gpus_per_system


@line("gpu", "GPUs asked for a run")
def asked_size(choice):
    """By the work, or all that there are."""
    return choice


@line("gpu", "GPUs of a run, at most those that its batch keeps busy", choice_of="run_size")
def run_size_of_batch(asked_size, batch_gpus):
    """More do not help."""
    return minimum(asked_size, batch_gpus)


@line("gpu", "GPUs of a run, at a speed that is stated for them", choice_of="run_size")
def run_size_as_asked(asked_size):
    """Whoever states a speed states it for so many."""
    return asked_size


@line("gpu", "GPUs of a run")
def run_size(choice):
    """By them its speed is judged."""
    return choice


# --- speed ---


@line("", "Speed of a GPU in a run of this size, over that in a small one")
def training_scale_factor(run_size, reference_gpus, training_scale_exponent):
    """Communication and stragglers: a few per cent with each doubling."""
    return (maximum(run_size, reference_gpus) / reference_gpus) ** training_scale_exponent


@line("us*gpu/token", "Arithmetic of a training token in the run", part_of="training_token_time")
def scaled_work_time(training_work_time, training_scale_factor):
    """Slower on many GPUs."""
    return training_work_time / training_scale_factor


@line("us*gpu/token", "Waits of a step, of a token", part_of="training_token_time")
def step_share_time(step_wait, run_size, batch_tokens):
    """Every GPU waits, and the step has so many tokens."""
    return step_wait * run_size / batch_tokens


@line("us*gpu/token", "Pipeline bubble, of a token", part_of="training_token_time")
def bubble_time(pipeline_bubble, run_size, batch_tokens, tuned_bubble, training_work_time):
    """Only what is beyond the bubble of the tuned runs on which the calibration rests."""
    return maximum(pipeline_bubble * run_size / batch_tokens - tuned_bubble * training_work_time, 0)


@line("us*gpu/token", "Time of a training token")
def training_token_time(parts):
    """Of one GPU, while the run advances."""
    return parts


@line("token/s/gpu", "Training tokens of a GPU, at a stated MFU", choice_of="gpu_token_rate")
def gpu_token_rate_stated(peak_rate, training_efficiency, training_flops, active_parameters):
    """6 N FLOPs a token at the share of the peak that the scenario states; attention is within that share."""
    return peak_rate * training_efficiency / (training_flops * active_parameters)


@line("token/s/gpu", "Training tokens of a GPU, estimated", choice_of="gpu_token_rate")
def gpu_token_rate_estimated(training_token_time):
    """Arithmetic and waits, by the calibration."""
    return 1 / training_token_time


@line("token/s/gpu", "Training tokens of a GPU, measured", choice_of="gpu_token_rate")
def gpu_token_rate_measured(measured_token_rate):
    """A measurement beats the estimate."""
    return measured_token_rate


@line("token/s/gpu", "Training tokens of a GPU")
def gpu_token_rate(choice):
    """While the run advances."""
    return choice


@line("token/s/gpu", "Training tokens of a GPU at the low end of the error band")
def gpu_token_rate_low(gpu_token_rate_estimated, training_error_low):
    """One measurement in ten of such runs was below."""
    return gpu_token_rate_estimated * training_error_low


@line("token/s/gpu", "Training tokens of a GPU at the high end of the error band")
def gpu_token_rate_high(gpu_token_rate_estimated, training_error_high):
    """One measurement in ten of such runs was above."""
    return gpu_token_rate_estimated * training_error_high
