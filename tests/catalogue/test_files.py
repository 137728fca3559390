"""The shipped files: every row loads, units are the contract's, references hold, and figures equal what was read."""

from __future__ import annotations

import csv
import importlib.resources
import re

import pytest

from tco.catalogue import KINDS, Catalogue, catalogue, first_day
from tco.catalogue.schema import FIGURES, TEXTS
from tco.errors import CatalogueError
from tco.figures import STATUSES

COUNTS = {
    "accelerators": 63,
    "systems": 50,
    "models": 61,
    "apis": 94,
    "facility": 273,
    "electricity": 308,
    "rentals": 326,  # 354 usable price rows, of which 28 are older readings of the same offer
}

INCLUDES = {
    "accelerators",
    "host",
    "network_cards",
    "scale_up_network",
    "scale_out_network",
    "rack",
    "power_distribution",
    "support",
    "storage",
    "liquid_cooling",
    "facility",
}


def value(kind: str, entry: str, figure: str) -> object:
    return catalogue().find(kind, entry).figures[figure].value


@pytest.mark.parametrize(("kind", "count"), COUNTS.items())
def test_every_row_of_a_file_loads(kind: str, count: int):
    entries = catalogue().entries(kind)
    assert len(entries) == count
    assert len({entry.id for entry in entries}) == count
    assert all(re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9.-]*", entry.id) for entry in entries)


@pytest.mark.parametrize("kind", FIGURES)
def test_units_are_those_of_the_contract(kind: str):
    for entry in catalogue().entries(kind):
        assert {name: figure.unit for name, figure in entry.figures.items()} == {
            name: FIGURES[kind][name] for name in entry.figures
        }, entry.id


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "efficiency"])
def test_every_figure_tells_its_story(kind: str):
    for entry in catalogue().entries(kind):
        for name, figure in entry.figures.items():
            place = f"{kind}/{entry.id} {name}"
            assert isinstance(figure.value, float), place
            assert figure.low is None or figure.low <= figure.value, place
            assert figure.high is None or figure.value <= figure.high, place
            assert figure.status in STATUSES, place
            assert first_day(figure.as_of), place
            assert figure.source, place
            assert figure.origin == f"catalogue {kind}/{entry.id}"


@pytest.mark.parametrize("kind", ["systems", "rentals", "apis", "models", "accelerators"])
def test_a_price_is_never_zero(kind: str):
    for entry in catalogue().entries(kind):
        prices = {name: figure.value for name, figure in entry.figures.items() if name.endswith("price")}
        assert 0 not in prices.values(), entry.id


def test_systems_and_rentals_name_accelerators_of_the_catalogue():
    known = {entry.id for entry in catalogue().entries("accelerators")}
    assert {entry.texts["gpu"] for kind in ("systems", "rentals") for entry in catalogue().entries(kind)} <= known


def test_apis_name_models_of_the_catalogue_or_none():
    known = {entry.id for entry in catalogue().entries("models")}
    named = [entry.texts["model"] for entry in catalogue().entries("apis") if "model" in entry.texts]
    assert set(named) <= known
    assert len(named) == 94 - 38  # 33 of closed models, 3 of Mistral and 2 of Amazon models that have no entry


def test_groups_are_those_with_efficiencies():
    known = {entry.id for entry in catalogue().entries("efficiency")}
    for entry in catalogue().entries("accelerators"):
        assert entry.texts["hardware_class"] == "other" or f"hardware-{entry.texts['hardware_class']}" in known


def test_whether_memory_corrects_errors_is_yes_or_no_where_it_is_known():
    known = {entry.id: entry.texts["ecc"] for entry in catalogue().entries("accelerators") if "ecc" in entry.texts}
    assert set(known.values()) == {"yes", "no"}
    assert (known["rtx-5090"], known["h100-sxm"]) == ("no", "yes")
    assert "dgx-spark" not in known


# Ids that the example scenario uses.
@pytest.mark.parametrize(
    ("kind", "entry"),
    [
        *(("systems", entry) for entry in ("ws-4x5090", "ws-4xpro6000-maxq", "srv-8xl40s", "hgx-h200-srv")),
        *(("systems", entry) for entry in ("gb300-nvl72", "furiosa-ngx")),
        *(("rentals", entry) for entry in ("runpod-h100-sxm-ondemand", "aws-p5en-1yr")),
        ("apis", "together-llama-3.3-70b"),
        ("models", "llama-3.3-70b"),
    ],
)
def test_ids_of_the_example_scenario_exist(kind: str, entry: str):
    assert catalogue().find(kind, entry).id == entry


# Read in the handed tables (wide files and chosen evidence rows), by hand.
@pytest.mark.parametrize(
    ("kind", "entry", "figure", "expected"),
    [
        ("accelerators", "h100-sxm", "gpu_memory", 79.65),  # driver output, label 80
        ("accelerators", "h200-sxm", "gpu_memory", 140.40),
        ("accelerators", "b300", "rate_fp4", 13500),  # 108 PFLOPS per board / 8
        ("accelerators", "gaudi3", "rate_bf16", 1678),  # shipped clock of 1.6 GHz
        ("accelerators", "rtx-5090", "gpu_price", 3200),
        ("accelerators", "mi355x", "link_bandwidth", 1075),  # 7 x 153.6
        ("accelerators", "furiosa-rngd", "gpu_idle_power", 40),
        ("accelerators", "dgx-spark", "gpu_power", 140),  # the SoC, not the power supply
        ("systems", "hgx-h200-srv", "system_price", 312667),  # 39,083.38 x 8
        ("systems", "gb200-nvl72", "system_power", 132),
        ("systems", "gb300-nvl72", "gpus_per_system", 72),
        ("systems", "dgx-b300", "system_price", 615000),  # list of 2026-09
        ("systems", "srv-8xl40s", "system_power", 4.2),
        ("rentals", "aws-p5en-1yr", "gpu_hour_price", 4.9846),  # 39.87648 / 8
        ("rentals", "aws-p5-ondemand", "gpu_hour_price", 6.88),
        ("rentals", "runpod-h100-sxm-ondemand", "gpu_hour_price", 2.73),  # 2026-05-10
        ("rentals", "verda-h100-sxm-ondemand", "gpu_hour_price", 3.555),  # 2026-09-27
        ("rentals", "latitude-b300-1yr", "upfront_share", 100),  # prepaid
        ("apis", "together-llama-3.3-70b", "input_price", 0.88),
        ("apis", "openai-gpt-5.5", "long_output_price", 45),
        ("apis", "anthropic-claude-opus-5", "cache_write_price", 6.25),
        ("models", "llama-3.3-70b", "parameters", 70.55),
        ("models", "gpt-oss-120b", "attention_window", 128),
        ("facility", "F001", "value", 1.54),  # survey of 2025
        ("facility", "F058", "value", 11.7),  # million USD per MW
        ("facility", "F219", "value", 0.0065),  # 6.5 failures per 1,000 node-days
        ("electricity", "E001", "value", 0.0691),  # US industrial, 2015
        ("electricity", "E234", "value", 16.692),  # OpenEI example, first 100 kW
    ],
)
def test_figures_equal_what_was_read(kind: str, entry: str, figure: str, expected: float):
    assert value(kind, entry, figure) == expected


# 16-bit KV bytes per token of the full-attention layers, as published with the configs, halved.
@pytest.mark.parametrize(
    ("model", "elements", "window", "shards"),
    [
        ("llama-3.3-70b", 327680 / 2, None, 8),  # 2 x 8 heads x 128 x 80 layers
        ("deepseek-v3", 70272 / 2, None, 1024),  # (512 + 64) x 61 layers
        ("gpt-oss-120b", 36864 / 2, 18 * 2 * 8 * 64, 8),
        ("gemma-3-27b", 81920 / 2, 52 * 2 * 16 * 128, 16),
        ("gemma-4-26b-a4b", 20480 / 2, 25 * 2 * 8 * 256, 2),  # 5 global layers of 2 heads of 512
        ("mimo-v2-flash", 23040 / 2, 39 * 8 * (192 + 128), 4),  # keys of 192, values of 128
        ("kimi-k3", 27648 / 2, None, 1024),  # 24 MLA layers
        ("qwen3.5-27b", 65536 / 2, None, 4),
        ("deepseek-v4-flash", 5872 / 2, 43 * 512, 1024),
    ],
)
def test_cache_elements_follow_the_architecture(model: str, elements: float, window: float | None, shards: int):
    figures = catalogue().find("models", model).figures
    assert figures["kv_elements"].value == elements
    assert (figures["window_elements"].value if window else figures.get("window_elements")) == window
    assert figures["kv_shards"].value == shards


def test_a_window_has_elements_and_a_length():
    for entry in catalogue().entries("models"):
        assert ("window_elements" in entry.figures) == ("attention_window" in entry.figures), entry.id


def test_dense_models_have_one_expert_and_all_parameters_active():
    for entry in catalogue().entries("models"):
        if entry.texts["moe"] == "no":
            assert entry.figures["experts"].value == entry.figures["experts_per_token"].value == 1
            assert entry.figures["active_parameters"].value == entry.figures["parameters"].value


def test_what_a_part_runs_has_a_rate():
    """The int4 of Furiosa is taken at the bf16 rate; the MI350P has no published rates."""
    for entry in catalogue().entries("accelerators"):
        for precision in entry.texts.get("precisions", "").split():
            rate = "bf16" if precision in ("fp16", "int4") else precision
            assert f"rate_{rate}" in entry.figures or entry.id == "mi350p", (entry.id, precision)


def test_parts_do_not_run_what_they_lack():
    precisions = {entry.id: entry.texts.get("precisions", "").split() for entry in catalogue().entries("accelerators")}
    assert "fp8" not in precisions["a100-sxm-80"] + precisions["rtx-3090"] + precisions["tpu-v6e"]
    assert "fp4" not in precisions["h200-sxm"] + precisions["rtx-4090"] + precisions["mi300x"]
    assert "fp4" in precisions["b200"]
    assert [part for part, words in precisions.items() if "int4" in words] == ["furiosa-rngd"]


def test_parts_that_an_open_engine_serves_have_a_family_of_software():
    known = {entry.id: entry for entry in catalogue().entries("software")}
    for entry in catalogue().entries("accelerators"):
        served = set(entry.texts.get("frameworks", "").split()) - {"vendor-sdk"}
        assert (entry.texts.get("software_family") in known) == bool(served) or entry.id == "rubin-cpx", entry.id


def test_a_part_does_not_compute_in_what_only_holds_its_weights():
    for entry in catalogue().entries("accelerators"):
        family = catalogue().get("software", entry.texts.get("software_family", ""))
        held = [family.texts.get(name, "") for name in ("weights_only", "weights_only_vllm")] if family else []
        assert not set(" ".join(held).split()) & set(entry.texts.get("precisions", "").split()), entry.id
        assert not any(held) or "rate_bf16" in entry.figures or entry.id in ("mi350p", "rubin-cpx"), entry.id


def test_what_is_unknown_is_not_there():
    assert "gpu_memory" not in catalogue().find("accelerators", "rubin-vr200").figures
    assert "system_price" not in catalogue().find("systems", "positron-atlas").figures
    assert "active_parameters" not in catalogue().find("models", "kimi-k3").figures
    assert "value" not in catalogue().find("facility", "F082").figures  # an advice, not a number


def test_systems_say_what_their_price_holds():
    for entry in catalogue().entries("systems"):
        assert ("includes" in entry.texts) == ("system_price" in entry.figures), entry.id
        words = entry.texts.get("includes", "").split()
        assert set(words) <= INCLUDES
        assert ("rack" in words) == entry.id.endswith("nvl72")
    assert "support" in catalogue().find("systems", "dgx-b200").texts["includes"]


def test_desk_side_systems_have_no_rack_units():
    desk_side = {entry.id for entry in catalogue().entries("systems") if entry.texts["desk_side"] == "yes"}
    assert "ws-4x5090" in desk_side
    assert "srv-8xb60" not in desk_side
    assert all("rack_units" not in catalogue().find("systems", entry).figures for entry in desk_side)


def test_reserved_offers_say_term_and_payment():
    for entry in catalogue().entries("rentals"):
        reserved = entry.texts["pricing"] == "reserved"
        assert ("upfront_share" in entry.figures) == reserved, entry.id
        assert not reserved or "rent_term" in entry.figures
        assert (entry.texts["provider_kind"] == "index") == (entry.texts["pricing"] == "index")


def test_older_readings_of_an_offer_stand_in_its_note():
    price = catalogue().find("rentals", "verda-b200-ondemand").figures["gpu_hour_price"]
    assert (price.value, price.as_of) == (6.85, "2026-09-27")
    assert "earlier: 4.89 on 2026" in price.note


def test_an_offer_without_a_size_is_taken_as_one_gpu_and_says_so():
    size = catalogue().find("rentals", "oracle-h100-sxm-ondemand").figures["gpus_per_system"]
    assert (size.value, size.status) == (1, "default")


def test_seen_prices_are_street_for_hardware_and_list_for_offers():
    assert catalogue().find("systems", "hgx-h200-srv").figures["system_price"].status == "street"
    assert catalogue().find("accelerators", "h100-sxm").figures["gpu_bandwidth"].status == "list"
    assert catalogue().find("rentals", "aws-p5en-1yr").figures["gpu_hour_price"].status == "list"
    assert catalogue().find("systems", "ws-4x5090").figures["system_price"].status == "recalled"


def test_sources_have_addresses():
    text = importlib.resources.files("tco.catalogue").joinpath("sources.csv").read_text("utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    assert {tuple(row) for row in rows} == {("source", "address")}
    assert all(row["address"].startswith("https://") for row in rows)


def test_find_hints_at_the_nearest_id():
    with pytest.raises(CatalogueError, match=r"`hgx-h200-server` is not among the 50 systems .*mean `hgx-h200-srv`"):
        catalogue().find("systems", "hgx-h200-server")


def test_find_hints_at_the_nearest_kind():
    with pytest.raises(CatalogueError, match=r"`system` is not a kind of the catalogue; did you mean `systems`"):
        catalogue().find("system", "hgx-h200-srv")


def test_the_version_is_that_of_the_files():
    folder = importlib.resources.files("tco.catalogue")
    assert re.fullmatch("[0-9a-f]{12}", catalogue().version)
    assert Catalogue(folder).version == catalogue().version


def test_texts_are_known():
    for kind, known in TEXTS.items():
        for entry in catalogue().entries(kind):
            assert set(entry.texts) <= set(known)
