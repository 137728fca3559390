"""A scenario to plan, small and quick."""

from __future__ import annotations

import pytest

pytest.importorskip("scipy")

SMALL = """format: 1
title: small
as_of: 2026-11-01
currency: USD
timeline: {start: 2027-01, horizon: 3 yr, step: quarter}
workload:
  kind: inference
  requests: 6 Mrequest/month
  growth: 40 %
  peak_to_mean: 4
  classes:
    - {id: chat, share: 70 %, input: 1500 token/request, output: 350 token/request}
    - {id: code, share: 30 %, input: 6000 token/request, output: 900 token/request}
electricity: {price: 0.12 USD/kWh, demand_charge: 12 USD/kW/month, carbon_intensity: 300 gCO2e/kWh}
cooling: {kind: air, pue: 1.4}
pricing:
  hardware_trend: -10 %/yr
  rental_trend: -5 %/yr
  fit_out: 900 USD/kW
  residual: {after: [1 yr, 2 yr, 3 yr], share: [70 %, 50 %, 30 %]}
  staff: {cost: 150000 USD/person/yr, systems_per_person: 40 system/person}
finance: {discount_rate: 8 %}
fleets:
  - {id: own, buy: {system: hgx-h200-srv}, precision: fp8, @17 3.5@}
  - {id: pro, buy: {system: srv-8xpro6000}, precision: fp8, @4 0.9@}
  - {id: cloud, rent: {offer: runpod-h100-sxm-ondemand, gpus: 8}, precision: fp8, @14 2.9@}
  - {id: api, api: {input: 0.9 USD/Mtoken, output: 5 USD/Mtoken}}
"""


def written(text: str = SMALL) -> str:
    """The text with rates measured class by class, so that nothing is searched: `@17 3.5@` for chat and code."""
    parts = text.split("@")
    for at in range(1, len(parts), 2):
        chat, code = parts[at].split()
        rates = f"{{chat: {chat} request/s/system, code: {code} request/s/system}}"
        parts[at] = f"measured: {{classes: {rates}, precision: fp8, source: test}}"
    return "".join(parts)


def changed(*pairs: tuple[str, str], text: str = SMALL) -> str:
    """The small scenario with each first part replaced by the second; every first part must be there."""
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return written(text)


def with_mix(mix: str, *pairs: tuple[str, str]) -> str:
    """The small scenario with a `mix:` section."""
    return changed(("\nfleets:", f"\nmix: {mix}\nfleets:"), *pairs)
