"""Drafts tried on a model: answered blind they are shortcuts, unanswered they lack support."""

from dataclasses import replace
from pathlib import Path

import pytest

from firsthand.core.taxonomy import Modality, QuestionType, Subcategory
from firsthand.core.time import SECOND_US, ClosedSpan
from firsthand.curation.checks import CheckedDraft
from firsthand.curation.drafts import Draft
from firsthand.drafting.priors import knows_answer
from firsthand.drafting.probing import Probing, probed_drafts
from firsthand.drafting.prompts import load_prompt
from firsthand.endpoints import Endpoint, Patience, ReplyLog
from tests.unit.drafting.stream import material
from tests.unit.endpoints.chat_server import ChatServer, says

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
def probing(chat: ChatServer, tmp_path: Path) -> Probing:
    endpoint = Endpoint("openai/prober", chat.url, "key", Patience(attempts=1, timeout_s=30.0))
    probe, priors = load_prompt("draft-probe"), load_prompt("draft-priors")
    rewording = load_prompt("draft-rewording")
    return Probing(endpoint, probe, priors, rewording, ReplyLog(tmp_path, "w"), "1")


def rejected(draft: Draft, probing: Probing, *before: str) -> tuple[str, ...]:
    (found,) = probed_drafts(material(), [CheckedDraft(draft, before)], probing)
    return found.rejected_by


UNKNOWN = says("unknown")


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
    chat.plan = [*(says(letter) for letter in answers[:blind] + answers[3:]), UNKNOWN]
    assert rejected(DRAFT, probing) == failed
    *contents, public = [request["messages"][1]["content"] for request in chat.requests]
    assert len(contents) == blind + 1
    assert DRAFT.text in public
    assert "lemon" not in public
    assert all("(nothing)" in text for text in contents[:-1])
    assert "picks up the tea pot" in contents[-1]
    assert "Said: Water boils slowly here" in contents[-1]
    assert "B. tea pot" in contents[0]


def test_stored_replies_are_not_asked_for_again(chat: ChatServer, probing: Probing) -> None:
    chat.plan = [says("B")]
    assert rejected(DRAFT, probing) == ("shortcut",)
    assert len(chat.requests) == 5
    assert rejected(DRAFT, probing) == ("shortcut",)
    assert len(chat.requests) == 5


def test_what_failed_before_is_not_asked(chat: ChatServer, probing: Probing) -> None:
    assert rejected(DRAFT, probing, "near_duplicate") == ("near_duplicate",)
    assert chat.requests == []


def test_a_statement_is_probed_by_its_truth(chat: ChatServer, probing: Probing) -> None:
    chat.plan = [says("false"), says("true"), UNKNOWN]
    statement = replace(
        DRAFT, question_type=QuestionType.BINARY, options=(), answer=("true",), text="It is so."
    )
    assert rejected(statement, probing) == ()
    assert len(chat.requests) == 3


RIVER = replace(
    DRAFT,
    text="Which river runs through the city on the calendar?",
    options=("Danube", "Elbe", "Rhine", "Vistula"),
)


def test_what_a_model_knows_without_stream_and_options_is_public_knowledge(
    chat: ChatServer, probing: Probing
) -> None:
    reworded = "What is the river of the city that the calendar shows?"
    # Blind with options it is wrong, so this is no shortcut; its evidence gives the answer.
    chat.plan = [says(text) for text in ("A", "B", "The Elbe.", reworded, "It is the Elbe")]
    assert rejected(RIVER, probing) == ("semantic_priors",)
    asked = [request["messages"][1]["content"] for request in chat.requests]
    assert RIVER.text in asked[2]
    assert reworded in asked[4]
    assert RIVER.text not in asked[4]
    assert not any("Danube" in text for text in asked[2:])


def test_knowing_one_wording_alone_is_luck(chat: ChatServer, probing: Probing) -> None:
    chat.plan = [says(text) for text in ("A", "B", "Elbe", "Which river is it?", "unknown")]
    assert rejected(RIVER, probing) == ()


def test_an_open_question_is_tried_for_public_knowledge_alone(
    chat: ChatServer, probing: Probing
) -> None:
    open_one = replace(
        DRAFT,
        question_type=QuestionType.OPEN_ENDED,
        text="Who painted the picture in the hall?",
        options=(),
        answer=("Leonardo da Vinci",),
    )
    chat.plan = [
        says(text) for text in ("Leonardo da Vinci", "Whose work is it?", "da Vinci, Leonardo")
    ]
    assert rejected(open_one, probing) == ("semantic_priors",)
    assert len(chat.requests) == 3


@pytest.mark.parametrize(
    ("draft", "reply", "knows"),
    [
        (RIVER, "Elbe", True),
        (RIVER, "the ELBE, in Dresden", True),
        (RIVER, "the Elbe or the Rhine", False),
        (RIVER, "unknown, perhaps the Elbe", False),
        (RIVER, "Tigris", False),
        (RIVER, "", False),
        (RIVER, "<think>Danube? Rhine?</think>Elbe", True),
        (replace(RIVER, answer=("B", "C"), question_type=QuestionType.MC_MULTI), "Elbe", False),
        (
            replace(RIVER, answer=("B", "C"), question_type=QuestionType.MC_MULTI),
            "Rhine and Elbe",
            True,
        ),
        # A wrong option within the right one is not named by it.
        (replace(RIVER, options=("pot", "tea pot", "jug", "cup")), "tea pot", True),
        (replace(RIVER, options=("tea pot", "pot", "jug", "cup")), "tea pot", False),
    ],
)
def test_a_reply_without_options_is_known_by_what_it_names(
    draft: Draft, reply: str, knows: bool
) -> None:
    assert knows_answer(draft, reply) is knows
