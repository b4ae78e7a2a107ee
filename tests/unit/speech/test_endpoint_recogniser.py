"""Speech heard by a server: what it is sent, what comes of its words, what may not leave."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from firsthand.core.errors import ConfigurationError
from firsthand.core.metering import metered
from firsthand.core.time import SECOND_US
from firsthand.endpoints import DEIDENTIFIED, Endpoint, Patience, original_with_consent
from firsthand.endpoints.errors import (
    EndpointAnswerError,
    EndpointBusyError,
    EndpointRefusedError,
    PrivateInputError,
)
from firsthand.speech import (
    EndpointRecogniser,
    SpeechChoice,
    Timing,
    TranscriptionEndpoint,
    speech_engines,
    transcribe,
)
from tests.unit.speech.transcription_server import TranscriptionServer, transcription_server
from tests.unit.speech.voices import engines_by_rule, silence, tone

TIMED = {
    "text": "Hello there",
    "words": [
        {"word": "Hello", "start": 0.25, "end": 0.5},
        {"word": " there", "start": 0.75, "end": 1.0},
    ],
}


@pytest.fixture
def server() -> Iterator[TranscriptionServer]:
    with transcription_server() as running:
        running.plan = [(200, TIMED)]
        yield running


@pytest.fixture
def settings(server: TranscriptionServer) -> TranscriptionEndpoint:
    patience = Patience(attempts=2, timeout_s=5.0, pause=lambda _: None)
    endpoint = Endpoint("openai/hearer", server.url, "key", patience)
    return TranscriptionEndpoint(endpoint, "2026-05", "en-GB")


def test_words_come_back_with_their_times(
    server: TranscriptionServer, settings: TranscriptionEndpoint
) -> None:
    with metered() as calls:
        words = EndpointRecogniser(settings).words(tone(200, 1.5))
    assert [(word.text, word.begin_us, word.end_us) for word in words] == [
        ("Hello", 250_000, 500_000),
        ("there", 750_000, 1_000_000),
    ]
    assert server.heard_s == [1.5]
    sent = server.fields[0]
    assert (sent["model"], sent["language"], sent["temperature"]) == ("hearer", "en", "0")
    assert calls == {settings.endpoint.name: 1}


def test_words_without_times_are_spread_and_marked(
    server: TranscriptionServer, settings: TranscriptionEndpoint
) -> None:
    server.plan = [(200, {"text": "很好。"})]
    words = EndpointRecogniser(replace(settings, language="zh-CN")).words(tone(200, 2))
    assert [(word.text, word.begin_us, word.end_us) for word in words] == [
        ("很", 0, SECOND_US),
        ("好。", SECOND_US, 2 * SECOND_US),
    ]
    assert {word.timing for word in words} == {Timing.FILLED}


def test_nothing_heard_is_no_word(
    server: TranscriptionServer, settings: TranscriptionEndpoint
) -> None:
    server.plan = [(200, {"text": ""})]
    assert EndpointRecogniser(settings).words(tone(200, 2)) == ()


def test_silence_is_sent_nowhere_and_long_sound_in_pieces(
    server: TranscriptionServer, settings: TranscriptionEndpoint
) -> None:
    engines = replace(engines_by_rule(), recogniser=EndpointRecogniser(settings))
    assert transcribe(silence(9), engines, 9 * SECOND_US) == ()
    assert server.heard_s == []
    words = transcribe(tone(200, 60), engines, 60 * SECOND_US)
    assert len(server.heard_s) == 3
    assert sum(server.heard_s) == pytest.approx(60, abs=0.1)
    assert [word.text for word in words] == ["Hello", "there"] * 3


def test_an_original_leaves_this_machine_only_with_a_consent(
    settings: TranscriptionEndpoint,
) -> None:
    elsewhere = replace(settings.endpoint, base_url="http://192.0.2.1/v1")
    away = replace(settings, endpoint=elsewhere)
    with pytest.raises(PrivateInputError):
        EndpointRecogniser(away).words(tone(200, 1))
    quick = Patience(attempts=1, timeout_s=0.1, pause=lambda _: None)
    allowed = replace(
        away,
        endpoint=replace(elsewhere, patience=quick),
        privacy=original_with_consent("P1/hosted_engines"),
    )
    # Nobody answers there, so that the call ends in another error than the refusal.
    with pytest.raises(Exception, match="attempts"):
        EndpointRecogniser(allowed).words(tone(200, 1))
    assert replace(away, privacy=DEIDENTIFIED).privacy.is_deidentified


@pytest.mark.parametrize(
    ("plan", "error", "calls"),
    [
        ([(429, {})], EndpointBusyError, 2),
        ([(400, {"error": {"message": "no"}})], EndpointRefusedError, 1),
        ([(200, {"text": "a", "words": [{"word": "a"}]})], EndpointAnswerError, 1),
        ([(200, {"task": "transcribe"})], EndpointAnswerError, 1),
    ],
)
def test_failures_are_named(
    server: TranscriptionServer,
    settings: TranscriptionEndpoint,
    plan: list[tuple[int, object]],
    error: type[Exception],
    calls: int,
) -> None:
    server.plan = plan
    with pytest.raises(error):
        EndpointRecogniser(settings).words(tone(200, 1))
    assert len(server.fields) == calls


def test_the_engine_is_chosen_by_name_and_needs_its_settings(
    settings: TranscriptionEndpoint,
) -> None:
    name = "transcription_endpoint"
    engines = speech_engines(SpeechChoice(recogniser=name, endpoint=settings))
    assert engines.recogniser.identity["version"] == "openai/hearer 2026-05"
    assert engines.recogniser.language == "en-GB"
    with pytest.raises(ConfigurationError, match=name):
        speech_engines(SpeechChoice(recogniser=name))
