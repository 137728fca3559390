"""Work of training, and the arithmetic of a token."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import floor, maximum, one

training_tokens = given("Gtoken", "Training tokens of each run", scope="training tokens", minimum=0)
dataset_tokens = given("Gtoken", "Tokens of the data set", scope="data set", minimum=0)
epochs = given("", "Passes over the data set in a run", scope="data set", minimum=0)
runs = given("run/yr", "Runs that are kept", minimum=0)
experiments_share = given(
    "",
    "Share of compute for experiments and abandoned runs",
    default=0,
    reason="no experiments stated",
    minimum=0,
    maximum=0.99,
)
repeated_share = given(
    "", "Share of runs done again, their result being spoiled", default=0, reason="no spoiled runs stated",
    minimum=0, maximum=0.99,
)  # fmt: skip
deadline = given("yr", "Longest time for a run", scope="deadline", minimum=0)
training_flops = given(
    "FLOP/parameter/token", "FLOPs a parameter and token", default=6, reason="two forward, four backward", minimum=0
)
forward_flops = given(
    "FLOP/parameter/token", "FLOPs of a forward pass", default=2, reason="one multiply and one add", minimum=0
)
forward_share = given("", "Forward pass, of a pass and its gradients", default=1 / 3, reason="one of three", minimum=0)
training_matrix_efficiency = given("", "Share of the peak rate reached by matrices in training", minimum=0)
training_attention_efficiency = given("", "Share of the 16-bit rate reached by attention in training", minimum=0)
training_size_exponent = given("", "How much smaller matrices fill a GPU less in training")
recomputed_share = given("", "Share of the forward pass that is computed again", minimum=0, maximum=1)
recompute_cost = given("", "Cost of computing again, over that of the first time", minimum=0)


@line("Gtoken/run", "Tokens of a run, given", choice_of="run_tokens")
def run_tokens_given(training_tokens):
    """As the scenario says."""
    return training_tokens / one("run")


@line("Gtoken/run", "Tokens of a run, from the data set", choice_of="run_tokens")
def run_tokens_of_data(dataset_tokens, epochs):
    """Every pass reads the whole set."""
    return dataset_tokens * epochs / one("run")


@line("Gtoken/run", "Tokens of a run")
def run_tokens(choice):
    """Given, or data set times passes."""
    return choice


@line("token/s", "Training tokens a second for the year's runs", choice_of="work_rate")
def work_rate_by_year(run_tokens, runs, repeated_share, experiments_share):
    """The year's runs, those done again, and experiments, spread over the year."""
    return run_tokens * runs / (1 - repeated_share) / (1 - experiments_share)


@line("token/s", "Training tokens a second for the deadline", choice_of="work_rate")
def work_rate_by_deadline(run_tokens, runs, repeated_share, experiments_share, deadline):
    """A run that must end in time needs more at once; year and deadline must both be met."""
    yearly = run_tokens * runs / (1 - repeated_share) / (1 - experiments_share)
    return maximum(yearly, run_tokens * one("run") / deadline)


@line("token/s", "Training tokens a second that are asked for")
def work_rate(choice):
    """Before failures stretch the run."""
    return choice


@line("", "Filling of a GPU by the model's matrices in training")
def training_size_factor(hidden_size, reference_hidden_size, training_size_exponent):
    """Matrices of a small model fill a GPU less."""
    return (hidden_size / reference_hidden_size) ** training_size_exponent


@line("us*gpu/token", "Arithmetic of matrices for a training token")
def training_matrix_time(training_flops, active_parameters, peak_rate, training_matrix_efficiency):
    """6 N FLOPs a token."""
    return training_flops * active_parameters / (peak_rate * training_matrix_efficiency)


@line("us*gpu/token", "Arithmetic of attention for a training token")
def training_attention_time(
    training_flops, forward_flops, attention_flops, sequence_length, rate_16_bit, training_attention_efficiency
):
    """Every token of a sequence looks at all others, in 16 bit, as often as the weights are passed."""
    passes = training_flops / forward_flops
    return passes * attention_flops * sequence_length / (rate_16_bit * training_attention_efficiency)


@line("", "Stretch by computing again")
def recompute_factor(recomputed_share, recompute_cost, forward_share):
    """A pass forward more, for what is not kept."""
    return 1 + recomputed_share * recompute_cost * forward_share


@line("us*gpu/token", "Arithmetic of a training token")
def training_work_time(training_matrix_time, training_attention_time, recompute_factor, training_size_factor):
    """Matrices, attention and what is computed again, on as few GPUs as the calibration starts from."""
    return (training_matrix_time + training_attention_time) * recompute_factor / training_size_factor


@line("gpu", "GPUs that may share a layer, as stated", choice_of="layer_ways")
def layer_ways_stated(tensor_parallel):
    """As the deployment says."""
    return tensor_parallel * one("gpu")


@line("gpu", "GPUs that may share a layer, within a system", choice_of="layer_ways")
def layer_ways_within_system(tensor_parallel, gpus_per_system):
    """Nothing is stated: a run that needs it divides layers inside its systems, as the calibrated ones do."""
    return maximum(tensor_parallel * one("gpu"), gpus_per_system * one("system"))


@line("gpu", "GPUs that may share a layer")
def layer_ways(choice):
    """At most those of a system."""
    return choice


@line("gpu", "GPUs that the batch keeps busy")
def batch_gpus(batch_tokens, sequence_length, micro_batch, context_parallel, pipeline_parallel, layer_ways):
    """Each copy of the model needs sequences of its own in every step."""
    copies = floor(batch_tokens * one("step") / (sequence_length * micro_batch * one("gpu")), "")
    return maximum(copies, 1) * context_parallel * pipeline_parallel * layer_ways
