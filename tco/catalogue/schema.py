"""What a catalogue file may hold: the texts of each kind, and its figures with their units."""

from __future__ import annotations

COLUMNS = ("id", "figure", "value", "low", "high", "unit", "as_of", "source", "status", "note")

OFFER_TEXTS = ("provider", "provider_kind")

TEXTS: dict[str, tuple[str, ...]] = {
    "accelerators": (
        "name", "vendor", "tier", "memory_type", "ecc", "memory_label", "form_factor", "interconnect", "cooling",
        "software", "frameworks", "precisions", "software_family", "release_date", "price_includes", "hardware_class",
    ),
    "systems": (
        "name", "vendor", "tier", "gpu", "cpu", "network", "cooling", "price_includes", "includes", "desk_side",
    ),
    "models": ("name", "developer", "attention", "release", "dtype", "moe"),
    "rentals": (*OFFER_TEXTS, "gpu", "instance", "region", "pricing"),
    "apis": (*OFFER_TEXTS, "model", "model_name"),
    "facility": ("category", "item"),
    "electricity": ("kind", "region", "sector"),
    "software": ("platform", "first_version", "last_version", "operating_systems", "weights_only", "weights_only_vllm"),
    "efficiency": (),
}  # fmt: skip

PER_TOKEN = "USD/Mtoken"

# A kind without a line here has figures of any name and any readable unit.
FIGURES: dict[str, dict[str, str]] = {
    "accelerators": {
        "gpu_memory": "GiB/gpu",
        "gpu_bandwidth": "GB/s/gpu",
        **{f"rate_{precision}": "TFLOP/s/gpu" for precision in ("fp32", "tf32", "bf16", "fp8", "fp4", "int8")},
        "gpu_power": "W/gpu",
        "gpu_idle_power": "W/gpu",
        "link_bandwidth": "GB/s/gpu",
        **dict.fromkeys(("compute_slices", "memory_slices"), ""),
        "gpu_price": "USD/gpu",
    },
    "systems": {
        "gpus_per_system": "gpu/system",
        "host_memory": "GB/system",
        "system_power": "kW/system",
        "system_price": "USD/system",
        "rack_units": "U/system",
        "warranty": "yr",
        "system_weight": "kg/system",
    },
    "models": {
        "parameters": "Gparameter",
        "active_parameters": "Gparameter",
        "layers": "layer",
        **dict.fromkeys(("hidden_size", "heads", "kv_heads", "head_dim"), ""),
        "kv_elements": "element/token",
        "window_elements": "element/token",
        "attention_window": "token",
        "kv_shards": "",
        "context": "token",
        **dict.fromkeys(("experts", "experts_per_token", "vocabulary", "embedding_tables"), ""),
        "feed_forward_width": "element/token",
    },
    "rentals": {
        "gpu_hour_price": "USD/gpu/h",
        "gpus_per_system": "gpu/system",
        "rent_term": "yr",
        "upfront_share": "%",
    },
    "apis": {
        "input_price": PER_TOKEN,
        "output_price": PER_TOKEN,
        "cached_input_price": PER_TOKEN,
        "cache_write_price": PER_TOKEN,
        "batch_input_price": PER_TOKEN,
        "batch_output_price": PER_TOKEN,
        "long_context": "token",
        "long_input_price": PER_TOKEN,
        "long_output_price": PER_TOKEN,
        "context": "token",
    },
}

KINDS: tuple[str, ...] = tuple(TEXTS)
