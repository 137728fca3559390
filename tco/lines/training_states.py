"""States of training."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import minimum, one, where

vocabulary = given("element/token", "Vocabulary", minimum=1)
embedding_tables = given(
    "", "Tables of the vocabulary", default=2, reason="one in, one out; 1 when they are tied", minimum=1
)
adapter_parameters = given(
    "Gparameter", "Parameters of the adapters", default=0, reason="all parameters are trained", minimum=0
)
weight_bytes = given(
    "byte/parameter", "Bytes of a trained weight", default=2, reason="16 bit (Megatron-LM README)", minimum=0
)
gradient_bytes = given(
    "byte/parameter", "Bytes of a gradient", default=4, reason="32 bit (Megatron-LM README)", minimum=0
)
master_bytes = given(
    "byte/parameter", "Bytes of a master weight", default=4, reason="32 bit (Megatron-LM README)", minimum=0
)
moment_bytes = given(
    "byte/parameter", "Bytes of the optimiser a parameter", default=8, reason="two Adam moments of 32 bit", minimum=0
)
frozen_bytes = given("byte/parameter", "Bytes of a frozen weight", default=2, reason="16 bit", minimum=0)
scale_bytes = given(
    "byte/parameter", "Bytes of quantisation scales a frozen weight", default=0, reason="not quantised", minimum=0
)
frozen_embedding_bytes = given(
    "byte/parameter",
    "Bytes of a frozen embedding",
    default=2,
    reason="embeddings stay in 16 bit when layers are quantised (QLoRA, arXiv 2305.14314)",
    minimum=0,
)
dequantised_bytes = given(
    "byte/parameter", "Bytes of a weight while its layer is computed", default=0, reason="not quantised", minimum=0
)


@line("Gparameter", "Parameters that are trained")
def trained_parameters(adapter_parameters, parameters):
    """Adapters if there are any, else all; of a mixture model every expert."""
    return where(adapter_parameters > 0, adapter_parameters, parameters)


@line("Gparameter", "Parameters that are frozen")
def frozen_parameters(adapter_parameters, parameters):
    """The base below adapters."""
    return where(adapter_parameters > 0, parameters, 0)


@line("Gparameter", "Parameters of the vocabulary's tables")
def embedding_parameters(vocabulary, hidden_size, embedding_tables):
    """A row of the hidden size for each word."""
    return vocabulary * hidden_size * embedding_tables * one("parameter*token*token/element/element")


@line("Gparameter", "Frozen parameters of embeddings")
def frozen_embeddings(embedding_parameters, frozen_parameters):
    """Tables at both ends that are not trained."""
    return minimum(embedding_parameters, frozen_parameters)


@line("GiB", "Frozen weights")
def frozen_weights(frozen_parameters, frozen_embeddings, frozen_bytes, scale_bytes, frozen_embedding_bytes):
    """Layers may be quantised, with their scales; embeddings are not (QLoRA, arXiv 2305.14314)."""
    layers = frozen_parameters - frozen_embeddings
    return layers * (frozen_bytes + scale_bytes) + frozen_embeddings * frozen_embedding_bytes


@line("byte/parameter", "Bytes of all states of a trained parameter")
def trained_state_bytes(weight_bytes, gradient_bytes, master_bytes, moment_bytes):
    """18 in mixed precision with 32-bit gradients (Megatron-LM), 16 in the ZeRO paper (arXiv 1910.02054)."""
    return weight_bytes + gradient_bytes + master_bytes + moment_bytes


@line("GiB", "Trained weights")
def trained_weights(trained_parameters, weight_bytes):
    """As the forward pass reads them."""
    return trained_parameters * weight_bytes


@line("GiB", "Gradients")
def gradient_memory(trained_parameters, gradient_bytes):
    """None are kept when the optimiser is fused into the backward pass (torchtune)."""
    return trained_parameters * gradient_bytes


@line("GiB", "Master weights")
def master_memory(trained_parameters, master_bytes):
    """A copy in which small updates are not rounded away."""
    return trained_parameters * master_bytes


@line("GiB", "Optimiser")
def optimizer_memory(trained_parameters, moment_bytes, master_memory):
    """Master weights and moments: the optimiser alone reads them."""
    return master_memory + trained_parameters * moment_bytes


@line("GiB", "States")
def state_memory(trained_weights, frozen_weights, gradient_memory, optimizer_memory):
    """In all, before they are divided."""
    return trained_weights + frozen_weights + gradient_memory + optimizer_memory
