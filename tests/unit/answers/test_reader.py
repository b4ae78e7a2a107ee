"""Replies in many forms, read by hand beforehand: `replies.json` beside this file.

Its expected readings are letters, "t" or "f", or "-" for a reply without an answer.
"""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from firsthand.answers import (
    READER_VERSIONS,
    Answer,
    AskedQuestion,
    NoAnswer,
    NoAnswerReason,
    gold_texts,
    is_correct,
    read_reply,
)
from firsthand.core.errors import DataFileError
from firsthand.core.outcomes import Outcome, RuleSet
from firsthand.core.taxonomy import QuestionType

SETS = json.loads((Path(__file__).parent / "replies.json").read_text(encoding="utf-8"))
CUPS = AskedQuestion(QuestionType.MC_SINGLE, ("the red cup", "the blue bowl", "a hat"))
SEVERAL = AskedQuestion(QuestionType.MC_MULTI, CUPS.options)
TRUTH = AskedQuestion(QuestionType.BINARY)
OPEN = AskedQuestion(QuestionType.OPEN_ENDED)


def paper(reply: str, question: AskedQuestion, finish: str = "stop") -> Answer | NoAnswer:
    return read_reply(reply, question, rule_set=RuleSet.PAPER, finish=finish)


@pytest.mark.parametrize("kind", SETS, ids=lambda kind: kind["name"])
def test_replies_are_read_as_a_person_reads_them(kind: Any) -> None:
    question = AskedQuestion(QuestionType(kind["question_type"]), tuple(kind["options"]))
    differing = []
    for reply, wanted in kind["replies"]:
        reading = paper(reply, question, finish=kind.get("finish", "stop"))
        found = "-"
        if isinstance(reading, Answer):
            is_binary = question.question_type is QuestionType.BINARY
            found = reading.value[0][0] if is_binary else "".join(reading.value)
        if found != wanted:
            differing.append((reply, wanted, found))
    assert differing == []


def test_declining_is_refused_and_not_knowing_is_unparsed() -> None:
    for reply in (
        "I'm sorry, but I can't assist with that.",
        "I cannot help with identifying people in videos.",
        "抱歉，我无法提供帮助。",
        "This would violate our content policy.",
    ):
        reading = paper(reply, CUPS)
        assert isinstance(reading, NoAnswer)
        assert reading.reason is NoAnswerReason.REFUSED, reply
    for reply in ("Sorry, I cannot see the video.", "无法判断", "I don't know."):
        reading = paper(reply, CUPS)
        assert isinstance(reading, NoAnswer)
        assert reading.reason is NoAnswerReason.UNPARSED, reply


def test_a_withheld_reply_is_refused_whatever_it_says() -> None:
    reading = paper("B", CUPS, finish="content_filter")
    assert reading == NoAnswer(NoAnswerReason.REFUSED, "the reply declines the task")


@pytest.mark.parametrize("reply", ["The answer is", "", "The person walks to the", "<think>Let me"])
def test_a_reply_cut_off_before_its_answer_is_truncated(reply: str) -> None:
    reading = paper(reply, CUPS, finish="length")
    assert isinstance(reading, NoAnswer)
    assert reading.reason is NoAnswerReason.TRUNCATED


def test_reasoning_that_never_ends_is_truncated_even_if_the_endpoint_says_stop() -> None:
    reading = paper("<think>The answer is A", CUPS)
    assert isinstance(reading, NoAnswer)
    assert reading.reason is NoAnswerReason.TRUNCATED


def test_a_choice_stated_before_the_cut_is_an_answer() -> None:
    assert paper("B. Because the person then", CUPS, finish="length") == Answer(("B",))


def test_a_list_of_letters_that_the_cut_may_have_shortened_is_no_answer() -> None:
    reading = paper("Answer: A, B", SEVERAL, finish="length")
    assert isinstance(reading, NoAnswer)
    assert reading.reason is NoAnswerReason.TRUNCATED
    assert paper("A, B. The person", SEVERAL, finish="length") == Answer(("A", "B"))


def test_an_open_answer_is_its_text_without_reasoning_and_must_have_its_end() -> None:
    assert paper("<think>hm</think> A red cup.", OPEN) == Answer(("A red cup.",))
    cut = paper("A red cup that", OPEN, finish="length")
    assert isinstance(cut, NoAnswer)
    assert cut.reason is NoAnswerReason.TRUNCATED


def test_details_never_quote_the_reply() -> None:
    name = "Grandmother Hildegard"
    reading = paper(f"{name} and nothing else", CUPS)
    assert isinstance(reading, NoAnswer)
    assert name not in reading.detail


def test_letters_that_are_not_on_offer_stay_in_a_multiple_choice_and_make_it_wrong() -> None:
    reading = paper("A, F", SEVERAL)
    assert reading == Answer(("A", "F"))
    assert not is_correct(reading, ("A",), QuestionType.MC_MULTI, RuleSet.PAPER)


@pytest.mark.parametrize(
    "gold", ["A,B", ["A", "B"], ["a", "b"], ["A. the red cup", "B. bowl"], "AB"]
)
def test_gold_letters_are_read_in_every_form_that_files_hold(gold: object) -> None:
    reading = Answer(("A", "B"))
    assert is_correct(reading, gold_texts(gold), QuestionType.MC_MULTI, RuleSet.PAPER)


@pytest.mark.parametrize("gold", [True, "True", ["yes"], 1, "对", ["正确的"], "Correct"])
def test_gold_truths_are_read_in_every_form_that_files_hold(gold: object) -> None:
    for word, verdict in (("true", True), ("false", False)):
        found = is_correct(Answer((word,)), gold_texts(gold), QuestionType.BINARY, RuleSet.PAPER)
        assert found is verdict


@pytest.mark.parametrize("gold", [None, [], "perhaps", ["true", "false"]])
def test_a_gold_answer_that_says_nothing_is_an_error_and_not_a_wrong_answer(gold: object) -> None:
    with pytest.raises(DataFileError):
        is_correct(Answer(("true",)), gold_texts(gold), QuestionType.BINARY, RuleSet.PAPER)


def test_no_answer_reasons_are_outcomes() -> None:
    assert {str(reason) for reason in NoAnswerReason} <= {str(outcome) for outcome in Outcome}


def test_each_rule_set_has_a_reader_version() -> None:
    assert set(READER_VERSIONS) == set(RuleSet)


LONG = {
    "blank lines": "\n" * 20_000,
    "quotes": '"' * 20_000,
    "letters": "A, " * 5_000,
    "prose": "The person walks to the kitchen and takes a cup. " * 400,
    "negations": "不" * 20_000,
    "opened blocks": "<think>" * 2_000,
    "cues": "answer is " * 2_000,
}


@pytest.mark.parametrize("kind", LONG)
def test_long_replies_take_time_in_proportion(kind: str) -> None:
    start = time.process_time()
    for question in (CUPS, SEVERAL, TRUTH):
        paper(LONG[kind], question)
    assert time.process_time() - start < 5.0
