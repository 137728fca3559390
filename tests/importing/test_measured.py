"""Benchmarks of others as `measured:`: the right rate, every condition, and a refusal where one lacks."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tco.importing import (
    Conditions,
    ImportRefused,
    from_aiconfigurator,
    from_inferencex,
    from_mlperf,
    measured_from_vllm,
    serving_run,
)
from tco.importing.measurement import Measurement
from tco.scenario.schema import Measured

VLLM: dict[str, Any] = {
    "date": "20260901-101500", "model_id": "example/chat-8b", "num_prompts": 800, "request_rate": "inf",
    "max_concurrency": None, "duration": 329.83, "completed": 772, "failed": 28, "total_input_tokens": 130743,
    "total_output_tokens": 174589, "output_throughput": 529.33, "total_token_throughput": 925.72,
    "mean_tpot_ms": 108.19,
}  # fmt: skip
INFERENCEX: dict[str, Any] = {
    "hw": "h200", "model": "example/70b", "framework": "vllm", "precision": "fp8", "isl": 1024, "osl": 1024, "conc": 64,
    "tp": 4, "pp": 1, "pcp_size": 1, "ep": 1, "dcp_size": 2, "disagg": False, "tput_per_gpu": 1000.0,
    "output_tput_per_gpu": 500.0, "input_tput_per_gpu": 500.0, "mean_tpot": 0.03, "mean_ttft": 0.4,
}  # fmt: skip
AICONFIGURATOR: dict[str, Any] = {
    "model": "example-70b", "isl": 4000, "osl": 500, "concurrency": 32, "seq/s": 4.0, "tokens/s": 2000,
    "tokens/s/gpu": 500, "tokens/s/user": 70, "num_total_gpus": 4, "tp": 4, "gemm": "fp8_block", "moe": "fp8_block",
    "backend": "trtllm", "version": "1.0", "system": "h200_sxm",
}  # fmt: skip
MLPERF: dict[str, Any] = {
    "ID": "5.1-0001", "Submitter": "Someone", "Availability": "available", "Category": "closed", "System": "8xH200",
    "Platform": "8xH200", "Model": "llama2-70b-99", "Scenario": "Offline", "Nodes": 1, "Accelerator": "H200", "a#": 8,
    "weight_data_types": "fp8", "Performance_Result": 30487.0, "Performance_Units": "Tokens/s",
}  # fmt: skip
KNOWN = Conditions(input_tokens=295, output_tokens=294, concurrency=2048)


def write(folder: Path, data: Any, name: str = "rows.json") -> Path:
    file = folder / name
    if name.endswith(".csv"):
        with file.open("w", newline="") as handle:
            writer = csv.DictWriter(handle, list(data[0]))
            writer.writeheader()
            writer.writerows(data)
    else:
        file.write_text(json.dumps(data))
    return file


def pasted(measurement: Measurement) -> Measured:
    """The text as the scenario reads it."""
    return Measured(
        **YAML(typ="safe", pure=True).load(measurement.yaml.replace("as_of: ", "as_of: !!str "))["measured"]
    )


def test_vllm_output_total_and_stream_rates_are_kept_apart(tmp_path: Path) -> None:
    file = write(tmp_path, VLLM)
    run = serving_run(file)
    assert run.output_rate == pytest.approx(529.33, rel=1e-4)
    assert run.total_rate == pytest.approx(925.72, rel=1e-4)
    assert run.streams_in_decode == pytest.approx(57.27, rel=1e-3)
    assert run.failed_share == pytest.approx(0.035)
    assert 5.0 / 3600 / run.output_rate * 1e6 == pytest.approx(2.6239, rel=1e-3)
    assert 5.0 / 3600 / run.total_rate * 1e6 == pytest.approx(1.5004, rel=1e-3)
    measured = pasted(measured_from_vllm(file, "bf16"))
    assert measured.output
    assert measured.output.number == pytest.approx(529.33, rel=1e-4)
    assert measured.input
    assert measured.input.number == pytest.approx(169.4, abs=0.1)
    assert measured.output_length
    assert measured.output_length.number == pytest.approx(226.2, abs=0.1)
    assert measured.as_of == "2026-09-01"
    assert "sha256" in measured.source


def test_vllm_concurrency_counts_only_when_it_was_reached(tmp_path: Path) -> None:
    assert serving_run(write(tmp_path, VLLM | {"max_concurrency": 64})).concurrency == 64
    unreached = serving_run(write(tmp_path, VLLM | {"max_concurrency": 4096}))
    assert unreached.concurrency == pytest.approx(57.27, rel=1e-3)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"duration": None}, "`duration` is missing"),
        ({"completed": 0}, "`completed` is 0"),
        ({"total_output_tokens": "many"}, "wanted a number"),
        ({"output_throughput": 925.72}, "tokens / `duration`"),
        ({"mean_tpot_ms": 0.001}, "wanted milliseconds"),
        ({"mean_tpot_ms": None}, "how many requests ran at a time"),
        ({"failed": 900}, "more than 800 sent"),
    ],
)
def test_vllm_refusals(change: dict[str, Any], words: str, tmp_path: Path) -> None:
    with pytest.raises(ImportRefused, match=words):
        measured_from_vllm(write(tmp_path, VLLM | change), "bf16")


def test_vllm_does_not_say_the_precision(tmp_path: Path) -> None:
    with pytest.raises(ImportRefused, match="does not say the precision"):
        measured_from_vllm(write(tmp_path, VLLM))
    with pytest.raises(ImportRefused, match="did you mean `fp8`"):
        measured_from_vllm(write(tmp_path, VLLM), "fp88")
    file = tmp_path / "two.json"
    file.write_text(f"{json.dumps(VLLM)}\n{json.dumps(VLLM)}")
    with pytest.raises(ImportRefused, match="keep one record"):
        measured_from_vllm(file, "fp8")


def test_hostile_text_stays_inside_its_quotes(tmp_path: Path) -> None:
    name = 'x"\nmeasured: {output: 1}\n# \x1b[31m'
    text = measured_from_vllm(write(tmp_path, VLLM | {"model_id": name}), "fp8").yaml
    assert text.count("\nmeasured:") + text.startswith("measured:") == 1
    assert "\x1b" not in text
    assert 'x\\" measured: {output: 1}' in text


def test_inferencex_is_in_seconds_and_per_gpu(tmp_path: Path) -> None:
    file = write(tmp_path, [INFERENCEX, INFERENCEX | {"conc": 128}])
    measured = from_inferencex(file, {"conc": "64"})
    assert (measured.output, measured.concurrency, measured.precision) == (2000, 64, "fp8")
    whole = from_inferencex(file, {"conc": "64"}, gpus_per_system=8)
    assert (whole.output, whole.concurrency) == (4000, 128)
    pasted(whole)


def test_inferencex_gpus_are_tp_x_pp_x_pcp(tmp_path: Path) -> None:
    row = INFERENCEX | {"pp": 2, "pcp_size": 2, "mean_tpot": 0.007}
    assert from_inferencex(write(tmp_path, [row])).output == 500 * 4 * 2 * 2
    apart = INFERENCEX | {
        "disagg": True, "num_prefill_gpu": 2, "num_decode_gpu": 4, "output_tput_per_gpu": 500,
        "input_tput_per_gpu": 1000,
        "tput_per_gpu": 4000 / 6,
    }  # fmt: skip
    assert from_inferencex(write(tmp_path, [apart])).output == 2000


@pytest.mark.parametrize(
    ("change", "where", "words"),
    [
        ({"mean_tpot": 30}, {}, "divide milliseconds by 1000"),
        ({"output_tput_per_gpu": None}, {}, "`output_tput_per_gpu` is missing"),
        ({"output_tput_per_gpu": 1000.0}, {}, "not input plus output"),
        ({"conc": None}, {}, "`conc` is missing"),
        ({"osl": ""}, {}, "`osl` is missing"),
        ({"precision": ""}, {}, "does not say the precision"),
        ({"error": "out of memory"}, {}, "ended with an error"),
        ({}, {"conc": "63"}, "no row has conc=63; there is conc: 64"),
        ({}, {"cnc": "64"}, "did you mean `conc`"),
    ],
)
def test_inferencex_refusals(change: dict[str, Any], where: dict[str, str], words: str, tmp_path: Path) -> None:
    with pytest.raises(ImportRefused, match=words):
        from_inferencex(write(tmp_path, [INFERENCEX | change]), where)


def test_inferencex_rows_that_are_not_one(tmp_path: Path) -> None:
    with pytest.raises(ImportRefused, match="2 rows match"):
        from_inferencex(write(tmp_path, [INFERENCEX, INFERENCEX]))
    with pytest.raises(ImportRefused, match="do not divide a system of 6"):
        from_inferencex(write(tmp_path, [INFERENCEX]), gpus_per_system=6)
    with pytest.raises(ImportRefused, match=r"configs\.json"):
        from_inferencex(write(tmp_path, [{"config_id": 3, "metrics": {"tput_per_gpu": 1}}]))


def test_aiconfigurator_is_a_prediction(tmp_path: Path) -> None:
    measured = from_aiconfigurator(write(tmp_path, [AICONFIGURATOR], "best.csv"), gpus_per_system=8)
    assert (measured.output, measured.concurrency, measured.precision) == (4000, 64, "fp8")
    assert "a prediction and not a measurement" in measured.source
    pasted(measured)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"tokens/s/gpu": 250}, "not 4 GPUs"),
        ({"seq/s": 40}, "not `seq/s`"),
        ({"concurrency": ""}, "line 2: `concurrency` is missing"),
        ({"gemm": "fp9"}, "precision `fp9`"),
        ({"moe": "mxfp4"}, "experts at mxfp4"),
        ({"num_total_gpus": 2.5}, "whole number"),
    ],
)
def test_aiconfigurator_refusals(change: dict[str, Any], words: str, tmp_path: Path) -> None:
    with pytest.raises(ImportRefused, match=words):
        from_aiconfigurator(write(tmp_path, [AICONFIGURATOR | change], "best.csv"))


def test_mlperf_is_per_node_with_stated_conditions(tmp_path: Path) -> None:
    measured = from_mlperf(write(tmp_path, [MLPERF | {"Nodes": 2, "Platform": "2 nodes"}]), conditions=KNOWN)
    assert measured.output == pytest.approx(30487 / 2)
    assert "closed, available" in measured.source
    pasted(measured)


def test_mlperf_keeps_categories_apart(tmp_path: Path) -> None:
    rows = [MLPERF, MLPERF | {"Category": "open", "Performance_Result": 1}, MLPERF | {"Availability": "preview"}]
    assert from_mlperf(write(tmp_path, rows), conditions=KNOWN).output == 30487
    opened = from_mlperf(write(tmp_path, rows), {"Category": "open"}, KNOWN)
    assert opened.output == 1
    assert "MLPerf inference (open" in opened.source


def test_mlperf_trusts_the_name_before_the_total(tmp_path: Path) -> None:
    row = MLPERF | {"Nodes": 11, "Total Accelerators": 88, "Platform": "87x_B200", "Performance_Result": 87000}
    measured = from_mlperf(write(tmp_path, [row]), conditions=KNOWN)
    assert measured.output == pytest.approx(8000)
    assert any("the name says 87" in note for note in measured.notes)


@pytest.mark.parametrize(
    ("change", "given", "words"),
    [
        ({}, None, "do not hold input, output_length, concurrency"),
        ({}, Conditions(295, 294), "do not hold concurrency"),
        ({"Performance_Units": "Queries/s"}, KNOWN, "queries and samples are no tokens"),
        ({"Performance_Result": None}, KNOWN, "`Performance_Result` is missing"),
        ({"weight_data_types": "fp16, fp8"}, KNOWN, "state the one it ran at"),
        ({"Category": "open"}, KNOWN, "no row has Category=closed"),
    ],
)
def test_mlperf_refusals(change: dict[str, Any], given: Conditions | None, words: str, tmp_path: Path) -> None:
    with pytest.raises(ImportRefused, match=words):
        from_mlperf(write(tmp_path, [MLPERF | change]), conditions=given)


@pytest.mark.parametrize("text", ["", "a,b\n", "a,a\n1,2\n", 'a,b\n"1,2\n', "a,b\n1\n"])
def test_a_broken_table_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "best.csv").write_text(text)
    with pytest.raises(ImportRefused, match=r"best\.csv: "):
        from_aiconfigurator(tmp_path / "best.csv")
