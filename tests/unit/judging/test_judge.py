"""Judges: rubrics, grades, repeated judgements, failures apart, agreement with people."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firsthand.core.errors import DataFileError
from firsthand.core.metering import metered
from firsthand.endpoints import DEIDENTIFIED, Calling, ReplyLog
from firsthand.judging import (
    Judgement,
    JudgeSettings,
    Judging,
    OpenAnswer,
    audit_agreement,
    credit,
    judge_answer,
    load_rubric,
    read_audit,
    read_grade,
    read_rubric,
    rubric_ids,
)
from tests.unit.endpoints.chat_server import ChatServer, Planned, fails, says

ANSWER = OpenAnswer("pa", "What colour is the towel?", "green", "It is green.")
FIFTHS, HALVES = load_rubric("open-answer-0-5"), load_rubric("open-answer-halves")


def judging(chat: ChatServer, folder: Path, **settings: Any) -> Judging:
    judge = JudgeSettings("openai/judge", "weights-1", "open-answer-0-5", base_url=chat.url)
    judge = replace(judge, attempts=2, timeout_s=5.0, **settings)
    calling = Calling(privacy=DEIDENTIFIED, pause=lambda _: None)
    return Judging(judge, calling, ReplyLog(folder, "w"))


def grading(*grades: str) -> Any:
    """Answer with one grade after the other."""
    left = list(grades)

    def answer(_request: Any) -> Planned:
        return says(f"Score: {left.pop(0)}")

    return answer


def test_the_packaged_rubrics_have_the_two_scales() -> None:
    assert rubric_ids() == ("lifelong-0-5", "open-answer-0-5", "open-answer-halves")
    assert FIFTHS.name == "open-answer-0-5@1"
    assert dict(FIFTHS.credit_of) == {0: 0, 1: 0.2, 2: 0.4, 3: 0.6, 4: 0.8, 5: 1}
    assert dict(HALVES.credit_of) == {0: 0, 0.5: 0.5, 1: 1}


@pytest.mark.parametrize(
    ("reply", "fifths", "halves"),
    [
        ("Score: 1", 1, 1),
        ("Score: 0", 0, 0),
        ("**Score: 0.5**", None, 0.5),
        ("Score: 4", 4, None),
        ("score is 5", 5, None),
        ("It names 2 of 3 details, one wrong. Score: 0.5", None, 0.5),
        ("0.5", None, 0.5),
        ("Score: 7", None, None),
        ("Score: 0.7", None, None),
        ("I cannot grade this.", None, None),
        ("between 0 and 1", None, None),
    ],
)
def test_a_grade_is_one_of_the_rubric_or_none(
    reply: str, fifths: float | None, halves: float | None
) -> None:
    assert read_grade(reply, FIFTHS) == fifths
    assert read_grade(reply, HALVES) == halves


def test_judges_that_agree_are_asked_twice(chat: ChatServer, tmp_path: Path) -> None:
    chat.answering = grading("4", "4")
    judged = judge_answer(judging(chat, tmp_path), ANSWER)
    assert judged == [Judgement(0, 4.0), Judgement(1, 4.0)]
    assert credit(judged, FIFTHS) == pytest.approx(0.8)


def test_judges_that_disagree_are_asked_five_times_and_the_middle_counts(
    chat: ChatServer, tmp_path: Path
) -> None:
    chat.answering = grading("5", "1", "4", "4", "2")
    judged = judge_answer(judging(chat, tmp_path), ANSWER)
    assert [one.grade for one in judged] == [5, 1, 4, 4, 2]
    # Sorted 1, 2, 4, 4, 5: the middle one is 4, worth 0.8.
    assert credit(judged, FIFTHS) == pytest.approx(0.8)


def test_the_judge_sees_question_reference_and_answer(chat: ChatServer, tmp_path: Path) -> None:
    chat.plan = [says("Score: 5")]
    judge_answer(judging(chat, tmp_path), ANSWER)
    system, user = (turn["content"] for turn in chat.requests[0]["messages"])
    assert "reference" in system
    assert re.search(
        r"Question: What colour is the towel\?\nReference answer: green\n"
        r"Answer to be graded: It is green\.",
        user,
    )


def test_a_failure_is_no_score_and_judged_again(chat: ChatServer, tmp_path: Path) -> None:
    chat.plan = [fails(503)]
    lost = judge_answer(judging(chat, tmp_path), ANSWER)
    assert [(one.grade, one.failure) for one in lost] == [(None, "EndpointUnreachableError")] * 2
    assert credit(lost, FIFTHS) is None
    chat.plan = [says("Score: 5")]
    assert credit(judge_answer(judging(chat, tmp_path), ANSWER), FIFTHS) == 1.0


def test_a_reply_without_a_grade_is_no_zero_and_not_asked_for_again(
    chat: ChatServer, tmp_path: Path
) -> None:
    chat.plan = [says("I had rather not say.")]
    judged = judge_answer(judging(chat, tmp_path), ANSWER)
    assert {one.failure for one in judged} == {"unreadable"}
    assert credit(judged, FIFTHS) is None
    chat.requests.clear()
    assert judge_answer(judging(chat, tmp_path), ANSWER) == judged
    assert not chat.requests


def test_one_of_two_that_fails_leaves_the_other(chat: ChatServer, tmp_path: Path) -> None:
    chat.answering = grading("3", "x")
    judged = judge_answer(judging(chat, tmp_path), ANSWER)
    assert [one.grade for one in judged] == [3, None]
    assert credit(judged, FIFTHS) == pytest.approx(0.6)


def test_judging_again_asks_nobody_and_another_rubric_or_judge_does(
    chat: ChatServer, tmp_path: Path
) -> None:
    chat.plan = [says("Score: 1")]
    first = judge_answer(judging(chat, tmp_path), ANSWER)
    chat.requests.clear()
    with metered() as calls:
        assert judge_answer(judging(chat, tmp_path), ANSWER) == first
    assert not calls
    judge_answer(judging(chat, tmp_path, rubric_id="open-answer-halves"), ANSWER)
    assert len(chat.requests) == 2
    judge_answer(judging(chat, tmp_path, revision="weights-2"), ANSWER)
    assert len(chat.requests) == 4


GOOD = 'id = "r"\nversion = 1\ngrades = [0, 1]\ncredits = [0.0, 1.0]\nsystem = "s"\nuser = "u"\n'


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("version = 1", "version = 'one'"),
        ("grades = [0, 1]", "grades = [0, 1, 2]"),
        ("grades = [0, 1]", "grades = [1, 0]"),
        ("grades = [0, 1]", "grades = []"),
        ("credits = [0.0, 1.0]", "credits = [0.0, 2.0]"),
        ("credits = [0.0, 1.0]", "credits = [1.0, 0.0]"),
        ('user = "u"\n', ""),
        ('user = "u"', 'user = "u"\nmore = 1'),
        ("[0, 1]", "[0, 1"),
    ],
)
def test_a_rubric_that_cannot_be_used_is_refused(right: str, wrong: str) -> None:
    assert read_rubric("r.toml", GOOD).credit_of == {0: 0, 1: 1}
    with pytest.raises(DataFileError, match=r"r\.toml"):
        read_rubric("r.toml", GOOD.replace(right, wrong))


def test_an_unknown_rubric_is_answered_with_the_known_ones() -> None:
    with pytest.raises(DataFileError, match="open-answer-halves"):
        load_rubric("../secrets")


def test_agreement_with_people_is_over_what_both_graded(tmp_path: Path) -> None:
    path = tmp_path / "audit.csv"
    path.write_text("ask_id,grade\nq1@0,5\nq2@0,5\nq3@0,0\nq4@0,0\nq5@0,3\n", encoding="utf-8")
    judged: dict[str, list[int | None]] = {
        "q1@0": [5, 5],
        "q2@0": [5, 0, 0, 0, 5],
        "q3@0": [0, 0],
        "q4@0": [0, None],
        "q6@0": [5, 5],
    }
    rows = [
        {"ask_id": ask_id, "score": score} for ask_id, scores in judged.items() for score in scores
    ]
    found = audit_agreement(rows, read_audit(path), highest=5)
    # Both graded q1 to q4: people 5 5 0 0, the judge 5 0 0 0. Same on 3 of 4. By chance
    # 1/2 * 1/4 + 1/2 * 3/4 = 1/2, so kappa = (3/4 - 1/2) / (1/2) = 1/2. Full marks: one
    # found, one missed, none too many: F1 = 2 / (2 + 1).
    assert (found.audited, found.judged) == (5, 4)
    assert found.same == pytest.approx(0.75)
    assert found.kappa == pytest.approx(0.5)
    assert found.f1 == pytest.approx(2 / 3)
    # Alpha of interval data: observed (2 * 25) / 8; expected over the 8 grades, 3 fives and
    # 5 zeros: 2 * 15 * 25 / (8 * 7). 1 - 6.25 / 13.392857.
    assert found.alpha == pytest.approx(1 - 6.25 / (2 * 15 * 25 / 56))


@pytest.mark.parametrize(
    "text",
    ["ask,grade\nq1@0,5\n", "ask_id,grade\nq1@0,five\n", "ask_id,grade\nq1@0,5\nq1@0,4\n"],
)
def test_an_audit_that_cannot_be_used_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "audit.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataFileError, match=r"audit\.csv"):
        read_audit(path)


def test_the_rubric_of_a_whole_life_is_worth_what_mm_lifelong_gives() -> None:
    # The released evaluation: 4 and 5 score 1, 3 scores a half, less scores nothing.
    worth = load_rubric("lifelong-0-5").credit_of
    assert worth == {0: 0, 1: 0, 2: 0, 3: 0.5, 4: 1, 5: 1}
