"""Readers and grading against the golden replies, under both rule sets."""

import re
from typing import Any

import pytest

from firsthand.answers import Answer, AskedQuestion, Reading, gold_texts, is_correct, read_reply
from firsthand.core.outcomes import RuleSet
from firsthand.core.taxonomy import QuestionType

LEAST_JUDGEMENT_AGREEMENT = 0.95


def asked(case: Any) -> AskedQuestion:
    wordings = (re.sub(r"^[A-Z]\. ", "", option) for option in case["item"]["options"])
    return AskedQuestion(QuestionType(case["qtype"].lower()), tuple(wordings))


def reading_as_written(reading: Reading, question_type: QuestionType) -> Any:
    """The reading in the vectors' notation."""
    if question_type in (QuestionType.MC_SINGLE, QuestionType.MC_MULTI):
        return list(reading.value) if isinstance(reading, Answer) else []
    if question_type is QuestionType.BINARY:
        return reading.value == ("true",) if isinstance(reading, Answer) else None
    assert isinstance(reading, Answer)
    return reading.value[0]


def grade(case: Any, reading: Reading, rule_set: RuleSet) -> bool:
    gold = gold_texts(case["item"]["answer"]["value"])
    return is_correct(reading, gold, asked(case).question_type, rule_set)


def test_official_reads_and_grades_every_reply_as_the_released_code(golden: Any) -> None:
    differing = []
    for case in golden("teleego_parse.json")["cases"]:
        question = asked(case)
        reading = read_reply(case["text"], question, rule_set=RuleSet.OFFICIAL)
        found = reading_as_written(reading, question.question_type)
        verdict = grade(case, reading, RuleSet.OFFICIAL)
        if (found, verdict) != (case["official_parsed"], case["official_correct"]):
            differing.append((case["id"], case["text"], found, verdict))
    assert differing == []


@pytest.mark.parametrize("confidence", ["high", "judgement"])
def test_paper_reads_and_grades_as_a_careful_grader(golden: Any, confidence: str) -> None:
    cases = [
        case
        for case in golden("teleego_parse.json")["cases"]
        if case["sensible_confidence"] == confidence
    ]
    differing = []
    for case in cases:
        question = asked(case)
        reading = read_reply(case["text"], question, rule_set=RuleSet.PAPER)
        found = reading_as_written(reading, question.question_type)
        if isinstance(found, list):
            found = sorted(found)
        verdict = grade(case, reading, RuleSet.PAPER)
        if (found, verdict) != (case["sensible"], case["sensible_correct"]):
            differing.append((case["id"], case["tag"], case["text"], found, case["sensible"]))
    allowed = 0 if confidence == "high" else len(cases) * (1 - LEAST_JUDGEMENT_AGREEMENT)
    assert len(differing) <= allowed, differing


def test_paper_leaves_open_answers_to_a_judge(golden: Any) -> None:
    for case in golden("teleego_parse.json")["cases"]:
        if case["qtype"].lower() == "open_ended":
            reading = read_reply(case["text"], asked(case), rule_set=RuleSet.PAPER)
            with pytest.raises(ValueError, match="judge"):
                grade(case, reading, RuleSet.PAPER)
