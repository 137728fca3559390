"""Configs of public models as their files have them, cut to the keys that describe an architecture."""

from __future__ import annotations

from typing import Any

LLAMA: dict[str, Any] = {
    "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_act": "silu", "torch_dtype": "bfloat16",
    "tie_word_embeddings": False, "max_position_embeddings": 131072, "vocab_size": 128256,
}  # fmt: skip
QWEN3: dict[str, Any] = {
    "architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "hidden_act": "silu", "torch_dtype": "bfloat16",
    "tie_word_embeddings": False, "max_position_embeddings": 40960, "vocab_size": 151936, "head_dim": 128,
    "sliding_window": None, "use_sliding_window": False,
}  # fmt: skip
QWEN3_MOE = QWEN3 | {
    "architectures": ["Qwen3MoeForCausalLM"], "model_type": "qwen3_moe", "num_experts": 128, "num_experts_per_tok": 8,
    "decoder_sparse_step": 1, "mlp_only_layers": [], "norm_topk_prob": True,
}  # fmt: skip
QWEN35: dict[str, Any] = {
    "hidden_act": "silu", "dtype": "bfloat16", "head_dim": 256, "attn_output_gate": True, "full_attention_interval": 4,
    "linear_conv_kernel_dim": 4, "linear_key_head_dim": 128, "linear_num_key_heads": 16, "linear_value_head_dim": 128,
    "max_position_embeddings": 262144, "vocab_size": 248320, "mtp_num_hidden_layers": 1,
}  # fmt: skip
DEEPSEEK: dict[str, Any] = {
    "architectures": ["DeepseekV3ForCausalLM"], "model_type": "deepseek_v3", "hidden_act": "silu",
    "torch_dtype": "bfloat16", "tie_word_embeddings": False, "hidden_size": 7168, "intermediate_size": 18432,
    "moe_intermediate_size": 2048, "num_hidden_layers": 61, "num_attention_heads": 128, "num_key_value_heads": 128,
    "n_routed_experts": 256, "num_experts_per_tok": 8, "n_shared_experts": 1, "first_k_dense_replace": 3,
    "moe_layer_freq": 1, "kv_lora_rank": 512, "q_lora_rank": 1536, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64,
    "v_head_dim": 128, "vocab_size": 129280, "max_position_embeddings": 163840, "num_nextn_predict_layers": 1,
    "quantization_config": {"quant_method": "fp8", "fmt": "e4m3", "weight_block_size": [128, 128]},
}  # fmt: skip
GPT_OSS: dict[str, Any] = {
    "architectures": ["GptOssForCausalLM"], "model_type": "gpt_oss", "hidden_act": "silu", "attention_bias": True,
    "tie_word_embeddings": False, "hidden_size": 2880, "intermediate_size": 2880, "head_dim": 64,
    "num_attention_heads": 64, "num_key_value_heads": 8, "sliding_window": 128, "num_experts_per_tok": 4,
    "experts_per_token": 4, "vocab_size": 201088, "max_position_embeddings": 131072,
    "quantization_config": {"quant_method": "mxfp4", "modules_to_not_convert": ["model.layers.*.self_attn", "lm_head"]},
}  # fmt: skip
VISION = {"hidden_size": 1152, "intermediate_size": 4304, "num_hidden_layers": 27, "model_type": "siglip_vision_model"}
GEMMA3: dict[str, Any] = {
    "architectures": ["Gemma3ForConditionalGeneration"], "model_type": "gemma3", "torch_dtype": "bfloat16",
    "vision_config": VISION,
}  # fmt: skip
MISTRAL: dict[str, Any] = {
    "architectures": ["MistralForCausalLM"], "model_type": "mistral", "hidden_act": "silu", "torch_dtype": "bfloat16",
    "tie_word_embeddings": False, "sliding_window": None,
}  # fmt: skip


def sizes(hidden: int, inner: int, layers: int, heads: int, pairs: int, **more: Any) -> dict[str, Any]:
    """The keys that differ from one size of a family to the next."""
    return {
        "hidden_size": hidden, "intermediate_size": inner, "num_hidden_layers": layers, "num_attention_heads": heads,
        "num_key_value_heads": pairs, **more,
    }  # fmt: skip


def alternating(layers: int, first: str = "sliding_attention", second: str = "full_attention") -> list[str]:
    return [first if index % 2 == 0 else second for index in range(layers)]


CONFIGS: dict[str, dict[str, Any]] = {
    "llama-3.1-8b": LLAMA | sizes(4096, 14336, 32, 32, 8),
    "llama-3.1-70b": LLAMA | sizes(8192, 28672, 80, 64, 8),
    "llama-3.1-405b": LLAMA | sizes(16384, 53248, 126, 128, 8),
    "llama-3.2-1b": LLAMA | sizes(2048, 8192, 16, 32, 8, head_dim=64, tie_word_embeddings=True),
    # no key-value heads in the file of the oldest
    "llama-2-7b": {
        key: value
        for key, value in (
            LLAMA | sizes(4096, 11008, 32, 32, 32, vocab_size=32000, max_position_embeddings=4096)
        ).items()
        if key != "num_key_value_heads"
    },
    "qwen2.5-7b": {
        **QWEN3, **sizes(3584, 18944, 28, 28, 4), "model_type": "qwen2", "vocab_size": 152064, "head_dim": None,
        "max_position_embeddings": 131072, "sliding_window": 131072, "max_window_layers": 28,
    },
    "qwen3-0.6b": QWEN3 | sizes(1024, 3072, 28, 16, 8, tie_word_embeddings=True),
    "qwen3-32b": QWEN3 | sizes(5120, 25600, 64, 64, 8),
    "qwen3-30b-a3b": QWEN3_MOE | sizes(2048, 6144, 48, 32, 4, moe_intermediate_size=768),
    "qwen3-235b-a22b": QWEN3_MOE | sizes(4096, 12288, 94, 64, 4, moe_intermediate_size=1536),
    "qwen3.5-27b": {
        "architectures": ["Qwen3_5ForConditionalGeneration"], "model_type": "qwen3_5", "tie_word_embeddings": False,
        "text_config": QWEN35 | sizes(5120, 17408, 64, 24, 4, linear_num_value_heads=48, model_type="qwen3_5_text"),
    },
    "qwen3.5-397b-a17b": {
        "architectures": ["Qwen3_5MoeForConditionalGeneration"], "model_type": "qwen3_5_moe",
        "tie_word_embeddings": False,
        "text_config": QWEN35 | {
            "model_type": "qwen3_5_moe_text", "hidden_size": 4096, "num_hidden_layers": 60, "num_attention_heads": 32,
            "num_key_value_heads": 2, "num_experts": 512, "num_experts_per_tok": 10, "moe_intermediate_size": 1024,
            "shared_expert_intermediate_size": 1024, "linear_num_value_heads": 64, "mlp_only_layers": [],
            "layer_types": [
                "full_attention" if index % 4 == 3 else "linear_attention" for index in range(60)
            ],
        },
    },
    "mistral-7b-v0.3": MISTRAL | sizes(4096, 14336, 32, 32, 8, vocab_size=32768, max_position_embeddings=32768),
    "mistral-nemo-12b": MISTRAL
    | sizes(5120, 14336, 40, 32, 8, head_dim=128, vocab_size=131072, max_position_embeddings=131072),
    "mixtral-8x7b": MISTRAL
    | sizes(4096, 14336, 32, 32, 8, vocab_size=32000, max_position_embeddings=32768, num_local_experts=8)
    | {"num_experts_per_tok": 2, "model_type": "mixtral", "architectures": ["MixtralForCausalLM"]},
    "deepseek-v3": DEEPSEEK,
    "kimi-k2": DEEPSEEK | {
        "num_attention_heads": 64, "num_key_value_heads": 64, "n_routed_experts": 384, "first_k_dense_replace": 1,
        "vocab_size": 163840, "max_position_embeddings": 131072, "num_nextn_predict_layers": 0,
    },
    "glm-5": {
        **DEEPSEEK, "architectures": ["GlmMoeDsaForCausalLM"], "model_type": "glm_moe_dsa", "head_dim": 64,
        "hidden_size": 6144, "intermediate_size": 12288, "num_hidden_layers": 78, "num_attention_heads": 64,
        "num_key_value_heads": 64, "q_lora_rank": 2048, "qk_nope_head_dim": 192, "v_head_dim": 256,
        "vocab_size": 154880, "max_position_embeddings": 202752,
    },
    "gpt-oss-120b": GPT_OSS
    | {"num_hidden_layers": 36, "num_local_experts": 128, "layer_types": alternating(36)},
    "gpt-oss-20b": GPT_OSS | {"num_hidden_layers": 24, "num_local_experts": 32, "layer_types": alternating(24)},
    "gemma-2-9b": {
        "architectures": ["Gemma2ForCausalLM"], "model_type": "gemma2", "torch_dtype": "float32",
        "hidden_activation": "gelu_pytorch_tanh", "sliding_window": 4096, "vocab_size": 256000,
        "max_position_embeddings": 8192, **sizes(3584, 14336, 42, 16, 8, head_dim=256),
    },
    "gemma-3-27b": GEMMA3 | {
        "text_config": {
            "model_type": "gemma3_text", "sliding_window": 1024,
            **sizes(5376, 21504, 62, 32, 16, head_dim=128),
        },
    },
    # the file leaves heads, vocabulary and context to the class
    "gemma-3-4b": GEMMA3 | {
        "text_config": {
            "model_type": "gemma3_text", "hidden_size": 2560, "intermediate_size": 10240, "num_hidden_layers": 34,
            "sliding_window": 1024,
        },
    },
    "gemma-4-26b-a4b": {
        "architectures": ["Gemma4ForConditionalGeneration"], "model_type": "gemma4", "dtype": "bfloat16",
        "text_config": {
            "model_type": "gemma4_text", "hidden_activation": "gelu_pytorch_tanh", "head_dim": 256,
            "global_head_dim": 512, "num_global_key_value_heads": 2, "attention_k_eq_v": True, "sliding_window": 1024,
            "enable_moe_block": True, "num_experts": 128, "top_k_experts": 8, "moe_intermediate_size": 704,
            "max_position_embeddings": 262144, "vocab_size": 262144, "tie_word_embeddings": True,
            "layer_types": (["sliding_attention"] * 5 + ["full_attention"]) * 5, **sizes(2816, 2112, 30, 16, 8),
        },
    },
    "llama-4-maverick": {
        "architectures": ["Llama4ForConditionalGeneration"], "model_type": "llama4",
        "text_config": LLAMA | sizes(5120, 8192, 48, 40, 8, head_dim=128) | {
            "model_type": "llama4_text", "intermediate_size_mlp": 16384, "interleave_moe_layer_step": 2,
            "num_local_experts": 128, "num_experts_per_tok": 1, "attention_chunk_size": 8192, "vocab_size": 202048,
            "max_position_embeddings": 1048576,
        },
    },
    "mimo-v2-flash": {
        "architectures": ["MiMoV2FlashForCausalLM"], "model_type": "mimo_v2_flash", "hidden_act": "silu",
        "torch_dtype": "bfloat16", "tie_word_embeddings": False, "head_dim": 192, "v_head_dim": 128,
        "swa_num_key_value_heads": 8, "swa_head_dim": 192, "swa_v_head_dim": 128, "sliding_window": 128,
        "hybrid_layer_pattern": [0, *([1, 1, 1, 1, 0] + [1, 1, 1, 1, 1, 0] * 7)],
        "n_routed_experts": 256, "num_experts_per_tok": 8, "moe_intermediate_size": 2048, "n_shared_experts": None,
        "moe_layer_freq": [0, *[1] * 47], "vocab_size": 152576, "max_position_embeddings": 262144,
        **sizes(4096, 16384, 48, 64, 4),
    },
    "glm-4.5": {
        "architectures": ["Glm4MoeForCausalLM"], "model_type": "glm4_moe", "hidden_act": "silu",
        "torch_dtype": "bfloat16", "tie_word_embeddings": False, "attention_bias": True, "head_dim": 128,
        "n_routed_experts": 160, "num_experts_per_tok": 8, "n_shared_experts": 1, "moe_intermediate_size": 1536,
        "first_k_dense_replace": 3, "num_nextn_predict_layers": 1, "vocab_size": 151552,
        "max_position_embeddings": 131072, **sizes(5120, 12288, 92, 96, 8),
    },
    "minimax-m2.5": {
        "architectures": ["MiniMaxM2ForCausalLM"], "model_type": "minimax_m2", "hidden_act": "silu",
        "torch_dtype": "bfloat16", "tie_word_embeddings": False, "head_dim": 128, "num_local_experts": 256,
        "num_experts_per_tok": 8, "shared_intermediate_size": 0, "attn_type_list": [1] * 62, "vocab_size": 200064,
        "max_position_embeddings": 196608,
        "quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128]},
        **sizes(3072, 1536, 62, 48, 8),
    },
}  # fmt: skip
