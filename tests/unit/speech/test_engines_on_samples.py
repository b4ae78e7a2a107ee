"""The embedded engines on the sample recordings, against what was really said there."""

import functools
import json
import re
from collections.abc import Iterator
from itertools import combinations, groupby
from pathlib import Path
from typing import Any

import jiwer
import numpy as np
import pytest
import yaml

from firsthand.core.metering import metered
from firsthand.core.time import SECOND_US, Span
from firsthand.deid.muting import FADE_US
from firsthand.media.sound import mono_16k
from firsthand.speech import (
    RecognisedWord,
    SpeechChoice,
    Timing,
    VoiceTurn,
    enrol,
    muted_spans,
    speech_engines,
    transcribe,
    voice_turns,
    words_with_speakers,
)
from firsthand.speech.engines import Embedding, Sound, sound_between
from tests.unit.speech.voices import silence

SAMPLES = Path(__file__).parents[3] / "data/samples"
TRUTH = json.loads((SAMPLES / "truth.json").read_text("utf-8"))["files"]
PARTICIPANTS = yaml.safe_load((SAMPLES / "benchmark.yaml").read_text("utf-8"))["participants"]
ENGINES = speech_engines(SpeechChoice())
TWO_VOICES = ("P1/VID_20260503_093025.mp4", "P1/VID_20260504_074022.mp4")
BOTH_AT_ONCE = "P2/VID_20260509_141022.mp4"
ONE_VOICE = "P2/VID_20260509_141000.mp4"

Aligning = tuple[Sound, list[RecognisedWord], list[dict[str, Any]]]


@functools.cache
def sound_of(file: str) -> Sound:
    return mono_16k(SAMPLES / "recordings" / file)


@functools.cache
def words_of(file: str) -> tuple[RecognisedWord, ...]:
    return transcribe(sound_of(file), ENGINES, TRUTH[file]["duration_us"])


@functools.cache
def voice_of(participant_id: str) -> Embedding:
    (entry,) = [item for item in PARTICIPANTS if item["participant_id"] == participant_id]
    pieces = [
        sound_between(
            sound_of(f"{participant_id}/{piece['file']}"),
            round(piece["start_s"] * SECOND_US),
            round(piece["end_s"] * SECOND_US),
        )
        for piece in entry["voice_enrolment"]
    ]
    return enrol(pieces, ENGINES)


@functools.cache
def turns_of(file: str) -> tuple[VoiceTurn, ...]:
    participant_id = TRUTH[file]["participant_id"]
    return voice_turns(sound_of(file), {participant_id: voice_of(participant_id)}, ENGINES)


def plain(text: str) -> str:
    return re.sub(r"[^a-z0-9']", "", text.lower())


def matched(file: str) -> Iterator[tuple[dict[str, Any], RecognisedWord]]:
    """Pairs of (true word, heard word) where the recogniser was right."""
    said, heard = TRUTH[file]["words"], words_of(file)
    measured = jiwer.process_words(
        " ".join(plain(word["text"]) for word in said), " ".join(plain(word.text) for word in heard)
    )
    for chunk in measured.alignments[0]:
        if chunk.type == "equal":
            yield from zip(
                said[chunk.ref_start_idx : chunk.ref_end_idx],
                heard[chunk.hyp_start_idx : chunk.hyp_end_idx],
                strict=True,
            )


def test_few_words_are_misheard() -> None:
    files = (*TWO_VOICES, ONE_VOICE)
    said = [" ".join(plain(word["text"]) for word in TRUTH[file]["words"]) for file in files]
    heard = [" ".join(plain(word.text) for word in words_of(file)) for file in files]
    assert jiwer.wer(said, heard) <= 0.15


def test_onsets_of_aligned_words_are_right_within_60_ms_at_the_median() -> None:
    errors_ms = [
        abs(heard.begin_us / 1000 - said["begin_ms"])
        for file in (*TWO_VOICES, ONE_VOICE)
        for said, heard in matched(file)
        if heard.timing is Timing.ALIGNED
    ]
    assert len(errors_ms) >= 40
    assert np.median(errors_ms) <= 60


@pytest.mark.parametrize("file", [*TWO_VOICES, ONE_VOICE])
def test_utterances_longer_than_1_6_s_get_the_right_speaker(file: str) -> None:
    turns = turns_of(file)
    long_utterances = 0
    for speaker, run in groupby(TRUTH[file]["words"], key=lambda word: word["speaker"]):
        words = list(run)
        begin_us, end_us = words[0]["begin_ms"] * 1000, words[-1]["end_ms"] * 1000
        if end_us - begin_us > 1_600_000:
            middle = RecognisedWord("", begin_us, end_us, 1.0)
            assert words_with_speakers([middle], turns)[0].speaker == speaker
            long_utterances += 1
    assert long_utterances >= 1


def said(word: dict[str, Any]) -> Span:
    return Span(word["begin_ms"] * 1000, word["end_ms"] * 1000)


@pytest.mark.parametrize("file", [*TWO_VOICES, BOTH_AT_ONCE])
def test_bystanders_words_are_muted_whole_and_participants_outside_overlaps_not_at_all(
    file: str,
) -> None:
    words = TRUTH[file]["words"]
    strange = [said(word) for word in words if not word["consented"]]
    muted = muted_spans(turns_of(file), TRUTH[file]["duration_us"])
    for word in strange:
        assert any(span.start_us <= word.start_us and word.end_us <= span.end_us for span in muted)
    own = [said(word) for word in words if word["consented"]]
    for word in own:
        if not any(word.overlaps(other) for other in strange):
            # Silence fades in and out outside of itself.
            faded = Span(word.start_us - FADE_US, word.end_us + FADE_US)
            assert not any(faded.overlaps(span) for span in muted)


def test_an_overlap_is_found_where_it_is_and_nowhere_else() -> None:
    words = [*map(said, TRUTH[BOTH_AT_ONCE]["words"])]
    true = [a for a, b in combinations(words, 2) if a.overlaps(b) for a in (a, b)]
    found = [turn for turn in turns_of(BOTH_AT_ONCE) if turn.overlapped]
    assert found
    assert all(
        any(Span(turn.begin_us, turn.end_us).overlaps(word) for word in true) for turn in found
    )
    assert not any(turn.overlapped for file in TWO_VOICES for turn in turns_of(file))


def test_the_same_sound_gives_the_same_words_and_no_engine_hears_silence() -> None:
    with metered() as calls:
        assert transcribe(silence(5), ENGINES, 5 * SECOND_US) == ()
    assert set(calls) == {"silero"}
    again = transcribe(sound_of(ONE_VOICE), ENGINES, TRUTH[ONE_VOICE]["duration_us"])
    assert again == words_of(ONE_VOICE)


@pytest.fixture
def utterance() -> Aligning:
    """The first sentence of a recording in which one person speaks, with coarse times."""
    said = [word for word in TRUTH[ONE_VOICE]["words"] if word["end_ms"] < 4_500]
    end_us = 4_500_000
    step_us = end_us // len(said)
    words = [
        RecognisedWord(word["text"], index * step_us, (index + 1) * step_us, 1.0)
        for index, word in enumerate(said)
    ]
    return sound_between(sound_of(ONE_VOICE), 0, end_us), words, said


def test_forced_alignment_finds_onsets_from_the_words_alone(utterance: Aligning) -> None:
    sound, words, said = utterance
    aligned = ENGINES.aligner.align(sound, words)
    assert {word.timing for word in aligned} == {Timing.ALIGNED}
    errors_ms = [
        abs(word.begin_us / 1000 - true["begin_ms"])
        for word, true in zip(aligned, said, strict=True)
    ]
    assert np.median(errors_ms) <= 30


def test_words_outside_the_dictionary_and_their_neighbours_keep_their_times(
    utterance: Aligning,
) -> None:
    sound, words, _ = utterance
    name = RecognisedWord("Xqzztl", words[3].begin_us, words[3].end_us, 1.0)
    aligned = ENGINES.aligner.align(sound, [*words[:3], name, *words[4:]])
    assert aligned[2:5] == (words[2], name, words[4])


def test_words_that_do_not_fit_the_sound_stay_as_they_were(utterance: Aligning) -> None:
    _, words, _ = utterance
    assert ENGINES.aligner.align(silence(0.05), words) == tuple(words)


def test_identities_name_every_engine_without_computing() -> None:
    with metered() as calls:
        identity = {**ENGINES.transcription_identity, **ENGINES.speaker_identity}
    assert not calls
    names = {value for key, value in identity.items() if key.endswith("_name")}
    assert names == {"faster_whisper", "pocketsphinx", "silero", "resemblyzer"}
    assert all(identity.values())
