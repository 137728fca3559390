"""Bad input: one clear sentence each, its place, the exit code of the contract, no traceback, no partial file."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from tests.cli.conftest import BASE, TRAINING, changed

Tco = Callable[..., Result]
Write = Callable[..., Path]

OWN = "precision: fp8}\n  - {id: cloud"
BUY = "system: hgx-h200-srv"
RENT = "offer: runpod-h100-sxm-ondemand, gpus: 8"
API = "together-llama-3.3-70b}"


def own(more: str) -> tuple[str, str]:
    return OWN, OWN.replace("}", f", {more}}}", 1)


def refused(tco: Tco, path: Path, *words: str) -> str:
    told = tco("run", path.name, "--out", "out")
    assert told.exit_code == 1, told.output
    assert told.stdout == ""
    assert "Traceback" not in told.stderr
    assert told.stderr.endswith("\n")
    assert not (path.parent / "out").exists()
    for word in words:
        assert word in told.stderr
    return told.stderr


BROKEN = [
    # (what is replaced, the place of the problem, words of the sentence)
    (changed(("0.12 USD/kWh", "0.12 USD")), "a.yaml:13:22: electricity.price", "wanted money/kWh"),
    (changed(("0.12 USD/kWh", "0.12")), "a.yaml:13:22: electricity.price", "has no unit"),
    (changed(("0.12 USD/kWh", "9**9**9**9 W")), "a.yaml:13:22: electricity.price", "a space between"),
    (changed(("0.12 USD/kWh", "NaN")), "a.yaml:13:22: electricity.price", "is not a number"),
    (changed(("0.12 USD/kWh", ".nan")), "a.yaml:13:22: electricity.price", "is not a number"),
    (changed(("0.12 USD/kWh", "-0.12 USD/kWh")), "a.yaml:13:22: electricity.price", "is not above 0"),
    (changed(("0.12 USD/kWh", "0 USD/kWh")), "a.yaml:13:22: electricity.price", "a zero price is an error"),
    (changed(("0.12 USD/kWh", "0.12 XBT/kWh")), "a.yaml:13:22: electricity.price", "`XBT` is not a unit"),
    (changed(("electricity:", "elektricity:")), "a.yaml:13:1: elektricity", "did you mean `electricity`?"),
    (changed(("hgx-h200-srv", "hgx-h200-srw")), "a.yaml:17:29: fleets.own.buy.system", "did you mean `hgx-h200-srv`?"),
    (changed(("llama-3.3-70b\n", "llama-3.3-70x\n")), "a.yaml:8:10: workload.model", "did you mean `llama-3.3-70b`?"),
    (changed(own("utilization: 150 %")), "fleets.own.utilization", "`150 %` is above 100 %"),
    (changed(own("utilization: 70")), "fleets.own.utilization", "did you mean `70 %`?"),
    (changed(("100000 request/month", "0 request/month")), "workload.requests", "is not above 0"),
    (changed(("gpus: 8", "gpus: 1e30")), "fleets.cloud.rent.gpus", "is above 10000 gpu"),
    (changed(own("count: 1e30")), "fleets.own.count", "is above"),
    (changed(("id: cloud", "id: own")), "fleets.own.id", "`own` is taken by `own`"),
    (changed(("currency: USD", "currency: XYZ")), "a.yaml:4:11: currency", "is not a currency known here"),
    (changed(("title: small", "title: small\ntitle: twice")), "a.yaml:3:1", "line 2 and at line 3"),
    (changed(("title: small", "title: &x small")), "a.yaml:2:8", "write the value out"),
    (changed(("horizon: 2 yr", "horizon: 7 month")), "timeline.horizon", "not a whole number of quarters"),
    (changed(("horizon: 2 yr", "horizon: 41 yr")), "timeline.horizon", "is above 40 yr"),
    (changed(("step: quarter", "step: week")), "timeline.step", "wanted `month`, `quarter` or `year`"),
    (changed(("finance:", "fx: {EUR: 0.9 EUR/USD}\nfinance:")), "fx.EUR", "wanted USD/EUR"),
    (changed(("finance:", "fx: {EUR: 0.9 CHF/EUR}\nfinance:")), "fx.EUR", "wanted USD/EUR, or CHF under `fx` too"),
    (changed(("finance:", "fx: {EUR: 0 USD/EUR}\nfinance:")), "fx.EUR", "a rate is above 0"),
    (changed((BUY, f"{BUY}, price: 9 EUR/system")), "fleets.own.buy.price", "state `fx: {EUR: … USD/EUR}`"),
    (changed(("output: 350", "lost: {failed: 60 %, aborted: 40 %}\n  output: 350")), "workload.lost",
     "no useful token"),
    (changed(("output: 350", "tokens: 5 Ttoken\n  output: 350")), "workload.tokens", "has no meaning for inference"),
    (changed((f"{API}", f"{API}, count: 3")), "fleets.api.count", "has no meaning for a fleet that is paid by api"),
    (changed((API, f"{API}, deployment: {{concurrency: 3}}")), "fleets.api.deployment", "has no meaning"),
    (changed(own("deployment: {shard_gpus: 8}")), "fleets.own.deployment.shard_gpus", "in inference"),
    (changed(own("deployment: {gpus_per_replica: 16}")), "deployment.gpus_per_replica", "state at most 8"),
    (changed(own("inputs: {system_price: 5 USD/system}"), (BUY, f"{BUY}, price: 9 USD/system")), "inputs.system_price",
     "is stated at `buy.price` too"),
    (changed(own("inputs: {system_price: 0 USD/system}")), "inputs.system_price", "is not above 0"),
    (changed(own("inputs: {gpu_memry: 5 GiB/gpu}")), "inputs.gpu_memry", "did you mean `gpu_memory`?"),
    (changed(own("inputs: {gpu_memory: 5 GiB}")), "inputs.gpu_memory", "cannot become GiB/gpu"),
    (changed(own("inputs: {gpus_per_system: 1.5 gpu/system}")), "inputs.gpus_per_system", "wanted a whole number"),
    (changed(own("inputs: {timing: 0.5}")), "inputs.timing", "cannot be stated here"),
    (changed(own("inputs: {period: 1 yr}")), "inputs.period", "is not an input of the model"),
    (changed(own("inputs: {requests: [1 request/month, 2 request/month]}")), "inputs.requests",
     "2 values for 8 periods"),
    (changed(own(f"inputs: {{gpu_memory: [{', '.join(['80 GiB/gpu'] * 8)}]}}")), "inputs.gpu_memory", "judged once"),
    (changed(own("inputs: {resale_share: 50 %}")), "inputs.resale_share", "a table by age"),
    (changed((BUY, f"{BUY}, sunk: paid")), "fleets.own.buy.sunk", "state `count`"),
    (changed((BUY, f"{BUY}, sunk: paid, price: 5 USD/system"), own("count: 1")), "fleets.own.buy.price",
     "already paid"),
    (changed((RENT, f"{RENT}, term: 3 yr")), "fleets.cloud.rent.term", "paid by use and has no `term`"),
    (changed((RENT, "offer: aws-p5en-1yr, term: 3 yr")), "fleets.cloud.rent.term", "holds for 1 yr"),
    (changed((RENT, "offer: aws-p5en-1yr, billing: {active_window: 10 h/day, days: 5 day/week}")), "rent.billing",
     "a reservation is paid around the clock"),
    (changed((RENT, f"{RENT}, billing: {{days: 5 day/week}}")), "rent.billing.days", "need an `active_window`"),
    (changed((RENT, f"{RENT}, billing: {{active_window: 1 h/day}}")), "rent.billing", "above the peak of 4"),
    (changed((RENT, "offer: nebius-h100-sxm-spot, gpus: 8")), "fleets.cloud.rent", "state `interruption_loss`"),
    (changed((RENT, "gpu: h100-sxm, gpus: 8")), "fleets.cloud.rent", "no price of a GPU-hour is known"),
    (changed((f"{{{BUY}}}", "{}")), "fleets.own.buy", "no hardware is named; state `system`"),
    (changed(("8 %", "-60 %")), "finance.discount_rate", "is below -50 %/yr"),
    (changed(("8 %}", "8 %, basis: after_tax, tax_rate: 25 %, depreciation: {method: macrs, life: 5.5 yr}}")),
     "finance.depreciation.life", "MACRS has no class of 5.5 yr"),
    (changed(("8 %}", "8 %, reference: owm}")), "finance.reference", "`owm` is not a fleet"),
    (changed(("8 %}", "8 %, reinvestment_rate: 6 %}")), "finance.reinvestment_rate", "against which fleet"),
    *[(changed(("8 %}", f"8 %, basis: after_tax, tax_rate: 25 %, depreciation: {{{told}}}")), place, words)
      for told, place, words in (
        ("method: declining_balance, life: 5 yr}", "finance.depreciation", "needs `factor`"),
        ("method: macrs}", "finance.depreciation", "needs `life`"),
        ("method: table}", "finance.depreciation", "needs `shares`, such as `[50 %, 30 %, 20 %]`"),
        ("method: table, shares: [80 %, 30 %]}", "finance.depreciation.shares", "add up to 110 %"),
        ("method: macrs, life: 5 yr, factor: 2}", "finance.depreciation.factor", "belongs to the method declining"),
        ("method: straight_line, life: 5 yr}, tax_losses: carry_forward", "finance.tax_losses", "state `income`"),
        ("method: straight_line, life: 5 yr}, income: 5 USD/yr", "finance.income", "counts only with `tax_losses"),
    )],
    (changed(("step: quarter", "step: year"), ("8 %}", "8 %, basis: after_tax, tax_rate: 25 %, depreciation: "
     "{method: macrs, life: 5 yr, convention: mid_quarter}}")), "finance.depreciation.convention", "has no quarters"),
    (changed(("8 %}", "8 %, tax_losses: carry_forward, income: 5 USD/yr}")), "finance.tax_losses", "only after tax"),
    (changed((BUY, f"{BUY}, loan: {{share: 80 %, rate: 7 %}}")), "fleets.own.buy.loan",
     "wanted exactly one of `term` and `payment`"),
    (changed((BUY, f"{BUY}, loan: {{share: 80 %, rate: 7 %, term: 3 yr, payment: 9000 USD/month}}")),
     "fleets.own.buy.loan.payment", "wanted exactly one of `term` and `payment`"),
    (changed((BUY, f"{BUY}, loan: {{share: 80 %, rate: 7 %, payment: 9000 USD/month, payments: interest_only}}")),
     "fleets.own.buy.loan.payments", "is the same each period"),
    (changed((BUY, f"{BUY}, loan: {{share: 80 %, rate: 7 %, payment: 90 USD/month}}")),
     "fleets.own.buy.loan.payment", "so that the debt is never repaid; state more than that, or a `term`"),
    (changed((BUY, f"{BUY}, sunk: paid, loan: {{share: 80 %, rate: 7 %, term: 3 yr}}"), own("count: 1")),
     "fleets.own.buy.loan", "already paid has no `loan`"),
    (changed((BUY, f"{BUY}, resale: 5 USD/system"), own("pricing: {residual: {after: [1 yr], share: [5 %]}}")),
     "fleets.own.buy.resale", "say the same"),
    *[(changed((f"buy: {{{BUY}}}", f"lease: {{{BUY}, rent: 900 USD/system/month, term: 2 yr, {told}}}")), place, words)
      for told, place, words in (
        ("rate: 7 %", "fleets.own.lease.rate", "only with `accounting: finance`"),
        ("accounting: finance", "fleets.own.lease", "needs the `rate`"),
        ("life: 3 yr", "fleets.own.lease.life", "only with a `buyout`"),
        ("buyout: 9 USD/system, life: 1 yr", "fleets.own.lease.life", "shorter than the lease"),
        ("buyout: 9 USD/system, return_cost: 5 USD/system", "fleets.own.lease.return_cost", "does not go back"),
    )],
    (changed((RENT, f"{RENT}, exit: 50 %")), "fleets.cloud.rent.exit", "paid by use and has no `exit`"),
    (BASE + "pin: {own: {electricity_cost: 5 EUR}}\n", "pin.own.electricity_cost", "a pinned line is in USD"),
    (BASE + "pin: {own: {electricity_cost: 5 kWh}}\n", "pin.own.electricity_cost", "wanted USD"),
    (BASE + "pin: {own: {electricity_cost: [1 USD, 2 USD]}}\n", "pin.own.electricity_cost", "2 values for 8 periods"),
    (BASE + "pin: {own: {electricty_cost: 5 USD}}\n", "pin.own.electricty_cost", "did you mean `electricity_cost`?"),
    (BASE + "pin: {own: {fits: 3}}\n", "pin.own.fits", "wanted 0 or 1"),
    (BASE + "pin: {own: {utilization: 150 %}}\n", "pin.own.utilization", "beyond 0 to 100 %"),
    (BASE + "pin: {own: {availability: 0}}\n", "fleets.own", "the work never gets done"),
    (changed(("precision: bf16", "precision: int4"), text=TRAINING), "fleets.own.precision",
     "nothing is trained in int4"),
    (changed(("runs: 2", "method: lora, rank: 8, runs: 2"), text=TRAINING), "workload.method",
     "belongs to fine-tuning"),
    (changed(("training,", "finetune, method: lora,"), text=TRAINING), "workload", "needs the `rank`"),
    (changed(("tokens: 20 Gtoken, ", ""), text=TRAINING), "workload", "state `tokens`, or `dataset`"),
    *[(changed(("goodput: 95 %", stated), text=TRAINING), f"reliability.{place}", words) for stated, place, words in (
        ("restart_time: 1 h", "restart_time", "also needs `failure_rate` and `checkpoint_time`"),
        ("failure_rate: 0.1 1/gpu/yr", "failure_rate", "also needs `restart_time` and `checkpoint_time`"),
        ("run_failure_rate: 0.1 1/day, restart_time: 1 h, checkpoint_bandwidth: 9 GB/s, checkpoint_time: 9 s",
         "checkpoint_bandwidth", "say the same"),
        ("run_failure_rate: 0.1 1/day, restart_time: 1 h, checkpoint_time: 9 s, silent_error_rate: 0.01 1/gpu/yr",
         "silent_error_rate", "also need `silent_error_delay`"),
        ("run_failure_rate: 0.1 1/day, restart_time: 1 h, checkpoint_time: 9 s, repair_time: 9 h", "repair_time",
         "no failures"),
        ("goodput: 95 %, run_failure_rate: 0.1 1/day", "run_failure_rate", "cannot count beside a stated `goodput`"),
        ("goodput: 95 %, repair_time: 9 h, failure_rate: 0.1 1/gpu/yr", "repair_time", "cannot count beside"),
        ("goodput: 95 %, checkpoint_interval: 9 h", "checkpoint_interval", "cannot count beside a stated `goodput`"),
    )],
    (changed(("goodput: 95 %", "goodput: 95 %, spares: 2"), ("precision: bf16", "precision: bf16, count: 2"),
             text=TRAINING), "reliability.spares", "leaves none to run"),
    (changed(("electricity:", "reliability: {software_failure_rate: 0.1 1/gpu/yr}\nelectricity:")),
     "reliability.software_failure_rate", "has no meaning for inference"),
    (changed(("electricity:", "pricing: {repair: 900 USD}\nelectricity:")), "pricing.repair", "no failures"),
    (TRAINING + "  - {id: api, api: {offer: together-llama-3.3-70b}}\n", "fleets.api.api", "it does no training"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "place", "words"), BROKEN, ids=[f"{place} {words}"[:60] for _, place, words in BROKEN]
)
def test_what_is_wrong_in_a_scenario_is_one_sentence_with_its_place(
    tco: Tco, scenario: Write, text: str, place: str, words: str
) -> None:
    told = refused(tco, scenario(text), place, words)
    assert told.startswith("a.yaml:")
    assert told.count("\n") == 1, told


def test_all_problems_come_at_once_in_the_order_of_the_file(tco: Tco, scenario: Write) -> None:
    told = refused(tco, scenario(changed(("0.12 USD/kWh", "0.12"), ("8 %", "9"), ("pue: 1.4", "pue: 9"))))
    lines = [int(line.split(":")[1]) for line in told.splitlines()]
    assert lines == [13, 14, 15]


CONTENTS = [
    (b"", "is empty; `tco new` writes a scenario"),
    (b"# nothing\n", "is empty"),
    (b"\x00\x01\x02", "binary data"),
    (b"PK\x03\x04zip", "is a workbook or archive"),
    (b"\xff\xfea\x00", "UTF-16"),
    (b"title: \xe9", "is not UTF-8"),
    (b"- a\n- b\n", "read a list; wanted a mapping"),
    (b"a: b: c", "a `:` stands where no key can"),
    (b"a: " + b"[" * 100 + b"]" * 100, "levels of nesting"),
    (b"a: " + b"x" * 2_000_001, "is larger than 2 MB"),
]


@pytest.mark.parametrize(("content", "words"), CONTENTS, ids=[words for _, words in CONTENTS])
@pytest.mark.parametrize("command", ["run", "check", "explain"])
def test_files_that_hold_no_scenario(tco: Tco, tmp_path: Path, content: bytes, words: str, command: str) -> None:
    (tmp_path / "a.yaml").write_bytes(content)
    told = tco(command, "a.yaml")
    assert (told.exit_code, told.stdout) == (1, "")
    assert words in told.stderr
    assert told.stderr.startswith("a.yaml")


def test_what_is_not_a_file(tco: Tco, scenario: Write, tmp_path: Path) -> None:
    assert tco("run", "no.yaml").stderr == "no.yaml: there is no such file\n"
    (tmp_path / "folder").mkdir()
    assert "is a folder" in tco("check", "folder").stderr
    assert "holds no scenario" in tco("run", "folder").stderr
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(tmp_path / "s.yaml"))
    assert "is not a regular file" in tco("run", "s.yaml").stderr
    assert tco("run", "x" * 300).exit_code == 1
    assert tco("new", "x" * 300).exit_code == 4
    path = scenario()
    (tmp_path / "link.yaml").symlink_to("link.yaml")
    assert tco("run", "link.yaml").exit_code == 1
    if os.geteuid():
        path.chmod(0)
        assert "permission denied" in tco("run", "a.yaml").stderr


@pytest.mark.parametrize(
    "name", ["ü ñ 漢字.yaml", "with space.yaml", "a.b.c.yaml", "-dash.yaml", "=1+1.yaml", "x" * 245 + ".yaml"]
)
def test_names_of_files_may_be_strange(tco: Tco, scenario: Write, tmp_path: Path, name: str) -> None:
    scenario(name=name)
    told = tco("run", "--only", "json,csv", "--out", "out", "--", name)
    assert told.exit_code == 0, told.output
    stem = name.removesuffix(".yaml")
    assert sorted(item.name for item in (tmp_path / "out").iterdir()) == sorted([f"{stem}.csv", f"{stem}.json"])
    assert not (tmp_path / "out" / f"{stem}.csv").read_text().splitlines()[1].startswith(("=", "-"))


def test_a_name_too_long_for_its_outputs_is_told(tco: Tco, scenario: Write, tmp_path: Path) -> None:
    name = "x" * 251 + ".yml"
    scenario(name=name)
    told = tco("run", name, "--only", "json", "--out", "out")
    assert told.exit_code == 4
    assert "cannot be written: file name too long" in told.stderr
    assert list((tmp_path / "out").iterdir()) == []
