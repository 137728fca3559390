"""Scenarios that differ in three numbers: requests, input, electricity price."""

THREE_FLEETS = """format: 1
title: one of many
as_of: 2026-11-01
currency: USD
timeline: {start: 2027-01, horizon: 5 yr, step: year}
workload:
  kind: inference
  model: llama-3.3-70b
  requests: %d request/month
  peak_to_mean: 4
  input: %d token/request
  output: 350 token/request
electricity: {price: %g USD/kWh}
cooling: {kind: air, pue: 1.4}
finance: {discount_rate: 8 %%}
fleets:
  - {id: own, buy: {system: hgx-h200-srv}, precision: fp8}
  - {id: cloud, rent: {offer: runpod-h100-sxm-ondemand, gpus: 8}, precision: fp8}
  - {id: api, api: {offer: together-llama-3.3-70b}}
"""
