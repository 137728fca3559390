"""Request traces and power logs: what they say, and what they leave out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tco.importing import ImportRefused, power_from_log, workload_from_trace
from tco.scenario.schema import Workload

HEADER = "arrived_at,num_prefill_tokens,num_decode_tokens"
HOUR = 3600


def trace(folder: Path, rows: list[Any], header: str = HEADER, name: str = "trace.csv") -> Path:
    file = folder / name
    file.write_text("\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n")
    return file


def every_minute(days: int) -> list[tuple[float, int, int]]:
    """One request a minute, and three in the 10th hour of every day."""
    return [
        (60 * minute + 20 * extra, 100, 50)
        for minute in range(days * 1440)
        for extra in range(3 if minute // 60 % 24 == 9 else 1)
    ]


def test_rate_peak_and_profile(tmp_path: Path) -> None:
    load = workload_from_trace(trace(tmp_path, every_minute(2)))
    mean = 26 * 60 / 24  # 23 hours of 60 requests and one of 180
    assert load.hourly_rate == pytest.approx(mean, rel=0.001)
    assert load.peak_to_mean == pytest.approx(180 / mean, rel=0.001)
    assert len(load.profile) == 24
    assert load.profile[9] == pytest.approx(180 / mean, rel=0.001)
    assert sum(load.profile) / 24 == pytest.approx(1)
    assert any("without a date" in note for note in load.notes)


def test_the_text_can_be_pasted(tmp_path: Path) -> None:
    load = workload_from_trace(trace(tmp_path, every_minute(1)))
    told = YAML(typ="safe", pure=True).load(load.yaml)["workload"]
    assert told["requests"]["value"] == f"{load.hourly_rate:.8g} request/h"
    assert told["classes"] == [{"share": "100 %", "input": "100 token/request", "output": "50 token/request"}]
    assert len(told["profile"]) == 24
    assert "sha256" in told["input"]["source"]


def test_classes_keep_the_totals(tmp_path: Path) -> None:
    rows = [(index, 10 + 7 * index % 901, 1 + index % 97) for index in range(1000)]
    load = workload_from_trace(trace(tmp_path, rows), classes=5)
    assert [one.share for one in load.classes] == pytest.approx([0.2] * 5, abs=0.01)
    assert sum(one.share for one in load.classes) == pytest.approx(1)
    assert sum(one.share * one.input_tokens for one in load.classes) == pytest.approx(load.input_tokens)
    assert sum(one.share * one.output_tokens for one in load.classes) == pytest.approx(load.output_tokens)
    sizes = [one.input_tokens + one.output_tokens for one in load.classes]
    assert sizes == sorted(sizes)


def test_a_week_begins_on_monday(tmp_path: Path) -> None:
    monday = 1_791_763_200  # 2026-10-12 00:00 UTC, a Monday
    rows = [(monday + 600 * index, 10, 10) for index in range(6 * 168)] + [(monday + 60 + k, 10, 10) for k in range(60)]
    load = workload_from_trace(trace(tmp_path, rows), profile=168)
    assert max(load.profile) == load.profile[0]


def test_hours_are_those_of_the_log(tmp_path: Path) -> None:
    rows = [(f"2026-10-12T{hour:02}:{minute:02}:00+02:00", 10, 10) for hour in range(24) for minute in range(0, 60, 5)]
    rows += [(f"2026-10-12T09:{minute:02}:30+02:00", 10, 10) for minute in range(60)]
    load = workload_from_trace(trace(tmp_path, rows))
    assert load.profile.index(max(load.profile)) == 9


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("TIMESTAMP,ContextTokens,GeneratedTokens", ("2026-10-12 00:{:02}:00.1234567", 10, 5)),
        ("timestamp_ms,input_length,output_length", ("{}0000", 10, 5)),
        ("arrived_at,prompt_tokens,completion_tokens", ("{}", 10, 5)),
    ],
)
def test_other_names(header: str, row: tuple[Any, ...], tmp_path: Path) -> None:
    rows = [(row[0].format(index), *row[1:]) for index in range(1, 60)]
    assert workload_from_trace(trace(tmp_path, rows, header)).input_tokens == 10


def test_lines_of_json(tmp_path: Path) -> None:
    file = tmp_path / "trace.jsonl"
    rows = [{"timestamp": 1000 * index, "input_length": 10, "output_length": 5} for index in range(100)]
    file.write_text("\n".join(map(json.dumps, rows)))
    with pytest.raises(ImportRefused, match="without a unit; state the time unit"):
        workload_from_trace(file)
    assert workload_from_trace(file, time_unit="ms").hourly_rate == pytest.approx(3600)


def test_bad_rows_are_named_by_line(tmp_path: Path) -> None:
    rows = [
        (1, 10, 5),
        (2, -10, 5),
        (3, "ten", 5),
        ("soon", 10, 5),
        (5, 10, ""),
        (-6, 10, 5),
        (7, "nan", 5),
        (8, 10, 5),
    ]
    with pytest.raises(ImportRefused) as caught:
        workload_from_trace(trace(tmp_path, rows))
    for line in range(3, 9):
        assert f"trace.csv: line {line}: " in str(caught.value)
    assert "6 of 8 rows are wrong" in str(caught.value)
    assert "line 2:" not in str(caught.value)


def test_disorder_and_gaps_are_told(tmp_path: Path) -> None:
    rows = every_minute(1)
    rows[100], rows[101] = rows[101], rows[100]
    rows = [row for row in rows if not 12 * HOUR < row[0] < 17 * HOUR]
    notes = " | ".join(workload_from_trace(trace(tmp_path, rows)).notes)
    assert "1 rows are earlier than the one before (line 103)" in notes
    assert "1 gap(s)" in notes
    assert "the longest 5 h" in notes


def test_a_clock_set_back_is_refused(tmp_path: Path) -> None:
    def local(hour: int) -> list[tuple[str, int, int]]:
        return [(f"2026-10-25T{hour:02}:{minute:02}:00", 10, 5) for minute in range(60)]

    with pytest.raises(ImportRefused, match="line 182: the clock is set back"):
        workload_from_trace(trace(tmp_path, [*local(0), *local(1), *local(2), *local(2), *local(3)]))


def test_a_clock_change_with_offsets_is_told(tmp_path: Path) -> None:
    rows = [(f"2026-10-25T02:{minute:02}:00+02:00", 10, 5) for minute in range(60)]
    rows += [(f"2026-10-25T02:{minute:02}:00+01:00", 10, 5) for minute in range(60)]
    load = workload_from_trace(trace(tmp_path, rows))
    assert load.hourly_rate == pytest.approx(60)
    assert any("clock change" in note for note in load.notes)
    with pytest.raises(ImportRefused, match="some have none"):
        workload_from_trace(trace(tmp_path, [*rows, ("2026-10-25T04:00:00", 10, 5)]))


def test_short_traces_have_no_peak_and_no_profile(tmp_path: Path) -> None:
    load = workload_from_trace(trace(tmp_path, [(60 * index, 10, 5) for index in range(30)]))
    assert load.peak_to_mean is None
    assert load.profile == ()
    assert "state `peak_to_mean`" in load.yaml


@pytest.mark.parametrize(
    ("rows", "header", "words"),
    [
        ([], HEADER, "no request"),
        ([(1, 2, 3)], HEADER, "two requests"),
        ([(1, 2, 3), (1, 2, 3)], HEADER, "two requests"),
        ([(1, 2, 0), (2, 2, 0)], HEADER, "no output token"),
        ([(1, 2, 3)], "arrived_at,in,num_decode_tokens", "no column `num_prefill_tokens`"),
        ([(1, 2)], HEADER, "2 cells where the header has 3"),
        ([(1.7e12, 2, 3), (1.7e12 + 1, 2, 3)], HEADER, "state the unit: ms"),
        ([(1, 2, 3), (9e9, 2, 3)], HEADER, "at most five years"),
    ],
)
def test_trace_refusals(rows: list[Any], header: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(ImportRefused, match=words):
        workload_from_trace(trace(tmp_path, rows, header))


POWER = "timestamp, index, power.draw [W], utilization.gpu [%]"


def power(folder: Path, *rows: str, header: str = POWER) -> Path:
    file = folder / "power.csv"
    file.write_text("\n".join([header, *(f"2026/10/01 09:00:00.000, {row}" for row in rows)]) + "\n")
    return file


def test_a_missing_reading_is_not_zero(tmp_path: Path) -> None:
    log = power_from_log(
        power(
            tmp_path, "0, 400 W, 90 %", "0, 500 W, 95 %", "1, 600 W, 99 %", "1, [Unknown Error], 97 %", "2, [N/A], 90 %"
        )
    )
    assert sum(device.readings for device in log.devices) == 3
    assert [device.mean for device in log.devices] == [450, 600, None]
    assert log.mean == 525
    assert "device 2: no reading, so unknown and not 0 W; fleet figures are an estimate from 2 of 3" in log.yaml
    assert "device 1: 1 reading(s) missing" in log.yaml
    told = YAML(typ="safe", pure=True).load(log.yaml)["inputs"]
    assert told["gpu_power"]["value"] == "525 W/gpu"
    assert "gpu_idle_power" not in told


def test_idle_and_busy_are_told_apart(tmp_path: Path) -> None:
    log = power_from_log(power(tmp_path, "0, 70 W, 0 %", "0, 650 W, 100 %", "0, 300 W, 30 %"))
    assert (log.idle, log.busy, log.as_of) == (70, 650, "2026-10-01")


@pytest.mark.parametrize(
    ("cell", "header", "watts"),
    [
        ("650000 mW", POWER, 650),
        ("650", POWER, 650),
        ("0.65", "timestamp, index, power.draw [kW], utilization.gpu [%]", 650),
    ],
)
def test_units_of_power(cell: str, header: str, watts: float, tmp_path: Path) -> None:
    assert power_from_log(power(tmp_path, f"0, {cell}, 99 %", header=header)).mean == pytest.approx(watts)


@pytest.mark.parametrize(
    ("row", "header", "words"),
    [
        ("0, 650 J, 99 %", POWER, "wanted watts"),
        ("0, 650, 99 %", "timestamp, index, power.draw, utilization.gpu [%]", "wanted watts"),
        ("0, 650000 W, 99 %", POWER, "not the power of one GPU"),
        ("0, 0.00 W, 99 %", POWER, "not the power of one GPU"),
        ("0, 650 W, 990 %", POWER, "0 to 100 %"),
        ("0, [N/A], 99 %", POWER, "no reading at all"),
        ("0, 650 W, 99 %", "timestamp, index, watts, load", "no column `power.draw`"),
    ],
)
def test_power_refusals(row: str, header: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(ImportRefused, match=words):
        power_from_log(power(tmp_path, row, header=header))


def test_what_the_scenario_already_knows_is_read(tmp_path: Path) -> None:
    told = YAML(typ="safe", pure=True).load(workload_from_trace(trace(tmp_path, every_minute(1))).yaml)["workload"]
    keys = {key: told[key] for key in ("requests", "peak_to_mean", "input", "output")}
    workload = Workload(kind="inference", model="llama-3.1-8b", **keys)
    assert workload.requests
    assert workload.requests.unit == "request/h"
    assert workload.output
    assert workload.output.number == 50
