"""A wav2vec 2.0 aligner of the real class, small and drawn at random: its times mean nothing."""

import json
from pathlib import Path

import torch
from transformers import (
    Wav2Vec2Config,
    Wav2Vec2CTCTokenizer,
    Wav2Vec2FeatureExtractor,
    Wav2Vec2ForCTC,
    Wav2Vec2Processor,
)

__all__ = ["saved_tiny_wav2vec"]

_CHARACTERS = ("<pad>", "<s>", "</s>", "<unk>", "|", *"ABCDEFGHIJKLMNOPQRSTUVWXYZ'")


def saved_tiny_wav2vec(folder: Path) -> Path:
    """Write the model as a user would have it, and return its folder."""
    folder.mkdir()
    vocabulary = folder / "vocab.json"
    vocabulary.write_text(json.dumps({one: place for place, one in enumerate(_CHARACTERS)}))
    tokenizer = Wav2Vec2CTCTokenizer(str(vocabulary))
    Wav2Vec2Processor(Wav2Vec2FeatureExtractor(), tokenizer).save_pretrained(folder)
    torch.manual_seed(1)
    config = Wav2Vec2Config(
        vocab_size=len(_CHARACTERS),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        conv_dim=(16,) * 7,
        num_conv_pos_embeddings=16,
        num_conv_pos_embedding_groups=2,
        pad_token_id=0,
    )
    Wav2Vec2ForCTC(config).eval().save_pretrained(folder)
    return folder
