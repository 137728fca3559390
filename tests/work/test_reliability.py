"""Failures: what is stated counts, and goodput is that of a run that is simulated failure by failure."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tco.result import FleetResult
from tco.session import loads
from tests.cli.conftest import BASE, TRAINING, changed

NETWORK = ("finance:", "pricing: {network: 3000 USD/gpu}\nfinance:")
RUN = "restart_time: 1 h, checkpoint_time: 3 min"


def fleet(reliability: str, *more: tuple[str, str]) -> FleetResult:
    return loads(changed(("goodput: 95 %", reliability), NETWORK, *more, text=TRAINING)).run().by_id["own"]


def one(found: FleetResult, line: str) -> float:
    value = found.shown(line)
    assert isinstance(value, float), found.reason(line)
    return value


# --- against a simulation ---


def simulated(a_day: float, wait: tuple[float, int], restart: float, write: float, every: float) -> float:
    """Share of a long time that advanced a run; `wait` is the time of a repair, and spares."""
    dice, (repair, spares) = random.Random(7), wait
    now, done, back = 0.0, 0.0, list[float]()
    for _ in range(40_000):
        ran = dice.expovariate(a_day / 24)
        now, done = now + ran, done + ran // (every + write) * every
        back = sorted([*(time for time in back if time > now), now + repair])
        if len(back) > spares:
            now = max(now, back[len(back) - spares - 1])
        now += restart
    return done / now


@pytest.mark.parametrize(("rate", "repair", "spares"), [(0.1, 24, 0), (0.8, 30, 1), (0.8, 30, 3), (2.0, 48, 6)])
def test_goodput_is_that_of_a_simulated_run(rate: float, repair: float, spares: int) -> None:
    """64 systems; failures as many a day as the rate says, of hosts alone."""
    stated = f"host_failure_rate: {rate * 365 / 64} 1/system/yr, repair_time: {repair} h, spares: {spares}"
    found = fleet(
        f"{stated}, restart_time: 0.2 h, checkpoint_time: 0.02 h, checkpoint_interval: 1 h",
        ("precision: bf16", f"precision: bf16, count: {64 + spares}"),
    )
    assert one(found, "interruptions") == pytest.approx(rate)
    assert one(found, "goodput") == pytest.approx(simulated(rate, (repair, spares), 0.2, 0.02, 1.0), rel=0.015)


@pytest.mark.parametrize("share", [0.001, 0.01, 0.1])
def test_young_is_near_the_best_interval(share: float) -> None:
    """A finer formula gains no hundredth, even where a checkpoint takes a tenth of the time between failures."""

    def goodput(every: str) -> float:
        stated = f"run_failure_rate: 1 1/day, restart_time: 0 h, checkpoint_time: {24 * share} h{every}"
        return one(fleet(stated), "goodput")

    tried = max(goodput(f", checkpoint_interval: {24 * part / 200} h") for part in range(2, 200))
    assert tried - 0.01 < goodput("") <= tried * 1.001


# --- what counts ---


def test_software_failures_stop_a_run_and_cost_no_repair() -> None:
    priced = ("pricing: {network", "pricing: {repair: 5000 USD, network")
    hardware = fleet(f"failure_rate: 2 1/gpu/yr, {RUN}", priced)
    both = fleet(f"failure_rate: 2 1/gpu/yr, software_failure_rate: 2 1/gpu/yr, {RUN}", priced)
    assert one(both, "interruptions") == pytest.approx(2 * one(hardware, "interruptions"))
    assert one(both, "goodput") < one(hardware, "goodput")
    assert both.raw("failures") == pytest.approx(hardware.raw("failures"))


def test_hosts_are_repaired_too_and_take_serving_systems_out() -> None:
    stated = "finance:", "reliability: {host_failure_rate: 0.73 1/system/yr, repair_time: 24 h}\nfinance:"
    found = loads(changed(stated, text=BASE)).run().by_id["own"]
    assert one(found, "availability") == pytest.approx(1 / (1 + 0.73 / 365))


def test_a_spare_is_paid_and_does_not_run() -> None:
    stated = f"failure_rate: 1 1/gpu/yr, repair_time: 72 h, {RUN}"
    times = {
        (count, spares): fleet(f"{stated}, spares: {spares}", ("precision: bf16", f"precision: bf16, count: {count}"))
        for count, spares in ((8, 0), (9, 1))
    }
    alone, spared = times[8, 0], times[9, 1]
    assert one(alone, "job_gpus") == one(spared, "job_gpus") == 64
    away = 64 * 72 / 8760
    assert one(alone, "waiting_share") == pytest.approx(away / (1 + away))
    assert one(spared, "waiting_share") == pytest.approx(away**2 / 2 / (1 + away + away**2 / 2))
    assert one(spared, "goodput") > one(alone, "goodput")


def test_runs_in_systems_that_no_network_joins_do_not_stop_each_other() -> None:
    stated = f"failure_rate: 1 1/gpu/yr, {RUN}"
    text = changed(("goodput: 95 %", stated), ("precision: bf16", "precision: bf16, count: 4"), text=TRAINING)
    assert one(loads(text).run().by_id["own"], "job_gpus") == 8
    assert one(fleet(stated, ("precision: bf16", "precision: bf16, count: 4")), "job_gpus") == 32


def test_the_size_of_a_checkpoint_follows_from_the_optimizer() -> None:
    """8.03 billion parameters, of which 2 bytes of weight, 4 of master weight and 8 of moments are written."""
    found = fleet("run_failure_rate: 1 1/day, restart_time: 1 h, checkpoint_bandwidth: 2 GB/s")
    size = one(found, "checkpoint_size")
    assert size == pytest.approx(14 * found.inputs["parameters"].number)
    assert one(found, "checkpoint_block_time") == pytest.approx(size / 2 / 3600)


def test_runs_done_again_cost_what_they_take() -> None:
    none, fifth = (fleet(f"goodput: 95 %, repeated_runs: {share} %") for share in (0, 20))
    assert one(fifth, "gpus_for_year") == pytest.approx(one(none, "gpus_for_year") / 0.8)


CARD = ("system: hgx-h200-srv", "system: ws-4x5090")


@pytest.mark.parametrize(
    ("stated", "system", "told"),
    [
        ("goodput: 95 %", CARD, True),
        ("goodput: 95 %, repeated_runs: 0 %", CARD, False),
        (f"silent_error_rate: 0.1 1/gpu/yr, silent_error_delay: 9 h, {RUN}", CARD, False),
        ("goodput: 95 %", ("hgx", "hgx"), False),
    ],
)
def test_a_part_without_ecc_and_without_silent_errors_is_told(stated: str, system: tuple[str, str], told: bool) -> None:
    warnings = loads(changed(("goodput: 95 %", stated), system, text=TRAINING)).run().warnings
    assert ("no-ecc" in [alert.code for alert in warnings]) is told


def test_a_part_without_ecc_beside_others_needs_silent_errors_of_its_own() -> None:
    both = changed(("goodput: 95 %", "goodput: 95 %, repeated_runs: 1 %"), text=TRAINING)
    for own, told in (("", True), (", reliability: {repeated_runs: 5 %}", False)):
        card = f"  - {{id: card, buy: {{system: ws-4x5090}}, precision: bf16{own}}}\n"
        alerts = [alert.fleet for alert in loads(both + card).run().warnings if alert.code == "no-ecc"]
        assert alerts == (["card"] if told else [])


def test_the_example_of_the_documents_is_whole() -> None:
    page = (Path(__file__).parents[2] / "docs" / "scenario.md").read_text(encoding="utf-8")
    example = page.split("## `reliability:`")[1].split("```yaml\n")[1].split("```")[0]
    found = loads(changed(("reliability: {goodput: 95 %}\n", example), text=TRAINING)).run().by_id["own"]
    assert one(found, "goodput") < 1
    assert {"detection_loss", "restart_loss", "rework_loss", "silent_loss"} <= set(found.model.lines)
    assert {"waiting_share", "checkpoint_size", "run_interruptions"} <= set(found.model.lines)
