"""The model and the machine."""

# pyright: basic
from tco.declare import given, line

parameters = given("Gparameter", "Parameters, total", minimum=0)
active_parameters = given("Gparameter", "Parameters active for a token", minimum=0)
experts = given("", "Experts in a layer (1 for a dense model)", minimum=1)
experts_per_token = given("", "Experts used by a token (1 for a dense model)", minimum=1)
layers = given("layer", "Layers", minimum=1)
hidden_size = given("element/token", "Hidden size", minimum=1)
system_price = given("money/system", "Price of a system", minimum=0)
gpus_per_system = given("gpu/system", "GPUs in a system", minimum=1)
gpu_memory = given("GiB/gpu", "Memory of a GPU as its driver reports it", minimum=0)
memory_share = given(
    "", "Share of memory that may be used", default=0.9, reason="usual setting of serving engines", minimum=0, maximum=1
)
runtime_reserve = given(
    "GiB/gpu",
    "Runtime reserve",
    default=2,
    reason="graphs, buffers and driver: 0.6 to 4 GiB in four vLLM logs, 1.8 GiB at the median",
    minimum=0,
)
peak_rate = given("TFLOP/s/gpu", "Dense peak rate of a GPU at this precision", minimum=0)
attention_flops = given("FLOP/token^2", "FLOPs of attention a pair of tokens", minimum=0)
rate_16_bit = given("TFLOP/s/gpu", "Dense peak rate of a GPU at 16 bit", minimum=0)
reference_hidden_size = given(
    "element/token", "Hidden size at which shares are stated", default=4096, reason="convention of the calibration"
)
link_bandwidth = given("GB/s/gpu", "Interconnect bandwidth of a GPU, both directions", scope="interconnect", minimum=0)
software_supported = given("", "Precision and framework run on this part (flag)", choice=True, minimum=0, maximum=1)
failure_rate = given("1/gpu/yr", "Failures a GPU and year", scope="failures of GPUs", minimum=0)
host_failure_rate = given(
    "1/system/yr", "Failures beside the GPUs, a system and year", scope="failures of hosts", minimum=0
)


@line("GiB/gpu", "Memory left on each GPU")
def memory_margin(usable_memory, memory_per_gpu):
    """Negative by what is missing."""
    return usable_memory - memory_per_gpu
