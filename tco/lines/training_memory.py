"""Training memory: what is divided over GPUs, what is not, and whether it fits."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import both, either, maximum, one, where

weights_sharded = given(
    "",
    "Weights are divided over data-parallel GPUs (flag)",
    default=1,
    reason="ZeRO stage 3, as FSDP does",
    choice=True,
    minimum=0,
    maximum=1,
)
gradients_sharded = given(
    "",
    "Gradients are divided over data-parallel GPUs (flag)",
    default=1,
    reason="ZeRO stage 2 and 3",
    choice=True,
    minimum=0,
    maximum=1,
)
optimizer_sharded = given(
    "",
    "Optimiser and master weights are divided over data-parallel GPUs (flag)",
    default=1,
    reason="ZeRO stage 1 to 3",
    choice=True,
    minimum=0,
    maximum=1,
)
shard_gpus = given("gpu", "GPUs over which states are divided", choice=True, minimum=1)
parameters_offloaded = given(
    "",
    "Weights rest in the host's memory (flag)",
    default=0,
    reason="nothing is moved to the host",
    choice=True,
    minimum=0,
    maximum=1,
)
optimizer_offloaded = given(
    "",
    "Gradients and optimiser rest in the host's memory (flag)",
    default=0,
    reason="nothing is moved to the host",
    choice=True,
    minimum=0,
    maximum=1,
)
gathered_layers = given(
    "",
    "Layers gathered at once",
    default=2,
    reason="one at work, and its gradient or the next one (DeepSpeed's estimator)",
    minimum=0,
)
gathered_bytes = given("byte/parameter", "Bytes of a gathered weight", default=2, reason="16 bit", minimum=0)
host_memory = given(
    "GB/system", "Memory of a system's host", default=0, reason="not known, and nothing rests there", minimum=0
)
host_share = given(
    "",
    "Share of the host's memory that may be used",
    default=0.9,
    reason="the rest is for system and data loaders",
    minimum=0,
    maximum=1,
)
host_buffer = given(
    "", "Memory of the host for a byte of states", default=1.5, reason="DeepSpeed's estimator adds half", minimum=0
)


@line("GiB/gpu", "Memory that may be used on each GPU")
def usable_memory(gpu_memory, memory_share):
    """The rest stays with the driver, other processes and fragmentation."""
    return gpu_memory * memory_share


@line("gpu", "GPUs that hold one copy of the model")
def model_gpus(tensor_parallel, pipeline_parallel):
    """Tensor and pipeline parallelism cut layers, and the stack of layers."""
    return tensor_parallel * pipeline_parallel * one("gpu")


@line("", "Data-parallel copies")
def data_copies(shard_gpus, model_gpus):
    """ZeRO divides over these."""
    return maximum(shard_gpus / model_gpus, 1)


@line("gpu", "GPUs that divide the weights")
def weight_ways(weights_sharded, model_gpus, data_copies):
    """Stage 3 of ZeRO (arXiv 1910.02054)."""
    return model_gpus * where(weights_sharded > 0, data_copies, 1)


@line("gpu", "GPUs that divide the gradients")
def gradient_ways(gradients_sharded, model_gpus, data_copies):
    """From stage 2 of ZeRO."""
    return model_gpus * where(gradients_sharded > 0, data_copies, 1)


@line("gpu", "GPUs that divide the optimiser")
def optimizer_ways(optimizer_sharded, model_gpus, data_copies):
    """From stage 1 of ZeRO; Megatron-LM calls it the distributed optimiser."""
    return model_gpus * where(optimizer_sharded > 0, data_copies, 1)


@line("GiB/gpu", "Weights on each GPU", part_of="states_per_gpu")
def weight_part(trained_weights, frozen_weights, weight_ways, parameters_offloaded):
    """None rest here when they are moved to the host."""
    return (trained_weights + frozen_weights) / weight_ways * (1 - parameters_offloaded)


@line("GiB/gpu", "Gradients on each GPU", part_of="states_per_gpu")
def gradient_part(gradient_memory, gradient_ways, optimizer_offloaded):
    """They follow the optimiser to the host (DeepSpeed's estimator)."""
    return gradient_memory / gradient_ways * (1 - optimizer_offloaded)


@line("GiB/gpu", "Optimiser on each GPU", part_of="states_per_gpu")
def optimizer_part(optimizer_memory, optimizer_ways, optimizer_offloaded):
    """None when the host keeps it."""
    return optimizer_memory / optimizer_ways * (1 - optimizer_offloaded)


@line("GiB/gpu", "States on each GPU")
def states_per_gpu(parts):
    """What ZeRO, tensor and pipeline parallelism leave to one GPU, and the host does not keep."""
    return parts


@line("Gparameter", "Parameters of the largest block")
def largest_block(layer_parameters, vocabulary, hidden_size):
    """A layer, or one table of the vocabulary; of a mixture model the experts that a token uses."""
    return maximum(layer_parameters, vocabulary * hidden_size * one("parameter*token*token/element/element"))


@line("", "Weights are gathered (flag)")
def weights_gathered(weights_sharded, data_copies, parameters_offloaded):
    """Divided or offloaded weights come back for their layer's turn."""
    return where(either(both(weights_sharded > 0, data_copies > 1), parameters_offloaded > 0), 1, 0)


@line("GiB/gpu", "Gathered layers", part_of="working_memory")
def gathered_memory(largest_block, gathered_layers, gathered_bytes, tensor_parallel, weights_gathered):
    """4 bytes a parameter of the largest layer in DeepSpeed's estimator of stage 3."""
    return largest_block * gathered_layers * gathered_bytes / tensor_parallel * weights_gathered / one("gpu")


@line("GiB/gpu", "Dequantised layer", part_of="working_memory")
def dequantised_memory(layer_parameters, dequantised_bytes, tensor_parallel):
    """QLoRA computes in 16 bit, a layer at a time (arXiv 2305.14314)."""
    return layer_parameters * dequantised_bytes / tensor_parallel / one("gpu")


@line("GiB/gpu", "Runtime", part_of="working_memory")
def runtime_memory(runtime_reserve):
    """What framework and driver keep."""
    return runtime_reserve


@line("GiB/gpu", "Working memory on each GPU")
def working_memory(parts):
    """What more GPUs do not divide."""
    return parts


@line("GiB/gpu", "Memory used on each GPU")
def memory_per_gpu(states_per_gpu, working_memory):
    """Divided states and undivided work."""
    return states_per_gpu + working_memory


@line("GiB/gpu", "Room for states on each GPU")
def state_room(usable_memory, working_memory):
    """What work leaves; more cards do not add to it."""
    return maximum(usable_memory - working_memory, 0)


@line("GiB", "Memory of all GPUs that can hold states")
def shared_room(state_room, shard_gpus):
    """Several small cards are not one large card: each keeps its own working memory."""
    return state_room * shard_gpus


@line("", "Share of all GPUs' memory that can hold states")
def shared_room_share(state_room, gpu_memory):
    """The same for any number of cards."""
    return state_room / gpu_memory


@line("GB/gpu", "States in the host's memory, of a GPU")
def host_states(trained_weights, frozen_weights, weight_ways, parameters_offloaded):
    """Weights that rest there."""
    return (trained_weights + frozen_weights) / weight_ways * parameters_offloaded


@line("GB/gpu", "Optimiser in the host's memory, of a GPU")
def host_optimizer(gradient_memory, optimizer_memory, optimizer_ways, optimizer_offloaded):
    """Gradients arrive where the optimiser needs them."""
    return (gradient_memory + optimizer_memory) / optimizer_ways * optimizer_offloaded


@line("GB/system", "Memory used of a host")
def host_used(host_states, host_optimizer, host_buffer, host_activations, gpus_per_system):
    """States with the buffers of their transport, and activations, of all GPUs of a system."""
    return ((host_states + host_optimizer) * host_buffer + host_activations) * gpus_per_system


@line("GB/system", "Memory left of a host")
def host_margin(host_memory, host_share, host_used):
    """Negative by what is missing."""
    return host_memory * host_share - host_used


@line("", "Fits (flag)")
def fits(memory_margin, host_margin):
    """On the GPUs, and what is moved to the host in there."""
    return where(both(memory_margin >= 0, host_margin >= 0), 1, 0)


@line("", "Supported (flag)")
def supported(software_supported):
    """The part runs the precision and the framework."""
    return software_supported
