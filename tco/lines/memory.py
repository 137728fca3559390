"""Memory for inference."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import both, floor, maximum, minimum, one, where

bytes_per_parameter = given("byte/parameter", "Bytes a weight, scales included", minimum=0)
table_parameters = given(
    "Gparameter",
    "Parameters in tables of the vocabulary",
    default=0,
    reason="not known: held as all other weights",
    minimum=0,
)
table_bytes = given(
    "byte/parameter",
    "Bytes a weight of the vocabulary's tables",
    default=2,
    reason="checkpoints in 8 and 4 bit keep them in 16 bit (weights as vLLM loads them)",
    minimum=0,
)
kv_elements = given("element/token", "Cache elements a token, layers that grow with length", minimum=0)
window_elements = given(
    "element/token", "Cache elements a token, sliding-window layers", default=0, reason="no sliding window", minimum=0
)
attention_window = given("token", "Length of the sliding window", default=0, reason="no sliding window", minimum=0)
kv_bytes = given("byte/element", "Bytes a cache element", default=2, reason="16-bit cache", minimum=0)
kv_shards = given("", "Parts into which tensor parallelism can cut the cache", minimum=1)
context = given("token", "Longest context of the model", minimum=0)
pipeline_stages = given(
    "",
    "Pipeline stages of a replica",
    default=1,
    reason="tensor parallelism alone, usual within a system",
    choice=True,
    minimum=1,
)
batch_limit = given("request/replica", "Most requests that the engine runs at once", minimum=1)
one_stream = given(
    "", "The engine splits a model by layer, one GPU at a time (flag)", choice=True, minimum=0, maximum=1
)
gpus_per_replica = given("gpu/replica", "GPUs that hold one replica", choice=True, minimum=1)
concurrency = given("request/replica", "Requests in flight on a replica", choice=True, minimum=1)


@line("GiB/gpu", "Memory that may be used on each GPU")
def usable_memory(device_memory, memory_share):
    """The rest stays with the driver, other processes and fragmentation."""
    return device_memory * memory_share


@line("GiB/replica", "Weights of the model", part_of="weights_memory")
def model_weights_memory(parameters, bytes_per_parameter, table_parameters, table_bytes):
    """All parameters of a mixture model are resident; tables of the vocabulary are rarely held in few bits."""
    layers = (parameters - table_parameters) * bytes_per_parameter
    return (layers + table_parameters * maximum(table_bytes, bytes_per_parameter)) / one("replica")


@line("GiB/replica", "Weights")
def weights_memory(parts):
    """Of all that a replica holds."""
    return parts


@line("GiB/gpu", "Weights on each GPU")
def weights_per_gpu(weights_memory, gpus_per_replica):
    """Tensor parallelism and stages divide the weights."""
    return weights_memory / gpus_per_replica


@line("token/request", "Resident length")
def resident_length(input_tokens, generated_tokens):
    """A request keeps its whole length in the cache until it is answered."""
    return input_tokens + generated_tokens


@line("GiB/request", "KV cache of the model for a request", part_of="kv_cache_memory")
def model_cache_memory(kv_elements, window_elements, attention_window, resident_length, kv_bytes):
    """Window layers keep no more than their window."""
    return (
        kv_elements * resident_length + window_elements * minimum(resident_length, attention_window / one("request"))
    ) * kv_bytes


@line("GiB/request", "KV cache of a request")
def kv_cache_memory(parts):
    """Each request in flight keeps its own, a shared prefix included."""
    return parts


@line("", "Stages of a replica")
def stages(one_stream, gpus_per_replica, pipeline_stages):
    """An engine that splits by layer makes every GPU a stage."""
    return where(one_stream > 0, gpus_per_replica / one("gpu/replica"), pipeline_stages)


@line("gpu/replica", "GPUs that share the cache")
def cache_ways(gpus_per_replica, stages, kv_shards):
    """Beyond one KV head a GPU, the cache is replicated and not divided."""
    return minimum(gpus_per_replica, stages * kv_shards * one("gpu/replica"))


@line("GiB/gpu", "Room for the cache on each GPU")
def cache_room(usable_memory, weights_per_gpu, runtime_reserve):
    """What weights and runtime leave; negative when they alone do not fit."""
    return usable_memory - weights_per_gpu - runtime_reserve


@line("request/replica", "Most requests in flight")
def max_concurrency(cache_room, kv_cache_memory, cache_ways, batch_limit):
    """Whole requests whose cache fits, as many as the engine runs at once."""
    return floor(minimum(maximum(cache_room, 0) * cache_ways / kv_cache_memory, batch_limit), "request/replica")


@line("GiB/replica", "Memory of a replica's GPUs that can hold weights and cache")
def replica_room(usable_memory, runtime_reserve, gpus_per_replica):
    """Several cards are not one large card: each keeps its own reserve."""
    return maximum(usable_memory - runtime_reserve, 0) * gpus_per_replica


@line("", "Copies of the cache")
def cache_copies(gpus_per_replica, cache_ways):
    """More than one where more GPUs share a layer than it has KV heads: their memory holds the same again."""
    return gpus_per_replica / cache_ways


@line("element/replica", "Cache elements that fit")
def cache_elements(cache_room, cache_ways, kv_bytes):
    """Of all requests in flight together."""
    return maximum(cache_room, 0) * cache_ways / kv_bytes


@line("token/replica", "Tokens of one request that the cache can hold")
def longest_in_cache(cache_elements, kv_elements, window_elements, attention_window):
    """Window layers fill first, then only the others grow."""
    inside = cache_elements / (kv_elements + window_elements)
    beyond = (cache_elements - window_elements * attention_window / one("replica")) / kv_elements
    return floor(maximum(inside, beyond), "token/replica")


@line("token/request", "Longest request that fits")
def longest_request(longest_in_cache, context):
    """Alone in flight, and no longer than the model takes."""
    return minimum(longest_in_cache * one("replica"), context) / one("request")


@line("GiB/gpu", "Memory used on each GPU")
def memory_per_gpu(weights_per_gpu, runtime_reserve, concurrency, kv_cache_memory, cache_ways):
    """At the chosen number of requests in flight."""
    return weights_per_gpu + runtime_reserve + concurrency * kv_cache_memory / cache_ways


@line("", "Fits (flag)")
def fits(memory_margin):
    """Nothing runs that does not fit."""
    return where(memory_margin >= 0, 1, 0)


@line("", "Supported (flag)")
def supported(software_supported, resident_length, longest_class, context, spans_partitions):
    """The part runs the precision, the model takes the longest requests, and no replica spans partitions."""
    taken = maximum(resident_length, longest_class) <= context / one("request")
    return where(both(software_supported > 0, taken, spans_partitions <= 0), 1, 0)
