"""A small scenario to break, and the command line to break it with."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tco.cli import main

BASE = """format: 1
title: small
as_of: 2026-11-01
currency: USD
timeline: {start: 2027-01, horizon: 2 yr, step: quarter}
workload:
  kind: inference
  model: llama-3.3-70b
  requests: 100000 request/month
  peak_to_mean: 4
  input: 1500 token/request
  output: 350 token/request
electricity: {price: 0.12 USD/kWh}
cooling: {kind: air, pue: 1.4}
finance: {discount_rate: 8 %}
fleets:
  - {id: own, buy: {system: hgx-h200-srv}, precision: fp8}
  - {id: cloud, rent: {offer: runpod-h100-sxm-ondemand, gpus: 8}, precision: fp8}
  - {id: api, api: {offer: together-llama-3.3-70b}}
"""
TRAINING = """format: 1
title: small training
as_of: 2026-11-01
currency: USD
timeline: {start: 2027-01, horizon: 2 yr, step: quarter}
workload:
  {kind: training, model: llama-3.1-8b, tokens: 20 Gtoken, batch: 4 Mtoken/step, sequence: 8192 token, runs: 2 run/yr}
reliability: {goodput: 95 %}
electricity: {price: 0.12 USD/kWh}
cooling: {kind: air, pue: 1.4}
finance: {discount_rate: 8 %}
fleets:
  - {id: own, buy: {system: hgx-h200-srv}, precision: bf16}
"""


def changed(*pairs: tuple[str, str], text: str = BASE) -> str:
    """The text with each first part replaced by the second; every first part must be there."""
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return text


@pytest.fixture
def tco(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """`tco("run", "a.yaml")` inside a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> Result:
        return CliRunner().invoke(main, list(arguments))

    return call


@pytest.fixture
def scenario(tmp_path: Path) -> Callable[..., Path]:
    """`scenario(text)` writes a.yaml."""

    def write(text: str = BASE, name: str = "a.yaml") -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
"""With it the checkout is found from any folder, installed or not."""


def process(*arguments: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    variables = {**ENVIRONMENT, **environment}
    command = [sys.executable, "-m", "tco", *arguments]
    return subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False, timeout=60)
