"""Memory for training."""

# pyright: basic
from tco.declare import given, line

sequence_length = given("token", "Length of a sequence", minimum=1)
micro_batch = given(
    "1/gpu", "Sequences a GPU works on at once", default=1, reason="one sequence on each GPU", minimum=1
)
trained_state_bytes = given(
    "byte/parameter",
    "Bytes of weights, gradients and optimiser a trained parameter",
    default=18,
    reason="bf16 weights, fp32 gradients, master weights and two Adam moments (Megatron-LM)",
    minimum=0,
)
frozen_bytes = given("byte/parameter", "Bytes of a frozen weight", scope="adapters", minimum=0)
adapter_parameters = given("Gparameter", "Parameters of the adapters", scope="adapters", minimum=0)
activation_layer_bytes = given(
    "byte/element/layer",
    "Bytes of activations a token, hidden element and layer",
    default=2,
    reason="full recomputation keeps each layer's input in 16 bit",
    minimum=0,
)
logit_bytes = given("byte/element", "Bytes of a logit", default=6, reason="16-bit logits and a 32-bit copy", minimum=0)
vocabulary = given("element/token", "Vocabulary", minimum=1)
shard_gpus = given("gpu", "GPUs over which states are divided", choice=True, minimum=1)


@line("GiB", "States, all parameters trained", choice_of="state_memory")
def full_states(parameters, trained_state_bytes):
    """Weights, gradients and optimiser of every parameter."""
    return parameters * trained_state_bytes


@line("GiB", "States, adapters trained", choice_of="state_memory")
def adapter_states(parameters, frozen_bytes, adapter_parameters, trained_state_bytes):
    """Frozen weights, and full states only for the adapters."""
    return parameters * frozen_bytes + adapter_parameters * trained_state_bytes


@line("GiB", "Weights, gradients and optimiser")
def state_memory(choice):
    """In all, before they are divided."""
    return choice


@line("GiB/gpu", "States on each GPU")
def states_per_gpu(state_memory, shard_gpus):
    """ZeRO stage 3 divides all of them."""
    return state_memory / shard_gpus


@line("GiB/gpu", "Activations", part_of="working_memory")
def activation_memory(sequence_length, micro_batch, hidden_size, layers, activation_layer_bytes):
    """Of the sequences that a GPU works on at once."""
    return sequence_length * micro_batch * hidden_size * layers * activation_layer_bytes


@line("GiB/gpu", "Logits", part_of="working_memory")
def logit_memory(sequence_length, micro_batch, vocabulary, logit_bytes):
    """One number a word of the vocabulary and token."""
    return sequence_length * micro_batch * vocabulary * logit_bytes


@line("GiB/gpu", "Runtime", part_of="working_memory")
def runtime_memory(runtime_reserve):
    """What framework and driver keep."""
    return runtime_reserve


@line("GiB/gpu", "Working memory on each GPU")
def working_memory(parts):
    """What is not divided."""
    return parts


@line("GiB/gpu", "Memory used on each GPU")
def memory_per_gpu(states_per_gpu, working_memory):
    """Divided states and undivided work."""
    return states_per_gpu + working_memory


@line("", "Supported (flag)")
def supported(software_supported):
    """The part runs the precision and the framework."""
    return software_supported
