"""Rented replicas against an API (peers.md E11), whose answers are arithmetic."""

from __future__ import annotations

from tco.session import Scenario, loads

HEAD = """\
format: 1
title: Decisions
as_of: 2026-01-01
currency: USD
timeline: {start: 2026-01, horizon: 1 yr, step: month}
workload: {kind: inference, requests: 8100 request/month, peak_to_mean: 14.6, input: 4000 token/request,
           output: 1000 token/request}
utilization: {planning_ceiling: 90 %}
electricity: {price: 0.10 USD/kWh}
cooling: {kind: none}
finance: {discount_rate: 0 %}
"""
MEASURED = """
    precision: fp8
    measured: {output: 100 token/s/system, input: 4000 token/request, output_length: 1000 token/request,
               concurrency: 4 request/system, precision: fp8, source: "configiq test"}
"""
WINDOW = "billing: {active_window: 3.28767123287671 h/day}"
API = "  - {id: api, api: {input: 1 USD/Mtoken, output: 3 USD/Mtoken}, inputs: {context: 128000 token}}\n"
RENT = (
    f"  - id: rent\n    rent: {{gpu: h100-sxm, gpus: 1, price: 1 USD/gpu/h, storage: 30 USD/month, {WINDOW}}}{MEASURED}"
)


def shop(fleets: str = API + RENT, more: str = "") -> Scenario:
    """100 n + 30 USD a month for n replicas, each of 16,200 requests; the API asks 0.007 USD a request."""
    return loads(f"{HEAD}{more}fleets:\n{fleets}", "shop.yaml")
