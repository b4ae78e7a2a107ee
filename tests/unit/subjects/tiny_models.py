"""Models of real classes, tiny and with random weights, saved as a download leaves them."""

import json
from pathlib import Path
from typing import Any

IMAGE = "<|image_pad|>"
SPECIAL = (
    *("<|endoftext|>", "<|im_start|>", "<|im_end|>"),
    *("<|vision_start|>", "<|vision_end|>", IMAGE, "<|video_pad|>"),
)
SIZES: Any = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2}
TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n"
    "{% for part in message['content'] %}"
    "{% if part['type'] == 'image' %}<|vision_start|><|image_pad|><|vision_end|>"
    "{% else %}{{ part['text'] }}{% endif %}{% endfor %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def tokenizer() -> Any:
    """Return a tokenizer of single bytes and a few marks."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {token: number for number, token in enumerate([*SPECIAL, *alphabet])}
    bytewise = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    bytewise.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bytewise.decoder = decoders.ByteLevel()
    bytewise.add_special_tokens(list(SPECIAL))
    made = PreTrainedTokenizerFast(tokenizer_object=bytewise)
    made.eos_token, made.pad_token = "<|im_end|>", "<|endoftext|>"
    made.chat_template = TEMPLATE
    return made


def save_qwen(folder: Path) -> Path:
    """Save a Qwen2.5-VL with 28-pixel pictures cut to at most four patches of tokens."""
    import torch
    from transformers import Qwen2_5_VLConfig, Qwen2_5_VLForConditionalGeneration
    from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil

    words = tokenizer()
    ids = {token: words.convert_tokens_to_ids(token) for token in SPECIAL}
    torch.manual_seed(0)
    ends = {"eos_token_id": ids["<|im_end|>"], "bos_token_id": ids["<|im_start|>"]}
    text = {
        **SIZES,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "vocab_size": len(words),
        "rope_scaling": {"type": "mrope", "mrope_section": [1, 1, 2]},
        **ends,
    }
    vision = {
        "depth": 2,
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_heads": 2,
        "out_hidden_size": 32,
        "fullatt_block_indexes": [1],
    }
    model = Qwen2_5_VLForConditionalGeneration(
        Qwen2_5_VLConfig(
            text_config=text,
            vision_config=vision,
            image_token_id=ids[IMAGE],
            video_token_id=ids["<|video_pad|>"],
            vision_start_token_id=ids["<|vision_start|>"],
            vision_end_token_id=ids["<|vision_end|>"],
            **ends,
        )
    )
    return _saved(folder, model, words, Qwen2VLImageProcessorPil(min_pixels=784, max_pixels=3136))


_OMNI_MARKS = {
    "image_token": IMAGE,
    "video_token": "<|video_pad|>",
    "audio_token": "<|AUDIO|>",
    "vision_bos_token": "<|vision_start|>",
    "vision_eos_token": "<|vision_end|>",
    "audio_bos_token": "<|audio_bos|>",
    "audio_eos_token": "<|audio_eos|>",
}
_AUDIO_PART = "{% elif part['type'] == 'audio' %}<|audio_bos|><|AUDIO|><|audio_eos|>{% else %}"


def omni_words() -> Any:
    """Return the tokenizer of `omni_model`."""
    words = tokenizer()
    words.add_tokens(["<|audio_bos|>", "<|AUDIO|>", "<|audio_eos|>"], special_tokens=True)
    words._set_model_specific_special_tokens(_OMNI_MARKS)
    words.chat_template = TEMPLATE.replace("{% else %}", _AUDIO_PART)
    return words


def omni_model(words: Any) -> Any:
    """Return a Qwen2.5-Omni whole, without the part that speaks; the same weights each time."""
    import torch
    from transformers import Qwen2_5OmniConfig, Qwen2_5OmniForConditionalGeneration

    ids = {name: words.convert_tokens_to_ids(mark) for name, mark in _OMNI_MARKS.items()}
    ends = {"eos_token_id": words.eos_token_id, "pad_token_id": words.pad_token_id}
    thinker = {
        "audio_config": {
            "d_model": 32,
            "encoder_attention_heads": 2,
            "encoder_ffn_dim": 64,
            "encoder_layers": 2,
            "output_dim": 32,
        },
        "vision_config": {
            "depth": 2,
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_heads": 2,
            "out_hidden_size": 32,
            "fullatt_block_indexes": [1],
        },
        "text_config": {
            **SIZES,
            "num_attention_heads": 4,
            "num_key_value_heads": 2,
            "vocab_size": len(words),
            "rope_parameters": {
                "rope_type": "default",
                "rope_theta": 10_000.0,
                "mrope_section": [1, 1, 2],
            },
            **ends,
        },
        **{f"{kind}_token_index": ids[f"{kind}_token"] for kind in ("image", "video", "audio")},
        "vision_start_token_id": ids["vision_bos_token"],
        "vision_end_token_id": ids["vision_eos_token"],
        "audio_start_token_id": ids["audio_bos_token"],
        "audio_end_token_id": ids["audio_eos_token"],
        "user_token_id": 1,
        **ends,
    }
    torch.manual_seed(0)
    config = Qwen2_5OmniConfig(thinker_config=thinker, enable_audio_output=False)
    return Qwen2_5OmniForConditionalGeneration(config)


def save_omni(folder: Path) -> Path:
    """Save `omni_model` with what prepares pictures and sound for it."""
    from transformers import WhisperFeatureExtractor
    from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil

    words = omni_words()
    pictures = Qwen2VLImageProcessorPil(min_pixels=784, max_pixels=3136)
    _saved(folder, omni_model(words), words, pictures)
    # The published models keep what prepares pictures and what prepares sound in one file.
    told = json.loads((folder / "preprocessor_config.json").read_text())
    both = {**WhisperFeatureExtractor(feature_size=128).to_dict(), **told}
    both["image_processor_type"] = "Qwen2VLImageProcessor"
    (folder / "preprocessor_config.json").write_text(json.dumps(both))
    return folder


def save_llava(folder: Path) -> Path:
    """Save a LLaVA: the generic path, with a processor that knows no videos."""
    import torch
    from transformers import (
        CLIPVisionConfig,
        LlamaConfig,
        LlavaConfig,
        LlavaForConditionalGeneration,
        LlavaProcessor,
    )
    from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

    words = tokenizer()
    torch.manual_seed(0)
    ends = {"eos_token_id": words.eos_token_id, "bos_token_id": 1, "pad_token_id": 0}
    model = LlavaForConditionalGeneration(
        LlavaConfig(
            text_config=LlamaConfig(**SIZES, num_attention_heads=4, vocab_size=len(words), **ends),
            vision_config=CLIPVisionConfig(
                **SIZES, num_attention_heads=2, image_size=28, patch_size=14
            ),
            image_token_index=words.convert_tokens_to_ids(IMAGE),
        )
    )
    pictures = CLIPImageProcessorPil(
        size={"shortest_edge": 28}, crop_size={"height": 28, "width": 28}
    )
    folder = _saved(folder, model, words, pictures)
    LlavaProcessor(
        pictures,
        words,
        patch_size=14,
        vision_feature_select_strategy="default",
        image_token=IMAGE,
        chat_template=TEMPLATE,
        num_additional_image_tokens=1,
    ).save_pretrained(folder)
    return folder


_OWN_CODE = """
from transformers import Qwen2_5_VLConfig, Qwen2_5_VLForConditionalGeneration, Qwen2_5_VLProcessor


class OwnConfig(Qwen2_5_VLConfig):
    model_type = "own_vl"


class OwnModel(Qwen2_5_VLForConditionalGeneration):
    config_class = OwnConfig


class OwnProcessor(Qwen2_5_VLProcessor):
    @classmethod
    def get_attributes(cls):
        return ["image_processor", "tokenizer"]
"""


def save_with_own_code(folder: Path) -> Path:
    """Save the model of `save_qwen` as one whose classes lie beside it as Python code."""
    from safetensors.torch import save_file
    from transformers import Qwen2_5_VLForConditionalGeneration

    model = Qwen2_5_VLForConditionalGeneration.from_pretrained(save_qwen(folder))
    # Names of weights as the class has them: older ones are translated for known types alone.
    weights = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "own_code.py").write_text(_OWN_CODE, encoding="utf-8")
    classes = {
        "AutoConfig": "own_code.OwnConfig",
        "AutoModelForImageTextToText": "own_code.OwnModel",
        "AutoProcessor": "own_code.OwnProcessor",
    }
    change_configuration(folder, model_type="own_vl", architectures=["OwnModel"], auto_map=classes)
    return folder


def change_configuration(folder: Path, **values: object) -> None:
    """Set keys of a saved model's own configuration."""
    path = folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **values}))


def _saved(folder: Path, model: Any, words: Any, pictures: Any) -> Path:
    model.generation_config.eos_token_id = words.eos_token_id
    model.generation_config.pad_token_id = words.pad_token_id
    for part in (model, words, pictures):
        part.save_pretrained(folder)
    return folder
