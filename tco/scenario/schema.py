"""The scenario file: what a user writes. Each leaf names the input it feeds.

Sections that a fleet may state for itself (`electricity`, `cooling`, `pricing`, `reliability`) are
the same there as at the top; the fleet's own value wins.
"""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from tco.figures import Figure
from tco.scenario.analysis_schema import Analysis
from tco.scenario.fields import (
    CatalogueId,
    Day,
    FigureLeaf,
    FileName,
    FleetId,
    LongText,
    Month,
    Section,
    Several,
    Text,
    figure,
    series,
    table,
)
from tco.scenario.mix_schema import Mix
from tco.scenario.plant_schema import Plant
from tco.scenario.quote_schema import Quotes
from tco.scenario.request_schema import Request
from tco.scenario.tariff_schema import Meter, Ratchet, Tariff

Precision = Literal["fp32", "bf16", "fp16", "fp8", "int8", "fp4", "int4"]
Optimizer = Literal[
    "adamw_mixed", "adamw_fp32_grads", "adamw_fp32", "adamw_bf16", "adamw_bf16_fused", "adamw_8bit",
    "adamw_8bit_fused", "adamw_8bit_mixed", "sgd", "sgd_momentum",
]  # fmt: skip
Tier = Literal["consumer", "workstation", "datacenter", "platform", "inference", "cloud", "api"]
FREE = "a zero price is an error: leave the key out, or declare the hardware `sunk` with the reason"
ABSENT: Any = None
"""One of two keys is given; whoever computes has a scenario in which it is this one."""
AnyFigure = Annotated[Figure, FigureLeaf(None, series=True)]
ClassRate = Annotated[Figure, FigureLeaf("request/s/system", above=0, example="2 request/s/system")]
ServedShare = Annotated[Figure, FigureLeaf("%", minimum=0, maximum=100, series=True, table_from="yr")]
Rate = Annotated[Figure, FigureLeaf(None, series=True, table_from="yr", columns=("after", "rate"))]


class Timeline(Section):
    """From when, for how long, in which steps."""

    start: Month
    horizon: Figure = figure("yr", above=0, maximum=40, required=True, description="how long", example="4 yr")
    step: Literal["month", "quarter", "year"] = "quarter"
    fiscal_year_start: int = 1


class Target(Section):
    """What a user of the service must get; a fleet that cannot is too slow."""

    first_token: Figure | None = figure("s", "first_token_target", above=0, example="2 s")
    per_token: Figure | None = figure("ms/token", "per_token_target", above=0, example="50 ms/token")
    percentile: Figure | None = figure("1", above=0, maximum=100, description="which requests the figures hold for")


class Lost(Section):
    """Requests whose tokens are not useful, and those sent again."""

    failed: Figure | None = figure("%", "failed_share", minimum=0, maximum=100)
    retried: Figure | None = figure("%", "retried_share", minimum=0)
    aborted: Figure | None = figure("%", "aborted_share", minimum=0, maximum=100)


class RequestClass(Section):
    """Requests of one kind; the shares of all classes add up to 100 %."""

    id: FleetId | None = None
    share: Figure = figure("%", above=0, maximum=100, required=True)
    input: Figure = figure("token/request", minimum=0, maximum=1e8, required=True)
    output: Figure = figure("token/request", above=0, maximum=1e8, required=True)
    reasoning: Figure | None = figure("token/request", minimum=0, maximum=1e8)


class Workload(Section):
    """The work, equal for all fleets."""

    kind: Literal["inference", "training", "finetune"]
    model: CatalogueId | None = None
    requests: Figure | None = figure("request/month", "requests", above=0, maximum=1e18, example="0.9 Mrequest/month")
    growth: Figure | None = figure("1/yr", "demand_growth", minimum=-0.99, maximum=100)
    ramp: Figure | None = figure("%", minimum=0, maximum=100, series=True, single=False, table_from="yr",
                                 description="share of the demand that is there, by period or time")  # fmt: skip
    peak_to_mean: Figure | None = figure("1", "peak_to_mean", minimum=1, maximum=1e4)
    input: Figure | None = figure("token/request", "input_tokens", minimum=0, maximum=1e8, example="1500 token/request")
    output: Figure | None = figure("token/request", "output_tokens", above=0, maximum=1e8, example="350 token/request")
    reasoning: Figure | None = figure("token/request", "reasoning_tokens", minimum=0, maximum=1e8)
    classes: Several[RequestClass] = ()
    profile: Figure | None = series("1", minimum=0, description="load by hour, of a day (24) or a week (168)")
    prefix_cache_hit: Figure | None = figure("%", "prefix_cache_hit", minimum=0, maximum=100)
    accepted_drafts: Figure | None = figure("%", "accepted_chance", minimum=0, maximum=99)
    lost: Lost | None = None
    target: Target | None = None
    tokens: Figure | None = figure("token", "training_tokens", above=0, example="15 Ttoken")
    batch: Figure | None = figure("token/step", "batch_tokens", above=0, example="4 Mtoken/step")
    sequence: Figure | None = figure("token", "sequence_length", above=0, example="8192 token")
    runs: Figure | None = figure("run/yr", "runs", above=0, example="2 run/yr")
    jobs: Figure | None = figure("run/yr", "runs", above=0, example="20 job/month")
    experiments: Figure | None = figure("%", "experiments_share", minimum=0, maximum=99)
    deadline: Figure | None = figure("yr", "deadline", above=0, example="90 day")
    method: Literal["full", "lora", "qlora"] | None = None
    rank: Figure | None = figure("1", above=0, maximum=65536, whole=True, description="rank of the adapters")
    adapters: Literal["attention", "all"] | None = None
    optimizer: Optimizer | None = None
    dataset: Figure | None = figure("token", "dataset_tokens", above=0, example="50 Mtoken")
    epochs: Figure | None = figure("1", "epochs", above=0)


class Utilization(Section):
    """How full fleets are planned."""

    planning_ceiling: Figure | None = figure("%", "planning_ceiling", above=0, maximum=100)


class Electricity(Section):
    """What power costs and emits."""

    price: Figure | None = figure("money/kWh", "electricity_price", above=0, hint=FREE, series=True,
                                   example="0.12 USD/kWh")  # fmt: skip
    rate: CatalogueId | None = None
    escalation: Figure | None = figure("1/yr", "electricity_escalation", series=True, minimum=-0.5, maximum=1)
    demand_charge: Figure | None = figure("money/kW/month", "demand_charge", minimum=0, example="14 USD/kW/month")
    fixed_charge: Figure | None = figure("money/month", "fixed_charge", minimum=0)
    minimum_charge: Figure | None = figure("money/month", "minimum_charge", minimum=0)
    contracted_power: Figure | None = figure("kW", "minimum_demand", above=0)
    ratchet: Ratchet | None = None
    earlier_peaks: Figure | None = series("kW", minimum=0, description="peaks of the months before, the last one last")
    tariff: Tariff | None = None
    meter: Meter | None = None
    carbon_intensity: Figure | None = figure("gCO2e/kWh", "carbon_intensity", minimum=0, series=True,
                                              example="370 gCO2e/kWh")  # fmt: skip
    grid: CatalogueId | None = None
    carbon_price: Figure | None = figure("money/tCO2e", "carbon_price", minimum=0, series=True)


class Cooling(Section):
    """How heat leaves. `none` is a machine beside a desk."""

    kind: Literal["air", "in_row", "rear_door", "liquid", "immersion", "none"] | None = None
    pue: Figure | None = figure("1", "pue", minimum=1, maximum=5, example="1.35")
    fixed_share: Figure | None = figure("%", "fixed_overhead_share", minimum=0, maximum=100, example="40 %")
    weather: FileName | None = None
    plant: Plant | None = None
    retrofit: Figure | None = figure("money/kW", "retrofit_price", minimum=0)
    water_use: Figure | None = figure("l/kWh", "water_use", minimum=0, series=True)
    water_price: Figure | None = figure("money/m3", "water_price", minimum=0, series=True)


class Site(Section):
    """What the site can carry, the budget and the market allow; a fleet beyond it exceeds a limit."""

    power_limit: Figure | None = figure("kW", "power_limit", above=0)
    rack_limit: Figure | None = figure("rack", "rack_limit", minimum=0)
    rack_height: Figure | None = figure("U/rack", "rack_height", above=0)
    rack_power: Figure | None = figure("kW/rack", "rack_power_limit", above=0, example="40 kW/rack")
    floor_load: Figure | None = figure("kg/m2", "floor_limit", above=0, example="1200 kg/m2")
    rack_weight: Figure | None = figure("kg/rack", "rack_weight", minimum=0)
    rack_footprint: Figure | None = figure("m2/rack", "rack_footprint", minimum=0.01, maximum=100)
    budget: Figure | None = figure("money", "budget", above=0, example="5 MUSD")
    supply: Figure | None = figure("gpu", "gpu_supply", above=0)


class Staff(Section):
    """People who operate owned and leased systems."""

    cost: Figure = figure("money/person/yr", "staff_price", above=0, required=True)
    systems_per_person: Figure = figure("system/person", "systems_per_person", above=0, required=True)


class Colocation(Section):
    """Space and power by contract; the contract says whether electricity is in the rent."""

    rent: Figure = figure("money/kW/month", "colocation_price", above=0, required=True)
    includes_electricity: bool


class Porting(Section):
    """Engineering that a part needs before and while it does the work."""

    framework: Text | None = None
    once: Figure | None = figure("money", "porting_price", minimum=0)
    yearly: Figure | None = figure("money/yr", "porting_upkeep", minimum=0)


class Pricing(Section):
    """Prices and trends beside those of the hardware itself. What is not stated is left out, and said so."""

    hardware_trend: Figure | None = figure("1/yr", "hardware_trend", series=True, minimum=-0.9, maximum=1)
    rental_trend: Figure | None = figure("1/yr", "rent_trend", series=True, minimum=-0.9, maximum=1)
    api_trend: Figure | None = figure("1/yr", "api_trend", series=True, minimum=-0.99, maximum=1)
    inflation: Figure | None = figure("1/yr", "inflation", series=True, minimum=-0.5, maximum=1)
    wage_growth: Figure | None = figure("1/yr", "wage_growth", series=True, minimum=-0.5, maximum=1)
    residual: Figure | None = table("%", minimum=0, maximum=100, description="share of the price at resale by age")
    network: Figure | None = figure("money/gpu", "network_price", above=0, hint=FREE)
    storage: Figure | None = figure("money/system", "storage_price", above=0, hint=FREE)
    management: Figure | None = figure("money/system", "management_price", above=0, hint=FREE)
    racks: Figure | None = figure("money/system", "rack_price", above=0, hint=FREE)
    freight: Figure | None = figure("%", "freight_share", minimum=0)
    duty: Figure | None = figure("%", "duty_share", minimum=0)
    sales_tax: Figure | None = figure("%", "sales_tax_share", minimum=0)
    installation: Figure | None = figure("%", "installation_share", minimum=0)
    spare_parts: Figure | None = figure("%", "spares_share", minimum=0)
    contingency: Figure | None = figure("%", "contingency_share", minimum=0)
    fit_out: Figure | None = figure("money/kW", "fit_out_price", above=0, hint=FREE)
    colocation: Colocation | None = None
    maintenance: Figure | None = figure("1/yr", "maintenance_share", minimum=0, maximum=1)
    support: Figure | None = figure("money/gpu/yr", "support_price", above=0, hint=FREE)
    repair: Figure | None = figure("money", "repair_price", above=0, hint=FREE)
    licences: Figure | None = figure("money/gpu/yr", "licence_price", above=0, hint=FREE)
    software: Figure | None = figure("money/system", "bought_software_price", above=0, hint=FREE)
    porting: Porting | None = None
    staff: Staff | None = None
    security: Figure | None = figure("money/yr", "security_price", above=0, hint=FREE)
    insurance: Figure | None = figure("1/yr", "insurance_share", minimum=0, maximum=1)
    property_tax: Figure | None = figure("1/yr", "property_tax_share", minimum=0, maximum=1)
    decommissioning: Figure | None = figure("money/system", "decommissioning_price", minimum=0)


class Cost(Section):
    """A cost that no other key holds: once, by time, system, GPU, power, energy or use, as its unit says."""

    name: Text
    amount: Figure = figure(None, required=True, description="an amount with its unit", example="1200 USD/month")
    part_of: Literal[
        "capital_cost", "energy_cost", "site_cost", "maintenance_cost", "software_cost", "people_cost", "rent_cost",
        "api_cost",
    ]  # fmt: skip
    growth: Figure | None = figure("1/yr", minimum=-0.9, maximum=10, description="else that of inflation")
    month: Month | None = None


class Reliability(Section):
    """What breaks, and what it takes."""

    downtime: Figure | None = figure("%", "stated_downtime", minimum=0, maximum=99)
    failure_rate: Figure | None = figure("1/gpu/yr", "failure_rate", minimum=0, example="0.06 1/gpu/yr")
    host_failure_rate: Figure | None = figure("1/system/yr", "host_failure_rate", minimum=0)
    repair_time: Figure | None = figure("h", "repair_time", minimum=0)
    spares: Figure | None = figure("system", "spare_systems", minimum=0, maximum=1e7, whole=True)
    goodput: Figure | None = figure("%", "goodput_share", above=0, maximum=100)
    software_failure_rate: Figure | None = figure("1/gpu/yr", "software_failure_rate", minimum=0)
    run_failure_rate: Figure | None = figure("1/day", "run_failure_rate", minimum=0, example="0.2 1/day")
    silent_error_rate: Figure | None = figure("1/gpu/yr", "silent_error_rate", minimum=0)
    silent_error_delay: Figure | None = figure("h", "silent_error_delay", minimum=0)
    repeated_runs: Figure | None = figure("%", "repeated_share", minimum=0, maximum=99)
    detection_time: Figure | None = figure("h", "detection_time", minimum=0)
    restart_time: Figure | None = figure("h", "restart_time", minimum=0)
    checkpoint_time: Figure | None = figure("h", "checkpoint_time", above=0)
    checkpoint_bandwidth: Figure | None = figure("GB/s", "checkpoint_bandwidth", above=0)
    checkpoint_interval: Figure | None = figure("h", "stated_interval", above=0, example="30 min")


class Depreciation(Section):
    """How capital is written off for tax. What is expensed comes first, then the bonus, then the method."""

    method: Literal["straight_line", "declining_balance", "macrs", "table"]
    life: Figure | None = figure("yr", above=0, maximum=50, example="5 yr")
    factor: Figure | None = figure("1", above=0, maximum=10, example="2")
    to_straight_line: bool | None = None
    salvage: Figure | None = figure("%", above=0, maximum=99, example="10 %")
    convention: Literal["by_rule", "half_year", "mid_quarter"] | None = None
    shares: Figure | None = series("%", description="written off in each tax year, that of the purchase first")
    expensing: Figure | None = figure("money", "expensing_limit", above=0)
    bonus: Figure | None = figure("%", "bonus_share", above=0, maximum=100)


class Finance(Section):
    """Rates, tax and the fleet that others are measured against."""

    discount_rate: Figure = figure("1/yr", "discount_rate", minimum=-0.5, maximum=1, required=True)
    discount_rate_is: Literal["nominal", "real"] = "nominal"
    discounting: Literal["end", "middle", "start"] = "middle"
    day_count: Literal["periods", "act365f"] = "periods"
    basis: Literal["pre_tax", "after_tax"] = "pre_tax"
    tax_rate: Figure | None = figure("%", "tax_rate", minimum=0, maximum=100)
    depreciation: Depreciation | None = None
    tax_losses: Literal["refund", "carry_forward"] = "refund"
    income: Figure | None = figure("money/yr", "income_rate", above=0, example="2000000 USD/yr")
    income_per_token: Figure | None = figure("money/Mtoken", "income_price", above=0, example="0.8 USD/Mtoken")
    loss_limit: Figure | None = figure("%", "loss_limit_share", minimum=0, maximum=100)
    reference: FleetId | None = None
    reinvestment_rate: Figure | None = figure("1/yr", minimum=-0.5, maximum=1, example="8 %")
    stale_after: Figure | None = figure("day", above=0, description="age at which a price counts as stale")


class Loan(Section):
    """Every purchase draws a loan of its own; the debt is settled when the horizon ends."""

    one_of: ClassVar = (("term", "payment"),)

    share: Figure = figure("%", "loan_share", above=0, maximum=100, required=True, example="80 %")
    rate: Figure = figure("1/yr", "loan_rate", minimum=0, maximum=1, required=True, example="7 %")
    compounding: Literal["effective", "yearly", "quarterly", "monthly"] = "effective"
    term: Figure | None = figure("yr", "loan_term", above=0, maximum=40, example="4 yr")
    payment: Figure | None = figure("money/yr", "agreed_payment_rate", above=0, example="25000 USD/month")
    payments: Literal["level", "equal_repayment", "interest_only"] = "level"
    fee: Figure | None = figure("%", "loan_fee_share", minimum=0, maximum=20)
    exit_fee: Figure | None = figure("%", "early_fee_share", minimum=0, maximum=20)


class Buy(Section):
    """Systems of one's own, paid in cash or by a loan; already paid ones are `sunk`, with the reason."""

    shorthand: ClassVar = "system"
    system: CatalogueId | None = None
    gpu: CatalogueId | None = None
    price: Figure | None = figure("money/system", "system_price", above=0, hint=FREE)
    sunk: Text | None = None
    embodied_carbon: Figure | None = figure("tCO2e/system", "system_embodied_carbon", above=0)
    embodied_life: Figure | None = figure("yr", "embodied_life", above=0)
    life: Figure | None = figure("yr", "service_life", above=0)
    lead_time: Figure | None = figure("yr", "lead_time", minimum=0, maximum=10, example="6 month")
    loan: Loan | None = None
    resale: Figure | None = figure("money/system", "resale_price", minimum=0)
    warranty: Figure | None = figure("yr", "warranty", minimum=0)


class Lease(Section):
    """Systems of a lessor."""

    system: CatalogueId | None = None
    gpu: CatalogueId | None = None
    rent: Figure = figure("money/system/month", "lease_rent", above=0, required=True, hint=FREE)
    term: Figure = figure("yr", "service_life", above=0, required=True)
    lead_time: Figure | None = figure("yr", "lead_time", minimum=0, maximum=10, example="6 month")
    payments: Literal["advance", "arrears"] | None = None
    embodied_carbon: Figure | None = figure("tCO2e/system", "system_embodied_carbon", above=0)
    embodied_life: Figure | None = figure("yr", "embodied_life", above=0)
    return_cost: Figure | None = figure("money/system", "lease_return_price", minimum=0)
    interim: Figure | None = figure("day", "interim_days", above=0, maximum=92, example="17 day")
    buyout: Figure | None = figure("money/system", "buyout_price", above=0, hint="a token price is `1 USD/system`")
    life: Figure | None = figure("yr", above=0)
    accounting: Literal["operating", "finance", "purchase"] = "operating"
    rate: Figure | None = figure("1/yr", "lease_rate", minimum=0, maximum=1)
    exit: Figure | None = figure("%", "exit_share", minimum=0, maximum=100)


class Billing(Section):
    """When a rented instance is paid: around the clock unless one of these is stated."""

    active_window: Figure | None = figure("h/day", above=0, maximum=24, example="10 h/day")
    days: Figure | None = figure("day/week", above=0, maximum=7, example="5 day/week")
    scale_to_zero: bool | None = None


class Rent(Section):
    """Instances in a cloud."""

    shorthand: ClassVar = "offer"
    offer: CatalogueId | None = None
    gpu: CatalogueId | None = None
    gpus: Figure | None = figure("gpu", above=0, maximum=1e4, whole=True, description="GPUs in one instance")
    price: Figure | None = figure("money/gpu/h", "gpu_hour_price", above=0, hint=FREE)
    term: Figure | None = figure("yr", above=0)
    upfront: Figure | None = figure("%", "upfront_share", minimum=0, maximum=100)
    billing: Billing | None = None
    exit: Figure | None = figure("%", "exit_share", minimum=0, maximum=100)
    interruption_loss: Figure | None = figure("%", "interruption_loss", minimum=0, maximum=99)
    storage: Figure | None = figure("money/month", "rented_storage_price", above=0, hint=FREE)
    egress: Figure | None = figure("money/month", "egress_price", above=0, hint=FREE)


class Api(Section):
    """Tokens bought from a provider."""

    shorthand: ClassVar = "offer"
    offer: CatalogueId | None = None
    input: Figure | None = figure("money/Mtoken", "input_price", above=0, hint=FREE)
    cached_input: Figure | None = figure("money/Mtoken", "cached_input_price", above=0, hint=FREE)
    output: Figure | None = figure("money/Mtoken", "output_price", above=0, hint=FREE)
    cache_write: Figure | None = figure("money/Mtoken", "cache_write_price", above=0, hint=FREE)
    cache_written: Figure | None = figure("%", "cache_write_share", minimum=0, maximum=100, example="10 %")
    long_context: Figure | None = figure("token", above=0, example="200000 token")
    long_input: Figure | None = figure("money/Mtoken", "long_input_price", above=0, hint=FREE)
    long_cached_input: Figure | None = figure("money/Mtoken", "long_cached_price", above=0, hint=FREE)
    long_cache_write: Figure | None = figure("money/Mtoken", "long_write_price", above=0, hint=FREE)
    long_output: Figure | None = figure("money/Mtoken", "long_output_price", above=0, hint=FREE)
    batch_share: Figure | None = figure("%", "batch_share", minimum=0, maximum=100, example="40 %")
    batch_discount: Figure | None = figure("%", "batch_discount", above=0, maximum=99, example="50 %")
    batch_input: Figure | None = figure("money/Mtoken", "batch_input_price", above=0, hint=FREE)
    batch_cached_input: Figure | None = figure("money/Mtoken", "batch_cached_price", above=0, hint=FREE)
    batch_output: Figure | None = figure("money/Mtoken", "batch_output_price", above=0, hint=FREE)
    requests_per_minute: Figure | None = figure("request/min", "request_limit", above=0, example="4000 request/min")
    tokens_per_minute: Figure | None = figure("Mtoken/min", "token_limit", above=0, example="2 Mtoken/min")


class Measured(Section):
    """A measurement, which beats the estimate: its conditions must be those of the workload."""

    output: Figure | None = figure("token/s/system", above=0, example="5200 token/s/system")
    tokens: Figure | None = figure("token/s/gpu", above=0, example="900 token/s/gpu")
    input: Figure | None = figure("token/request", minimum=0)
    output_length: Figure | None = figure("token/request", above=0)
    concurrency: Figure | None = figure("request/system", above=0)
    classes: dict[str, ClassRate] = Field(default_factory=dict)
    precision: Precision
    source: LongText
    as_of: Day | None = None


class Speculation(Section):
    """Drafts that the model verifies, several in a step; a fleet without it decodes token by token."""

    tokens: Figure = figure("1", "drafted_tokens", above=0, maximum=64, whole=True, required=True, example="3")
    accepted: Figure | None = figure("%", "accepted_chance", minimum=0, maximum=99, example="70 %")
    accepted_of_drafted: Figure | None = figure("%", "accepted_share", minimum=0, maximum=100, example="55 %")
    draft: CatalogueId | None = None
    parameters: Figure | None = figure("Gparameter", "draft_parameters", minimum=0)
    active_parameters: Figure | None = figure("Gparameter", "draft_active_parameters", minimum=0)
    layers: Figure | None = figure("layer", "draft_layers", minimum=0, maximum=1e6, bare=True)
    cache: Figure | None = figure("element/token", "draft_kv_elements", minimum=0)


class Deployment(Section):
    """How the model is laid on the hardware; what is not stated is searched."""

    gpus_per_replica: Figure | None = figure("gpu/replica", above=0, maximum=1e4, whole=True, bare=True)
    pipeline_stages: Figure | None = figure("1", "pipeline_stages", minimum=1, maximum=1e4, whole=True)
    concurrency: Figure | None = figure("request/replica", above=0, maximum=1e6, whole=True, bare=True)
    partitions: Figure | None = figure("1", "partitions", above=0, maximum=1e4, whole=True)
    speculation: Speculation | None = None
    batch_limit: Figure | None = figure("request/replica", "batch_limit", minimum=1, maximum=1e6, whole=True, bare=True)
    shard_gpus: Figure | None = figure("gpu", above=0, maximum=1e7, whole=True)
    optimizer: Optimizer | None = None
    zero: Literal[0, 1, 2, 3] | None = None
    recompute: Literal["none", "selective", "operators", "full"] | None = None
    offload: Literal["none", "optimizer", "parameters", "activations", "all"] | None = None
    loss: Literal["plain", "shifted", "chunked", "fused"] | None = None
    attention: Literal["flash", "standard"] | None = None
    micro_batch: Figure | None = figure("1/gpu", "micro_batch", above=0, maximum=1e6, whole=True, bare=True)
    tensor_parallel: Figure | None = figure("1", "tensor_parallel", above=0, maximum=1e4, whole=True)
    pipeline_parallel: Figure | None = figure("1", "pipeline_parallel", above=0, maximum=1e4, whole=True)
    interleave: Figure | None = figure("1", "interleave", minimum=1, maximum=1e4, whole=True)
    context_parallel: Figure | None = figure("1", "context_parallel", above=0, maximum=1e4, whole=True)


class Doing(Section):
    """How a fleet does one of several workloads: what stands here wins over what the fleet says of itself."""

    precision: Precision | Several[Precision] | None = None
    framework: Text | None = None
    measured: Measured | None = None
    deployment: Deployment | None = None


class Fleet(Section):
    """One option under comparison."""

    one_of: ClassVar = (("buy", "lease", "rent", "api"),)
    id: FleetId
    name: Text | None = None
    tier: Tier | None = None
    buy: Buy | None = None
    lease: Lease | None = None
    rent: Rent | None = None
    api: Api | None = None
    model: CatalogueId | None = None
    precision: Precision | Several[Precision] | None = None
    framework: Text | None = None
    count: Figure | None = figure("system", "count", minimum=0, maximum=1e7, whole=True, series=True,
                                  table_from="yr", columns=("after", "count"))  # fmt: skip
    ramp: Figure | None = table("%", minimum=0, maximum=100, description="share of a system's capacity by its age")
    serves: dict[str, ServedShare] = Field(default_factory=dict)
    purchase: Literal["as_needed", "upfront"] = "as_needed"
    utilization: Figure | None = figure("%", "utilization_target", above=0, maximum=100)
    measured: Measured | None = None
    deployment: Deployment | None = None
    electricity: Electricity | None = None
    cooling: Cooling | None = None
    pricing: Pricing | None = None
    reliability: Reliability | None = None
    costs: Several[Cost] = ()
    inputs: dict[str, AnyFigure] = Field(default_factory=dict)
    workloads: Several[FleetId] | dict[str, Doing] | None = None

    @property
    def one_precision(self) -> Precision | None:
        """The precision, where it is one; a fleet that allows several is planned once for each."""
        return None if isinstance(self.precision, tuple) else self.precision


class Scenario(Section):
    """A question about AI compute: work, fleets, site, prices, finance and time.

    It has one `workload`, or several `workloads`: a portfolio.
    """

    one_of: ClassVar = (("workload", "workloads"),)

    format: Literal[1]
    title: Text
    as_of: Day
    currency: Text
    catalogue: FileName | None = None
    fx: dict[str, Rate] = Field(default_factory=dict)
    timeline: Timeline
    workload: Workload = Field(default=ABSENT)
    workloads: dict[str, Workload] = Field(default_factory=dict)
    utilization: Utilization | None = None
    electricity: Electricity | None = None
    cooling: Cooling | None = None
    site: Site | None = None
    pricing: Pricing | None = None
    reliability: Reliability | None = None
    costs: Several[Cost] = ()
    finance: Finance
    quotes: Quotes | None = None
    request: Request | None = None
    analysis: Analysis | None = None
    mix: Mix | None = None
    inputs: dict[str, AnyFigure] = Field(default_factory=dict)
    fleets: Several[Fleet]
    pin: dict[str, dict[str, AnyFigure]] = Field(default_factory=dict)
