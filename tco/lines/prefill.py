"""Speed of prompts, and of a replica that serves both."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import both, half, maximum, minimum, one, where

prefill_efficiency = given("", "Share of the peak rate reached in prefill", minimum=0)
prefill_attention_efficiency = given("", "Share of the 16-bit rate reached by attention in prefill", minimum=0)
prefill_piece = given("token/request", "Piece of a prompt that a pipeline passes on", default=512, reason="usual chunk")
stage_gain = given("", "How much of a pipeline's overlap a single prompt gains", minimum=0, maximum=1)
prefill_interference = given("", "How much prefills of others interrupt a reader", minimum=0)
first_token_factor = given("", "First token over an undisturbed prefill", minimum=0)
burst_share = given("", "Share of the other requests' prefills waited for", minimum=0)
burst_overhead = given("ms/request", "Wait for each other request", minimum=0)
first_token_fixed = given("ms", "Fixed time before the first token", minimum=0)
first_token_target = given("s", "Target for the first token", scope="first-token target", minimum=0)
per_token_target = given("ms/token", "Target for each further token", scope="per-token target", minimum=0)
target_share = given(
    "", "Share of a target below which the mean stays", default=1, reason="targets are means", minimum=0, maximum=1
)
target_output_share = given(
    "", "Share of the output reached under such targets", default=1, reason="targets are means", minimum=0, maximum=1
)
measured_output = given("token/s/system", "Output measured on a system", scope="measured throughput", minimum=0)
measured_concurrency = given(
    "request/system", "Requests in flight in the measurement", scope="measured throughput", minimum=0
)


@line("token/request", "Input computed for a request")
def new_input(input_tokens, prefix_cache_hit):
    """Without the share found in the prefix cache."""
    return input_tokens * (1 - prefix_cache_hit)


@line("", "Gain of a prompt split by layer")
def stream_gain(new_input, prefill_piece, stages, stage_gain):
    """A prompt in pieces keeps several stages busy."""
    pieces = maximum(new_input / prefill_piece, 1)
    return 1 + stage_gain * (stages * pieces / (pieces + stages - 1) - 1)


@line("gpu/replica", "GPUs that compute a prompt")
def prefill_gpus(one_stream, stages, stream_gain, gpus_per_replica):
    """All, or as many as the pieces of one prompt keep busy."""
    return where(both(one_stream > 0, stages > 1), stream_gain * one("gpu/replica"), gpus_per_replica)


@line("ms*gpu/request", "Arithmetic of matrices for a prompt")
def prompt_matrix_work(flops_per_parameter, active_parameters, new_input, device_rate, prefill_efficiency, size_factor):
    """Every token passes every active weight."""
    return flops_per_parameter * active_parameters * new_input / (device_rate * prefill_efficiency * size_factor)


@line("ms*gpu/request", "Arithmetic of attention for a prompt")
def prompt_attention_work(attention_flops, new_input, input_tokens, device_rate_16_bit, prefill_attention_efficiency):
    """Each new token looks at all before it: those of the cached prefix, and on average half of the new ones."""
    pairs = new_input * (input_tokens - new_input * half) * one("request")
    return attention_flops * pairs / (device_rate_16_bit * prefill_attention_efficiency)


@line("ms*replica/request", "Arithmetic of a prompt", part_of="batched_prefill_time")
def prefill_compute_time(prompt_matrix_work, prompt_attention_work, prefill_gpus):
    """On all GPUs that compute it."""
    return (prompt_matrix_work + prompt_attention_work) / prefill_gpus


@line("gpu/replica", "GPUs that compute an undisturbed prompt")
def prompt_gpus(tensor_gpus, stream_gain):
    """It passes the stages in turn, and gains what its pieces overlap."""
    return tensor_gpus * stream_gain


@line("ms*replica/request", "Arithmetic of an undisturbed prompt")
def prompt_compute_time(prompt_matrix_work, prompt_attention_work, prompt_gpus):
    """The stages cannot share one prompt as they share many."""
    return (prompt_matrix_work + prompt_attention_work) / prompt_gpus


@line("Gparameter", "Weights read by a prompt")
def prompt_weights_read(parameters, expert_parameters, expert_share, new_input):
    """A prompt of many tokens touches almost all experts."""
    return parameters - expert_parameters * (1 - expert_share) ** (new_input / one("token/request"))


@line("ms*replica/request", "Time to read the weights for a prompt")
def prompt_weight_time(
    prompt_weights_read, bytes_per_parameter, tensor_gpus, device_bandwidth, decode_bandwidth_efficiency
):
    """Once."""
    rate = tensor_gpus * device_bandwidth * decode_bandwidth_efficiency
    return prompt_weights_read * bytes_per_parameter / one("request") / rate


@line("ms*replica/request", "Larger of memory and arithmetic for a prompt")
def slower_prefill_time(prompt_weight_time, prompt_compute_time):
    """A short prompt waits for the weights."""
    return maximum(prompt_weight_time, prompt_compute_time)


@line("", "Smaller over larger of memory and arithmetic for a prompt")
def hidden_prefill_share(prompt_weight_time, prompt_compute_time, slower_prefill_time):
    """One at the ridge."""
    return minimum(prompt_weight_time, prompt_compute_time) / slower_prefill_time


@line("ms*replica/request", "Work of a prompt", part_of="prefill_time")
def prefill_work(slower_prefill_time, hidden_prefill_share, overlap_sharpness):
    """Neither memory nor arithmetic hides the other fully."""
    return slower_prefill_time * (1 + hidden_prefill_share**overlap_sharpness) ** (1 / overlap_sharpness)


@line("ms*replica/request", "Launches of a prompt", part_of="prefill_time")
def prefill_launch_time(layer_delay):
    """Layer by layer, once a prompt."""
    return layer_delay * one("replica/request")


@line("ms*replica/request", "Latency of a prompt's all-reduces", part_of="prefill_time")
def prefill_latency(messages, link_latency):
    """Once a prompt."""
    return messages * link_latency * one("replica/request")


@line("ms*replica/request", "Wire time of a prompt", part_of=("prefill_time", "batched_prefill_time"))
def prefill_wire_time(messages, new_input, wire_time):
    """Bytes of all its tokens."""
    return messages * new_input * wire_time * one("replica")


@line("ms*replica/request", "Time of an undisturbed prompt")
def prefill_time(parts):
    """Work, launches and communication."""
    return parts


@line("ms*replica/request", "Time of a prompt among many")
def batched_prefill_time(parts):
    """Arithmetic and bytes on the wire; reads of weights and launches are shared."""
    return parts


@line("s", "Time of a batch from prompt to last token")
def cycle_time(concurrency, batched_prefill_time, generated_tokens, decoding_time):
    """In steady state a replica shares its time between prefill and decoding."""
    return concurrency * batched_prefill_time + generated_tokens * one("request") * decoding_time


@line("token/s/replica", "Output of a replica")
def replica_output_rate(concurrency, generated_tokens, cycle_time):
    """At the chosen number of requests in flight, fully loaded."""
    return concurrency * generated_tokens / cycle_time


@line("request/replica", "Other requests in flight")
def other_requests(concurrency):
    """Besides one's own."""
    return concurrency - one("request/replica")


@line("ms/token", "Time for each further token, estimated", choice_of="per_token_time")
def per_token_time_estimated(
    decoding_time, prefill_interference, other_requests, batched_prefill_time, generated_tokens
):
    """Decoding, interrupted by the prefills of the others."""
    others = prefill_interference * other_requests * batched_prefill_time * one("1/request")
    return decoding_time + others / generated_tokens


@line("ms/token", "Time for each further token, measured", choice_of="per_token_time")
def per_token_time_measured(measured_concurrency, measured_output):
    """Requests in flight over output tokens a second."""
    return measured_concurrency / measured_output * one("1/request")


@line("ms/token", "Time for each further token")
def per_token_time(choice):
    """What a reader sees as speed."""
    return choice


@line("s", "Own wait for the first token", part_of="first_token_time")
def own_prefill_wait(first_token_factor, prefill_time, decode_step_time):
    """Own prompt and the first step."""
    return first_token_factor * (prefill_time * one("request/replica") + decode_step_time)


@line("s", "Wait for the prompts of others", part_of="first_token_time")
def burst_wait(other_requests, burst_share, batched_prefill_time, burst_overhead):
    """Part of those who came at the same time."""
    return other_requests * (burst_share * batched_prefill_time + burst_overhead * one("replica"))


@line("s", "Fixed wait for the first token", part_of="first_token_time")
def fixed_wait(first_token_fixed):
    """Network, tokenizer and scheduler."""
    return first_token_fixed


@line("s", "Time to the first token")
def first_token_time(parts):
    """Own prompt, others' prompts, and a fixed part."""
    return parts


@line("s", "Longest mean time to the first token")
def first_token_limit(first_token_target, target_share):
    """A target for the slowest in a hundred leaves less to the mean."""
    return first_token_target * target_share


@line("ms/token", "Longest mean time for each further token")
def per_token_limit(per_token_target, target_share):
    """A target for the slowest in a hundred leaves less to the mean."""
    return per_token_target * target_share


@line("", "First token too late (flag)", part_of="missed_targets")
def late_first_token(first_token_time, first_token_limit):
    """The target is a gate."""
    return where(first_token_time > first_token_limit, 1, 0)


@line("", "Tokens too slow (flag)", part_of="missed_targets")
def slow_tokens(per_token_time, per_token_limit):
    """The target is a gate."""
    return where(per_token_time > per_token_limit, 1, 0)


@line("", "Targets missed")
def missed_targets(parts):
    """Of those that are stated."""
    return parts


@line("", "Fast enough (flag)")
def fast_enough(missed_targets):
    """All stated targets are met."""
    return where(missed_targets > 0, 0, 1)


@line("", "Share of device time spent on input", choice_of="input_share")
def input_time_share(concurrency, batched_prefill_time, cycle_time):
    """By which cost is split between input and output tokens."""
    return concurrency * batched_prefill_time / cycle_time


@line("token/s/system", "Output of a system, estimated", choice_of="system_output_rate")
def system_output_estimated(replica_output_rate, replicas_per_system, target_output_share):
    """All replicas of a system together."""
    return replica_output_rate * replicas_per_system * target_output_share


@line("token/s/system", "Output of a system, measured", choice_of="system_output_rate")
def system_output_measured(measured_output):
    """A measurement beats the estimate."""
    return measured_output


@line("token/s/system", "Output of a system, fully loaded")
def system_output_rate(choice):
    """Measured if a measurement is given, else estimated."""
    return choice
