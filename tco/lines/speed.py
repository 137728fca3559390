"""Speed of inference, estimated by a roofline of bytes and FLOPs."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import half, maximum, minimum, one, where

experts = given("", "Experts in a layer (1 for a dense model)", minimum=1)
experts_per_token = given("", "Experts used by a token (1 for a dense model)", minimum=1)
gpu_bandwidth = given("GB/s/gpu", "Memory bandwidth of a GPU", minimum=0)
link_bandwidth = given("GB/s/gpu", "Interconnect bandwidth of a GPU, both directions", scope="interconnect", minimum=0)
flops_per_parameter = given(
    "FLOP/parameter/token", "FLOPs a parameter and token", default=2, reason="one multiply and one add", minimum=0
)
activation_bytes = given(
    "byte/element", "Bytes of an activation on the wire", default=2, reason="16-bit activations", minimum=0
)
messages_per_layer = given(
    "1/layer", "All-reduces a layer", default=2, reason="one after attention, one after the MLP", minimum=0
)
decode_bandwidth_efficiency = given("", "Share of bandwidth reached in decoding", minimum=0, maximum=1)
decode_compute_efficiency = given("", "Share of the peak rate reached in decoding", minimum=0, maximum=1)
prefill_efficiency = given("", "Share of the peak rate reached in prefill", minimum=0)
layer_overhead = given("us/layer", "Fixed time a layer and step", minimum=0)
link_latency = given("us", "Latency of an all-reduce", scope="interconnect", minimum=0)
link_efficiency = given("", "Share of the interconnect bandwidth reached", scope="interconnect", minimum=0, maximum=1)
first_token_factor = given("", "First token over an undisturbed prefill", minimum=0)
burst_share = given("", "Share of the other requests' prefills waited for", minimum=0)
first_token_fixed = given("ms", "Fixed time before the first token", minimum=0)
first_token_target = given("s", "Target for the first token", scope="first-token target", minimum=0)
per_token_target = given("ms/token", "Target for each further token", scope="per-token target", minimum=0)
measured_output = given("token/s/system", "Output measured on a system", scope="measured throughput", minimum=0)
measured_concurrency = given(
    "request/system", "Requests in flight in the measurement", scope="measured throughput", minimum=0
)


@line("", "Share of experts a token uses")
def expert_share(experts_per_token, experts):
    """One for a dense model."""
    return experts_per_token / experts


@line("Gparameter", "Parameters in experts")
def expert_parameters(parameters, active_parameters, expert_share):
    """From total and active: what a token does not use lies in the other experts."""
    return where(expert_share < 1, (parameters - active_parameters) / (1 - expert_share), 0)


@line("Gparameter", "Weights read by a step")
def weights_read(parameters, expert_parameters, expert_share, concurrency):
    """A batch touches more experts than one token and fewer than all."""
    return parameters - expert_parameters * (1 - expert_share) ** (concurrency / one("request/replica"))


@line("GiB/request", "Cache read for a request")
def cache_read(kv_elements, window_elements, attention_window, input_tokens, output_tokens, kv_bytes):
    """Half of the output stands in the cache on average."""
    length = input_tokens + output_tokens * half
    return (kv_elements * length + window_elements * minimum(length, attention_window / one("request"))) * kv_bytes


@line("GB/gpu", "Bytes read on each GPU by a step")
def decode_bytes(weights_read, bytes_per_parameter, gpus_per_replica, concurrency, cache_read, cache_ways):
    """Weights once for the batch, the cache once for each request."""
    return (
        weights_read * bytes_per_parameter / one("replica") / gpus_per_replica + concurrency * cache_read / cache_ways
    )


@line("ms", "Time of a step by memory")
def memory_time(decode_bytes, gpu_bandwidth, decode_bandwidth_efficiency):
    """Small batches wait for memory."""
    return decode_bytes / (gpu_bandwidth * decode_bandwidth_efficiency)


@line("TFLOP/replica", "FLOPs of a step")
def decode_work(flops_per_parameter, active_parameters, concurrency):
    """Each request in flight advances by one token."""
    return flops_per_parameter * active_parameters * concurrency * one("token/request")


@line("ms", "Time of a step by arithmetic")
def compute_time(decode_work, gpus_per_replica, peak_rate, decode_compute_efficiency):
    """Large batches wait for arithmetic."""
    return decode_work / gpus_per_replica / (peak_rate * decode_compute_efficiency)


@line("ms", "Fixed time of a step", part_of="step_delays")
def layer_delay(layers, layer_overhead):
    """Launches and synchronisation, layer by layer."""
    return layers * layer_overhead


@line("MB/gpu", "Size of an all-reduce")
def message_size(concurrency, hidden_size, activation_bytes):
    """Every GPU of the replica carries the whole activation."""
    return concurrency * hidden_size * activation_bytes * one("token/request") * one("replica/gpu")


@line("ms", "Time of an all-reduce")
def message_time(link_latency, message_size, link_bandwidth, link_efficiency):
    """Latency, then the bytes over one direction of the link."""
    return link_latency + message_size / (link_bandwidth * half * link_efficiency)


@line("ms", "Communication of a step", part_of="step_delays")
def communication_time(gpus_per_replica, layers, messages_per_layer, message_time):
    """Nothing on a single GPU."""
    return where(gpus_per_replica > one("gpu/replica"), layers * messages_per_layer * message_time, 0)


@line("ms", "Delays of a step")
def step_delays(parts):
    """What is added to memory or arithmetic."""
    return parts


@line("ms", "Time of a decoding step")
def decode_step_time(memory_time, compute_time, step_delays):
    """The slower of memory and arithmetic, then the delays."""
    return maximum(memory_time, compute_time) + step_delays


@line("ms*replica/request", "Prefill of a request")
def prefill_time(flops_per_parameter, active_parameters, new_input, gpus_per_replica, peak_rate, prefill_efficiency):
    """By arithmetic; what the prefix cache holds is not computed again."""
    return flops_per_parameter * active_parameters * new_input / (gpus_per_replica * peak_rate * prefill_efficiency)


@line("token/request", "Input computed for a request")
def new_input(input_tokens, prefix_cache_hit):
    """Without the share found in the prefix cache."""
    return input_tokens * (1 - prefix_cache_hit)


@line("s", "Time of a batch from prompt to last token")
def cycle_time(concurrency, prefill_time, output_tokens, decode_step_time):
    """In steady state a replica shares its time between prefill and decoding."""
    return concurrency * prefill_time + output_tokens * one("request/token") * decode_step_time


@line("token/s/replica", "Output of a replica")
def replica_output_rate(concurrency, output_tokens, cycle_time):
    """At the chosen number of requests in flight, fully loaded."""
    return concurrency * output_tokens / cycle_time


@line("ms/token", "Time for each further token, estimated", choice_of="per_token_time")
def per_token_time_estimated(decode_step_time, concurrency, prefill_time, output_tokens):
    """A decoding step, interrupted by the prefills of the others."""
    others = (concurrency - one("request/replica")) * prefill_time * one("1/request")
    return decode_step_time / one("token") + others / output_tokens


@line("ms/token", "Time for each further token, measured", choice_of="per_token_time")
def per_token_time_measured(measured_concurrency, measured_output):
    """Requests in flight over output tokens a second."""
    return measured_concurrency / measured_output * one("1/request")


@line("ms/token", "Time for each further token")
def per_token_time(choice):
    """What a reader sees as speed."""
    return choice


@line("s", "Time to the first token")
def first_token_time(first_token_factor, prefill_time, decode_step_time, burst_share, concurrency, first_token_fixed):
    """Own prefill, and part of the prefills of those who came at the same time."""
    own = first_token_factor * (prefill_time * one("request/replica") + decode_step_time)
    return own + burst_share * (concurrency - one("request/replica")) * prefill_time + first_token_fixed


@line("", "First token too late (flag)", part_of="missed_targets")
def late_first_token(first_token_time, first_token_target):
    """The target is a gate."""
    return where(first_token_time > first_token_target, 1, 0)


@line("", "Tokens too slow (flag)", part_of="missed_targets")
def slow_tokens(per_token_time, per_token_target):
    """The target is a gate."""
    return where(per_token_time > per_token_target, 1, 0)


@line("", "Targets missed")
def missed_targets(parts):
    """Of those that are stated."""
    return parts


@line("", "Fast enough (flag)")
def fast_enough(missed_targets):
    """All stated targets are met."""
    return where(missed_targets > 0, 0, 1)


@line("", "Share of device time spent on input", choice_of="input_share")
def input_time_share(concurrency, prefill_time, cycle_time):
    """By which cost is split between input and output tokens."""
    return concurrency * prefill_time / cycle_time


@line("token/s/system", "Output of a system, estimated", choice_of="system_output_rate")
def system_output_estimated(replica_output_rate, replicas_per_system):
    """All replicas of a system together."""
    return replica_output_rate * replicas_per_system


@line("token/s/system", "Output of a system, measured", choice_of="system_output_rate")
def system_output_measured(measured_output):
    """A measurement beats the estimate."""
    return measured_output


@line("token/s/system", "Output of a system, fully loaded")
def system_output_rate(choice):
    """Measured if a measurement is given, else estimated."""
    return choice
