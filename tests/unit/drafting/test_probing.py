"""Drafts tried on a model: answered blind they are shortcuts, unanswered they lack support."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from firsthand.core.taxonomy import Modality, QuestionType, Subcategory
from firsthand.core.time import SECOND_US, ClosedSpan
from firsthand.curation.checks import CheckedDraft
from firsthand.curation.drafts import Draft
from firsthand.drafting.probing import Probing, probed_drafts
from firsthand.drafting.prompts import load_prompt
from firsthand.endpoints import Endpoint, Patience, ReplyLog
from tests.unit.drafting.stream import material
from tests.unit.endpoints.chat_server import ChatServer, chat_server, says

DRAFT = Draft(
    "d1",
    "p",
    "s",
    QuestionType.MC_SINGLE,
    Subcategory.SHORT_TERM_MEMORY,
    "What does the wearer pick up first?",
    ("lemon", "tea pot", "spoon", "ball"),
    ("B",),
    (ClosedSpan(0, 4 * SECOND_US),),
    (Modality.VIDEO,),
    None,
    "litellm:m",
)


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    with chat_server() as running:
        yield running


@pytest.fixture
def probing(chat: ChatServer, tmp_path: Path) -> Probing:
    endpoint = Endpoint("openai/prober", chat.url, "key", Patience(attempts=1, timeout_s=30.0))
    return Probing(endpoint, load_prompt("draft-probe"), ReplyLog(tmp_path, "w"), "1")


def rejected(draft: Draft, probing: Probing, *before: str) -> tuple[str, ...]:
    (found,) = probed_drafts(material(), [CheckedDraft(draft, before)], probing)
    return found.rejected_by


# The first three answers are blind, the fourth is given from the evidence.
@pytest.mark.parametrize(
    ("answers", "failed"),
    [
        ("ABCB", ()),
        ("BBAB", ()),
        ("BBBB", ("shortcut",)),
        ("AAAA", ("support",)),
        ("BBBA", ("shortcut", "support")),
    ],
)
def test_a_draft_is_kept_if_its_evidence_is_needed_and_enough(
    chat: ChatServer, probing: Probing, answers: str, failed: tuple[str, ...]
) -> None:
    # Asking stops at the first blind answer that is wrong: the others would tell nothing.
    blind = next((n + 1 for n, letter in enumerate(answers[:3]) if letter != "B"), 3)
    chat.plan = [says(letter) for letter in answers[:blind] + answers[3:]]
    assert rejected(DRAFT, probing) == failed
    contents = [request["messages"][1]["content"] for request in chat.requests]
    assert len(contents) == blind + 1
    assert all("(nothing)" in text for text in contents[:-1])
    assert "picks up the tea pot" in contents[-1]
    assert "Said: Water boils slowly here" in contents[-1]
    assert "B. tea pot" in contents[0]


def test_stored_replies_are_not_asked_for_again(chat: ChatServer, probing: Probing) -> None:
    chat.plan = [says("B")]
    assert rejected(DRAFT, probing) == ("shortcut",)
    assert len(chat.requests) == 4
    assert rejected(DRAFT, probing) == ("shortcut",)
    assert len(chat.requests) == 4


def test_what_failed_before_and_open_questions_are_not_asked(
    chat: ChatServer, probing: Probing
) -> None:
    chat.plan = [says("B")]
    assert rejected(DRAFT, probing, "near_duplicate") == ("near_duplicate",)
    open_one = replace(
        DRAFT, question_type=QuestionType.OPEN_ENDED, options=(), answer=("The tea pot",)
    )
    assert rejected(open_one, probing) == ()
    assert chat.requests == []


def test_a_statement_is_probed_by_its_truth(chat: ChatServer, probing: Probing) -> None:
    chat.plan = [says("false"), says("true")]
    statement = replace(
        DRAFT, question_type=QuestionType.BINARY, options=(), answer=("true",), text="It is so."
    )
    assert rejected(statement, probing) == ()
