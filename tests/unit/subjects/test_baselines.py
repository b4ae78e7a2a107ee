"""What each baseline answers, worked out by hand."""

import pytest

from firsthand.core.errors import ConfigurationError, UnknownKeyError, UnknownNameError
from firsthand.core.taxonomy import QuestionType
from firsthand.subjects import SUBJECTS, BaselineSettings, subject_from_json
from firsthand.subjects.blind import blind_guess
from firsthand.subjects.subject import (
    ChoiceOption,
    HeardWord,
    NarrationLine,
    Session,
    SessionInputs,
    SubjectQuestion,
    Unit,
)

S = 1_000_000


def asked(kind: QuestionType, text: str, *options: str, at_s: int = 10) -> SubjectQuestion:
    choices = tuple(ChoiceOption("ABCDEF"[n], option) for n, option in enumerate(options))
    return SubjectQuestion("q", kind, text, choices, at_s * S)


def opened(name: str, **inputs: object) -> Session:
    subject = SUBJECTS[name](BaselineSettings(name))
    return subject.open(SessionInputs("s", **inputs))  # type: ignore[arg-type] # by name


def heard(*narrations: str) -> Session:
    session = opened("transcript")
    for place, text in enumerate(narrations):
        end_us = (place + 1) * S
        session.feed(
            Unit(end_us - S, end_us, narrations=(NarrationLine(text, end_us - S, end_us),))
        )
    return session


def test_blind_takes_the_longest_option_and_affirms() -> None:
    single = asked(QuestionType.MC_SINGLE, "Where?", "in a box", "behind the door", "outside")
    assert blind_guess(single) == "B"
    assert blind_guess(asked(QuestionType.BINARY, "The lamp was lit.")) == "true"
    assert blind_guess(asked(QuestionType.BINARY, "The lamp was not lit.")) == "false"


def test_blind_takes_the_options_of_at_least_mean_length() -> None:
    # Lengths 3, 5, 7; mean 5.
    multi = asked(QuestionType.MC_MULTI, "Which?", "cup", "plate", "saucers")
    assert blind_guess(multi) == "B, C"


def test_transcript_answers_with_the_option_that_was_heard() -> None:
    session = heard("The red mug is on the shelf.", "The blue mug is in the sink.")
    where = asked(QuestionType.MC_SINGLE, "Where is the blue mug?", "shelf", "sink", "table")
    assert session.ask(where).text == "B"
    assert session.ask(asked(QuestionType.BINARY, "The blue mug is in the sink.")).text == "true"
    assert session.ask(asked(QuestionType.BINARY, "A dog barks loudly.")).text == "false"


def test_transcript_chooses_every_option_that_was_heard() -> None:
    session = heard("Pepper and salt go into the pot.")
    multi = asked(QuestionType.MC_MULTI, "What goes into the pot?", "pepper", "sugar", "salt")
    assert session.ask(multi).text == "A, C"


def test_transcript_without_anything_heard_guesses_as_blind_does() -> None:
    single = asked(QuestionType.MC_SINGLE, "Where?", "in a box", "behind the door", "outside")
    assert heard().ask(single).text == blind_guess(single)


def test_transcript_reads_chinese_by_character() -> None:
    session = heard("红色的杯子在架子上。")
    single = asked(QuestionType.MC_SINGLE, "杯子在哪里?", "水槽", "架子上")
    assert session.ask(single).text == "B"


def test_being_asked_teaches_transcript_nothing() -> None:
    # A sentence is half spoken when the question comes; whether it came or not, the same
    # answer follows later.
    first = Unit(0, S, words=(HeardWord("kettle", 0, 900_000, "p"),))
    second = Unit(S, 2 * S, words=(HeardWord("boils", S, 1_200_000, "p"),))
    probe = asked(QuestionType.BINARY, "The kettle boils.")
    disturbed, calm = opened("transcript"), opened("transcript")
    disturbed.feed(first)
    calm.feed(first)
    # One passage: "kettle", heard, weighs ln(1 + 0.5 / 1.5), "boils", unheard, ln(1 + 1.5 / 0.5):
    # 0.29 of 1.67, less than half.
    assert disturbed.fork().ask(probe).text == "false"
    disturbed.feed(second)
    calm.feed(second)
    open_question = asked(QuestionType.OPEN_ENDED, "What about the kettle?")
    texts = {session.fork().ask(open_question).text for session in (disturbed, calm)}
    assert texts == {"kettle boils"}


def test_the_oracle_reveals_the_truth_from_the_due_time_on() -> None:
    session = opened("oracle", truth={"q": ("A", "C")}, due_us={"q": 10 * S})
    multi = QuestionType.MC_MULTI
    assert session.ask(asked(multi, "Which?", "x", "y", "z", at_s=10)).text == "A, C"
    assert "early" in session.ask(asked(multi, "Which?", "x", "y", "z", at_s=9)).text


def test_random_draws_anew_for_every_sample_and_the_same_on_every_machine() -> None:
    options = ("w", "x", "y", "z")
    samples = [
        SubjectQuestion(
            "q",
            QuestionType.MC_SINGLE,
            f"Question {number}?",
            tuple(ChoiceOption("ABCD"[n], text) for n, text in enumerate(options)),
            0,
            sample,
        )
        for number in range(100)
        for sample in range(10)
    ]
    session = opened("random")
    drawn = [session.ask(question).text for question in samples]
    assert drawn == [opened("random").ask(question).text for question in samples]
    # 1000 draws with p = 1/4: mean 250, standard deviation sqrt(1000 * 3/16) = 13.7; five of them.
    assert all(abs(drawn.count(letter) - 250) < 69 for letter in "ABCD")


def test_a_subject_is_configured_strictly_by_name() -> None:
    configured = subject_from_json({"subject": "blind", "subject_id": "b1", "latency_us": 7})
    assert configured.build().facts.subject_id == "b1"
    with pytest.raises(UnknownKeyError, match="latency_ms"):
        subject_from_json({"subject": "blind", "latency_ms": 7})
    with pytest.raises(UnknownNameError, match="transcript"):
        subject_from_json({"subject": "blnd"})
    with pytest.raises(ConfigurationError, match="latency_us"):
        subject_from_json({"subject": "blind", "latency_us": -1})
    with pytest.raises(ConfigurationError, match="subject"):
        subject_from_json(["blind"])


def test_a_changed_setting_changes_the_revision() -> None:
    slow = subject_from_json({"subject": "blind", "latency_us": 9_000_000}).build().facts
    assert slow.revision != SUBJECTS["blind"](BaselineSettings("blind")).facts.revision
