"""Models from their config.json: parameters as published, cache exact, and every trap refused or told."""

from __future__ import annotations

import importlib.util
import json
import struct
from pathlib import Path
from typing import Any

import pytest

from tco.catalogue import Catalogue, catalogue
from tco.catalogue.rows import Row
from tco.catalogue.schema import FIGURES
from tco.importing import ImportRefused, model_from_config, write_entry
from tco.importing.headers import read_header

_spec = importlib.util.spec_from_file_location("configs", Path(__file__).with_name("configs.py"))
assert _spec
assert _spec.loader
_configs = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_configs)
CONFIGS: dict[str, dict[str, Any]] = _configs.CONFIGS
LLAMA, DEEPSEEK = CONFIGS["llama-3.1-8b"], CONFIGS["deepseek-v3"]

# published under a rounded name, or with other figures than the file: name, and how far
ROUNDED = {"kimi-k2": 0.03, "gemma-4-26b-a4b": 0.03}
EXACT = ("layers", "hidden_size", "heads", "kv_heads", "head_dim", "kv_elements", "window_elements", "attention_window",
         "kv_shards", "context", "experts", "experts_per_token")  # fmt: skip


def imported(folder: Path, config: dict[str, Any] | str, name: str | None = "mine", **beside: Any) -> dict[str, Row]:
    (folder / "config.json").write_text(config if isinstance(config, str) else json.dumps(config))
    for file, content in beside.items():
        (folder / {"index": "model.safetensors.index.json", "quant": "hf_quant_config.json"}[file]).write_text(
            json.dumps(content)
        )
    return {row.figure: row for row in model_from_config(folder / "config.json", name, "2026-09-27")}


def refused(folder: Path, config: dict[str, Any] | str, *words: str, **beside: Any) -> None:
    with pytest.raises(ImportRefused) as caught:
        imported(folder, config, **beside)
    assert all(word in str(caught.value) for word in words), str(caught.value)


def without(config: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in config.items() if key not in keys}


@pytest.mark.parametrize("name", CONFIGS)
def test_a_public_model_is_as_the_catalogue_has_it(name: str, tmp_path: Path) -> None:
    rows, known = imported(tmp_path, CONFIGS[name], name), catalogue().find("models", name).figures
    parameters = float(rows["parameters"].value)
    assert parameters == pytest.approx(known["parameters"].number, rel=ROUNDED.get(name, 0.011))
    for figure in EXACT:
        assert (figure in rows) == (figure in known), figure
        assert figure not in rows or float(rows[figure].value) == known[figure].number, figure
    assert set(rows) - set(FIGURES["models"]) <= {"name", "attention", "dtype", "moe"}


@pytest.mark.parametrize(
    ("name", "figures"),
    [
        ("llama-3.1-70b", 327_680),  # bytes a token at 16 bit
        ("deepseek-v3", 70_272),
        ("gpt-oss-120b", 73_728),
    ],
)
def test_cache_by_hand(name: str, figures: int, tmp_path: Path) -> None:
    rows = imported(tmp_path, CONFIGS[name])
    window = int(rows["window_elements"].value) if "window_elements" in rows else 0
    assert 2 * (int(rows["kv_elements"].value) + window) == figures


def test_a_window_bounds_the_cache(tmp_path: Path) -> None:
    rows = imported(tmp_path, CONFIGS["gpt-oss-20b"])
    full, window, length = (int(rows[key].value) for key in ("kv_elements", "window_elements", "attention_window"))
    gib = 2 * 32 * (full * 8192 + window * min(8192, length)) / 2**30
    assert gib == pytest.approx(6.09, abs=0.005)
    assert 2 * 32 * 8192 * (full + window) / 2**30 == 12.0  # what an engine without windows reserves


@pytest.mark.parametrize(
    ("name", "active"),
    [("mixtral-8x7b", 12.9), ("deepseek-v3", 37.5), ("qwen3-30b-a3b", 3.35), ("llama-4-maverick", 17.2)],
)
def test_active_parameters_leave_out_idle_experts_only(name: str, active: float, tmp_path: Path) -> None:
    assert float(imported(tmp_path, CONFIGS[name])["active_parameters"].value) == pytest.approx(active, rel=0.01)


def test_a_figure_tells_file_digest_and_day(tmp_path: Path) -> None:
    row = imported(tmp_path, LLAMA)["parameters"]
    assert row.source.startswith("config.json, sha256 ")
    assert "read 2026-09-27" in row.source
    assert (row.status, row.unit, row.as_of) == ("derived", "Gparameter", "2026-09-27")


def test_the_index_confirms_the_size(tmp_path: Path) -> None:
    index = {"metadata": {"total_size": 16_060_522_496}, "weight_map": {"lm_head.weight": "a.safetensors"}}
    row = imported(tmp_path, LLAMA, index=index)["parameters"]
    assert "16.0605 GB" in row.note
    assert row.source.count("sha256") == 2
    index["metadata"]["total_size"] = 2 * 16_060_522_496
    refused(tmp_path, LLAMA, "-50.0%", index=index)


def test_drafting_layers_and_scales_are_on_disk(tmp_path: Path) -> None:
    names = [f"model.layers.61.{part}.weight" for part in ("embed_tokens", "shared_head.head", "eh_proj")]
    index = {"metadata": {"total_size": 688_586_727_753}, "weight_map": dict.fromkeys(names, "a.safetensors")}
    rows = imported(tmp_path, DEEPSEEK, index=index)
    assert float(rows["parameters"].value) == pytest.approx(671, rel=0.001)
    assert "drafting" in rows["parameters"].note


def test_packed_experts_are_counted(tmp_path: Path) -> None:
    index = {"metadata": {"total_size": 65_248_815_744}, "weight_map": {"lm_head.weight": "a.safetensors"}}
    assert (
        "65.2488 GB"
        in imported(tmp_path, CONFIGS["gpt-oss-120b"] | {"dtype": "bfloat16"}, index=index)["parameters"].note
    )


def test_an_image_part_is_not_the_language_model(tmp_path: Path) -> None:
    index = {"metadata": {"total_size": 8_600_158_944}, "weight_map": {"language_model.x": "a.safetensors"}}
    assert float(imported(tmp_path, CONFIGS["gemma-3-4b"], index=index)["parameters"].value) == pytest.approx(
        3.88, rel=0.002
    )


@pytest.mark.parametrize("file", ["../a.safetensors", "/etc/passwd", "a.bin"])
def test_an_index_names_files_of_its_folder_only(file: str, tmp_path: Path) -> None:
    refused(tmp_path, LLAMA, "same folder", index={"metadata": {"total_size": 16e9}, "weight_map": {"a": file}})


def header(path: Path, tensors: dict[str, tuple[str, list[int], int]]) -> None:
    start, told = 0, {}
    for name, (dtype, shape, size) in tensors.items():
        told[name] = {"dtype": dtype, "shape": shape, "data_offsets": [start, start + size]}
        start += size
    content = json.dumps(told).encode()
    path.write_bytes(struct.pack("<Q", len(content)) + content)


def test_headers_count_every_byte(tmp_path: Path) -> None:
    # bert-base-cased as counted by others: embeddings 90,669,056 B, all 433,249,280 B
    words, width = 28_996, 768
    layer = 12 * (4 * (width**2 + width) + 2 * width * 3072 + 3072 + width + 4 * width) + width**2 + width
    file = tmp_path / "model.safetensors"
    header(file, {
        "embeddings.word": ("F32", [words, width], words * width * 4),
        "embeddings.place": ("F32", [512, width], 512 * width * 4),
        "embeddings.kind": ("F32", [4, width], 4 * width * 4), "embeddings.ids": ("I64", [2, 512], 8192),
        "encoder": ("F32", [layer], layer * 4),
    })  # fmt: skip
    tensors, _ = read_header(file)
    assert sum(tensor.size for tensor in tensors) == 433_249_280
    assert sum(tensor.size for tensor in tensors if tensor.name.startswith("embeddings")) == 90_669_056


def test_headers_confirm_a_family_that_is_not_known(tmp_path: Path) -> None:
    config = without(LLAMA, "hidden_act") | {"model_type": "novel", "hidden_act": "other"}
    refused(tmp_path, config, "hidden_act", "index")
    header(tmp_path / "model.safetensors", {"lm_head.weight": ("BF16", [8_030_261_248], 2 * 8_030_261_248)})
    assert "8.03026" in imported(tmp_path, config)["parameters"].note


@pytest.mark.parametrize(
    "content", [b"", b"\xff" * 64, struct.pack("<Q", 10**9) + b"{}", b"version https://git-lfs.github.com/spec/v1"]
)
def test_a_broken_safetensors_file_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(content)
    refused(tmp_path, LLAMA, "model.safetensors", "header length")


def test_a_header_must_match_its_bytes(tmp_path: Path) -> None:
    header(tmp_path / "model.safetensors", {"a": ("BF16", [10], 10)})
    refused(tmp_path, LLAMA, "tensor `a`", "10 x 16 bits")


NEEDED = ("hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "vocab_size",
          "max_position_embeddings")  # fmt: skip


@pytest.mark.parametrize("key", NEEDED)
def test_a_missing_key_is_refused_with_the_way_out(key: str, tmp_path: Path) -> None:
    refused(tmp_path, without(LLAMA, key), f"config.json: `{key}`", "is missing", f'add it, such as `"{key}"')


@pytest.mark.parametrize("value", [-1, 1.5, "32", True, 10**12, [32]])
def test_a_count_is_a_whole_number(value: Any, tmp_path: Path) -> None:
    refused(tmp_path, LLAMA | {"num_hidden_layers": value}, "num_hidden_layers", "wanted")


def test_missing_heads_are_derived_or_refused(tmp_path: Path) -> None:
    rows = imported(tmp_path, without(LLAMA, "num_key_value_heads"))
    assert rows["kv_heads"].value == "32"
    assert rows["attention"].value == "mha"
    assert "missing" in rows["name"].note
    assert imported(tmp_path, without(LLAMA, "num_key_value_heads") | {"multi_query": True})["attention"].value == "mqa"
    refused(tmp_path, LLAMA | {"hidden_size": 4100}, "head_dim", "no whole number")
    refused(tmp_path, LLAMA | {"num_key_value_heads": 7}, "evenly")


def test_tied_embeddings_are_stated_shown_or_refused(tmp_path: Path) -> None:
    loose = without(LLAMA, "tie_word_embeddings") | {"model_type": "novel"}
    refused(tmp_path, loose, "tie_word_embeddings")
    index = {
        "metadata": {"total_size": 2 * 7_504_924_672},
        "weight_map": {"model.embed_tokens.weight": "a.safetensors"},
    }
    assert float(imported(tmp_path, loose, index=index)["parameters"].value) == pytest.approx(7.505, rel=0.001)


def test_windows_need_their_layers(tmp_path: Path) -> None:
    windowed = LLAMA | {"sliding_window": 4096, "model_type": "llama"}
    refused(tmp_path, windowed, "sliding_window", "layer_types")
    everywhere = imported(tmp_path, windowed | {"model_type": "mistral"})
    assert everywhere["kv_elements"].value == "0"
    assert everywhere["window_elements"].value == "65536"
    unused = imported(tmp_path, windowed | {"use_sliding_window": False})
    assert unused["kv_elements"].value == "65536"
    assert "window_elements" not in unused
    upper = imported(tmp_path, windowed | {"use_sliding_window": True, "max_window_layers": 24})
    assert (upper["kv_elements"].value, upper["window_elements"].value) == ("49152", "16384")
    wide = imported(tmp_path, windowed | {"model_type": "mistral", "sliding_window": 131072})
    assert "window_elements" not in wide
    assert "no shorter than the context" in wide["name"].note


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"layer_types": ["full_attention", "mamba"] * 16}, ("layer_types", "mamba")),
        ({"layer_types": ["full_attention"]}, ("1 values", "32")),
        ({"compress_ratios": [4]}, ("compressed cache", "by hand")),
        ({"num_kv_shared_layers": 10}, ("share a cache",)),
        ({"is_encoder_decoder": True}, ("decoder",)),
        ({"architectures": ["BertForMaskedLM"]}, ("BertForMaskedLM", "writes text")),
        ({"torch_dtype": "float8"}, ("torch_dtype", "bfloat16")),
        ({"num_experts": 8, "num_experts_per_tok": 9}, ("more than the 8 experts",)),
        ({"num_experts": 8}, ("num_experts_per_tok", "missing")),
    ],
)
def test_what_is_not_understood_is_refused(change: dict[str, Any], words: tuple[str, ...], tmp_path: Path) -> None:
    refused(tmp_path, LLAMA | change, *words)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        '{"a": NaN}',
        '{"a": 1, "a": 2}',
        "[" * 100_000,
        '{"a":' * 60 + "1" + "}" * 60,
        "\x00",
        '{"a": 1} {}',
    ],
)
def test_a_hostile_file_is_refused_in_a_sentence(text: str, tmp_path: Path) -> None:
    refused(tmp_path, text, "config.json: ")


def test_bytes_that_are_no_text_and_files_too_large(tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    file.write_bytes(b"\xff\xfe{\x00")
    with pytest.raises(ImportRefused, match="UTF-8"):
        model_from_config(file)
    with file.open("wb") as large:
        large.truncate(5_000_000)
    with pytest.raises(ImportRefused, match="larger than 4 MB"):
        model_from_config(file)
    with pytest.raises(ImportRefused, match="not a file"):
        model_from_config(tmp_path)


def test_formats(tmp_path: Path) -> None:
    assert imported(tmp_path, LLAMA)["dtype"].value == "bf16"
    awq = {"quant_method": "awq", "bits": 4, "group_size": 128}
    assert imported(tmp_path, LLAMA | {"quantization_config": awq})["dtype"].value == "int4"
    unknown = imported(tmp_path, LLAMA | {"quantization_config": {"quant_method": "novel"}})
    assert "not checked" in unknown["parameters"].note
    assert "novel" in unknown["name"].note
    fp4 = imported(tmp_path, LLAMA, quant={"quantization": {"quant_algo": "NVFP4", "kv_cache_quant_algo": "FP8"}})
    assert fp4["dtype"].value == "fp4"


def test_a_name_is_found_or_asked_for(tmp_path: Path) -> None:
    rows = imported(tmp_path, LLAMA | {"_name_or_path": "Some-Org/Great-8B"}, None)
    assert rows["name"].id == "great-8b"
    assert rows["developer"].value == "Some-Org"
    refused(tmp_path, LLAMA, "no id can be made", name="=cmd()")


def test_an_entry_is_added_and_replaced(tmp_path: Path) -> None:
    imported(tmp_path, LLAMA)
    folder = tmp_path / "catalogue"
    write_entry(model_from_config(tmp_path / "config.json", "first"), folder)
    write_entry(model_from_config(tmp_path / "config.json", "second"), folder)
    imported(tmp_path, CONFIGS["gpt-oss-20b"])
    file = write_entry(model_from_config(tmp_path / "config.json", "first"), folder)
    entries = Catalogue.from_folder(folder).entries("models")
    assert [entry.id for entry in entries] == ["first", "second"]
    assert entries[0].figures["window_elements"].number == 12288
    assert entries[1].figures["kv_elements"].number == 65536
    assert "derived" in file.read_text()
    assert not list(folder.glob(".*"))


def test_a_broken_catalogue_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "models.csv").write_text("id,value\na,1\n")
    imported(tmp_path, LLAMA)
    with pytest.raises(ImportRefused, match="nothing was written"):
        write_entry(model_from_config(tmp_path / "config.json", "mine"), tmp_path)
    assert (tmp_path / "models.csv").read_text() == "id,value\na,1\n"
