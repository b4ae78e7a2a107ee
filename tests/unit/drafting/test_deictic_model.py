"""A model aligns phrases where rules cannot; a reply that is not exactly one is none."""

from pathlib import Path

import pytest

from firsthand.curation.deictic import SaidWord, aligned_phrases
from firsthand.drafting.deictic_model import ModelAlignment, phrases_by_model
from firsthand.drafting.prompts import load_prompt
from firsthand.endpoints import Endpoint, Patience, ReplyLog
from tests.unit.endpoints.chat_server import ChatServer, says

TEXT = "Take the one beside you, and put it over yonder."
WORDS = [
    SaidWord(text, 1_000_000 + 300_000 * n, 1_200_000 + 300_000 * n)
    for n, text in enumerate(TEXT.split())
]
KINDS = ["object", "space"]


@pytest.fixture
def alignment(chat: ChatServer, tmp_path: Path) -> ModelAlignment:
    endpoint = Endpoint("openai/aligner", chat.url, "key", Patience(attempts=1, timeout_s=30.0))
    return ModelAlignment(endpoint, load_prompt("deictic-phrases"), ReplyLog(tmp_path, "w"), "1")


def test_phrases_that_the_rules_miss_are_found_and_paid_for_once(
    chat: ChatServer, alignment: ModelAlignment
) -> None:
    assert aligned_phrases(WORDS, "en", 2) is None
    chat.plan = [says('{"phrases": [[1, 4], [8, 9]]}')]
    found = phrases_by_model("p", WORDS, "en", KINDS, alignment)
    assert found is not None
    assert [(one.text, one.kind) for one in found] == [
        ("the one beside you", "object"),
        ("over yonder", "space"),
    ]
    assert (found[0].begin_us, found[0].end_us) == (1_300_000, 2_400_000)
    assert phrases_by_model("p", WORDS, "en", KINDS, alignment) == found
    assert len(chat.requests) == 1
    assert "8 [3.40-3.60] over" in chat.requests[0]["messages"][1]["content"]


@pytest.mark.parametrize(
    "reply",
    [
        "The first phrase is `the one`.",
        "[]",
        '{"phrases": [[1, 4]]}',
        '{"phrases": [[1, 4], [4, 9]]}',
        '{"phrases": [[8, 9], [1, 4]]}',
        '{"phrases": [[1, 4], [8, 10]]}',
        '{"phrases": [[4, 1], [8, 9]]}',
        '{"phrases": [[-1, 4], [8, 9]]}',
        '{"phrases": [[1, true], [8, 9]]}',
        '{"phrases": [["1", "4"], [8, 9]]}',
        '{"phrases": [[1.0, 4], [8, 9]]}',
        '{"phrases": [[1, 4, 5], [8, 9]]}',
    ],
)
def test_a_reply_that_names_no_phrase_for_each_referent_is_not_used(
    chat: ChatServer, alignment: ModelAlignment, reply: str
) -> None:
    chat.plan = [says(reply)]
    assert phrases_by_model("p", WORDS, "en", KINDS, alignment) is None


def test_a_reply_cut_short_is_not_used_and_silence_is_not_asked_about(
    chat: ChatServer, alignment: ModelAlignment
) -> None:
    chat.plan = [says('{"phrases": [[1, 4], [8, 9]]}', finish="length")]
    assert phrases_by_model("p", WORDS, "en", KINDS, alignment) is None
    assert phrases_by_model("p", [], "en", KINDS, alignment) is None
    assert len(chat.requests) == 1
