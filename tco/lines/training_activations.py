"""Activations of training."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import half, maximum, minimum, one, where

sequence_length = given("token", "Length of a sequence", minimum=1)
micro_batch = given(
    "1/gpu", "Sequences a GPU works on at once", default=1, reason="one sequence on each GPU", minimum=1
)
context_parallel = given("", "GPUs that share a sequence", default=1, reason="no context parallelism", minimum=1)
tensor_parallel = given("", "GPUs that share a layer", default=1, reason="no tensor parallelism", minimum=1)
sequence_parallel = given(
    "",
    "What tensor parallelism leaves whole is cut along the sequence (flag)",
    default=1,
    reason="usual with tensor parallelism (arXiv 2205.05198)",
    choice=True,
    minimum=0,
    maximum=1,
)
pipeline_parallel = given("", "Stages of the pipeline", default=1, reason="no pipeline", minimum=1)
query_size = given("element/token", "Elements of all queries of a token", minimum=1)
key_value_size = given("element/token", "Elements of all keys, or values, of a token", minimum=1)
heads = given("", "Attention heads", default=1, reason="not known, and no scores are kept", minimum=1)
feed_forward_width = given("element/token", "Width of the feed-forward part", scope="feed-forward width", minimum=1)
feed_forward_matrices = given(
    "", "Matrices of the feed-forward part", default=3, reason="SwiGLU: gate, up and down; 2 for GELU", minimum=1
)
hidden_tensors = given(
    "1/layer",
    "Tensors of the hidden size in a layer",
    default=4,
    reason="inputs of two norms, attention and feed-forward (arXiv 2205.05198); dropout masks would be a fifth",
    minimum=1,
)
query_tensors = given(
    "1/layer", "Tensors of the queries' size in a layer", default=2, reason="queries, output of attention", minimum=0
)
key_value_tensors = given(
    "1/layer", "Tensors of the keys' size in a layer", default=2, reason="keys and values", minimum=0
)
feed_forward_tensors = given(
    "1/layer",
    "Tensors of the feed-forward width in a layer",
    default=4,
    reason="SwiGLU: gate, its activation, up, product; 2 for GELU",
    minimum=0,
)
score_bytes = given(
    "byte/token/token/layer",
    "Bytes a head keeps for a pair of tokens",
    default=0,
    reason="FlashAttention keeps none (arXiv 2205.14135); 5 without",
    minimum=0,
)
kept_hidden = given(
    "1/layer", "Tensors of the hidden size that are kept", default=1, reason="full recomputation", minimum=0
)
kept_query = given(
    "1/layer", "Tensors of the queries' size that are kept", default=0, reason="full recomputation", minimum=0
)
kept_key_value = given(
    "1/layer", "Tensors of the keys' size that are kept", default=0, reason="full recomputation", minimum=0
)
kept_feed_forward = given(
    "1/layer", "Tensors of the feed-forward width that are kept", default=0, reason="full recomputation", minimum=0
)
scores_kept = given(
    "",
    "Scores of attention are kept (flag)",
    default=0,
    reason="full recomputation",
    choice=True,
    minimum=0,
    maximum=1,
)
activation_size = given("byte/element", "Bytes of an activation", default=2, reason="16 bit", minimum=0)
activations_offloaded = given(
    "",
    "Kept activations rest in the host's memory (flag)",
    default=0,
    reason="nothing is moved to the host",
    choice=True,
    minimum=0,
    maximum=1,
)
logit_bytes = given(
    "byte/element",
    "Bytes of a logit",
    default=12,
    reason="16-bit logits, a 32-bit copy, and gradients of both; less with a chunked or fused loss",
    minimum=0,
)


@line("token/gpu", "Tokens a GPU works on at once")
def live_tokens(sequence_length, micro_batch, context_parallel):
    """Context parallelism cuts the sequence."""
    return sequence_length * micro_batch / context_parallel


@line("Gparameter", "Parameters of a layer")
def layer_parameters(active_parameters, embedding_parameters, layers):
    """Those that a token uses: of a mixture model the active experts."""
    return maximum(active_parameters - embedding_parameters, 0) / layers * one("layer")


@line("Gparameter", "Parameters of a layer's attention")
def attention_parameters(hidden_size, query_size, key_value_size, layer_parameters):
    """Matrices of queries, output, keys and values; at most half a layer: those of latent attention are smaller."""
    size = one("parameter*token*token/element/element")
    return minimum(hidden_size * (query_size + key_value_size) / half * size, layer_parameters * half)


@line("element/token", "Width of the feed-forward part, from the parameters", choice_of="feed_forward_size")
def feed_forward_derived(layer_parameters, attention_parameters, hidden_size, feed_forward_matrices):
    """What attention leaves of a layer, over its matrices; of a mixture model all active experts together."""
    rest = (layer_parameters - attention_parameters) * one("element*element/parameter/token/token")
    return rest / (hidden_size * feed_forward_matrices)


@line("element/token", "Width of the feed-forward part, stated", choice_of="feed_forward_size")
def feed_forward_stated(feed_forward_width):
    """As the configuration of the model says."""
    return feed_forward_width


@line("element/token", "Feed-forward width")
def feed_forward_size(choice):
    """Stated, or from the parameters."""
    return choice


@line("", "GPUs that cut what is outside of matrices")
def sequence_ways(sequence_parallel, tensor_parallel):
    """Without sequence parallelism each GPU keeps all of it (arXiv 2205.05198)."""
    return where(sequence_parallel > 0, tensor_parallel, 1)


@line("element/token/layer", "Elements inside the matrices of a layer")
def inner_elements(
    query_tensors, query_size, key_value_tensors, key_value_size, feed_forward_tensors, feed_forward_size
):
    """Queries, keys, values and the feed-forward part: tensor parallelism cuts them."""
    return query_tensors * query_size + key_value_tensors * key_value_size + feed_forward_tensors * feed_forward_size


@line("byte/token/layer", "Scores of attention")
def score_size(score_bytes, heads, sequence_length):
    """They grow with the square of the sequence; FlashAttention never holds them."""
    return score_bytes * heads * sequence_length


@line("byte/token/layer", "Activations of a layer")
def layer_activations(hidden_tensors, hidden_size, sequence_ways, inner_elements, activation_size, tensor_parallel):
    """34 h bytes in a GPT block, 12 h and more with SwiGLU (arXiv 2205.05198)."""
    outside = hidden_tensors * hidden_size / sequence_ways
    return (outside + inner_elements / tensor_parallel) * activation_size


@line("GiB/gpu", "Layer at work")
def working_layer(live_tokens, layer_activations, score_size, tensor_parallel):
    """Whatever is recomputed, one layer at a time is there whole."""
    return live_tokens * (layer_activations + score_size / tensor_parallel) * one("layer")


@line("element/token/layer", "Elements kept inside the matrices of a layer")
def kept_inner_elements(kept_query, query_size, kept_key_value, key_value_size, kept_feed_forward, feed_forward_size):
    """What is not kept is computed again in the backward pass."""
    return kept_query * query_size + kept_key_value * key_value_size + kept_feed_forward * feed_forward_size


@line("byte/token/layer", "Kept of a layer, without scores")
def kept_tensors(kept_hidden, hidden_size, sequence_ways, kept_inner_elements, activation_size, tensor_parallel):
    """With full recomputation a layer's input alone."""
    return (kept_hidden * hidden_size / sequence_ways + kept_inner_elements / tensor_parallel) * activation_size


@line("byte/token/layer", "Kept of a layer")
def kept_of_layer(kept_tensors, scores_kept, score_size, tensor_parallel):
    """Selective recomputation drops the scores."""
    return kept_tensors + scores_kept * score_size / tensor_parallel


@line("GiB/gpu", "Kept activations")
def kept_activations(live_tokens, kept_of_layer, layers):
    """Of all layers: a pipeline's first stage keeps as many micro-batches as there are stages (arXiv 2205.05198)."""
    return live_tokens * kept_of_layer * layers


@line("GiB/gpu", "Activations")
def activation_memory(kept_activations, activations_offloaded, working_layer):
    """On the GPU: kept ones unless the host has them, and the layer at work."""
    return kept_activations * (1 - activations_offloaded) + working_layer


@line("GB/gpu", "Activations in the host's memory, of a GPU")
def host_activations(kept_activations, activations_offloaded):
    """They come back when their layer's turn comes."""
    return kept_activations * activations_offloaded


@line("GiB/gpu", "Logits")
def logit_memory(live_tokens, vocabulary, logit_bytes, tensor_parallel):
    """One number a word of the vocabulary and token."""
    return live_tokens * vocabulary * logit_bytes / tensor_parallel


@line("GiB/gpu", "Activations and logits of the last stage")
def last_stage(activation_memory, working_layer, pipeline_parallel, logit_memory):
    """It keeps one micro-batch, and alone has logits; they are gone when the backward pass reaches a layer."""
    return (activation_memory - working_layer) / pipeline_parallel + maximum(working_layer, logit_memory)


@line("GiB/gpu", "Activations and logits, at most", part_of="working_memory")
def step_memory(activation_memory, last_stage):
    """The fullest stage of the pipeline decides."""
    return maximum(activation_memory, last_stage)
