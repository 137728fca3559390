"""A small scenario of four fleets, with what a test adds to it."""

from tco.session import loads

TEXT = """format: 1
title: A small one
as_of: 2026-11-01
currency: USD
timeline: {start: 2027-01, horizon: 3 yr, step: year}
workload:
  kind: inference
  model: llama-3.3-70b
  requests: %(requests)s
  peak_to_mean: 4
  input: 1500 token/request
  output: 350 token/request
  target: {per_token: %(target)s}
electricity: {price: %(power)s}
cooling: {kind: air, pue: 1.4}
pricing:
  residual: {after: [1 yr, 2 yr, 3 yr], share: [60 %%, 40 %%, 20 %%]}
  staff: {cost: 160000 USD/person/yr, systems_per_person: 40 system/person}
finance: {discount_rate: 8 %%}
%(analysis)sfleets:
  - {id: own, buy: {system: hgx-h200-srv, price: %(price)s}, precision: fp8}
  - {id: twin, buy: {system: hgx-h200-srv, price: 310000 USD/system}, precision: fp8}
  - {id: cloud, rent: {offer: runpod-h100-sxm-ondemand, gpus: 8}, precision: fp8}
  - {id: api, api: {offer: together-llama-3.3-70b}}
"""
PLAIN = {
    "requests": "0.9 Mrequest/month", "target": "50 ms/token", "power": "0.12 USD/kWh", "analysis": "",
    "price": "310000 USD/system",
}  # fmt: skip


def scenario(analysis="", **parts):
    """The text with other parts, read; `analysis` is one flow mapping."""
    return loads(text(analysis, **parts), "s.yaml")


def text(analysis="", **parts):
    told = {**PLAIN, **parts, "analysis": f"analysis: {analysis}\n" if analysis else ""}
    return TEXT % told
