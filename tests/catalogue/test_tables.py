"""What the command line shows: lists of entries, and one entry in full."""

from __future__ import annotations

import pytest

from tco.catalogue import KINDS, card, catalogue, listing
from tco.errors import CatalogueError


@pytest.mark.parametrize("kind", KINDS)
def test_a_list_has_one_row_per_entry_and_the_same_columns(kind: str):
    rows = listing(kind)
    assert [row["id"] for row in rows] == [entry.id for entry in catalogue().entries(kind)]
    assert {tuple(row) for row in rows} == {tuple(rows[0])}
    assert list(rows[0])[-2:] == ["as_of", "status"]


def test_a_list_shows_key_figures_price_date_and_status():
    [row] = [row for row in listing("systems") if row["id"] == "hgx-h200-srv"]
    assert row == {
        "id": "hgx-h200-srv",
        "name": "HGX H200 8-GPU server",
        "vendor": "OEM",
        "tier": "platform",
        "gpu": "h200-sxm",
        "gpus_per_system gpu/system": "8",
        "system_power kW/system": "10.2",
        "rack_units U/system": "8",
        "system_price USD/system": "312,667",
        "as_of": "2025-01",
        "status": "street",
    }


def test_a_card_of_a_part_shows_its_software():
    rows = {row["figure"]: row for row in card("accelerators", "a100-sxm-80")}
    assert rows["platform"]["value"] == "CUDA, compute capability 8.0"
    assert rows["first_version"]["source"] == "NVIDIA, CUDA Toolkit, Driver, and Architecture Matrix"
    assert rows["weights_only_vllm"]["value"] == "fp8 fp4"


def test_a_list_of_general_figures_shows_each_unit():
    [row] = [row for row in listing("electricity") if row["id"] == "E001"]
    assert (row["value"], row["unit"], row["region"]) == ("0.0691", "USD/kWh", "US")


def test_a_list_can_be_of_one_tier_and_vendor():
    rows = listing("accelerators", tier="Workstation", vendor="apple")
    assert {row["vendor"] for row in rows} == {"Apple"}
    assert len(rows) == 4
    assert {row["provider"] for row in listing("rentals", vendor="AWS")} == {"AWS"}
    assert {row["provider_kind"] for row in listing("apis", tier="aggregator")} == {"aggregator"}


def test_an_unknown_tier_or_vendor_is_told():
    with pytest.raises(CatalogueError, match=r"no accelerators of tier `home`; there are consumer, datacenter"):
        listing("accelerators", tier="home")
    with pytest.raises(CatalogueError, match=r"facility have no vendor: leave it out"):
        listing("facility", vendor="AWS")


def test_a_card_shows_every_text_and_figure():
    rows = {row["figure"]: row for row in card("rentals", "aws-p5en-1yr")}
    assert rows["gpu"]["value"] == "h200-sxm"
    assert rows["gpu_hour_price"]["value"] == "4.9846"
    assert rows["gpu_hour_price"]["unit"] == "USD/gpu/h"
    assert rows["gpu_hour_price"]["as_of"] == "2026-09-25"
    assert rows["upfront_share"]["value"] == "0"
    entry = catalogue().find("rentals", "aws-p5en-1yr")
    assert set(rows) == {*entry.texts, *entry.figures}


def test_a_card_shows_ranges_with_open_ends():
    ranges = {row["figure"]: row["range"] for row in card("accelerators", "gh200")}
    assert ranges["gpu_price"] == "43,401 to ?"
    assert ranges["gpu_memory"] == ""
    assert {row["figure"]: row["range"] for row in card("accelerators", "rtx-5090")}["gpu_price"] == "1,999 to 5,499"


def test_a_card_of_an_unknown_entry_is_told():
    with pytest.raises(CatalogueError, match=r"did you mean `llama-3.3-70b`"):
        card("models", "llama-3.3-70")
