"""A small portfolio for tests, and what changes of its text give."""

from __future__ import annotations

import functools

from tco.portfolio import PortfolioResult, loads

TEXT = """\
format: 1
title: Chat and tuning
as_of: 2026-11-01
currency: USD
timeline: {start: 2027-01, horizon: 2 yr, step: year}
workloads:
  chat: {
    kind: inference, model: llama-3.3-70b, requests: 0.9 Mrequest/month, growth: 20 %/yr, peak_to_mean: 4,
    input: 1500 token/request, output: 350 token/request}
  tuning: {
    kind: finetune, method: lora, rank: 16, model: llama-3.3-70b, dataset: 20 Mtoken, epochs: 3, jobs: 22 job/month,
    batch: 262144 token/step, sequence: 4096 token, deadline: 1 day}
reliability: {goodput: 97 %}
electricity: {price: 0.12 USD/kWh, demand_charge: 14 USD/kW/month}
cooling: {kind: air, pue: 1.45}
pricing: {staff: {cost: 160000 USD/person/yr, systems_per_person: 40 system/person}}
finance: {discount_rate: 9 %}
fleets:
  - {id: server, buy: {system: srv-8xpro6000}, workloads: {chat: {precision: fp8}, tuning: {precision: bf16}}}
  - {id: workstation, buy: {system: ws-4xpro6000-maxq}, precision: bf16, workloads: [tuning]}
  - {id: api, api: {offer: together-llama-3.3-70b}}
"""


@functools.cache
def ran(*changes: tuple[str, str]) -> PortfolioResult:
    """The portfolio with pieces of its text replaced, run once."""
    return loads(changed(*changes), "shop.yaml").run()


def changed(*changes: tuple[str, str]) -> str:
    """The text with pieces replaced, each of which must be there."""
    text = TEXT
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text
