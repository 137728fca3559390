"""Partitions of a GPU."""

# pyright: basic
from tco.declare import given, line
from tco.vocabulary import both, floor, one, where

gpu_bandwidth = given("GB/s/gpu", "Memory bandwidth of a GPU", minimum=0)
partitions = given("", "Partitions of a GPU, a replica in each", default=1, reason="GPUs are used whole", minimum=1)
compute_slices = given("", "Slices of a GPU's arithmetic", default=1, reason="not known to divide", minimum=1)
memory_slices = given("", "Slices of a GPU's memory", default=1, reason="not known to divide", minimum=1)


@line("", "Share of a GPU's arithmetic in a partition")
def compute_part(compute_slices, partitions):
    """Whole slices; what is left over works for nobody."""
    return floor(compute_slices / partitions, "") / compute_slices


@line("", "Share of a GPU's memory in a partition")
def memory_part(memory_slices, partitions):
    """Whole slices, with their share of the bandwidth; what is left over holds nothing."""
    return floor(memory_slices / partitions, "") / memory_slices


@line("GiB/gpu", "Memory of the device on which a replica runs")
def device_memory(gpu_memory, memory_part):
    """A GPU, or one of its partitions."""
    return gpu_memory * memory_part


@line("GB/s/gpu", "Memory bandwidth of the device")
def device_bandwidth(gpu_bandwidth, memory_part):
    """Channels belong to slices of memory."""
    return gpu_bandwidth * memory_part


@line("TFLOP/s/gpu", "Peak rate of the device at this precision")
def device_rate(peak_rate, compute_part):
    """In proportion to its slices."""
    return peak_rate * compute_part


@line("TFLOP/s/gpu", "Peak rate of the device at 16 bit")
def device_rate_16_bit(rate_16_bit, compute_part):
    """In proportion to its slices."""
    return rate_16_bit * compute_part


@line("", "A replica spans partitions (flag)")
def spans_partitions(partitions, gpus_per_replica):
    """Partitions have no link between them."""
    return where(both(partitions > 1, gpus_per_replica > one("gpu/replica")), 1, 0)
