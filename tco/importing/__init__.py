"""Files of others as figures of ours: models, measurements, request traces, power logs. Nothing asks the network.

rows = model_from_config("config.json"); write_entry(rows, "catalogue")
measured_from_vllm("bench.json", "fp8").yaml, workload_from_trace("requests.csv").yaml, power_from_log("power.csv").yaml
"""

from tco.importing.aiconfigurator import from_aiconfigurator
from tco.importing.entry import write_entry
from tco.importing.inferencex import from_inferencex
from tco.importing.measurement import Measurement
from tco.importing.mlperf import Conditions, from_mlperf
from tco.importing.model import model_from_config
from tco.importing.power import PowerLog, power_from_log
from tco.importing.source import ImportRefused
from tco.importing.trace import TracedWorkload, workload_from_trace
from tco.importing.vllm import ServingRun, measured_from_vllm, serving_run

__all__ = [
    "Conditions",
    "ImportRefused",
    "Measurement",
    "PowerLog",
    "ServingRun",
    "TracedWorkload",
    "from_aiconfigurator",
    "from_inferencex",
    "from_mlperf",
    "measured_from_vllm",
    "model_from_config",
    "power_from_log",
    "serving_run",
    "workload_from_trace",
    "write_entry",
]
