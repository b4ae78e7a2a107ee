"""Faults met in the field: each input with the outcome that was asked for."""

from typing import Any

import numpy as np
import pytest

from firsthand.answers import Answer, AskedQuestion, NoAnswer, NoAnswerReason, read_reply
from firsthand.core.outcomes import Outcome, RuleSet
from firsthand.core.taxonomy import QuestionType
from firsthand.metrics import (
    Grouping,
    VerdictColumns,
    group_tallies,
    macro_mean,
    outcome_codes,
    tally,
)
from firsthand.metrics.persistence import Event, tracker_persistence
from firsthand.metrics.teleego_official import official_mpt
from firsthand.protocols.policy import StreamingPolicy
from tests.golden.teleego_run import official_flags, official_records

REPLY_CASES = (
    "23-mcq-letter-in-prose",
    "24-mcq-revised-or-distractor",
    "25-mcq-chinese-fullwidth",
    "27-more-than-four-options",
)


def question_of(item: Any) -> AskedQuestion:
    letters, _, named = item["options"].partition(":")
    wordings = [f"wording number {place}" for place in range(len(letters))]
    for pair in filter(None, named.split(",")):
        letter, _, wording = pair.partition("=")
        wordings[letters.index(letter)] = wording
    return AskedQuestion(QuestionType(item.get("type", "mc_single")), tuple(wordings))


@pytest.mark.parametrize("name", REPLY_CASES)
def test_replies_are_read_as_asked_for(case_input: Any, name: str) -> None:
    for item in case_input(f"{name}/replies.json"):
        reading = read_reply(item["reply"], question_of(item), rule_set=RuleSet.PAPER)
        if item["want"] == "unparsed":
            assert isinstance(reading, NoAnswer), item
            assert reading.reason is NoAnswerReason.UNPARSED, item
        else:
            assert reading == Answer((item["want"],)), item


def test_lost_asks_stay_in_the_denominator(case_input: Any) -> None:
    case = case_input("44-errors-leave-denominator/results.json")
    ended = {"unparsed": Outcome.UNPARSED, "ok": Outcome.WRONG}
    outcomes = [
        Outcome.CORRECT
        if item["correct"]
        else ended.get(item["status"], Outcome.INFRASTRUCTURE_ERROR)
        for item in case["items"]
    ]
    score = np.array([float(outcome is Outcome.CORRECT) for outcome in outcomes])
    found = tally(VerdictColumns(score, outcome_codes(outcomes)))
    want = case["want"]
    assert found.mean == want["accuracy_all"]
    assert found.recorded_only == want["accuracy_answered_secondary"]
    assert found.planned == want["n_planned"]
    assert found.outcomes[Outcome.INFRASTRUCTURE_ERROR] == want["n_infra_error"]
    assert found.outcomes[Outcome.UNPARSED] == want["n_unparsed"]
    assert found.is_complete is want["complete"]


def test_an_empty_class_has_no_score_and_micro_is_not_macro(case_input: Any) -> None:
    case = case_input("47-micro-macro-empty/counts.json")
    names, flags = [], []
    for name, (correct, total) in case["sub"].items():
        names += [name] * total
        flags += [True] * correct + [False] * (total - correct)
    listed = tuple(case["sub"])
    codes = np.array([listed.index(name) for name in names], np.intp)
    score = np.array(flags, np.float64)
    outcomes = [Outcome.CORRECT if flag else Outcome.WRONG for flag in flags]
    found = group_tallies(
        VerdictColumns(score, outcome_codes(outcomes)), {"subcategory": Grouping(codes, listed)}
    )
    overall, macro = found["overall", "overall"].mean, macro_mean(found, "subcategory")
    assert overall is not None
    assert macro is not None
    assert overall * 100 == case["want"]["micro"]
    assert macro * 100 == pytest.approx(case["want"]["macro_nonempty"])
    assert found["subcategory", "Long-term Memory"].mean is None


def test_a_tracker_alone_gives_mpt_and_its_censored_items(case_input: Any) -> None:
    records = case_input("49-mpt-keys-and-censoring/eval_predictions.json")
    tracker = case_input("49-mpt-keys-and-censoring/mpt_results.json")
    policy = StreamingPolicy()
    held = []
    for record in records:
        if record["QA_type"] == QuestionType.OPEN_ENDED:
            continue
        flags = tracker.get(str(record["index"]), [None, []])[1] if record["correct"] else []
        held.append(tracker_persistence(flags, policy))
    assert [row.persistence_us // 1_000_000 for row in held] == [120, 0, 240, 600]
    assert sum(row.event is Event.CENSORED for row in held) == 2


def test_official_loses_the_item_whose_index_is_a_text(case_input: Any) -> None:
    records = official_records(case_input("49-mpt-keys-and-censoring/eval_predictions.json"))
    tracker = official_flags(case_input("49-mpt-keys-and-censoring/mpt_results.json"))
    overall = official_mpt([(records, tracker)])["Overall"]
    assert (overall.mpt_s, overall.count) == (280.0, 3)
