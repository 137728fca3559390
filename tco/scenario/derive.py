"""Figures that follow from others: time, precision, measurements and what the user fixed."""

from __future__ import annotations

from dataclasses import replace

from tco.figures import Figure
from tco.scenario.calibrated import ONE_STREAM, engine_of
from tco.scenario.contract import contract
from tco.scenario.deployment import deployment
from tco.scenario.gather import derived, flag
from tco.scenario.jobs import training_job
from tco.scenario.measured import measured
from tco.scenario.phases import phases
from tco.scenario.place import place
from tco.scenario.plan import Context, Parts, Plan
from tco.scenario.plausible import plausible
from tco.scenario.precision import RATES, bytes_per_parameter
from tco.scenario.reliability import repairs
from tco.scenario.requests import requests
from tco.scenario.schema import Fleet
from tco.scenario.serving import serving
from tco.scenario.support import support
from tco.scenario.taxation import taxation

LATENT_PROMPT, LATENT_STEP = 3.33, 3.78
"""Of latent attention as in DeepSeek-V3: 192 and 128 wide against 192 stated; 576 and 512 against 576, twice each."""

TIMINGS = {"end": 0.0, "middle": 0.5, "start": 1.0}


def derive(context: Context, fleet: Fleet, parts: Parts, plan: Plan) -> None:
    """Add every derived figure to the plan's findings."""
    _time(context, plan)
    if plan.kind == "inference":
        requests(context, plan)
    contract(context, fleet, parts, plan)
    phases(context, fleet, plan)
    if plan.payment == "api":
        return
    _attention(parts, plan)
    if plan.kind == "inference":
        _tables(fleet, parts, plan)
    _precision(context, fleet, parts, plan)
    if plan.payment in ("buy", "lease"):
        place(context, fleet, parts, plan)
    repairs(context, plan)
    if plan.kind == "inference":
        serving(context, fleet, parts, plan)
    else:
        _trainable(context, fleet, plan)
        training_job(context, fleet, parts, plan)
    if fleet.measured:
        measured(context, fleet, fleet.measured, plan)
    plausible(context, fleet, parts, plan)
    if fleet.deployment:
        deployment(context, fleet.deployment, plan)


def _time(context: Context, plan: Plan) -> None:
    finance = context.scenario.finance
    stated = "discounting" in finance.model_fields_set
    source = f"discounting: {finance.discounting}" if stated else "middle of the period, the usual convention"
    timing = derived(TIMINGS[finance.discounting], "", source)
    plan.found.put("timing", timing if stated else replace(timing, status="default", origin="default"), shared=True)
    count = "days" if finance.day_count == "act365f" else "periods"
    plan.ways |= {"discount_opening": f"opening_by_{count}", "discount_closing": f"closing_by_{count}"}
    taxation(context, plan)


def _precision(context: Context, fleet: Fleet, parts: Parts, plan: Plan) -> None:
    """Bytes a weight, and the rate at which the part computes, if it runs the precision at all."""
    precision = fleet.one_precision
    if precision is None:
        if not {"bytes_per_parameter", "peak_rate", "software_supported"} <= set(plan.found.figures):
            words = "fp32, bf16, fp16, fp8, int8, fp4, int4"
            context.problems.add(plan.path, f"precision is missing; state one of {words}")
        return
    plan.found.put_new("bytes_per_parameter", bytes_per_parameter(precision))
    _sixteen_bit(fleet, parts, plan)
    if plan.kind == "inference":
        _engine(fleet, parts, plan)
    if parts.gpu is None:
        return
    supported, reason, weights_only = support(context, fleet, parts, plan)
    plan.found.put_new("software_supported", flag(supported, reason))
    rate, spare = parts.gpu.figures.get(RATES[precision]), parts.gpu.figures.get("rate_bf16")
    if weights_only and spare:
        plan.found.put_new("peak_rate", replace(spare, note=reason))
    elif rate is not None:
        plan.found.put_new("peak_rate", rate)
    elif not supported and spare:
        plan.found.put_new("peak_rate", replace(spare, note=f"{precision} is not supported: shown at the 16-bit rate"))


def _engine(fleet: Fleet, parts: Parts, plan: Plan) -> None:
    """Attention computes in 16 bit; an engine of one stream does so in everything, whatever holds the weights."""
    engine = engine_of(parts.gpu, fleet.framework)
    alone = engine in ONE_STREAM
    told = "as stated" if fleet.framework else "none is stated"
    words = "one stream, split by layer" if alone else "serves many at once"
    choice = flag(alone, f"engine {engine} ({told}): {words}")
    plan.found.put_new("one_stream", choice if fleet.framework else replace(choice, status="default"))
    wide = plan.found.figures.get("rate_16_bit")
    if alone and wide and fleet.one_precision != "fp32":
        plan.found.put_new("peak_rate", replace(wide, note=f"{engine} computes in 16 bit"))


def _sixteen_bit(fleet: Fleet, parts: Parts, plan: Plan) -> None:
    figures = parts.gpu.figures if parts.gpu else plan.found.figures
    peak = plan.found.figures.get("peak_rate")
    wide = figures.get("rate_bf16") or (_halved(peak, fleet.one_precision or "") if peak else None)
    if wide:
        plan.found.put_new("rate_16_bit", wide)


def _halved(peak: Figure, precision: str) -> Figure:
    """The 16-bit rate of a part of which one rate is known: half for each halving of the bits."""
    times = {"fp8": 2, "int8": 2, "fp4": 4}.get(precision, 1)
    told = f"the {precision} rate over {times}, as on parts of which both are known; or state `rate_16_bit`"
    return replace(peak, value=peak.number / times, low=None, high=None, status="estimate", source=told)


def _tables(fleet: Fleet, parts: Parts, plan: Plan) -> None:
    """Tables of the vocabulary; engines of one stream hold them as they hold the other weights."""
    if parts.model:
        figures = parts.model.figures
        rows, width, tables = (figures[name].number for name in ("vocabulary", "hidden_size", "embedding_tables"))
        told = f"vocabulary x hidden size x tables of {parts.model.id}"
        plan.found.put_new("table_parameters", derived(rows * width * tables / 1e9, "Gparameter", told))
    engine = engine_of(parts.gpu, fleet.framework)
    if engine in ONE_STREAM:
        told = f"files of {engine} hold the tables in few bits too"
        plan.found.put_new("table_bytes", derived(0.0, "byte/parameter", told))


def _attention(parts: Parts, plan: Plan) -> None:
    """FLOPs a pair of tokens: scores and values of every query head; latent attention reads its cache as it is."""
    figures = {name: figure for name, figure in plan.found.figures.items() if figure.is_one}
    elements = figures.get("kv_elements")
    heads, pairs, width = (figures.get(name) for name in ("heads", "kv_heads", "head_dim"))
    layers, hidden = (figures.get(name) for name in ("layers", "hidden_size"))
    latent = parts.model is not None and parts.model.texts.get("attention") == "mla"
    if elements and latent and heads and width and layers:
        prompt = LATENT_PROMPT * layers.number * heads.number * width.number
        step = LATENT_STEP * elements.number * heads.number
        told = "latent attention: heads x width of keys and values"
    elif elements and heads and pairs:
        prompt = step = 2 * elements.number * heads.number / pairs.number
        told = "2 x cache elements x heads / KV heads: a multiply and an add"
    elif layers and hidden:
        prompt = step = 4 * layers.number * hidden.number
        told = "4 x layers x hidden size: scores and values, a multiply and an add each"
    else:
        return
    for name, value in (("attention_flops", prompt), ("decode_attention_flops", step)):
        plan.found.put_new(name, derived(value, "FLOP/token^2", told))


def _trainable(context: Context, fleet: Fleet, plan: Plan) -> None:
    """Whole numbers hold frozen weights; what is trained needs floating point."""
    if fleet.one_precision in ("int4", "int8"):
        told = f"nothing is trained in {fleet.one_precision}; wanted bf16, fp16, fp8, fp4 or fp32"
        context.problems.add((*plan.path, "precision"), f"{told} (`method: qlora` holds frozen weights in 4 bit)")
