"""Speculative decoding: drafts that a step verifies.

Leviathan et al. 2023 (arXiv 2211.17192): with k drafted tokens, each accepted with chance a if those
before it were, a step yields (1 - a^(k+1)) / (1 - a) tokens on average. Engines report another number:
accepted over drafted tokens; with it a step yields 1 + k x share.
"""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import maximum, one

drafted_tokens = given("", "Tokens drafted a step", scope="speculation", minimum=1)
accepted_chance = given(
    "", "Chance that a drafted token is accepted, if those before it were", scope="speculation", minimum=0, maximum=0.99
)
accepted_share = given("", "Accepted over drafted tokens", scope="speculation", minimum=0, maximum=1)
draft_parameters = given("Gparameter", "Parameters of the draft model or heads", scope="speculation", minimum=0)
draft_active_parameters = given("Gparameter", "Parameters read for a drafted token", scope="speculation", minimum=0)
draft_layers = given("layer", "Layers of the draft model or heads", scope="speculation", minimum=0)
draft_kv_elements = given("element/token", "Cache elements a token of the draft", scope="speculation", minimum=0)


# --- what a step computes and yields ---


@line("token/replica", "Tokens computed in a step, drafts included", choice_of="step_tokens")
def verified_tokens(concurrency, drafted_tokens):
    """All drafts are verified at once, with one token more that the model adds itself."""
    return concurrency * (drafted_tokens + 1) * one("token/request")


@line("token", "Tokens that a step yields for a request, by chance", choice_of="step_output")
def step_output_by_chance(accepted_chance, drafted_tokens):
    """The first rejected draft ends the row."""
    return (1 - accepted_chance ** (drafted_tokens + 1)) / (1 - accepted_chance) * one("token")


@line("token", "Tokens that a step yields for a request, by share", choice_of="step_output")
def step_output_by_share(accepted_share, drafted_tokens):
    """As an engine counts them, and the token that the model adds itself."""
    return (1 + accepted_share * drafted_tokens) * one("token")


@line("token", "Tokens that a step yields for a request")
def step_output(choice):
    """What is rejected is no output."""
    return choice


@line("ms/token", "Time of decoding a token, with drafts", choice_of="decoding_time")
def decoding_time_of_drafts(decode_step_time, step_output):
    """Drafting and verifying, by the tokens that they yield."""
    return decode_step_time / step_output


# --- memory ---


@line("GiB/replica", "Weights of the draft", part_of="weights_memory")
def draft_weights_memory(draft_parameters, bytes_per_parameter):
    """Beside the model, in its precision."""
    return draft_parameters * bytes_per_parameter / one("replica")


@line("GiB/request", "KV cache of the draft for a request", part_of="kv_cache_memory")
def draft_cache_memory(draft_kv_elements, resident_length, kv_bytes):
    """The draft reads the whole request too."""
    return draft_kv_elements * resident_length * kv_bytes


# --- drafting ---


@line("ms", "Time to read the draft's weights")
def draft_weight_time(
    draft_active_parameters, bytes_per_parameter, tensor_gpus, device_bandwidth, decode_bandwidth_efficiency
):
    """Once for each drafted token."""
    rate = tensor_gpus * device_bandwidth * decode_bandwidth_efficiency
    return draft_active_parameters * bytes_per_parameter / one("replica") / rate


@line("GiB/request", "Cache of the draft read for a request")
def draft_cache_read(draft_kv_elements, mean_context, kv_bytes):
    """The whole of it."""
    return draft_kv_elements * mean_context * kv_bytes


@line("ms", "Time to read the draft's cache")
def draft_cache_time(concurrency, draft_cache_read, reading_gpus, device_bandwidth, cache_bandwidth_efficiency):
    """Once for each request and drafted token."""
    return concurrency * draft_cache_read / (reading_gpus * device_bandwidth * cache_bandwidth_efficiency)


@line("ms", "Arithmetic of a drafted token")
def draft_compute_time(matrix_work, drafted_tokens, draft_active_parameters, active_parameters, compute_gpus):
    """As the model's, for one token a request, in proportion to the parameters."""
    return matrix_work / (drafted_tokens + 1) * draft_active_parameters / active_parameters / compute_gpus


@line("ms", "Work of drafting a token", part_of="draft_pass_time")
def draft_work(draft_weight_time, draft_cache_time, draft_compute_time):
    """Memory or arithmetic, whichever takes longer."""
    return maximum(draft_weight_time + draft_cache_time, draft_compute_time)


@line("ms", "Launches of drafting a token", part_of="draft_pass_time")
def draft_launch_time(layer_delay, draft_layers, layers):
    """As long a layer as in the model."""
    return layer_delay * draft_layers / layers


@line("ms", "Communication of drafting a token", part_of="draft_pass_time")
def draft_communication_time(messages, link_latency, draft_layers, layers):
    """The latency of its all-reduces; their bytes are few."""
    return messages * link_latency * draft_layers / layers


@line("ms", "Time of drafting a token")
def draft_pass_time(parts):
    """One pass of the draft for all requests in flight."""
    return parts


@line("ms", "Drafting of a step", part_of="step_delays")
def drafting_time(draft_pass_time, drafted_tokens):
    """One token after the other, before the step that verifies them."""
    return draft_pass_time * drafted_tokens


@line("ms*replica/request", "Draft's share of a prompt", part_of=("prefill_time", "batched_prefill_time"))
def draft_prompt_time(prefill_compute_time, draft_active_parameters, active_parameters):
    """The draft reads the prompt too, in proportion to its parameters."""
    return prefill_compute_time * draft_active_parameters / active_parameters
