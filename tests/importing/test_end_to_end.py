"""A model that ships with nobody: imported from its config, used by a scenario."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tco.cli import main
from tco.errors import ScenarioError
from tco.session import load

ROOT = Path(__file__).resolve().parents[2]
CONFIG = {
    "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336,
    "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256,
    "tie_word_embeddings": False, "max_position_embeddings": 131072, "torch_dtype": "bfloat16",
}  # fmt: skip


def test_an_imported_model_runs_in_a_scenario(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    words = f"catalogue import model {tmp_path / 'config.json'} --id house-8b --into {tmp_path / 'own'}"
    done = CliRunner().invoke(main, words.split())
    assert done.exit_code == 0, done.output
    text = (ROOT / "scenarios" / "local_assistant.yaml").read_text()
    text = text.replace("qwen3-32b\n", "house-8b\n", 1).replace("currency: USD", "currency: USD\ncatalogue: own")
    (tmp_path / "mine.yaml").write_text(
        text.replace("  - {id: api, api: {offer: cerebras-qwen3-32b}}\n", "").replace(", reference: api", "")
    )
    result = load(tmp_path / "mine.yaml").run()
    card = result.by_id["one-card"]
    assert card.verdict == "ok"
    assert card.inputs["parameters"].number == pytest.approx(8.03, rel=0.002)
    assert card.inputs["kv_elements"].number == 2 * 32 * 8 * 128


def test_a_catalogue_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    text = (ROOT / "scenarios" / "local_assistant.yaml").read_text()
    (tmp_path / "mine.yaml").write_text(text.replace("currency: USD", "currency: USD\ncatalogue: nowhere"))
    with pytest.raises(ScenarioError, match=r"mine\.yaml:\d+:\d+: catalogue: .*nowhere is not a folder"):
        load(tmp_path / "mine.yaml").run()
