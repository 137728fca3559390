"""A small scenario with two offers for one fleet, to be changed."""

from __future__ import annotations

from tco.result import Result
from tco.session import loads

TEXT = """format: 1
title: two offers
as_of: 2026-12-05
currency: USD
fx: {EUR: {value: 1.09 USD/EUR, as_of: 2026-12-04, source: "a bank"}}
timeline: {start: 2027-04, horizon: 2 yr, step: quarter}
workload:
  {kind: inference, model: llama-3.3-70b, requests: 100000 request/month, peak_to_mean: 4, input: 1500 token/request,
   output: 350 token/request}
electricity: {price: 0.12 USD/kWh}
cooling: {kind: air, pue: 1.4}
pricing: {installation: 3 %}
finance: {discount_rate: 8 %}
quotes:
  offers:
    - supplier: Nordrack
      number: N-118
      date: 2026-11-16
      valid_until: 2026-12-31
      fleet: own
      items:
        - {item: GPU server, part: NR-8H200, quantity: 4, price: 265450.00 EUR, carries: system}
        - {item: Switch 400G, part: SW-64, quantity: 2, price: 38900.50 EUR, carries: network}
        - {item: Transceiver, part: OSFP, quantity: 24, price: 1120 EUR, carries: network}
        - {item: Installation, quantity: 1, price: 12500 EUR, carries: installation}
        - {item: Discount, quantity: 1, price: -3000 EUR, carries: system}
        - {item: Support, quantity: 4, price: 9600 EUR, carries: support, term: 3 yr}
        - {item: Rail kit, quantity: 4, price: 0 EUR, carries: nothing, note: a gift}
    - supplier: Meridian
      number: M-7
      date: 2026-11-20
      valid_until: 2026-12-15
      fleet: own
      items:
        - {item: HGX H200, quantity: 4, price: 350000 USD, carries: system}
        - {item: Network, quantity: 1, price: 60000 USD, carries: network}
  award: {own: N-118}
fleets:
  - {id: own, buy: {system: hgx-h200-srv, warranty: 3 yr}, precision: fp8, count: 4}
  - {id: cloud, rent: {offer: runpod-h100-sxm-ondemand, gpus: 8}, precision: fp8}
"""


def changed(*pairs: tuple[str, str]) -> str:
    """The text with each first part replaced by the second; every first part must be there."""
    text = TEXT
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return text


def ran(*pairs: tuple[str, str]) -> Result:
    """The changed scenario, computed."""
    return loads(changed(*pairs)).run()
