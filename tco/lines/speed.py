"""Speed of decoding: bytes against FLOPs, communication and delays."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import half, maximum, minimum, one, where

decode_attention_flops = given("FLOP/token^2", "FLOPs of attention a pair of new and cached token", minimum=0)
flops_per_parameter = given(
    "FLOP/parameter/token", "FLOPs a parameter and token", default=2, reason="one multiply and one add", minimum=0
)
activation_bytes = given(
    "byte/element", "Bytes of an activation on the wire", default=2, reason="16-bit activations", minimum=0
)
messages_per_layer = given(
    "1/layer", "All-reduces a layer", default=2, reason="one after attention, one after the MLP", minimum=0
)
reference_expert_width = given(
    "element", "Width of an expert at which shares are stated", default=2048, reason="convention of the calibration"
)
narrowest_expert = given(
    "element", "Width below which an expert is not thought narrower", default=64, reason="convention of the calibration"
)
expert_matrices = given(
    "parameter*token/element^2/layer", "Matrices of an expert", default=3, reason="gate, up and down projection"
)
decode_bandwidth_efficiency = given("", "Share of bandwidth reached for weights", minimum=0, maximum=1)
cache_bandwidth_efficiency = given("", "Share of bandwidth reached for the cache", minimum=0, maximum=1)
decode_compute_efficiency = given("", "Share of the peak rate reached in decoding", minimum=0, maximum=1)
decode_attention_efficiency = given(
    "", "Share of the 16-bit rate reached by attention in decoding", minimum=0, maximum=1
)
overlap_sharpness = given("", "How fully memory and arithmetic hide each other (high: fully)", minimum=1)
size_exponent = given("", "How much smaller matrices fill a GPU less")
expert_width_exponent = given("", "How much narrower experts fill a GPU less")
overhead_size_exponent = given("", "How much wider layers take longer to launch")
layer_overhead = given("us/layer", "Fixed time a layer and step", minimum=0)
step_overhead = given("ms", "Fixed time a step", minimum=0)
request_overhead = given("us/request", "Fixed time a request and step", minimum=0)
link_latency = given("us", "Latency of an all-reduce", scope="interconnect", minimum=0)
link_efficiency = given("", "Share of the interconnect bandwidth reached", scope="interconnect", minimum=0)


# --- shapes ---


@line("gpu/replica", "GPUs that share a layer")
def tensor_gpus(gpus_per_replica, stages):
    """Tensor parallelism; a pipeline's stages take turns."""
    return gpus_per_replica / stages


@line("", "Share of experts a token uses")
def expert_share(experts_per_token, experts):
    """One for a dense model."""
    return experts_per_token / experts


@line("Gparameter", "Parameters in experts")
def expert_parameters(parameters, active_parameters, expert_share):
    """From total and active: what a token does not use lies in the other experts."""
    return where(expert_share < 1, (parameters - active_parameters) / (1 - expert_share), 0)


@line("element", "Width of an expert")
def expert_width(expert_parameters, layers, experts, expert_matrices, hidden_size, narrowest_expert):
    """Averaged over all layers."""
    return maximum(expert_parameters / (layers * experts * expert_matrices * hidden_size), narrowest_expert)


@line("", "Filling of a GPU by narrow experts")
def width_factor(experts, expert_width, reference_expert_width, expert_width_exponent):
    """One for a dense model."""
    return where(experts > 1, (expert_width / reference_expert_width) ** expert_width_exponent, 1)


@line("", "Filling of a GPU by the model's matrices")
def size_factor(hidden_size, reference_hidden_size, size_exponent, width_factor):
    """Matrices of a small model fill a GPU less."""
    return (hidden_size / reference_hidden_size) ** size_exponent * width_factor


# --- memory ---


@line("token/replica", "Tokens computed in a step, one a request", choice_of="step_tokens")
def single_tokens(concurrency):
    """Each request in flight advances by one token."""
    return concurrency * one("token/request")


@line("token/replica", "Tokens computed in a step")
def step_tokens(choice):
    """One a request, or drafts to be verified too."""
    return choice


@line("", "Tokens that share a read of the weights")
def batch_of_stage(step_tokens, stages):
    """A pipeline splits the batch among its stages."""
    return maximum(step_tokens / one("token/replica") / stages, 1)


@line("Gparameter", "Weights read by a step")
def weights_read(parameters, expert_parameters, expert_share, batch_of_stage):
    """A batch touches more experts than one token and fewer than all."""
    return parameters - expert_parameters * (1 - expert_share) ** batch_of_stage


@line("token/request", "Mean length in the cache")
def mean_context(input_tokens, generated_tokens):
    """Half of the output stands in the cache on average."""
    return input_tokens + generated_tokens * half


@line("GiB/request", "Cache read for a request")
def cache_read(kv_elements, window_elements, attention_window, mean_context, kv_bytes):
    """Window layers read no more than their window."""
    window = minimum(mean_context, attention_window / one("request"))
    return (kv_elements * mean_context + window_elements * window) * kv_bytes


@line("ms", "Time to read the weights")
def weight_time(weights_read, bytes_per_parameter, tensor_gpus, device_bandwidth, decode_bandwidth_efficiency):
    """Once for the batch."""
    rate = tensor_gpus * device_bandwidth * decode_bandwidth_efficiency
    return weights_read * bytes_per_parameter / one("replica") / rate


@line("", "Stages at work at the same time")
def busy_stages(one_stream, stages, concurrency):
    """Each on requests of its own, so never more than there are requests; one stream keeps one stage busy."""
    return where(one_stream > 0, 1, minimum(stages, concurrency / one("request/replica")))


@line("gpu/replica", "GPUs that read the cache at the same time")
def reading_gpus(cache_ways, stages, busy_stages):
    """Those of the stages at work."""
    return cache_ways / stages * busy_stages


@line("ms", "Time to read the cache")
def cache_time(concurrency, cache_read, reading_gpus, device_bandwidth, cache_bandwidth_efficiency):
    """Once for each request, however many of its tokens are computed."""
    return concurrency * cache_read / (reading_gpus * device_bandwidth * cache_bandwidth_efficiency)


@line("ms", "Time of a step by memory")
def memory_time(weight_time, cache_time):
    """Small batches wait for memory."""
    return weight_time + cache_time


# --- arithmetic ---


@line("gpu/replica", "GPUs that compute at the same time")
def compute_gpus(tensor_gpus, busy_stages):
    """Those of the stages at work."""
    return tensor_gpus * busy_stages


@line("ms*gpu/replica", "Arithmetic of matrices in a step")
def matrix_work(
    flops_per_parameter, active_parameters, step_tokens, device_rate, decode_compute_efficiency, size_factor
):
    """Every token of the step passes every active weight."""
    work = flops_per_parameter * active_parameters * step_tokens
    return work / (device_rate * decode_compute_efficiency * size_factor)


@line("ms*gpu/replica", "Arithmetic of attention in a step")
def attention_work(decode_attention_flops, mean_context, step_tokens, device_rate_16_bit, decode_attention_efficiency):
    """Every token of the step looks at the whole cache, in 16 bit."""
    pairs = mean_context * step_tokens * one("request")
    return decode_attention_flops * pairs / (device_rate_16_bit * decode_attention_efficiency)


@line("ms", "Time of a step by arithmetic")
def compute_time(matrix_work, attention_work, compute_gpus):
    """Large batches wait for arithmetic."""
    return (matrix_work + attention_work) / compute_gpus


@line("ms", "Larger of memory and arithmetic")
def slower_time(memory_time, compute_time):
    """What bounds the step."""
    return maximum(memory_time, compute_time)


@line("", "Smaller over larger of memory and arithmetic")
def hidden_share(memory_time, compute_time, slower_time):
    """One at the ridge."""
    return minimum(memory_time, compute_time) / slower_time


@line("ms", "Work of a step")
def step_work(slower_time, hidden_share, overlap_sharpness):
    """Near the ridge neither memory nor arithmetic hides the other fully."""
    return slower_time * (1 + hidden_share**overlap_sharpness) ** (1 / overlap_sharpness)


# --- delays ---


@line("ms", "Launches of a step", part_of="step_delays")
def layer_delay(layers, layer_overhead, hidden_size, reference_hidden_size, overhead_size_exponent):
    """Launches and synchronisation, layer by layer; wider layers take a little longer."""
    return layers * layer_overhead * (hidden_size / reference_hidden_size) ** overhead_size_exponent


@line("ms", "Scheduling of a step", part_of="step_delays")
def scheduling_delay(step_overhead, concurrency, request_overhead):
    """Of the step, and of each request in it."""
    return step_overhead + concurrency * request_overhead * one("replica")


@line("byte/token/gpu", "Bytes on the wire a token and all-reduce")
def ring_bytes(tensor_gpus, hidden_size, activation_bytes):
    """A ring sends the activation twice, but for the part that stays."""
    tensor = tensor_gpus / one("gpu/replica")
    return (tensor - 1) / tensor / half * hidden_size * activation_bytes / one("gpu")


@line("", "All-reduces a pass")
def messages(tensor_gpus, layers, messages_per_layer):
    """None where a GPU holds whole layers."""
    return where(tensor_gpus > one("gpu/replica"), layers * messages_per_layer, 0)


@line("us/token", "Wire time a token and all-reduce")
def wire_time(ring_bytes, link_bandwidth, link_efficiency):
    """Over one direction of the link."""
    return ring_bytes / (link_bandwidth * half * link_efficiency)


@line("ms", "Communication of a step", part_of="step_delays")
def communication_time(messages, link_latency, batch_of_stage, wire_time):
    """Latency and bytes, for each all-reduce; a stage sends the tokens of its own batch."""
    return messages * (link_latency + batch_of_stage * wire_time * one("token"))


@line("ms", "Delays of a step")
def step_delays(parts):
    """What is added to the work."""
    return parts


@line("ms", "Time of a decoding step")
def decode_step_time(step_work, step_delays):
    """Work, then delays."""
    return step_work + step_delays


@line("ms/token", "Time of decoding a token, one a step", choice_of="decoding_time")
def decoding_time_of_steps(decode_step_time):
    """A step yields one token for each request."""
    return decode_step_time / one("token")


@line("ms/token", "Time of decoding a token")
def decoding_time(choice):
    """A step, by the tokens that it yields for a request."""
    return choice
