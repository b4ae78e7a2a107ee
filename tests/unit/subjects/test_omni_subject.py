"""Qwen2.5-Omni, tiny and with random weights: it sees and hears, and replies in text."""

import io
import wave
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from firsthand.core.taxonomy import Modality
from firsthand.endpoints.calls import Call, Generation, Media, Turn
from firsthand.media.feed import Feed
from firsthand.subjects import SubjectConfiguration
from firsthand.subjects.transformers_model import forget_model, loaded_model
from firsthand.subjects.transformers_settings import Loading
from tests.unit.subjects.test_transformers_subject import (
    likeliest_one_by_one,
    picture,
    pil,
    run,
    settings,
)
from tests.unit.subjects.tiny_models import IMAGE, omni_model, save_omni


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    yield save_omni(tmp_path_factory.mktemp("omni"))
    forget_model()


def tone(seconds: float) -> Media:
    wav = io.BytesIO()
    samples = 8_000 * np.sin(np.arange(round(16_000 * seconds)) / 5)
    with wave.open(wav, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(16_000)
        sound.writeframes(samples.astype("<i2").tobytes())
    return Media("audio", "wav", wav.getvalue())


def test_a_reply_is_what_the_part_that_thinks_finds_likeliest_of_sight_and_sound(
    folder: Path, tmp_path: Path
) -> None:
    seen, heard = picture(tmp_path, 1), tone(1.0)
    turns = (Turn("system", "You follow a day."), Turn("user", "What was it?", (seen, heard)))
    local = loaded_model(Loading(folder))
    reply = local.complete(Call(turns, Generation(6)))
    samples = np.frombuffer(heard.payload[44:], "<i2").astype(np.float32) / np.float32(32_768)
    messages = [
        {"role": "system", "content": [{"type": "text", "text": "You follow a day."}]},
        {
            "role": "user",
            "content": [
                {"type": "image", "image": pil(seen)},
                {"type": "audio", "audio": samples},
                {"type": "text", "text": "What was it?"},
            ],
        },
    ]
    inputs = local._processor.apply_chat_template(
        messages, add_generation_prompt=True, tokenize=True, return_dict=True, return_tensors="pt"
    )
    words = local._processor.tokenizer
    thinker = omni_model(words).thinker.eval()
    thinker.generation_config.eos_token_id = words.eos_token_id
    expected = likeliest_one_by_one(thinker, inputs, 6)
    assert reply.text == words.decode(expected, skip_special_tokens=True).strip()
    marks = {
        token: int((inputs["input_ids"] == words.convert_tokens_to_ids(token)).sum())
        for token in (IMAGE, "<|AUDIO|>")
    }
    # 192 x 96 pixels within four patches are 2 x 1; 100 spectra are halved twice to 25.
    assert marks == {IMAGE: 2, "<|AUDIO|>": 25}
    assert reply.input_tokens == inputs["input_ids"].shape[1]


def test_it_follows_a_stream_by_sight_and_sound_and_answers_alike_each_time(
    folder: Path, tmp_path: Path
) -> None:
    hearing = settings(folder, hears_sound=True)
    facts = SubjectConfiguration("transformers", hearing).build().facts
    assert facts.hears_sound
    assert facts.receives == {Modality.VIDEO, Modality.SPEECH}
    with Feed() as feed:
        first = run(tmp_path / "first", hearing, feed)
        assert run(tmp_path / "second", hearing, feed) == first
    initial = {
        row["ask_id"]: row["outcome"] for row in first.asks.to_pylist() if row["phase"] == "initial"
    }
    assert initial.pop("qb2@0") == "not_asked(due_after_stream_end)"
    assert set(initial.values()) == {"answered"}
